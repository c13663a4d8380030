package reach_test

import (
	"context"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/reach"
	"aiglens/internal/explicit"
)

var property = circuit.Property{Kind: circuit.PropertyBad}

// TestAgreesWithSearch compares with explicit search; every certificate is checked, and a
// counterexample is the shortest there is. AIGLENS_LONG is the number of runs.
func TestAgreesWithSearch(t *testing.T) {
	runs := 600
	if n, err := strconv.Atoi(os.Getenv("AIGLENS_LONG")); err == nil {
		runs = n
	}
	outcomes := map[cert.Outcome]int{}
	deep := 0 // two clauses or four steps and more
	for run := range runs {
		shape := explicit.Shape{Inputs: run % 4, Latches: 8, Gates: 50, Constraints: run % 3, FreeLatches: true, OneResets: true,
			Constants: run%5 == 0, ResetFunctions: run%4 == 1}
		c := explicit.RandomCircuit(rand.New(rand.NewPCG(31, uint64(run))), shape)
		first := explicit.FirstBadStep(c, property)
		if c.HasResetFunctions() {
			c, _ = c.ConstantResets()
		}
		v, stats, err := reach.Check(context.Background(), c, reach.Options{}, func(reach.Progress) {})
		if err != nil {
			t.Fatal(err)
		}
		if v.Outcome == cert.Unknown || (v.Outcome == cert.Proved) != (first == explicit.NotViolated) {
			t.Fatalf("run %d: %s, first bad step by search %d", run, v.Outcome, first)
		}
		if v.Outcome == cert.Refuted && (v.Trace.Steps() != first+1 || v.Depth != first) {
			t.Errorf("run %d: a trace of %d steps, depth %d, where the first bad step is %d", run, v.Trace.Steps(), v.Depth, first)
		}
		if _, err := cert.Check(context.Background(), c, property, v); err != nil {
			t.Fatalf("run %d: %s: %v", run, v.Outcome, err)
		}
		outcomes[v.Outcome]++
		if stats.Clauses > 1 || first > 2 {
			deep++
		}
	}
	t.Logf("%v, %d of them with two clauses or three steps and more", outcomes, deep)
	if min(outcomes[cert.Proved], outcomes[cert.Refuted], deep) < runs/20 {
		t.Error("too few")
	}
}
