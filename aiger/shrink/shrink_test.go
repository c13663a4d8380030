package shrink_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"

	"aiglens/aiger"
	"aiglens/aiger/shrink"
	"aiglens/aiger/syntax"
	"aiglens/circuit/cert"
	"aiglens/ic3"
	"aiglens/internal/explicit"
	"aiglens/internal/minimize"
	"aiglens/internal/source"
)

// faults are what a broken engine gets wrong: each turns the circuit that it is asked about
// into another one.
var faults = []func(m *aiger.Model){
	// A latch that is free starts with 0.
	func(m *aiger.Model) {
		for i, l := range m.Latches {
			if l.Reset == l.Lit {
				m.Latches[i].Reset = 0
			}
		}
	},
	// ¬(a ∧ b) ∧ ¬(a ∧ c) is taken for ¬(a ∧ b).
	func(m *aiger.Model) {
		gates := map[uint32]syntax.And{}
		for _, g := range m.Ands {
			gates[g.LHS] = g
		}
		for i, g := range m.Ands {
			x, okLeft := gates[g.RHS0^1]
			y, okRight := gates[g.RHS1^1]
			if okLeft && okRight && (x.RHS0 == y.RHS0 || x.RHS1 == y.RHS1) {
				m.Ands[i].RHS1 = g.RHS0
			}
		}
	},
	// A latch that starts with 1 and whose next state is a negation starts with 0.
	func(m *aiger.Model) {
		for i, l := range m.Latches {
			if l.Reset == 1 && l.Next&1 == 1 {
				m.Latches[i].Reset = 0
			}
		}
	},
	// The constraints are forgotten.
	func(m *aiger.Model) { m.Constraints = nil },
	// ¬a ∧ ¬b is 1 where both are latches, the second one above the first.
	func(m *aiger.Model) {
		isLatch := map[uint32]bool{}
		for _, l := range m.Latches {
			isLatch[l.Lit] = true
		}
		for i, g := range m.Ands {
			if isLatch[g.RHS0^1] && isLatch[g.RHS1^1] {
				m.Ands[i].RHS0, m.Ands[i].RHS1 = 1, 1
			}
		}
	},
}

// disputed reports whether the engine with a fault says something else of the first bad than
// a search of all states.
func disputed(ctx context.Context, m *aiger.Model, fault func(*aiger.Model)) bool {
	c, err := m.Elaborate()
	if err != nil {
		panic(fmt.Sprintf("%v\n%s", err, m.AppendASCII(nil))) // what is left is not a circuit
	}
	if len(c.Bads()) == 0 {
		return false
	}
	property := c.Properties()[0]
	wrong := *m
	wrong.Latches, wrong.Ands = slices.Clone(m.Latches), slices.Clone(m.Ands)
	fault(&wrong)
	d, err := wrong.Elaborate()
	if err != nil {
		panic(err)
	}
	cone, err := d.Cone(property)
	if err != nil {
		panic(err)
	}
	v, _, err := ic3.Check(ctx, cone.Circuit, ic3.Options{}, nil)
	if err != nil || v.Outcome == cert.Unknown {
		return false
	}
	isViolated := explicit.FirstBadStep(c, property) != explicit.NotViolated
	return isViolated != (v.Outcome == cert.Refuted)
}

// failure is a file about which an engine with a fault is wrong.
type failure struct {
	seed  uint64
	model *aiger.Model
	fault func(*aiger.Model)
}

// failures returns n of them, of more than 1000 gates that count.
func failures(t testing.TB, n int) (all []failure) {
	t.Helper()
	for seed := uint64(0); len(all) < n; seed++ {
		r := rand.New(rand.NewPCG(seed, 22))
		c := explicit.RandomCircuit(r, explicit.Shape{Inputs: 6, Latches: 10, Gates: 3000, Constraints: 2, FreeLatches: true, OneResets: true, MoreBads: 3})
		m := aiger.FromCircuit(c)
		for i := range m.Latches {
			m.Symbols = append(m.Symbols, syntax.SymbolEntry{Kind: syntax.SectionLatches, Index: i, Name: fmt.Sprint("state", i)})
		}
		fault := faults[len(all)%len(faults)]
		cone, err := c.Cone(c.Properties()[0])
		if err != nil {
			t.Fatal(err)
		}
		if cone.Circuit.NumGates() > 1000 && disputed(context.Background(), m, fault) {
			all = append(all, failure{seed, m, fault})
		}
		if seed > 10_000 {
			t.Fatalf("only %d failures of %d found", len(all), n)
		}
	}
	return all
}

// reduced makes a failure small, and counts the candidates.
func (f failure) reduced(t testing.TB) (*aiger.Model, int) {
	t.Helper()
	tries := 0
	min := minimize.Minimizer[*aiger.Model]{Passes: shrink.Passes(), Tidy: shrink.Tidy(), Try: func(ctx context.Context, m *aiger.Model) (*aiger.Model, bool) {
		tries++
		return m, disputed(ctx, m, f.fault)
	}}
	m, err := min.Run(context.Background(), f.model)
	if err != nil {
		t.Fatal(err)
	}
	return m, tries
}

// TestFailuresBecomeSmall reduces files of some thousand gates about which engines are
// wrong. What is left is such a file, of few gates, with the names of the original.
func TestFailuresBecomeSmall(t *testing.T) {
	n := 3
	if os.Getenv("AIGLENS_LONG") != "" {
		n = 20
	}
	for i, f := range failures(t, n) {
		m, tries := f.reduced(t)
		t.Logf("seed %d: from %d gates and %d latches to %d and %d in %d tries", f.seed, len(f.model.Ands), len(f.model.Latches), len(m.Ands), len(m.Latches), tries)
		if !disputed(context.Background(), m, f.fault) {
			t.Errorf("seed %d, fault %d: the failure is gone\n%s", f.seed, i%len(faults), m.AppendASCII(nil))
		}
		if len(m.Ands) >= 30 {
			t.Errorf("seed %d, fault %d: %d gates are left\n%s", f.seed, i%len(faults), len(m.Ands), m.AppendASCII(nil))
		}
		keepsNames(t, f.model, m)
		if again, _ := (failure{f.seed, m, f.fault}).reduced(t); len(again.Ands)+len(again.Latches)+len(again.Inputs) != len(m.Ands)+len(m.Latches)+len(m.Inputs) {
			t.Errorf("seed %d: another reduction makes it smaller\n%s", f.seed, m.AppendASCII(nil))
		}
	}
}

// keepsNames checks that latches have the names that they had, also as inputs, where
// neither has been renumbered.
func keepsNames(t *testing.T, was, is *aiger.Model) {
	t.Helper()
	names := map[uint32]string{}
	for _, s := range was.Symbols {
		names[was.Latches[s.Index].Lit] = s.Name
	}
	of := func(kind syntax.SectionKind, i int) string {
		for _, s := range is.Symbols {
			if s.Kind == kind && s.Index == i {
				return s.Name
			}
		}
		return ""
	}
	for i, l := range is.Latches {
		if got := of(syntax.SectionLatches, i); got != names[l.Lit] {
			t.Errorf("latch %d is called %q and was %q", l.Lit, got, names[l.Lit])
		}
	}
	for i, lit := range is.Inputs {
		if got := of(syntax.SectionInputs, i); got != names[lit] {
			t.Errorf("input %d is called %q and was %q", lit, got, names[lit])
		}
	}
}

// TestCandidatesAreCircuits makes random passes over random files, everything taken for
// interesting or nothing, by lot: all candidates are circuits.
func TestCandidatesAreCircuits(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 23))
		m := aiger.FromCircuit(explicit.RandomCircuit(r, explicit.Shape{
			Inputs: 4, Latches: 6, Gates: 30, Constraints: 2, FreeLatches: true, OneResets: true, Constants: true, ResetFunctions: true, MoreBads: 2, Justice: 2, Fairness: 2,
		}))
		m.Comment, m.HasComment = "a comment\n", true
		before := string(m.AppendASCII(nil))
		min := minimize.Minimizer[*aiger.Model]{
			Passes: append(shrink.Passes(), shrink.Names()), Tidy: shrink.Tidy(),
			Try: func(_ context.Context, m *aiger.Model) (*aiger.Model, bool) {
				if _, err := m.Elaborate(); err != nil {
					t.Fatalf("seed %d: %v\n%s", seed, err, m.AppendASCII(nil))
				}
				if found, diagnostics := aiger.ReadBinary(binary(t, m)); found == nil || len(diagnostics) > 0 {
					t.Fatalf("seed %d: %v\n%s", seed, diagnostics, m.AppendASCII(nil))
				}
				return m, r.IntN(3) == 0
			},
		}
		if _, err := min.Run(context.Background(), m); err != nil {
			t.Fatal(err)
		}
		if string(m.AppendASCII(nil)) != before {
			t.Fatalf("seed %d: the original has changed", seed)
		}
	}
}

func binary(t *testing.T, m *aiger.Model) []byte {
	t.Helper()
	data, err := m.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestNoPropertyMore leaves out all that can be left out where a line of the comment names
// two latches: it becomes a property on none of the ways.
func TestNoPropertyMore(t *testing.T) {
	m, err := aiger.ModelOf(syntax.Parse(source.NewText("aag 3 1 2 0 0 1\n2\n4 4\n6 2\n4\nl0 x\nl1 x\nc\nprop: cover x\nprop: cover 6\n")))
	if err != nil {
		t.Fatal(err)
	}
	tries := 0
	for _, p := range append(shrink.Passes(), shrink.Tidy()...) {
		units := p.Units(m)
		for lo := range units {
			for hi := lo + 1; hi <= units; hi++ {
				tries++
				n := p.Without(m, lo, hi)
				if all := n.Asides(); len(all) > 1 {
					t.Errorf("%s without %d to %d has the comment %q", p.Name, lo, hi, n.Comment)
				}
			}
		}
	}
	if tries < 10 {
		t.Errorf("only %d tries", tries)
	}
	if n := shrink.WithoutAsides(m); len(n.Asides()) > 0 {
		t.Errorf("without lemmas and covers the comment is %q", n.Comment)
	}
}

// TestEnds stops with its context and returns the smallest file so far.
func TestEnds(t *testing.T) {
	f := failures(t, 1)[0]
	ctx, cancel := context.WithCancel(context.Background())
	tries := 0
	var last *aiger.Model
	min := minimize.Minimizer[*aiger.Model]{
		Passes: shrink.Passes(), Tidy: shrink.Tidy(), Found: func(m *aiger.Model, _ string) { last = m },
		Try: func(ctx context.Context, m *aiger.Model) (*aiger.Model, bool) {
			if tries++; tries == 20 {
				cancel()
			}
			return m, disputed(ctx, m, f.fault)
		},
	}
	m, err := min.Run(ctx, f.model)
	if err != context.Canceled || tries != 20 || m != last || !disputed(context.Background(), m, f.fault) {
		t.Errorf("%v after %d tries", err, tries)
	}
}

// BenchmarkReduce reports the median time of 20 reductions.
func BenchmarkReduce(b *testing.B) {
	all := failures(b, 20)
	for b.Loop() {
		var times []time.Duration
		gates := 0
		for _, f := range all {
			begin := time.Now()
			m, _ := f.reduced(b)
			times = append(times, time.Since(begin))
			gates = max(gates, len(m.Ands))
		}
		slices.Sort(times)
		b.ReportMetric(times[len(times)/2].Seconds(), "s-median")
		b.ReportMetric(float64(gates), "gates-at-most")
	}
}
