package runs_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/trace"
	"aiglens/design/runs"
	"aiglens/ic3/verify"
	"aiglens/internal/explicit"
)

// TestManyGoals shows a long lasso of a property of many literals, each 1 in the last step
// alone.
func TestManyGoals(t *testing.T) {
	const steps, goals = 100, 60
	b := circuit.NewBuilder(100_000)
	in := b.Input(0)
	var latches, lits []circuit.Lit
	for range steps {
		latches = append(latches, b.Latch(0))
	}
	for i, l := range latches {
		b.SetNext(l, latches[(i+steps-1)%steps])
	}
	b.SetReset(latches[0], circuit.True)
	for len(lits) < goals {
		l := latches[steps-1]
		for range 60 {
			l = b.And(l, b.Or(l, b.And(in, latches[len(lits)]).Not()))
			in = b.Or(in, l)
		}
		lits = append(lits, b.Or(b.And(latches[steps-1], in), l))
	}
	b.Justice(lits, 0)
	c := b.Build()
	lasso := &cert.Lasso{}
	for range latches {
		lasso.Initial = append(lasso.Initial, circuit.X)
	}
	for range steps {
		lasso.Inputs = append(lasso.Inputs, []circuit.Value{circuit.Zero})
	}
	p := circuit.Property{Kind: circuit.PropertyJustice}
	checked, err := cert.Check(t.Context(), c, p, cert.Verdict{Outcome: cert.Refuted, Lasso: lasso})
	if err != nil {
		t.Fatal(err)
	}
	x, ok := runs.NewCounterexample(t.Context(), c, p, verify.Result{Checked: checked})
	if !ok {
		t.Fatal("no counterexample")
	}
	for _, e := range x.Evidence() {
		if e.Step != steps-1 {
			t.Fatalf("%+v", e)
		}
	}
}

// TestWordsOfMinimalLassos compares words such as "01(x1)ω" with a simulation of many rounds,
// in which an x of the lasso stays one.
func TestWordsOfMinimalLassos(t *testing.T) {
	words, withX := 0, 0
	for seed := range uint64(2000) {
		c := explicit.RandomCircuit(rand.New(rand.NewPCG(seed, 5)), explicit.Shape{
			Inputs: 3, Latches: 5, Gates: 15, Constraints: 1, FreeLatches: true, OneResets: true, ResetFunctions: seed%2 == 0, Justice: 2, Fairness: 1,
		})
		p := circuit.Property{Kind: circuit.PropertyJustice}
		if len(c.Justice()) == 0 {
			continue
		}
		found := explicit.Answer(circuit.Problem{Circuit: c, Question: circuit.Liveness})
		if found.Outcome != cert.Refuted {
			continue
		}
		minimal, _, err := trace.MinimizeLasso(t.Context(), c, c.Goals(0), *found.Lasso, 0)
		if err != nil {
			t.Fatal(err)
		}
		checked, err := cert.Check(t.Context(), c, p, cert.Verdict{Outcome: cert.Refuted, Lasso: &minimal})
		if err != nil {
			t.Fatal(err)
		}
		x, ok := runs.NewCounterexample(t.Context(), c, p, verify.Result{Checked: checked})
		if !ok {
			t.Fatalf("seed %d: no counterexample", seed)
		}
		run := cert.Trace{Initial: minimal.Initial, Inputs: slices.Clone(minimal.Inputs)}
		for range 10 {
			run.Inputs = append(run.Inputs, minimal.Inputs[minimal.Loop:]...)
		}
		r, err := trace.New(t.Context(), c, run)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range x.Latches() {
			var want strings.Builder
			for step := range run.Steps() {
				want.WriteString(r.Value(c.Latches()[l.Index].Lit, step).String())
			}
			stem, rest, isLasso := strings.Cut(l.Word, "(")
			loop, isWhole := strings.CutSuffix(rest, ")ω")
			if got := stem + strings.Repeat(loop, run.Steps()); !isLasso || !isWhole || loop == "" || got[:run.Steps()] != want.String() {
				t.Errorf("seed %d: latch %d is %s, simulated %s", seed, l.Index, l.Word, want.String())
			}
			words++
			if strings.Contains(loop, "x") && strings.Contains(loop, "1") {
				withX++
			}
		}
	}
	if words < 200 || withX < 20 {
		t.Errorf("%d words, %d of them with x and 1 in the loop", words, withX)
	}
}
