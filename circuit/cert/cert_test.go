package cert_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3"
	"aiglens/internal/explicit"
	"aiglens/internal/randcircuit"
)

var bad0 = circuit.Property{Kind: circuit.PropertyBad}

func check(c *circuit.Circuit, v cert.Verdict) error {
	_, err := cert.Check(context.Background(), c, bad0, v)
	return err
}

// wantRejected fails unless the certificate is rejected for that obligation.
func wantRejected(t *testing.T, c *circuit.Circuit, v cert.Verdict, obligation string) {
	t.Helper()
	var rejected *cert.RejectedError
	if err := check(c, v); !errors.As(err, &rejected) || rejected.Obligation != obligation {
		t.Errorf("got %v, want a rejection for %s", err, obligation)
	}
}

// ring returns a one-hot ring of three latches that moves when its input is 1;
// it is bad when the first two are hot together.
func ring() (c *circuit.Circuit, latches []circuit.Lit) {
	b := circuit.NewBuilder(0)
	move := b.Input(0)
	for range 3 {
		latches = append(latches, b.Latch(0))
	}
	b.SetReset(latches[0], circuit.True)
	for i, l := range latches {
		b.SetNext(l, b.Mux(move, latches[(i+2)%3], l))
	}
	b.Bad(b.And(latches[0], latches[1]), 0)
	return b.Build(), latches
}

func TestRingInvariants(t *testing.T) {
	c, l := ring()
	oneHot := cert.Invariant{{l[0].Not(), l[1].Not()}, {l[1].Not(), l[2].Not()}, {l[0].Not(), l[2].Not()}}
	if err := check(c, cert.Verdict{Outcome: cert.Proved, Invariant: oneHot}); err != nil {
		t.Errorf("the one-hot invariant: %v", err)
	}
	for _, test := range []struct {
		name       string
		invariant  cert.Invariant
		obligation string
	}{
		{"all states", cert.Invariant{}, "safety"},
		{"no state", cert.Invariant{{}}, "initiation"},
		{"a clause less", oneHot[:1], "consecution"},
		{"excludes the reset state", append(cert.Invariant{{l[0].Not()}}, oneHot...), "initiation"},
		{"inductive but unrelated", cert.Invariant{{l[0], l[1], l[2]}}, "safety"},
		{"a gate in a clause", cert.Invariant{{c.Bads()[0].Lit}}, "form"},
		{"an input in a clause", cert.Invariant{{c.Inputs()[0].Lit}}, "form"},
		{"no such literal", cert.Invariant{{1000}}, "form"},
	} {
		t.Run(test.name, func(t *testing.T) {
			wantRejected(t, c, cert.Verdict{Outcome: cert.Proved, Invariant: test.invariant}, test.obligation)
		})
	}
}

// TestMealyBad: the bad depends on the input of its own step, which a checker
// must not share with the step before. Refuted at step 1.
func TestMealyBad(t *testing.T) {
	b := circuit.NewBuilder(0)
	in := b.Input(0)
	latch := b.Latch(0)
	b.SetNext(latch, in)
	b.Bad(b.And(latch, in.Not()), 0)
	c := b.Build()
	wantRejected(t, c, cert.Verdict{Outcome: cert.Proved}, "safety")
	wantRejected(t, c, cert.Verdict{Outcome: cert.Proved, Invariant: cert.Invariant{{latch.Not()}}}, "consecution")
	trace := cert.Trace{Initial: []circuit.Value{circuit.Zero}, Inputs: [][]circuit.Value{{circuit.One}, {circuit.Zero}}}
	if err := check(c, cert.Verdict{Outcome: cert.Refuted, Trace: trace}); err != nil {
		t.Error(err)
	}
}

func TestTraces(t *testing.T) {
	b := circuit.NewBuilder(0)
	in := b.Input(0)
	fixed, free := b.Latch(0), b.Latch(0)
	b.SetReset(free, free)
	b.SetNext(fixed, b.Or(fixed, in))
	b.SetNext(free, free)
	b.Bad(b.And(fixed, free), 0)
	b.Constraint(b.Or(in.Not(), free), 0) // in ⇒ free
	c := b.Build()
	const x = circuit.X
	const zero, one = circuit.Zero, circuit.One
	good := cert.Trace{Initial: []circuit.Value{zero, one}, Inputs: [][]circuit.Value{{one}, {zero}}}
	if err := check(c, cert.Verdict{Outcome: cert.Refuted, Trace: good}); err != nil {
		t.Errorf("the good trace: %v", err)
	}
	if err := check(c, cert.Verdict{Outcome: cert.Refuted, Trace: cert.Trace{
		Initial: []circuit.Value{x, one}, Inputs: [][]circuit.Value{{one}, {x}}}}); err != nil {
		t.Errorf("the good trace with x for the reset and for an input that does not matter: %v", err)
	}
	for _, test := range []struct {
		name       string
		initial    []circuit.Value
		inputs     [][]circuit.Value
		obligation string
	}{
		{"against the reset", []circuit.Value{one, one}, [][]circuit.Value{{zero}}, "trace"},
		{"the violation depends on x", []circuit.Value{zero, x}, [][]circuit.Value{{zero}, {zero}}, "trace"},
		{"a constraint fails", []circuit.Value{zero, zero}, [][]circuit.Value{{one}, {zero}}, "trace"},
		{"a constraint fails in the last step", []circuit.Value{zero, zero}, [][]circuit.Value{{one}}, "trace"},
		{"a constraint depends on x", []circuit.Value{zero, x}, [][]circuit.Value{{one}, {zero}}, "trace"},
		{"stops too early", []circuit.Value{zero, one}, [][]circuit.Value{{one}}, "trace"},
		{"no step", []circuit.Value{zero, one}, nil, "trace"},
		{"too few latches", []circuit.Value{zero}, [][]circuit.Value{{one}, {zero}}, "form"},
		{"too many inputs", []circuit.Value{zero, one}, [][]circuit.Value{{one, one}, {zero}}, "form"},
	} {
		t.Run(test.name, func(t *testing.T) {
			v := cert.Verdict{Outcome: cert.Refuted, Trace: cert.Trace{Initial: test.initial, Inputs: test.inputs}}
			wantRejected(t, c, v, test.obligation)
		})
	}
}

// TestResetFunction: a latch that starts with the value of another counts as
// free, so a certificate may not rest on its start.
func TestResetFunction(t *testing.T) {
	b := circuit.NewBuilder(0)
	in, plain, derived := b.Input(0), b.Latch(0), b.Latch(0)
	b.SetReset(derived, in)
	b.Bad(b.And(plain, derived), 0)
	c := b.Build()
	if err := check(c, cert.Verdict{Outcome: cert.Proved, Invariant: cert.Invariant{{plain.Not()}}}); err != nil {
		t.Errorf("an invariant that leaves it alone: %v", err)
	}
	for _, inv := range []cert.Invariant{{{derived.Not()}}, {{derived}}, {{plain.Not()}, {derived.Not()}}} {
		wantRejected(t, c, cert.Verdict{Outcome: cert.Proved, Invariant: inv}, "initiation")
	}

	b = circuit.NewBuilder(0)
	in, derived = b.Input(0), b.Latch(0)
	b.SetReset(derived, in)
	b.Bad(in, 0)
	c = b.Build()
	trace := func(start circuit.Value) cert.Verdict {
		return cert.Verdict{Outcome: cert.Refuted, Trace: cert.Trace{
			Initial: []circuit.Value{start}, Inputs: [][]circuit.Value{{circuit.One}}}}
	}
	if err := check(c, trace(circuit.X)); err != nil {
		t.Errorf("a trace that leaves it alone: %v", err)
	}
	wantRejected(t, c, trace(circuit.One), "form")
}

// TestContradictoryConstraints: no step is possible, so the empty set of states
// is an invariant, and no trace passes. gini v1.0.4 ends the process when it is
// used carelessly here.
func TestContradictoryConstraints(t *testing.T) {
	b := circuit.NewBuilder(0)
	in := b.Input(0)
	latch := b.Latch(0)
	b.SetReset(latch, latch)
	b.Bad(latch, 0)
	b.Constraint(in, 0)
	b.Constraint(in.Not(), 0)
	c := b.Build()
	if err := check(c, cert.Verdict{Outcome: cert.Proved, Invariant: cert.Invariant{{}}}); err != nil {
		t.Error(err)
	}
	trace := cert.Trace{Initial: []circuit.Value{circuit.One}, Inputs: [][]circuit.Value{{circuit.One}}}
	wantRejected(t, c, cert.Verdict{Outcome: cert.Refuted, Trace: trace}, "trace")
}

func TestJusticeHasNoCertificate(t *testing.T) {
	c, _ := ring()
	p := circuit.Property{Kind: circuit.PropertyJustice}
	if _, err := cert.Check(context.Background(), c, p, cert.Verdict{Outcome: cert.Proved}); !errors.Is(err, cert.ErrNoProperty) {
		t.Errorf("got %v", err)
	}
}

// TestMutatedCertificates changes certificates at random and compares the
// checker with brute force over all states and inputs.
func TestMutatedCertificates(t *testing.T) {
	shape := randcircuit.Shape{Inputs: 3, Latches: 5, Gates: 25, Constraints: 1, FreeLatches: true, OneResets: true}
	accepted, rejected := 0, 0
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(3, seed))
		c := randcircuit.New(r, shape)
		v, _, err := ic3.Check(context.Background(), c, ic3.Options{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for range 8 {
			m := mutate(r, c, v)
			want := explicit.Certifies(c, bad0, m)
			got := check(c, m) == nil
			// x may be rejected where every choice of it would do.
			if got && !want || want && !got && !usesX(m) {
				t.Fatalf("seed %d: checker accepts %v, brute force %v: %+v", seed, got, want, m)
			}
			if got {
				accepted++
			} else {
				rejected++
			}
		}
	}
	if accepted < 100 || rejected < 100 {
		t.Errorf("%d accepted, %d rejected: the mutations are one-sided", accepted, rejected)
	}
}

func usesX(v cert.Verdict) bool {
	rows := append([][]circuit.Value{v.Trace.Initial}, v.Trace.Inputs...)
	for _, row := range rows {
		for _, value := range row {
			if value == circuit.X {
				return true
			}
		}
	}
	return false
}

// mutate returns a verdict with a random small change, its certificate copied.
func mutate(r *rand.Rand, c *circuit.Circuit, v cert.Verdict) cert.Verdict {
	inv := make(cert.Invariant, len(v.Invariant))
	for i := range inv {
		inv[i] = append([]circuit.Lit(nil), v.Invariant[i]...)
	}
	t := cert.Trace{Initial: append([]circuit.Value(nil), v.Trace.Initial...)}
	for _, row := range v.Trace.Inputs {
		t.Inputs = append(t.Inputs, append([]circuit.Value(nil), row...))
	}
	v.Invariant, v.Trace = inv, t
	latch := func() circuit.Lit { return c.Latches()[r.IntN(len(c.Latches()))].Lit.NotIf(r.IntN(2) == 0) }
	if v.Outcome == cert.Proved {
		switch i := r.IntN(len(inv) + 1); {
		case i == len(inv):
			v.Invariant = append(inv, []circuit.Lit{latch()})
		case r.IntN(3) == 0:
			v.Invariant = append(inv[:i], inv[i+1:]...)
		case r.IntN(2) == 0 || len(inv[i]) == 0:
			inv[i] = append(inv[i], latch())
		default:
			inv[i] = inv[i][1:]
		}
		return v
	}
	value := circuit.Value(r.IntN(3))
	row := t.Inputs[r.IntN(len(t.Inputs))]
	switch {
	case r.IntN(4) == 0:
		v.Trace.Inputs = t.Inputs[:len(t.Inputs)-1]
	case r.IntN(2) == 0 || len(row) == 0:
		t.Initial[r.IntN(len(t.Initial))] = value
	default:
		row[r.IntN(len(row))] = value
	}
	return v
}
