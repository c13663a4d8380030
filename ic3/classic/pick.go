package classic

import "aiglens/circuit/cert"

// pickCTGs is the number of counterexamples to generalisation that are blocked
// in one generalisation.
const pickCTGs = 3

// pick is the checker of Pick 2016. Its variants add to each other: smaller CTIs
// by lifting; subsumed clauses removed before clauses are pushed; and then either
// a priority queue or counterexamples to generalisation.
type pick struct {
	*engine
	lifts    bool
	subsumes bool
	queued   bool
	maxCTGs  int

	// queue holds the obligations of the variant with a queue, those for later
	// frontiers included. The property itself, his first obligation, is not in it:
	// it is due at every frontier when the queue holds nothing else.
	queue  queue
	pushed int // lemmas that had been learnt when clauses were last pushed
}

func (p *pick) run() (cert.Verdict, error) {
	return p.mainLoop(p.strengthen, p.pushFrames)
}

// strengthen blocks the bad states of the frontier, or returns a counterexample.
func (p *pick) strengthen() (*obligation, error) {
	for {
		if cex, err := p.discharge(); cex != nil || err != nil {
			return cex, err
		}
		o, err := p.badState(p.k)
		if o == nil || err != nil {
			return nil, err
		}
		if err := p.makeSmaller(o); err != nil {
			return nil, err
		}
		if p.queued {
			p.queue.add(o)
			continue
		}
		if cex, err := p.block(o); cex != nil || err != nil {
			return cex, err
		}
	}
}

func (p *pick) makeSmaller(o *obligation) error {
	if !p.lifts {
		return nil
	}
	return p.lift(o)
}

// block shows that the cube of o is unreachable within its level, after its
// predecessors one level below, or returns a counterexample.
func (p *pick) block(o *obligation) (cex *obligation, err error) {
	p.open++
	defer func() { p.open-- }()
	p.report()
	for {
		pre, err := p.settle(o)
		if pre == nil || err != nil {
			return nil, err
		}
		if p.isInitial(pre.cube) {
			return pre, nil
		}
		if cex, err := p.block(pre); cex != nil || err != nil {
			return cex, err
		}
	}
}

// settle learns a lemma that blocks o, or returns a predecessor that does not
// allow it; o itself when that holds an initial state.
func (p *pick) settle(o *obligation) (*obligation, error) {
	if p.isInitial(o.cube) {
		return o, nil
	}
	core, ok, err := p.inductive(o.cube, o.level-1)
	if err != nil {
		return nil, err
	}
	if !ok {
		pre := p.newObligation(p.solvers[o.level-1], o, o.level-1)
		return pre, p.makeSmaller(pre)
	}
	if p.maxCTGs > 0 {
		core, err = p.generalizeCTG(core, o.level-1)
	} else {
		core, err = p.generalize(core, o.level-1)
	}
	if err != nil {
		return nil, err
	}
	p.learn(core, o.level)
	return nil, nil
}

// discharge settles the obligations of the queue up to the frontier, lowest
// level first. A fulfilled one comes back one level deeper, for a later frontier
// if need be.
func (p *pick) discharge() (cex *obligation, err error) {
	for p.queue.least(p.k+1) <= p.k {
		p.open = len(p.queue)
		p.report()
		o := p.queue.pop()
		if !p.isBlocked(o.cube, o.level) {
			pre, err := p.settle(o)
			if err != nil {
				return nil, err
			}
			if pre != nil {
				if p.isInitial(pre.cube) {
					return pre, nil
				}
				p.queue.add(pre)
				p.queue.add(o)
				continue
			}
		}
		o.level++
		p.queue.add(o)
	}
	return nil, nil
}

// generalizeCTG drops literals from c, whose negation is inductive relative to
// F_level. When a drop fails, the state that shows why is blocked if its negation
// is inductive relative to the frame below, and the drop is tried again.
func (p *pick) generalizeCTG(c cube, level int) (cube, error) {
	left := p.maxCTGs
	try := p.ifInductive(level)
	return p.drop(c, c, func(smaller cube) (cube, error) {
		for {
			found, err := try(smaller)
			if found != nil || err != nil || left == 0 || level == 0 || p.isInitial(smaller) {
				return found, err
			}
			blocked, err := p.blockCTG(p.stateFrom(p.solvers[level]), level)
			if err != nil || !blocked {
				return nil, err
			}
			left--
		}
	})
}

// blockCTG blocks a state of F_level as high as its negation is inductive
// relative to the frame below, if it is so at that level.
func (p *pick) blockCTG(state cube, level int) (bool, error) {
	if p.isInitial(state) {
		return false, nil
	}
	core, ok, err := p.inductive(state, level-1)
	if err != nil || !ok {
		return false, err
	}
	for level < p.k {
		higher, ok, err := p.inductive(state, level)
		if err != nil {
			return false, err
		}
		if !ok {
			break
		}
		core = higher
		level++
	}
	if core, err = p.generalize(core, level-1); err != nil {
		return false, err
	}
	p.stats.CTGs++
	p.learn(core, level)
	return true, nil
}

// pushFrames pushes clauses forward. When the frontier held without a new
// clause, nothing changed below it, and only the last pair of frames is looked at.
func (p *pick) pushFrames() (int, error) {
	from := 1
	if p.stats.Learnt == p.pushed {
		from = p.k
	}
	p.pushed = p.stats.Learnt
	return p.propagate(propagation{from: from, subsumes: p.subsumes})
}
