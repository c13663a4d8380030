package classic

import (
	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/sat"
)

// uselessLimit bounds the cubes that one enumeration adds to R. Any bound keeps
// the method sound and complete.
const uselessLimit = 64

// bounded is induction over simple paths (Sheeran and others 2000), with
// strengthens the invariant strengthening of Awedh and Somenzi 2006.
//
// Here p holds in a step of a path when the bad literal is 0 under the inputs of
// that step: whether other inputs would make it 1 is not a question for a
// satisfiability solver. The paths through p are then more than theirs, so that
// what none of them reaches is not reached by theirs either.
type bounded struct {
	*engine
	strengthens bool

	// q is the bad state whose uselessness is being shown, or nil: that it ends no
	// path that starts in I and goes through p.
	q *obligation
	// marked is C: the states of failed simple paths, each of which leads to q
	// through p, q included.
	marked []*obligation
	// useless is R: cubes of states that lie on no shortest counterexample.
	useless []cube
}

func (b *bounded) run() (cert.Verdict, error) {
	v, empty, err := b.openInitial()
	if empty || err != nil {
		return v, err
	}
	for ; ; b.k++ {
		b.stats.Bound = b.k
		b.report()
		cex, pass, err := b.bound()
		switch {
		case err != nil:
			return v, err
		case cex != nil:
			return b.refuted(cex), nil
		case pass:
			return b.certify()
		}
	}
}

// bound does the work of one k: it finds a counterexample, passes the property, or
// neither.
func (b *bounded) bound() (cex *obligation, pass bool, err error) {
	p, err := b.unroll(b.k + 1)
	if err != nil {
		return nil, false, err
	}
	defer func() { b.stats.Solver.Add(p.solver.Stats()) }()
	if cex, err = b.counterexample(p); cex != nil || err != nil {
		return cex, false, err
	}
	pass, err = b.induction(p)
	return nil, pass, err
}

// counterexample searches an initialised path of length k that avoids R to a bad
// state, and else to a state of C, which is completed by the way to q.
func (b *bounded) counterexample(p *path) (*obligation, error) {
	k := b.k
	ok, err := b.solve(p, p.initial, p.avoids[k], p.within[k], p.bads[k])
	if err != nil {
		return nil, err
	}
	if ok {
		return p.obligations(b, k, nil), nil
	}
	if len(b.marked) == 0 || k == 0 {
		return nil, nil
	}
	ok, err = b.solve(p, p.initial, p.avoids[k], p.within[k-1], p.marked)
	if err != nil || !ok {
		return nil, err
	}
	end := p.stateAt(b, k)
	for _, o := range b.marked {
		if o.cube.subsumes(end) {
			return p.obligations(b, k-1, o), nil
		}
	}
	panic("classic: a path to a marked state ends in none")
}

// induction searches a simple path of length k+1 through p that avoids R to a bad
// state, or to q when it is set. It reports whether the property passes: there
// is no such path and no q.
func (b *bounded) induction(p *path) (pass bool, err error) {
	k := b.k
	found, err := b.solve(p, p.simple, p.avoids[k+1], p.within[k], p.good, p.target)
	switch {
	case err != nil:
		return false, err
	case !found && b.q == nil:
		return true, nil
	case !found:
		if err := b.dismiss(); err != nil {
			return false, err
		}
	case !b.strengthens:
	case b.q == nil:
		start := p.obligations(b, k+1, nil)
		for o := start; o != nil; o = o.next {
			b.marked = append(b.marked, o)
			b.q = o
		}
	default:
		for o := p.obligations(b, k, b.q); o != b.q; o = o.next {
			b.marked = append(b.marked, o)
		}
	}
	return false, nil
}

// dismiss adds to R the state q, which ends no counterexample (Lemma 1), and the
// states that reach C through p and outside R: if one of them were reached from I
// through p, q would be the end of a counterexample (Lemma 2). They are
// enumerated with blocking clauses.
func (b *bounded) dismiss() error {
	s := b.factory(b.defs)
	for _, c := range b.constraints {
		s.AddClause([]circuit.Lit{c})
	}
	s.AddClause([]circuit.Lit{b.bad.Not()})
	for _, c := range b.useless {
		s.AddClause(c.clause())
	}
	limit := len(b.useless) + uselessLimit
	todo := b.marked
	b.block(s, b.q.cube)
	for len(todo) > 0 && len(b.useless) < limit {
		q := sat.Query{Roots: append([]circuit.Lit{b.bad}, b.roots...)}
		for _, l := range todo[0].cube {
			q.Assumptions = append(q.Assumptions, b.prime(l))
		}
		r, err := s.Solve(b.ctx, q)
		if err != nil {
			return err
		}
		if r == sat.Unsat {
			todo = todo[1:]
			continue
		}
		o := b.newObligation(s, todo[0], 0)
		if err := b.lift(o, b.bad.Not()); err != nil {
			return err
		}
		b.block(s, o.cube)
		todo = append(todo, o)
	}
	b.stats.Useless = len(b.useless)
	b.stats.Solver.Add(s.Stats())
	b.q, b.marked = nil, nil
	return nil
}

// block adds a cube to R and excludes it from s.
func (b *bounded) block(s sat.Solver, c cube) {
	b.useless = append(b.useless, c)
	s.AddClause(c.clause())
}

// certify closes a pass to an inductive invariant. The pass rests on shortest
// counterexamples and simple paths and certifies nothing by itself, so that
// Bradley's algorithm is run with the clauses ¬R as candidates: no state of R
// is reachable once the property passes.
func (b *bounded) certify() (cert.Verdict, error) {
	b.stats.Solver.Add(b.solvers[0].Stats())
	b.stats.Argument = b.stats.Solver
	b.stats.Argument.Add(b.lifter.Stats())
	b.solvers, b.frames, b.k = nil, nil, 0
	prover := newBradley(b.engine, micDown)
	for _, c := range b.useless {
		prover.candidates = append(prover.candidates, candidate{cubes: []cube{c}})
	}
	return prover.run()
}
