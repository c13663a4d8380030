package simplify

import (
	"context"
	"errors"
	"slices"

	"aiglens/circuit"
	"aiglens/horn"
	"aiglens/horn/cert"
	"aiglens/horn/rational"
	"aiglens/horn/term"
	"aiglens/ic3/lia"
	"aiglens/ic3/lia/formula"
	"aiglens/ic3/sat"
)

// ErrUndefined says that an inlined predicate has no definition within the limits.
var ErrUndefined = errors.New("no definition of an inlined predicate was found within the limits")

// maxCubes is how many cubes the definition of an inlined predicate has at most.
const maxCubes = 500

// define returns a definition of a predicate for a model of all others: what follows from the bodies of its clauses
// must make it true, and where it is true no clause that has it in the body is false. Where all variables of the
// bodies are determined by the arguments, the definition is that of the bodies. Else it is a disjunction of cubes, as
// interpolants are: cubes of the bodies with the other variables projected out, less what is not needed.
func define(ctx context.Context, s *horn.System, pred horn.Pred, m cert.Model) (cert.Definition, error) {
	p := m.Terms
	d := cert.Definition{Params: params(p, s.Preds[pred].Args)}
	var bodies []term.Term
	isDirect := true
	for i := range s.Clauses {
		if s.Clauses[i].Head.Pred != pred {
			continue
		}
		body, isDetermined := bodyOf(p, &s.Clauses[i], d.Params, m)
		bodies = append(bodies, body)
		isDirect = isDirect && isDetermined
	}
	if isDirect {
		d.Formula = p.Or(bodies...)
		return d, nil
	}
	wrong, ok := violations(p, s, pred, d.Params, m)
	if !ok {
		wrong = term.None
	}
	var err error
	d.Formula, err = separate(ctx, p, p.Or(bodies...), wrong, d.Params)
	return d, err
}

// bodyOf returns for which parameters the body of a clause holds, with variables that are existential. isDetermined
// reports that there are none.
func bodyOf(p *term.Pool, c *horn.Clause, params []term.Term, m cert.Model) (body term.Term, isDetermined bool) {
	r := renamed(p, c)
	all := []term.Term{r.Constraint}
	for _, a := range r.Body {
		all = append(all, instance(p, m.Definitions[a.Pred], a.Args))
	}
	for i, t := range r.Head.Args {
		all = append(all, p.Equal(t, params[i]))
	}
	t := newTidy(p, &horn.Clause{Constraint: p.And(all...)}, params)
	t.run()
	body = p.And(t.conjuncts...)
	isDetermined = !slices.ContainsFunc(p.VarsOf(body), func(v term.Term) bool { return !t.kept[v] })
	return body, isDetermined
}

// violations returns for which parameters a clause is false that has the predicate in its body, with variables that
// are existential. ok is false if a clause has it twice: then the two depend on each other.
func violations(p *term.Pool, s *horn.System, pred horn.Pred, params []term.Term, m cert.Model) (all term.Term, ok bool) {
	var some []term.Term
	for i := range s.Clauses {
		uses := 0
		for _, a := range s.Clauses[i].Body {
			if a.Pred == pred {
				uses++
			}
		}
		switch {
		case uses == 0:
			continue
		case uses > 1:
			return term.None, false
		}
		c := renamed(p, &s.Clauses[i])
		parts := []term.Term{c.Constraint}
		if !c.IsQuery() {
			parts = append(parts, p.Not(instance(p, m.Definitions[c.Head.Pred], c.Head.Args)))
		}
		for _, a := range c.Body {
			if a.Pred != pred {
				parts = append(parts, instance(p, m.Definitions[a.Pred], a.Args))
				continue
			}
			for i, t := range a.Args {
				parts = append(parts, p.Equal(t, params[i]))
			}
		}
		some = append(some, p.And(parts...))
	}
	return p.Or(some...), true
}

// separate returns a formula over some variables that follows from a and contradicts b, which contradict each other.
// Without b it is the strongest one.
func separate(ctx context.Context, p *term.Pool, a, b term.Term, vars []term.Term) (term.Term, error) {
	inside := newSide(p, a)
	var outside *side
	if b != term.None {
		outside = newSide(p, b)
	}
	var cubes []term.Term
	for len(cubes) < maxCubes {
		result, err := inside.solver.Solve(ctx)
		switch {
		case err != nil:
			return term.None, err
		case result == sat.Unsat:
			return p.Or(cubes...), nil
		case result != sat.Sat:
			return term.None, ErrUndefined
		}
		cube, err := inside.cube(vars)
		if err != nil {
			return term.None, err
		}
		if outside != nil {
			if cube, err = outside.weaken(ctx, cube); err != nil {
				return term.None, err
			}
		}
		cubes = append(cubes, p.And(cube...))
		inside.solver.Assert(inside.lit(p.Not(cubes[len(cubes)-1])))
	}
	return term.None, ErrUndefined
}

// side is a formula in a solver.
type side struct {
	terms   *term.Pool
	solver  *lia.Solver
	encoder *formula.Encoder
	root    lia.Lit
}

func newSide(p *term.Pool, t term.Term) *side {
	s := &side{terms: p, solver: lia.New(lia.Options{})}
	s.encoder = formula.New(p, s.solver)
	s.root = s.lit(t)
	s.solver.Assert(s.root)
	return s
}

// lit returns a literal for a formula whose numbers are made of variables alone: what defines others is part of it.
func (s *side) lit(t term.Term) lia.Lit { return s.encoder.Lit(purified(s.terms, t)) }

// cube returns literals over some variables that are true in the model and imply, together, that others have values
// with which the formula holds.
func (s *side) cube(vars []term.Term) ([]term.Term, error) {
	isKept := map[term.Term]bool{}
	for _, v := range vars {
		isKept[v] = true
	}
	var cube []term.Term
	var atoms []lia.Atom
	for _, l := range s.solver.AppendImplicant(nil, s.root) {
		if a, ok := s.solver.AtomOf(l); ok {
			atoms = append(atoms, a)
		} else if t, ok := s.encoder.Formula(l); ok && isKept[variableOf(s.terms, t)] {
			cube = append(cube, t)
		}
	}
	var kept []lia.Var
	for _, v := range vars {
		if s.terms.SortOf(v) != term.Bool {
			kept = append(kept, s.encoder.Number(v))
		}
	}
	var others []lia.Var
	for _, a := range atoms {
		for _, m := range a.Term {
			if !slices.Contains(kept, m.Var) && !slices.Contains(others, m.Var) {
				others = append(others, m.Var)
			}
		}
	}
	for _, a := range lia.Project(atoms, others, s.solver.IsInt, s.solver.Value) {
		t, ok := s.encoder.Atom(a)
		if !ok {
			return nil, ErrUndefined
		}
		cube = append(cube, t)
	}
	return cube, nil
}

// variableOf returns the variable of a Boolean literal.
func variableOf(p *term.Pool, t term.Term) term.Term {
	if p.Op(t) == term.OpNot {
		return p.Args(t)[0]
	}
	return t
}

// weaken leaves out literals of a cube without which it still contradicts the formula.
func (s *side) weaken(ctx context.Context, cube []term.Term) ([]term.Term, error) {
	lits := make([]lia.Lit, len(cube))
	for i, t := range cube {
		lits[i] = s.lit(t)
	}
	result, err := s.solver.Solve(ctx, lits...)
	if err != nil || result != sat.Unsat {
		return cube, err
	}
	var core []term.Term
	for i, t := range cube {
		if lits[i] != circuit.True && (lits[i] == circuit.False || s.solver.InCore(lits[i])) {
			core = append(core, t)
		}
	}
	return core, nil
}

// purified returns a formula that holds for the same values of its variables, with more variables in the place of
// numbers that are an ite, a div or a mod. Each of them has a value that fits, whatever the others are; where the
// formula is negated as a whole, that is so, too, since what defines them is outside.
func purified(p *term.Pool, t term.Term) term.Term {
	var defined []term.Term
	by := map[term.Term]term.Term{}
	s := term.NewSubstitution(p, func(u term.Term) (term.Term, bool) { v, ok := by[u]; return v, ok })
	p.Walk([]term.Term{t}, nil, func(u term.Term) { // arguments come before what they are part of
		args := p.Args(u)
		switch op := p.Op(u); {
		case op == term.OpIte && p.SortOf(u) != term.Bool:
			v := p.Fresh("ite", p.SortOf(u))
			c := s.Apply(args[0])
			defined = append(defined, p.Implies(c, p.Equal(v, s.Apply(args[1]))), p.Or(c, p.Equal(v, s.Apply(args[2]))))
			by[u] = v
		case op == term.OpDiv || op == term.OpMod:
			d := p.Divisor(u)
			q := p.Fresh("div", term.Int)
			a := s.Apply(args[0])
			rest := p.Sub(a, p.Scale(d, q))
			defined = append(defined, p.Le(p.IntOf(0), rest), p.Le(rest, p.NumberOf(d.Sub(rational.One), term.Int)))
			if by[u] = q; op == term.OpMod {
				by[u] = rest
			}
		}
	})
	return p.And(append([]term.Term{s.Apply(t)}, defined...)...)
}
