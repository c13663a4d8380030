// Package classictest makes the random circuits on which engines are compared
// with explicit search. Most random circuits are decided at reset; these are
// chosen so that a lot of them need a proof of several frames or a long counterexample.
package classictest

import (
	"math/rand/v2"

	"aiglens/circuit"
	"aiglens/internal/explicit"
)

var shapes = []explicit.Shape{
	{Inputs: 3, Latches: 7, Gates: 40, OneResets: true},
	{Inputs: 3, Latches: 7, Gates: 40, Constraints: 2, FreeLatches: true, OneResets: true},
	{Inputs: 1, Latches: 8, Gates: 50, OneResets: true},
	{Inputs: 3, Latches: 4, Gates: 15, Constraints: 3, FreeLatches: true, OneResets: true, Constants: true},
	{Inputs: 0, Latches: 8, Gates: 40, FreeLatches: true},
}

// Least depths of what Sample prefers.
const (
	deepTrace = 3 // first step with a violation
	deepProof = 5 // see Table.BackwardDepth
)

// Sample returns a random circuit with one bad, at most 8 latches and 3 inputs. In
// 5 of them, on average, 2 are first violated in step 3 or later, and 2 hold
// though some states need 5 steps or more to a bad one; the last is anything.
func Sample(r *rand.Rand) *circuit.Circuit {
	kind := r.IntN(5)
	for {
		c := candidate(r)
		t := NewTable(c)
		first := t.FirstBad()
		switch {
		case kind == 0,
			kind <= 2 && first >= deepTrace,
			kind >= 3 && first < 0 && t.BackwardDepth() >= deepProof:
			return c
		}
	}
}

func candidate(r *rand.Rand) *circuit.Circuit {
	if r.IntN(2) == 0 {
		return explicit.RandomCircuit(r, shapes[r.IntN(len(shapes))])
	}
	return register(r)
}

// register returns a shift register with random feedback into every stage, some
// inputs, free resets and constraints. Its steps lose few states, so that runs
// are long.
func register(r *rand.Rand) *circuit.Circuit {
	b := circuit.NewBuilder(60)
	var inputs, latches []circuit.Lit
	for range r.IntN(3) {
		inputs = append(inputs, b.Input(0))
	}
	for range 3 + r.IntN(5) {
		latches = append(latches, b.Latch(0))
	}
	pick := func(pool []circuit.Lit) circuit.Lit { return pool[r.IntN(len(pool))].NotIf(r.IntN(2) == 0) }
	all := append(append([]circuit.Lit(nil), inputs...), latches...)
	for i, l := range latches {
		next := latches[(i+1)%len(latches)]
		if r.IntN(2) == 0 {
			next = b.Xor(next, b.And(pick(all), pick(latches[:i+1])))
		}
		b.SetNext(l, next)
		switch r.IntN(6) {
		case 0:
			b.SetReset(l, l)
		case 1:
			b.SetReset(l, circuit.True)
		}
	}
	for range r.IntN(3) {
		b.Constraint(b.Or(pick(all), b.Or(pick(all), pick(all))), 0)
	}
	bad := pick(all)
	for range 1 + r.IntN(4) {
		bad = b.And(bad, pick(all))
	}
	b.Bad(bad, 0)
	return b.Build()
}
