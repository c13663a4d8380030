package reduce_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3"
	"aiglens/ic3/reduce"
	"aiglens/internal/explicit"
)

var property = circuit.Property{Kind: circuit.PropertyBad}

var shapes = []explicit.Shape{
	{Inputs: 3, Latches: 6, Gates: 25},
	{Inputs: 4, Latches: 8, Gates: 40, Constraints: 2, FreeLatches: true, OneResets: true},
	{Inputs: 1, Latches: 9, Gates: 50, OneResets: true},
	{Inputs: 3, Latches: 4, Gates: 10, Constraints: 3, FreeLatches: true, OneResets: true, Constants: true},
	{Inputs: 0, Latches: 8, Gates: 40, FreeLatches: true},
	{Inputs: 2, Latches: 10, Gates: 16, Constraints: 1, OneResets: true},
}

// signalShapes have more gates, for signals that are equal.
var signalShapes = []explicit.Shape{
	{Inputs: 2, Latches: 7, Gates: 60, FreeLatches: true, OneResets: true},
	{Inputs: 1, Latches: 10, Gates: 80},
	{Inputs: 3, Latches: 8, Gates: 30, OneResets: true, Constants: true},
	{Inputs: 3, Latches: 8, Gates: 60, Constraints: 1, FreeLatches: true, OneResets: true},
	{Inputs: 2, Latches: 9, Gates: 70, Constraints: 2, FreeLatches: true},
	{Inputs: 4, Latches: 6, Gates: 50, Constraints: 3, FreeLatches: true, OneResets: true},
}

// hiddenShapes have latches that record the violation of constraints.
var hiddenShapes = []explicit.Shape{
	{Inputs: 3, Latches: 6, Gates: 25, Hidden: 2},
	{Inputs: 4, Latches: 8, Gates: 40, Constraints: 1, FreeLatches: true, OneResets: true, Hidden: 3},
	{Inputs: 1, Latches: 9, Gates: 50, OneResets: true, Hidden: 1},
	{Inputs: 0, Latches: 8, Gates: 40, FreeLatches: true, Hidden: 2},
	{Inputs: 3, Latches: 8, Gates: 60, OneResets: true, Hidden: 4},
}

// ablations are the whole and each step alone.
var ablations = map[string]reduce.Options{
	"all":            {},
	"constants":      {NoCorrespondence: true, NoRewriting: true, NoSweeping: true},
	"correspondence": {NoConstants: true, NoRewriting: true, NoSweeping: true},
	"rewriting":      {NoConstants: true, NoCorrespondence: true, NoSweeping: true},
	"sweeping":       {NoConstants: true, NoCorrespondence: true, NoRewriting: true},
	"no effort":      {Effort: -1},
	"little effort":  {Effort: 1},
}

// mustReduce reduces bad 0 of c.
func mustReduce(t testing.TB, c *circuit.Circuit, o reduce.Options) *reduce.Reduced {
	t.Helper()
	r, err := reduce.Reduce(context.Background(), c, property, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// solve decides the reduced circuit and returns the lifted verdict, which must
// pass the checker on the original.
func solve(ctx context.Context, c *circuit.Circuit, p circuit.Property, r *reduce.Reduced) (cert.Verdict, error) {
	v, _, err := ic3.Check(ctx, r.Circuit, ic3.Options{}, nil)
	if err != nil {
		return v, err
	}
	lifted, _, err := r.Lift(ctx, v)
	if err != nil {
		return v, err
	}
	_, err = cert.Check(ctx, c, p, lifted)
	return lifted, err
}

// mergeSignals returns r with signals merged, or nil, by a search in small portions.
func mergeSignals(t testing.TB, r *reduce.Reduced, k int) *reduce.Reduced {
	t.Helper()
	x := r.NewSignals(reduce.Options{}, k)
	for effort := int64(0); ; effort += 1_000 {
		merged, err := x.Advance(context.Background(), effort)
		if err != nil {
			t.Fatal(err)
		}
		if x.Done() {
			return merged
		}
		if merged != nil || effort > 1<<30 {
			t.Fatalf("the search is not done after an effort of %d, result %v", effort, merged != nil)
		}
	}
}

// TestSignals compares the verdict on the circuit with signals merged with explicit search
// on the original, where its certificate must pass.
func TestSignals(t *testing.T) {
	perShape := 200
	if testing.Short() {
		perShape = 40
	}
	if s := os.Getenv("AIGLENS_LONG"); s != "" {
		perShape, _ = strconv.Atoi(s)
	}
	for k := 1; k <= 2; k++ {
		for _, constrained := range []bool{false, true} {
			t.Run(fmt.Sprintf("%d steps, constraints %t", k, constrained), func(t *testing.T) {
				merged, fewer, proved, refuted := 0, 0, 0, 0
				for i, shape := range append(shapes, signalShapes...) {
					if constrained != (shape.Constraints > 0) {
						continue
					}
					for seed := range perShape {
						c := explicit.RandomCircuit(rand.New(rand.NewPCG(uint64(100+i), uint64(seed))), shape)
						r := mergeSignals(t, mustReduce(t, c, ablations["rewriting"]), k)
						if r == nil {
							continue
						}
						merged++
						if r.Stats.After.Latches < r.Stats.Before.Latches {
							fewer++
						}
						where := fmt.Sprintf("shape %d, seed %d", i, seed)
						want := explicit.FirstBadStep(c, property)
						if got := explicit.FirstBadStep(r.Circuit, r.Property); got != want {
							t.Fatalf("%s: first bad step %d, in the original %d", where, got, want)
						}
						v, err := solve(context.Background(), c, property, r)
						if err != nil || (v.Outcome == cert.Proved) != (want == explicit.NotViolated) {
							t.Fatalf("%s: %s, %v, first bad step by search %d", where, v.Outcome, err, want)
						}
						if v.Outcome == cert.Proved {
							proved++
						} else {
							refuted++
						}
					}
				}
				t.Logf("%d circuits with signals merged, %d with fewer latches; %d proved, %d refuted", merged, fewer, proved, refuted)
				if merged == 0 || fewer == 0 || proved == 0 || refuted == 0 {
					t.Error("too few")
				}
			})
		}
	}
}

// TestRandomCircuits compares the verdict on the reduced circuit with explicit
// search on the original, where its certificate must pass. The first bad step
// stays the same, too.
func TestRandomCircuits(t *testing.T) {
	perShape := 150
	if testing.Short() {
		perShape = 30
	}
	for name, o := range ablations {
		t.Run(name, func(t *testing.T) {
			var latches, left, gates, leftGates int
			for i, shape := range shapes {
				for seed := range perShape {
					c := explicit.RandomCircuit(rand.New(rand.NewPCG(uint64(i), uint64(seed))), shape)
					r := mustReduce(t, c, o)
					where := fmt.Sprintf("shape %d, seed %d", i, seed)
					want := explicit.FirstBadStep(c, property)
					if got := explicit.FirstBadStep(r.Circuit, r.Property); got != want {
						t.Fatalf("%s: first bad step %d, in the original %d", where, got, want)
					}
					v, err := solve(context.Background(), c, property, r)
					if err != nil {
						t.Fatalf("%s: %s: %v", where, v.Outcome, err)
					}
					if (v.Outcome == cert.Proved) != (want == explicit.NotViolated) {
						t.Fatalf("%s: %s, first bad step by search %d", where, v.Outcome, want)
					}
					if s := r.Stats; s.After.Latches > s.Before.Latches || s.After.Gates > s.Before.Gates+s.Hidden || s.After.Inputs > s.Before.Inputs {
						t.Fatalf("%s: it grew: %+v", where, s)
					}
					latches, left = latches+r.Stats.Before.Latches, left+r.Stats.After.Latches
					gates, leftGates = gates+r.Stats.Before.Gates, leftGates+r.Stats.After.Gates
				}
			}
			t.Logf("latches %d → %d, gates %d → %d", latches, left, gates, leftGates)
		})
	}
}
