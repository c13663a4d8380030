package formula_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"aiglens/horn"
	"aiglens/horn/horntest"
	"aiglens/horn/syntax"
	"aiglens/horn/term"
	"aiglens/ic3/lia"
	"aiglens/ic3/lia/formula"
	"aiglens/ic3/sat"
	"aiglens/internal/peers"
	"aiglens/internal/source"
)

// systems calls visit for each real system of Horn clauses.
func systems(t *testing.T, visit func(name string, s *horn.System)) {
	t.Helper()
	for _, f := range horntest.Files(t) {
		visit(f.Name, syntax.Parse(source.NewText(f.Read(t)), nil).System())
	}
}

// TestConstraints asks for each clause of real systems whether its constraint can hold, evaluates the
// models and, with AIGLENS_LONG, compares with z3. Then the same with the negation.
func TestConstraints(t *testing.T) {
	results := map[sat.Result]int{}
	slowest, at := time.Duration(0), ""
	systems(t, func(name string, s *horn.System) {
		p := s.Terms.Clone()
		for i, c := range s.Clauses {
			if i == 12 { // of each file
				break
			}
			for _, f := range []term.Term{c.Constraint, p.Not(c.Constraint)} {
				start := time.Now()
				got := decide(t, p, f, fmt.Sprintf("%s, clause %d", name, i))
				if d := time.Since(start); d > slowest {
					slowest, at = d, name
				}
				results[got]++
			}
		}
	})
	t.Logf("%v, the slowest after %s in %s", results, slowest, at)
	if results[sat.Unsolved] > 0 {
		t.Errorf("%v", results)
	}
}

func decide(t *testing.T, p *term.Pool, f term.Term, where string) sat.Result {
	t.Helper()
	var s *lia.Solver
	s = lia.New(lia.Options{Conflict: func(premises []lia.Atom, r *lia.Refutation) {
		if err := r.Check(premises, s.IsInt); err != nil {
			t.Fatalf("%s: %v", where, err)
		}
	}})
	e := formula.New(p, s)
	l := e.Lit(f)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	got, err := s.Solve(ctx, l)
	if err != nil {
		t.Fatalf("%s: %v", where, err)
	}
	if got == sat.Sat {
		if !term.NewEvaluation(p, e.Value).Holds(f) {
			t.Fatalf("%s: the model does not satisfy the formula", where)
		}
		checkImplicant(t, e, f, where)
	}
	if os.Getenv("AIGLENS_LONG") != "" && got != sat.Unsolved {
		if want := z3(t, p, f); want != got.String() && want != "unknown" && want != "timeout" {
			t.Fatalf("%s: %v, and z3 says %s", where, got, want)
		}
	}
	return got
}

// checkImplicant evaluates the terms of an implicant in its model, and refutes it together with what it
// is not to imply.
func checkImplicant(t *testing.T, e *formula.Encoder, f term.Term, where string) {
	t.Helper()
	l := e.Lit(f)
	var terms []term.Term
	for _, m := range e.Solver.AppendImplicant(nil, l) {
		u, ok := e.Formula(m)
		if !ok {
			return
		}
		if !term.NewEvaluation(e.Terms, e.Value).Holds(u) {
			t.Fatalf("%s: the implicant is not true in its model", where)
		}
		terms = append(terms, u)
	}
	s := lia.New(lia.Options{})
	other := formula.New(e.Terms, s)
	s.Assert(other.Lit(e.Terms.And(terms...)))
	if r, err := s.Solve(context.Background(), other.Lit(f).Not()); err != nil || r == sat.Sat {
		t.Fatalf("%s: %v, %v: the implicant does not imply the formula", where, r, err)
	}
}

func z3(t *testing.T, p *term.Pool, f term.Term) string {
	t.Helper()
	var b strings.Builder
	for _, v := range p.VarsOf(f) {
		fmt.Fprintf(&b, "(declare-const %s %s)\n", term.Quote(p.Name(v)), p.SortOf(v))
	}
	b.WriteString("(assert " + term.Printer{Pool: p}.String(f) + ")\n(check-sat)\n")
	cmd := exec.Command(peers.Program(t, "z3"), "-in", "-T:10")
	cmd.Stdin = strings.NewReader(b.String())
	out, _ := cmd.Output()
	return strings.TrimSpace(string(out))
}
