package horn

import (
	"errors"
	"iter"
	"slices"

	"aiglens/horn/term"
	"aiglens/ic3/lia"
	"aiglens/ic3/sat"
)

// block adds a lemma for an obligation whose query was just refuted.
func (e *engine) block(o *obligation) error {
	p := o.pred
	cube := p.core(o.cube)
	weaker, err := p.farkas(cube, o.level-1)
	if err != nil {
		return err
	}
	cube, err = p.generalize(weaker, o.level)
	if err != nil {
		return err
	}
	if cube, err = p.resolve(cube, o.level); err != nil {
		return err
	}
	level := o.level
	for level < e.frontier {
		ok, err := p.inductive(cube, level)
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		level++
	}
	p.addLemma(cube, level)
	return nil
}

// core returns the literals of a cube that the last refutation uses.
func (p *predicate) core(cube []term.Term) []term.Term {
	var kept []term.Term
	for _, t := range cube {
		if p.solver.InCore(p.encoder.Lit(t)) {
			kept = append(kept, t)
		}
	}
	return kept
}

// conflict is a contradiction that a solver found in a query.
type conflict struct {
	premises   []lia.Atom
	refutation *lia.Refutation
}

// farkas returns a weaker cube for one that the last query refuted with bodies in F_k; that refutes it, too. Each
// contradiction that the query met adds up inequalities, some of which are in the cube. The sum of those takes
// their place (McMillan, "An Interpolating Theorem Prover", 2005), so that two bounds become one on a sum.
func (p *predicate) farkas(cube []term.Term, k int) ([]term.Term, error) {
	sums := p.sums(cube)
	if len(sums) == 0 || len(cube) < 2 {
		return cube, nil
	}
	for _, t := range cube {
		if _, ok := p.solver.AtomOf(p.encoder.Lit(t)); !ok {
			sums = append(sums, t)
		}
	}
	slices.Sort(sums)
	sums = slices.Compact(sums)
	r, err := p.ask(append(p.assume(k, nil), p.literals(sums)...))
	if err != nil || r != sat.Unsat {
		return cube, ignoreLimit(err)
	}
	return p.core(sums), nil
}

// sums returns what the recorded contradictions add up of a cube.
func (p *predicate) sums(cube []term.Term) []term.Term {
	isOf := map[string]bool{}
	for _, t := range cube {
		if a, ok := p.solver.AtomOf(p.encoder.Lit(t)); ok {
			isOf[a.Normalize(p.solver.IsInt).String()] = true
		}
	}
	var sums []term.Term
	for _, c := range p.conflicts {
		for _, l := range c.refutation.Lemmas(c.premises, p.solver.IsInt) {
			sum := lia.Atom{Rel: lia.LessEqual}
			for i, a := range l.Atoms {
				if !isOf[a.String()] {
					continue
				}
				if a.Rel == lia.Less {
					sum.Rel = lia.Less
				}
				sum.Term, sum.Const = sum.Term.Plus(l.Factors[i], a.Term), sum.Const.Add(l.Factors[i].Mul(a.Const))
			}
			if len(sum.Term) == 0 {
				continue
			}
			if t, ok := p.encoder.Atom(sum.Normalize(p.solver.IsInt)); ok {
				sums = append(sums, t)
			}
		}
	}
	return sums
}

// inductive reports whether a cube is blocked when bodies are in F_k and outside of the cube.
func (p *predicate) inductive(cube []term.Term, k int) (bool, error) {
	lits := append(p.assume(k, nil), p.literals(cube)...)
	if k >= 0 {
		for _, u := range p.uses {
			if u.rule.head == p {
				lits = append(lits, p.solver.Or(u.rule.selector.Not(), u.blocked(cube)))
			}
		}
	}
	r, err := p.ask(lits)
	return r == sat.Unsat, ignoreLimit(err)
}

// ignoreLimit forgets that a search for integers reached its limit, where a lemma can do without the answer.
func ignoreLimit(err error) error {
	if errors.Is(err, lia.ErrLimit) {
		return nil
	}
	return err
}

// generalize drops literals from a cube that is blocked at a level.
func (p *predicate) generalize(cube []term.Term, level int) ([]term.Term, error) {
	for i := 0; i < len(cube); {
		less := slices.Delete(slices.Clone(cube), i, i+1)
		ok, err := p.inductive(less, level-1)
		if err != nil {
			return nil, err
		}
		if !ok {
			i++
			continue
		}
		kept := less[:0]
		for _, t := range less {
			if p.solver.InCore(p.encoder.Lit(t)) || slices.Contains(cube[:i], t) {
				kept = append(kept, t)
			}
		}
		cube = kept
	}
	return cube, nil
}

// resolve puts into the place of two inequalities of a cube that is blocked at a level their sum, in which a variable
// cancels out (Fourier and Motzkin), where what is left is blocked, too. So x ≤ k and 5·x + y ≥ c, whose bounds a
// search would move together without end, are one obstacle y ≥ c − 5·k.
func (p *predicate) resolve(cube []term.Term, level int) ([]term.Term, error) {
	for less := range p.resolvents(cube) {
		ok, err := p.inductive(less, level-1)
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		if less, err = p.generalize(less, level); err != nil {
			return nil, err
		}
		return p.resolve(less, level)
	}
	return cube, nil
}

// resolvents yields the cubes in which two inequalities of a cube have become a sum in which a variable cancels out.
func (p *predicate) resolvents(cube []term.Term) iter.Seq[[]term.Term] {
	return func(yield func([]term.Term) bool) {
		for i, s := range cube {
			a, _ := p.solver.AtomOf(p.encoder.Lit(s)) // without a term if it is no inequality
			for j, t := range cube[:i] {
				b, _ := p.solver.AtomOf(p.encoder.Lit(t))
				for _, m := range a.Term {
					sum, ok := p.cancel(m, a, b)
					if !ok {
						continue
					}
					others := slices.Delete(slices.Delete(slices.Clone(cube), i, i+1), j, j+1)
					if !yield(append(others, sum)) {
						return
					}
				}
			}
		}
	}
}

// cancel returns the sum of a, in which m is, and b without the variable of m, if that has another sign in b.
func (p *predicate) cancel(m lia.Monomial, a, b lia.Atom) (sum term.Term, ok bool) {
	other := b.Term.Coef(m.Var)
	if m.Coef.Sign()*other.Sign() >= 0 {
		return term.None, false
	}
	f, g := other.Abs(), m.Coef.Abs()
	c := lia.Atom{Term: a.Term.Scale(f).Plus(g, b.Term), Rel: max(a.Rel, b.Rel), Const: a.Const.Mul(f).Add(b.Const.Mul(g))}
	if len(c.Term) == 0 {
		return term.None, false
	}
	return p.encoder.Atom(c.Normalize(p.solver.IsInt))
}
