package bmc_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3"
	"aiglens/ic3/bmc"
	"aiglens/internal/explicit"
)

// TestShorten compares with explicit search: without a limit on the conflicts
// the result is the shortest counterexample there is.
func TestShorten(t *testing.T) {
	p := circuit.Property{Kind: circuit.PropertyBad}
	shape := explicit.Shape{Inputs: 3, Latches: 8, Gates: 40, Constraints: 1, FreeLatches: true, OneResets: true}
	for seed := range uint64(1000) {
		c := explicit.RandomCircuit(rand.New(rand.NewPCG(8, seed)), shape)
		v, _, err := ic3.Check(context.Background(), c, ic3.Options{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if v.Outcome != cert.Refuted {
			continue
		}
		first := explicit.FirstBadStep(c, p)
		if v.Depth > first {
			t.Fatalf("seed %d: the engine excludes violations before step %d, but there is one at %d", seed, v.Depth, first)
		}
		// Only the length of the trace to be shortened counts: make it longer.
		long := cert.Trace{Initial: v.Trace.Initial, Inputs: append(v.Trace.Inputs, v.Trace.Inputs...)}
		short, err := bmc.Shorten(context.Background(), c, long, v.Depth+1, 0)
		if err != nil {
			t.Fatal(err)
		}
		if short.Steps() != first+1 {
			t.Fatalf("seed %d: %d steps, shortest is %d", seed, short.Steps(), first+1)
		}
		v.Trace = short
		if _, err := cert.Check(context.Background(), c, p, v); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}
