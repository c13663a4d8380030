package reduce

import (
	"context"
	"errors"
	"testing"

	"aiglens/circuit"
	"aiglens/internal/polltest"
)

// shifted returns a circuit in which a 1 comes to one more latch in each step, so that a
// simulation finds something in each, with more gates than there may be between two looks
// at a context.
func shifted() *circuit.Circuit {
	b := circuit.NewBuilder(0)
	last, all := circuit.True, circuit.True
	for range 2 * signalSteps {
		l := b.Latch(0)
		b.SetNext(l, last)
		last, all = l, b.And(all, l)
	}
	for range pollEvery {
		all = b.And(all, b.Input(0))
	}
	b.Bad(all, 0)
	return b.Build()
}

// TestSignalsEnd: a simulation ends with its context, however much it still finds, and
// copies of a large circuit look at it.
func TestSignalsEnd(t *testing.T) {
	var stats Stats
	x := newSignals(polltest.New(0), inOrder(shifted()), Options{}, &stats)
	if err := x.simulate(); err != nil || len(x.classes.members) == 0 {
		t.Fatalf("%d candidates, %v", len(x.classes.members), err)
	}
	x.ctx = polltest.New(2)
	step := int64(x.c.NumVars()/simulationShare + 1 + len(x.classes.members)/refineShare)
	before := x.effort
	if x.run(^uint64(0), maxSteps, ^uint64(0)); before-x.effort > step {
		t.Errorf("a simulation that ends with its first step has spent %d, which a step does not: %d", before-x.effort, step)
	}
	x.classes = newPartition(x.c.NumVars()) // no candidates, and so no queries
	for name, test := range map[string]struct {
		ask    func() (bool, error)
		copies int
	}{"first": {x.first, 1}, "round": {x.round, 2}} {
		whole := polltest.New(0)
		x.ctx = whole
		if _, err := test.ask(); err != nil || whole.Looks < test.copies {
			t.Errorf("%s: %d looks at the context, %v", name, whole.Looks, err)
		}
		x.ctx = polltest.New(test.copies)
		if _, err := test.ask(); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestSignalsEffort: the simulation keeps to the bound as the queries do.
func TestSignalsEffort(t *testing.T) {
	var stats Stats
	x := newSignals(context.Background(), inOrder(shifted()), Options{Effort: 1}, &stats)
	bound := x.effort
	if err := x.simulate(); err != nil || x.effort < -int64(x.c.NumVars()) {
		t.Errorf("%v, an effort of %d left of %d", err, x.effort, bound)
	}
	if found, err := x.search(); found || err != nil || !stats.GaveUp {
		t.Errorf("found %v, %v, %+v", found, err, stats)
	}
}
