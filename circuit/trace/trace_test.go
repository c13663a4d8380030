package trace_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/trace"
	"aiglens/internal/explicit"
)

var property = circuit.Property{Kind: circuit.PropertyBad}

// violates replays a trace by the checker.
func violates(t testing.TB, c *circuit.Circuit, run cert.Trace) bool {
	t.Helper()
	_, err := cert.Check(t.Context(), c, property, cert.Verdict{Outcome: cert.Refuted, Trace: run})
	var rejected *cert.RejectedError
	if err != nil && !errors.As(err, &rejected) {
		t.Fatal(err)
	}
	return err == nil
}

// randomTrace looks for a run into the bad state by chance. Some of its values are
// x.
func randomTrace(t testing.TB, r *rand.Rand, c *circuit.Circuit) (run cert.Trace, ok bool) {
	value := func() circuit.Value {
		if r.IntN(8) == 0 {
			return circuit.X
		}
		return circuit.Value(r.IntN(2))
	}
	for range 20 {
		run := cert.Trace{Initial: make([]circuit.Value, len(c.Latches()))}
		for i, l := range c.Latches() {
			run.Initial[i] = circuit.ValueOf(l.Reset == circuit.True)
			if l.IsFree() {
				run.Initial[i] = value()
			} else if l.HasFunction() && r.IntN(2) == 0 {
				run.Initial[i] = circuit.X
			}
		}
		for range 1 + r.IntN(12) {
			row := make([]circuit.Value, len(c.Inputs()))
			for i := range row {
				row[i] = value()
			}
			run.Inputs = append(run.Inputs, row)
			if violates(t, c, run) {
				return run, true
			}
		}
	}
	return run, false
}

// eachTrace calls do for counterexamples of random circuits.
func eachTrace(t *testing.T, do func(t *testing.T, c *circuit.Circuit, run cert.Trace)) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	found := 0
	for range 500 {
		c := explicit.RandomCircuit(r, explicit.Shape{
			Inputs: 5, Latches: 6, Gates: 30, Constraints: r.IntN(3), FreeLatches: true, OneResets: true, Constants: r.IntN(4) == 0,
			ResetFunctions: r.IntN(2) == 0,
		})
		if run, ok := randomTrace(t, r, c); ok {
			found++
			do(t, c, run)
			if t.Failed() {
				return
			}
		}
	}
	if found < 150 {
		t.Fatalf("%d counterexamples only", found)
	}
}

// choices returns the values that a run chooses: inputs and initial values of free
// latches.
func choices(c *circuit.Circuit, run cert.Trace) []*circuit.Value {
	var values []*circuit.Value
	for i, l := range c.Latches() {
		if l.IsFree() {
			values = append(values, &run.Initial[i])
		}
	}
	for _, row := range run.Inputs {
		for i := range row {
			values = append(values, &row[i])
		}
	}
	return values
}

func clone(run cert.Trace) cert.Trace {
	c := cert.Trace{Initial: slices.Clone(run.Initial)}
	for _, row := range run.Inputs {
		c.Inputs = append(c.Inputs, slices.Clone(row))
	}
	return c
}

func equal(a, b cert.Trace) bool {
	return slices.Equal(a.Initial, b.Initial) && slices.EqualFunc(a.Inputs, b.Inputs, slices.Equal[[]circuit.Value])
}

// checkMinimal fails when a value that is left could be x.
func checkMinimal(t *testing.T, c *circuit.Circuit, run cert.Trace) {
	t.Helper()
	if !violates(t, c, run) {
		t.Fatal("the result violates nothing")
	}
	for i, v := range choices(c, run) {
		if was := *v; was != circuit.X {
			*v = circuit.X
			if violates(t, c, run) {
				t.Errorf("value %d does not matter", i)
			}
			*v = was
		}
	}
}

func TestMinimizeIsMinimal(t *testing.T) {
	shorter, fewer := 0, 0
	eachTrace(t, func(t *testing.T, c *circuit.Circuit, run cert.Trace) {
		before := clone(run)
		got, stats, err := trace.Minimize(t.Context(), c, c.Bads()[0].Lit, run, 0)
		if err != nil {
			t.Fatal(err)
		}
		if !equal(before, run) {
			t.Error("Minimize changed its argument")
		}
		checkMinimal(t, c, got)
		if stats.Bounded || stats.StepsBefore != run.Steps() || stats.Steps != got.Steps() {
			t.Errorf("%+v, %d steps of %d", stats, got.Steps(), run.Steps())
		}
		left := 0
		for _, v := range choices(c, got) {
			if *v != circuit.X {
				left++
			}
		}
		if left != stats.Inputs.After+stats.Latches.After {
			t.Errorf("%d values left, %+v", left, stats)
		}
		if got.Steps() < run.Steps() {
			shorter++
		}
		if stats.Inputs.After < stats.Inputs.Justified {
			fewer++
		}
		again, stats, err := trace.Minimize(t.Context(), c, c.Bads()[0].Lit, got, 0)
		if err != nil || !equal(again, got) {
			t.Errorf("another round changed the trace: %+v, %v", stats, err)
		}
	})
	if shorter == 0 || fewer == 0 {
		t.Errorf("loops cut in %d traces, trials that succeeded in %d", shorter, fewer)
	}
}

// TestConcreteStart: it shows the same violation without x where resets are functions,
// also when what is left open becomes 0.
func TestConcreteStart(t *testing.T) {
	changed := 0
	eachTrace(t, func(t *testing.T, c *circuit.Circuit, run cert.Trace) {
		small, _, err := trace.Minimize(t.Context(), c, c.Bads()[0].Lit, run, 0)
		if err != nil {
			t.Fatal(err)
		}
		before := clone(small)
		got := trace.ConcreteStart(c, small)
		if !equal(before, small) {
			t.Error("ConcreteStart changed its argument")
		}
		for i, l := range c.Latches() {
			if l.HasFunction() && got.Initial[i] == circuit.X {
				t.Errorf("latch %d starts with x", i)
			}
		}
		if !equal(got, small) {
			changed++
		}
		for _, values := range append([][]circuit.Value{got.Initial}, got.Inputs...) {
			for i, v := range values {
				if v == circuit.X {
					values[i] = circuit.Zero
				}
			}
		}
		for i, l := range c.Latches() { // a fixed reset is x
			if l.Reset == circuit.True {
				got.Initial[i] = circuit.One
			}
		}
		if !violates(t, c, got) {
			t.Errorf("%v shows no violation", got)
		}
	})
	if changed == 0 {
		t.Error("no trace needed it")
	}
}

func TestMinimizeKeepsATraceWithinItsBound(t *testing.T) {
	bounded := 0
	eachTrace(t, func(t *testing.T, c *circuit.Circuit, run cert.Trace) {
		got, stats, err := trace.Minimize(t.Context(), c, c.Bads()[0].Lit, run, 3)
		if err != nil || !violates(t, c, got) {
			t.Fatalf("%v", err)
		}
		if stats.Bounded {
			bounded++
		}
	})
	if bounded == 0 {
		t.Error("the bound was never met")
	}
}

func TestMinimizeRefusesWhatViolatesNothing(t *testing.T) {
	b := circuit.NewBuilder(0)
	in := b.Input(0)
	b.Constraint(in, 0)
	b.Bad(in, 0)
	c := b.Build()
	for _, test := range []struct {
		run  cert.Trace
		want error
	}{
		{cert.Trace{}, trace.ErrNoViolation},
		{cert.Trace{Inputs: [][]circuit.Value{{circuit.Zero}}}, trace.ErrNoViolation},
		{cert.Trace{Inputs: [][]circuit.Value{{circuit.X}}}, trace.ErrNoViolation},
		{cert.Trace{Inputs: [][]circuit.Value{{}}}, trace.ErrForm},
		{cert.Trace{Initial: []circuit.Value{circuit.One}}, trace.ErrForm},
		{cert.Trace{Inputs: [][]circuit.Value{{circuit.One}}}, nil},
	} {
		got, _, err := trace.Minimize(t.Context(), c, c.Bads()[0].Lit, test.run, 0)
		if !errors.Is(err, test.want) || !equal(got, test.run) {
			t.Errorf("%v: %v, want %v", test.run, err, test.want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	run := cert.Trace{Inputs: [][]circuit.Value{{circuit.One}, {circuit.One}}}
	if _, _, err := trace.Minimize(ctx, c, c.Bads()[0].Lit, run, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestSupportSuffices keeps nothing but the leaves of an explanation: the bad literal
// must still be 1. On a minimal trace without constraints nothing can be left out.
func TestSupportSuffices(t *testing.T) {
	eachTrace(t, func(t *testing.T, c *circuit.Circuit, run cert.Trace) {
		minimal, _, err := trace.Minimize(t.Context(), c, c.Bads()[0].Lit, run, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, run := range []cert.Trace{run, minimal} {
			r, err := trace.New(t.Context(), c, run)
			if err != nil {
				t.Fatal(err)
			}
			last := run.Steps() - 1
			support, err := r.Support(t.Context(), trace.Event{Lit: c.Bads()[0].Lit, Step: last})
			if err != nil {
				t.Fatal(err)
			}
			only := clone(run)
			for _, v := range choices(c, only) {
				*v = circuit.X
			}
			for _, leaf := range support.Leaves {
				if i := c.InputIndex(leaf.Lit.Var()); i >= 0 {
					only.Inputs[leaf.Step][i] = leaf.Value
				} else {
					only.Initial[c.LatchIndex(leaf.Lit.Var())] = leaf.Value
				}
			}
			kept, err := trace.New(t.Context(), c, only)
			if err != nil {
				t.Fatal(err)
			}
			if v := kept.Value(c.Bads()[0].Lit, last); v != circuit.One {
				t.Errorf("the leaves alone give %s", v)
			}
			if len(c.Constraints()) == 0 && !equal(only, minimal) && equal(run, minimal) {
				t.Error("the explanation of a minimal trace does not need all of it")
			}
		}
	})
}

// TestExplainMatchesSupport compares the tree with the leaves found without one, and
// each node with the rules of three-valued logic.
func TestExplainMatchesSupport(t *testing.T) {
	eachTrace(t, func(t *testing.T, c *circuit.Circuit, run cert.Trace) {
		r, err := trace.New(t.Context(), c, run)
		if err != nil {
			t.Fatal(err)
		}
		bad, last := c.Bads()[0].Lit, run.Steps()-1
		root, err := r.Explain(t.Context(), bad, last, trace.Limit{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		support, err := r.Support(t.Context(), trace.Event{Lit: bad, Step: last})
		if err != nil {
			t.Fatal(err)
		}
		leaves, latches := map[trace.Event]bool{}, map[int][2]int{}
		walk(root, func(n *trace.Node) {
			checkNode(t, c, r, n)
			if n.Reason.IsLeaf() {
				leaves[trace.Event{Lit: n.Lit.Positive(), Step: n.Step, Value: n.Value.NotIf(n.Lit.IsNegated())}] = true
			}
			if i := c.LatchIndex(n.Lit.Var()); i >= 0 {
				span, known := latches[i]
				if !known {
					span = [2]int{n.Step, n.Step}
				}
				latches[i] = [2]int{min(span[0], n.Step), max(span[1], n.Step)}
			}
		})
		if len(leaves) != len(support.Leaves) {
			t.Errorf("%d leaves in the tree, %d without it", len(leaves), len(support.Leaves))
		}
		for _, leaf := range support.Leaves {
			if !leaves[leaf] {
				t.Errorf("%v is not a leaf of the tree", leaf)
			}
		}
		if len(latches) != len(support.Latches) {
			t.Errorf("%d latches in the tree, %d without it", len(latches), len(support.Latches))
		}
		for i, l := range support.Latches {
			if latches[l.Index] != [2]int{l.First, l.Last} {
				t.Errorf("latch %d: %v in the tree, %v without it", l.Index, latches[l.Index], l)
			}
			if i > 0 && support.Latches[i-1].First > l.First {
				t.Error("latches out of order")
			}
		}
	})
}

func walk(n *trace.Node, visit func(*trace.Node)) {
	visit(n)
	for _, c := range n.Causes {
		walk(c, visit)
	}
}

// checkNode checks the causes of a node against the definition of its literal.
func checkNode(t *testing.T, c *circuit.Circuit, r *trace.Replay, n *trace.Node) {
	t.Helper()
	if n.Cut || n.Value == circuit.X || n.Value != r.Value(n.Lit, n.Step) {
		t.Errorf("node %v, cut %v, value in the run %s", n.Event, n.Cut, r.Value(n.Lit, n.Step))
	}
	reason, causes := r.Causes(n.Lit, n.Step)
	if reason != n.Reason || n.Repeated != (len(causes) > 0 && len(n.Causes) == 0) || !n.Repeated && len(causes) != len(n.Causes) {
		t.Errorf("%v: causes %v (%s), in the tree %v (%s)", n.Event, causes, reason, n.Causes, n.Reason)
	}
	left, right, isGate := c.Operands(n.Lit.Var())
	value := n.Value.NotIf(n.Lit.IsNegated())
	switch {
	case isGate && value == circuit.One:
		if len(causes) != 2 || causes[0].Lit != left || causes[1].Lit != right || causes[0].Value != circuit.One || causes[1].Value != circuit.One {
			t.Errorf("gate that is 1: %v", causes)
		}
	case isGate:
		if len(causes) != 1 || causes[0].Lit != left && causes[0].Lit != right || causes[0].Value != circuit.Zero || causes[0].Step != n.Step {
			t.Errorf("gate that is 0: %v", causes)
		}
	case c.Kind(n.Lit.Var()) == circuit.KindLatch && n.Step > 0:
		next := c.Latches()[c.LatchIndex(n.Lit.Var())].Next
		if len(causes) != 1 || causes[0] != (trace.Event{Lit: next, Step: n.Step - 1, Value: value}) {
			t.Errorf("latch: %v", causes)
		}
	case c.Kind(n.Lit.Var()) == circuit.KindLatch && c.Latches()[c.LatchIndex(n.Lit.Var())].HasFunction():
		reset := c.Latches()[c.LatchIndex(n.Lit.Var())].Reset
		if reason != trace.Reset || len(causes) != 1 || causes[0] != (trace.Event{Lit: reset, Step: 0, Value: value}) {
			t.Errorf("latch with a reset function: %v", causes)
		}
	default:
		if len(causes) != 0 {
			t.Errorf("%s has causes %v", reason, causes)
		}
	}
}

func TestExplainLimits(t *testing.T) {
	b := circuit.NewBuilder(0)
	a, l := b.Input(0), b.Latch(0)
	b.SetNext(l, b.Or(a, l))
	b.Bad(b.And(l, a), 0)
	c := b.Build()
	run := cert.Trace{
		Initial: []circuit.Value{circuit.Zero},
		Inputs:  [][]circuit.Value{{circuit.One}, {circuit.X}, {circuit.X}, {circuit.One}},
	}
	r, err := trace.New(t.Context(), c, run)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		limit      trace.Limit
		nodes, cut int
	}{
		{trace.Limit{}, 9, 0},
		{trace.Limit{Depth: 1}, 3, 1},
		{trace.Limit{Nodes: 5}, 5, 1},
		{trace.Limit{Nodes: 1}, 1, 1},
	} {
		root, err := r.Explain(t.Context(), c.Bads()[0].Lit, 3, test.limit, nil)
		if err != nil {
			t.Fatal(err)
		}
		nodes, cut := 0, 0
		walk(root, func(n *trace.Node) {
			nodes++
			if n.Cut {
				cut++
			}
		})
		if nodes != test.nodes || cut != test.cut {
			t.Errorf("%+v: %d nodes, %d cut; want %d and %d", test.limit, nodes, cut, test.nodes, test.cut)
		}
	}
	support, err := r.Support(t.Context(), trace.Event{Lit: c.Bads()[0].Lit, Step: 3})
	if err != nil {
		t.Fatal(err)
	}
	want := []trace.Event{{Lit: a, Step: 0, Value: circuit.One}, {Lit: a, Step: 3, Value: circuit.One}}
	if !slices.Equal(support.Leaves, want) || !slices.Equal(support.Latches, []trace.RelevantLatch{{Index: 0, First: 1, Last: 3}}) {
		t.Errorf("%+v", support)
	}
	if reason, causes := r.Causes(a, 1); reason != trace.NoReason || len(causes) != 0 {
		t.Errorf("x has the reason %s and causes %v", reason, causes)
	}
}

func TestValues(t *testing.T) {
	eachTrace(t, func(t *testing.T, c *circuit.Circuit, run cert.Trace) {
		var lits []circuit.Lit
		for l := range circuit.Lit(2 * c.NumVars()) {
			lits = append(lits, l)
		}
		r, err := trace.New(t.Context(), c, run)
		if err != nil {
			t.Fatal(err)
		}
		got, err := r.Values(t.Context(), r.Steps(), lits...)
		if err != nil {
			t.Fatal(err)
		}
		sim := circuit.NewTernary(c)
		sim.Reset()
		for i, l := range c.Latches() {
			if l.IsFree() {
				sim.SetLatch(i, run.Initial[i])
			}
		}
		for step, row := range run.Inputs {
			if step > 0 {
				sim.Advance()
			}
			sim.Eval(row)
			for i, l := range lits {
				if got[i][step] != sim.Value(l) {
					t.Fatalf("literal %d at step %d: %s, want %s", l, step, got[i][step], sim.Value(l))
				}
			}
		}
	})
	x, zero, one := circuit.X, circuit.Zero, circuit.One
	if got := trace.Changes([]circuit.Value{x, x, one, one, zero, x}); !slices.Equal(got, []int{2, 4, 5}) {
		t.Errorf("changes %v", got)
	}
}

// TestReplayIsShared asks from several goroutines; the race detector looks on.
func TestReplayIsShared(t *testing.T) {
	b := circuit.NewBuilder(0)
	in, l := b.Input(0), b.Latch(0)
	b.SetNext(l, b.And(in, l.Not()))
	b.Bad(l, 0)
	c := b.Build()
	r, err := trace.New(t.Context(), c, run("0", "1", "1", "1", "0"))
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for step := range r.Steps() {
				values, err := r.Values(t.Context(), r.Steps(), l)
				if want := circuit.ValueOf(step%2 == 1); err != nil || r.Value(l, step) != want || values[0][step] != want {
					t.Errorf("value at step %d, want %s", step, want)
				}
				r.Causes(l, step)
			}
		})
	}
	all.Wait()
}
