package ide_test

import (
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/verify"
	"aiglens/lsp/ide"
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
	x, ok := ide.NewCounterexample(t.Context(), c, p, verify.Result{Checked: checked})
	if !ok {
		t.Fatal("no counterexample")
	}
	for _, e := range x.Evidence() {
		if e.Step != steps-1 {
			t.Fatalf("%+v", e)
		}
	}
}
