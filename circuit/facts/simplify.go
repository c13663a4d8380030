package facts

import (
	"context"
	"maps"
	"slices"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/graph"
)

// simplifier finds constants and classes of clauses.
type simplifier struct {
	clauses cert.Invariant
	values  map[circuit.Lit]bool        // literals that are 1
	rep     map[circuit.Var]circuit.Lit // of latches that are another one: what they are
}

// of returns what stands for a literal.
func (s *simplifier) of(l circuit.Lit) circuit.Lit {
	for {
		to, ok := s.rep[l.Var()]
		if !ok {
			return l
		}
		l = to.NotIf(l.IsNegated())
	}
}

// propagate takes all that single literals make true or false out of the clauses, with the
// first members of classes in the place of others. It reports whether a state is left.
func (s *simplifier) propagate() bool {
	for changed := true; changed; {
		changed = false
		kept := s.clauses[:0]
		for _, clause := range s.clauses {
			own, ok := s.reduced(clause)
			switch {
			case !ok:
			case len(own) == 0:
				return false
			case len(own) == 1:
				s.values[own[0]] = true
				changed = true
			default:
				kept = append(kept, own)
			}
		}
		s.clauses = kept
	}
	s.clauses = sorted(s.clauses)
	return true
}

// reduced returns what is left of a clause; ok is false when it is true anyway.
func (s *simplifier) reduced(clause []circuit.Lit) (own []circuit.Lit, ok bool) {
	for _, l := range clause {
		l = s.of(l)
		if s.values[l] {
			return nil, false
		}
		if !s.values[l.Not()] {
			own = append(own, l)
		}
	}
	return normal(own)
}

// merge finds literals that imply each other by clauses of two literals, along however many
// of them, and makes a class of each such set. ok is false when a literal implies its
// negation and the other way around: then there is no state.
func (s *simplifier) merge() (changed, ok bool) {
	implies := map[circuit.Lit][]circuit.Lit{}
	for _, clause := range s.clauses {
		if len(clause) == 2 {
			implies[clause[0].Not()] = append(implies[clause[0].Not()], clause[1])
			implies[clause[1].Not()] = append(implies[clause[1].Not()], clause[0])
		}
	}
	roots := slices.Sorted(maps.Keys(implies))
	for _, class := range graph.Cycles(roots, func(l circuit.Lit) []circuit.Lit { return implies[l] }) {
		slices.Sort(class)
		for i, l := range class[1:] {
			if l == class[i].Not() {
				return false, false
			}
		}
		if class[0].IsNegated() {
			continue // the class of the negations has the same members
		}
		changed = true
		for _, l := range class[1:] {
			s.rep[l.Var()] = class[0].NotIf(l.IsNegated())
		}
	}
	return changed, true
}

// constants returns the literals that are 1, those of whole classes included.
func (s *simplifier) constants() []circuit.Lit {
	all := slices.Collect(maps.Keys(s.values))
	for v := range s.rep {
		if l := s.of(v.Lit()); s.values[l] {
			all = append(all, v.Lit())
		} else if s.values[l.Not()] {
			all = append(all, v.Lit().Not())
		}
	}
	slices.Sort(all)
	return all
}

// classes returns the classes that are not constant.
func (s *simplifier) classes() [][]circuit.Lit {
	by := map[circuit.Var][]circuit.Lit{}
	for _, v := range slices.Sorted(maps.Keys(s.rep)) {
		l := s.of(v.Lit())
		if s.values[l] || s.values[l.Not()] {
			continue
		}
		by[l.Var()] = append(by[l.Var()], v.Lit().NotIf(l.IsNegated()))
	}
	var all [][]circuit.Lit
	for _, v := range slices.Sorted(maps.Keys(by)) {
		all = append(all, append([]circuit.Lit{v.Lit()}, by[v]...))
	}
	return all
}

// subsume removes clauses that a shorter one implies. They are in order, short ones first.
func (s *simplifier) subsume(ctx context.Context) error {
	watch := map[circuit.Lit][]int{} // by literal: the clauses of kept that it is the first of
	var kept cert.Invariant
	for i, clause := range s.clauses {
		if i%1000 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		in := func(l circuit.Lit) bool { _, ok := slices.BinarySearch(clause, l); return ok }
		implied := slices.ContainsFunc(clause, func(l circuit.Lit) bool {
			return slices.ContainsFunc(watch[l], func(k int) bool {
				return !slices.ContainsFunc(kept[k], func(l circuit.Lit) bool { return !in(l) })
			})
		})
		if !implied {
			watch[clause[0]] = append(watch[clause[0]], len(kept))
			kept = append(kept, clause)
		}
	}
	s.clauses = kept
	return nil
}

// groups takes sets of three and more literals of which at most one is 1 out of clauses
// that are in order, and returns the other clauses. Which clauses of two literals belong to
// which group is chosen greedily.
func groups(clauses cert.Invariant) (found []Group, rest cert.Invariant) {
	type pair [2]circuit.Lit
	excludes := map[circuit.Lit][]circuit.Lit{} // by literal, in order: those that are not 1 with it
	free := map[pair]bool{}                     // that stand in no group
	key := func(a, b circuit.Lit) pair { return pair{min(a, b), max(a, b)} }
	for _, clause := range clauses {
		if len(clause) == 2 {
			a, b := clause[0].Not(), clause[1].Not()
			excludes[a], excludes[b] = append(excludes[a], b), append(excludes[b], a)
			free[key(a, b)] = true
		}
	}
	literals := slices.Sorted(maps.Keys(excludes))
	slices.SortStableFunc(literals, func(a, b circuit.Lit) int { return len(excludes[b]) - len(excludes[a]) })
	for _, l := range literals {
		near := slices.Clone(excludes[l])
		slices.Sort(near)
		slices.SortStableFunc(near, func(a, b circuit.Lit) int { return len(excludes[b]) - len(excludes[a]) })
		group := []circuit.Lit{l}
		for _, m := range near {
			if !slices.ContainsFunc(group, func(of circuit.Lit) bool { return !free[key(of, m)] }) {
				group = append(group, m)
			}
		}
		if len(group) < 3 {
			continue
		}
		slices.Sort(group)
		for i, a := range group {
			for _, b := range group[:i] {
				delete(free, key(a, b))
			}
		}
		found = append(found, Group{Lits: group})
	}
	slices.SortFunc(found, func(a, b Group) int { return compare(a.Lits, b.Lits) })
	for _, clause := range clauses {
		if len(clause) == 2 && !free[key(clause[0].Not(), clause[1].Not())] {
			continue
		}
		same := func(g Group) bool { return slices.Equal(g.Lits, clause) }
		if at := slices.IndexFunc(found, same); len(clause) > 2 && at >= 0 {
			found[at].Exactly = true
			continue
		}
		rest = append(rest, clause)
	}
	return found, rest
}
