package classic_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/classic"
	"aiglens/ic3/sat"
	"aiglens/internal/explicit"
	"aiglens/internal/randcircuit"
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

var shapes = []randcircuit.Shape{
	{Inputs: 3, Latches: 7, Gates: 40, OneResets: true},
	{Inputs: 4, Latches: 8, Gates: 40, Constraints: 2, FreeLatches: true, OneResets: true},
	{Inputs: 1, Latches: 9, Gates: 60, OneResets: true},
	{Inputs: 3, Latches: 4, Gates: 15, Constraints: 3, FreeLatches: true, OneResets: true, Constants: true},
	{Inputs: 0, Latches: 8, Gates: 40, FreeLatches: true},
}

func TestRandomCircuits(t *testing.T) {
	perShape := uint64(60)
	if testing.Short() {
		perShape = 10
	}
	forEach(t, func(t *testing.T, o classic.Options) {
		proved, refuted := 0, 0
		for i, shape := range shapes {
			for seed := range perShape {
				c := randcircuit.New(rand.New(rand.NewPCG(uint64(i), seed)), shape)
				o.Seed = seed
				if v, _ := judge(t, c, o); v.Outcome == cert.Proved {
					proved++
				} else {
					refuted++
				}
			}
		}
		if proved < 10 || refuted < 10 {
			t.Errorf("%d proved and %d refuted: too few of one", proved, refuted)
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
