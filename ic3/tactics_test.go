package ic3_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"aiglens/circuit/cert"
	"aiglens/ic3"
	"aiglens/internal/explicit"
	"aiglens/internal/randcircuit"
)

// TestTactics: whatever is switched, verdicts agree with explicit search and
// certificates pass.
func TestTactics(t *testing.T) {
	perShape := 120
	if testing.Short() {
		perShape = 20
	}
	sets := map[string]ic3.Tactics{"all on": 0, "all off": ic3.DefaultTactics}
	for _, name := range ic3.TacticNames() {
		tactic, err := ic3.TacticNamed(name)
		if err != nil {
			t.Fatal(err)
		}
		sets[name] = tactic
		if ic3.DefaultTactics&tactic == 0 {
			sets["all on"] |= tactic
		}
	}
	for name, switched := range sets {
		t.Run(name, func(t *testing.T) {
			for i, shape := range shapes {
				for seed := range perShape {
					c := randcircuit.New(rand.New(rand.NewPCG(uint64(i), uint64(10_000+seed))), shape)
					want := explicit.FirstBadStep(c, property)
					v, _, err := ic3.Check(context.Background(), c, ic3.Options{Switched: switched, Seed: uint64(seed % 3)}, nil)
					if err != nil {
						t.Fatalf("shape %d, seed %d: %v", i, seed, err)
					}
					if proved := v.Outcome == cert.Proved; proved != (want == explicit.NotViolated) {
						t.Fatalf("shape %d, seed %d: %s, first bad step by search %d", i, seed, v.Outcome, want)
					}
					if _, err := cert.Check(context.Background(), c, property, v); err != nil {
						t.Fatalf("shape %d, seed %d: %s: %v", i, seed, v.Outcome, err)
					}
				}
			}
		})
	}
}

func TestTacticNamed(t *testing.T) {
	if _, err := ic3.TacticNamed("no such tactic"); err == nil {
		t.Error("a name that is none was taken")
	}
}
