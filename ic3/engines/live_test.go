package engines_test

import (
	"context"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
	"aiglens/internal/explicit"
	"aiglens/internal/randcircuit"
)

var justice0 = circuit.Property{Kind: circuit.PropertyJustice}

// found counts what answers look like.
type found struct {
	refuted, farLoop int // farLoop: a stem and a loop of at least two steps each
	proved, ranked   int // ranked: with two ranks or more
	by               map[string]int
}

// judge runs an engine on a circuit with a justice property through verify.Run, which has
// the certificate checked, and compares with a search of all states.
func (f *found) judge(t *testing.T, seed uint64, c *circuit.Circuit, e verify.Engine) {
	t.Helper()
	r := verify.Run(context.Background(), verify.Job{Circuit: c, Property: justice0, Engine: e}, nil)
	want := cert.Proved
	if explicit.Violated(c, justice0) {
		want = cert.Refuted
	}
	if r.Internal != nil || r.Checked.Outcome() != want || !r.Checked.Certified() {
		t.Fatalf("seed %d: %s by %s, want %s; %v", seed, r, r.Engine, want, r.Internal)
	}
	f.by[r.Engine]++
	if want == cert.Proved {
		f.proved++
		if len(r.Checked.Ranking().Ranks) > 1 {
			f.ranked++
		}
		return
	}
	f.refuted++
	if loop, _ := r.Checked.Loop(); loop >= 2 && r.Checked.Trace().Steps()-loop >= 2 {
		f.farLoop++
	}
}

// randomJustice returns a circuit with a justice property. Of one in two the runs take a
// while to come round, or to end: there is a counter that a random condition lets pass
// and holds.
func randomJustice(seed uint64) *circuit.Circuit {
	r := rand.New(rand.NewPCG(seed, 23))
	s := randcircuit.Shape{
		Inputs: r.IntN(4), Latches: 1 + r.IntN(7), Gates: 8 + r.IntN(32), Justice: 1 + r.IntN(3), Fairness: r.IntN(2), Constraints: r.IntN(2),
		FreeLatches: r.IntN(3) == 0, OneResets: true, Constants: r.IntN(8) == 0, ResetFunctions: r.IntN(3) == 0,
	}
	return randcircuit.New(r, s)
}

// TestJustice: the default engine answers justice properties of small random circuits,
// all of them and rightly. AIGLENS_LONG is the number of circuits.
func TestJustice(t *testing.T) {
	circuits := uint64(1000)
	if n, err := strconv.ParseUint(os.Getenv("AIGLENS_LONG"), 10, 32); err == nil && n > circuits {
		circuits = n
	}
	f := &found{by: map[string]int{}}
	for seed := range circuits {
		f.judge(t, seed, randomJustice(seed), engines.NewAuto())
	}
	t.Logf("%d refuted, %d with a stem and a loop of two steps or more; %d proved, %d with two ranks or more; by %v",
		f.refuted, f.farLoop, f.proved, f.ranked, f.by)
}
