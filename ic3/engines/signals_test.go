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
	"aiglens/internal/shared"
)

// mergeable returns a random circuit in which signals are often equal.
func mergeable(seed int) *circuit.Circuit {
	return explicit.RandomCircuit(rand.New(rand.NewPCG(7, uint64(seed))), explicit.Shape{
		Inputs: 2, Latches: 9, Gates: 70, OneResets: seed%2 == 0, FreeLatches: seed%3 == 0, Constraints: max(seed%5-2, 0),
	})
}

// checkMerged checks random circuits with an engine that merges signals as soon as it can,
// against explicit search; the certificates must pass. It returns how many of each
// outcome had signals merged.
func checkMerged(t *testing.T, options reduce.Options, and func(c *circuit.Circuit, e *ic3Run, v cert.Verdict)) map[cert.Outcome]int {
	t.Helper()
	runs := 600
	if testing.Short() {
		runs = 150
	}
	if s := os.Getenv("AIGLENS_LONG"); s != "" {
		runs, _ = strconv.Atoi(s)
	}
	merged := map[cert.Outcome]int{}
	for seed := range runs {
		c := mergeable(seed)
		e := &ic3Run{IC3: Auto(), progress: func(verify.Progress) {}}
		e.mergeAfter, e.mergeShare, e.Reduce = 1, 1, options
		p := circuit.Problem{Circuit: c}
		v, err := e.check(context.Background(), p)
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
			and(c, e, v)
		}
	}
	t.Logf("signals merged: %v", merged)
	return merged
}

// TestMergedSignals: IC3 starts again with signals merged during its run, agrees with
// explicit search, and its certificates pass. What that takes is counted.
func TestMergedSignals(t *testing.T) {
	merged := checkMerged(t, reduce.Options{}, func(c *circuit.Circuit, e *ic3Run, v cert.Verdict) {
		before, err := reduce.Reduce(context.Background(), c, circuit.Property{Kind: circuit.PropertyBad}, reduce.Options{})
		if err != nil {
			t.Fatal(err)
		}
		after := e.merged.Stats
		if after.Effort <= before.Stats.Effort || float64(e.stats.Effort+after.Effort-before.Stats.Effort) > e.counters()[verify.StatEffort] {
			t.Errorf("effort %.0f, of the last run %d, of reductions %d, then %d", e.counters()[verify.StatEffort], e.stats.Effort, before.Stats.Effort, after.Effort)
		}
		if e.reduced != after {
			t.Errorf("%+v, want that with signals merged, %+v", e.reduced, after)
		}
	})
	if merged[cert.Proved] == 0 || merged[cert.Refuted] == 0 {
		t.Error("too few")
	}
}

// TestMergedTooLarge: a proof on the circuit with signals merged that takes too many
// clauses to lift is made again without.
func TestMergedTooLarge(t *testing.T) {
	again := 0
	checkMerged(t, reduce.Options{FactClauses: -1}, func(_ *circuit.Circuit, e *ic3Run, v cert.Verdict) {
		if v.Outcome == cert.Proved && e.reduced != e.merged.Stats {
			again++
		}
	})
	if again < 5 {
		t.Errorf("%d proofs made again", again)
	}
}

// TestMergingShared: engines that judge the same problem share one search, at which one is
// at a time, and what it finds.
func TestMergingShared(t *testing.T) {
	reduced := &reduction{}
	ctx, p, found := context.Background(), circuit.Problem{}, 0
	for seed := 0; found == 0; seed++ {
		p.Circuit, reduced = mergeable(seed), &reduction{}
		_, m, err := reduced.reduce(ctx, p, reduce.Options{NoCorrespondence: true})
		if err != nil {
			t.Fatal(err)
		}
		_, same, _ := reduced.reduce(ctx, p, reduce.Options{NoCorrespondence: true})
		_, other, _ := reduced.reduce(ctx, p, reduce.Options{})
		if same != m || other == m {
			t.Fatal("want one search for the same options, and another for others")
		}
		const much = 1 << 40
		m.mu.Lock()
		if merged, spent := m.advance(ctx, much); merged != nil || spent != 0 {
			t.Errorf("%v, spent %d while another engine is at it", merged, spent)
		}
		m.mu.Unlock()
		if merged, spent := m.advance(ctx, mergeAfter-1); merged != nil || spent != 0 {
			t.Errorf("%v, spent %d before its time", merged, spent)
		}
		if merged, _ := m.advance(shared.NewPolls(1), much); merged != nil {
			t.Errorf("%v after the end of the context", merged)
		}
		merged, spent := m.advance(ctx, much)
		if merged == nil {
			continue
		}
		found++
		if again, more := m.advance(ctx, 2*much); again != merged || spent <= 0 || more != 0 {
			t.Errorf("another engine gets %p, want %p; spent %d, then %d", again, merged, spent, more)
		}
	}
}

// TestMergingDeep: where induction over one step merges nothing, that over two steps has
// its turn later, and an engine that starts again with what it merges is right.
func TestMergingDeep(t *testing.T) {
	const much = 1 << 40
	options := reduce.Options{SignalGain: 8} // or few circuits are worth it
	ctx, merged := context.Background(), map[cert.Outcome]int{}
	runs := 2500
	if s := os.Getenv("AIGLENS_LONG"); s != "" {
		runs, _ = strconv.Atoi(s)
	}
	for seed := range runs {
		p, shared := circuit.Problem{Circuit: mergeable(seed)}, &reduction{}
		_, m, err := shared.reduce(ctx, p, options)
		if err != nil {
			t.Fatal(err)
		}
		m.after, m.deepAfter = 1, much+1
		for range 2 {
			m.advance(ctx, much)
		}
		if m.isDeep || !m.search.Done() {
			t.Fatalf("seed %d: second search begun: %t, first one at its end: %t", seed, m.isDeep, m.search.Done())
		}
		if m.merged != nil {
			continue
		}
		if m.advance(ctx, 2*much); !m.isDeep {
			t.Fatalf("seed %d: no second search", seed)
		}
		if m.merged == nil {
			continue
		}
		e := &ic3Run{IC3: Auto(), progress: func(verify.Progress) {}}
		e.shared, e.Reduce = shared, options
		v, err := e.check(ctx, p)
		if err != nil {
			t.Fatal(err)
		}
		if want := explicit.FirstBadStep(p.Circuit, p.Property()) == explicit.NotViolated; want != (v.Outcome == cert.Proved) {
			t.Fatalf("seed %d: %s, safe by explicit search: %t", seed, v.Outcome, want)
		}
		if _, err := cert.Check(ctx, p.Circuit, p.Property(), v); err != nil {
			t.Fatalf("seed %d: %s: %v", seed, v.Outcome, err)
		}
		if e.merged == m.merged {
			merged[v.Outcome]++
		}
	}
	t.Logf("merged by induction over two steps: %v", merged)
	if min(merged[cert.Proved], merged[cert.Refuted]) < 2 {
		t.Error("too few")
	}
}

// TestReductionOfAStoppedEngine: an engine whose context lives reduces the circuit, even where the first one was
// stopped on the way.
func TestReductionOfAStoppedEngine(t *testing.T) {
	p, r := circuit.Problem{Circuit: mergeable(1)}, &reduction{}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if reduced, _, err := r.reduce(ended, p, reduce.Options{}); reduced != nil || err == nil {
		t.Fatalf("%v, error %v after the end of the context", reduced, err)
	}
	if reduced, m, err := r.reduce(t.Context(), p, reduce.Options{}); reduced == nil || m == nil || err != nil {
		t.Errorf("%v, %v, error %v", reduced, m, err)
	}
}
