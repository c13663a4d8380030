package bmc

import (
	"context"
	"slices"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/encode"
	"aiglens/ic3/sat"
)

// Search looks for the shortest counterexample in small portions, so that it can
// take turns with an engine that proves.
type Search struct {
	unrolling *Unrolling
	solver    sat.Solver // of the steps that are encoded, nil before the first
	encoded   int        // steps, of those that are unrolled
	next      int        // step to be asked for
	gates     int        // of one step
	spent     int64      // on encodings, and by the solvers before this one
	exhausted bool
}

const (
	firstSteps = 4
	// maxGates bounds the unrolling.
	maxGates = 4_000_000
	// conflictsAtOnce bounds one call of the solver.
	conflictsAtOnce = 200
	// What it costs to encode a gate of the unrolling, and to make a step of which
	// little may be left, by variable of the circuit; counted in propagations.
	effortPerGate = 30
	effortPerVar  = 2
	// effortPerPropagation says that a propagation costs more here than in the
	// small domains of IC3: many conflicts, long clauses, much memory.
	effortPerPropagation = 4
)

// NewSearch returns a search for bad 0 of c, which has done nothing yet.
func NewSearch(c *circuit.Circuit) *Search {
	return &Search{unrolling: NewUnrolling(c), gates: max(1, c.NumGates())}
}

// Depth returns the number of steps without a violation: there is none in the
// steps 0 … Depth−1.
func (s *Search) Depth() int { return s.next }

// Effort returns what was spent, in propagations of IC3.
func (s *Search) Effort() int64 {
	e := s.spent
	if s.solver != nil {
		e += effortPerPropagation * s.solver.Stats().Propagations
	}
	return e
}

// Advance goes on until about the given effort is spent in all. It returns a
// counterexample when it finds one, the shortest there is. The error is that of
// ctx, and the search can go on after it.
func (s *Search) Advance(ctx context.Context, effort int64) (*cert.Trace, error) {
	last, err := s.advance(ctx, effort)
	if last < 0 {
		return nil, err
	}
	t := s.unrolling.trace(s.solver, last)
	return &t, nil
}

// advance returns the last step of a counterexample that the solver has a model of, or
// −1.
func (s *Search) advance(ctx context.Context, effort int64) (last int, err error) {
	for !s.exhausted && s.Effort() < effort {
		if s.next == s.encoded {
			steps := max(firstSteps, 2*s.next)
			if steps*s.gates > maxGates {
				s.exhausted = true
			} else if s.Effort()+s.effortOf(steps) > effort {
				return -1, nil // not before that may be spent
			} else if err := s.deepen(ctx, steps); err != nil {
				return -1, err
			}
			continue
		}
		bad, allowed := s.unrolling.Bads[s.next], s.unrolling.Allowed[s.next]
		r, err := s.solver.Solve(ctx, sat.Query{Assumptions: []circuit.Lit{allowed, bad}, MaxConflicts: conflictsAtOnce})
		switch {
		case err != nil:
			return -1, err
		case r == sat.Sat:
			return s.next, nil
		case r == sat.Unsat:
			s.solver.AddClause([]circuit.Lit{allowed.Not(), bad.Not()})
			s.next++
		}
	}
	return -1, nil
}

// Exhausted reports whether the search goes no further, because the unrolling would
// become too large.
func (s *Search) Exhausted() bool { return s.exhausted }

// effortOf returns what it costs at most to go on to that many steps.
func (s *Search) effortOf(steps int) int64 {
	added := steps - len(s.unrolling.Bads)
	return int64(steps*s.gates)*effortPerGate + int64(added*s.unrolling.c.NumVars())*effortPerVar
}

// deepen unrolls that many steps. What was learnt is given up with the old
// solver, the simplifications that the fixed initial state allows are not.
func (s *Search) deepen(ctx context.Context, steps int) error {
	u := s.unrolling
	for len(u.Bads) < steps {
		if err := u.Step(ctx); err != nil {
			return err
		}
		s.spent += int64(u.c.NumVars()) * effortPerVar
	}
	unrolled := u.b.Snapshot()
	defs, err := encode.EliminatedContext(ctx, unrolled, slices.Concat(u.Bads, u.Allowed)...)
	if err != nil {
		return err
	}
	if s.solver != nil {
		s.spent += effortPerPropagation * s.solver.Stats().Propagations
	}
	s.spent += int64(unrolled.NumVars()) * effortPerGate
	s.solver, s.encoded = sat.NewCore(defs), len(u.Bads)
	for i := range s.next {
		s.solver.AddClause([]circuit.Lit{u.Allowed[i].Not(), u.Bads[i].Not()})
	}
	return nil
}
