package classic

import (
	"slices"

	"aiglens/circuit"
	"aiglens/circuit/cert"
)

// newFrame opens the next level; only the constraints hold there, and in frame
// 0 the resets.
func (e *engine) newFrame() {
	s := e.factory(e.defs)
	for _, c := range e.constraints {
		s.AddClause([]circuit.Lit{c})
	}
	if len(e.solvers) == 0 {
		for _, r := range e.reset {
			if r != circuit.False {
				s.AddClause([]circuit.Lit{r})
			}
		}
	}
	e.solvers = append(e.solvers, s)
	e.frames = append(e.frames, nil)
}

// learn adds the clause ¬c to F_1 … F_level as a new lemma.
func (e *engine) learn(c cube, level int) {
	e.stats.Learnt++
	e.stats.LemmaLiterals += len(c)
	e.add(c, level)
}

// add adds the clause ¬c to F_1 … F_level.
func (e *engine) add(c cube, level int) {
	at := e.levelOf(c)
	if at >= level {
		return
	}
	if at > 0 {
		e.remove(c, at)
	}
	e.frames[level] = append(e.frames[level], c)
	for i := at + 1; i <= level; i++ {
		e.solvers[i].AddClause(c.clause())
	}
}

// levelOf returns the highest level at which the clause ¬c is stored, or 0.
func (e *engine) levelOf(c cube) int {
	for i := len(e.frames) - 1; i > 0; i-- {
		if slices.ContainsFunc(e.frames[i], func(d cube) bool { return slices.Equal(c, d) }) {
			return i
		}
	}
	return 0
}

// remove takes the lemma ¬c, whose highest level is level, out of the frames;
// the solvers keep it.
func (e *engine) remove(c cube, level int) {
	e.frames[level] = slices.DeleteFunc(e.frames[level], func(d cube) bool { return slices.Equal(c, d) })
}

// isBlocked reports whether a clause of F_level excludes the cube.
func (e *engine) isBlocked(c cube, level int) bool {
	for _, f := range e.frames[level:] {
		if slices.ContainsFunc(f, func(d cube) bool { return d.subsumes(c) }) {
			return true
		}
	}
	return false
}

// removeSubsumed drops the lemmas of a level that another clause of F_level
// implies.
func (e *engine) removeSubsumed(level int) {
	for _, c := range slices.Clone(e.frames[level]) {
		e.remove(c, level)
		if !e.isBlocked(c, level) {
			e.frames[level] = append(e.frames[level], c)
		}
	}
}

// propagation says how clauses are pushed forward.
type propagation struct {
	from     int  // lowest level to push from
	subsumes bool // clauses that others imply are dropped first
	shrinks  bool // what is pushed is the core of its clause
	// pushed is called for each clause that joins a level; it may be nil.
	pushed func(c cube, level int)
}

// propagate pushes the clauses of each level up to k that hold one step on, and
// returns the lowest i with clauses(F_i) = clauses(F_{i+1}), or −1.
func (e *engine) propagate(p propagation) (fixpoint int, err error) {
	for i := p.from; i <= e.k; i++ {
		if p.subsumes {
			e.removeSubsumed(i)
		}
		for _, c := range slices.Clone(e.frames[i]) {
			core, ok, err := e.step(i, nil, c)
			if err != nil {
				return -1, err
			}
			if !ok {
				continue
			}
			if p.shrinks && len(core) < len(c) {
				e.remove(c, i)
				c = core
			}
			e.add(c, i+1)
			if p.pushed != nil {
				p.pushed(c, i+1)
			}
		}
		if len(e.frames[i]) == 0 {
			return i, nil
		}
	}
	return -1, nil
}

// invariant returns the clauses of F_i.
func (e *engine) invariant(i int) cert.Invariant {
	inv := cert.Invariant{}
	for _, f := range e.frames[i:] {
		for _, c := range f {
			inv = append(inv, c.clause())
		}
	}
	return inv
}

func (e *engine) lemmas() int {
	n := 0
	for _, f := range e.frames {
		n += len(f)
	}
	return n
}
