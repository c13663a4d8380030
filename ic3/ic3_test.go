package ic3_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3"
	"aiglens/internal/explicit"
	"aiglens/internal/randcircuit"
)

var property = circuit.Property{Kind: circuit.PropertyBad}

var shapes = []randcircuit.Shape{
	{Inputs: 3, Latches: 6, Gates: 25},
	{Inputs: 4, Latches: 8, Gates: 40, Constraints: 2, FreeLatches: true, OneResets: true},
	{Inputs: 1, Latches: 9, Gates: 50, OneResets: true},
	{Inputs: 3, Latches: 4, Gates: 10, Constraints: 3, FreeLatches: true, OneResets: true, Constants: true},
	{Inputs: 0, Latches: 8, Gates: 40, FreeLatches: true},
}

// TestRandomCircuits compares the engine with explicit search: same verdict, a
// certificate that passes, and an invariant that holds all reachable states.
func TestRandomCircuits(t *testing.T) {
	perShape := 400
	if testing.Short() {
		perShape = 50
	}
	var proved, refuted, deep int
	for i, shape := range shapes {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			for seed := range perShape {
				c := randcircuit.New(rand.New(rand.NewPCG(uint64(i), uint64(seed))), shape)
				want := explicit.FirstBadStep(c, property)
				v, _, err := ic3.Check(context.Background(), c, ic3.Options{}, nil)
				if err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				if got := v.Outcome == cert.Proved; got != (want == explicit.NotViolated) {
					t.Fatalf("seed %d: %s, first bad step by search %d", seed, v.Outcome, want)
				}
				if _, err := cert.Check(context.Background(), c, property, v); err != nil {
					t.Fatalf("seed %d: %s: %v", seed, v.Outcome, err)
				}
				if v.Outcome == cert.Proved {
					proved++
				} else {
					refuted++
					if v.Trace.Steps() <= want {
						t.Fatalf("seed %d: trace of %d steps, but the first bad step is %d", seed, v.Trace.Steps(), want)
					}
				}
				if v.Depth >= 2 || v.Trace.Steps() >= 4 {
					deep++
				}
			}
		})
	}
	t.Logf("%d proved, %d refuted, %d of them with two frames or four steps and more", proved, refuted, deep)
}
