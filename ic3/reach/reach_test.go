package reach_test

import (
	"context"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
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
	t.Logf("%v, %d of them with two clauses or four steps and more", outcomes, deep)
	if min(outcomes[cert.Proved], outcomes[cert.Refuted], deep) < runs/20 {
		t.Error("too few")
	}
}

// TestCancel: wherever the context ends, the run returns its error and no claim.
func TestCancel(t *testing.T) {
	shape := explicit.Shape{Inputs: 3, Latches: 8, Gates: 60, Constraints: 1, OneResets: true}
	for run := range 100 {
		c := explicit.RandomCircuit(rand.New(rand.NewPCG(33, uint64(run))), shape)
		for polls, ended := 0, false; !ended; polls++ {
			ctx, cancel := context.WithCancel(context.Background())
			left := polls
			v, _, err := reach.Check(ctx, c, reach.Options{}, func(reach.Progress) {
				if left--; left < 0 {
					cancel()
				}
			})
			ended = ctx.Err() == nil
			if cancel(); err == nil != ended || err != nil && v.Outcome != cert.Unknown {
				t.Fatalf("run %d, %d polls: %s, %v", run, polls, v.Outcome, err)
			}
		}
	}
}

// TestBounds: too few nodes, and too few clauses, are no answer.
func TestBounds(t *testing.T) {
	shape := explicit.Shape{Inputs: 3, Latches: 10, Gates: 100, OneResets: true}
	ends := map[string]int{}
	for run := range 200 {
		c := explicit.RandomCircuit(rand.New(rand.NewPCG(34, uint64(run))), shape)
		v, _, err := reach.Check(context.Background(), c, reach.Options{MaxNodes: 40 + 10*run, MaxClauses: 1}, func(reach.Progress) {})
		if err != nil {
			t.Fatal(err)
		}
		if v.Outcome != cert.Unknown {
			if _, err := cert.Check(context.Background(), c, property, v); err != nil {
				t.Fatalf("run %d: %v", run, err)
			}
		}
		ends[strings.TrimRight(v.Reason, ": 0123456789")]++
	}
	for _, end := range []string{"", "too many nodes", "the proof has too many clauses"} {
		if ends[end] == 0 {
			t.Errorf("%v", ends)
		}
	}
}

// TestDeep: a counterexample of thousands of steps is found, and the way back to its beginning.
func TestDeep(t *testing.T) {
	const bits = 12
	b := circuit.NewBuilder(0)
	carry, all, inputs := circuit.True, circuit.True, [bits]circuit.Lit{}
	for i := range inputs {
		inputs[i] = b.Input(0)
	}
	latches := [bits]circuit.Lit{}
	for i := range latches {
		latches[i] = b.Latch(0)
	}
	for i, l := range latches {
		b.SetNext(l, b.Xor(l, carry))
		carry = b.And(carry, l)
		all = b.And(all, b.Or(l, inputs[i]))
	}
	for _, in := range inputs {
		all = b.And(all, in.Not())
	}
	b.Bad(all, 0)
	c := b.Build()
	v, _, err := reach.Check(context.Background(), c, reach.Options{MaxNodes: 100_000}, func(reach.Progress) {})
	if err != nil || v.Outcome != cert.Refuted || v.Trace.Steps() != 1<<bits {
		t.Fatalf("%s in %d steps: %s %v", v.Outcome, v.Trace.Steps(), v.Reason, err)
	}
	if _, err := cert.Check(context.Background(), c, property, v); err != nil {
		t.Fatal(err)
	}
}

// TestWithoutLatches: a circuit without latches has one step that matters.
func TestWithoutLatches(t *testing.T) {
	outcomes := map[cert.Outcome]int{}
	for run := range 50 {
		r, b := rand.New(rand.NewPCG(35, uint64(run))), circuit.NewBuilder(0)
		all := []circuit.Lit{b.Input(0), b.Input(0), b.Input(0)}
		any := func() circuit.Lit { return all[r.IntN(len(all))].NotIf(r.IntN(2) == 1) }
		for range 4 {
			all = append(all, b.And(any(), any()))
		}
		if run%2 == 1 {
			b.Constraint(any(), 0)
		}
		b.Bad(b.And(any(), b.And(any(), any())), 0)
		c := b.Build()
		v, _, err := reach.Check(context.Background(), c, reach.Options{}, func(reach.Progress) {})
		if err != nil {
			t.Fatal(err)
		}
		if found := explicit.FirstBadStep(c, property) != explicit.NotViolated; found != (v.Outcome == cert.Refuted) {
			t.Fatalf("run %d: %s, by search %t", run, v.Outcome, found)
		}
		if _, err := cert.Check(context.Background(), c, property, v); err != nil {
			t.Fatalf("run %d: %s: %v", run, v.Outcome, err)
		}
		outcomes[v.Outcome]++
	}
	if min(outcomes[cert.Proved], outcomes[cert.Refuted]) < 5 {
		t.Errorf("%v", outcomes)
	}
}

// TestDepthAtBound: a run that ends at its bound of nodes claims no step in which the property fails.
func TestDepthAtBound(t *testing.T) {
	shape := explicit.Shape{Inputs: 3, Latches: 8, Gates: 50, OneResets: true}
	ended := 0
	for run := range 200 {
		c := explicit.RandomCircuit(rand.New(rand.NewPCG(36, uint64(run))), shape)
		first := explicit.FirstBadStep(c, property)
		for most := 40; first != explicit.NotViolated; most++ {
			v, _, err := reach.Check(context.Background(), c, reach.Options{MaxNodes: most}, func(reach.Progress) {})
			if err != nil {
				t.Fatal(err)
			}
			if v.Outcome != cert.Unknown {
				break
			}
			if ended++; v.Depth > first {
				t.Fatalf("run %d, %d nodes: no violation in %d steps, but step %d is bad", run, most, v.Depth, first)
			}
		}
	}
	if ended < 50 {
		t.Errorf("%d runs ended at their bound", ended)
	}
}
