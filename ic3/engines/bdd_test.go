package engines

import (
	"context"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/reduce"
	"aiglens/ic3/verify"
	"aiglens/internal/explicit"
)

// TestStatesByTurns: the default engine, in which the search for all reachable states begins at
// once, agrees with explicit search, and certificates of either pass. AIGLENS_LONG is the number
// of runs.
func TestStatesByTurns(t *testing.T) {
	runs := 300
	if n, err := strconv.Atoi(os.Getenv("AIGLENS_LONG")); err == nil {
		runs = n
	}
	by := map[string]int{}
	for seed := range runs {
		c := explicit.RandomCircuit(rand.New(rand.NewPCG(47, uint64(seed))), explicit.Shape{
			Inputs: 3, Latches: 9, Gates: 80, OneResets: true, FreeLatches: seed%2 == 0, Constraints: seed % 3, Hidden: seed % 4,
		})
		e := &ic3Run{IC3: Auto(), progress: func(verify.Progress) {}}
		e.reachAfter = 1
		p := circuit.Problem{Circuit: c}
		v, err := e.check(context.Background(), p)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if want := explicit.FirstBadStep(c, p.Property()) == explicit.NotViolated; want != (v.Outcome == cert.Proved) {
			t.Fatalf("seed %d: %s by %s, safe by explicit search: %t", seed, v.Outcome, e.name(), want)
		}
		if _, err := cert.Check(context.Background(), c, p.Property(), v); err != nil {
			t.Fatalf("seed %d: %s by %s: %v", seed, v.Outcome, e.name(), err)
		}
		if e.unfinished != nil {
			t.Fatalf("seed %d: %d clauses of the reduced circuit are left", seed, len(e.unfinished))
		}
		by[e.name()+" "+v.Outcome.String()]++
	}
	t.Logf("%v", by)
	if min(by["bdd proved"], by["bdd refuted"], by["ic3 proved"]) < runs/100 {
		t.Error("too few")
	}
}

// TestReachStart: the search for all reachable states begins early where it is likely to end soon.
func TestReachStart(t *testing.T) {
	for _, test := range []struct {
		what            string
		latches, hidden int
		want            int64
	}{
		{"few latches", reachFew, 0, reachEarly},
		{"more latches", reachFew + 1, 0, reachAfter},
		{"a hidden constraint", reachFew + 1, 1, reachEarly},
	} {
		b := circuit.NewBuilder(test.latches)
		for range test.latches {
			b.Latch(0)
		}
		e := &ic3Run{reduced: reduce.Stats{Hidden: test.hidden}}
		if got := e.reachStart(b.Build()); got != test.want {
			t.Errorf("%s: it begins at %d, want %d", test.what, got, test.want)
		}
	}
}
