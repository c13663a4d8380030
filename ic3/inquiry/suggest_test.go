package inquiry_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/engines"
	"aiglens/ic3/inquiry"
	"aiglens/internal/explicit"
)

func suggestTerms() inquiry.Terms {
	return inquiry.Terms{Engine: engines.NewAuto(), Runs: 8}
}

// asking returns c with another bad, made of its literals, and some as constraints.
func asking(c *circuit.Circuit, bad func(b *circuit.Builder, to func(circuit.Lit) circuit.Lit) circuit.Lit, granted cert.Invariant) *circuit.Circuit {
	b := circuit.NewBuilder(c.NumVars())
	to := c.CopyTo(b)
	for _, s := range c.Constraints() {
		b.Constraint(to(s.Lit), 0)
	}
	if granted != nil {
		b.Constraint(b.Clauses(granted, to), 0)
	}
	b.Bad(bad(b, to), 0)
	return b.Build()
}

// anywhere lets a circuit start in any state, without its constraints.
func anywhere(c *circuit.Circuit) *circuit.Circuit {
	b := circuit.NewBuilder(c.NumVars())
	to := c.CopyTo(b)
	for _, l := range c.Latches() {
		b.SetReset(to(l.Lit), to(l.Lit))
	}
	b.Bad(to(c.Bads()[0].Lit), 0)
	return b.Build()
}

// TestSuggestRandom: what is claimed of suggestions is so in a search of all states: none is violated
// in the steps that were searched, what is inductive never is, of what is enough the property
// follows, and at once of what is stronger.
func TestSuggestRandom(t *testing.T) {
	seeds := uint64(100)
	if os.Getenv("AIGLENS_LONG") != "" {
		seeds = 5000
	}
	found, inductive, enough, stronger, wrong := 0, 0, 0, 0, 0
	for seed := range seeds {
		r := rand.New(rand.NewPCG(53, seed))
		c := explicit.RandomCircuit(r, explicit.Shape{Inputs: 2, Latches: 6, Gates: 20, Constraints: 1, FreeLatches: true, OneResets: true, ResetFunctions: seed%4 == 0})
		bad, _ := c.Bad(bad0)
		all, err := inquiry.Suggest(t.Context(), c, bad0, inquiry.Known{}, suggestTerms())
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for i, s := range all {
			violated := func(b *circuit.Builder, to func(circuit.Lit) circuit.Lit) circuit.Lit {
				return b.Clauses(s.Clauses, to).Not()
			}
			first := explicit.FirstBadStep(asking(c, violated, nil), bad0)
			found++
			if first != explicit.NotViolated {
				wrong++
			}
			if first != explicit.NotViolated && (s.Inductive || first < s.Steps) {
				t.Errorf("seed %d: %d: %v is violated in step %d", seed, i, s, first)
			}
			if s.Inductive {
				inductive++
			}
			if s.Enough {
				enough++
				fails := func(_ *circuit.Builder, to func(circuit.Lit) circuit.Lit) circuit.Lit { return to(bad) }
				if at := explicit.FirstBadStep(asking(c, fails, s.Clauses), bad0); at != explicit.NotViolated {
					t.Errorf("seed %d: %d: %v is not enough: the property fails in step %d", seed, i, s, at)
				}
			}
			if s.Stronger {
				stronger++
				both := func(b *circuit.Builder, to func(circuit.Lit) circuit.Lit) circuit.Lit {
					return b.And(to(bad), b.Clauses(s.Clauses, to))
				}
				if explicit.FirstBadStep(anywhere(asking(c, both, nil)), bad0) != explicit.NotViolated {
					t.Errorf("seed %d: %d: %v does not imply the property", seed, i, s)
				}
			}
		}
	}
	t.Logf("%d suggestions, %d inductive, %d enough, %d stronger, %d wrong", found, inductive, enough, stronger, wrong)
	if found < 100 || inductive < 20 || enough < 10 || stronger < 3 {
		t.Error("too little is suggested")
	}
}

// TestSuggestTold: clauses that are given are suggested as long as nothing refutes them, and those that
// a known run violates are not.
func TestSuggestTold(t *testing.T) {
	// Two latches follow inputs of which a constraint says that not both are 1; the third one
	// is 1 only after a long count that random runs do not make.
	b := circuit.NewBuilder(60)
	x, y, go1 := b.Input(0), b.Input(0), b.Input(0)
	p, q := b.Latch(0), b.Latch(0)
	b.SetNext(p, x)
	b.SetNext(q, y)
	b.Constraint(b.And(x, y).Not(), 0)
	carry := go1
	var bits []circuit.Lit
	for range 7 {
		l := b.Latch(0)
		bits = append(bits, l)
		b.SetNext(l, b.And(go1, b.Xor(l, carry)))
		carry = b.And(carry, l)
	}
	b.Bad(b.And(b.And(p, q), bits[6].Not()), 0)
	c := b.Build()
	isThere := func(known inquiry.Known, clause ...circuit.Lit) bool {
		t.Helper()
		all, err := inquiry.Suggest(t.Context(), c, bad0, known, suggestTerms())
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range all {
			if len(s.Clauses) == 1 && slices.Equal(slices.Sorted(slices.Values(s.Clauses[0])), clause) {
				return true
			}
		}
		return false
	}
	if !isThere(inquiry.Known{}, p.Not(), q.Not()) {
		t.Error("that not both are 1 is not suggested")
	}
	var known inquiry.Known
	known.Runs = []cert.Trace{{Initial: make([]circuit.Value, 9), Inputs: [][]circuit.Value{{1, 0, 0}, {0, 0, 0}}}}
	known.Clauses = cert.Invariant{{p.Not()}}
	if isThere(known, p.Not()) {
		t.Error("what a known run violates is suggested")
	}
}

func TestSuggestEnds(t *testing.T) {
	b := circuit.NewBuilder(10)
	x := b.Latch(0)
	b.SetNext(x, b.Input(0))
	b.Bad(b.And(x, b.Input(0)), 0)
	c := b.Build()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := inquiry.Suggest(ctx, c, bad0, inquiry.Known{}, suggestTerms()); !errors.Is(err, context.Canceled) {
		t.Errorf("with a context that has ended: %v", err)
	}
	if _, err := inquiry.Suggest(t.Context(), c, circuit.Property{Kind: circuit.PropertyJustice}, inquiry.Known{}, suggestTerms()); !errors.Is(err, circuit.ErrNoBad) {
		t.Errorf("of no property: %v", err)
	}
}

// TestSuggestWideConjunction: parts of a conjunction are left out only of one that is not too wide, and
// only until the context ends.
func TestSuggestWideConjunction(t *testing.T) {
	strongerOf := func(width int, end bool) (n int, err error) {
		b := circuit.NewBuilder(4 * width)
		never := b.Latch(0)
		b.SetNext(never, never)
		bad := never
		for range width {
			bad = b.And(bad, b.Input(0))
		}
		b.Bad(bad, 0)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		terms := suggestTerms()
		terms.Progress = func(p inquiry.Progress) {
			if end && strings.HasPrefix(p.Doing, "searching for violations") { // the next thing is the parts
				cancel()
			}
		}
		all, err := inquiry.Suggest(ctx, b.Build(), bad0, inquiry.Known{}, terms)
		for _, s := range all {
			if s.Stronger {
				n++
			}
		}
		return n, err
	}
	for _, c := range []struct {
		width int
		end   bool
		want  bool
		err   error
	}{{10, false, true, nil}, {10, true, false, context.Canceled}, {20_000, false, false, nil}} {
		if n, err := strongerOf(c.width, c.end); n > 0 != c.want || err != c.err {
			t.Errorf("%+v: %d, %v", c, n, err)
		}
	}
}
