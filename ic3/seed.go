package ic3

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/encode"
	"aiglens/ic3/sat"
)

// Clauses known in advance. The invariant of a circuit before an edit is mostly one
// after it: Chockler, Ivrii, Matsliah, Moran and Nevo, "Incremental Formal
// Verification of Hardware" (FMCAD 2011). Its clauses are filtered to the largest
// subset that is inductive, in the way of Flanagan and Leino, "Houdini, an Annotation
// Assistant for ESC/Java" (FME 2001). In a run the subset is part of every frame but
// F_0. What is left over is put into F_1 where it holds there, and pushed like any
// lemma.

// Filtered is what Filter found.
type Filtered struct {
	// Inductive is the largest subset of the clauses that is inductive under the
	// constraints and holds for all resets, less the clauses that another one implies.
	Inductive cert.Invariant
	Rest      cert.Invariant // clauses that hold initially, but not with Inductive after a step
	// Safe says that no state of Inductive is bad: it is an invariant.
	Safe bool
}

// Filter finds out what of some clauses is inductive in c. It calls progress after
// every query. The error is that of ctx.
func Filter(ctx context.Context, c *circuit.Circuit, clauses cert.Invariant, o Options, progress func(Progress)) (Filtered, error) {
	e := newEngine(ctx, c, encode.Gates(c), o, progress)
	s := newSeeds(e, clauses)
	s.plain = e.has(EliminateGates)
	if err := s.filter(); err != nil {
		return Filtered{}, err
	}
	f := Filtered{Inductive: clausesOf(s.alive), Rest: clausesOf(s.dropped)}
	r, err := e.solve(s.solver, sat.Query{Assumptions: []circuit.Lit{e.bad}, Roots: s.exact})
	f.Safe = r == sat.Unsat
	return f, err
}

func clausesOf(lemmas []*lemma) cert.Invariant {
	clauses := make(cert.Invariant, len(lemmas))
	for i, l := range lemmas {
		clauses[i] = l.cube.clause(nil)
	}
	return clauses
}

// seed takes up the clauses of Options when the frontier is 0.
func (e *engine) seed(o Options) error {
	e.loose = newSeeds(e, o.Guesses).alive
	if len(o.Lemmas) == 0 {
		return nil
	}
	s := newSeeds(e, o.Lemmas)
	if err := s.filter(); err != nil {
		return err
	}
	for _, l := range s.alive {
		if e.always != nil {
			e.clause = l.cube.clause(e.clause[:0])
			e.always.AddClause(e.clause)
		}
	}
	e.infinite = s.alive
	e.lemmas += len(s.alive)
	e.stats.Seeds = len(s.alive)
	e.loose = append(s.dropped, e.loose...)
	return nil
}

// seedFirst puts what seed has left over into F_1, where it holds there.
func (e *engine) seedFirst() error {
	for _, l := range e.loose {
		_, ok, err := e.inductive(l.cube, 0)
		if err != nil {
			return err
		}
		if ok && !e.isBlocked(l.cube, 1) {
			e.addLemma(&lemma{cube: l.cube}, 1)
		}
	}
	e.loose = nil
	return nil
}

// seeds are clauses while they are filtered.
type seeds struct {
	*engine
	alive   []*lemma // those that may be inductive together, none implied by another
	dropped []*lemma // those that are not
	// implied are, by a clause that implies them, the others that may be inductive.
	// They are looked at when that one is dropped.
	implied map[*lemma][]*lemma
	plain   bool // gates may be eliminated from the definitions yet
	solver  sat.Solver
	// exact are the roots of a query with a model that satisfies all of alive.
	exact  []circuit.Lit
	sim    *circuit.Parallel
	inputs []uint64
	random *rand.Rand
}

// newSeeds keeps the clauses that can be lemmas: over latches, and true initially. It ends
// early with the context.
func newSeeds(e *engine, clauses cert.Invariant) *seeds {
	s := &seeds{engine: e, implied: map[*lemma][]*lemma{}}
	for _, clause := range clauses {
		if e.ctx.Err() != nil {
			break
		}
		if c, ok := e.cubeOf(clause); ok && !e.isInitial(c) {
			s.alive = append(s.alive, &lemma{cube: c, signature: c.signature()})
		}
	}
	s.dropImplied()
	return s
}

// maxSeeds bounds the clauses; of more, the shortest are kept.
const maxSeeds = 1 << 14

// dropImplied moves clauses that another one implies from alive to implied. It ends early
// with the context.
func (s *seeds) dropImplied() {
	slices.SortFunc(s.alive, func(a, b *lemma) int { return cmp.Or(len(a.cube)-len(b.cube), slices.Compare(a.cube, b.cube)) })
	s.alive = s.alive[:min(len(s.alive), maxSeeds)]
	first := map[circuit.Lit][]*lemma{} // of those that are kept, by the first literal
	s.alive = slices.DeleteFunc(s.alive, func(l *lemma) bool {
		if s.ctx.Err() != nil {
			return false
		}
		for _, lit := range l.cube {
			for _, m := range first[lit] {
				if m.signature&^l.signature == 0 && m.cube.subsumes(l.cube) {
					if len(m.cube) < len(l.cube) { // else the same
						s.implied[m] = append(s.implied[m], l)
					}
					return true
				}
			}
		}
		first[l.cube[0]] = append(first[l.cube[0]], l)
		return false
	})
}

// cubeOf returns the negation of a clause over latches that is not always true.
func (e *engine) cubeOf(clause []circuit.Lit) (c cube, ok bool) {
	for _, l := range clause {
		if int(l.Var()) >= e.c.NumVars() || e.c.LatchIndex(l.Var()) < 0 {
			return nil, false
		}
		c = append(c, l.Not())
	}
	slices.Sort(c)
	c = slices.Compact(c)
	for i, l := range c {
		if i > 0 && c[i-1] == l.Not() {
			return nil, false
		}
	}
	return c, true
}

// filter drops clauses until those that are left are inductive together, which the
// solver then holds. A round asks for each of them, with all that were left at its
// beginning in the solver: an answer against a clause stands, one for it when none
// was dropped since.
func (s *seeds) filter() error {
	s.sim, s.inputs = circuit.NewParallel(s.c), make([]uint64, len(s.c.Inputs()))
	s.random = rand.New(rand.NewPCG(seedsSeed, 0))
	s.exact = append(s.exact, s.constraints.active...)
	for _, l := range s.c.Latches() {
		s.exact = append(s.exact, l.Lit)
	}
	for before := -1; before != len(s.dropped); {
		before = len(s.dropped)
		s.stats.SeedRounds++
		if s.solver != nil {
			s.retired.Add(s.solver.Stats())
		}
		s.solver = s.newSolver()
		s.addAll(s.solver, s.alive)
		start := s.effort
		for i, l := range slices.Clone(s.alive) {
			if err := s.try(l); err != nil {
				return err
			}
			s.report()
			if perClause := (s.effort - start) / int64(i+1); s.plain && i > 0 && perClause*int64(len(s.alive)) > 2*EncodeEffort(s.c) {
				if err := s.eliminate(s.dropped[before:]); err != nil {
					return err
				}
			}
		}
		for _, l := range s.dropped[before:] {
			s.alive = append(s.alive, s.implied[l]...)
		}
		if before != len(s.dropped) {
			s.dropImplied()
		}
	}
	s.retired.Add(s.solver.Stats())
	return nil
}

// EncodeEffort is about the effort of the elimination of gates.
func EncodeEffort(c *circuit.Circuit) int64 { return 20 * int64(c.NumGates()) }

// eliminate goes on with fewer clauses in the definitions, in the middle of a round
// that has dropped some clauses, whose implied ones are not alive yet. Where queries
// are few or easy, the elimination costs more than they do.
func (s *seeds) eliminate(dropped []*lemma) (err error) {
	s.effort += EncodeEffort(s.c)
	s.report()
	if s.defs, err = encode.EliminatedContext(s.ctx, s.c); err != nil {
		return err
	}
	s.plain = false
	s.retired.Add(s.solver.Stats())
	s.solver = s.newSolver()
	s.addAll(s.solver, s.alive)
	s.addAll(s.solver, dropped)
	return nil
}

const seedsSeed = 1

// simulatedPerPropagation is the number of gates that are simulated in the time of a
// propagation.
const simulatedPerPropagation = 16

// try asks whether a clause holds after a step. If not, all go that do not hold after
// a step that shows it.
func (s *seeds) try(l *lemma) error {
	if l.subsumed {
		return nil
	}
	s.assumptions = s.assumptions[:0]
	for _, lit := range l.cube {
		s.assumptions = append(s.assumptions, s.prime(lit))
	}
	for _, roots := range [][]circuit.Lit{s.constraints.active, s.exact} {
		// The first model need not satisfy clauses outside its domain.
		r, err := s.solve(s.solver, sat.Query{Assumptions: s.assumptions, Roots: roots})
		if r != sat.Sat || err != nil {
			return err
		}
	}
	s.step()
	s.alive = slices.DeleteFunc(s.alive, func(m *lemma) bool {
		violated := ^uint64(0)
		for _, lit := range m.cube {
			violated &= s.sim.Value(s.prime(lit))
		}
		if violated == 0 && m != l {
			return false
		}
		m.subsumed = true
		s.dropped = append(s.dropped, m)
		return true
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
