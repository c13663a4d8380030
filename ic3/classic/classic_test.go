package classic_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/classic"
	"aiglens/ic3/classic/classictest"
	"aiglens/ic3/sat"
	"aiglens/internal/explicit"
)

var (
	property = circuit.Property{Kind: circuit.PropertyBad}
	solvers  = map[string]sat.Factory{"core": sat.NewCore, "gini": sat.NewGini}
)

// forEach runs a subtest for every variant and both solvers.
func forEach(t *testing.T, f func(t *testing.T, o classic.Options)) {
	for _, v := range classic.Variants() {
		for name, s := range solvers {
			t.Run(string(v)+"/"+name, func(t *testing.T) {
				f(t, classic.Options{Variant: v, Solver: s})
			})
		}
	}
}

// judge runs a variant and requires the verdict that explicit search gives, with
// a certificate that passes.
func judge(t *testing.T, c *circuit.Circuit, o classic.Options) (cert.Verdict, classic.Stats) {
	t.Helper()
	v, stats, err := classic.Check(context.Background(), c, o, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	want, first := cert.Proved, explicit.FirstBadStep(c, property)
	if first != explicit.NotViolated {
		want = cert.Refuted
	}
	if v.Outcome != want {
		t.Fatalf("%s, first bad step by search %d", v.Outcome, first)
	}
	if _, err := cert.Check(context.Background(), c, property, v); err != nil {
		t.Fatal(err)
	}
	if v.Outcome == cert.Refuted && v.Depth > first {
		t.Fatalf("no violation before step %d is claimed, but there is one in step %d", v.Depth, first)
	}
	return v, stats
}

// maxLatches is the size up to which a variant is compared: simple paths can be
// as long as there are states.
func maxLatches(v classic.Variant) int {
	if v == classic.SimplePaths || v == classic.InvariantStrengthen {
		return 5
	}
	return 8
}

func TestRandomCircuits(t *testing.T) {
	forEach(t, func(t *testing.T, o classic.Options) {
		n := uint64(300)
		if testing.Short() {
			n = 50
		}
		proved, deep, long, judged := 0, 0, 0, 0
		for seed := range n {
			c := classictest.Sample(rand.New(rand.NewPCG(7, seed)))
			if len(c.Latches()) > maxLatches(o.Variant) {
				continue
			}
			judged++
			o.Seed = seed
			v, stats := judge(t, c, o)
			switch {
			case v.Outcome == cert.Refuted && v.Trace.Steps() > 3:
				long++
			case v.Outcome == cert.Proved:
				proved++
				if stats.Frames >= 2 {
					deep++
				}
			}
		}
		if judged < int(n)/3 || deep < judged/10 || long < judged/5 {
			t.Errorf("of %d circuits %d were proved, %d with two frames and more, and %d refuted in step 3 or later: too few",
				judged, proved, deep, long)
		}
	})
}

// TestCorners: what the sources leave out or get wrong on AIGER.
func TestCorners(t *testing.T) {
	for name, build := range map[string]func(b *circuit.Builder){
		"the bad depends on the input of its own step": func(b *circuit.Builder) {
			in, l := b.Input(0), b.Latch(0)
			b.SetNext(l, in)
			b.Bad(b.And(l, in.Not()), 0)
		},
		"no latches, satisfiable": func(b *circuit.Builder) { b.Bad(b.Input(0), 0) },
		"no latches, impossible under the constraint": func(b *circuit.Builder) {
			in := b.Input(0)
			b.Bad(in, 0)
			b.Constraint(in.Not(), 0)
		},
		"bad is constant 0": func(b *circuit.Builder) { b.Latch(0); b.Bad(circuit.False, 0) },
		"bad is constant 1": func(b *circuit.Builder) { b.Latch(0); b.Bad(circuit.True, 0) },
		"bad is constant 1, constraint constant 0": func(b *circuit.Builder) {
			b.Bad(circuit.True, 0)
			b.Constraint(circuit.False, 0)
		},
		"constraints that contradict each other at reset": func(b *circuit.Builder) {
			l := b.Latch(0)
			b.SetNext(l, circuit.True)
			b.Bad(l, 0)
			b.Constraint(l, 0)
		},
		"the constraint fails in the bad step": func(b *circuit.Builder) {
			l := b.Latch(0)
			b.SetNext(l, circuit.True)
			b.Bad(l, 0)
			b.Constraint(l.Not(), 0)
		},
		"a step that the constraint forbids": func(b *circuit.Builder) {
			in, l, m := b.Input(0), b.Latch(0), b.Latch(0)
			b.SetNext(l, in)
			b.SetNext(m, l)
			b.Bad(m, 0)
			b.Constraint(b.And(l, in).Not(), 0)
		},
		"a free latch that keeps its value": func(b *circuit.Builder) {
			l := b.Latch(0)
			b.SetReset(l, l)
			b.Bad(l, 0)
		},
		"free latches that always differ or never": func(b *circuit.Builder) {
			l, m := b.Latch(0), b.Latch(0)
			b.SetReset(l, l)
			b.SetReset(m, m)
			b.SetNext(l, m)
			b.SetNext(m, l)
			seen := b.Latch(0)
			differ := b.Xor(l, m)
			b.SetNext(seen, differ)
			b.Bad(b.And(seen, differ.Not()), 0)
		},
		"next states that are each other's negation": func(b *circuit.Builder) {
			in, l, m := b.Input(0), b.Latch(0), b.Latch(0)
			b.SetNext(l, in)
			b.SetNext(m, in.Not())
			b.Bad(b.And(l, m), 0)
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := circuit.NewBuilder(0)
			build(b)
			c := b.Build()
			forEach(t, func(t *testing.T, o classic.Options) { judge(t, c, o) })
		})
	}
}

func TestUnknownVariant(t *testing.T) {
	b := circuit.NewBuilder(0)
	b.Bad(b.Input(0), 0)
	v, _, err := classic.Check(context.Background(), b.Build(), classic.Options{Variant: "magic"}, nil, nil)
	if err == nil || v.Outcome != cert.Unknown {
		t.Errorf("%s, %v", v.Outcome, err)
	}
}

// counter returns a counter that starts at 0 and is bad at a value.
func counter(bits, bad int) *circuit.Circuit {
	b := circuit.NewBuilder(0)
	var latches []circuit.Lit
	for range bits {
		latches = append(latches, b.Latch(0))
	}
	carry, reached := circuit.True, circuit.True
	for i, l := range latches {
		b.SetNext(l, b.Xor(l, carry))
		carry = b.And(carry, l)
		reached = b.And(reached, l.NotIf(bad>>i&1 == 0))
	}
	b.Bad(reached, 0)
	return b.Build()
}

func TestCancel(t *testing.T) {
	c := counter(40, 1<<40-1)
	forEach(t, func(t *testing.T, o classic.Options) {
		ctx, cancel := context.WithCancel(context.Background())
		reports := 0
		v, _, err := classic.Check(ctx, c, o, func(classic.Progress) {
			if reports++; reports == 20 {
				cancel()
			}
		}, nil)
		if !errors.Is(err, context.Canceled) || v.Outcome != cert.Unknown {
			t.Fatalf("%s, %v", v.Outcome, err)
		}
	})
}
