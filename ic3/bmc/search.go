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
	stride    int           // steps that are asked for at once
	blocks    []circuit.Lit // when stride > 1; blocks[i] says that one of the steps i·stride … (i+1)·stride−1 is bad
	solver    sat.Solver    // of the steps that are encoded, nil before the first
	encoded   int           // steps, of those that are unrolled
	next      int           // step to be asked for, with those of its block
	end       int           // the search is done once next ≥ end; 0 for no such step
	gates     int           // of one step
	spent     int64         // on encodings, and by the solvers before this one
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
	return NewStridingSearch(c, 1)
}

// NewStridingSearch returns a search that asks about stride steps at once, at least
// one. It needs fewer queries for a long counterexample, and may miss one that is up to
// stride steps shorter than the one that it finds.
func NewStridingSearch(c *circuit.Circuit, stride int) *Search {
	return &Search{unrolling: NewUnrolling(c), stride: stride, gates: max(1, c.NumGates())}
}

// EndAt ends the search once it has asked about so many steps.
func (s *Search) EndAt(steps int) { s.end = steps }

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
// counterexample when it finds one, the shortest there is unless it strides. The error
// is that of ctx, and the search can go on after it.
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
	for !s.Exhausted() && s.Effort() < effort {
		if s.next == s.encoded {
			steps := max(firstSteps*s.stride, 2*s.next)
			if s.stride == 1 && s.end > 0 {
				steps = min(steps, s.end)
			}
			if steps*s.gates > maxGates {
				s.exhausted = true
			} else if s.Effort()+s.effortOf(steps) > effort {
				return -1, nil // not before that may be spent
			} else if err := s.deepen(ctx, steps); err != nil {
				return -1, err
			}
			continue
		}
		question := s.question(s.next)
		r, err := s.solver.Solve(ctx, sat.Query{Assumptions: question, Roots: s.roots(s.next), MaxConflicts: conflictsAtOnce})
		switch {
		case err != nil:
			return -1, err
		case r == sat.Sat:
			return s.badStep(), nil
		case r == sat.Unsat:
			s.exclude(question)
			s.next += s.stride
		}
	}
	return -1, nil
}

// question returns what is to be true when one of the steps from a given one on is bad,
// as many as the search asks about at once.
func (s *Search) question(step int) []circuit.Lit {
	if s.stride == 1 {
		return []circuit.Lit{s.unrolling.Allowed[step], s.unrolling.Bads[step]}
	}
	return []circuit.Lit{s.blocks[step/s.stride]}
}

// exclude tells the solver the answer no.
func (s *Search) exclude(question []circuit.Lit) {
	clause := make([]circuit.Lit, len(question))
	for i, l := range question {
		clause[i] = l.Not()
	}
	s.solver.AddClause(clause)
}

// roots returns what badStep reads in the model of a question.
func (s *Search) roots(step int) []circuit.Lit {
	if s.stride == 1 {
		return nil
	}
	return slices.Concat(s.unrolling.Allowed[step:step+s.stride], s.unrolling.Bads[step:step+s.stride])
}

// badStep returns the first step of the question that is bad in the model.
func (s *Search) badStep() int {
	u := s.unrolling
	if s.stride == 1 {
		return s.next
	}
	for step := s.next; step < s.next+s.stride; step++ {
		if s.isOne(u.Allowed[step]) && s.isOne(u.Bads[step]) {
			return step
		}
	}
	panic("bmc: no step is bad in the model of a bad one")
}

func (s *Search) isOne(l circuit.Lit) bool {
	return l == circuit.True || l.Var() != 0 && s.solver.Value(l) == circuit.One
}

// Exhausted reports whether the search goes no further, because it is at its end, or the unrolling would
// become too large.
func (s *Search) Exhausted() bool { return s.exhausted || s.end > 0 && s.next >= s.end }

// effortOf returns what it costs at most to go on to a number of steps.
func (s *Search) effortOf(steps int) int64 {
	added := steps - len(s.unrolling.Bads)
	return int64(steps*s.gates)*effortPerGate + int64(added*s.unrolling.c.NumVars())*effortPerVar
}

// deepen unrolls up to a number of steps. What was learnt is given up with the old
// solver, the simplifications that the fixed initial state allows are not.
func (s *Search) deepen(ctx context.Context, steps int) error {
	u := s.unrolling
	for len(u.Bads) < steps {
		if err := u.Step(ctx); err != nil {
			return err
		}
		s.spent += int64(u.c.NumVars()) * effortPerVar
	}
	for first := len(s.blocks) * s.stride; s.stride > 1 && first < steps; first += s.stride {
		block := circuit.False
		for step := first; step < first+s.stride; step++ {
			block = u.b.Or(block, u.b.And(u.Allowed[step], u.Bads[step]))
		}
		s.blocks = append(s.blocks, block)
	}
	unrolled := u.b.Snapshot()
	defs, err := encode.EliminatedContext(ctx, unrolled, slices.Concat(u.Bads, u.Allowed, s.blocks)...)
	if err != nil {
		return err
	}
	if s.solver != nil {
		s.spent += effortPerPropagation * s.solver.Stats().Propagations
	}
	s.spent += int64(unrolled.NumVars()) * effortPerGate
	s.solver, s.encoded = sat.NewCore(defs), len(u.Bads)
	for i := 0; i < s.next; i += s.stride {
		s.exclude(s.question(i))
	}
	return nil
}
