package aigertest

import (
	"math/rand/v2"
	"slices"
	"testing"

	"aiglens/circuit"
	"aiglens/internal/findings"
	"aiglens/internal/source"
)

// CheckDiagnostics tests what holds of every diagnostic: it lies in the text,
// has a message and one of the codes of kinds, and its fixes can be applied.
func CheckDiagnostics(t *testing.T, kinds []findings.Kind, text source.Text, diags []source.Diagnostic) {
	t.Helper()
	inside := func(s source.Span) bool { return s.Start >= 0 && s.Length >= 0 && s.End() <= text.Len() }
	last := 0
	for _, diag := range diags {
		if !inside(diag.Span) || diag.Span.Start < last {
			t.Fatalf("%s at %v of %d bytes, after one at %d", diag.Code, diag.Span, text.Len(), last)
		}
		last = diag.Span.Start
		if diag.Message == "" || diag.Severity == 0 || !slices.ContainsFunc(kinds, func(k findings.Kind) bool { return k.Code == diag.Code }) {
			t.Fatalf("diagnostic %+v", diag)
		}
		for _, r := range diag.Related {
			if !inside(r.Span) {
				t.Fatalf("%s: related %v of %d bytes", diag.Code, r.Span, text.Len())
			}
		}
		for _, fix := range diag.Fixes {
			if _, err := text.Apply(fix.AllEdits()); err != nil {
				t.Fatalf("%s: fix %q: %v", diag.Code, fix.Title, err)
			}
		}
	}
}

// CheckSameBehaviour simulates 64 random runs of both circuits and compares
// every output, property and constraint.
func CheckSameBehaviour(t testing.TB, name string, a, b *circuit.Circuit) {
	t.Helper()
	if len(a.Inputs()) != len(b.Inputs()) || len(a.Latches()) != len(b.Latches()) {
		t.Errorf("%s: %d inputs and %d latches became %d and %d", name,
			len(a.Inputs()), len(a.Latches()), len(b.Inputs()), len(b.Latches()))
		return
	}
	random := rand.New(rand.NewPCG(1, 2))
	free := make([]uint64, len(a.Latches()))
	for i := range free {
		free[i] = random.Uint64()
	}
	pa, pb := circuit.NewParallel(a), circuit.NewParallel(b)
	pa.Reset(func(i int) uint64 { return free[i] })
	pb.Reset(func(i int) uint64 { return free[i] })
	inputs := make([]uint64, len(a.Inputs()))
	for range 6 {
		for i := range inputs {
			inputs[i] = random.Uint64()
		}
		pa.Eval(inputs)
		pb.Eval(inputs)
		la, lb := observed(a), observed(b)
		if len(la) != len(lb) {
			t.Errorf("%s: %d observed literals became %d", name, len(la), len(lb))
			return
		}
		for i := range la {
			if pa.Value(la[i]) != pb.Value(lb[i]) {
				t.Errorf("%s: observed literal %d differs", name, i)
				return
			}
		}
		pa.Advance()
		pb.Advance()
	}
}

// observed lists what can be seen of a circuit: outputs, bads, constraints,
// justice, fairness.
func observed(c *circuit.Circuit) []circuit.Lit {
	var ls []circuit.Lit
	for _, list := range [][]circuit.Signal{c.Outputs(), c.Bads(), c.Constraints(), c.Fairness()} {
		for _, s := range list {
			ls = append(ls, s.Lit)
		}
	}
	for _, j := range c.Justice() {
		ls = append(ls, j.Lits...)
	}
	return ls
}
