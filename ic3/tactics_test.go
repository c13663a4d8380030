package ic3

import (
	"context"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"aiglens/circuit/cert"
	"aiglens/ic3/encode"
	"aiglens/ic3/sat"
	"aiglens/internal/explicit"
)

// TestTacticsAgreeWithSearch switches each tactic by itself, without the bounds that keep
// small circuits from it, and compares with explicit search; every certificate is checked.
// AIGLENS_LONG is the number of runs.
func TestTacticsAgreeWithSearch(t *testing.T) {
	runs := 600
	if n, err := strconv.Atoi(os.Getenv("AIGLENS_LONG")); err == nil {
		runs = n
	}
	shape := explicit.Shape{Inputs: 3, Latches: 8, Gates: 60, FreeLatches: true, OneResets: true}
	outcomes := map[cert.Outcome]int{}
	found, constrained := 0, 0
	for run := range runs {
		random := rand.New(rand.NewPCG(29, uint64(run)))
		shape.Constraints = 1 + run%4
		c := explicit.RandomCircuit(random, shape)
		o := Options{Solver: sat.NewCore, Seed: uint64(run % 3)}
		if run%8 == 7 {
			o.Solver = sat.NewGini
		}
		if i := run % (len(tacticNames) + 1); i < len(tacticNames) {
			o.Switched = tacticNames[i].tactic
		}
		e := newEngine(context.Background(), c, encode.Eliminated(c), o, nil)
		e.reachedAfter, e.renewLeast, e.constraints.least = 0, -1<<20, 0 // at once
		if run%2 == 0 {
			e.lateAfter = 0
		}
		v, err := e.run(o, nil)
		if err != nil {
			t.Fatal(err)
		}
		first := explicit.FirstBadStep(c, property0)
		if (v.Outcome == cert.Proved) != (first == explicit.NotViolated) {
			t.Errorf("run %d: %s, first bad step by search %d", run, v.Outcome, first)
		}
		if _, err := cert.Check(context.Background(), c, property0, v); err != nil {
			t.Errorf("run %d: %s: %v", run, v.Outcome, err)
		}
		outcomes[v.Outcome]++
		found += e.finalStats().ModelsFound
		constrained += e.finalStats().Constrained
	}
	t.Logf("%v, %d queries had their answer among the models that were kept, %d postponed constraints were needed", outcomes, found, constrained)
	if min(outcomes[cert.Proved], outcomes[cert.Refuted], found, 2*constrained) < runs/10 {
		t.Error("too few")
	}
}
