package sat

import (
	"context"
	"slices"
)

// Theory gives some variables a meaning that clauses alone do not have, such as a linear inequality.
// It is asked during the search (DPLL(T): Nieuwenhuis, Oliveras and Tinelli, JACM 2006), but
// propagates nothing.
type Theory interface {
	// Check is called whenever everything is propagated. It returns a clause that is valid in the
	// theory and all of whose literals are false on the trail, or nil. last says that the trail will
	// be the answer, so that the theory must be sure; before, it may overlook a contradiction.
	// An error ends the query, which returns it.
	Check(ctx context.Context, trail Trail, last bool) ([]Lit, error)
	// Undo says that only the first n literals of the trail that Check has seen are left, if it
	// has seen more.
	Undo(n int)
}

// Trail is what a core solver has assigned, in order. It may be read until Check returns.
type Trail struct{ s *coreSolver }

// Len returns how many literals are true.
func (t Trail) Len() int { return len(t.s.trail) }

// At returns literal i.
func (t Trail) At(i int) Lit {
	l := t.s.trail[i]
	return t.s.global[l.variable()].Lit().NotIf(l&1 == 1)
}

// consult asks the theory of s. When it refutes the trail, that is treated as a conflict of its clause.
func consult(ctx context.Context, s *coreSolver, last bool) (refuted bool, err error) {
	if s.options.Theory == nil {
		return false, nil
	}
	clause, err := s.options.Theory.Check(ctx, Trail{s}, last)
	if clause == nil || err != nil {
		return false, err
	}
	s.stats.Conflicts++
	if s.budget > 0 {
		s.budget--
	}
	lits := make([]lit, len(clause))
	for i, l := range clause {
		lits[i] = s.own(l)
	}
	// The latest levels first: there the clause is watched, and there it is the conflict.
	slices.SortStableFunc(lits, func(a, b lit) int { return int(s.levels[b.variable()]) - int(s.levels[a.variable()]) })
	switch {
	case len(lits) == 0 || s.levels[lits[0].variable()] == 0:
		s.backtrack(0)
		s.dead = true
		return true, nil
	case len(lits) == 1:
		s.backtrack(0)
		s.assign(lits[0], 0)
		return true, nil
	}
	s.backtrack(int(s.levels[lits[0].variable()]))
	if len(lits) == 2 {
		s.conflict = [2]lit{lits[0], lits[1]}
		s.learn(conflictBinary)
		return true, nil
	}
	c := s.attach(lits, flagLearnt, s.glue(lits))
	s.learnts = append(s.learnts, c)
	s.learn(reason(c))
	return true, nil
}
