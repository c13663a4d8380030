package circuit_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"aiglens/circuit"
	"aiglens/internal/explicit"
)

// follows simulates the whole circuit and the part, whose inputs get the values that the
// variables they were have, and reports whether outputs and constraints agree.
func follows(c *circuit.Circuit, signals []circuit.Lit, part *circuit.Part, r *rand.Rand) bool {
	whole, some := circuit.NewParallel(c), circuit.NewParallel(part.Circuit)
	free := map[circuit.Var]uint64{}
	for _, l := range c.Latches() {
		free[l.Lit.Var()] = r.Uint64()
	}
	whole.Reset(func(i int) uint64 { return free[c.Latches()[i].Lit.Var()] })
	some.Reset(func(i int) uint64 { return free[part.Latches[i]] })
	for range 30 {
		inputs := make([]uint64, len(c.Inputs()))
		for i := range inputs {
			inputs[i] = r.Uint64()
		}
		whole.Eval(inputs)
		inputs = inputs[:0]
		for _, v := range part.Inputs {
			inputs = append(inputs, whole.Value(v.Lit()))
		}
		some.Eval(inputs)
		for i, l := range signals {
			if whole.Value(l) != some.Value(part.Circuit.Outputs()[i].Lit) {
				return false
			}
		}
		for i, s := range part.Circuit.Constraints() {
			if whole.Value(c.Constraints()[i].Lit) != some.Value(s.Lit) {
				return false
			}
		}
		whole.Advance()
		some.Advance()
	}
	return true
}

// deepest returns the largest number of gates and latches on a shortest way from a signal
// to a variable that it depends on, inputs not counted.
func deepest(c *circuit.Circuit) int {
	seen, top := map[circuit.Var]bool{0: true}, 0
	var level []circuit.Lit
	for _, s := range c.Outputs() {
		level = append(level, s.Lit)
	}
	for depth := 1; len(level) > 0; depth++ {
		var deeper []circuit.Lit
		for _, l := range level {
			if seen[l.Var()] {
				continue
			}
			seen[l.Var()] = true
			if left, right, ok := c.Operands(l.Var()); ok {
				top, deeper = depth, append(deeper, left, right)
			} else if i := c.LatchIndex(l.Var()); i >= 0 {
				top, deeper = depth, append(deeper, c.Latches()[i].Next, c.Latches()[i].Reset)
			}
		}
		level = deeper
	}
	return top
}

// TestPartsFollowTheWhole extracts cones of random circuits, with and without a bound.
func TestPartsFollowTheWhole(t *testing.T) {
	cut := 0
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 21))
		c := explicit.RandomCircuit(r, explicit.Shape{
			Inputs: 1 + r.IntN(5), Latches: 1 + r.IntN(8), Gates: 1 + r.IntN(40), Constraints: r.IntN(3),
			FreeLatches: true, OneResets: true, ResetFunctions: r.IntN(2) == 0,
		})
		var signals []circuit.Lit
		for range 1 + r.IntN(3) {
			signals = append(signals, circuit.Lit(r.IntN(2*c.NumVars())))
		}
		o := circuit.ExtractOptions{Levels: r.IntN(6)}
		o.Constraints = o.Levels == 0 && r.IntN(2) == 0
		part, err := circuit.Extract(context.Background(), c, signals, o)
		if err != nil {
			t.Fatal(err)
		}
		if !follows(c, signals, part, r) {
			t.Errorf("seed %d: %+v, signals %v: the part differs from the whole", seed, o, signals)
		}
		if depth := deepest(part.Circuit); o.Levels > 0 && depth > o.Levels {
			t.Errorf("seed %d: %d levels, expected at most %d", seed, depth, o.Levels)
		}
		if o.Levels == 0 && part.Cut > 0 || o.Constraints != (len(part.Circuit.Constraints()) > 0) && len(c.Constraints()) > 0 {
			t.Errorf("seed %d: %+v: %d cut, %d constraints", seed, o, part.Cut, len(part.Circuit.Constraints()))
		}
		cut += part.Cut
	}
	if cut == 0 {
		t.Error("nothing has been cut: the test looks at too little")
	}
}
