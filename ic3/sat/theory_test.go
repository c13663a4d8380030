package sat_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"aiglens/circuit"
	"aiglens/ic3/sat"
)

// hidden is a theory that consists of clauses which the solver is not told.
type hidden struct {
	t       *testing.T
	clauses [][]sat.Lit
	seen    []sat.Lit
	eager   bool // refutes as soon as possible
	err     error
}

func (h *hidden) Check(_ context.Context, trail sat.Trail, last bool) ([]sat.Lit, error) {
	for i, l := range h.seen {
		if trail.At(i) != l {
			h.t.Fatalf("literal %d of the trail changed without Undo", i)
		}
	}
	for i := len(h.seen); i < trail.Len(); i++ {
		h.seen = append(h.seen, trail.At(i))
	}
	if h.err != nil {
		return nil, h.err
	}
	if !last && !h.eager {
		return nil, nil
	}
	for _, c := range h.clauses {
		if !slices.ContainsFunc(c, func(l sat.Lit) bool { return l != circuit.False && !slices.Contains(h.seen, l.Not()) }) {
			return c, nil
		}
	}
	return nil, nil
}

func (h *hidden) Undo(n int) { h.seen = h.seen[:min(n, len(h.seen))] }

// TestTheory compares a solver that has part of its clauses in a theory with brute force.
func TestTheory(t *testing.T) {
	for _, eager := range []bool{false, true} {
		for _, seed := range seeds(150) {
			r := rand.New(rand.NewPCG(5, seed))
			f := randomFormula(r)
			h := &hidden{t: t, eager: eager}
			s := sat.CoreOptions{Theory: h, CompleteModels: true}.New(f.defs)
			all := sat.Query{}
			for v := range f.defs.NumVars() {
				all.Roots = append(all.Roots, sat.Var(v).Lit())
			}
			for range 20 {
				if c := f.lits(r, 4); len(c) > 0 && !slices.Contains(c, circuit.True) && r.IntN(3) == 0 {
					f.lemmas = append(f.lemmas, c)
					h.clauses = append(h.clauses, c)
				}
				q := all
				q.Assumptions = f.lits(r, 3)
				checkQuery(t, seed, f, s, q)
			}
		}
	}
}

// TestTheoryFails: an error of the theory ends the query, and the solver answers again.
func TestTheoryFails(t *testing.T) {
	d, x := free(3)
	h := &hidden{t: t, err: errors.New("too hard")}
	s := sat.CoreOptions{Theory: h}.New(d)
	if r, err := s.Solve(context.Background(), sat.Query{Assumptions: x}); r != sat.Unsolved || !errors.Is(err, h.err) {
		t.Fatalf("%v, %v", r, err)
	}
	h.err, h.clauses = nil, [][]sat.Lit{{x[0].Not(), x[2].Not()}}
	if r := solve(t, s, sat.Query{Assumptions: x}); r != sat.Unsat || !s.InCore(x[0]) || s.InCore(x[1]) || !s.InCore(x[2]) {
		t.Fatalf("%v", r)
	}
	// Definitions may be added between queries.
	y := d.Define(nil).Lit()
	if r := solve(t, s, sat.Query{Assumptions: []sat.Lit{x[0], y}}); r != sat.Sat || s.Value(y) != circuit.One {
		t.Fatalf("%v", r)
	}
}
