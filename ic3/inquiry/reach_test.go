package inquiry_test

import (
	"context"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"aiglens/circuit"
	"aiglens/circuit/trace"
	"aiglens/ic3/engines"
	"aiglens/ic3/inquiry"
	"aiglens/internal/explicit"
)

var reachTerms = inquiry.Terms{Engine: engines.NewAuto(), Workers: 1}

// firstStep searches all states for the first step in which a literal is 1.
func firstStep(c *circuit.Circuit, l circuit.Lit) int {
	b := circuit.NewBuilder(c.NumVars())
	to := c.CopyTo(b)
	for _, s := range c.Constraints() {
		b.Constraint(to(s.Lit), 0)
	}
	b.Bad(to(l), 0)
	return explicit.FirstBadStep(b.Build(), circuit.Property{Kind: circuit.PropertyBad})
}

func verdict(happens bool) inquiry.Reach {
	if happens {
		return inquiry.Reached
	}
	return inquiry.Never
}

// TestReachRandom asks random circuits for literals and for the values of all latches, and compares
// the answers with searches of all states. With AIGLENS_LONG these are 5,000 circuits.
func TestReachRandom(t *testing.T) {
	seeds := uint64(200)
	if os.Getenv("AIGLENS_LONG") != "" {
		seeds = 5000
	}
	shape := explicit.Shape{Inputs: 2, Latches: 4, Gates: 16, Constraints: 2, FreeLatches: true, OneResets: true, Constants: true, ResetFunctions: true}
	literals, values := map[inquiry.Reach]int{}, map[inquiry.Reach]int{}
	longest := 0
	for seed := range seeds {
		r := rand.New(rand.NewPCG(31, seed))
		c := explicit.RandomCircuit(r, shape)
		var lits []circuit.Lit
		for range 3 {
			lits = append(lits, circuit.Var(r.IntN(c.NumVars())).Lit().NotIf(r.IntN(2) == 0))
		}
		for i, a := range inquiry.ReachLiterals(t.Context(), c, lits, reachTerms) {
			first := firstStep(c, lits[i])
			if want := verdict(first != explicit.NotViolated); a.Verdict != want || a.Internal != nil {
				t.Errorf("seed %d: %v is %s, by search %s; %s %v", seed, lits[i], a.Verdict, want, a.Reason, a.Internal)
				continue
			}
			literals[a.Verdict]++
			if a.Verdict != inquiry.Reached {
				continue
			}
			if _, _, err := trace.Violation(t.Context(), c, lits[i], a.Trace); err != nil || a.Trace.Steps() <= first {
				t.Errorf("seed %d: a run of %d steps to %v, which comes first in step %d: %v", seed, a.Trace.Steps(), lits[i], first, err)
			}
			longest = max(longest, a.Trace.Steps())
		}
		moves := explicit.MovesOf(c)
		for i, l := range inquiry.ReachLatches(t.Context(), c, reachTerms).Latches {
			want := inquiry.LatchReach{Zero: verdict(moves.Zero[i]), One: verdict(moves.One[i]), Change: verdict(moves.Change[i])}
			if l != want {
				t.Errorf("seed %d: latch %d: %v, by search %v", seed, i, l, want)
			}
			values[l.Zero]++
			values[l.One]++
			values[l.Change]++
		}
	}
	t.Logf("literals %v, values %v, longest run %d", literals, values, longest)
	if literals[inquiry.Reached] < 50 || literals[inquiry.Never] < 50 || values[inquiry.Reached] < 50 || values[inquiry.Never] < 50 || longest < 3 {
		t.Errorf("too little is asked: %v, %v", literals, values)
	}
}

// TestReachRareValue asks for a value that random runs do not show: the last bit of a counter that
// runs while an input has been 1 all the time.
func TestReachRareValue(t *testing.T) {
	b := circuit.NewBuilder(40)
	run := b.Input(0)
	carry := run
	bits := make([]circuit.Lit, 5)
	for i := range bits {
		bits[i] = b.Latch(0)
		b.SetNext(bits[i], b.And(run, b.Xor(bits[i], carry)))
		carry = b.And(carry, bits[i])
	}
	free := b.Latch(0)
	b.SetNext(free, free)
	b.SetReset(free, free)
	c := b.Build()
	r := inquiry.ReachLatches(t.Context(), c, reachTerms)
	if r.Both() != len(bits)+1 || r.Simulated == 3*len(r.Latches) || r.Internal != nil {
		t.Errorf("%+v", r)
	}
	if got := r.Latches[len(bits)]; got != (inquiry.LatchReach{Zero: inquiry.Reached, One: inquiry.Reached, Change: inquiry.Never}) {
		t.Errorf("a latch that keeps its start: %v", got)
	}
	a := inquiry.ReachLiterals(t.Context(), c, []circuit.Lit{bits[4], circuit.True, circuit.False}, reachTerms)
	if a[0].Verdict != inquiry.Reached || a[0].Trace.Steps() != 17 {
		t.Errorf("%+v", a[0])
	}
	if a[1].Verdict != inquiry.Reached || a[1].Trace.Steps() != 1 || a[2].Verdict != inquiry.Never || a[2].HasNoRun {
		t.Errorf("constants: %+v", a[1:])
	}
}

func TestReachNoRun(t *testing.T) {
	b := circuit.NewBuilder(4)
	x := b.Latch(0)
	b.SetNext(x, x.Not())
	b.Constraint(x, 0)
	c := b.Build()
	if a := inquiry.ReachLiterals(t.Context(), c, []circuit.Lit{circuit.True}, reachTerms)[0]; a.Verdict != inquiry.Never || !a.HasNoRun {
		t.Errorf("%+v", a)
	}
	if r := inquiry.ReachLatches(t.Context(), c, reachTerms); r.Latches[0] != (inquiry.LatchReach{Zero: inquiry.Never, One: inquiry.Never, Change: inquiry.Never}) {
		t.Errorf("%+v", r)
	}
}

// TestReachEnds asks with a context that has ended, and within no time.
func TestReachEnds(t *testing.T) {
	b := circuit.NewBuilder(4)
	x := b.Latch(0)
	b.SetNext(x, b.Input(0))
	c := b.Build()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if a := inquiry.ReachLiterals(ctx, c, []circuit.Lit{x}, reachTerms)[0]; a.Verdict != inquiry.Unknown || a.Reason != "cancelled" {
		t.Errorf("%+v", a)
	}
	if r := inquiry.ReachLatches(ctx, c, reachTerms); r.Latches[0] != (inquiry.LatchReach{}) || r.Reason != "cancelled" {
		t.Errorf("%+v", r)
	}
	short := reachTerms
	short.Limits.Wall = time.Nanosecond
	if r := inquiry.ReachLatches(t.Context(), c, short); r.Latches[0] != (inquiry.LatchReach{}) || r.Reason != "timeout" {
		t.Errorf("%+v", r)
	}
}
