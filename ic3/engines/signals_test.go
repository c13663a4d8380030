package engines

import (
	"context"
	"math/rand/v2"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/verify"
	"aiglens/internal/explicit"
	"aiglens/internal/randcircuit"
)

// TestMergedSignals: IC3 begins anew with signals merged in its midst, agrees with
// explicit search, and its certificates pass.
func TestMergedSignals(t *testing.T) {
	runs := 600
	if testing.Short() {
		runs = 150
	}
	merged := map[cert.Outcome]int{}
	for seed := range runs {
		shape := randcircuit.Shape{Inputs: 2, Latches: 9, Gates: 70, OneResets: seed%2 == 0, FreeLatches: seed%3 == 0}
		c := randcircuit.New(rand.New(rand.NewPCG(7, uint64(seed))), shape)
		e := NewAuto()
		e.mergeAt = 1
		p := circuit.Problem{Circuit: c}
		v, err := e.Check(context.Background(), p, func(verify.Progress) {})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if want := explicit.FirstBadStep(c, p.Property()) == explicit.NotViolated; want != (v.Outcome == cert.Proved) {
			t.Fatalf("seed %d: %s, safe by explicit search: %t", seed, v.Outcome, want)
		}
		if _, err := cert.Check(context.Background(), c, p.Property(), v); err != nil {
			t.Fatalf("seed %d: %s: %v", seed, v.Outcome, err)
		}
		if e.merged != nil {
			merged[v.Outcome]++
		}
	}
	t.Logf("signals merged: %v", merged)
	if merged[cert.Proved] == 0 || merged[cert.Refuted] == 0 {
		t.Error("too few")
	}
}
