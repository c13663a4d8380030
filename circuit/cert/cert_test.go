package cert_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3"
	"aiglens/internal/explicit"
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

// TestResetFunction: what depends on the inputs of step 0 is judged under these.
func TestResetFunction(t *testing.T) {
	b := circuit.NewBuilder(0)
	in, derived := b.Input(0), b.Latch(0)
	b.SetReset(derived, in)
	b.SetNext(derived, circuit.False)
	b.Bad(b.And(derived, in.Not()), 0) // derived is 1 in step 0 alone, and in with it
	c := b.Build()
	if err := check(c, cert.Verdict{Outcome: cert.Proved, Invariant: cert.Invariant{{derived.Not()}}}); err != nil {
		t.Errorf("what holds from step 1 on: %v", err)
	}
	wantRejected(t, c, cert.Verdict{Outcome: cert.Proved, Invariant: cert.Invariant{{derived}}}, "initiation")
	wantRejected(t, c, cert.Verdict{Outcome: cert.Proved}, "safety")

	b = circuit.NewBuilder(0)
	in, derived = b.Input(0), b.Latch(0)
	b.SetReset(derived, in.Not())
	b.SetNext(derived, circuit.False)
	b.Bad(b.And(derived, in.Not()), 0) // in step 0 when in is 0
	c = b.Build()
	wantRejected(t, c, cert.Verdict{Outcome: cert.Proved, Invariant: cert.Invariant{{derived.Not()}}}, "safety")
	trace := func(start, input circuit.Value) cert.Verdict {
		return cert.Verdict{Outcome: cert.Refuted, Trace: cert.Trace{
			Initial: []circuit.Value{start}, Inputs: [][]circuit.Value{{input}}}}
	}
	for _, start := range []circuit.Value{circuit.X, circuit.One} {
		if err := check(c, trace(start, circuit.Zero)); err != nil {
			t.Errorf("a start of %s: %v", start, err)
		}
	}
	wantRejected(t, c, trace(circuit.Zero, circuit.Zero), "trace")
	wantRejected(t, c, trace(circuit.X, circuit.One), "trace")
	wantRejected(t, c, trace(circuit.One, circuit.X), "trace")
}

// TestRandomResetFunctions: what passes is what a search of all states says.
func TestRandomResetFunctions(t *testing.T) {
	accepted := map[cert.Outcome]int{}
	for seed := range uint64(4000) {
		r := rand.New(rand.NewPCG(seed, 7))
		c := explicit.RandomCircuit(r, explicit.Shape{Inputs: 2, Latches: 4, Gates: 12, Constraints: 1, FreeLatches: true, OneResets: true, ResetFunctions: true})
		if !c.HasResetFunctions() {
			continue
		}
		value := func() circuit.Value { return circuit.Value(r.IntN(3)) }
		tr := cert.Trace{}
		for _, l := range c.Latches() {
			if v := value(); l.IsFree() || r.IntN(3) == 0 {
				tr.Initial = append(tr.Initial, v)
			} else {
				tr.Initial = append(tr.Initial, circuit.X)
			}
		}
		for range 1 + r.IntN(3) {
			row := make([]circuit.Value, len(c.Inputs()))
			for i := range row {
				row[i] = value()
			}
			tr.Inputs = append(tr.Inputs, row)
		}
		inv := cert.Invariant{}
		for range r.IntN(4) {
			var clause []circuit.Lit
			for _, l := range c.Latches() {
				if r.IntN(2) == 0 {
					clause = append(clause, l.Lit.NotIf(r.IntN(2) == 0))
				}
			}
			if len(clause) > 0 {
				inv = append(inv, clause)
			}
		}
		for _, v := range []cert.Verdict{{Outcome: cert.Refuted, Trace: tr}, {Outcome: cert.Proved, Invariant: inv}} {
			err := check(c, v)
			holds := explicit.Certifies(c, circuit.Property{}, v)
			// Three-valued simulation may be too weak for what holds, never the other way.
			if err == nil && !holds || err != nil && holds && v.Outcome == cert.Proved {
				t.Fatalf("seed %d: %s, and a search of all states says %v", seed, err, holds)
			}
			if err == nil {
				accepted[v.Outcome]++
			}
		}
	}
	if accepted[cert.Proved] < 100 || accepted[cert.Refuted] < 100 {
		t.Errorf("accepted %v", accepted)
	}
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

// TestContradictoryInvariants: clauses that exclude each other are kept by every step
// and hold no bad state, but no initial one either.
func TestContradictoryInvariants(t *testing.T) {
	c, l := ring()
	for _, inv := range []cert.Invariant{
		{{l[0]}, {l[0].Not()}},
		{{l[0], l[1]}, {l[0], l[1].Not()}, {l[0].Not(), l[2]}, {l[0].Not(), l[2].Not()}},
		{{l[1]}, {l[1].Not()}},
		{{}, {l[0]}},
	} {
		wantRejected(t, c, cert.Verdict{Outcome: cert.Proved, Invariant: inv}, "initiation")
	}
}

// TestConstraintsOfTheObligations: a constraint may exclude all initial states, or all
// states of the invariant; else it counts in the step that is judged and not in the
// next.
func TestConstraintsOfTheObligations(t *testing.T) {
	build := func(reset circuit.Lit, constrain func(b *circuit.Builder, in, l, m circuit.Lit) circuit.Lit) (c *circuit.Circuit, l, m circuit.Lit) {
		b := circuit.NewBuilder(0)
		in := b.Input(0)
		l, m = b.Latch(0), b.Latch(0)
		b.SetReset(l, reset)
		b.SetNext(l, in)
		b.SetNext(m, b.And(l, m.Not()))
		b.Bad(b.And(l, m), 0)
		b.Constraint(constrain(b, in, l, m), 0)
		return b.Build(), l, m
	}
	prove := func(inv ...[]circuit.Lit) cert.Verdict { return cert.Verdict{Outcome: cert.Proved, Invariant: inv} }
	accept := func(c *circuit.Circuit, v cert.Verdict) {
		t.Helper()
		if err := check(c, v); err != nil {
			t.Error(err)
		}
	}
	// l starts at 0 and must be 1: no run begins.
	c, l, m := build(circuit.False, func(b *circuit.Builder, in, l, m circuit.Lit) circuit.Lit { return l })
	accept(c, prove([]circuit.Lit{}))
	accept(c, prove([]circuit.Lit{l}, []circuit.Lit{l.Not()}))
	wantRejected(t, c, prove(), "safety")
	wantRejected(t, c, prove([]circuit.Lit{m.Not()}), "consecution")
	// Where l must be 0, the invariant ¬l is one only because no step begins elsewhere.
	c, _, _ = build(circuit.True, func(b *circuit.Builder, in, l, m circuit.Lit) circuit.Lit { return b.And(l.Not(), in.Not()) })
	accept(c, prove([]circuit.Lit{}))
	c, l, _ = build(circuit.False, func(b *circuit.Builder, in, l, m circuit.Lit) circuit.Lit { return b.And(l.Not(), in.Not()) })
	accept(c, prove([]circuit.Lit{l.Not()}))
	wantRejected(t, c, prove([]circuit.Lit{}), "initiation")
	wantRejected(t, c, prove([]circuit.Lit{l}), "initiation")
	// That the input is 0 now does not keep it from being 1 in the next step.
	c, l, m = build(circuit.False, func(b *circuit.Builder, in, l, m circuit.Lit) circuit.Lit { return b.Or(in.Not(), m.Not()) })
	wantRejected(t, c, prove([]circuit.Lit{l.Not()}), "consecution")
	wantRejected(t, c, prove([]circuit.Lit{l.Not(), m.Not()}), "consecution")
	accept(c, cert.Verdict{Outcome: cert.Refuted, Trace: cert.Trace{
		Initial: []circuit.Value{circuit.Zero, circuit.Zero}, Inputs: [][]circuit.Value{{circuit.One}, {circuit.One}, {circuit.Zero}}}})
}

// TestOneOfMany: one clause that does not hold among thousands that do is found,
// wherever it stands, and so is one more state.
func TestOneOfMany(t *testing.T) {
	for _, size := range []int{1, 2, 5} {
		c, inv := heap(2000, size)
		for _, at := range []int{0, 1, 999, 1999} {
			bad := slices.Clone(inv)
			bad[at] = []circuit.Lit{c.Latches()[at].Lit}
			wantRejected(t, c, cert.Verdict{Outcome: cert.Proved, Invariant: bad}, "initiation")
			// A latch that is 0 at first need not stay so when another one is 0.
			b := circuit.NewBuilder(0)
			var latches []circuit.Lit
			for range 2000 {
				latches = append(latches, b.Latch(0))
			}
			in := b.Input(0)
			for i, l := range latches {
				next := b.And(l, in)
				if i == at {
					next = b.Or(l, in)
				}
				b.SetNext(l, next)
			}
			b.Bad(b.And(latches[at], latches[(at+1)%2000]), 0)
			bad = nil
			for _, l := range latches {
				bad = append(bad, []circuit.Lit{l.Not()})
			}
			wantRejected(t, b.Build(), cert.Verdict{Outcome: cert.Proved, Invariant: bad}, "consecution")
		}
		wantRejected(t, c, cert.Verdict{Outcome: cert.Proved, Invariant: inv[size:]}, "safety")
	}
}

// TestCheckHeedsItsContext: a check ends with its context, whatever it is about.
func TestCheckHeedsItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	c, inv := heap(10, 1)
	run := cert.Trace{Initial: make([]circuit.Value, 10), Inputs: [][]circuit.Value{{circuit.One}}}
	for _, v := range []cert.Verdict{{Outcome: cert.Proved, Invariant: inv}, {Outcome: cert.Proved}, {Outcome: cert.Refuted, Trace: run}} {
		if checked, err := cert.Check(ctx, c, bad0, v); !errors.Is(err, context.Canceled) || checked.Certified() {
			t.Errorf("%s: %v", v.Outcome, err)
		}
	}
}

// TestMutatedCertificates changes certificates at random and compares the
// checker with brute force over all states and inputs.
func TestMutatedCertificates(t *testing.T) {
	shape := explicit.Shape{Inputs: 3, Latches: 5, Gates: 25, Constraints: 1, FreeLatches: true, OneResets: true}
	accepted, rejected := 0, 0
	seeds := uint64(400)
	if n, err := strconv.ParseUint(os.Getenv("AIGLENS_SEEDS"), 10, 64); err == nil {
		seeds = n
	}
	for seed := range seeds {
		r := rand.New(rand.NewPCG(3, seed))
		c := explicit.RandomCircuit(r, shape)
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
