package cert_test

import (
	"context"
	"errors"
	"math/big"
	"strings"
	"testing"

	"aiglens/horn"
	"aiglens/horn/cert"
	"aiglens/horn/rational"
	"aiglens/horn/term"
)

// counter is a system of one predicate, P(x, y): it begins with x = 0 and y = first, x grows
// by 2 and y by step, and the query asks for x = last and y ≤ 2.
func counter(sort term.Sort, first, step, last int64) *horn.System {
	p := term.NewPool()
	x, y := p.Var("x", sort), p.Var("y", sort)
	n := func(n int64) term.Term { return p.NumberOf(rational.Int(n), sort) }
	vars := []term.Term{x, y}
	P := func(args ...term.Term) horn.Atom { return horn.Atom{Args: args} }
	return &horn.System{
		Terms: p,
		Preds: []horn.Predicate{{Name: "P", Args: []term.Sort{sort, sort}}},
		Clauses: []horn.Clause{
			{Vars: vars, Constraint: p.And(p.Equal(x, n(0)), p.Equal(y, n(first))), Head: P(x, y)},
			{Vars: vars, Body: []horn.Atom{P(x, y)}, Constraint: term.True, Head: P(p.Add(x, n(2)), p.Add(y, n(step)))},
			{Vars: vars, Body: []horn.Atom{P(x, y)}, Constraint: p.And(p.Equal(x, n(last)), p.Le(y, n(2))), Head: horn.Atom{Pred: horn.NoPred}},
		},
	}
}

// model returns the answer that P(a, b) is a formula.
func model(s *horn.System, formula func(p *term.Pool, a, b term.Term) term.Term) cert.Answer {
	p := s.Terms.Clone()
	sort := s.Preds[0].Args[0]
	a, b := p.Var("a", sort), p.Var("b", sort)
	d := cert.Definition{Params: []term.Term{a, b}, Formula: formula(p, a, b)}
	return cert.Answer{Outcome: cert.Sat, Model: cert.Model{Terms: p, Definitions: []cert.Definition{d}}}
}

// steps returns the derivation of a counter that takes clause 1 some times.
func steps(n int, first, step int64) (d cert.Derivation) {
	for i := range n + 2 {
		at := int64(max(0, i-1))
		one := cert.Step{Clause: min(i, 1), Values: []cert.Value{
			{Number: big.NewRat(2*at, 1)}, {Number: big.NewRat(first+step*at, 1)},
		}}
		if i > 0 {
			one.Premises = []int{i - 1}
		}
		d = append(d, one)
	}
	d[n+1].Clause = 2
	return d
}

func even(p *term.Pool, a, _ term.Term) term.Term {
	return p.Equal(p.Mod(a, rational.Int(2)), p.IntOf(0))
}

// check fails unless the checker rejects an answer for what want says, or accepts it for "".
func check(t *testing.T, s *horn.System, a cert.Answer, want string) {
	t.Helper()
	c, err := cert.Check(context.Background(), s, a)
	var rejected *cert.RejectedError
	switch {
	case want == "" && (err != nil || c.Outcome() != a.Outcome):
		t.Errorf("not accepted: %v", err)
	case want != "" && (!errors.As(err, &rejected) || !strings.Contains(err.Error(), want) || c.Outcome() != cert.Unknown):
		t.Errorf("%v, not %q", err, want)
	}
}

func TestModels(t *testing.T) {
	ints, reals := counter(term.Int, 0, 1, 7), counter(term.Real, 0, 1, 7)
	check(t, ints, model(ints, even), "")
	check(t, ints, model(ints, func(p *term.Pool, a, b term.Term) term.Term { return p.Equal(a, p.Add(b, b)) }), "")
	check(t, ints, model(ints, func(p *term.Pool, a, b term.Term) term.Term {
		return p.Le(p.Sub(a, p.Add(b, b)), p.IntOf(0))
	}), "")
	check(t, ints, model(ints, func(p *term.Pool, a, b term.Term) term.Term {
		return p.Ite(p.Le(a, p.IntOf(1)), p.Equal(p.Ite(p.Le(b, p.IntOf(0)), a, b), a), even(p, a, b))
	}), "clause 2 is false for")
	check(t, ints, model(ints, func(p *term.Pool, a, b term.Term) term.Term { return p.Le(p.IntOf(0), a) }), "clause 3 is false for x = 7")
	check(t, ints, model(ints, func(p *term.Pool, a, b term.Term) term.Term { return p.Le(a, p.IntOf(6)) }), "clause 2 is false for")
	check(t, ints, model(ints, func(p *term.Pool, a, b term.Term) term.Term { return term.False }), "clause 1 is false for x = 0, y = 0")
	check(t, reals, model(reals, func(p *term.Pool, a, b term.Term) term.Term { return p.Le(a, p.Add(b, b)) }), "")
	check(t, reals, model(reals, func(p *term.Pool, a, b term.Term) term.Term { return p.Lt(a, p.Add(b, b)) }), "clause 1 is false for x = 0, y = 0")
	check(t, ints, cert.Answer{Reason: "timeout"}, "")
	closed := &horn.System{Terms: term.NewPool(), Clauses: []horn.Clause{{Constraint: term.True, Head: horn.Atom{Pred: horn.NoPred}}}}
	_, err := cert.Check(context.Background(), closed, cert.Answer{Outcome: cert.Sat, Model: cert.Model{Terms: term.NewPool()}})
	if err == nil || err.Error() != "certificate rejected: clause: clause 1 is false" {
		t.Errorf("a clause without variables: %v", err)
	}
}

// TestForms rejects models that are none.
func TestForms(t *testing.T) {
	s := counter(term.Int, 0, 1, 7)
	right := model(s, even)
	for name, change := range map[string]func(m *cert.Model){
		"no definition":   func(m *cert.Model) { m.Definitions = nil },
		"no pool":         func(m *cert.Model) { m.Terms = nil },
		"no formula":      func(m *cert.Model) { m.Definitions[0].Formula = term.None },
		"no term":         func(m *cert.Model) { m.Definitions[0].Formula = 1 << 20 },
		"a number":        func(m *cert.Model) { m.Definitions[0].Formula = m.Definitions[0].Params[0] },
		"a free variable": func(m *cert.Model) { m.Definitions[0].Formula = m.Terms.Var("c", term.Bool) },
		"a variable of clauses": func(m *cert.Model) {
			m.Definitions[0].Formula = m.Terms.Le(m.Terms.Var("x", term.Int), m.Terms.IntOf(0))
		},
		"a predicate":           func(m *cert.Model) { m.Definitions[0].Formula = m.Terms.Apply(0, m.Definitions[0].Params...) },
		"one parameter":         func(m *cert.Model) { m.Definitions[0].Params = m.Definitions[0].Params[:1] },
		"one parameter twice":   func(m *cert.Model) { m.Definitions[0].Params[1] = m.Definitions[0].Params[0] },
		"a number as parameter": func(m *cert.Model) { m.Definitions[0].Params[1] = m.Terms.IntOf(3) },
		"a Real":                func(m *cert.Model) { m.Definitions[0].Params[1] = m.Terms.Var("b", term.Real) },
	} {
		t.Run(name, func(t *testing.T) {
			m := model(s, even)
			change(&m.Model)
			check(t, s, m, "form")
		})
	}
	check(t, s, right, "")
	check(t, s, cert.Answer{Outcome: 3}, "form")
	s.Clauses[1].Vars = s.Clauses[1].Vars[:1]
	check(t, s, right, "form")
}

func TestDerivations(t *testing.T) {
	s := counter(term.Int, -1, 1, 6)
	derivation := func(change func(d cert.Derivation) cert.Derivation) cert.Answer {
		return cert.Answer{Outcome: cert.Unsat, Derivation: change(steps(3, -1, 1))}
	}
	check(t, s, derivation(func(d cert.Derivation) cert.Derivation { return d }), "")
	check(t, s, derivation(func(d cert.Derivation) cert.Derivation { return nil }), "form")
	check(t, s, derivation(func(d cert.Derivation) cert.Derivation { return d[:4] }), "form")
	check(t, s, derivation(func(d cert.Derivation) cert.Derivation { return d[1:] }), "premise")
	check(t, s, derivation(func(d cert.Derivation) cert.Derivation { d[4].Premises[0] = 2; return d }), "step 3 derives")
	check(t, s, derivation(func(d cert.Derivation) cert.Derivation { d[1].Premises[0] = 1; return d }), "premise 1 of step 2 is step 2")
	check(t, s, derivation(func(d cert.Derivation) cert.Derivation { d[0].Values[0].Number = big.NewRat(1, 1); return d }), "constraint of clause 1")
	check(t, s, derivation(func(d cert.Derivation) cert.Derivation { d[0].Values[0].Number = big.NewRat(1, 2); return d }), "no value of sort Int")
	check(t, s, derivation(func(d cert.Derivation) cert.Derivation { d[0].Values[0] = cert.Value{Bool: true}; return d }), "no value of sort Int")
	check(t, s, derivation(func(d cert.Derivation) cert.Derivation { d[2].Clause = 2; return d }), "form")
	check(t, s, cert.Answer{Outcome: cert.Unsat, Derivation: steps(2, -1, 1)}, "constraint of clause 3")
}

// TestRefutations checks that what adds up saves gini the search, and that what does not is
// ignored.
func TestRefutations(t *testing.T) {
	s := counter(term.Real, 0, 1, 7)
	atMost := func(p *term.Pool, a, b term.Term) term.Term { return p.Le(a, p.Add(b, b)) }
	rounds := func(m cert.Model) int {
		n, err := cert.Rounds(context.Background(), s, 2, m)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	positive := func(p *term.Pool, a, b term.Term) term.Term {
		return p.Le(p.NumberOf(rational.Int(0), term.Real), a)
	}
	// refuted is a model with the refutation of clause 2, in which x = 7 and y ≤ 2.
	refuted := func(formula func(p *term.Pool, a, b term.Term) term.Term, factors ...*big.Rat) cert.Answer {
		a := model(s, formula)
		p := a.Model.Terms
		x, y := p.Var("x", term.Real), p.Var("y", term.Real)
		n := func(n int64) term.Term { return p.NumberOf(rational.Int(n), term.Real) }
		a.Model.Refutations = [][]cert.Refutation{nil, nil, {{
			Atoms:   []term.Term{formula(p, x, y), p.Equal(x, n(7)), p.Le(y, n(2))},
			Factors: factors,
		}}}
		return a
	}
	if without := rounds(model(s, atMost).Model); without == 0 {
		t.Fatal("gini finds nothing without a refutation")
	}
	one, minus, two := big.NewRat(1, 1), big.NewRat(-1, 1), big.NewRat(2, 1)
	right := refuted(atMost, one, minus, two) // (x − 2y) − (x − 7) + 2(y − 2) = 3
	if with := rounds(right.Model); with != 0 {
		t.Errorf("%d rounds with a refutation", with)
	}
	check(t, s, right, "")
	for _, factors := range [][]*big.Rat{{one, one, two}, {minus, minus, two}, {one, one, new(big.Rat)}, {one, nil, two}, {one}, nil} {
		check(t, s, refuted(positive, factors...), "clause 3 is false")
	}
}

// TestRefutationOfIte checks that a refutation is about the same choice of a number as the definition is.
func TestRefutationOfIte(t *testing.T) {
	s := counter(term.Real, 0, 1, 7)
	n := func(p *term.Pool, n int64) term.Term { return p.NumberOf(rational.Int(n), term.Real) }
	comparisons := func(p *term.Pool, a, b term.Term) []term.Term {
		z := p.Ite(p.And(p.Le(b, n(p, 1)), p.Le(a, n(p, 3))), a, b)
		return []term.Term{p.Le(p.Add(z, a), n(p, 0)), p.Le(n(p, -6), z)}
	}
	m := model(s, func(p *term.Pool, a, b term.Term) term.Term { return p.And(comparisons(p, a, b)...) }).Model
	rounds := func() int {
		n, err := cert.Rounds(context.Background(), s, 2, m)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if rounds() == 0 {
		t.Fatal("gini finds nothing without a refutation")
	}
	x, y := m.Terms.Var("x", term.Real), m.Terms.Var("y", term.Real)
	m.Refutations = [][]cert.Refutation{nil, nil, {{ // (z + x) + (−6 − z) − (x − 7) = 1
		Atoms:   append(comparisons(m.Terms, x, y), m.Terms.Equal(x, n(m.Terms, 7))),
		Factors: []*big.Rat{big.NewRat(1, 1), big.NewRat(1, 1), big.NewRat(-1, 1)},
	}}}
	if with := rounds(); with != 0 {
		t.Errorf("%d rounds with a refutation", with)
	}
}

// TestRefutationOfIntegers checks that more than k is at least k + 1 in a refutation.
func TestRefutationOfIntegers(t *testing.T) {
	s := counter(term.Int, 0, 1, 7)
	comparisons := func(p *term.Pool, a, b term.Term) []term.Term {
		return []term.Term{p.Not(p.Le(p.Add(a, b), p.IntOf(8))), p.Not(p.Le(p.Sub(a, b), p.IntOf(5)))}
	}
	m := model(s, func(p *term.Pool, a, b term.Term) term.Term { return p.And(comparisons(p, a, b)...) }).Model
	x, y := m.Terms.Var("x", term.Int), m.Terms.Var("y", term.Int)
	m.Refutations = [][]cert.Refutation{nil, nil, {{ // (9 − x − y) + (6 − x + y) + 2(x − 7) = 1
		Atoms:   append(comparisons(m.Terms, x, y), m.Terms.Equal(x, m.Terms.IntOf(7))),
		Factors: []*big.Rat{big.NewRat(1, 1), big.NewRat(1, 1), big.NewRat(2, 1)},
	}}}
	if n, err := cert.Rounds(context.Background(), s, 2, m); err != nil || n != 0 {
		t.Errorf("%d rounds with a refutation, %v", n, err)
	}
}
