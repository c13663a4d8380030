package trace_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/trace"
	"aiglens/internal/explicit"
	"aiglens/internal/shared"
)

var justice0 = circuit.Property{Kind: circuit.PropertyJustice}

func certifies(t *testing.T, c *circuit.Circuit, l cert.Lasso) bool {
	t.Helper()
	_, err := cert.Check(context.Background(), c, justice0, cert.Verdict{Outcome: cert.Refuted, Lasso: &l})
	return err == nil
}

// detour returns a lasso with its loop gone through some times before it and in it.
func detour(r *rand.Rand, l cert.Lasso) cert.Lasso {
	stem, round := l.Inputs[:l.Loop], l.Inputs[l.Loop:]
	long := cert.Lasso{Trace: cert.Trace{Initial: l.Initial, Inputs: slices.Clone(stem)}}
	for range r.IntN(3) {
		long.Inputs = append(long.Inputs, round...)
	}
	turn := r.IntN(len(round))
	long.Inputs = append(long.Inputs, round[:turn]...)
	long.Loop = long.Steps()
	for range 1 + r.IntN(3) {
		long.Inputs = append(append(long.Inputs, round[turn:]...), round[:turn]...)
	}
	return long
}

// TestMinimizeLasso: what is made of a lasso with detours is no longer than it was without,
// is one still, and none with any one value more set to x.
func TestMinimizeLasso(t *testing.T) {
	tried, shorter, values := 0, 0, 0
	for seed := range uint64(1500) {
		r := rand.New(rand.NewPCG(21, seed))
		c := explicit.RandomCircuit(r, explicit.Shape{
			Inputs: 3, Latches: 5, Gates: 20, Constraints: 1, FreeLatches: true, OneResets: true,
			ResetFunctions: seed%3 == 0, Justice: 2, Fairness: 2,
		})
		l := explicit.Lasso(c, justice0)
		if l == nil {
			continue
		}
		tried++
		long := detour(r, *l)
		before := slices.Clone(long.Inputs[0])
		kept, stats, err := trace.MinimizeLasso(t.Context(), c, c.Goals(0), long, 0)
		if err != nil || !certifies(t, c, kept) {
			t.Fatalf("seed %d: %v, of %+v came %+v", seed, err, long, kept)
		}
		if !slices.Equal(before, long.Inputs[0]) {
			t.Fatalf("seed %d: what was given has changed", seed)
		}
		if kept.Steps() > l.Steps() || stats.Steps != kept.Steps() || stats.StepsBefore != long.Steps() || stats.Bounded {
			t.Fatalf("seed %d: %d steps of %d with detours, %d without: %+v", seed, kept.Steps(), long.Steps(), l.Steps(), stats)
		}
		if kept.Steps() < l.Steps() {
			shorter++
		}
		values += stats.Inputs.After + stats.Latches.After
		expectMinimal(t, c, kept)
		bounded, stats, err := trace.MinimizeLasso(t.Context(), c, c.Goals(0), long, 1+r.Int64N(100))
		if err != nil || !certifies(t, c, bounded) {
			t.Fatalf("seed %d: %v, bounded %+v", seed, err, stats)
		}
	}
	if tried < 300 || shorter < 10 || values < 500 {
		t.Errorf("%d lassos, %d shorter than by search, %d values needed", tried, shorter, values)
	}
}

func expectMinimal(t *testing.T, c *circuit.Circuit, l cert.Lasso) {
	t.Helper()
	try := func(v *circuit.Value) {
		was := *v
		if *v = circuit.X; was != circuit.X && certifies(t, c, l) {
			t.Fatalf("one more value can be x: %+v", l)
		}
		*v = was
	}
	for _, row := range l.Inputs {
		for i := range row {
			try(&row[i])
		}
	}
	for i, latch := range c.Latches() {
		if latch.IsFree() {
			try(&l.Initial[i])
		}
	}
}

// TestMinimizeNoLasso: what is none comes back as it was, with an error.
func TestMinimizeNoLasso(t *testing.T) {
	b := circuit.NewBuilder(0)
	in, l := b.Input(0), b.Latch(0)
	b.SetNext(l, in)
	b.Constraint(in, 0)
	b.Justice([]circuit.Lit{l}, 0)
	c := b.Build()
	one := []circuit.Value{circuit.One}
	zero := []circuit.Value{circuit.Zero}
	for name, test := range map[string]struct {
		lasso cert.Lasso
		want  error
	}{
		"a goal not met":   {cert.Lasso{Trace: cert.Trace{Initial: zero, Inputs: [][]circuit.Value{one}}}, trace.ErrNoViolation},
		"a constraint":     {cert.Lasso{Trace: cert.Trace{Initial: zero, Inputs: [][]circuit.Value{zero, one}}, Loop: 1}, trace.ErrNoViolation},
		"a loop too late":  {cert.Lasso{Trace: cert.Trace{Initial: zero, Inputs: [][]circuit.Value{one}}, Loop: 1}, trace.ErrForm},
		"too many latches": {cert.Lasso{Trace: cert.Trace{Initial: []circuit.Value{0, 0}, Inputs: [][]circuit.Value{one}}}, trace.ErrForm},
		"no step":          {cert.Lasso{Trace: cert.Trace{Initial: zero}}, trace.ErrForm},
	} {
		kept, _, err := trace.MinimizeLasso(t.Context(), c, c.Goals(0), test.lasso, 0)
		if !errors.Is(err, test.want) || kept.Steps() != test.lasso.Steps() {
			t.Errorf("%s: %v", name, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	good := cert.Lasso{Trace: cert.Trace{Initial: zero, Inputs: [][]circuit.Value{one, one}}, Loop: 1}
	if _, _, err := trace.MinimizeLasso(ctx, c, c.Goals(0), good, 0); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if kept, _, err := trace.MinimizeLasso(t.Context(), c, c.Goals(0), good, 0); err != nil || kept.Loop != 1 || kept.Steps() != 2 {
		t.Errorf("%+v, %v", kept, err)
	}
}

// TestMinimizeLongLoop: the steps of a long loop are not compared with each other beyond
// the bound.
func TestMinimizeLongLoop(t *testing.T) {
	const bits = 14
	b := circuit.NewBuilder(200)
	all := circuit.True
	var l cert.Lasso
	for range bits {
		bit := b.Latch(0)
		b.SetNext(bit, b.Xor(bit, all))
		all = b.And(all, bit)
		l.Initial = append(l.Initial, circuit.X)
	}
	b.Justice([]circuit.Lit{all}, 0)
	c := b.Build()
	l.Inputs = make([][]circuit.Value, 1<<bits)
	work := shared.NewPolls(0)
	_, _, err := trace.MinimizeLasso(work, c, c.Goals(0), l, 100_000)
	if err != nil || work.Looks > 16<<bits {
		t.Errorf("%v after %d looks at the context", err, work.Looks)
	}
}

// TestShorterLooksAtContext: states are compared with each other no longer than the context
// lives, and the lasso stays as it was.
func TestShorterLooksAtContext(t *testing.T) {
	const bits, steps = 8, 1 << 8
	b := circuit.NewBuilder(0)
	carry, all := circuit.True, circuit.True
	for range bits {
		bit := b.Latch(0)
		b.SetNext(bit, b.Xor(bit, carry))
		carry, all = b.And(carry, bit), b.And(all, bit)
	}
	b.Justice([]circuit.Lit{all}, 0)
	c := b.Build()
	l := cert.Lasso{Trace: cert.Trace{Initial: make([]circuit.Value, bits), Inputs: make([][]circuit.Value, steps)}}
	whole := shared.NewPolls(0)
	if _, _, err := trace.MinimizeLasso(whole, c, c.Goals(0), l, 0); err != nil {
		t.Fatal(err)
	}
	if whole.Looks < steps*steps/2 {
		t.Fatalf("%d looks for %d pairs of states", whole.Looks, steps*steps/2)
	}
	ended := shared.NewPolls(whole.Looks / 4)
	got, _, err := trace.MinimizeLasso(ended, c, c.Goals(0), l, 0)
	if !errors.Is(err, context.Canceled) || got.Steps() != steps || ended.Looks > ended.End+4*steps {
		t.Errorf("%v after %d looks, of %d before the end; %d steps", err, ended.Looks, ended.End, got.Steps())
	}
}
