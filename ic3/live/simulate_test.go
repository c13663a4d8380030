package live_test

import (
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/live"
)

// TestSimulation: what the simulation finds are lassos, and on small circuits these are
// most of those that there are.
func TestSimulation(t *testing.T) {
	n := compare(t, bounded(live.SimulationAlone, 20_000), 500)
	if n.proved > 0 || n.refuted < 2*n.openLassos || n.refuted < 100 {
		t.Errorf("%+v", n)
	}
}

// TestSimulatedCounter: the loop is as long as the counter takes, with a constraint on the
// inputs that random ones seldom meet.
func TestSimulatedCounter(t *testing.T) {
	b := circuit.NewBuilder(0)
	carry, none := circuit.True, circuit.True
	for range 8 {
		none = b.And(none, b.Input(0).Not())
	}
	all := circuit.True
	for range 8 {
		l := b.Latch(0)
		b.SetNext(l, b.Or(b.And(l, carry.Not()), b.And(l.Not(), carry)))
		carry, all = b.And(carry, l), b.And(all, l)
	}
	b.Constraint(none, 0)
	b.Justice([]circuit.Lit{all}, 0)
	problem := circuit.Problem{Circuit: b.Build(), Question: circuit.Liveness}
	v, _, err := live.Check(t.Context(), problem, live.Options{Parts: []live.Part{live.SimulationAlone}, NoReduce: true}, nil)
	if err != nil || v.Outcome != cert.Refuted || v.Lasso.Steps()-v.Lasso.Loop != 256 {
		t.Fatalf("%+v, %v", v, err)
	}
	if _, err := cert.Check(t.Context(), problem.Circuit, justice0, v); err != nil {
		t.Error(err)
	}
}
