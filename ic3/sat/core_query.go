package sat

import "context"

// Solve implements Solver.
func (s *coreSolver) Solve(ctx context.Context, q Query) (Result, error) {
	if err := ctx.Err(); err != nil {
		return Unsolved, err
	}
	s.stats.Queries++
	r, err := Unsolved, s.begin(ctx, q)
	if err == nil {
		r, err = s.search(ctx)
	}
	switch {
	case err != nil:
		s.backtrack(0)
		return Unsolved, err
	case r == Sat:
		s.stats.Sat++
		s.model = true
	case r == Unsolved:
		s.backtrack(0)
	default:
		s.stats.Unsat++
	}
	return r, nil
}

// begin sets up the query: everything loaded, the domain marked. An error is
// that of ctx.
func (s *coreSolver) begin(ctx context.Context, q Query) error {
	for _, v := range s.heap {
		s.heapPos[v] = -1
	}
	s.heap, s.heapBuilt = s.heap[:0], false
	s.stamp++ // from here on nothing is in the domain
	s.backtrack(0)
	s.relevant, s.next = s.relevant[:0], 0
	s.reduce()
	if s.wasted > len(s.arena)/2 {
		s.compact()
	}
	s.model = false
	s.local = grown(s.local, s.defs.NumVars())
	s.assumptions, s.clause, s.domain = s.assumptions[:0], s.clause[:0], s.domain[:0]
	for _, lits := range [...][]Lit{q.Assumptions, q.Clause, q.Roots} {
		if err := s.load(ctx, lits); err != nil {
			return err
		}
	}
	for _, l := range q.Assumptions {
		s.assumptions = append(s.assumptions, s.own(l))
	}
	s.hasClause, s.budget = q.Clause != nil, -1
	if q.MaxConflicts > 0 {
		s.budget = q.MaxConflicts
	}
	for _, l := range q.Clause {
		s.clause = append(s.clause, s.own(l))
	}
	// An assumption that holds already has a level of its own all the same.
	if levels := len(s.global) + len(s.assumptions) + 2; len(s.levelMark) < levels {
		s.levelMark = append(s.levelMark, make([]uint32, levels-len(s.levelMark))...)
	}
	s.markDomain(q.Roots)
	return nil
}

// markDomain marks what the query is about, and what of it must have a value.
func (s *coreSolver) markDomain(roots []Lit) {
	for _, l := range roots {
		v := s.own(l).variable()
		s.mark(v)
		s.need(v)
	}
	for _, l := range s.assumptions {
		s.mark(l.variable())
		s.need(l.variable())
	}
	for _, l := range s.clause {
		s.mark(l.variable())
	}
	for _, v := range s.units {
		s.mark(v)
		s.need(v)
	}
	for i := 0; i < len(s.domain); i++ {
		v := s.domain[i]
		for _, w := range s.fanins[s.faninStart[v]:s.faninEnd[v]] {
			s.mark(w)
		}
	}
	if s.options.WholeDomain {
		for v := uint32(1); v < s.loaded; v++ {
			s.mark(v)
		}
	}
	if s.options.CompleteModels {
		for _, v := range s.domain {
			s.need(v)
		}
	}
	s.stats.DomainVars += int64(len(s.domain))
}

func (s *coreSolver) mark(v uint32) {
	if s.domainMark[v] != s.stamp {
		s.domainMark[v] = s.stamp
		s.domain = append(s.domain, v)
	}
}

// need makes a variable relevant.
func (s *coreSolver) need(v uint32) {
	if s.relevance[v] != s.stamp {
		s.relevance[v] = s.stamp
		s.relevant = append(s.relevant, v)
	}
}
