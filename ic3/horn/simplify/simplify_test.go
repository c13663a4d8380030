package simplify_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	chc "aiglens/horn"
	"aiglens/horn/cert"
	"aiglens/horn/horntest"
	"aiglens/horn/rational"
	"aiglens/horn/term"
	"aiglens/ic3/horn"
	"aiglens/ic3/horn/simplify"
)

// TestRandom simplifies random systems. The certificate of what an engine answers about the simplified one, taken
// back, must be accepted for the system as it was. Where the numbers are from 0 to 3, a search of all instances must
// say the same.
func TestRandom(t *testing.T) {
	n := 600
	if os.Getenv("AIGLENS_LONG") != "" {
		n = 20_000
	}
	tried := map[string]int{}
	for seed := range n {
		r := rand.New(rand.NewPCG(uint64(seed), 41))
		bounded := seed%3 > 0
		s := randomSystem(r, bounded)
		want := cert.Unknown
		if bounded {
			want = cert.Sat
			if horntest.IsFalseDerived(s) {
				want = cert.Unsat
			}
		}
		small := simplified(t, s, simplify.Options{KeepPredicates: seed%4 == 1, NoBounds: seed%4 == 2})
		answer := horn.Solve(context.Background(), small.System, horn.Options{Limits: horn.Limits{Queries: 5000}})
		if _, err := cert.Check(context.Background(), small.System, answer.Answer); err != nil {
			t.Fatalf("seed %d: the engine: %v\n%s\n%s", seed, err, smt(t, s), smt(t, small.System))
		}
		if answer.Outcome == cert.Unknown {
			tried["unknown: "+answer.Reason]++
			continue
		}
		back, err := takenBack(small, answer.Answer)
		if errors.Is(err, simplify.ErrUndefined) {
			tried[err.Error()]++
			continue
		}
		if err == nil {
			_, err = cert.Check(context.Background(), s, back)
		}
		if err != nil || bounded && back.Outcome != want {
			t.Fatalf("seed %d: %s, %v; the search says %s\n%s\nsimplified:\n%s", seed, back.Outcome, err, want, smt(t, s), smt(t, small.System))
		}
		tried[fmt.Sprintf("%s, %d of %d predicates", back.Outcome, len(small.System.Preds), len(s.Preds))]++
	}
	t.Log(tried)
}

func simplified(t *testing.T, s *chc.System, o simplify.Options) *simplify.Simplified {
	t.Helper()
	before := smt(t, s)
	small, err := simplify.Simplify(context.Background(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	if smt(t, s) != before {
		t.Fatalf("the system was changed:\n%s", before)
	}
	return small
}

// takenBack returns an answer about the system as it was.
func takenBack(s *simplify.Simplified, a cert.Answer) (cert.Answer, error) {
	var err error
	switch a.Outcome {
	case cert.Sat:
		a.Model, err = s.Model(context.Background(), a.Model)
	case cert.Unsat:
		a.Derivation = s.Derivation(a.Derivation)
	}
	return a, err
}

func smt(t *testing.T, s *chc.System) string {
	t.Helper()
	var b bytes.Buffer
	if err := s.WriteSMT(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// generator makes systems in which much can be simplified: arguments that are constant, equal or of no use, chains of
// predicates, variables that equalities determine.
type generator struct {
	r    *rand.Rand
	p    *term.Pool
	s    *chc.System
	vars []term.Term
	all  []term.Term // the constraint of the clause
	// bounded says that numbers are integers from 0 to 3.
	bounded bool
}

func randomSystem(r *rand.Rand, bounded bool) *chc.System {
	g := &generator{r: r, p: term.NewPool(), bounded: bounded}
	g.s = &chc.System{Terms: g.p}
	for i := range 2 + r.IntN(4) {
		p := chc.Predicate{Name: fmt.Sprint("P", i)}
		for range r.IntN(4) {
			sort := []term.Sort{term.Int, term.Int, term.Bool, term.Real}[r.IntN(4)]
			if bounded && sort == term.Real {
				sort = term.Int
			}
			p.Args = append(p.Args, sort)
		}
		g.s.Preds = append(g.s.Preds, p)
	}
	g.clause(0, 0)
	for i := range g.s.Preds {
		g.clause(i, r.IntN(3))
	}
	for range r.IntN(4) {
		g.clause(r.IntN(len(g.s.Preds)), r.IntN(3))
	}
	for range 1 + r.IntN(2) {
		g.clause(-1, 1+r.IntN(2))
	}
	return g.s
}

func (g *generator) clause(head, bodies int) {
	g.vars, g.all = nil, nil
	c := chc.Clause{Head: chc.Atom{Pred: chc.Pred(head)}, Origin: len(g.s.Clauses)}
	for range bodies {
		p := g.r.IntN(len(g.s.Preds))
		if head > 0 && g.r.IntN(3) > 0 {
			p = g.r.IntN(head) // a chain
		}
		c.Body = append(c.Body, g.atom(p, nil))
	}
	if head >= 0 {
		c.Head = g.atom(head, c.Body)
	}
	least := 0
	if head < 0 || bodies == 0 {
		least = 2
	}
	for range least + g.r.IntN(3) {
		g.all = append(g.all, g.formula(g.r.IntN(2)))
	}
	c.Constraint = g.p.And(g.all...)
	list := func() []term.Term {
		all := []term.Term{c.Constraint}
		for _, a := range append(c.Body, c.Head) {
			all = append(all, a.Args...)
		}
		return g.p.VarsOf(all...)
	}
	for _, v := range list() {
		if g.bounded && g.p.SortOf(v) == term.Int {
			c.Constraint = g.p.And(c.Constraint, g.p.Le(g.p.IntOf(0), v), g.p.Le(v, g.p.IntOf(3)))
		}
	}
	c.Vars = list()
	g.s.Clauses = append(g.s.Clauses, c)
}

// atom applies a predicate. The head often takes over arguments of an atom of the body.
func (g *generator) atom(p int, body []chc.Atom) chc.Atom {
	a := chc.Atom{Pred: chc.Pred(p)}
	for i, sort := range g.s.Preds[p].Args {
		t := g.fresh(sort)
		switch k := g.r.IntN(8); {
		case k < 4 && len(body) > 0:
			from := body[g.r.IntN(len(body))]
			if i < len(from.Args) && g.p.SortOf(from.Args[i]) == sort {
				t = from.Args[i]
			}
		case k == 4 && sort == term.Int:
			t = g.p.IntOf(int64(g.r.IntN(3)))
		case k == 5 && i > 0 && g.p.SortOf(a.Args[i-1]) == sort:
			t = a.Args[i-1]
		case k >= 6 && sort != term.Bool:
			t = g.p.Add(t, g.p.NumberOf(rational.Int(int64(g.r.IntN(3)-1)), sort))
		case k == 6 && sort == term.Bool:
			t = g.p.Not(t)
		}
		a.Args = append(a.Args, t)
	}
	return a
}

func (g *generator) fresh(sort term.Sort) term.Term {
	if len(g.vars) > 3 || len(g.vars) > 0 && g.r.IntN(2) == 0 {
		if v := g.vars[g.r.IntN(len(g.vars))]; g.p.SortOf(v) == sort {
			return v
		}
	}
	v := g.p.Var(fmt.Sprint("x", g.r.IntN(3)), sort)
	g.vars = append(g.vars, v)
	return v
}

func (g *generator) number() term.Term {
	v := g.fresh(term.Int)
	if !g.bounded && g.r.IntN(3) == 0 {
		return g.p.Sub(g.fresh(term.Real), g.p.ToReal(v))
	}
	switch g.r.IntN(9) {
	case 0:
		return g.p.IntOf(int64(g.r.IntN(4)))
	case 1:
		return g.p.Mod(v, rational.Int(2))
	case 2:
		return g.p.Div(g.p.Add(v, g.fresh(term.Int)), rational.Int(2))
	case 3:
		return g.p.Ite(g.fresh(term.Bool), v, g.p.IntOf(1))
	case 4:
		return g.p.Scale(rational.Int(2), v)
	case 5:
		return g.p.Add(v, g.p.IntOf(int64(g.r.IntN(3)-1)))
	case 6:
		if !g.bounded {
			return g.p.Add(g.fresh(term.Real), g.p.NumberOf(rational.Frac(int64(g.r.IntN(5)-2), 2), term.Real))
		}
	}
	return v
}

func (g *generator) formula(depth int) term.Term {
	p := g.p
	if depth == 0 {
		switch g.r.IntN(6) {
		case 0:
			return g.fresh(term.Bool)
		case 1:
			return p.Le(g.number(), g.number())
		case 2:
			return p.Not(p.Equal(g.number(), g.number()))
		case 3:
			return p.Iff(g.fresh(term.Bool), p.Lt(g.number(), g.number()))
		}
		return p.Equal(g.number(), g.number())
	}
	a, b := g.formula(0), g.formula(0)
	return []term.Term{p.Or(a, b), p.Or(a, b), p.Iff(a, b), p.Ite(g.fresh(term.Bool), a, b)}[g.r.IntN(4)]
}
