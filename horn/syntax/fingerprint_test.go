package syntax

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"aiglens/internal/source"
)

// multiplied returns an assertion of 2ᵏ clauses, which share a disjunction of n comparisons.
func multiplied(k, n int) string {
	var b strings.Builder
	b.WriteString("(set-logic HORN)\n(declare-fun H (Int) Bool)\n")
	for i := range k {
		fmt.Fprintf(&b, "(declare-fun A%d (Int) Bool)\n(declare-fun B%d (Int) Bool)\n", i, i)
	}
	b.WriteString("(assert (forall ((x Int)) (=> (and (or")
	for i := range n {
		fmt.Fprintf(&b, " (= x %d)", 3*i)
	}
	b.WriteString(")")
	for i := range k {
		fmt.Fprintf(&b, " (or (A%d x) (B%d x))", i, i)
	}
	return b.String() + ") (H x))))\n(check-sat)\n"
}

// count counts the rows and bytes that are written.
type count struct{ rows, bytes int }

func (c *count) Write(b []byte) (int, error) {
	c.rows, c.bytes = c.rows+1, c.bytes+len(b)
	return len(b), nil
}

// TestMultiplied counts what is hashed of an assertion: its terms once, and little for each of its clauses.
func TestMultiplied(t *testing.T) {
	const k, n = 6, 500
	f := Parse(source.NewText(multiplied(k, n)), nil)
	x := f.resolved().again(len(f.forms) - 3)
	if len(x.made) != 1<<k {
		t.Fatalf("%d clauses", len(x.made))
	}
	var all count
	x.encode(&all)
	most := x.terms.Len() + len(x.preds) + len(x.made)
	if all.rows > most || all.bytes > 50*most {
		t.Errorf("%d rows of %d bytes for %d clauses of %d terms", all.rows, all.bytes, len(x.made), x.terms.Len())
	}
}

// TestFingerprint: what clauses say has a fingerprint, and not how it is written.
func TestFingerprint(t *testing.T) {
	const text = "(set-logic HORN)\n(declare-fun P (Int) Bool)\n(declare-fun Q (Int) Bool)\n" +
		"(assert (forall ((x Int)) (=> (and (Q x) (< (* 2 x) 7)) (P x))))\n(assert (forall ((x Int)) (=> (P x) false)))\n"
	of := func(text string) Fingerprint {
		f := Parse(source.NewText(text), nil)
		if d := f.Structural(); d != nil {
			t.Fatalf("%q: %s", text, d.Message)
		}
		return f.Fingerprint()
	}
	for _, c := range []struct {
		old, new string
		same     bool
	}{
		{" (and", "  ; a comment\n(and", true},
		{"(and (Q x) (< (* 2 x) 7))", "(let ((a (* 2 x)) (b (Q x))) (and b (< a 7)))", true},
		{"(< (* 2 x) 7)", "(< (+ x x) 7)", true},
		{"(declare-fun Q", "(define-fun f ((y Int)) Bool (< y 3))\n(declare-fun Q", true},
		{"(check-sat)", "(check-sat)\n(get-model)", true},
		{"7", "9", false},
		{"(* 2", "(* 3", false},
		{"(<", "(>=", false},
		{"(=> (P x) false)", "(=> (Q x) false)", false},
		{"(=> (P x) false)", "(=> (P (+ x 1)) false)", false},
		{"(=> (P x) false)", "(=> (and (P x) (Q x)) false)", false},
		{"Q", "R", false},
		{"(and (Q x)", "(and (P x)", false},
		{"((x Int)) (=> (P x)", "((y Int)) (=> (P y)", false}, // what is said of a derivation names variables
	} {
		next := strings.ReplaceAll(text, c.old, c.new)
		if (of(next) == of(text)) != c.same {
			t.Errorf("%q for %q", c.new, c.old)
		}
	}
	if of(strings.ReplaceAll(text, "Int", "Real")) == of(text) {
		t.Error("the sort")
	}
}

// TestFingerprints: random clauses with one fingerprint are the same.
func TestFingerprints(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	one := func(of ...string) string { return of[r.IntN(len(of))] }
	number := func() string {
		return one("x", "y", "1", "2", "(- 1)", "(mod x 2)", "(ite b x y)", "(ite (< x y) y 1)")
	}
	linear := func() string {
		return one(number(), "(+ "+number()+" "+number()+")", "(* "+one("2", "3")+" "+number()+")")
	}
	atom := func() string { return one("P", "Q") + " " + linear() + " " + one("b", "(not b)") }
	formula := func() string {
		return one("("+atom()+")", "("+one("<", "<=", "=", ">")+" "+linear()+" "+linear()+")", "b", "(or ("+atom()+") b)", "(or ("+atom()+") ("+atom()+"))")
	}
	first, again := map[Fingerprint]string{}, 0
	for range 10_000 {
		text := "(set-logic HORN)\n(declare-fun P (Int Bool) Bool)\n(declare-fun Q (Int Bool) Bool)\n"
		for range 1 + r.IntN(2) {
			text += "(assert (forall ((x Int) (y Int) (b Bool)) (=> (and " + formula() + " " + formula() + ") " + one("false", "("+atom()+")") + ")))\n"
		}
		f := Parse(source.NewText(text), nil)
		if d := f.Structural(); d != nil {
			t.Fatalf("%q: %s", text, d.Message)
		}
		var b strings.Builder
		if err := f.System().WriteSMT(&b); err != nil {
			t.Fatal(err)
		}
		clauses, known := b.String(), first[f.Fingerprint()]
		switch {
		case known == "":
			first[f.Fingerprint()] = clauses
		case known != clauses:
			t.Fatalf("one fingerprint: %s\n%s", known, clauses)
		default:
			again++
		}
	}
	t.Logf("%d texts, %d with the clauses of another one", len(first), again)
}
