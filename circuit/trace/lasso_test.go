package trace_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/trace"
)

// eachLasso calls do for runs of random circuits with each of their steps as the first of
// a loop. That the state comes back to it is not said.
func eachLasso(t *testing.T, do func(t *testing.T, c *circuit.Circuit, l cert.Lasso)) {
	t.Helper()
	eachTrace(t, func(t *testing.T, c *circuit.Circuit, run cert.Trace) {
		for loop := range run.Steps() {
			do(t, c, cert.Lasso{Trace: run, Loop: loop})
		}
	})
}

// TestLassoGoesRound compares the values of a lasso with a simulation that goes on.
func TestLassoGoesRound(t *testing.T) {
	eachLasso(t, func(t *testing.T, c *circuit.Circuit, l cert.Lasso) {
		r, err := trace.NewLasso(t.Context(), c, l)
		if err != nil {
			t.Fatal(err)
		}
		length := l.Steps() - l.Loop
		long := clone(l.Trace)
		for range 6 {
			long.Inputs = append(long.Inputs, long.Inputs[l.Loop:l.Loop+length]...)
		}
		want, err := trace.New(t.Context(), c, long)
		if err != nil {
			t.Fatal(err)
		}
		var lits []circuit.Lit
		for l := range circuit.Lit(2 * c.NumVars()) {
			lits = append(lits, l)
		}
		got, err := r.Values(t.Context(), long.Steps(), lits...)
		if err != nil {
			t.Fatal(err)
		}
		for step := range long.Steps() {
			for i, lit := range lits {
				if v := want.Value(lit, step); r.Value(lit, step) != v || got[i][step] != v {
					t.Fatalf("literal %d at step %d of a loop from %d to %d: %s and %s, want %s",
						lit, step, l.Loop, l.Steps()-1, r.Value(lit, step), got[i][step], v)
				}
			}
		}
		first, end := r.Period()
		if first < l.Loop || end <= first || (end-first)%length != 0 || r.Recorded(end) != first {
			t.Errorf("the steps from %d to %d repeat, in a loop from %d of %d steps", first, end, l.Loop, length)
		}
		if r.Value(c.Bads()[0].Lit, long.Steps()-1) == circuit.X {
			return
		}
		root, err := r.Explain(t.Context(), c.Bads()[0].Lit, long.Steps()-1, trace.Limit{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		walk(root, func(n *trace.Node) { checkNode(t, c, r, n) })
	})
}

// TestCausesAcrossTheLoop asks for a latch in the first step of the second round: what
// gives it its value lies in the last step of the round before.
func TestCausesAcrossTheLoop(t *testing.T) {
	b := circuit.NewBuilder(0)
	in, set := b.Input(0), b.Latch(0)
	b.SetNext(set, in)
	c := b.Build()
	r, err := trace.NewLasso(t.Context(), c, cert.Lasso{Trace: run("0", "1", "0", "1"), Loop: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []int{3, 5, 1001} {
		reason, causes := r.Causes(set, step)
		if want := []trace.Event{{Lit: in, Step: step - 1, Value: circuit.One}}; reason != trace.Next || !slices.Equal(causes, want) {
			t.Errorf("step %d: %s, %v, want %v", step, reason, causes, want)
		}
	}
	all, err := r.ExplainAll(t.Context(), []trace.Event{{Lit: set, Step: 1, Value: circuit.One}, {Lit: in, Step: 2, Value: circuit.One}}, trace.Limit{Depth: 2}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(all.Causes) != 2 || len(all.Causes[0].Causes) != 1 || all.Causes[0].Causes[0].Lit != in || all.Causes[1].Reason != trace.Input {
		t.Errorf("%+v", all)
	}
	for _, limit := range []trace.Limit{{Depth: 1}, {Nodes: 3}} {
		all, err := r.ExplainAll(t.Context(), []trace.Event{{Lit: set, Step: 1, Value: circuit.One}, {Lit: in, Step: 2, Value: circuit.One}}, limit, nil)
		if err != nil || len(all.Causes) != 2 || !all.Causes[0].Cut || len(all.Causes[0].Causes) > 0 {
			t.Errorf("%+v: %+v, %v", limit, all.Causes[0], err)
		}
	}
}

// counterBeside returns a circuit with a latch that the input sets, and a counter of some
// bits that counts the steps. The latch must be 1 infinitely often.
func counterBeside(bits int) *circuit.Circuit {
	b := circuit.NewBuilder(0)
	in, latch := b.Input(0), b.Latch(0)
	b.SetNext(latch, in)
	carry := circuit.True
	for range bits {
		bit := b.Latch(0)
		b.SetNext(bit, b.Xor(bit, carry))
		carry = b.And(carry, bit)
	}
	b.Justice([]circuit.Lit{latch}, 0)
	return b.Build()
}

// TestLateRoundsAreWeak has a counter that takes too many rounds to come back: it is x in
// the end, and what does not depend on it keeps its values.
func TestLateRoundsAreWeak(t *testing.T) {
	c := counterBeside(40)
	l := cert.Lasso{Trace: run(strings.Repeat("0", 41), "1", "1", "0"), Loop: 1}
	r, err := trace.NewLasso(t.Context(), c, l)
	if err != nil {
		t.Fatal(err)
	}
	latch, second := c.Latches()[0].Lit, c.Latches()[2].Lit
	late := 1 + 2*5_000_000
	for i, want := range []circuit.Value{circuit.Zero, circuit.One} {
		if got := r.Value(latch, late+i); got != want {
			t.Errorf("the latch is %s at step %d, want %s", got, late+i, want)
		}
	}
	if got := r.Value(second, late); got != circuit.X {
		t.Errorf("the counter is %s at step %d", got, late)
	}
	if got := r.Value(second, 23); got != circuit.One {
		t.Errorf("the counter is %s at step 23", got)
	}
}

// TestWeakStates compares the states that stand for all rounds, and all values after them,
// with those found round by round: each round sets to x what it changes.
func TestWeakStates(t *testing.T) {
	trace.WithoutRounds(t)
	weak, late := 0, 0
	eachLasso(t, func(t *testing.T, c *circuit.Circuit, l cert.Lasso) {
		length := l.Steps() - l.Loop
		round := func(sim *circuit.Ternary, begin []circuit.Value) (values []circuit.Value) {
			for {
				for i, v := range begin {
					sim.SetLatch(i, v)
				}
				values = values[:0]
				for step := l.Loop; step < l.Steps(); step++ {
					sim.Eval(l.Inputs[step])
					for v := range circuit.Var(c.NumVars()) {
						values = append(values, sim.Value(v.Lit()))
					}
					sim.Advance()
				}
				changed := false
				for i, latch := range c.Latches() {
					if begin[i] != circuit.X && begin[i] != sim.Value(latch.Lit) {
						begin[i], changed = circuit.X, true
					}
				}
				if !changed {
					return values
				}
				late++
			}
		}
		stateAfter := func(rounds int) []circuit.Value {
			run := clone(l.Trace)
			for range rounds {
				run.Inputs = append(run.Inputs, run.Inputs[l.Loop:l.Steps()]...)
			}
			r, err := trace.New(t.Context(), c, run)
			if err != nil {
				t.Fatal(err)
			}
			var state []circuit.Value
			for _, latch := range c.Latches() {
				state = append(state, r.Value(latch.Lit, l.Loop+length*rounds))
			}
			return state
		}
		values, err := trace.WeakValues(t.Context(), c, l)
		if err != nil {
			t.Fatal(err)
		}
		want := round(circuit.NewTernary(c), stateAfter(0))
		if got := values[l.Loop*c.NumVars():]; !slices.Equal(got, want) {
			t.Fatalf("a loop from step %d of %d: the minimiser begins with %v, want %v", l.Loop, l.Steps(), got, want)
		}
		r, err := trace.NewLasso(t.Context(), c, l)
		if err != nil {
			t.Fatal(err)
		}
		first, end := r.Period()
		if first == l.Loop {
			return // the first round leads back already
		}
		begin := stateAfter(1)
		want = round(circuit.NewTernary(c), begin)
		if slices.Contains(begin, circuit.X) {
			weak++
		}
		if first != l.Steps() || end != l.Steps()+length {
			t.Fatalf("a loop from step %d of %d: the steps from %d to %d repeat", l.Loop, l.Steps(), first, end)
		}
		for i, want := range want {
			v, step := circuit.Var(i%c.NumVars()), first+i/c.NumVars()
			if got := r.Value(v.Lit(), step); got != want {
				t.Fatalf("a loop from step %d of %d: variable %d is %s at step %d, want %s", l.Loop, l.Steps(), v, got, step, want)
			}
		}
	})
	if weak < 100 || late < 500 {
		t.Errorf("%d weak states, %d more rounds", weak, late)
	}
}

// TestUnroll closes loops in all latches: the rule of witness files accepts them, with the
// same values for what the loop shows.
func TestUnroll(t *testing.T) {
	closed := 0
	eachLasso(t, func(t *testing.T, c *circuit.Circuit, l cert.Lasso) {
		before := clone(l.Trace)
		got, err := trace.Unroll(t.Context(), c, l)
		if err != nil {
			t.Fatal(err)
		}
		if !equal(before, l.Trace) {
			t.Fatal("the lasso itself has changed")
		}
		if got.Loop < l.Loop || (got.Loop-l.Loop)%(l.Steps()-l.Loop) != 0 || (got.Steps()-got.Loop)%(l.Steps()-l.Loop) != 0 {
			t.Errorf("a loop from %d to %d has become one from %d to %d", l.Loop, l.Steps(), got.Loop, got.Steps())
		}
		r, err := trace.NewLasso(t.Context(), c, got)
		if err != nil {
			t.Fatal(err)
		}
		if first, end := r.Period(); first != got.Loop || end != got.Steps() {
			t.Errorf("the state of step %d is not that of step %d", got.Steps(), got.Loop)
		}
		for i, latch := range c.Latches() {
			if v := r.Value(latch.Lit, 0); got.Initial[i] != v {
				t.Errorf("latch %d begins with %s, written as %s", i, v, got.Initial[i])
			}
		}
		closed++
	})
	if closed < 400 {
		t.Errorf("%d lassos only", closed)
	}
}

// TestUnrollToAWitness has a latch outside of the property that takes four rounds.
func TestUnrollToAWitness(t *testing.T) {
	c := counterBeside(2)
	l := cert.Lasso{Trace: run("0xx", "1", "1"), Loop: 1}
	got, err := trace.Unroll(t.Context(), c, l)
	if err != nil {
		t.Fatal(err)
	}
	kept, loop, err := trace.Lasso(t.Context(), c, 0, got.Trace)
	if err != nil || got.Steps() != 5 || loop != 1 || !equal(kept, got.Trace) {
		t.Errorf("%d steps with a loop from %d: %v", got.Steps(), loop, err)
	}
	if _, _, err := trace.Lasso(t.Context(), c, 0, l.Trace); err == nil {
		t.Error("the loop closes as it stands: the test shows nothing")
	}
	var open *trace.OpenLoopError
	c = counterBeside(30)
	if _, err := trace.Unroll(t.Context(), c, cert.Lasso{Trace: run(strings.Repeat("0", 31), "1", "1"), Loop: 1}); !errors.As(err, &open) || open.Steps != 1_000_000 {
		t.Errorf("a counter of 30 bits: %v", err)
	}
}

func TestLassoForm(t *testing.T) {
	c := counterBeside(0)
	for _, l := range []cert.Lasso{{Trace: run("0", "1"), Loop: 1}, {Trace: run("0", "1"), Loop: -1}, {Trace: run("0")}, {Trace: run("0", "11")}, {Trace: run("", "1")}} {
		if _, err := trace.NewLasso(t.Context(), c, l); !errors.Is(err, trace.ErrForm) {
			t.Errorf("replayed: %v", err)
		}
		if _, err := trace.Unroll(t.Context(), c, l); !errors.Is(err, trace.ErrForm) {
			t.Errorf("unrolled: %v", err)
		}
	}
}
