package inquiry_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/trace"
	"aiglens/ic3/engines"
	"aiglens/ic3/inquiry"
	"aiglens/ic3/verify"
	"aiglens/internal/explicit"
)

var bad0 = circuit.Property{Kind: circuit.PropertyBad}

func anotherTerms() inquiry.Terms {
	return inquiry.Terms{Engine: engines.NewAuto()}
}

func check(t *testing.T, c *circuit.Circuit) verify.Result {
	t.Helper()
	return verify.Run(t.Context(), verify.Job{Circuit: c, Property: bad0, Engine: engines.NewAuto()}, nil)
}

// values returns what latches have in each step of a run.
func values(t *testing.T, c *circuit.Circuit, run cert.Trace) (*trace.Replay, [][]circuit.Value) {
	t.Helper()
	r, err := trace.New(t.Context(), c, run)
	if err != nil {
		t.Fatal(err)
	}
	rows := make([][]circuit.Value, run.Steps())
	for step := range rows {
		for _, l := range c.Latches() {
			rows[step] = append(rows[step], r.Value(l.Lit, step))
		}
	}
	return r, rows
}

// endsLike reports whether the last steps of a run have the values of the latches that matter in
// another one. It says so of the values themselves, without any circuit.
func endsLike(t *testing.T, c *circuit.Circuit, run, known cert.Trace) bool {
	t.Helper()
	r, wanted := values(t, c, known)
	support, err := r.Support(t.Context(), trace.Event{Lit: c.Bads()[0].Lit, Step: known.Steps() - 1})
	if err != nil {
		t.Fatal(err)
	}
	_, has := values(t, c, run)
	if len(has) < len(wanted) {
		return false
	}
	has = has[len(has)-len(wanted):]
	for _, l := range support.Latches {
		for step := l.First; step <= l.Last; step++ {
			if want := wanted[step][l.Index]; want != circuit.X && has[step][l.Index] != want {
				return false
			}
		}
	}
	return true
}

// violations makes random runs and returns those of them that violate the property, up to
// their first violation.
func violations(r *rand.Rand, c *circuit.Circuit) (runs []cert.Trace) {
	for range 60 {
		sim := circuit.NewParallel(c)
		t := cert.Trace{Initial: make([]circuit.Value, len(c.Latches()))}
		sim.Reset(func(i int) uint64 {
			t.Initial[i] = circuit.ValueOf(r.IntN(2) == 0)
			return -uint64(t.Initial[i])
		})
		for i, l := range c.Latches() {
			if !l.IsFree() {
				t.Initial[i] = circuit.X
			}
		}
		for range 8 {
			row, words := make([]circuit.Value, len(c.Inputs())), make([]uint64, len(c.Inputs()))
			for i := range row {
				row[i] = circuit.ValueOf(r.IntN(2) == 0)
				words[i] = -uint64(row[i])
			}
			t.Inputs = append(t.Inputs, row)
			sim.Eval(words)
			if slices.ContainsFunc(c.Constraints(), func(s circuit.Signal) bool { return sim.Value(s.Lit)&1 == 0 }) {
				break
			}
			if sim.Value(c.Bads()[0].Lit)&1 == 1 {
				runs = append(runs, t)
				break
			}
			sim.Advance()
		}
	}
	return runs
}

// TestAnother: of random circuits each counterexample more violates the property and is none of
// those before; where there is said to be none, each violation of random runs is one that is
// known.
func TestAnother(t *testing.T) {
	seeds := uint64(400)
	if os.Getenv("AIGLENS_LONG") != "" {
		seeds = 5000
	}
	more, none, held := 0, 0, 0
	for seed := range seeds {
		r := rand.New(rand.NewPCG(61, seed))
		c := explicit.RandomCircuit(r, explicit.Shape{Inputs: 3, Latches: 5, Gates: 18, Constraints: 1, FreeLatches: true, OneResets: true, ResetFunctions: seed%4 == 0})
		first := check(t, c)
		if first.Checked.Outcome() != cert.Refuted {
			continue
		}
		known := []cert.Trace{first.Checked.Trace()}
		for range 4 {
			found, err := inquiry.FindAnother(t.Context(), c, bad0, known, anotherTerms())
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if found.Checked.Outcome() == cert.Proved {
				none++
				for _, run := range violations(r, c) {
					held++
					if !slices.ContainsFunc(known, func(k cert.Trace) bool { return endsLike(t, c, run, k) }) {
						t.Errorf("seed %d: %v is another one than %v", seed, run, known)
					}
				}
				break
			}
			next := found.Checked.Trace()
			if !explicit.Certifies(c, bad0, cert.Verdict{Outcome: cert.Refuted, Trace: next}) {
				t.Errorf("seed %d: %v does not violate the property", seed, next)
			}
			if slices.ContainsFunc(known, func(k cert.Trace) bool { return endsLike(t, c, next, k) }) {
				t.Errorf("seed %d: %v is known: %v", seed, next, known)
			}
			known = append(known, next)
			more++
		}
	}
	t.Logf("%d more, none more of %d, %d violations held against what is known", more, none, held)
	if more < 30 || none < 20 || held < 100 {
		t.Error("too little is asked")
	}
}

// TestShortest: the shortest counterexample is as long as a search of all states says, and that
// is proved.
func TestShortest(t *testing.T) {
	seeds := uint64(150)
	if os.Getenv("AIGLENS_LONG") != "" {
		seeds = 5000
	}
	asked, longest, shorter := 0, 0, 0
	for seed := range seeds {
		r := rand.New(rand.NewPCG(67, seed))
		c := explicit.RandomCircuit(r, explicit.Shape{Inputs: 2, Latches: 6, Gates: 20, Constraints: 1, FreeLatches: true, OneResets: true, ResetFunctions: seed%4 == 0})
		want := explicit.FirstBadStep(c, bad0)
		if want == explicit.NotViolated {
			continue
		}
		known := check(t, c)
		// One that is longer than it need be, where a random run is.
		for _, run := range violations(r, c) {
			if run.Steps() > known.Checked.Trace().Steps() {
				long, err := verify.Imported(t.Context(), c, bad0, run)
				if err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				known = long
			}
		}
		s, err := inquiry.FindShortest(t.Context(), c, bad0, known, anotherTerms())
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		steps := s.Result.Checked.Trace().Steps()
		if steps != want+1 || !s.IsShortest() || s.Proof == nil {
			t.Errorf("seed %d: %d steps, by search %d; bound %d, proof %v", seed, steps, want+1, s.Bound, s.Proof)
		}
		asked, longest = asked+1, max(longest, steps)
		if steps < known.Checked.Trace().Steps() {
			shorter++
		}
	}
	t.Logf("%d asked, the longest has %d steps, %d were longer before", asked, longest, shorter)
	if asked < 50 || longest < 3 || shorter < 10 {
		t.Error("too little is asked")
	}
}

func TestAnotherEnds(t *testing.T) {
	b := circuit.NewBuilder(8)
	x := b.Latch(0)
	b.SetNext(x, b.Input(0))
	b.Bad(x, 0)
	c := b.Build()
	first := check(t, c)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := inquiry.FindAnother(ctx, c, bad0, []cert.Trace{first.Checked.Trace()}, anotherTerms()); !errors.Is(err, context.Canceled) {
		t.Errorf("with a context that has ended: %v", err)
	}
	if _, err := inquiry.FindShortest(ctx, c, bad0, first, anotherTerms()); !errors.Is(err, context.Canceled) {
		t.Errorf("with a context that has ended: %v", err)
	}
	if _, err := inquiry.FindAnother(t.Context(), c, circuit.Property{Kind: circuit.PropertyJustice}, nil, anotherTerms()); !errors.Is(err, circuit.ErrNoBad) {
		t.Errorf("of no property: %v", err)
	}
}
