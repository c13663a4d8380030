package verify_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
	"aiglens/internal/explicit"
)

// TestWithSmallProof compares the small proofs of random circuits, which are about their
// cones, with explicit search.
func TestWithSmallProof(t *testing.T) {
	smaller := 0
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(23, seed))
		c := explicit.RandomCircuit(r, reuseShape)
		got := verify.Run(t.Context(), verify.Job{Circuit: c, Property: bad0, Engine: engines.NewAuto()}, nil)
		if got.HasSmallProof() {
			t.Fatalf("seed %d: a small proof that was not requested", seed)
		}
		small, stats, ok := got.WithSmallProof(t.Context(), c, bad0)
		if proved := got.Checked.Outcome() == cert.Proved; ok != proved {
			t.Fatalf("seed %d: %s, small proof %t", seed, got, ok)
		}
		if !ok {
			continue
		}
		v := cert.Verdict{Outcome: cert.Proved, Invariant: small.Checked.Invariant()}
		if !explicit.Certifies(c, bad0, v) || small.Internal != nil {
			t.Fatalf("seed %d: %v made of %v: %v", seed, v.Invariant, got.Checked.Invariant(), small.Internal)
		}
		if len(got.Claim().Invariant) != stats.ClausesBefore || len(small.Claim().Invariant) != stats.ClausesAfter {
			t.Errorf("seed %d: %d clauses, then %d, %+v", seed, len(got.Claim().Invariant), len(small.Claim().Invariant), stats)
		}
		if !got.HasSmallProof() {
			t.Errorf("seed %d: the proof is forgotten", seed)
		}
		if stats.After < stats.Before {
			smaller++
		}
		if small.HasNoRun != got.HasNoRun {
			t.Errorf("seed %d: vacuous %t", seed, small.HasNoRun)
		}
	}
	if smaller < 20 {
		t.Errorf("%d proofs became smaller", smaller)
	}
}

// TestNoSmallProof asks for the small proof of what has none.
func TestNoSmallProof(t *testing.T) {
	b := circuit.NewBuilder(4)
	x, y := b.Latch(0), b.Latch(0)
	b.SetNext(x, x)
	b.SetNext(y, y.Not())
	b.Bad(x, 0)
	b.Bad(y, 0)
	c := b.Build()
	bad1 := circuit.Property{Kind: circuit.PropertyBad, Index: 1}
	proved := verify.Run(t.Context(), verify.Job{Circuit: c, Property: bad0, Engine: engines.NewAuto()}, nil)
	refuted := verify.Run(t.Context(), verify.Job{Circuit: c, Property: bad1, Engine: engines.NewAuto()}, nil)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, ok := proved.WithSmallProof(t.Context(), c, bad0); !ok {
		t.Errorf("%s has none", proved)
	}
	if _, _, ok := proved.WithSmallProof(t.Context(), c, bad1); ok {
		t.Error("another property has one")
	}
	if _, _, ok := refuted.WithSmallProof(t.Context(), c, bad1); ok {
		t.Error("a refuted property has one")
	}
	if _, _, ok := proved.WithSmallProof(ended, c, bad0); ok {
		t.Error("there is one after the end")
	}
}
