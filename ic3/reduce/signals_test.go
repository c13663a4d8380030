package reduce

import (
	"context"
	"errors"
	"testing"

	"aiglens/circuit"
	"aiglens/internal/polltest"
)

// counter returns a circuit with a counter of many bits, whose bad is that all are 1, and
// with more gates than there may be between two looks at a context.
func counter() *circuit.Circuit {
	b := circuit.NewBuilder(0)
	carry := circuit.True
	for range 64 {
		l := b.Latch(0)
		b.SetNext(l, b.Xor(l, carry))
		carry = b.And(carry, l)
	}
	for range pollEvery {
		carry = b.And(carry, b.Input(0))
	}
	b.Bad(carry, 0)
	return b.Build()
}

// TestSignalsEnd: a simulation ends with its context, however much it still finds, and
// copies of a large circuit look at it.
func TestSignalsEnd(t *testing.T) {
	var stats Stats
	x := newSignals(polltest.New(0), inOrder(counter()), Options{}, &stats)
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
