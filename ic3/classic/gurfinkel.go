package classic

import "aiglens/circuit/cert"

// pdr is Gurfinkel's presentation of PDR (2015, section 2): rules on a trace
// F_0 … F_N, here N = k, and a queue of (cube, level). The schedule is his usual
// one: all rules but Induction and Unfold, then Induction on all levels, then
// Unfold.
type pdr struct {
	*engine
	queue queue
}

func (p *pdr) run() (cert.Verdict, error) {
	v, empty, err := p.openInitial()
	if empty || err != nil {
		return v, err
	}
	for {
		p.newFrame()
		o, err := p.search()
		if err != nil {
			return v, err
		}
		if o != nil {
			p.applied(Reachable, 0, o.cube)
			return p.refuted(o), nil
		}
		i, err := p.propagate(propagation{from: 1, subsumes: true, pushed: func(c cube, level int) { p.applied(Induction, level, c) }})
		if err != nil {
			return v, err
		}
		if i > 0 {
			p.applied(Unreachable, i, nil)
			return cert.Verdict{Outcome: cert.Proved, Depth: p.k, Invariant: p.invariant(i)}, nil
		}
		p.k++
		p.applied(Unfold, p.k, nil)
		p.report()
	}
}

// search applies Candidate, Decide, Conflict and Leaf until none applies or
// Reachable does, and returns the obligation of Reachable.
//
// Candidate and Decide find implicants, cubes of several states. One that holds
// an initial state is taken as (m, 0) whatever its level: it has no need of a
// predecessor, and no clause of Conflict excludes it.
func (p *pdr) search() (*obligation, error) {
	for {
		if len(p.queue) == 0 {
			o, err := p.candidate()
			if o == nil || err != nil {
				return nil, err
			}
		}
		p.open = len(p.queue)
		p.report()
		o := p.queue.pop()
		if o.level == 0 || p.isInitial(o.cube) {
			return o, nil
		}
		if p.isBlocked(o.cube, o.level) {
			p.leaf(o)
			continue
		}
		core, ok, err := p.inductive(o.cube, o.level-1)
		if err != nil {
			return nil, err
		}
		if ok {
			err = p.conflict(o, core)
		} else {
			err = p.decide(o)
		}
		if err != nil {
			return nil, err
		}
	}
}

// candidate: m ⇒ F_N ∧ bad.
func (p *pdr) candidate() (*obligation, error) {
	o, err := p.badState(p.k)
	if o == nil || err != nil {
		return nil, err
	}
	if err := p.lift(o); err != nil {
		return nil, err
	}
	p.applied(Candidate, p.k, o.cube)
	p.queue.add(o)
	return o, nil
}

// decide: the predecessor of o that the last query found, generalised to an
// implicant.
func (p *pdr) decide(o *obligation) error {
	pre := p.newObligation(p.solvers[o.level-1], o, o.level-1)
	if err := p.lift(pre); err != nil {
		return err
	}
	p.applied(Decide, pre.level, pre.cube)
	p.queue.add(pre)
	p.queue.add(o)
	return nil
}

// conflict: a clause φ ⇒ ¬m with I ⇒ φ and φ ∧ F_i ∧ T ⇒ φ′.
func (p *pdr) conflict(o *obligation, core cube) error {
	c, err := p.generalize(core, o.level-1)
	if err != nil {
		return err
	}
	p.applied(Conflict, o.level, c)
	p.learn(c, o.level)
	p.leaf(o)
	return nil
}

// leaf: (m, i) is blocked and 0 < i < N.
func (p *pdr) leaf(o *obligation) {
	if o.level < p.k {
		o.level++
		p.applied(Leaf, o.level, o.cube)
		p.queue.add(o)
	}
}
