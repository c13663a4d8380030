package lia_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"aiglens/ic3/lia"
	"aiglens/ic3/sat"
)

// checkClause checks what does not depend on A: each atom of an interpolant contradicts b and is about its
// variables only.
func checkClause(t *testing.T, isInt []bool, clause, b []lia.Atom) {
	t.Helper()
	for _, a := range clause {
		if got := decide(t, &problem{append([]lia.Atom{a}, b...), isInt}).Result; got == sat.Sat {
			t.Fatalf("%v of an interpolant does not contradict %v", a, b)
		}
		for _, m := range a.Term {
			known := false
			for _, other := range b {
				known = known || !other.Term.Coef(m.Var).IsZero()
			}
			if !known {
				t.Fatalf("%v of an interpolant has x%d, which is not in %v", a, m.Var, b)
			}
		}
	}
}

// TestInterpolants interpolates refuted cubes.
func TestInterpolants(t *testing.T) {
	for name, s := range shapes {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(11, 1))
			found, none := 0, 0
			for range count(500) {
				p := s.problem(r)
				answer := decide(t, p)
				if answer.Result != sat.Unsat {
					continue
				}
				n := r.IntN(len(p.atoms) + 1)
				clause, ok := answer.Refutation.Interpolant(p.atoms, func(i int) bool { return i < n }, p.sort)
				if !ok {
					none++
					continue
				}
				found++
				negated := append([]lia.Atom{}, p.atoms[:n]...)
				for _, a := range clause {
					negated = append(negated, a.Not())
				}
				if got := decide(t, &problem{negated, p.isInt}).Result; got == sat.Sat {
					t.Fatalf("%v does not imply the interpolant %v", p.atoms[:n], clause)
				}
				checkClause(t, p.isInt, clause, p.atoms[n:])
			}
			t.Logf("%d interpolants, %d times none", found, none)
			if found == 0 || none > 0 && name != "congruences" {
				t.Errorf("%d interpolants, %d times none", found, none)
			}
		})
	}
}

// TestInterpolantsOfFormulas interpolates between a formula and a cube.
func TestInterpolantsOfFormulas(t *testing.T) {
	for name, s := range shapes {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(12, 1))
			results := map[sat.Result]int{}
			for range count(200) {
				p := s.problem(r)
				n := newSession(t, p)
				b := p.atoms[:1+r.IntN(len(p.atoms))]
				f, g := p.formula(r, 3), p.formula(r, 2)
				n.s.Assert(f.lit(n.s, n.free))
				clause, result, err := n.s.Interpolate(context.Background(), b, g.lit(n.s, n.free))
				if err != nil {
					t.Fatal(err)
				}
				if results[result]++; result == sat.Unsat {
					n.checkInterpolant(clause, b, f, g)
				}
			}
			t.Logf("%v", results)
			if results[sat.Unsat] == 0 || results[sat.Unsolved] > 0 && name != "congruences" {
				t.Errorf("%v", results)
			}
		})
	}
}

func (n *session) checkInterpolant(clause, b []lia.Atom, a ...*formula) {
	n.t.Helper()
	other := newSession(n.t, n.p)
	for _, f := range a {
		other.s.Assert(f.lit(other.s, other.free))
	}
	for _, atom := range clause {
		other.s.Assert(other.s.Atom(atom).Not())
	}
	if r, err := other.s.Solve(context.Background()); err != nil || r == sat.Sat {
		n.t.Fatalf("%v, %v: the formula does not imply %v", r, err, clause)
	}
	checkClause(n.t, n.p.isInt, clause, b)
}
