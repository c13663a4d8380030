package sat_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"aiglens/circuit"
	"aiglens/ic3/sat"
)

// solvers are tested alike.
var solvers = map[string]sat.Factory{"gini": sat.NewGini, "core": sat.NewCore}

// formula is definitions and lemmas that brute force can evaluate.
type formula struct {
	defs   *sat.Definitions
	lemmas [][]sat.Lit
}

// randomFormula defines free variables and then gates over them.
func randomFormula(r *rand.Rand) *formula {
	f := &formula{defs: sat.NewDefinitions(16)}
	free := 3 + r.IntN(4)
	for range free {
		f.defs.Define(nil)
	}
	for range r.IntN(8) {
		a, b := f.lit(r), f.lit(r)
		g := sat.Var(f.defs.NumVars()).Lit()
		f.defs.Define([]sat.Var{a.Var(), b.Var()}, []sat.Lit{g.Not(), a}, []sat.Lit{g.Not(), b}, []sat.Lit{g, a.Not(), b.Not()})
	}
	return f
}

func (f *formula) lit(r *rand.Rand) sat.Lit {
	return sat.Lit(r.IntN(2 * f.defs.NumVars()))
}

func (f *formula) lits(r *rand.Rand, most int) []sat.Lit {
	lits := []sat.Lit{}
	for range r.IntN(most + 1) {
		lits = append(lits, f.lit(r))
	}
	return lits
}

// inDomain returns the lemmas that lie in the cone of a query, or are units:
// those that a model must satisfy.
func (f *formula) inDomain(q sat.Query) *formula {
	in := make([]bool, f.defs.NumVars())
	var mark func(v sat.Var)
	mark = func(v sat.Var) {
		if !in[v] {
			in[v] = true
			for _, w := range f.defs.Fanin(v) {
				mark(w)
			}
		}
	}
	for _, lits := range [][]sat.Lit{q.Assumptions, q.Clause, q.Roots} {
		for _, l := range lits {
			mark(l.Var())
		}
	}
	part := &formula{defs: f.defs}
	for _, c := range f.lemmas {
		inside := true
		for _, l := range c {
			inside = inside && (in[l.Var()] || len(c) == 1)
		}
		if inside {
			part.lemmas = append(part.lemmas, c)
		}
	}
	return part
}

// satisfiable tries all assignments under the given unit literals and clause.
func (f *formula) satisfiable(units []sat.Lit, clause []sat.Lit) bool {
	n := f.defs.NumVars()
	for bits := range uint64(1) << n {
		value := func(l sat.Lit) bool { return bits>>l.Var()&1 == 1 != l.IsNegated() }
		holds := func(c []sat.Lit) bool {
			for _, l := range c {
				if value(l) {
					return true
				}
			}
			return false
		}
		ok := clause == nil || holds(clause)
		for _, u := range units {
			ok = ok && value(u)
		}
		for _, c := range f.lemmas {
			ok = ok && holds(c)
		}
		for v := range n {
			f.defs.Clauses(sat.Var(v), func(c []sat.Lit) { ok = ok && holds(c) })
		}
		if ok {
			return true
		}
	}
	return false
}

// TestRandomSequences makes random calls and compares every answer, model and
// core with brute force.
func TestRandomSequences(t *testing.T) {
	for name, factory := range solvers {
		t.Run(name, func(t *testing.T) {
			// Seed 1436 once led gini to end the process.
			for _, seed := range seeds(150, 1436) {
				r := rand.New(rand.NewPCG(4, seed))
				f := randomFormula(r)
				s := factory(f.defs)
				for range 30 {
					if r.IntN(4) == 0 {
						// Mostly long lemmas: short ones soon end in a contradiction,
						// which the sequence must survive too.
						c := f.lits(r, 5)
						if len(c) > 1 || r.IntN(6) == 0 {
							f.lemmas = append(f.lemmas, c)
							s.AddClause(c)
						}
						continue
					}
					q := sat.Query{Assumptions: f.lits(r, 4), Roots: f.lits(r, 2)}
					if r.IntN(2) == 0 { // the whole formula is the domain
						for v := range f.defs.NumVars() {
							q.Roots = append(q.Roots, sat.Var(v).Lit())
						}
					}
					if r.IntN(2) == 0 {
						q.Clause = f.lits(r, 4)
					}
					checkQuery(t, seed, f, s, q)
				}
			}
		})
	}
}

// seeds returns 0 … n−1 and some more; AIGLENS_SEEDS sets another n.
func seeds(n uint64, more ...uint64) []uint64 {
	if m, err := strconv.ParseUint(os.Getenv("AIGLENS_SEEDS"), 10, 64); err == nil {
		n = m
	}
	for seed := range n {
		more = append(more, seed)
	}
	return more
}

func checkQuery(t *testing.T, seed uint64, f *formula, s sat.Solver, q sat.Query) {
	t.Helper()
	got, err := s.Solve(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	relaxed := f.inDomain(q)
	switch {
	case got == sat.Unsat && f.satisfiable(q.Assumptions, q.Clause):
		t.Fatalf("seed %d: %s, but brute force finds a model: %+v", seed, got, q)
	case got == sat.Sat && !relaxed.satisfiable(q.Assumptions, q.Clause):
		t.Fatalf("seed %d: %s, but brute force finds no model: %+v", seed, got, q)
	}
	if got == sat.Unsat {
		var core []sat.Lit
		for _, l := range q.Assumptions {
			if s.InCore(l) {
				core = append(core, l)
			}
		}
		if f.satisfiable(core, q.Clause) {
			t.Fatalf("seed %d: core %v of %+v is satisfiable", seed, core, q)
		}
		return
	}
	// The model, where it is given, must extend to one of everything.
	var model []sat.Lit
	for v := range f.defs.NumVars() {
		if value := s.Value(sat.Var(v).Lit()); value != circuit.X {
			model = append(model, sat.Var(v).Lit().NotIf(value == circuit.Zero))
		}
	}
	if !relaxed.satisfiable(append(model, q.Assumptions...), q.Clause) {
		t.Fatalf("seed %d: the model %v of %+v is none", seed, model, q)
	}
	// What it says of defined variables follows from what it says of free ones.
	var free []sat.Lit
	listed := s.AppendModel(nil)
	for _, l := range listed {
		if s.Value(l) != circuit.One {
			t.Fatalf("seed %d: %v is listed and %v in the model", seed, l, s.Value(l))
		}
		if len(f.defs.Fanin(l.Var())) == 0 {
			free = append(free, l)
		}
	}
	var wrong []sat.Lit
	for _, l := range append(listed, q.Assumptions...) {
		wrong = append(wrong, l.Not())
	}
	definitions := formula{defs: f.defs}
	if definitions.satisfiable(free, append(wrong, circuit.False)) {
		t.Fatalf("seed %d: %v does not make sure of %v and the assumptions of %+v", seed, free, listed, q)
	}
}

// free returns definitions with n free variables.
func free(n int) (*sat.Definitions, []sat.Lit) {
	d := sat.NewDefinitions(n)
	lits := make([]sat.Lit, n)
	for i := range lits {
		lits[i] = d.Define(nil).Lit()
	}
	return d, lits
}

func solve(t *testing.T, s sat.Solver, q sat.Query) sat.Result {
	t.Helper()
	r, err := s.Solve(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestContradiction: gini v1.0.4 ends the process when a clause is added after
// an unsatisfiable result without assumptions.
func TestContradiction(t *testing.T) {
	for name, factory := range solvers {
		t.Run(name, func(t *testing.T) {
			d, x := free(4)
			s := factory(d)
			for _, c := range [][]sat.Lit{{x[0], x[1]}, {x[0], x[1].Not()}, {x[0].Not(), x[1]}, {x[0].Not(), x[1].Not()}} {
				s.AddClause(c)
			}
			for range 3 {
				if r := solve(t, s, sat.Query{Roots: x}); r != sat.Unsat {
					t.Fatal(r)
				}
				if r := solve(t, s, sat.Query{Assumptions: x[:1], Clause: x[2:], Roots: x}); r != sat.Unsat || s.InCore(x[0]) {
					t.Fatalf("%s, assumption in the core %v", r, s.InCore(x[0]))
				}
				s.AddClause(x[2:])
			}
		})
	}
}

// TestTemporaryClauses: those that gini refuses to activate, and those that fix
// their activation literal.
func TestTemporaryClauses(t *testing.T) {
	for name, factory := range solvers {
		t.Run(name, func(t *testing.T) {
			d, x := free(3)
			s := factory(d)
			s.AddClause([]sat.Lit{x[0]})
			for round := range 700 { // past a rebuild or two
				for _, test := range []struct {
					clause []sat.Lit
					want   sat.Result
				}{
					{[]sat.Lit{}, sat.Unsat},
					{[]sat.Lit{x[0]}, sat.Sat},
					{[]sat.Lit{x[0].Not()}, sat.Unsat},
					{[]sat.Lit{x[1], x[1].Not()}, sat.Sat},
					{[]sat.Lit{x[1], x[1], x[0].Not()}, sat.Sat},
					{[]sat.Lit{circuit.False}, sat.Unsat},
					{[]sat.Lit{circuit.True}, sat.Sat},
				} {
					if r := solve(t, s, sat.Query{Clause: test.clause}); r != test.want {
						t.Fatalf("round %d, clause %v: %s, want %s", round, test.clause, r, test.want)
					}
				}
			}
		})
	}
}

// TestTemporaryClauseIsForgotten: it holds for its own query alone.
func TestTemporaryClauseIsForgotten(t *testing.T) {
	for name, factory := range solvers {
		t.Run(name, func(t *testing.T) {
			d, x := free(2)
			s := factory(d)
			for range 10 {
				if r := solve(t, s, sat.Query{Clause: x[:1], Assumptions: []sat.Lit{x[0].Not()}}); r != sat.Unsat {
					t.Fatal(r)
				}
				if r := solve(t, s, sat.Query{Assumptions: []sat.Lit{x[0].Not()}}); r != sat.Sat {
					t.Fatal(r)
				}
			}
		})
	}
}

// pigeons adds the pigeonhole principle, hard for resolution.
func pigeons(s sat.Solver, x []sat.Lit, holes int) {
	at := func(p, h int) sat.Lit { return x[p*holes+h] }
	for p := range holes + 1 {
		var c []sat.Lit
		for h := range holes {
			c = append(c, at(p, h))
			for q := range p {
				s.AddClause([]sat.Lit{at(p, h).Not(), at(q, h).Not()})
			}
		}
		s.AddClause(c)
	}
}

// TestCancel: a hard query ends soon after its context, and the solver answers
// again.
func TestCancel(t *testing.T) {
	const holes = 11
	for name, factory := range solvers {
		t.Run(name, func(t *testing.T) {
			d, x := free((holes + 1) * holes)
			s := factory(d)
			pigeons(s, x, holes)
			ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
			defer cancel()
			r, err := s.Solve(ctx, sat.Query{Roots: x})
			if !errors.Is(err, context.DeadlineExceeded) || r != sat.Unsolved {
				t.Fatalf("%s, %v", r, err)
			}
			deadline, _ := ctx.Deadline()
			t.Logf("returned %s after the context ended", time.Since(deadline))
			if r := solve(t, s, sat.Query{Assumptions: []sat.Lit{x[0], x[0].Not()}}); r != sat.Unsat {
				t.Fatal(r)
			}
			if _, err := s.Solve(ctx, sat.Query{}); err == nil {
				t.Error("a query under a dead context was answered")
			}
		})
	}
}

// TestLemmaBringsItsCone: a query about nothing still rests on the definitions of
// what the lemmas say.
func TestLemmaBringsItsCone(t *testing.T) {
	for name, factory := range solvers {
		d, x := free(2)
		g := d.Define([]sat.Var{x[0].Var(), x[1].Var()}, conjunction(sat.Var(d.NumVars()).Lit(), x[0], x[1])...).Lit()
		s := factory(d)
		s.AddClause([]sat.Lit{g})
		s.AddClause([]sat.Lit{x[1].Not()})
		if r := solve(t, s, sat.Query{}); r != sat.Unsat {
			t.Errorf("%s: %v", name, r)
		}
	}
}

// conjunction returns the clauses of g = l ∧ r.
func conjunction(g, l, r sat.Lit) [][]sat.Lit {
	return [][]sat.Lit{{g.Not(), l}, {g.Not(), r}, {g, l.Not(), r.Not()}}
}

// endingContext ends when its error was asked for a number of times.
type endingContext struct {
	context.Context
	looks int
}

func (c *endingContext) Err() error {
	if c.looks--; c.looks < 0 {
		return context.Canceled
	}
	return nil
}

// TestCancelWhileLoading ends the context at ever later looks while a long chain
// of gates is loaded: the core solver answers with its error, and in the end
// right.
func TestCancelWhileLoading(t *testing.T) {
	const gates = 20_000
	d, x := free(2)
	g := x[0]
	for range gates {
		g = d.Define([]sat.Var{g.Var(), x[1].Var()}, conjunction(sat.Var(d.NumVars()).Lit(), g, x[1])...).Lit()
	}
	s := sat.NewCore(d)
	s.AddClause([]sat.Lit{g})
	interrupted := 0
	for looks := 1; ; looks++ {
		r, err := s.Solve(&endingContext{context.Background(), looks}, sat.Query{Assumptions: []sat.Lit{x[0].Not()}})
		if err == nil {
			if r != sat.Unsat {
				t.Errorf("%v", r)
			}
			break
		}
		if interrupted++; r != sat.Unsolved || interrupted > gates {
			t.Fatalf("%v, %v after %d errors", r, err, interrupted)
		}
	}
	if interrupted < 3 {
		t.Errorf("only %d errors", interrupted)
	}
	if r := solve(t, s, sat.Query{Assumptions: []sat.Lit{x[0], x[1]}}); r != sat.Sat || s.Value(g) != circuit.One {
		t.Errorf("%v, the last gate is %v", r, s.Value(g))
	}
}
