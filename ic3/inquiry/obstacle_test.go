package inquiry_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/engines"
	"aiglens/ic3/inquiry"
	"aiglens/ic3/verify"
	"aiglens/internal/explicit"
)

// obstacleStep is what one evaluation of a circuit says.
type obstacleStep struct {
	allowed, bad bool
	next         uint32
}

// allSteps evaluates a circuit in each state and under each input.
func allSteps(c *circuit.Circuit) [][]obstacleStep {
	table := make([][]obstacleStep, 1<<len(c.Latches()))
	sim := circuit.NewParallel(c)
	for state := range table {
		for input := range 1 << len(c.Inputs()) {
			for i := range c.Latches() {
				sim.SetLatch(i, word(state>>i&1 == 1))
			}
			row := make([]uint64, len(c.Inputs()))
			for i := range row {
				row[i] = word(input>>i&1 == 1)
			}
			sim.Eval(row)
			s := obstacleStep{allowed: true, bad: sim.Value(c.Bads()[0].Lit)&1 == 1}
			for _, k := range c.Constraints() {
				s.allowed = s.allowed && sim.Value(k.Lit)&1 == 1
			}
			for i, l := range c.Latches() {
				s.next |= uint32(sim.Value(l.Next)&1) << i
			}
			table[state] = append(table[state], s)
		}
	}
	return table
}

func word(v bool) uint64 {
	if v {
		return ^uint64(0)
	}
	return 0
}

func holds(c *circuit.Circuit, clauses cert.Invariant, state int) bool {
	for _, clause := range clauses {
		isTrue := false
		for _, l := range clause {
			isTrue = isTrue || (state>>c.LatchIndex(l.Var())&1 == 1) != l.IsNegated()
		}
		if !isTrue {
			return false
		}
	}
	return true
}

// expected says by enumeration whether there is a step to a violation, and else to a state
// in which a clause is false.
func expected(c *circuit.Circuit, clauses cert.Invariant) (property, clause bool) {
	table := allSteps(c)
	for state, row := range table {
		if !holds(c, clauses, state) {
			continue
		}
		for _, s := range row {
			if !s.allowed {
				continue
			}
			for _, behind := range table[s.next] {
				if behind.allowed {
					property = property || !s.bad && behind.bad
					clause = clause || !holds(c, clauses, int(s.next))
				}
			}
		}
	}
	return property, clause && !property
}

// shows reports whether every completion of a step fails, and whether the clauses allow one.
func shows(t *testing.T, c *circuit.Circuit, clauses cert.Invariant, s *inquiry.Obstacle) bool {
	table := allSteps(c)
	matches := func(bits int, values []circuit.Value) bool {
		for i, v := range values {
			if v != circuit.X && v != circuit.ValueOf(bits>>i&1 == 1) {
				return false
			}
		}
		return true
	}
	isAllowed := false
	for state, row := range table {
		if !matches(state, s.Trace.Initial) {
			continue
		}
		for input, first := range row {
			if !matches(input, s.Trace.Inputs[0]) {
				continue
			}
			isAllowed = isAllowed || holds(c, clauses, state)
			last, at := []obstacleStep{first}, state
			if s.Trace.Steps() == 2 {
				last, at = nil, int(first.next)
				for input, behind := range table[at] {
					if matches(input, s.Trace.Inputs[1]) {
						last = append(last, behind)
					}
				}
			}
			for _, l := range last {
				fails := l.bad
				if s.Clause != nil {
					fails = !holds(c, cert.Invariant{s.Clause}, at)
				}
				if !first.allowed || !l.allowed || !fails {
					t.Errorf("state %b under %b does not fail", state, input)
					return false
				}
			}
		}
	}
	return isAllowed
}

// TestObstacleRandom compares with an enumeration of all states and inputs.
func TestObstacleRandom(t *testing.T) {
	shape := explicit.Shape{Inputs: 2, Latches: 5, Gates: 25, Constraints: 1, FreeLatches: true, OneResets: true, ResetFunctions: true}
	var found [3]int
	for seed := range uint64(1000) {
		r := rand.New(rand.NewPCG(71, seed))
		c := explicit.RandomCircuit(r, shape)
		var clauses cert.Invariant
		if v := verify.Run(t.Context(), verify.Job{Circuit: c, Property: bad0, Engine: engines.NewAuto()}, nil); seed%3 == 0 && v.Checked.Outcome() == cert.Proved {
			clauses = v.Checked.Invariant() // a proof has no such step
		} else {
			for range r.IntN(6) {
				var clause []circuit.Lit
				for range 1 + r.IntN(3) {
					clause = append(clause, c.Latches()[r.IntN(len(c.Latches()))].Lit.NotIf(r.IntN(2) == 0))
				}
				clauses = append(clauses, clause)
			}
		}
		s, err := inquiry.FindObstacle(t.Context(), c, bad0, clauses)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		property, clause := expected(c, clauses)
		switch {
		case s == nil && !property && !clause:
			found[0]++
		case s != nil && s.Clause == nil && property:
			found[1]++
		case s != nil && s.Clause != nil && clause:
			found[2]++
		default:
			t.Fatalf("seed %d: %+v, expected a step to a violation %v, to a clause %v", seed, s, property, clause)
		}
		if s != nil && !shows(t, c, clauses, s) {
			t.Fatalf("seed %d: the step shows nothing: %+v", seed, s)
		}
	}
	t.Logf("none %d, to a violation %d, to a clause %d", found[0], found[1], found[2])
	if min(found[0], found[1], found[2]) < 50 {
		t.Errorf("none %d, to a violation %d, to a clause %d", found[0], found[1], found[2])
	}
}

func TestObstacleErrors(t *testing.T) {
	b := circuit.NewBuilder(4)
	in, x := b.Input(0), b.Latch(0)
	b.SetNext(x, in)
	b.Bad(x, 0)
	c := b.Build()
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if s, err := inquiry.FindObstacle(ended, c, bad0, nil); s != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v, %v", s, err)
	}
	for _, p := range []circuit.Property{{Kind: circuit.PropertyBad, Index: 1}, {Kind: circuit.PropertyJustice}} {
		if _, err := inquiry.FindObstacle(t.Context(), c, p, nil); !errors.Is(err, cert.ErrNoProperty) {
			t.Errorf("%v: %v", p, err)
		}
	}
	for _, l := range []circuit.Lit{in, 1000} {
		if _, err := inquiry.FindObstacle(t.Context(), c, bad0, cert.Invariant{{l}}); err == nil {
			t.Errorf("literal %d is not a latch, and no error", l)
		}
	}
	if s, err := inquiry.FindObstacle(t.Context(), c, bad0, nil); err != nil || s == nil || s.Clause != nil || s.Trace.Steps() != 2 {
		t.Errorf("%+v, %v", s, err)
	}
}
