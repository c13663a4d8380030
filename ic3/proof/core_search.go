package proof

import (
	"context"
	"slices"

	"aiglens/circuit"
	"aiglens/ic3/sat"
)

// coreSearch makes a core small.
type coreSearch struct {
	ctx      context.Context
	solver   sat.Solver
	violated circuit.Lit
	effort   int64 // that may be spent
	spent    int64
	queries  int64
}

// mostConflicts bounds a question that asks whether the proof does without something. That
// something stays when it is met.
const mostConflicts = 2000

// firstGroups is the number of groups of selectors that are left out at first.
const firstGroups = 8

// core asks whether the proof holds with some selectors, and returns those that it used.
func (s *coreSearch) core(selectors []circuit.Lit, conflicts int64) (used []circuit.Lit, holds bool, err error) {
	before := s.solver.Stats()
	q := sat.Query{Assumptions: append([]circuit.Lit{s.violated}, selectors...), MaxConflicts: conflicts}
	r, err := s.solver.Solve(s.ctx, q)
	after := s.solver.Stats()
	s.queries++
	s.spent += effortPerQuery + after.Propagations - before.Propagations +
		(after.DomainVars-before.DomainVars+int64(len(q.Assumptions)))/domainShare
	if err != nil || r != sat.Unsat {
		return nil, false, err
	}
	for _, l := range selectors {
		if s.solver.InCore(l) {
			used = append(used, l)
		}
	}
	return used, true, nil
}

// smallest returns selectors without any of which, alone, the proof is not known to hold.
func (s *coreSearch) smallest(selectors []circuit.Lit) ([]circuit.Lit, error) {
	if s.violated == circuit.False {
		return nil, s.ctx.Err()
	}
	// Without a bound on conflicts: that there is a proof is known, and the first answer is
	// one, however late.
	best, holds, err := s.core(selectors, 0)
	if err == nil && !holds {
		err = ErrNoProof
	}
	if err != nil {
		return nil, err
	}
	for s.spent < s.effort { // another refutation may use less
		again, _, err := s.core(best, mostConflicts)
		if err != nil {
			return nil, err
		}
		if len(again) == 0 || len(again) == len(best) {
			break
		}
		best = again
	}
	for size := max(1, len(best)/firstGroups); ; size = max(1, size/2) {
		if best, err = s.withoutGroups(best, size); err != nil {
			return nil, err
		}
		if size == 1 || s.spent >= s.effort {
			return best, nil
		}
	}
}

// withoutGroups leaves out groups of so many neighbours, the last ones first: constraints, then
// latches, then the gates that are far from the inputs, with which goes what only they depend
// on. Selectors are in increasing order.
func (s *coreSearch) withoutGroups(best []circuit.Lit, size int) ([]circuit.Lit, error) {
	kept := len(best) // from here on all have been tried
	for kept > 0 && s.spent < s.effort {
		from := max(0, kept-size)
		used, holds, err := s.core(slices.Concat(best[:from], best[kept:]), mostConflicts)
		switch {
		case err != nil:
			return nil, err
		case !holds:
			kept = from
		default:
			kept, _ = slices.BinarySearch(used, best[from])
			best = used
		}
	}
	return best, nil
}
