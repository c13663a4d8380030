package classic

import (
	"math/rand/v2"
	"slices"

	"aiglens/circuit"
	"aiglens/circuit/cert"
)

// bradley is the algorithm of Bradley 2011, sections 4 and 5, by the names used
// there. Section 7's unsatisfiable cores, three failures, stepwise cone of
// influence and subsumption across levels are always on.
type bradley struct {
	*engine
	// subclause finds a subclause of ¬s, which is inductive relative to F_level,
	// that may be added to F_1 … F_{level+1}.
	subclause func(b *bradley, s cube, level int) (cube, error)
	random    *rand.Rand
	// cones[i] says, by variable, which latches can matter to the bad and the
	// constraints within i more steps.
	cones      [][]bool
	states     queue // of pushGeneralization
	candidates []candidate
}

func newBradley(e *engine, subclause func(*bradley, cube, int) (cube, error)) *bradley {
	return &bradley{engine: e, subclause: subclause, random: rand.New(rand.NewPCG(e.options.Seed, 1))}
}

func (b *bradley) run() (cert.Verdict, error) {
	return b.mainLoop(b.strengthen, b.propagateClauses)
}

// strengthen(k): while F_k has a bad state s, generalise it and push the
// generalisation to k.
func (b *bradley) strengthen() (cex *obligation, err error) {
	for {
		s, err := b.badState(b.k)
		if s == nil || err != nil {
			return nil, err
		}
		b.keepCone(s)
		// F_{k−1} has no bad state, so that none of s is reached in k − 1 steps.
		if cex, err := b.enqueue(s, b.k-2); cex != nil || err != nil {
			return cex, err
		}
		if cex, err := b.pushGeneralization(); cex != nil || err != nil {
			return cex, err
		}
	}
}

// enqueue generalises s from level min on and adds it to the states, or returns
// a counterexample. A state that lies in a cube of several may be initial.
func (b *bradley) enqueue(s *obligation, min int) (cex *obligation, err error) {
	if b.isInitial(s.cube) {
		return s, nil
	}
	n, cex, err := b.inductivelyGeneralize(s, min)
	if cex != nil || err != nil {
		return cex, err
	}
	s.level = n + 1
	b.states.add(s)
	return nil, nil
}

// inductivelyGeneralize(s, min, k) generates a clause that excludes s relative
// to the highest frame that it can be found for, and returns its level. From min
// it is known to exist; −1 says that nothing is known.
func (b *bradley) inductivelyGeneralize(s *obligation, min int) (level int, cex *obligation, err error) {
	for i := max(0, min+1); i <= b.k; i++ {
		_, ok, err := b.inductive(s.cube, i)
		if err != nil {
			return 0, nil, err
		}
		switch {
		case ok:
		case i == 0: // an initial predecessor
			return 0, b.newObligation(b.solvers[0], s, 0), nil
		default:
			return i - 1, nil, b.generateClause(s.cube, i-1)
		}
	}
	return b.k, nil, b.generateClause(s.cube, b.k)
}

// generateClause(s, i, k) adds a subclause of ¬s to F_1 … F_{i+1}.
func (b *bradley) generateClause(s cube, level int) error {
	c, err := b.subclause(b, s, level)
	if err == nil {
		b.learn(c, level+1)
	}
	return err
}

// pushGeneralization(states, k) excludes every state of the queue from F_k,
// and the predecessors that stand against it first.
func (b *bradley) pushGeneralization() (cex *obligation, err error) {
	for {
		b.open = len(b.states)
		b.report()
		if b.states.least(b.k+1) > b.k {
			b.states = b.states[:0]
			return nil, nil
		}
		s := b.states.pop()
		_, blocked, err := b.step(s.level, nil, s.cube)
		if err != nil {
			return nil, err
		}
		if blocked {
			if cex, err := b.enqueue(s, s.level); cex != nil || err != nil {
				return cex, err
			}
			continue
		}
		p := b.newObligation(b.solvers[s.level], s, s.level)
		b.keepCone(p)
		b.states.add(s)
		// s is not reached from F_{n−1}: no state of p lies in it.
		if cex, err := b.enqueue(p, s.level-2); cex != nil || err != nil {
			return cex, err
		}
	}
}

// propagateClauses(k), after the candidates.
func (b *bradley) propagateClauses() (int, error) {
	if err := b.propagateCandidates(); err != nil {
		return -1, err
	}
	return b.propagate(propagation{from: 1, subsumes: true, shrinks: true})
}

// shuffled returns the literals of a cube in a random order.
func (b *bradley) shuffled(c cube) []circuit.Lit {
	order := slices.Clone(c)
	b.random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	return order
}

// core returns the part of s that is needed to show that ¬s is inductive
// relative to F_level, which it must be.
func (b *bradley) core(s cube, level int) (cube, error) {
	c, ok, err := b.inductive(s, level)
	if err == nil && !ok {
		panic("classic: a state that the frames exclude has a predecessor")
	}
	return c, err
}

// micDown is MIC (section 3): leave out a literal, look with down for an
// inductive subclause of the rest, and put the literal back if there is none.
func micDown(b *bradley, s cube, level int) (cube, error) {
	c, err := b.core(s, level)
	if err != nil {
		return nil, err
	}
	return b.drop(c, b.shuffled(c), func(c cube) (cube, error) { return b.down(c, level) })
}

// down keeps of a clause, as long as it is not inductive relative to F_level, the
// literals that it shares with the negation of the state that shows it. It
// fails, with nil, when initiation does.
func (b *bradley) down(c cube, level int) (cube, error) {
	for !b.isInitial(c) {
		core, ok, err := b.inductive(c, level)
		if err != nil || ok {
			return core, err
		}
		c = c.only(b.stateFrom(b.solvers[level]).contains)
	}
	return nil, nil
}

// micUp is MIC on the clause that up finds.
func micUp(b *bradley, s cube, level int) (cube, error) {
	c, err := b.up(s, level)
	if err != nil {
		return nil, err
	}
	return b.drop(c, b.shuffled(c), func(c cube) (cube, error) { return b.down(c, level) })
}

// up grows a small subclause of ¬s to one that is inductive relative to F_level:
// from d it goes to d and the literals of ¬s that F_level ∧ d ∧ T implies. As d
// implies ¬s, which is inductive, there always are such.
func (b *bradley) up(s cube, level int) (cube, error) {
	d := b.withInitiation(nil, b.shuffled(s))
	for {
		implied, ok, err := b.step(level, d, s)
		if err != nil {
			return nil, err
		}
		if !ok {
			panic("classic: a clause that implies an inductive one has a successor outside it")
		}
		if implied.subsumes(d) {
			return d, nil
		}
		d = d.union(implied)
	}
}

// implicate finds a prime implicate of F_level ∧ ¬s ∧ T that is a subclause of
// ¬s′, as far as maxFailures allow: the clause need not support itself.
func implicate(b *bradley, s cube, level int) (cube, error) {
	c, err := b.core(s, level)
	if err != nil {
		return nil, err
	}
	return b.drop(c, b.shuffled(c), func(c cube) (cube, error) {
		if b.isInitial(c) {
			return nil, nil
		}
		smaller, ok, err := b.step(level, s, c)
		if err != nil || !ok {
			return nil, err
		}
		return smaller, nil
	})
}

// keepCone drops the latches that cannot matter any more on the way to the bad
// state (stepwise cone of influence).
func (b *bradley) keepCone(o *obligation) {
	for len(b.cones) <= o.depth {
		b.cones = append(b.cones, b.nextCone())
	}
	o.cube = o.cube.only(func(l circuit.Lit) bool { return b.cones[o.depth][l.Var()] })
}

func (b *bradley) nextCone() []bool {
	roots := append([]circuit.Lit{b.bad}, b.constraints...)
	if n := len(b.cones); n > 0 {
		for _, l := range b.c.Latches() {
			if b.cones[n-1][l.Lit.Var()] {
				roots = append(roots, l.Next)
			}
		}
	}
	seen := make([]bool, b.c.NumVars())
	for len(roots) > 0 {
		v := roots[len(roots)-1].Var()
		roots = roots[:len(roots)-1]
		if seen[v] {
			continue
		}
		seen[v] = true
		if l, r, ok := b.c.Operands(v); ok {
			roots = append(roots, l, r)
		}
	}
	return seen
}
