package horn

import (
	"fmt"
	"slices"

	"aiglens/horn/term"
	"aiglens/ic3/lia"
	"aiglens/ic3/sat"
)

// gpdrObligations bounds the obligations of GPDR.
const gpdrObligations = 20_000

// interpolantImplicants is how many implicants an interpolant may take.
const interpolantImplicants = 200

// isClassic says that the run is one of APDR or GPDR: obligations are answered by their children alone, and lemmas
// are interpolants.
func (e *engine) isClassic() bool { return e.options.Variant == APDR || e.options.Variant == GPDR }

// processClassic answers an obligation by the rules Decide and Conflict of APDR and GPDR. An obligation whose
// children all have facts has one, too.
func (e *engine) processClassic(o *obligation) (children []*obligation, f *fact, err error) {
	p := o.pred
	if f, err := e.fromChildren(o); f != nil || err != nil {
		return nil, f, err
	}
	r, err := p.ask(append(p.assume(o.level-1, nil), p.literals(o.cube)...))
	switch {
	case err != nil:
		return nil, nil, err
	case r == sat.Unsat:
		return nil, nil, e.conflict(o)
	}
	rule := p.selected()
	o.rule, o.children = rule, nil
	if len(rule.body) == 0 {
		return nil, p.addFact(rule, nil), nil
	}
	eval := term.NewEvaluation(e.terms, p.encoder.Value)
	for j, q := range rule.body {
		child := &obligation{parent: o, pred: q, level: o.level - 1, depth: o.depth + 1}
		if len(rule.body) > 1 {
			child.cube = e.point(q, rule.args[j], eval)
		} else {
			m := newImplicant(e.terms, p.encoder.Value)
			m.take(rule.constraint)
			m.take(e.terms.And(o.cube...))
			child.cube = m.project(q.params, q.inner, rule.args[j])
		}
		o.children = append(o.children, child)
	}
	return o.children, nil, nil
}

// fromChildren returns the fact that the children of an obligation give, if all have one.
func (e *engine) fromChildren(o *obligation) (*fact, error) {
	if len(o.children) == 0 || slices.ContainsFunc(o.children, func(c *obligation) bool { return c.fact == nil }) {
		return nil, nil
	}
	p := o.pred
	lits := append(p.literals(o.cube), o.rule.selector)
	premises := make([]*fact, len(o.children))
	for j, c := range o.children {
		premises[j] = c.fact
		lits = append(lits, p.encoder.Lit(o.rule.instance(j, e.terms.And(append(slices.Clone(c.cube), c.fact.cube...)...))))
	}
	r, err := p.ask(lits)
	if err == nil && r != sat.Sat {
		err = fmt.Errorf("horn: the children of an obligation do not answer it")
	}
	if err != nil {
		return nil, err
	}
	return p.addFact(o.rule, premises), nil
}

// point returns the cube of the values that arguments have.
func (e *engine) point(q *predicate, args []term.Term, eval *term.Evaluation) []term.Term {
	var cube []term.Term
	for i, a := range args {
		v, param := eval.Value(a), q.params[i]
		switch {
		case e.terms.SortOf(param) != term.Bool:
			c := e.terms.NumberOf(v.Number, e.terms.SortOf(param))
			cube = append(cube, e.terms.Le(param, c), e.terms.Le(c, param))
		case v.Truth:
			cube = append(cube, param)
		default:
			cube = append(cube, e.terms.Not(param))
		}
	}
	return cube
}

// conflict adds an interpolant between the clauses, with bodies in their frames, and a cube that was just refuted. What
// is no inequality in the cube stays as it is. If an interpolant takes too long, the cube that the refutation uses
// is blocked.
func (e *engine) conflict(o *obligation) error {
	p := o.pred
	core := p.core(o.cube)
	var others []term.Term
	var inequalities []lia.Atom
	for _, t := range core {
		if a, ok := p.solver.AtomOf(p.encoder.Lit(t)); ok && p.isOfParams(a) {
			inequalities = append(inequalities, a)
		} else {
			others = append(others, t)
		}
	}
	cube := core
	if len(inequalities) > 0 {
		e.queries++
		clause, r, err := p.solver.Interpolate(e.ctx, inequalities, append(p.assume(o.level-1, nil), p.literals(others)...)...)
		if err != nil {
			return err
		}
		if r == sat.Unsat {
			if lits, ok := p.negations(clause); ok {
				cube = append(others, lits...)
			}
		}
	}
	p.addLemma(cube, o.level)
	return nil
}

// isOfParams reports whether all variables of an atom have terms.
func (p *predicate) isOfParams(a lia.Atom) bool {
	_, ok := p.encoder.Atom(a)
	return ok
}

// negations returns the cube that a clause of inequalities excludes.
func (p *predicate) negations(clause []lia.Atom) ([]term.Term, bool) {
	var cube []term.Term
	for _, a := range clause {
		t, ok := p.encoder.Atom(a)
		if !ok {
			return nil, false
		}
		cube = append(cube, p.engine.terms.Not(t))
	}
	return cube, true
}
