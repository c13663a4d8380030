package trace

import (
	"context"
	"slices"

	"aiglens/circuit"
	"aiglens/circuit/cert"
)

// shorter returns a lasso of fewer steps, or the same. A run may go on from a state as
// from another one that stands for it, so that
//
//	the loop   may be a part of itself that comes back to its beginning and meets all goals,
//	           and leave out a part between such states that no goal needs;
//	the stem   may end where it comes to a state of the loop for the first time, and leave
//	           out what lies between such states.
//
// The input of step 0 decides where latches with reset functions start, so that in a
// circuit with some no other step takes the place of step 0. At the end of ctx it leaves off.
func (m *minimizer) shorter(ctx context.Context) cert.Lasso {
	s := shortening{minimizer: m, ctx: ctx}
	for step := range m.t.Steps() {
		if step < m.loop {
			s.stem = append(s.stem, step)
		} else {
			s.round = append(s.round, step)
		}
		state := make([]circuit.Value, len(m.c.Latches()))
		for i, l := range m.c.Latches() {
			state[i] = m.value(l.Lit, step)
		}
		s.states = append(s.states, state)
	}
	if m.c.HasResetFunctions() {
		s.first = 1
	}
	if s.first <= m.loop {
		s.partOfLoop()
		s.cutLoop()
		s.enterEarly()
		s.cutStem()
	}
	short := cert.Lasso{Trace: cert.Trace{Initial: m.t.Initial}, Loop: len(s.stem)}
	for _, step := range slices.Concat(s.stem, s.round) {
		short.Inputs = append(short.Inputs, slices.Clone(m.t.Inputs[step]))
	}
	return short
}

// shortening is a lasso made of steps of another one.
type shortening struct {
	*minimizer
	ctx         context.Context
	states      [][]circuit.Value // by step of the minimizer
	stem, round []int             // steps
	first       int               // the first step that may be left out
}

// isSpent reports whether the bound is reached, or the context has ended, so that no more
// states are compared.
func (s *shortening) isSpent() bool { return s.limit > 0 && s.work >= s.limit || s.ctx.Err() != nil }

// covers reports whether the state in front of a step stands for that in front of another
// one. It counts what it looks at; after the bound nothing covers.
func (s *shortening) covers(wide, narrow int) bool {
	if s.isSpent() {
		return false
	}
	for i, v := range s.states[wide] {
		s.work++
		if v != circuit.X && v != s.states[narrow][i] {
			return false
		}
	}
	return true
}

// unmet returns the number of goals that are not met in some steps.
func (s *shortening) unmet(steps []int) int {
	n := 0
	for _, g := range s.goals {
		s.work += int64(len(steps))
		if !slices.ContainsFunc(steps, func(step int) bool { return s.value(g.lit, step) == circuit.One }) {
			n++
		}
	}
	return n
}

// partOfLoop takes the shortest part of the loop that is one itself.
func (s *shortening) partOfLoop() {
	n := len(s.round)
	twice := slices.Concat(s.round, s.round)
	from, length := 0, n
	for a := range n {
		for b := a + 1; b < a+length && !s.isSpent(); b++ {
			if s.covers(twice[a], twice[b]) && s.unmet(twice[a:b]) == 0 {
				from, length = a, b-a
			}
		}
	}
	s.stem = append(s.stem, twice[:from]...)
	s.round = slices.Clone(twice[from : from+length])
}

// cutLoop leaves out steps of the loop that lead to a state which stands for the one in
// front of them.
func (s *shortening) cutLoop() {
	for a := 0; a < len(s.round); a++ {
		for b := len(s.round) - 1; b > a && !s.isSpent(); b-- {
			if !s.covers(s.round[b], s.round[a]) {
				continue
			}
			if rest := slices.Concat(s.round[:a], s.round[b:]); s.unmet(rest) == 0 {
				s.round = rest
				break
			}
		}
	}
}

// enterEarly ends the stem at the first state for which one of the loop stands.
func (s *shortening) enterEarly() {
	for k := s.first; k < len(s.stem) && !s.isSpent(); k++ {
		for a, step := range s.round {
			if s.covers(step, s.stem[k]) {
				s.stem = s.stem[:k]
				s.round = slices.Concat(s.round[a:], s.round[:a])
				return
			}
		}
	}
}

// cutStem leaves out steps of the stem as cutLoop does, goals apart.
func (s *shortening) cutStem() {
	for a := s.first; a < len(s.stem); a++ {
		for b := len(s.stem) - 1; b > a && !s.isSpent(); b-- {
			if s.covers(s.stem[b], s.stem[a]) {
				s.stem = slices.Concat(s.stem[:a], s.stem[b:])
				break
			}
		}
	}
}
