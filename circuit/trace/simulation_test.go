package trace_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/trace"
)

// TestSimulationIsReplay: a run that was changed, again and again, has the values of a replay from
// reset, and what is the same again is not computed.
func TestSimulationIsReplay(t *testing.T) {
	r := rand.New(rand.NewPCG(29, 9))
	eachTrace(t, func(t *testing.T, c *circuit.Circuit, run cert.Trace) {
		s, err := trace.Simulate(t.Context(), c, run)
		if err != nil {
			t.Fatal(err)
		}
		checkSimulation(t, c, run, s)
		for range 6 {
			run = clone(run)
			switch all := choices(c, run); {
			case r.IntN(4) == 0 && run.Steps() > 1:
				run.Inputs = run.Inputs[:1+r.IntN(run.Steps())]
			case r.IntN(4) == 0:
				run.Inputs = append(run.Inputs, slices.Clone(run.Inputs[r.IntN(run.Steps())]))
			case len(all) > 0:
				*all[r.IntN(len(all))] = circuit.Value(r.IntN(3))
			}
			if s, err = s.Changed(t.Context(), run); err != nil {
				t.Fatal(err)
			}
			checkSimulation(t, c, run, s)
		}
		same, err := s.Changed(t.Context(), clone(run))
		if err != nil || trace.GatesOf(same) != 0 {
			t.Errorf("the same run: %d gates are computed, %v", trace.GatesOf(same), err)
		}
	})
}

func checkSimulation(t *testing.T, c *circuit.Circuit, run cert.Trace, s *trace.Simulation) {
	t.Helper()
	replay, err := trace.New(t.Context(), c, run)
	if err != nil {
		t.Fatal(err)
	}
	for step := range run.Steps() {
		if got, want := s.State(step), replay.State(step); !slices.Equal(got, want) {
			t.Errorf("step %d: the latches are %v, expected %v", step, got, want)
		}
		for v := range circuit.Var(c.NumVars()) {
			if got, want := s.Value(v.Lit(), step), replay.Value(v.Lit(), step); got != want {
				t.Errorf("step %d: variable %d is %s, expected %s", step, v, got, want)
			}
		}
	}
}

// TestChangeComputesItsCone: a changed input costs the gates that it reaches, in the steps in which
// something differs.
func TestChangeComputesItsCone(t *testing.T) {
	const inputs, gates, steps = 100, 1000, 10 // of each input
	b := circuit.NewBuilder(0)
	for range inputs {
		in, latch := b.Input(0), b.Latch(0)
		b.SetNext(latch, in)
		b.SetReset(latch, circuit.False)
		end := latch
		for i := range gates {
			end = b.And(end.NotIf(i%3 == 0), in.NotIf(i%5 == 0))
		}
		b.Bad(end, 0)
	}
	c := b.Build()
	run := cert.Trace{Initial: make([]circuit.Value, inputs)}
	for range steps {
		run.Inputs = append(run.Inputs, make([]circuit.Value, inputs))
	}
	s, err := trace.Simulate(t.Context(), c, run)
	if err != nil || trace.GatesOf(s) != steps*c.NumGates() {
		t.Fatalf("%d gates are computed at first, %v", trace.GatesOf(s), err)
	}
	run = clone(run)
	run.Inputs[3][50] = circuit.One
	s, err = s.Changed(t.Context(), run)
	if got := trace.GatesOf(s); err != nil || got == 0 || got > 2*c.NumGates()/inputs {
		t.Errorf("%d of %d gates are computed again, %v", got, steps*c.NumGates(), err)
	}
	checkSimulation(t, c, run, s)
}
