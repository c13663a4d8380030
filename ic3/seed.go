package ic3

import (
	"math/rand/v2"
	"slices"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/sat"
)

// Lemmas known in advance. The invariant of a circuit before an edit is mostly one
// after it: Chockler, Ivrii, Matsliah, Moran and Nevo, "Incremental Formal
// Verification of Hardware" (FMCAD 2011). Its clauses are filtered to the largest
// subset that is inductive, by what Flanagan and Leino call Houdini (FME 2001), which
// becomes part of the infinite frame. What is left over but holds after one step is
// put into F_1, from where it is pushed like any lemma.

const seedEffort = 5_000

// simulatedPerPropagation is the number of gates that are simulated in the time of a
// propagation.
const simulatedPerPropagation = 16

// seed takes up the clauses known in advance, when the frontier is 0.
func (e *engine) seed(clauses cert.Invariant) error {
	s := seeds{
		engine: e,
		sim:    circuit.NewParallel(e.c),
		inputs: make([]uint64, len(e.c.Inputs())),
		random: rand.New(rand.NewPCG(1, 0)),
	}
	s.take(clauses)
	if len(s.alive) == 0 {
		return nil
	}
	if err := s.filter(); err != nil {
		return err
	}
	for _, l := range s.alive {
		e.addInfinite(l.cube)
	}
	e.stats.Seeds = len(s.alive)
	e.stats.SeedEffort = e.effort
	e.loose = s.dropped
	return nil
}

// seedFirst puts what the filter dropped into F_1, where it holds there.
func (e *engine) seedFirst() error {
	for _, l := range e.loose {
		_, ok, err := e.inductive(l.cube, 0)
		if err != nil {
			return err
		}
		if ok {
			e.addLemma(&lemma{cube: l.cube}, 1)
		}
	}
	e.loose = nil
	return nil
}

// seeds are candidates while they are filtered.
type seeds struct {
	*engine
	alive   []*lemma // those that may be inductive together
	dropped []*lemma // those that are not, or were not looked at
	limit   int64    // of effort
	solver  sat.Solver
	// exact are the roots of a query with a model that satisfies all candidates.
	exact  []circuit.Lit
	sim    *circuit.Parallel
	inputs []uint64
	random *rand.Rand
}

// take keeps the clauses that can be lemmas: over latches, true initially, and
// implied by no shorter one.
func (s *seeds) take(clauses cert.Invariant) {
	var all []*lemma
	literals := 0
	for _, clause := range clauses {
		if c := s.cubeOf(clause); c != nil && !s.isInitial(c) {
			all = append(all, &lemma{cube: c, signature: c.signature()})
		}
	}
	slices.SortStableFunc(all, func(a, b *lemma) int { return len(a.cube) - len(b.cube) })
	for _, l := range all {
		if !slices.ContainsFunc(s.alive, func(m *lemma) bool { return m.signature&^l.signature == 0 && m.cube.subsumes(l.cube) }) {
			s.alive = append(s.alive, l)
			literals += len(l.cube)
		}
	}
	s.limit = s.effort + seedEffort*int64(literals)
	s.exact = append(s.exact, s.constraints...)
	for _, l := range s.c.Latches() {
		s.exact = append(s.exact, l.Lit)
	}
}

// cubeOf returns the negation of a clause, or nil when it is not one of latches or
// always true.
func (e *engine) cubeOf(clause []circuit.Lit) cube {
	c := make(cube, 0, len(clause))
	for _, l := range clause {
		if int(l.Var()) >= e.c.NumVars() || e.c.LatchIndex(l.Var()) < 0 {
			return nil
		}
		c = append(c, l.Not())
	}
	slices.Sort(c)
	c = slices.Compact(c)
	for i, l := range c {
		if i > 0 && c[i-1] == l.Not() {
			return nil
		}
	}
	return c
}

// filter drops candidates until those that are left are inductive together. A round
// asks for each of them, with all that were left at its beginning in the solver: an
// answer against a candidate stands, one for it when none was dropped since. What the
// bound on the effort leaves open is dropped.
func (s *seeds) filter() error {
	for round := len(s.alive) + 1; len(s.alive) < round; {
		round = len(s.alive)
		s.stats.SeedRounds++
		s.solver = s.newSolver()
		s.addAll(s.solver, s.alive)
		for _, l := range slices.Clone(s.alive) {
			if s.effort > s.limit {
				s.dropped = append(s.dropped, s.alive...)
				s.alive = nil
				break
			}
			if err := s.try(l); err != nil {
				return err
			}
		}
		s.retired.Add(s.solver.Stats())
	}
	return nil
}

// try asks whether a candidate holds after a step. If not, all go that do not hold
// after the step that shows it.
func (s *seeds) try(l *lemma) error {
	if l.subsumed {
		return nil
	}
	s.assumptions = s.assumptions[:0]
	for _, lit := range l.cube {
		s.assumptions = append(s.assumptions, s.prime(lit))
	}
	for _, roots := range [][]circuit.Lit{s.constraints, s.exact} {
		// The first model need not satisfy the candidates outside its domain.
		r, err := s.solve(s.solver, sat.Query{Assumptions: s.assumptions, Roots: roots})
		if r != sat.Sat || err != nil {
			return err
		}
	}
	s.step()
	s.alive = slices.DeleteFunc(s.alive, func(m *lemma) bool {
		after := ^uint64(0)
		for _, lit := range m.cube {
			after &= s.sim.Value(s.prime(lit))
		}
		gone := m == l || after != 0
		if gone {
			m.subsumed = true
			s.dropped = append(s.dropped, m)
		}
		return gone
	})
	return nil
}

// step simulates the step in the solver's model, 64 times with other values for what
// the model leaves open.
func (s *seeds) step() {
	value := func(l circuit.Lit) uint64 {
		switch s.solver.Value(l) {
		case circuit.Zero:
			return 0
		case circuit.One:
			return ^uint64(0)
		}
		return s.random.Uint64()
	}
	for i, in := range s.c.Inputs() {
		s.inputs[i] = value(in.Lit)
	}
	for i, l := range s.c.Latches() {
		s.sim.SetLatch(i, value(l.Lit))
	}
	s.sim.Eval(s.inputs)
	s.effort += int64(s.c.NumVars()) / simulatedPerPropagation
}
