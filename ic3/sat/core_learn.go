package sat

import "slices"

// learn turns a conflict into a clause, goes back to where it asserts its first
// literal, and asserts that.
func (s *coreSolver) learn(c reason) {
	back := s.analyze(c)
	s.tell()
	glue := s.glue(s.learnt)
	s.backtrack(back)
	switch len(s.learnt) {
	case 1:
		s.assign(s.learnt[0], 0)
	case 2:
		s.attachBinary(s.learnt[0], s.learnt[1])
		s.assign(s.learnt[0], binaryReason|reason(s.learnt[1]))
	default:
		n := s.attach(s.learnt, flagLearnt, glue)
		s.learnts = append(s.learnts, n)
		s.assign(s.learnt[0], reason(n))
	}
	s.inc /= activityDecay
}

// tell tells of the clause in s.learnt.
func (s *coreSolver) tell() {
	if s.options.Learnt == nil {
		return
	}
	s.reported = s.reported[:0]
	for _, l := range s.learnt {
		s.reported = append(s.reported, s.global[l.variable()].Lit().NotIf(l&1 == 1))
	}
	s.options.Learnt(s.reported)
}

// analyze finds the first unique implication point of a conflict. It leaves the
// clause in s.learnt, its asserting literal first and one of the level to
// return to second, and returns that level.
func (s *coreSolver) analyze(c reason) int {
	s.learnt = append(s.learnt[:0], 0)
	open, index := 0, len(s.trail)-1
	current := int32(s.level())
	visit := func(q lit) {
		v := q.variable()
		if s.seen[v] != 0 || s.levels[v] == 0 {
			return
		}
		s.seen[v] = 1
		s.toClear = append(s.toClear, v)
		s.bump(v)
		if s.levels[v] == current {
			open++
		} else {
			s.learnt = append(s.learnt, q)
		}
	}
	if c == conflictBinary {
		visit(s.conflict[0])
		visit(s.conflict[1])
	} else {
		for _, q := range s.lits(cref(c)) {
			visit(lit(q))
		}
	}
	for {
		for s.seen[s.trail[index].variable()] == 0 {
			index--
		}
		p := s.trail[index]
		index--
		if open--; open == 0 {
			s.learnt[0] = p.not()
			break
		}
		switch r := s.reasons[p.variable()]; {
		case r&binaryReason != 0:
			visit(lit(r &^ binaryReason))
		default:
			for _, q := range s.lits(cref(r)) {
				if lit(q) != p {
					visit(lit(q))
				}
			}
		}
	}
	s.minimize()
	s.clearSeen()
	back := 0
	for i := 1; i < len(s.learnt); i++ {
		if l := int(s.levels[s.learnt[i].variable()]); l > back {
			back = l
			s.learnt[1], s.learnt[i] = s.learnt[i], s.learnt[1]
		}
	}
	return back
}

// minimize drops literals that the others imply (Sörensson and Biere 2009).
func (s *coreSolver) minimize() {
	s.levelTick++
	for _, l := range s.learnt[1:] {
		s.levelMark[s.levels[l.variable()]] = s.levelTick
	}
	kept := 1
	for _, l := range s.learnt[1:] {
		if s.reasons[l.variable()] == 0 || !s.redundant(l.variable()) {
			s.learnt[kept] = l
			kept++
		}
	}
	s.learnt = s.learnt[:kept]
}

// Marks of seen beyond 1, which is for literals of the conflict.
const (
	seenRedundant = 2
	seenNeeded    = 3
)

// redundant reports whether the assignment of v follows from literals that were
// seen in the conflict.
func (s *coreSolver) redundant(v uint32) bool {
	s.todo = append(s.todo[:0], v)
	top := len(s.toClear)
	for len(s.todo) > 0 {
		v := s.todo[len(s.todo)-1]
		s.todo = s.todo[:len(s.todo)-1]
		ok := true
		step := func(w uint32) {
			if !ok || s.levels[w] == 0 || s.seen[w] == 1 || s.seen[w] == seenRedundant {
				return
			}
			if s.seen[w] == seenNeeded || s.reasons[w] == 0 || s.levelMark[s.levels[w]] != s.levelTick {
				ok = false
				return
			}
			s.seen[w] = seenRedundant
			s.toClear = append(s.toClear, w)
			s.todo = append(s.todo, w)
		}
		if r := s.reasons[v]; r&binaryReason != 0 {
			step(lit(r &^ binaryReason).variable())
		} else {
			for _, q := range s.lits(cref(r)) {
				if w := lit(q).variable(); w != v {
					step(w)
				}
			}
		}
		if !ok {
			for _, w := range s.toClear[top:] {
				s.seen[w] = seenNeeded
			}
			return false
		}
	}
	return true
}

// glue counts the decision levels of a clause (Audemard and Simon 2009).
func (s *coreSolver) glue(lits []lit) uint32 {
	s.levelTick++
	n := uint32(0)
	for _, l := range lits {
		if level := s.levels[l.variable()]; s.levelMark[level] != s.levelTick {
			s.levelMark[level] = s.levelTick
			n++
		}
	}
	return n
}

// reduce deletes the worse half of the learnt clauses when there are too many.
// Nothing above level 0 may rest on them but what locked protects.
func (s *coreSolver) reduce() {
	if len(s.learnts) < s.maxLearnts {
		return
	}
	slices.SortStableFunc(s.learnts, func(a, b cref) int { return int(s.arena[a+1]) - int(s.arena[b+1]) })
	kept := s.learnts[:0]
	half := len(s.learnts) / 2
	for i, c := range s.learnts {
		if i < half || s.arena[c+1] <= 2 || s.locked(c) {
			kept = append(kept, c)
			continue
		}
		s.wasted += headerWords + int(s.arena[c]>>2)
		s.arena[c] |= flagDeleted
	}
	s.learnts = kept
	s.maxLearnts += s.maxLearnts / 10
}

// locked reports whether a clause is the reason of its first literal.
func (s *coreSolver) locked(c cref) bool {
	first := lit(s.arena[c+headerWords])
	return s.values[first] > 0 && s.reasons[first.variable()] == reason(c)
}

// compact moves the clauses that are left together. The solver must be at level
// 0, with everything propagated or none of the clauses touched since.
func (s *coreSolver) compact() {
	old := s.arena
	s.arena = make([]uint32, 1, len(old)-s.wasted+1)
	for i := range s.watches {
		s.watches[i] = s.watches[i][:0]
	}
	for _, list := range [][]cref{s.lemmas, s.learnts} {
		for i, c := range list {
			size := old[c] >> 2
			list[i] = cref(len(s.arena))
			s.arena = append(s.arena, old[c:uint32(c)+headerWords+size]...)
			a, b := lit(old[c+headerWords]), lit(old[c+headerWords+1])
			s.watches[a.not()] = append(s.watches[a.not()], watch{list[i], b})
			s.watches[b.not()] = append(s.watches[b.not()], watch{list[i], a})
		}
	}
	for _, l := range s.trail {
		s.reasons[l.variable()] = 0 // of level 0: never asked for
	}
	s.wasted = 0
}

// bump makes a variable more likely to be decided.
func (s *coreSolver) bump(v uint32) {
	if s.activity[v] += s.inc; s.activity[v] > activityLimit {
		for i := range s.activity {
			s.activity[i] /= activityLimit
		}
		s.inc /= activityLimit
	}
	if p := s.heapPos[v]; p >= 0 {
		s.heapUp(int(p))
	}
}

// buildHeap orders the open variables of the domain.
func (s *coreSolver) buildHeap() {
	s.heapBuilt = true
	for _, v := range s.domain {
		if s.values[v<<1] == 0 && s.heapPos[v] < 0 {
			s.heapPos[v] = int32(len(s.heap))
			s.heap = append(s.heap, v)
		}
	}
	for i := len(s.heap)/2 - 1; i >= 0; i-- {
		s.heapDown(i)
	}
}

// pick takes the open variable of the domain that is most active; ok is false
// when none is left.
func (s *coreSolver) pick() (v uint32, ok bool) {
	for len(s.heap) > 0 {
		v := s.heap[0]
		last := s.heap[len(s.heap)-1]
		s.heap = s.heap[:len(s.heap)-1]
		s.heapPos[v] = -1
		if len(s.heap) > 0 {
			s.heap[0] = last
			s.heapPos[last] = 0
			s.heapDown(0)
		}
		if s.values[v<<1] == 0 {
			return v, true
		}
	}
	return 0, false
}

func (s *coreSolver) heapInsert(v uint32) {
	s.heapPos[v] = int32(len(s.heap))
	s.heap = append(s.heap, v)
	s.heapUp(len(s.heap) - 1)
}

func (s *coreSolver) heapUp(i int) {
	v := s.heap[i]
	a := s.activity[v]
	for i > 0 {
		parent := (i - 1) / 2
		w := s.heap[parent]
		if s.activity[w] >= a {
			break
		}
		s.heap[i] = w
		s.heapPos[w] = int32(i)
		i = parent
	}
	s.heap[i] = v
	s.heapPos[v] = int32(i)
}

func (s *coreSolver) heapDown(i int) {
	v := s.heap[i]
	a := s.activity[v]
	for {
		child := 2*i + 1
		if child >= len(s.heap) {
			break
		}
		if child+1 < len(s.heap) && s.activity[s.heap[child+1]] > s.activity[s.heap[child]] {
			child++
		}
		w := s.heap[child]
		if a >= s.activity[w] {
			break
		}
		s.heap[i] = w
		s.heapPos[w] = int32(i)
		i = child
	}
	s.heap[i] = v
	s.heapPos[v] = int32(i)
}
