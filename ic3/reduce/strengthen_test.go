package reduce

import (
	"context"
	"errors"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
)

// exclusive returns a circuit with two latches that are never 1 together, whose bad says
// that they are when an input is: a fact about a gate that is no equality of latches.
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
	m, err := r.MergeSignals(ctx, Options{})
	if err != nil || m == nil || m.Circuit.Bads()[0].Lit != circuit.False {
		t.Fatalf("%+v, %v, want a bad that is constant 0", m, err)
	}
	v, err := m.Lift(ctx, cert.Verdict{Outcome: cert.Proved})
	if err != nil || len(v.Invariant) != 1 || len(v.Invariant[0]) != 2 {
		t.Fatalf("%v, %v, want one clause of two latches", v.Invariant, err)
	}
	if _, err := cert.Check(ctx, c, p, v); err != nil {
		t.Error(err)
	}
	m.facts.bound = -1
	if _, err := m.Lift(ctx, cert.Verdict{Outcome: cert.Proved}); !errors.Is(err, ErrTooLarge) {
		t.Errorf("%v, want ErrTooLarge", err)
	}
	if m, err := r.MergeSignals(ctx, Options{Effort: -1}); m != nil || err != nil {
		t.Errorf("%+v, %v without effort", m, err)
	}
}
