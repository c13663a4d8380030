package main

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"aiglens/aiger"
	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/verify"
	"aiglens/internal/explicit"
)

// randomLasso returns a random circuit with a justice property and a lasso that violates
// it, by the checker; ok is false where chance has found none.
func randomLasso(t *testing.T, r *rand.Rand) (c *circuit.Circuit, checked cert.Checked, ok bool) {
	t.Helper()
	plain := explicit.RandomCircuit(r, explicit.Shape{
		Inputs: 4, Latches: 6, Gates: 25, Constraints: r.IntN(2), FreeLatches: true, OneResets: true, ResetFunctions: r.IntN(2) == 0,
	})
	b := circuit.NewBuilder(0)
	lit := plain.CopyTo(b)
	goal := func() circuit.Lit {
		return lit(circuit.Var(r.IntN(plain.NumVars())).Lit().NotIf(r.IntN(2) == 0))
	}
	for _, s := range plain.Constraints() {
		b.Constraint(lit(s.Lit), s.Origin)
	}
	b.Justice([]circuit.Lit{goal(), goal()}, 0)
	b.Fairness(goal(), 0)
	c = b.Build()
	values := func(n int) []circuit.Value {
		row := make([]circuit.Value, n)
		for i := range row {
			row[i] = circuit.Value(r.IntN(3))
		}
		return row
	}
	p := circuit.Property{Kind: circuit.PropertyJustice}
	for range 20 {
		l := &cert.Lasso{Trace: cert.Trace{Initial: values(len(c.Latches()))}}
		for i, latch := range c.Latches() {
			if !latch.IsFree() {
				l.Initial[i] = circuit.X
			}
		}
		for range 1 + r.IntN(6) {
			l.Inputs = append(l.Inputs, values(len(c.Inputs())))
		}
		l.Loop = r.IntN(l.Steps())
		checked, err := cert.Check(t.Context(), c, p, cert.Verdict{Outcome: cert.Refuted, Lasso: l})
		if _, rejected := errors.AsType[*cert.RejectedError](err); err != nil && !rejected {
			t.Fatal(err)
		}
		if err == nil {
			return c, checked, true
		}
	}
	return c, checked, false
}

// TestRefereeAcceptsLassos writes witnesses of lassos, most of which do not close in all
// latches as they stand: the referee and replay accept them.
func TestRefereeAcceptsLassos(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	done, longer := 0, 0
	dir := t.TempDir()
	for range 600 {
		c, checked, ok := randomLasso(t, r)
		if !ok {
			continue
		}
		done++
		in := readText(t, string(aiger.FromCircuit(c).AppendASCII(nil)))
		a := &answer{in: in, circuit: circuitIn(t, in), property: checked.Property(), result: &verify.Result{Checked: checked}}
		a.fillWitness(t.Context())
		if a.unwritten != nil {
			t.Fatal(a.unwritten)
		}
		file := aiger.FromCircuit(c).AppendASCII(nil)
		witness, err := a.witness.Append(nil)
		if err != nil {
			t.Fatal(err)
		}
		if a.witness.Trace().Steps() > checked.Trace().Steps() {
			longer++
		}
		if err := refereeOf(t, file).acceptLasso(string(witness)); err != nil {
			t.Fatalf("the referee says: %v\n%s%s", err, file, witness)
		}
		for name, data := range map[string][]byte{"c.aag": file, "c.wit": witness} {
			if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if code, out, errs := runCommand(t, "replay", "--witness", filepath.Join(dir, "c.wit"), filepath.Join(dir, "c.aag")); code != exitOK {
			t.Fatalf("exit %d\n%s%s\n%s%s", code, out, errs, file, witness)
		}
	}
	if done < 100 || longer < 30 {
		t.Errorf("%d lassos only, %d of them longer as witnesses", done, longer)
	}
}
