package ic3_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3"
	"aiglens/ic3/sat"
	"aiglens/internal/explicit"
)

var property = circuit.Property{Kind: circuit.PropertyBad}

var solvers = map[string]sat.Factory{"core": sat.NewCore, "gini": sat.NewGini}

var shapes = []explicit.Shape{
	{Inputs: 3, Latches: 6, Gates: 25},
	{Inputs: 4, Latches: 8, Gates: 40, Constraints: 2, FreeLatches: true, OneResets: true},
	{Inputs: 1, Latches: 9, Gates: 50, OneResets: true},
	{Inputs: 3, Latches: 4, Gates: 10, Constraints: 3, FreeLatches: true, OneResets: true, Constants: true},
	{Inputs: 0, Latches: 8, Gates: 40, FreeLatches: true},
}

// TestRandomCircuits compares the engine with explicit search: same verdict, a
// certificate that passes, and an invariant that holds all reachable states.
func TestRandomCircuits(t *testing.T) {
	perShape := 400
	if testing.Short() {
		perShape = 50
	}
	var proved, refuted, deep int
	for i, shape := range shapes {
		for name, solver := range solvers {
			t.Run(fmt.Sprintf("%d/%s", i, name), func(t *testing.T) {
				for seed := range perShape {
					c := explicit.RandomCircuit(rand.New(rand.NewPCG(uint64(i), uint64(seed))), shape)
					want := explicit.FirstBadStep(c, property)
					v, _, err := ic3.Check(context.Background(), c, ic3.Options{Solver: solver}, nil)
					if err != nil {
						t.Fatalf("seed %d: %v", seed, err)
					}
					if got := v.Outcome == cert.Proved; got != (want == explicit.NotViolated) {
						t.Fatalf("seed %d: %s, first bad step by search %d", seed, v.Outcome, want)
					}
					if _, err := cert.Check(context.Background(), c, property, v); err != nil {
						t.Fatalf("seed %d: %s: %v", seed, v.Outcome, err)
					}
					if v.Outcome == cert.Proved {
						proved++
					} else {
						refuted++
						if v.Trace.Steps() <= want {
							t.Fatalf("seed %d: trace of %d steps, but the first bad step is %d", seed, v.Trace.Steps(), want)
						}
					}
					if v.Depth >= 2 || v.Trace.Steps() >= 4 {
						deep++
					}
				}
			})
		}
	}
	t.Logf("%d proved, %d refuted, %d of them with two frames or four steps and more", proved, refuted, deep)
}

func run(t *testing.T, c *circuit.Circuit, solver sat.Factory) cert.Verdict {
	t.Helper()
	v, _, err := ic3.Check(context.Background(), c, ic3.Options{Solver: solver}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := cert.Check(context.Background(), c, property, v); err != nil {
		t.Fatal(err)
	}
	return v
}

// TestCorners: the cases that the sources leave out or get wrong on AIGER.
func TestCorners(t *testing.T) {
	const refuted0, refuted1, proved = 1, 2, 0 // steps of the trace
	for _, test := range []struct {
		name  string
		build func(b *circuit.Builder)
		steps int
	}{
		{"the bad depends on the input of its own step", func(b *circuit.Builder) {
			in, l := b.Input(0), b.Latch(0)
			b.SetNext(l, in)
			b.Bad(b.And(l, in.Not()), 0)
		}, refuted1},
		{"no latches, satisfiable", func(b *circuit.Builder) { b.Bad(b.And(b.Input(0), b.Input(0)), 0) }, refuted0},
		{"no latches, impossible under the constraint", func(b *circuit.Builder) {
			in := b.Input(0)
			b.Bad(in, 0)
			b.Constraint(in.Not(), 0)
		}, proved},
		{"bad is constant 0", func(b *circuit.Builder) { b.Latch(0); b.Bad(circuit.False, 0) }, proved},
		{"bad is constant 1", func(b *circuit.Builder) { b.Latch(0); b.Bad(circuit.True, 0) }, refuted0},
		{"bad is constant 1, constraint constant 0", func(b *circuit.Builder) {
			b.Bad(circuit.True, 0)
			b.Constraint(circuit.False, 0)
		}, proved},
		{"constraint is constant 1", func(b *circuit.Builder) { b.Bad(b.Input(0), 0); b.Constraint(circuit.True, 0) }, refuted0},
		{"constraints that contradict each other", func(b *circuit.Builder) {
			in := b.Input(0)
			b.Bad(in, 0)
			b.Constraint(in, 0)
			b.Constraint(in.Not(), 0)
		}, proved},
		{"constraints that contradict each other at reset only", func(b *circuit.Builder) {
			l := b.Latch(0)
			b.SetNext(l, circuit.True)
			b.Bad(l, 0)
			b.Constraint(l, 0)
		}, proved},
		{"the constraint fails in the bad step", func(b *circuit.Builder) {
			l := b.Latch(0)
			b.SetNext(l, circuit.True)
			b.Bad(l, 0)
			b.Constraint(l.Not(), 0)
		}, proved},
		{"a free latch that keeps its value", func(b *circuit.Builder) {
			l := b.Latch(0)
			b.SetReset(l, l)
			b.Bad(l, 0)
		}, refuted0},
		{"two free latches that always differ or never", func(b *circuit.Builder) {
			l, m := b.Latch(0), b.Latch(0)
			b.SetReset(l, l)
			b.SetReset(m, m)
			b.SetNext(l, m)
			b.SetNext(m, l)
			seen := b.Latch(0)
			differ := b.Xor(l, m)
			b.SetNext(seen, differ)
			b.Bad(b.And(seen, differ.Not()), 0)
		}, proved},
		{"next states that are each other's negation", func(b *circuit.Builder) {
			in, l, m := b.Input(0), b.Latch(0), b.Latch(0)
			b.SetNext(l, in)
			b.SetNext(m, in.Not())
			b.Bad(b.And(l, m), 0)
		}, proved},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := circuit.NewBuilder(0)
			test.build(b)
			c := b.Build()
			for name, solver := range solvers {
				v := run(t, c, solver)
				if got := v.Trace.Steps(); got != test.steps || (v.Outcome == cert.Proved) != (test.steps == proved) {
					t.Errorf("%s: %s with a trace of %d steps, want %d", name, v.Outcome, got, test.steps)
				}
			}
		})
	}
}

// hard returns a multiplier-like circuit that keeps the engine busy for long.
func hard(bits int) *circuit.Circuit {
	b := circuit.NewBuilder(0)
	var x, y, acc []circuit.Lit
	for range bits {
		x, y = append(x, b.Latch(0)), append(y, b.Latch(0))
	}
	for range 2 * bits {
		acc = append(acc, b.Latch(0))
	}
	// product = x·y, twice, summed in different orders.
	product := func(x, y []circuit.Lit) []circuit.Lit {
		sum := make([]circuit.Lit, 2*bits)
		for i := range x {
			carry := circuit.False
			for j := range y {
				p := b.And(x[i], y[j])
				s := b.Xor(b.Xor(sum[i+j], p), carry)
				carry = b.Or(b.And(sum[i+j], p), b.And(carry, b.Or(sum[i+j], p)))
				sum[i+j] = s
			}
			sum[i+bits] = carry
		}
		return sum
	}
	one, two := product(x, y), product(y, x)
	differ := circuit.False
	for i := range one {
		differ = b.Or(differ, b.Xor(one[i], two[i]))
		b.SetNext(acc[i], b.Xor(acc[i], one[i]))
	}
	for i := range bits {
		b.SetNext(x[i], b.Xor(x[i], b.Input(0)))
		b.SetNext(y[i], b.Xor(y[i], b.Input(0)))
	}
	b.Bad(differ, 0)
	return b.Build()
}

// TestCancel: the engine returns soon after its context ends, with the depth it
// reached and no claim.
func TestCancel(t *testing.T) {
	c := hard(14)
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	v, _, err := ic3.Check(ctx, c, ic3.Options{}, nil)
	late := time.Since(deadlineOf(ctx))
	if !errors.Is(err, context.DeadlineExceeded) || v.Outcome != cert.Unknown {
		t.Fatalf("%s, %v", v.Outcome, err)
	}
	t.Logf("returned %s after the context ended", late)
}

func deadlineOf(ctx context.Context) time.Time {
	d, _ := ctx.Deadline()
	return d
}
