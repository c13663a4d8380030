package reduce

import (
	"context"
	"errors"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
)

// exclusive returns a circuit with two latches that are never 1 together, whose bad says
// that they are when an input is: a fact about a gate that is not an equality of latches.
func exclusive() *circuit.Circuit {
	b := circuit.NewBuilder(0)
	in, l, m := b.Input(0), b.Latch(0), b.Latch(0)
	b.SetNext(l, in)
	b.SetNext(m, in.Not())
	b.Bad(b.And(b.And(l, m), b.Input(0)), 0)
	return b.Build()
}

// TestStrengthen: the clauses that a fact about a gate takes, and their bound.
func TestStrengthen(t *testing.T) {
	ctx, c := context.Background(), exclusive()
	p := circuit.Property{Kind: circuit.PropertyBad}
	r, err := Reduce(ctx, c, p, Options{})
	if err != nil {
		t.Fatal(err)
	}
	x := r.NewSignals(Options{}, 1)
	if m, err := x.Advance(ctx, 0); m != nil || err != nil || x.Effort() != 0 {
		t.Fatalf("%+v, %v, spent %d without effort", m, err, x.Effort())
	}
	m, err := x.Advance(ctx, 1_000_000)
	if err != nil || m == nil || m.Circuit.Bads()[0].Lit != circuit.False {
		t.Fatalf("%+v, %v, want a bad that is constant 0", m, err)
	}
	if again, err := x.Advance(ctx, 2_000_000); !x.Done() || again != nil || err != nil {
		t.Errorf("done %t, then %v, %v", x.Done(), again, err)
	}
	v, effort, err := m.Lift(ctx, cert.Verdict{Outcome: cert.Proved})
	if err != nil || len(v.Invariant) != 1 || len(v.Invariant[0]) != 2 || effort <= 0 {
		t.Fatalf("%v, effort %d, %v, want one clause of two latches", v.Invariant, effort, err)
	}
	if _, err := cert.Check(ctx, c, p, v); err != nil {
		t.Error(err)
	}
	if m, err = r.NewSignals(Options{FactClauses: -1}, 1).Advance(ctx, 1_000_000); m == nil {
		t.Fatal(err)
	}
	if _, _, err := m.Lift(ctx, cert.Verdict{Outcome: cert.Proved}); !errors.Is(err, ErrTooLarge) {
		t.Errorf("%v, want ErrTooLarge", err)
	}
}
