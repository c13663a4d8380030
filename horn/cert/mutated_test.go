package cert_test

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"aiglens/horn"
	"aiglens/horn/cert"
	"aiglens/horn/rational"
	"aiglens/horn/term"
)

// mutations is how many changes TestMutated makes of each certificate.
const mutations = 8

// TestMutated changes models and derivations that a search gives, and compares the checker
// with a search of all instances. AIGLENS_LONG makes 50,000 changes.
func TestMutated(t *testing.T) {
	systems := 60
	if os.Getenv("AIGLENS_LONG") != "" {
		systems = 50_000 / mutations
	}
	tried := map[string]int{}
	for seed := range systems {
		r := rand.New(rand.NewPCG(34, uint64(seed)))
		s := randomSystem(r)
		a := solve(s)
		if _, err := cert.Check(context.Background(), s, a); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, describe(s, a))
		}
		for i := range mutations {
			m := mutate(r, s, a)
			for range r.IntN(3) {
				m = mutate(r, s, m)
			}
			accepted := compare(t, s, m, fmt.Sprintf("seed %d, mutation %d", seed, i))
			tried[fmt.Sprintf("%s, accepted %v", m.Outcome, accepted)]++
		}
	}
	t.Log(tried)
	for _, name := range []string{"sat, accepted true", "sat, accepted false", "unsat, accepted true", "unsat, accepted false"} {
		if tried[name] < systems/5 {
			t.Errorf("%d are %s", tried[name], name)
		}
	}
}

// compare reports whether the checker accepts an answer, and fails when a search does not
// agree.
func compare(t *testing.T, s *horn.System, a cert.Answer, name string) bool {
	t.Helper()
	_, err := cert.Check(context.Background(), s, a)
	var rejected *cert.RejectedError
	if err != nil && !errors.As(err, &rejected) || rejected != nil && rejected.Obligation == "size" {
		t.Fatalf("%s: %v\n%s", name, err, describe(s, a))
	}
	if right := certifies(s, a); right != (err == nil) {
		t.Fatalf("%s: by a search it is right: %v, by the checker %v\n%s", name, right, err, describe(s, a))
	}
	return err == nil
}

func mutate(r *rand.Rand, s *horn.System, a cert.Answer) cert.Answer {
	if a.Outcome == cert.Sat {
		return cert.Answer{Outcome: cert.Sat, Model: mutateModel(r, a.Model)}
	}
	return cert.Answer{Outcome: cert.Unsat, Derivation: mutateDerivation(r, s, a.Derivation)}
}

// mutateModel returns a model with a definition that is larger, smaller or another one.
func mutateModel(r *rand.Rand, m cert.Model) cert.Model {
	m.Definitions = slices.Clone(m.Definitions)
	d := &m.Definitions[r.IntN(len(m.Definitions))]
	g := &generator{r: r, p: m.Terms}
	extra := g.bounds(d.Params)
	switch args := m.Terms.Args(d.Formula); r.IntN(7) {
	case 0:
		d.Formula = m.Terms.And(d.Formula, m.Terms.Not(extra))
	case 1:
		d.Formula = term.True
	case 2: // one fact less
		if m.Terms.Op(d.Formula) == term.OpOr {
			d.Formula = m.Terms.Or(slices.Delete(slices.Clone(args), 0, 1)...)
		}
	default:
		d.Formula = m.Terms.Or(d.Formula, extra)
	}
	return m
}

// bounds returns a formula over parameters: a conjunction of one comparison of each.
func (g *generator) bounds(params []term.Term) term.Term {
	var all []term.Term
	for _, v := range params {
		sort := g.p.SortOf(v)
		if sort == term.Bool {
			all = append(all, []term.Term{v, g.p.Not(v), term.True}[g.r.IntN(3)])
			continue
		}
		c := g.p.Add(g.constantOf(sort), g.constantOf(sort))
		if w := params[0]; w != v && g.r.IntN(3) == 0 && g.p.SortOf(w) == sort {
			c = g.p.Add(w, g.constantOf(sort))
		}
		one := []term.Term{g.p.Le(v, c), g.p.Le(c, v), g.p.Equal(v, c), g.p.Not(g.p.Equal(v, c))}[g.r.IntN(4)]
		if sort == term.Int && g.r.IntN(4) == 0 {
			one = g.p.Equal(g.p.Mod(v, rational.Int(2)), g.p.IntOf(int64(g.r.IntN(2))))
		}
		all = append(all, one)
	}
	return g.p.And(all...)
}

// mutateDerivation returns a derivation with a random change.
func mutateDerivation(r *rand.Rand, s *horn.System, d cert.Derivation) cert.Derivation {
	m := slices.Clone(d)
	for i := range m {
		m[i].Values, m[i].Premises = slices.Clone(m[i].Values), slices.Clone(m[i].Premises)
	}
	if len(m) == 0 {
		return m
	}
	at := r.IntN(len(m))
	if r.IntN(2) == 0 {
		at = len(m) - 1
	}
	step := &m[at]
	switch r.IntN(9) {
	case 0: // without the step
		m = slices.Delete(m, at, at+1)
		for i := range m {
			for j, from := range m[i].Premises {
				if from > at {
					m[i].Premises[j]--
				}
			}
		}
	case 1: // twice
		m = slices.Insert(m, at, m[at])
		for i := at + 1; i < len(m); i++ {
			for j, from := range m[i].Premises {
				if from >= at {
					m[i].Premises[j]++
				}
			}
		}
	case 2:
		step.Clause = r.IntN(len(s.Clauses)+2) - 1
	case 3:
		if len(step.Premises) > 0 {
			step.Premises[r.IntN(len(step.Premises))] = r.IntN(len(m)+2) - 1
		}
	case 4:
		step.Premises = append(step.Premises, 0)
	default:
		if len(step.Values) == 0 {
			break
		}
		v := &step.Values[r.IntN(len(step.Values))]
		switch {
		case v.Number == nil:
			v.Bool = !v.Bool
		case r.IntN(8) == 0:
			*v = cert.Value{}
		default:
			v.Number = new(big.Rat).Add(v.Number, big.NewRat(int64(r.IntN(5)-2), int64(1+r.IntN(2))))
		}
	}
	return m
}

// describe prints a system and an answer.
func describe(s *horn.System, a cert.Answer) string {
	name := func(p int) string { return s.Preds[p].Name }
	text := ""
	for i := range s.Clauses {
		c := &s.Clauses[i]
		text += fmt.Sprintf("clause %d: %s", i, term.Infix(s.Terms, c.Constraint, name, term.NoLimit))
		for _, b := range c.Body {
			text += fmt.Sprintf(" ∧ %s%s", name(int(b.Pred)), list(s.Terms, b.Args))
		}
		if !c.IsQuery() {
			text += fmt.Sprintf(" ⇒ %s%s", name(int(c.Head.Pred)), list(s.Terms, c.Head.Args))
		}
		text += "\n"
	}
	for p, d := range a.Model.Definitions {
		text += fmt.Sprintf("%s%s: %s\n", name(p), list(a.Model.Terms, d.Params), term.Infix(a.Model.Terms, d.Formula, name, term.NoLimit))
	}
	return text + fmt.Sprintf("%+v", a.Derivation)
}

func list(p *term.Pool, ts []term.Term) string {
	var all []string
	for _, t := range ts {
		all = append(all, term.Infix(p, t, nil, term.NoLimit))
	}
	return fmt.Sprint(all)
}
