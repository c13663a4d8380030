package reduce_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/reduce"
)

type lit = circuit.Lit

// shift adds a shift register that starts with a given reset and returns its
// last latch.
func shift(b *circuit.Builder, in, reset lit, length int) lit {
	for range length {
		l := b.Latch(0)
		b.SetReset(l, reset)
		b.SetNext(l, in)
		in = l
	}
	return in
}

// majority returns two forms of the majority of three literals, of which
// structural hashing sees no more than that they share inputs.
func majority(b *circuit.Builder, x, y, z lit) (lit, lit) {
	return b.Or(b.And(x, y), b.And(z, b.Or(x, y))), b.Mux(x, b.Or(y, z), b.And(y, z))
}

// TestSteps: circuits of which it is known what goes. Each verdict is lifted
// and must pass.
func TestSteps(t *testing.T) {
	only := func(name string) reduce.Options { return ablations[name] }
	for _, test := range []struct {
		name    string
		options reduce.Options
		build   func(b *circuit.Builder) (bad lit)
		latches int // that remain
		gates   int
		outcome cert.Outcome
	}{
		{"latches that keep each other at their resets", only("constants"), func(b *circuit.Builder) lit {
			in, l, m := b.Input(0), b.Latch(0), b.Latch(0)
			b.SetReset(m, circuit.True)
			b.SetNext(l, b.And(in, m.Not()))
			b.SetNext(m, b.Or(in, l.Not()))
			return b.Or(l, m.Not())
		}, 0, 0, cert.Proved},
		{"a latch that gets another value is not a constant", only("constants"), func(b *circuit.Builder) lit {
			return shift(b, b.Input(0), circuit.False, 3)
		}, 3, 0, cert.Refuted},
		{"a free latch is not a constant", only("constants"), func(b *circuit.Builder) lit {
			l := b.Latch(0)
			b.SetReset(l, l)
			return l
		}, 1, 0, cert.Refuted},
		{"two identical shift registers", only("correspondence"), func(b *circuit.Builder) lit {
			in := b.Input(0)
			return b.Xor(shift(b, in, circuit.False, 20), shift(b, in, circuit.False, 20))
		}, 0, 0, cert.Proved},
		{"opposite shift registers", only("correspondence"), func(b *circuit.Builder) lit {
			in := b.Input(0)
			return b.And(b.Input(0), b.Xor(shift(b, in, circuit.False, 20), shift(b, in.Not(), circuit.True, 20)).Not())
		}, 0, 0, cert.Proved},
		{"registers that start differently", only("correspondence"), func(b *circuit.Builder) lit {
			in := b.Input(0)
			return b.Xor(shift(b, in, circuit.False, 3), shift(b, in, circuit.True, 3))
		}, 6, 3, cert.Refuted},
		{"free latches with one next state", only("correspondence"), func(b *circuit.Builder) lit {
			in := b.Input(0)
			l, m := b.Latch(0), b.Latch(0)
			b.SetReset(l, l)
			b.SetReset(m, m)
			b.SetNext(l, in)
			b.SetNext(m, in)
			return b.Xor(l, m)
		}, 2, 3, cert.Refuted},
		{"latches equal by each other", only("correspondence"), func(b *circuit.Builder) lit {
			in, l, m, n := b.Input(0), b.Latch(0), b.Latch(0), b.Latch(0)
			b.SetNext(l, b.Xor(m, in))
			b.SetNext(m, b.Xor(l, in))
			b.SetNext(n, b.Mux(in, l.Not(), m))
			return b.Or(b.Xor(l, n), b.Xor(l, m))
		}, 0, 0, cert.Proved},
		{"next states that only the solver finds equal", only("correspondence"), func(b *circuit.Builder) lit {
			f, g := majority(b, b.Input(0), b.Input(0), b.Input(0))
			return b.Xor(shift(b, f, circuit.False, 2), shift(b, g, circuit.False, 2))
		}, 0, 0, cert.Proved},
		{"latches equal under a constraint", only("correspondence"), func(b *circuit.Builder) lit {
			in, other := b.Input(0), b.Input(0)
			b.Constraint(b.Xor(in, other).Not(), 0)
			return b.Xor(shift(b, in, circuit.False, 5), shift(b, other, circuit.False, 5))
		}, 0, 3, cert.Proved},
		{"equal but not by induction over one step", only("correspondence"), func(b *circuit.Builder) lit {
			// ¬(l ∧ m) always holds, and is not an equivalence.
			in, l, m := b.Input(0), b.Latch(0), b.Latch(0)
			b.SetNext(l, in)
			b.SetNext(m, in.Not())
			p, q := b.Latch(0), b.Latch(0)
			b.SetNext(p, in)
			b.SetNext(q, b.Or(in, b.And(l, m)))
			return b.Xor(p, q)
		}, 3, 5, cert.Proved},
		{"gates equal by truth table", only("sweeping"), func(b *circuit.Builder) lit {
			f, g := majority(b, b.Input(0), b.Input(0), shift(b, b.Input(0), circuit.False, 1))
			return b.Xor(f, g)
		}, 0, 0, cert.Proved},
		{"opposite gates", only("sweeping"), func(b *circuit.Builder) lit {
			f, g := majority(b, b.Input(0), b.Input(0), shift(b, b.Input(0), circuit.False, 1))
			return b.And(f.Not(), g)
		}, 0, 0, cert.Proved},
		{"gates equal only in reachable states", only("sweeping"), func(b *circuit.Builder) lit {
			in := b.Input(0)
			l, m := shift(b, in, circuit.False, 1), shift(b, in, circuit.False, 1)
			return b.And(b.Input(0), b.Xor(l, m))
		}, 2, 4, cert.Proved},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := circuit.NewBuilder(0)
			b.Bad(test.build(b), 0)
			c := b.Build()
			r := mustReduce(t, c, test.options)
			if got := r.Stats.After; got.Latches != test.latches || got.Gates != test.gates {
				t.Errorf("%+v remain of %+v, want %d latches and %d gates", got, r.Stats.Before, test.latches, test.gates)
			}
			v, err := solve(context.Background(), c, property, r)
			if err != nil || v.Outcome != test.outcome {
				t.Errorf("%s, %v, want %s", v.Outcome, err, test.outcome)
			}
			if all := mustReduce(t, c, reduce.Options{}); all.Stats.After.Latches > test.latches {
				t.Errorf("all steps together leave %+v", all.Stats.After)
			}
		})
	}
}

// TestBounds: without effort for the solver, what needs it is not merged, nor
// what rests on that, however long the chain; the rest is.
func TestBounds(t *testing.T) {
	const length = 60 // more than the rounds that are spent on such a chain
	b := circuit.NewBuilder(0)
	in, other := b.Input(0), b.Input(0)
	f, g := majority(b, in, other, b.Input(0))
	hard := b.Xor(shift(b, f, circuit.False, length), shift(b, g, circuit.False, length))
	easy := b.Xor(shift(b, b.And(in, other), circuit.False, length), shift(b, b.And(in, other), circuit.False, length))
	b.Bad(b.Or(hard, easy), 0)
	c := b.Build()
	o := ablations["correspondence"]
	if s := mustReduce(t, c, o).Stats; s.After.Latches != 0 || s.GaveUp {
		t.Errorf("with the usual effort: %+v", s)
	}
	o.Effort = -1
	r := mustReduce(t, c, o)
	if s := r.Stats; s.After.Latches != 2*length || !s.GaveUp || s.Queries != 0 {
		t.Errorf("without effort: %+v", s)
	}
	if v, err := solve(context.Background(), c, property, r); err != nil || v.Outcome != cert.Proved {
		t.Errorf("%s, %v", v.Outcome, err)
	}
}

// TestLift: what a certificate is made of, and certificates that do not fit.
func TestLift(t *testing.T) {
	b := circuit.NewBuilder(0)
	in := b.Input(0)
	unused := b.Latch(0)
	b.Input(0)
	l, m := shift(b, in, circuit.False, 1), shift(b, in.Not(), circuit.True, 1)
	stuck := shift(b, circuit.True, circuit.True, 1)
	b.Bad(b.Or(b.Xor(l, m).Not(), stuck.Not()), 0)
	b.Bad(b.And(l, b.And(b.Input(0), stuck)), 0)
	c := b.Build()

	r := mustReduce(t, c, reduce.Options{})
	v, err := solve(context.Background(), c, property, r)
	if err != nil {
		t.Fatal(err)
	}
	want := cert.Invariant{{stuck}, {l, m}, {l.Not(), m.Not()}}
	if !sameClauses(v.Invariant, want) {
		t.Errorf("invariant %v, want %v", v.Invariant, want)
	}
	if slices.ContainsFunc(v.Invariant, func(c []lit) bool { return slices.Contains(c, unused) }) {
		t.Error("a clause about a latch outside the cone")
	}

	second := circuit.Property{Kind: circuit.PropertyBad, Index: 1}
	if r, err = reduce.Reduce(context.Background(), c, second, reduce.Options{}); err != nil {
		t.Fatal(err)
	}
	if v, err = solve(context.Background(), c, second, r); err != nil || v.Outcome != cert.Refuted {
		t.Fatalf("%s, %v", v.Outcome, err)
	}
	if got := v.Trace.Inputs[0]; len(got) != 3 || got[1] != circuit.X {
		t.Errorf("inputs %v in step 0, want x for the one outside the cone", got)
	}

	for name, bad := range map[string]cert.Verdict{
		"no latch":        {Outcome: cert.Proved, Invariant: cert.Invariant{{r.Circuit.Inputs()[0].Lit}}},
		"no variable":     {Outcome: cert.Proved, Invariant: cert.Invariant{{9999}}},
		"initial values":  {Outcome: cert.Refuted, Trace: cert.Trace{Initial: make([]circuit.Value, 9), Inputs: v.Trace.Inputs}},
		"values of input": {Outcome: cert.Refuted, Trace: cert.Trace{Initial: make([]circuit.Value, r.Stats.After.Latches), Inputs: [][]circuit.Value{nil}}},
	} {
		if _, _, err := r.Lift(context.Background(), bad); err == nil {
			t.Errorf("%s: lifted", name)
		}
	}
	unknown := cert.Verdict{Depth: 3, Reason: "timeout"}
	if got, _, err := r.Lift(context.Background(), unknown); err != nil || got.Depth != 3 || got.Reason != "timeout" || got.Outcome != cert.Unknown {
		t.Errorf("%+v, %v", got, err)
	}
}

// sameClauses compares sets of sets.
func sameClauses(a, b cert.Invariant) bool {
	canonical := func(inv cert.Invariant) [][]lit {
		var all [][]lit
		for _, clause := range inv {
			all = append(all, slices.Sorted(slices.Values(clause)))
		}
		slices.SortFunc(all, slices.Compare)
		return all
	}
	return slices.EqualFunc(canonical(a), canonical(b), slices.Equal)
}

// TestUnchanged: where nothing goes, the circuit itself remains.
func TestUnchanged(t *testing.T) {
	b := circuit.NewBuilder(0)
	in, other := b.Input(0), b.Input(0)
	free, l := b.Latch(0), b.Latch(0)
	b.SetReset(free, free)
	b.SetNext(free, b.And(other, l))
	b.SetNext(l, b.Xor(l, in))
	b.Bad(b.And(shift(b, l, circuit.True, 2), b.And(l, free)), 0)
	c := b.Build()
	r := mustReduce(t, c, reduce.Options{})
	if r.Circuit != c {
		t.Errorf("%+v", r.Stats)
	}
	if v, err := solve(context.Background(), c, property, r); err != nil || v.Outcome != cert.Refuted {
		t.Errorf("%s, %v", v.Outcome, err)
	}
}

func TestErrors(t *testing.T) {
	b := circuit.NewBuilder(0)
	b.Bad(shift(b, b.Input(0), circuit.False, 3), 0)
	c := b.Build()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := reduce.Reduce(ctx, c, property, reduce.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	justice := circuit.Property{Kind: circuit.PropertyJustice}
	if _, err := reduce.Reduce(context.Background(), c, justice, reduce.Options{}); !errors.Is(err, circuit.ErrNoBad) {
		t.Errorf("justice: %v", err)
	}
}
