package certificate_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"aiglens/horn"
	"aiglens/horn/cert"
	"aiglens/horn/certificate"
	"aiglens/horn/syntax"
	"aiglens/internal/source"
)

// counts has no model: P is derived of all numbers from 4 on. grows has one: x > 3.
const (
	declared = "(set-logic HORN)\n(declare-fun P (Int) Bool)\n"
	counts   = declared + `(assert (forall ((x Int)) (=> (= x 4) (P x))))
(assert (forall ((x Int) (y Int)) (=> (and (P x) (= y (+ x 1))) (P y))))
(assert (forall ((x Int)) (=> (and (P x) (> x 5)) false)))`
	grows = declared + `(assert (forall ((x Int)) (=> (= x 4) (P x))))
(assert (forall ((x Int)) (=> (P x) (P (+ x 1)))))
(assert (forall ((x Int)) (=> (and (P x) (< x 4)) false)))`
	empty = declared + `(assert (forall ((x Int)) (=> (P x) (P (+ x 1)))))
(assert (forall ((x Int)) (=> (and (P x) (> x 5)) false)))`
	pairs = "(set-logic HORN)\n(declare-fun P (Int Int) Bool)\n" + `(assert (P 0 0))
(assert (forall ((x Int) (y Int)) (=> (P x y) (P (+ x 1) (+ y 2)))))
(assert (forall ((x Int) (y Int)) (=> (and (P x y) (> x 1)) false)))`
	none = "(set-logic HORN)\n(assert (=> (< 1 0) false))\n(assert (forall ((x Int)) (=> (and (< x 0) (< 0 x)) false)))"
)

// steps derive false from counts.
const steps = `(declare-fun P (Int) Bool)
(assert (P 4))
(assert (=> (P 4) (P 5)))
(assert (=> (P 5) (P 6)))
(assert (=> (P 6) false))
`

// read checks a certificate, as certify does.
func read(t testing.TB, clauses, text string) (*horn.System, cert.Checked, error) {
	t.Helper()
	file := syntax.Parse(source.NewText(clauses), nil)
	if d := file.Structural(); d != nil {
		t.Fatal(d.Message)
	}
	answer, err := certificate.Read(context.Background(), file.System(), text)
	if err != nil {
		return file.System(), cert.Checked{}, err
	}
	checked, err := cert.Check(context.Background(), file.System(), answer)
	return file.System(), checked, err
}

func TestCertificates(t *testing.T) {
	const def, more = "(define-fun P ((x Int)) Bool (> x 3))", "(define-fun Q ((x Int)) Bool true)"
	for _, test := range []struct{ clauses, text, want string }{
		{grows, def, "sat"},
		{grows, "sat\n; one\n(\n" + def + "\n)\n; two", "sat"},
		{grows, "(model " + def + more + ")", "sat"},
		{grows, "; a comment (of z3\nsat\n(\n" + def + "\n; another ) here\n)\n; and ) here", "sat"},
		{grows, "sat\n(define-fun more ((x Int)) Int (+ x 1))\n(define-fun P ((x Int)) Bool (> (more x) 4))\n", "sat"},
		{grows, "(define-fun |P| ((|a b| Int)) Bool (> |a b| 03))", "sat"},
		{grows, "(\n(define-fun P ((x Int)) Bool (> x 3))\n)", "sat"},
		{grows, "(\n(define-fun P ((x Int)) Bool true)\n)", "certificate rejected: clause: clause 3 is false for x ="},
		{counts, steps, "unsat"},
		{counts, "unsat\n" + steps + "(check-sat)", "unsat"},
		{none, "sat\n(\n)\n", "sat"},
		{none, "( ; nothing )\n)", "sat"},

		// What is not read must not count.
		{empty, "((exit) (define-fun P ((x Int)) Bool true))", "line 1, column 3: a model has no exit: expected define-fun"},
		{empty, "(exit) (define-fun P ((x Int)) Bool true)", "line 1, column 2: a derivation has no exit: expected "},
		{empty, "(" + more + ")", "the model does not define P with the sorts (Int)"},
		{empty, "()", "the model does not define P with the sorts (Int)"},
		{grows, "(" + def + "(declare-const c Bool))", "line 1, column 40: a model has no declare-const"},
		{grows, "(" + def + def + ")", `line 1, column 51: "P" is declared already`},
		{grows, "(" + def + ")\n" + more, "line 2, column 1: nothing stands after the list of a model"},
		{grows, "(" + def + ") more", "line 1, column 41: expected '(' and a command"},
		{grows, "(" + def, "line 1, column 38: expected ')': the list that starts with \"((define-fun"},
		{grows, "(\n" + def + "\n", "expected ')': the list that starts with \"(\" has no end"},
		{grows, def + "\n(assert (P 4))", "line 1, column 2: a derivation has no define-fun: expected declare-fun, declare-const, assert,"},
		{grows, def + steps, "is declared already"},
		{grows, more + steps, "line 1, column 2: a derivation has no define-fun"},
		{counts, steps + "(assert (P 4))", "certificate rejected: form: line 6 stands after the step that derives false"},
		{none, "sat", "line 1, column 1: the file holds no command"},
		{grows, "(set-logic HORN)", "expected the definitions of a model, or the instances of a derivation"},

		{counts, "sat\n" + steps, "certificate rejected: form: a derivation stands after sat"},
		{grows, "unsat\n(" + def + ")", "certificate rejected: form: a model stands after unsat"},
		{grows, "unsat " + def, "certificate rejected: form: a model stands after unsat"},

		// The cause and its place.
		{grows, "(define-fun P ((x Int)) Bool (exists ((y Int)) (= x (+ 4 y y))))", "line 1, column 1: aiglens checks definitions without quantifiers, and that of P has one"},
		{grows, "(define-fun P ((x Int)) Bool (forall ((y Int)) (< y x)))", "line 1, column 1: aiglens checks definitions without quantifiers"},
		{grows, "sat (\n(define-fun |P ((x Int)) Bool (> x 3)))", "line 2, column 13: expected a second '|'"},
		{grows, "sat (define-fun P ((x Int)) Bool (>> x 3))", `line 1, column 35: ">>" is not declared`},
		{grows, "unsat (define-fun P ((x Int)) Bool (>> x 3))", `line 1, column 37: ">>" is not declared`},
		{grows, "(model (define-fun P ((x Int)) Bool (>> x 3)))", `line 1, column 38: ">>" is not declared`},
		{grows, "sat\n((define-fun P ((x Int)) Bool (>> x 3)))", `line 2, column 32: ">>" is not declared`},
		{grows, "(define-fun P ((x Real)) Bool (> x 3.0))", "line 1, column 1: the model defines P as (Real) Bool, and the clauses declare it as (Int) Bool"},
		{grows, "(define-fun P ((x Int)) Int x)", "the model defines P as (Int) Int"},
		{pairs, "(declare-fun P (Int Int) Bool)\n(assert (P 0 0))\n(assert (=> (P 4 8) (P 5 10)))", "certificate rejected: step: line 3: no earlier line derives P(4, 8)"},
		{pairs, "(declare-fun P (Int Int) Bool)\n(assert (P 0 0))\n(assert (=> (P 0 0) (P 1 3)))", "certificate rejected: step: line 3 is no instance of a clause"},
		{counts, strings.Replace(steps, "(assert (=> (P 6) false))\n", "", 1), "certificate rejected: form: no step derives false"},
		{counts, "(declare-fun P (Int) Bool)\n(assert (=> (P 4) (P 4)))", "certificate rejected: form: no step derives false"},
		{counts, "(declare-fun P (Int) Bool)\n(assert (forall ((x Int)) (P x)))", "line 2: a step of a derivation has no variables"},
		{counts, "(declare-fun P (Real) Bool)\n(assert (P 4.0))", "line 2: there is no predicate P with the sorts (Real)"},
	} {
		_, checked, err := read(t, test.clauses, test.text)
		if got := checked.Outcome().String(); err == nil && got != test.want || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s\n%s: %v, not %q", test.text, got, err, test.want)
		}
	}
}

// TestLargeCandidate: where one clause is too large to check, a later one that a step is an instance of is found.
func TestLargeCandidate(t *testing.T) {
	long := func(digit int) string { return fmt.Sprint(digit, strings.Repeat("0", 1300), "7") }
	large := fmt.Sprintf("(assert (forall ((x Int) (y Int) (z Int)) (=> (<= 1 (+ (* %s y) (* %s z)) 3) (P x))))\n", long(3), long(5))
	small := strings.TrimPrefix(counts, declared)
	if _, checked, err := read(t, declared+large+small, steps); err != nil || checked.Outcome() != cert.Unsat {
		t.Error(err)
	}
	want := "certificate rejected: size: line 2: it is too large to check whether this is an instance of clause 1"
	if _, _, err := read(t, declared+large, steps); err == nil || err.Error() != want {
		t.Error(err)
	}
}

// FuzzCertificates: nothing certifies the wrong answer, and a model that is accepted is accepted as it is printed.
func FuzzCertificates(f *testing.F) {
	of := map[string]cert.Outcome{counts: cert.Unsat, grows: cert.Sat, none: cert.Sat}
	for _, text := range []string{
		steps, "unsat\n" + steps, "sat\n(\n(define-fun P ((x Int)) Bool (> x 3))\n)", "((exit) (define-fun P ((x Int)) Bool true))",
		"(model (define-fun Q () Bool true) (define-fun P ((x Int)) Bool (let ((y x)) (and Q (<= 4 y)))))", "()", "(exit)", "(define-fun |P", "sat ;(\n((",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for clauses, want := range of {
			s, checked, err := read(t, clauses, text)
			if err != nil {
				continue
			}
			if checked.Outcome() != want {
				t.Errorf("%s is accepted for\n%s\n%s", checked.Outcome(), clauses, text)
			}
			if want != cert.Sat {
				continue
			}
			var b strings.Builder
			if err := checked.Model().WriteSMT(&b, s); err != nil {
				t.Fatal(err)
			}
			if _, _, err := read(t, clauses, b.String()); err != nil {
				t.Errorf("%v\n%s\nprinted as\n%s", err, text, b.String())
			}
		}
	})
}
