package proof

import (
	"cmp"
	"slices"

	"aiglens/circuit"
)

// maxRounds bounds the models for one attempt.
const maxRounds = 12

// longFirst returns the clauses that are in, the longest ones first.
func (s *subset) longFirst() []int {
	var in []int
	for i := range s.clauses {
		if s.clauses[i].in {
			in = append(in, i)
		}
	}
	slices.SortStableFunc(in, func(a, b int) int {
		return cmp.Compare(len(s.clauses[b].lits), len(s.clauses[a].lits))
	})
	return in
}

// shorten drops literals from clauses. A shorter clause is a stronger one, so that what
// others needed of it is there still.
func (s *subset) shorten() error {
	common := map[circuit.Var]int{} // by latch: the clauses with it
	for _, i := range s.longFirst() {
		for _, l := range s.clauses[i].lits {
			common[l.Var()]++
		}
	}
	for _, i := range s.longFirst() {
		if s.spent >= s.effort {
			return nil
		}
		if err := s.shortenClause(i, common); err != nil {
			return err
		}
	}
	return nil
}

// shortenClause drops literals from one clause, those of rare latches first.
func (s *subset) shortenClause(i int, common map[circuit.Var]int) error {
	lits := slices.Clone(s.clauses[i].lits)
	slices.SortStableFunc(lits, func(a, b circuit.Lit) int { return cmp.Compare(common[a.Var()], common[b.Var()]) })
	support := s.clauses[i].support
	for at := 0; at < len(lits) && len(lits) > 1 && s.spent < s.effort; {
		shorter := slices.Delete(slices.Clone(lits), at, at+1)
		found, needs, err := s.holds(shorter, i)
		if err != nil {
			return err
		}
		if found == nil {
			at++
			continue
		}
		// Those in front of at were tried, but for a longer clause.
		lits, support = found, needs
		at = min(at, len(lits))
	}
	if len(lits) < len(s.clauses[i].lits) {
		k := &s.clauses[i]
		k.lits, k.support, k.known = lits, support, true
		s.tell(i)
	}
	return nil
}

// holds tries a clause in the place of one that is longer. It returns that clause, or a part
// of it that starts with the invariant and holds after a step, and the others with which it
// does; nil when it does not hold, or that is hard to see.
func (s *subset) holds(lits []circuit.Lit, i int) (part []circuit.Lit, support []int, err error) {
	if ok, err := s.startsWith(lits); !ok {
		return nil, nil, err
	}
	violated := s.violatedNext(lits)
	support, ok, err := s.refute(question{
		lits: violated, temp: lits, selected: s.clauses[i].support, without: i, rounds: maxRounds,
	})
	if !ok {
		return nil, nil, err
	}
	part = inCore(s.solver, lits, violated)
	if len(part) == len(lits) || len(part) == 0 {
		return lits, support, nil
	}
	// In the core the whole clause was taken for granted, of which the part makes sure.
	if ok, err := s.startsWith(part); err != nil || !ok {
		return lits, support, err
	}
	return part, support, nil
}

// thinOut takes clauses out, the longest ones first, where all that need them do without.
func (s *subset) thinOut() error {
	if ok, err := s.find(); !ok {
		return err
	}
	for _, i := range s.longFirst() {
		if s.spent >= s.effort {
			return nil
		}
		if !s.clauses[i].in {
			continue
		}
		if err := s.takeOut(i); err != nil {
			return err
		}
	}
	return nil
}

// takeOut takes a clause out if all that need it do without.
func (s *subset) takeOut(i int) error {
	supports := map[int][]int{}
	for j := range s.clauses {
		k := &s.clauses[j]
		if j == i || !k.in || !slices.Contains(k.support, i) {
			continue
		}
		support, ok, err := s.refute(question{
			lits: s.violatedNext(k.lits), selected: append(without(k.support, i), j), without: i, rounds: maxRounds,
		})
		if err != nil || !ok {
			return err
		}
		supports[j] = without(support, j)
	}
	if slices.Contains(s.safety, i) {
		support, ok, err := s.refute(question{
			lits: []circuit.Lit{s.bad}, selected: without(s.safety, i), without: i, rounds: maxRounds,
		})
		if err != nil || !ok {
			return err
		}
		s.safety = support
	}
	for j, support := range supports {
		s.clauses[j].support = support
	}
	s.clauses[i].in = false
	s.collect()
	return nil
}

// collect takes out what nothing needs.
func (s *subset) collect() {
	needed := make([]bool, len(s.clauses))
	todo := slices.Clone(s.safety)
	for len(todo) > 0 {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !needed[i] {
			needed[i] = true
			todo = append(todo, s.clauses[i].support...)
		}
	}
	for i := range s.clauses {
		s.clauses[i].in = s.clauses[i].in && needed[i]
	}
}
