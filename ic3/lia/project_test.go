package lia_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"aiglens/horn/rational"
	"aiglens/ic3/lia"
	"aiglens/ic3/sat"
)

// quantified is a cube and the variables to project out.
type quantified struct {
	*problem
	vars []lia.Var
	z    *referee
}

// TestProjection projects cubes in model after model until none is left, so that there are finitely many
// results. Each must be true in its model, be without the variables, and imply that they have values.
// With AIGLENS_LONG z3 is asked about that, too.
func TestProjection(t *testing.T) {
	for name, s := range shapes {
		t.Run(name, func(t *testing.T) {
			q := quantified{}
			if isLong() {
				q.z = newReferee(t)
			}
			r := rand.New(rand.NewPCG(10, 1))
			most, results := 0, 0
			for range count(150) {
				q.problem, q.vars = s.problem(r), nil
				for i, a := range q.atoms {
					if a.Rel == lia.Congruent && r.IntN(2) == 0 {
						q.atoms[i].Rel = lia.Incongruent
					}
				}
				for v := range q.isInt {
					if r.IntN(2) == 0 {
						q.vars = append(q.vars, lia.Var(v))
					}
				}
				n := q.eliminate(t, r, name == "mixed")
				most, results = max(most, n), results+n
			}
			t.Logf("at most %d cubes, %d in all", most, results)
			if results == 0 {
				t.Error("no cube has a model")
			}
		})
	}
}

// eliminate returns the number of results. mayBeInfinite says that not all need to be seen.
func (q *quantified) eliminate(t *testing.T, r *rand.Rand, mayBeInfinite bool) int {
	t.Helper()
	s := q.solver(q.atoms)
	for n := 0; ; n++ {
		result, err := s.Solve(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if result != sat.Sat || mayBeInfinite && n == 10 {
			return n
		}
		if n == 3000 {
			t.Fatalf("no end of results for %v of %v", q.vars, q.atoms)
		}
		projected := lia.Project(q.atoms, q.vars, q.sort, s.Value)
		var lits []lia.Lit
		for _, a := range projected {
			if !a.Holds(s.Value) {
				t.Fatalf("%v, projected from %v for %v, is false in the model", a, q.atoms, q.vars)
			}
			for _, v := range q.vars {
				if !a.Term.Coef(v).IsZero() {
					t.Fatalf("%v, projected from %v, is about x%d", a, q.atoms, v)
				}
			}
		}
		if n < 20 {
			q.checkImplies(t, r, projected)
		}
		for _, a := range projected {
			lits = append(lits, literal(s, a))
		}
		s.Assert(s.And(lits...).Not())
	}
}

// solver returns a solver in which atoms hold.
func (q *quantified) solver(atoms []lia.Atom) *lia.Solver {
	s := lia.New(lia.Options{})
	for _, isInt := range q.isInt {
		s.NewVar(isInt)
	}
	for _, a := range atoms {
		s.Assert(literal(s, a))
	}
	return s
}

// literal returns the literal of an atom of any relation.
func literal(s *lia.Solver, a lia.Atom) lia.Lit {
	if a.Rel == lia.Incongruent {
		a.Rel = lia.Congruent
		return s.Atom(a).Not()
	}
	return s.Atom(a)
}

// checkImplies takes points of the projected cube and looks for values of the variables there; z3 is asked
// about all points.
func (q *quantified) checkImplies(t *testing.T, r *rand.Rand, projected []lia.Atom) {
	t.Helper()
	for range 3 {
		pushed := append([]lia.Atom{}, projected...)
		for v := range q.isInt {
			bound := lia.Atom{Term: lia.NewTerm(lia.Monomial{Var: lia.Var(v), Coef: rational.Int(int64(1 - 2*r.IntN(2)))}),
				Const: rational.Int(int64(r.IntN(41) - 20))}
			if r.IntN(2) == 0 {
				pushed = append(pushed, bound)
			}
		}
		point := q.solver(pushed)
		if result, err := point.Solve(context.Background()); err != nil || result != sat.Sat {
			continue
		}
		fixed := append([]lia.Atom{}, q.atoms...)
		for v := range q.isInt {
			if !contains(q.vars, lia.Var(v)) {
				fixed = append(fixed, lia.Atom{Term: lia.NewTerm(lia.Monomial{Var: lia.Var(v), Coef: rational.One}),
					Rel: lia.Equal, Const: point.Value(lia.Var(v))})
			}
		}
		if got, err := q.solver(fixed).Solve(context.Background()); err != nil || got == sat.Unsat {
			t.Fatalf("%v does not imply ∃ %v: %v at %v", projected, q.vars, q.atoms, fixed[len(q.atoms):])
		}
	}
	if q.z == nil {
		return
	}
	script := declarations(q.isInt)
	for _, a := range projected {
		script += "(assert " + smtAtom(a, q.sort) + ")\n"
	}
	if len(q.vars) == 0 {
		return
	}
	script += "(assert (forall (" + q.binders() + ") (not (and true"
	for _, a := range q.atoms {
		script += " " + smtAtom(a, q.sort)
	}
	if got := q.z.command(script+"))))\n", "(check-sat-using (then simplify qsat))"); got == "sat" {
		t.Fatalf("z3: %v does not imply ∃ %v: %v", projected, q.vars, q.atoms)
	}
}

func (q *quantified) binders() string {
	s := ""
	for _, v := range q.vars {
		sort := "Real"
		if q.isInt[v] {
			sort = "Int"
		}
		s += fmt.Sprintf("(x%d %s)", v, sort)
	}
	return s
}

func contains(vars []lia.Var, v lia.Var) bool {
	for _, w := range vars {
		if v == w {
			return true
		}
	}
	return false
}
