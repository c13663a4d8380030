package ic3

import (
	"aiglens/circuit/cert"
	"aiglens/ic3/sat"
)

// block discharges the obligation o and all that it leads to. It returns a
// counterexample when one of them holds an initial state; or nil, and does no more, when that
// needs constraints which were postponed.
func (e *engine) block(o *obligation) (*cert.Trace, error) {
	if e.isInitial(o.cube) {
		return complete(e, o)
	}
	e.queue = e.queue[:0]
	e.queue.add(o)
	for len(e.queue) > 0 {
		if err := e.receive(); err != nil {
			return nil, err
		}
		o := e.queue.pop()
		e.report()
		if e.isBlocked(o.cube, o.level) {
			e.requeue(o, o.level+1)
			continue
		}
		core, ok, err := e.inductive(o.cube, o.level-1)
		if err != nil {
			return nil, err
		}
		if !ok {
			p, err := e.predecessor(e.model, o, o.level-1)
			if err != nil {
				return nil, err
			}
			if e.isInitial(p.cube) {
				return complete(e, p)
			}
			e.queue.add(p)
			e.queue.add(o)
			continue
		}
		if e.isWhole(o) {
			core = o.cube
		}
		o.blocked++
		level, err := e.learn(core, o.level, e.effortFor(o))
		if err != nil {
			return nil, err
		}
		e.requeue(o, level+1)
	}
	return nil, nil
}

// requeue puts an obligation back at a higher level, unless that lies beyond
// the frontier (rule Leaf): its states are bad sooner or later, and asking
// early finds counterexamples that are longer than k.
func (e *engine) requeue(o *obligation, level int) {
	if level <= e.depth() {
		o.level = level
		e.queue.add(o)
	}
}

// inductive asks whether the clause ¬c is inductive relative to F_level: is
// F_level ∧ C ∧ ¬c ∧ T ∧ c′ unsatisfiable? If so it returns the subcube of c
// that the refutation needs, with a literal put back when it would otherwise
// hold an initial state. If not, e.model shows why, one that was kept or a new one.
func (e *engine) inductive(c cube, level int) (core cube, ok bool, err error) {
	if e.findModel(c, level) {
		return nil, false, nil
	}
	return e.ask(c, level)
}

// findModel reports whether a model that was kept shows that ¬c is not inductive relative to
// F_level.
func (e *engine) findModel(c cube, level int) (found bool) {
	if !e.has(KeepModels) {
		return false
	}
	if e.model, found = e.models.find(c, level); found {
		e.stats.ModelsFound++
		e.effort += effortOfModel
	}
	return found
}

// ask is inductive without looking at the models that were kept: solvers[level] has the model.
func (e *engine) ask(c cube, level int) (core cube, ok bool, err error) {
	s := e.solvers[level]
	core, ok, err = e.inductiveIn(s, c)
	if err == nil && !ok {
		e.isTrue = s.AppendModel(e.isTrue[:0])
		e.model = e.models.keep(e.isTrue, level)
	}
	return core, ok, err
}

// inductiveIn is inductive for the frame that s holds, whose model says why not.
func (e *engine) inductiveIn(s sat.Solver, c cube) (core cube, ok bool, err error) {
	e.clause = c.clause(e.clause[:0])
	e.assumptions = e.assumptions[:0]
	for _, l := range c {
		e.assumptions = append(e.assumptions, e.prime(l))
	}
	r, err := e.solve(s, sat.Query{Assumptions: e.assumptions, Clause: e.clause, Roots: e.constraints.active})
	if err != nil || r == sat.Sat {
		return nil, false, err
	}
	core = make(cube, 0, len(c))
	for i, l := range c {
		if s.InCore(e.assumptions[i]) {
			core = append(core, l)
		}
	}
	return e.withInitiation(core, c), true, nil
}

// withInitiation adds to sub, a subcube of c, a literal of c that no initial
// state meets when it has none.
func (e *engine) withInitiation(sub, c cube) cube {
	if !e.isInitial(sub) {
		return sub
	}
	for _, l := range c {
		if e.reset[l.Var()] == l.Not() {
			return newCube(append(sub, l))
		}
	}
	panic("ic3: no literal of a blocked cube contradicts the reset")
}

// learn generalises a cube whose negation is inductive relative to
// F_{level−1}, adds the lemma as high as it goes (rule Conflict), and returns
// its level.
func (e *engine) learn(c cube, level int, effort generalization) (int, error) {
	c, err := e.generalize(c, level, effort)
	if err != nil {
		return 0, err
	}
	l, level, err := e.settle(c, level)
	if err != nil {
		return 0, err
	}
	e.stats.Learnt++
	e.stats.LemmaLiterals += len(l.cube)
	e.publish(l.cube, level)
	return level, nil
}

// settle adds the lemma ¬c, which is inductive relative to F_{level−1}, as high as it
// goes, and returns it with its level.
func (e *engine) settle(c cube, level int) (*lemma, int, error) {
	l := &lemma{}
	for level < e.depth() {
		core, ok, err := e.inductive(c, level)
		if err != nil {
			return nil, 0, err
		}
		if !ok {
			e.remember(l)
			break
		}
		c = core
		level++
	}
	l.cube = c
	if level == e.depth() && e.has(InfiniteFrame) {
		if done, err := e.learnForever(c); done || err != nil {
			return l, level, err
		}
	}
	e.addLemma(l, level)
	return l, level, nil
}
