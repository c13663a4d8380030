package explicit

import (
	"math/rand/v2"

	"aiglens/circuit"
)

// Shape says what a random circuit looks like. Counts are upper bounds.
type Shape struct {
	Inputs, Latches, Gates int
	Constraints            int
	FreeLatches            bool // some resets are free
	OneResets              bool // some resets are 1
	Constants              bool // bads, constraints and next states may be constant
	ResetFunctions         bool // some resets are literals of the circuit
	MoreBads               int  // beside the one that each has
	// Hidden is the most constraints that latches record the violation of: the bad is false
	// once there was one.
	Hidden int
	// Justice and Fairness are the literals of a justice property and the fairness
	// conditions; without any of both there is no justice property.
	Justice, Fairness int
}

// RandomCircuit returns a random circuit of a shape with one bad, or more.
func RandomCircuit(r *rand.Rand, s Shape) *circuit.Circuit {
	b := circuit.NewBuilder(s.Inputs + s.Latches + s.Gates)
	var pool []circuit.Lit
	if s.Constants {
		pool = append(pool, circuit.False)
	}
	for range r.IntN(s.Inputs + 1) {
		pool = append(pool, b.Input(0))
	}
	var latches []circuit.Lit
	for range 1 + r.IntN(s.Latches) {
		l := b.Latch(0)
		latches = append(latches, l)
		pool = append(pool, l)
	}
	pick := func() circuit.Lit {
		// Prefer late literals: deeper logic, longer runs.
		i := max(r.IntN(len(pool)), r.IntN(len(pool)))
		return pool[i].NotIf(r.IntN(2) == 0)
	}
	for range r.IntN(s.Gates + 1) {
		switch g := circuit.False; r.IntN(4) {
		case 0:
			g = b.Xor(pick(), pick())
			pool = append(pool, g)
		case 1:
			g = b.Mux(pick(), pick(), pick())
			pool = append(pool, g)
		default:
			g = b.And(pick(), pick())
			pool = append(pool, g)
		}
	}
	for _, l := range latches {
		b.SetNext(l, pick())
		switch k := r.IntN(4); {
		case k == 0 && s.FreeLatches:
			b.SetReset(l, l)
		case k == 1 && s.OneResets:
			b.SetReset(l, circuit.True)
		case k > 1 && s.ResetFunctions:
			if b.SetReset(l, pick()); b.ResetCycle() != nil {
				b.SetReset(l, circuit.False)
			}
		}
	}
	if s.Constraints > 0 {
		for range r.IntN(s.Constraints + 1) {
			b.Constraint(b.Or(pick(), pick()), 0)
		}
	}
	bad := pick()
	for range r.IntN(4) { // a rare bad makes longer runs
		bad = b.And(bad, pick())
	}
	if s.Hidden > 0 {
		for range r.IntN(s.Hidden + 1) {
			violated := b.Latch(0)
			b.SetNext(violated, b.Or(violated, b.And(b.And(pick(), pick()), pick())))
			bad = b.And(bad, violated.Not())
		}
	}
	b.Bad(bad, 0)
	for range s.MoreBads {
		b.Bad(b.And(pick(), pick()), 0)
	}
	if s.Justice+s.Fairness > 0 {
		goal := func() circuit.Lit {
			l := pick()
			for range r.IntN(3) {
				l = b.And(l, pick())
			}
			return l
		}
		goals := make([]circuit.Lit, r.IntN(s.Justice+1))
		for i := range goals {
			goals[i] = goal()
		}
		b.Justice(goals, 0)
		for range r.IntN(s.Fairness + 1) {
			b.Fairness(goal(), 0)
		}
	}
	return b.Build()
}
