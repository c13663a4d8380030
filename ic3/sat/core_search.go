package sat

import (
	"context"
	"math"
)

// conflictBinary is what propagate returns for a conflict of two literals.
const conflictBinary = reason(math.MaxUint32)

// propagate draws all conclusions. It returns 0, a clause that is false, or
// conflictBinary with the two literals in s.conflict.
func (s *coreSolver) propagate() reason {
	values, limited := s.values, s.level() > 0
	for s.head < len(s.trail) {
		p := s.trail[s.head]
		s.head++
		s.propagations++
		for _, q := range s.binary[p] {
			switch values[q] {
			case 0:
				if limited && s.domainMark[q>>1] != s.stamp {
					continue
				}
				s.assign(q, binaryReason|reason(p.not()))
			case -1:
				s.conflict = [2]lit{p.not(), q}
				return conflictBinary
			}
		}
		if c := s.propagateLong(p); c != 0 {
			return c
		}
	}
	return 0
}

// propagateLong visits the clauses that watch ¬p.
func (s *coreSolver) propagateLong(p lit) reason {
	values, arena := s.values, s.arena
	ws := s.watches[p]
	falseLit := uint32(p.not())
	kept := 0
	for i := 0; i < len(ws); i++ {
		w := ws[i]
		if values[w.blocker] > 0 {
			ws[kept] = w
			kept++
			continue
		}
		header := arena[w.clause]
		if header&flagDeleted != 0 {
			continue
		}
		c := arena[uint32(w.clause)+headerWords : uint32(w.clause)+headerWords+header>>2]
		if c[0] == falseLit {
			c[0], c[1] = c[1], falseLit
		}
		first := lit(c[0])
		if first != w.blocker && values[first] > 0 {
			ws[kept] = watch{w.clause, first}
			kept++
			continue
		}
		moved := false
		for k := 2; k < len(c); k++ {
			if l := lit(c[k]); values[l] >= 0 {
				c[1], c[k] = c[k], falseLit
				s.watches[l.not()] = append(s.watches[l.not()], watch{w.clause, first})
				moved = true
				break
			}
		}
		if moved {
			continue
		}
		ws[kept] = watch{w.clause, first}
		kept++
		if values[first] < 0 {
			kept += copy(ws[kept:], ws[i+1:])
			s.watches[p] = ws[:kept]
			return reason(w.clause)
		}
		if len(s.limits) == 0 || s.domainMark[first>>1] == s.stamp {
			s.assign(first, reason(w.clause))
		}
	}
	s.watches[p] = ws[:kept]
	return 0
}

// search is the main loop: propagate, learn from a conflict or decide.
func (s *coreSolver) search(ctx context.Context) (Result, error) {
	conflicts, restart := int64(0), 0
	limit := int64(luby(restart)) * restartUnit
	nextPoll := s.propagations + pollEvery
	for {
		if s.dead {
			return Unsat, nil
		}
		c := s.propagate()
		if c == 0 && s.options.Theory != nil {
			refuted, err := consult(ctx, s, false)
			switch {
			case err != nil || s.budget == 0:
				return Unsolved, err
			case refuted:
				conflicts++
				continue
			}
		}
		if c != 0 {
			if s.level() == 0 {
				s.dead = true
				return Unsat, nil
			}
			conflicts++
			s.stats.Conflicts++
			s.learn(c)
			if s.budget--; s.budget == 0 {
				return Unsolved, nil
			}
			continue
		}
		if s.propagations >= nextPoll {
			if err := ctx.Err(); err != nil {
				return Unsolved, err
			}
			nextPoll = s.propagations + pollEvery
		}
		if conflicts >= limit {
			conflicts, restart = 0, restart+1
			limit = int64(luby(restart)) * restartUnit
			s.backtrack(min(s.level(), len(s.assumptions)))
			s.reduce()
		}
		decided, failed := s.decideQuery()
		switch {
		case failed:
			return Unsat, nil
		case decided:
			continue
		}
		if !s.heapBuilt && (conflicts > heapAfter || restart > 0) {
			s.buildHeap()
		}
		l, ok := s.unjustified()
		if !ok {
			refuted, err := consult(ctx, s, true)
			switch {
			case err != nil || s.budget == 0:
				return Unsolved, err
			case refuted:
				conflicts++
				continue
			}
			return Sat, nil
		}
		if s.heapBuilt {
			if v, ok := s.pick(); ok {
				l = lit(v<<1 | uint32(1-s.phase[v])>>1)
			}
		}
		s.stats.Decisions++
		s.decide(l)
	}
}

// decideQuery decides the next assumption, and after them a literal of the
// clause. failed says that the query cannot be satisfied, with the core marked.
func (s *coreSolver) decideQuery() (decided, failed bool) {
	for s.level() < len(s.assumptions) {
		l := s.assumptions[s.level()]
		switch {
		case s.values[l] > 0:
			s.openLevel() // nothing to decide at this level
		case s.values[l] < 0:
			s.markCore(l.not())
			s.clearSeen()
			s.core[l] = s.stamp
			return false, true
		default:
			s.decide(l)
			return true, false
		}
	}
	if !s.hasClause || s.level() > len(s.assumptions) {
		return false, false
	}
	open := -1
	for i, l := range s.clause {
		if s.values[l] > 0 {
			s.openLevel()
			s.need(l.variable())
			s.clause[0], s.clause[i] = s.clause[i], s.clause[0]
			return false, false
		}
		if s.values[l] == 0 && open < 0 {
			open = i
		}
	}
	if open < 0 {
		for _, l := range s.clause {
			s.markCore(l.not())
		}
		s.clearSeen()
		return false, true
	}
	s.decide(s.clause[open])
	s.need(s.clause[open].variable())
	return true, false
}

// unjustified returns a literal that would help to justify a relevant variable;
// ok is false when all are justified. It wants everything propagated.
func (s *coreSolver) unjustified() (l lit, ok bool) {
	for ; s.next < len(s.relevant); s.next++ {
		v := s.relevant[s.next]
		value := s.values[v<<1]
		if value == 0 {
			return lit(v<<1 | uint32(1-s.phase[v])>>1), true
		}
		holds := uint32(0) // the sign of the literal of v that is true
		if value < 0 {
			holds = 1
		}
		defs := s.defClauses[s.defStart[v]:s.defEnd[v]]
		for len(defs) > 0 {
			header, size := defs[0], defs[0]>>1
			others := defs[1 : 1+size]
			defs = defs[1+size:]
			if header&1 == holds {
				continue
			}
			if l, ok := s.support(others); ok {
				return l, true
			}
		}
	}
	return 0, false
}

// support makes the variable of a true literal relevant; when there is none it
// returns the open one that is most active.
func (s *coreSolver) support(lits []uint32) (open lit, ok bool) {
	found := uint32(0)
	best := -1.0
	for _, q := range lits {
		switch v := q >> 1; {
		case s.values[q] > 0:
			if s.relevance[v] == s.stamp {
				return 0, false
			}
			if found == 0 {
				found = v
			}
		case s.values[q] == 0 && s.activity[v] > best:
			open, best = lit(q), s.activity[v]
		}
	}
	if found != 0 {
		s.need(found)
		return 0, false
	}
	return open, true
}

// markCore marks the assumptions that the true literal l rests on. seen stays
// set, so that reasons shared with another literal are walked once.
func (s *coreSolver) markCore(l lit) {
	s.todo = append(s.todo[:0], l.variable())
	for len(s.todo) > 0 {
		v := s.todo[len(s.todo)-1]
		s.todo = s.todo[:len(s.todo)-1]
		if s.seen[v] != 0 || s.levels[v] == 0 {
			continue
		}
		s.seen[v] = 1
		s.toClear = append(s.toClear, v)
		switch r := s.reasons[v]; {
		case r == 0:
			// A decision below the clause's level is an assumption.
			p := lit(v << 1)
			if s.values[p] < 0 {
				p = p.not()
			}
			s.core[p] = s.stamp
		case r&binaryReason != 0:
			s.todo = append(s.todo, lit(r&^binaryReason).variable())
		default:
			for _, q := range s.lits(cref(r)) {
				if w := lit(q).variable(); w != v {
					s.todo = append(s.todo, w)
				}
			}
		}
	}
}

func (s *coreSolver) clearSeen() {
	for _, v := range s.toClear {
		s.seen[v] = 0
	}
	s.toClear = s.toClear[:0]
}
