package sat

import (
	"context"

	"github.com/go-air/gini"
	"github.com/go-air/gini/z"

	"aiglens/circuit"
)

// rebuildAfter is the number of queries after which the clauses learnt from
// retired temporary clauses, and the cones that are no longer asked for,
// outweigh the cost of loading everything again.
const rebuildAfter = 300

// giniSolver answers queries with gini, loading definitions when a query first
// needs them.
//
// gini v1.0.4 has edges that can end the process; each is avoided here:
//
//   - after an unsatisfiable result that needs no assumption, adding a clause
//     and solving again is fatal: such a solver is dead and never touched again;
//   - activating a clause that is satisfied, empty or a tautology panics: the
//     clause is reduced by the fixed values first;
//   - an activation literal fixed false must not be used again: it is left
//     behind instead of being handed back;
//   - Solve right after an unsatisfiable Solve first learns from the old
//     conflict and goes astray, in the end fatally, when that gives one at level
//     0: gini is taken back to level 0 before every query, which forgets the
//     conflict;
//   - Copy, Try and the aiger reader are never used.
type giniSolver struct {
	defs   *Definitions
	lemmas [][]Lit
	stats  Stats

	g       *gini.Gini
	local   []z.Lit // by variable: its literal in g, or LitNull when not loaded
	dead    bool    // the clauses are unsatisfiable without assumptions
	act     z.Lit   // activation literal of the last temporary clause, or LitNull
	queries int     // since the last rebuild

	core  []uint32 // by literal: stamp of the query in whose core it was
	stamp uint32
	todo  []Var
	why   []z.Lit
	inWhy []uint32 // by literal of g: stamp of the query in whose core it was
	lits  []z.Lit
	model bool // the last query was Sat and its model is still there
}

// NewGini makes a solver on github.com/go-air/gini.
func NewGini(d *Definitions) Solver {
	s := &giniSolver{defs: d, core: make([]uint32, 2*d.NumVars())}
	s.build()
	return s
}

func (s *giniSolver) build() {
	s.g = gini.NewVc(256, 1024)
	s.local = make([]z.Lit, s.defs.NumVars())
	s.dead, s.queries, s.act, s.model = false, 0, z.LitNull, false
	// One activation literal from the start on: without any, gini walks all
	// clauses after every satisfiable answer.
	s.g.Deactivate(s.g.ActivationLit())
	for _, c := range s.lemmas {
		s.addLoaded(c)
	}
}

func (s *giniSolver) lit(l Lit) z.Lit {
	m := s.local[l.Var()]
	if l.IsNegated() {
		return m.Not()
	}
	return m
}

// load makes sure that the definitions of the cone of l are in g.
func (s *giniSolver) load(l Lit) {
	if s.local[l.Var()] != z.LitNull {
		return
	}
	s.local[l.Var()] = s.g.Lit()
	s.todo = append(s.todo[:0], l.Var())
	for len(s.todo) > 0 {
		v := s.todo[len(s.todo)-1]
		s.todo = s.todo[:len(s.todo)-1]
		for _, w := range s.defs.Fanin(v) {
			if s.local[w] == z.LitNull {
				s.local[w] = s.g.Lit()
				s.todo = append(s.todo, w)
			}
		}
		s.defs.Clauses(v, s.add)
	}
}

func (s *giniSolver) add(lits []Lit) {
	for _, l := range lits {
		s.g.Add(s.lit(l))
	}
	s.g.Add(z.LitNull)
}

func (s *giniSolver) addLoaded(lits []Lit) {
	for _, l := range lits {
		s.load(l)
	}
	if len(lits) == 0 {
		s.dead = true
	}
	if !s.dead {
		s.add(lits)
	}
}

func (s *giniSolver) AddClause(lits []Lit) {
	s.model = false
	s.lemmas = append(s.lemmas, append([]Lit(nil), lits...))
	if !s.dead {
		s.retire()
		s.addLoaded(lits)
	}
}

// retire takes g back to level 0, without the conflict and the temporary clause
// of the last query.
func (s *giniSolver) retire() {
	next := s.g.ActivationLit() // takes g back
	if s.act != z.LitNull && !s.g.Value(s.act.Not()) {
		s.g.Deactivate(s.act)
	}
	s.g.Deactivate(next)
	s.act = z.LitNull
}

// activate adds the temporary clause and assumes its activation literal. It
// returns false when the clause is false under the fixed values.
func (s *giniSolver) activate(clause []Lit) bool {
	act := s.g.ActivationLit()
	s.lits = s.lits[:0]
	satisfied := false
	for i, l := range clause {
		m := s.lit(l)
		switch {
		case s.g.Value(m):
			satisfied = true
		case s.g.Value(m.Not()):
			continue
		}
		for _, other := range clause[:i] {
			satisfied = satisfied || other == l.Not()
		}
		s.lits = append(s.lits, m)
	}
	if satisfied || len(s.lits) == 0 {
		s.g.Deactivate(act)
		return satisfied
	}
	for _, m := range s.lits {
		s.g.Add(m)
	}
	s.g.ActivateWith(act)
	s.g.Assume(act)
	s.act = act
	return true
}

func (s *giniSolver) Solve(ctx context.Context, q Query) (Result, error) {
	if err := ctx.Err(); err != nil {
		return Unsolved, err
	}
	s.stats.Queries++
	s.stamp++
	s.model = false
	if s.dead {
		s.stats.Unsat++
		return Unsat, nil
	}
	s.retire()
	if s.queries++; s.queries > rebuildAfter {
		s.stats.Rebuilds++
		s.build()
	}
	for _, lits := range [...][]Lit{q.Roots, q.Assumptions, q.Clause} {
		for _, l := range lits {
			s.load(l)
		}
	}
	if q.Clause != nil && !s.activate(q.Clause) {
		s.stats.Unsat++
		return Unsat, nil
	}
	for _, l := range q.Assumptions {
		s.g.Assume(s.lit(l))
	}
	switch r, err := s.run(ctx); {
	case err != nil:
		// A stopped solver keeps half a search: start afresh.
		s.build()
		return Unsolved, err
	case r == 1:
		s.stats.Sat++
		s.model = true
		return Sat, nil
	default:
		s.stats.Unsat++
		s.why = s.g.Why(s.why[:0])
		s.dead = len(s.why) == 0
		s.markCore(q.Assumptions)
		return Unsat, nil
	}
}

// run solves in steps of gini's own ticks, some 20,000 propagations, looking at
// ctx in between. The search does not depend on how long a tick takes.
func (s *giniSolver) run(ctx context.Context) (int, error) {
	conn := s.g.GoSolve()
	for {
		r, paused := conn.Pause()
		if !paused {
			return r, nil
		}
		err := ctx.Err()
		conn.Unpause()
		if err != nil {
			conn.Stop()
			return 0, err
		}
	}
}

func (s *giniSolver) markCore(assumptions []Lit) {
	if n := 2*int(s.g.MaxVar()) + 2; len(s.inWhy) < n {
		s.inWhy = append(s.inWhy, make([]uint32, n-len(s.inWhy))...)
	}
	for _, m := range s.why {
		s.inWhy[m] = s.stamp
	}
	for _, l := range assumptions {
		if s.inWhy[s.lit(l)] == s.stamp {
			s.core[l] = s.stamp
		}
	}
}

func (s *giniSolver) Value(l Lit) circuit.Value {
	if !s.model || s.local[l.Var()] == z.LitNull {
		if l.Var() == 0 {
			return circuit.ValueOf(l == circuit.True)
		}
		return circuit.X
	}
	return circuit.ValueOf(s.g.Value(s.lit(l)))
}

// AppendModel implements Solver.
func (s *giniSolver) AppendModel(dst []Lit) []Lit {
	for v := 1; v < len(s.local); v++ {
		if l := Var(v).Lit(); s.Value(l) != circuit.X {
			dst = append(dst, l.NotIf(s.Value(l) == circuit.Zero))
		}
	}
	return dst
}

func (s *giniSolver) InCore(l Lit) bool { return s.core[l] == s.stamp }

func (s *giniSolver) Stats() Stats { return s.stats }
