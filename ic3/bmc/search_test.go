package bmc_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/bmc"
	"aiglens/internal/explicit"
)

// TestSearch advances by small portions and compares with a search over all
// states: the trace found must be certified and the shortest, and without a
// violation the search must not claim more steps than it may.
func TestSearch(t *testing.T) {
	ctx := context.Background()
	p := circuit.Property{Kind: circuit.PropertyBad}
	refuted := 0
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 7))
		c := explicit.RandomCircuit(rng, explicit.Shape{Inputs: 3, Latches: 4, Gates: 40, Constraints: int(seed % 2), FreeLatches: seed%3 == 0, OneResets: true})
		first := explicit.FirstBadStep(c, p)
		search := bmc.NewSearch(c)
		var found *cert.Trace
		for portion := int64(1); found == nil && search.Depth() < 17; portion++ {
			before := search.Effort()
			var err error
			if found, err = search.Advance(ctx, portion*20_000); err != nil {
				t.Fatal(err)
			}
			if found == nil && search.Effort() < before {
				t.Fatalf("seed %d: effort fell from %d to %d", seed, before, search.Effort())
			}
		}
		switch {
		case found == nil && first >= 0:
			t.Fatalf("seed %d: no counterexample found, there is one at step %d", seed, first)
		case found != nil && first < 0:
			t.Fatalf("seed %d: a counterexample of %d steps where there is none", seed, found.Steps())
		case found != nil:
			refuted++
			if found.Steps() != first+1 || search.Depth() != first {
				t.Errorf("seed %d: %d steps at depth %d, the shortest ends at step %d", seed, found.Steps(), search.Depth(), first)
			}
			if _, err := cert.Check(ctx, c, p, cert.Verdict{Outcome: cert.Refuted, Trace: *found}); err != nil {
				t.Errorf("seed %d: %v", seed, err)
			}
		}
	}
	if refuted < 30 {
		t.Errorf("only %d counterexamples", refuted)
	}
}

// TestStridingSearch: a search that asks about several steps at once finds a
// counterexample exactly where there is one, at most stride steps longer than the
// shortest, and claims no step that is not so.
func TestStridingSearch(t *testing.T) {
	ctx := context.Background()
	p := circuit.Property{Kind: circuit.PropertyBad}
	refuted := 0
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 9))
		c := explicit.RandomCircuit(rng, explicit.Shape{Inputs: 3, Latches: 4, Gates: 40, Constraints: int(seed % 3), FreeLatches: seed%3 == 0, OneResets: true, Constants: seed%5 == 0})
		stride := 2 + int(seed%5)
		first := explicit.FirstBadStep(c, p)
		search := bmc.NewStridingSearch(c, stride)
		var found *cert.Trace
		for portion := int64(1); found == nil && search.Depth() < 40; portion++ {
			var err error
			if found, err = search.Advance(ctx, portion*20_000); err != nil {
				t.Fatal(err)
			}
		}
		switch {
		case found == nil && first >= 0:
			t.Fatalf("seed %d: no counterexample found, there is one at step %d", seed, first)
		case found != nil && first < 0:
			t.Fatalf("seed %d: a counterexample of %d steps where there is none", seed, found.Steps())
		case found != nil:
			refuted++
			if search.Depth() > first || found.Steps() > search.Depth()+stride {
				t.Errorf("seed %d: %d steps at depth %d, the shortest ends at step %d", seed, found.Steps(), search.Depth(), first)
			}
			if _, err := cert.Check(ctx, c, p, cert.Verdict{Outcome: cert.Refuted, Depth: search.Depth(), Trace: *found}); err != nil {
				t.Errorf("seed %d: %v", seed, err)
			}
		}
	}
	if refuted < 40 {
		t.Errorf("only %d counterexamples", refuted)
	}
}

// TestSearchInterrupted ends the context at ever later looks at it: each error is
// that of the context, and the search goes on to the shortest counterexample.
func TestSearchInterrupted(t *testing.T) {
	b := circuit.NewBuilder(0)
	bad, carry := circuit.True, circuit.True
	for range 4 { // a counter, bad when all its bits are 1
		l := b.Latch(0)
		b.SetNext(l, b.Xor(l, carry))
		carry, bad = b.And(carry, l), b.And(bad, l)
	}
	b.Bad(bad, 0)
	search := bmc.NewSearch(b.Build())
	interrupted := 0
	for looks := 1; ; looks++ {
		if looks > 1000 {
			t.Fatal("no counterexample")
		}
		found, err := search.Advance(&endingContext{Context: context.Background(), looks: looks}, 1<<40)
		if err != nil {
			interrupted++
			continue
		}
		if found.Steps() != 16 {
			t.Errorf("a counterexample of %d steps, the shortest has 16", found.Steps())
		}
		break
	}
	if interrupted < 5 {
		t.Errorf("only %d errors", interrupted)
	}
}

// endingContext ends when its error was asked for a number of times.
type endingContext struct {
	context.Context
	looks int
}

func (c *endingContext) Err() error {
	if c.looks--; c.looks < 0 {
		return context.Canceled
	}
	return nil
}
