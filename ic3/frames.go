package ic3

import (
	"slices"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/sat"
)

// lemma is the clause ¬cube of a frame.
type lemma struct {
	cube      cube
	signature uint64
	successor cube // the state after the step that kept it from being pushed, for PredictLemmas
	spared    int  // pushes that a model spared since a solver was asked
	subsumed  bool // by a lemma added since
}

// newFrame opens the next level; only the constraints hold there, the lemmas of
// the infinite frame, and in frame 0 the resets.
func (e *engine) newFrame() {
	s := e.newSolver()
	if len(e.solvers) == 0 {
		for _, l := range e.c.Latches() {
			if r := e.reset[l.Lit.Var()]; r != circuit.False {
				s.AddClause([]circuit.Lit{r})
			}
		}
	} else {
		e.addAll(s, e.infinite)
	}
	e.models.open()
	e.solvers = append(e.solvers, s)
	e.added = append(e.added, len(e.infinite))
	e.frames = append(e.frames, nil)
}

// resume opens the frames of another run after frame 0, with their lemmas.
func (e *engine) resume(known Frames) {
	for range max(0, len(known)-1) {
		e.newFrame()
	}
	for level := len(known) - 1; level > 0; level-- {
		for _, clause := range known[level] {
			if c, ok := e.cubeOf(clause); ok && !e.isInitial(c) && !e.isBlocked(c, level) {
				e.addLemma(&lemma{cube: c}, level)
			}
		}
	}
}

// knownFrames returns the lemmas by level; those of the infinite frame in the last one.
func (e *engine) knownFrames() Frames {
	frames := make(Frames, len(e.frames))
	for i, lemmas := range e.frames {
		frames[i] = clausesOf(lemmas)
	}
	if last := len(frames) - 1; last > 0 {
		frames[last] = append(frames[last], clausesOf(e.infinite)...)
	}
	return frames
}

// newSolver makes a solver that holds the constraints.
func (e *engine) newSolver() sat.Solver {
	s := e.factory(e.defs)
	for _, c := range e.constraints.active {
		s.AddClause([]circuit.Lit{c})
	}
	return s
}

func (e *engine) addAll(s sat.Solver, lemmas []*lemma) {
	for _, l := range lemmas {
		e.clause = l.cube.clause(e.clause[:0])
		s.AddClause(e.clause)
	}
}

// isBlocked reports whether a lemma of F_level excludes the cube.
func (e *engine) isBlocked(c cube, level int) bool {
	signature := c.signature()
	excludes := func(l *lemma) bool { return l.signature&^signature == 0 && l.cube.subsumes(c) }
	for i := level; i < len(e.frames); i++ {
		if slices.ContainsFunc(e.frames[i], excludes) {
			return true
		}
	}
	return slices.ContainsFunc(e.infinite, excludes)
}

// addLemma adds a lemma to F_1 … F_level and drops those that it makes superfluous.
func (e *engine) addLemma(l *lemma, level int) {
	l.signature = l.cube.signature()
	from := e.dropSubsumed(l, level)
	e.models.exclude(l.cube, level)
	e.frames[level] = append(e.frames[level], l)
	e.lemmas++
	e.clause = l.cube.clause(e.clause[:0])
	for i := from; i <= level; i++ {
		e.solvers[i].AddClause(e.clause)
		e.added[i]++
	}
	e.renew(from, level)
}

// dropSubsumed drops the lemmas of levels 1 to level that l makes superfluous. It returns
// the lowest level whose solver may not have l yet.
func (e *engine) dropSubsumed(l *lemma, level int) (from int) {
	from = 1
	for i := 1; i <= level; i++ {
		kept := e.frames[i][:0]
		for _, m := range e.frames[i] {
			if l.signature&^m.signature == 0 && l.cube.subsumes(m.cube) {
				if len(l.cube) == len(m.cube) {
					from = i + 1 // the same lemma: solvers up to i have it
				}
				m.subsumed = true
				continue
			}
			kept = append(kept, m)
		}
		e.lemmas -= len(e.frames[i]) - len(kept)
		clear(e.frames[i][len(kept):])
		e.frames[i] = kept
	}
	return from
}

// addInfinite adds a lemma that is inductive together with those of the infinite
// frame.
func (e *engine) addInfinite(c cube) {
	l := &lemma{cube: c, signature: c.signature()}
	from := e.dropSubsumed(l, e.depth())
	e.models.exclude(c, e.depth())
	before := len(e.infinite)
	e.infinite = slices.DeleteFunc(e.infinite, func(m *lemma) bool {
		return l.signature&^m.signature == 0 && c.subsumes(m.cube)
	})
	e.infinite = append(e.infinite, l)
	e.lemmas += len(e.infinite) - before
	e.clause = c.clause(e.clause[:0])
	if e.always != nil {
		e.always.AddClause(e.clause)
	}
	for i := from; i < len(e.solvers); i++ {
		e.solvers[i].AddClause(e.clause)
		e.added[i]++
	}
}

// sparedAtMost is the number of pushes that a model spares before a solver is asked again:
// lemmas may exclude the state of the model together and yet none by itself.
const sparedAtMost = 30

// Bounds of superfluous lemmas in a solver, before it is rebuilt.
const (
	renewFactor = 2
	renewLeast  = 60
)

// renew rebuilds the solvers of some levels that hold mostly superfluous lemmas.
func (e *engine) renew(from, to int) {
	if !e.has(RenewSolvers) {
		return
	}
	needed := len(e.infinite)
	for i := len(e.frames) - 1; i > to; i-- {
		needed += len(e.frames[i])
	}
	for i := to; i >= from; i-- {
		needed += len(e.frames[i])
		if e.added[i] < e.renewLeast+renewFactor*needed {
			continue
		}
		e.retired.Add(e.solvers[i].Stats())
		e.retired.Rebuilds++
		s := e.newSolver()
		e.addAll(s, e.infinite)
		for _, f := range e.frames[i:] {
			e.addAll(s, f)
		}
		e.solvers[i], e.added[i] = s, needed
	}
}

// propagate pushes every lemma as high as it goes, rule Induction, and returns
// the lowest i with F_i = F_{i+1}, or −1.
func (e *engine) propagate() (fixpoint int, err error) {
	for i := 1; i < e.depth(); i++ {
		for _, l := range slices.Clone(e.frames[i]) {
			if err := e.push(l, i); err != nil {
				return -1, err
			}
		}
		if len(e.frames[i]) == 0 {
			return i, nil
		}
		e.report()
	}
	return -1, nil
}

// push moves a lemma of level i to the next one if it holds there.
func (e *engine) push(l *lemma, i int) error {
	if !e.mayPush(l, i) {
		return nil
	}
	core, ok, err := e.ask(l.cube, i)
	switch {
	case err != nil:
		return err
	case !ok:
		l.spared = 0
		e.remember(l)
		return nil
	case i+1 == e.depth() && e.has(InfiniteFrame):
		if done, err := e.learnForever(core); done || err != nil {
			return err
		}
	}
	e.addLemma(&lemma{cube: core}, i+1)
	return nil
}

// mayPush reports whether it is worth asking whether a lemma of level i holds in the next
// one.
func (e *engine) mayPush(l *lemma, i int) bool {
	switch {
	case l.subsumed:
		return false
	case l.spared >= sparedAtMost || !e.findModel(l.cube, i):
		return true
	}
	l.spared++
	return false
}

// remember keeps why a lemma could not be pushed.
func (e *engine) remember(l *lemma) {
	if e.has(PredictLemmas) {
		l.successor = e.models.successor(e.model)
	}
}

// learnForever adds ¬c to the infinite frame if it is inductive there.
func (e *engine) learnForever(c cube) (bool, error) {
	core, ok, err := e.inductiveIn(e.always, c)
	if err == nil && ok {
		e.addInfinite(core)
	}
	return ok, err
}

// invariant returns the clauses of F_i.
func (e *engine) invariant(i int) cert.Invariant {
	inv := cert.Invariant{}
	for ; i < len(e.frames); i++ {
		for _, l := range e.frames[i] {
			inv = append(inv, l.cube.clause(nil))
		}
	}
	for _, l := range e.infinite {
		inv = append(inv, l.cube.clause(nil))
	}
	return inv
}
