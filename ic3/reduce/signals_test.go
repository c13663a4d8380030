package reduce

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"aiglens/circuit"
	"aiglens/internal/explicit"
	"aiglens/internal/shared"
)

// shifted returns a circuit in which a 1 comes to one more latch in each step, so that a
// simulation finds something in each, with a number of gates besides.
func shifted(latches, gates int) *circuit.Circuit {
	b := circuit.NewBuilder(0)
	last, all := circuit.True, circuit.True
	for range latches {
		l := b.Latch(0)
		b.SetNext(l, last)
		last, all = l, b.And(all, l)
	}
	for range gates {
		all = b.And(all, b.Input(0))
	}
	b.Bad(all, 0)
	return b.Build()
}

// newSearch returns a search in c, for facts that are inductive over one step.
func newSearch(t *testing.T, c *circuit.Circuit) *Signals {
	t.Helper()
	r, err := Reduce(context.Background(), c, circuit.Property{Kind: circuit.PropertyBad}, Options{NoConstants: true, NoCorrespondence: true, NoSweeping: true})
	if err != nil {
		t.Fatal(err)
	}
	return r.NewSignals(Options{}, 1)
}

// TestSignalsEnd: a simulation ends with its context, however much it still finds, and
// copies of a large circuit look at it.
func TestSignalsEnd(t *testing.T) {
	x := newSearch(t, shifted(2*signalSteps, pollEvery))
	x.ctx, x.effort = shared.NewPolls(0), 1<<40
	for x.runs < signalRuns {
		if err := x.simulate(); err != nil || len(x.classes.members) == 0 {
			t.Fatalf("%d candidates, %v", len(x.classes.members), err)
		}
	}
	x.ctx = shared.NewPolls(2)
	step := int64(x.c.NumVars()/simulationShare + 1 + len(x.classes.members)/refineShare)
	before := x.effort
	if x.run(^uint64(0), maxSteps, ^uint64(0)); before-x.effort > step {
		t.Errorf("a simulation that ends with its first step has spent %d, which a step does not: %d", before-x.effort, step)
	}
	for _, o := range x.open {
		whole := shared.NewPolls(0)
		x.ctx = whole
		if _, err := x.newTest(o); err != nil || whole.Looks < o.frames {
			t.Errorf("%+v: %d looks at the context, %v", o, whole.Looks, err)
		}
		x.ctx = shared.NewPolls(o.frames)
		if _, err := x.newTest(o); !errors.Is(err, context.Canceled) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

// TestSignalsEffort: a search keeps to the effort that it is given, goes on where it
// stopped, also after an error, and then finds what it finds in one go.
func TestSignalsEffort(t *testing.T) {
	const portion = 100
	found, stops := 0, 0
	for seed := range uint64(40) {
		c := explicit.RandomCircuit(rand.New(rand.NewPCG(81, seed)), explicit.Shape{Inputs: 2, Latches: 9, Gates: 70, Constraints: int(seed % 2), OneResets: true})
		whole, parts := newSearch(t, c), newSearch(t, c)
		want, err := whole.Advance(context.Background(), 1<<40)
		if err != nil || !whole.Done() {
			t.Fatalf("seed %d: done %t, %v", seed, whole.Done(), err)
		}
		// What is never interrupted: copies of the circuit, a query, a run of so small a circuit.
		atOnce := int64(1_000 + 2*signalSteps*c.NumVars()/refineShare)
		var got *Reduced
		for effort := int64(portion); !parts.Done(); effort += portion {
			if _, err := parts.Advance(shared.NewPolls(1), effort); !errors.Is(err, context.Canceled) && parts.Effort() < effort && !parts.Done() {
				t.Fatalf("seed %d: %v, want a search that ends with its context", seed, err)
			}
			if got, err = parts.Advance(context.Background(), effort); err != nil || parts.Effort() > effort+atOnce {
				t.Fatalf("seed %d: %v, %d spent of %d", seed, err, parts.Effort(), effort)
			}
			stops++
		}
		if (got == nil) != (want == nil) || got != nil && got.Stats.After != want.Stats.After {
			t.Errorf("seed %d: %+v, in one go %+v", seed, got, want)
		}
		if got != nil {
			found++
		}
	}
	if found < 10 || stops < 100 {
		t.Errorf("%d found in %d portions", found, stops)
	}
}
