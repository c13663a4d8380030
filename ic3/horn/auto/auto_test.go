package auto_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"aiglens/horn/cert"
	"aiglens/horn/syntax"
	"aiglens/ic3/horn/auto"
	"aiglens/ic3/horn/verify"
	"aiglens/internal/source"
)

// counter is a loop that adds two numbers up, with a predicate between that is not recursive.
const counter = `(set-logic HORN)
(declare-fun Loop (Int Int Int) Bool)
(declare-fun Step (Int Int Int) Bool)
(assert (forall ((n Int)) (=> (>= n 0) (Loop n 0 n))))
(assert (forall ((x Int) (y Int) (n Int)) (=> (and (Loop x y n) (> x 0)) (Step x y n))))
(assert (forall ((x Int) (y Int) (n Int)) (=> (Step x y n) (Loop (- x 1) (+ y 1) n))))
(assert (forall ((x Int) (y Int) (n Int)) (=> (and (Loop x y n) (<= x 0) QUERY) false)))
(check-sat)
`

// TestWords checks the same system with a query that cannot be reached, and with one that can.
func TestWords(t *testing.T) {
	for _, test := range []struct{ query, words string }{
		{"(< y 0)", "safe · "},
		{"(= y 2)", "reached in 6 steps"},
	} {
		file := syntax.Parse(source.NewText(strings.Replace(counter, "QUERY", test.query, 1)), nil)
		for _, variant := range auto.Variants() {
			r := auto.Check(context.Background(), file.System(), verify.Options{Variant: variant})
			if !strings.HasPrefix(r.Words(), test.words) || r.Internal != nil {
				t.Errorf("%s with %s: %s, %v; want %s", test.query, variant, r.Words(), r.Internal, test.words)
			}
			if r.Stats["predicates"] > 1 {
				t.Errorf("%s: %g predicates are left", test.query, r.Stats["predicates"])
			}
		}
	}
}

// TestCancelled checks that no answer is given after the context has ended, and why.
func TestCancelled(t *testing.T) {
	file := syntax.Parse(source.NewText(strings.Replace(counter, "QUERY", "(< y 0)", 1)), nil)
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errors.New("timeout"))
	if r := auto.Check(ctx, file.System(), verify.Options{}); r.Checked.Outcome() != cert.Unknown || r.Words() != "unknown: timeout" {
		t.Error(r.Words())
	}
	ctx, stop := context.WithCancel(context.Background())
	r := auto.Check(ctx, file.System(), verify.Options{Progress: func(verify.Progress) { stop() }})
	if r.Checked.Outcome() == cert.Unknown && r.Words() != "unknown: cancelled" {
		t.Error(r.Words())
	}
}

// TestRemainders checks that what differs from one remainder is one obligation, and not one for each other remainder.
func TestRemainders(t *testing.T) {
	file := syntax.Parse(source.NewText(`(set-logic HORN)
(declare-fun P (Int) Bool)
(assert (forall ((x Int)) (=> (= x 0) (P x))))
(assert (forall ((x Int)) (=> (P x) (P (+ x 20000)))))
(assert (forall ((x Int)) (=> (and (P x) (not (= (mod x 10000) 0))) false)))
(check-sat)
`), nil)
	for _, variant := range auto.Variants() {
		r := auto.Check(context.Background(), file.System(), verify.Options{Variant: variant})
		if r.Checked.Outcome() != cert.Sat || r.Stats["obligations"] > 20 {
			t.Errorf("%s: %s after %g obligations", variant, r.Words(), r.Stats["obligations"])
		}
	}
}
