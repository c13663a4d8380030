package proof

import (
	"slices"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/facts"
	"aiglens/ic3/sat"
)

// never finds values that are never taken: those with names, and of the others all, if they are
// few. Of a word with many bits, the others are those that a clause of the invariant excludes.
// What is beyond the bounds, or has more than one 1 where at most one bit is, needs no words.
func (x *wordSearch) never(w *word) (isKnown bool, err error) {
	var named [][]circuit.Value
	for _, pattern := range w.named {
		if len(pattern) != len(w.bits) {
			continue
		}
		r, err := x.takes(w, pattern)
		if r == sat.Unsolved {
			return false, err
		}
		if r == sat.Unsat {
			named = append(named, pattern)
			x.add(facts.WordFact{Kind: facts.Never, Word: w.index, Value: pattern})
		}
	}
	if w.isOneHot || w.isOther {
		return true, nil
	}
	values, isKnown, err := x.untaken(w, func(value []circuit.Value) bool {
		return slices.ContainsFunc(named, func(pattern []circuit.Value) bool { return facts.Matches(value, pattern) })
	})
	for _, value := range values {
		x.add(facts.WordFact{Kind: facts.Never, Word: w.index, Value: value})
	}
	return isKnown, err
}

// takes asks whether a word has a value in some state.
func (x *wordSearch) takes(w *word, value []circuit.Value) (sat.Result, error) {
	var ones []circuit.Lit
	for i, l := range w.bits {
		if l = l.NotIf(value[i] == circuit.Zero); l == circuit.False && value[i] != circuit.X {
			return sat.Unsat, nil
		} else if l.Var() != 0 && value[i] != circuit.X {
			ones = append(ones, l)
		}
	}
	return x.solve(x.solver, w.part, sat.Query{Assumptions: ones})
}

// untaken returns the values within the bounds that are never taken, without those that have been
// said; none when they are many. What clauses about the word alone exclude needs no query.
func (x *wordSearch) untaken(w *word, isSaid func([]circuit.Value) bool) (found [][]circuit.Value, isKnown bool, err error) {
	own, isAlone := x.clausesOf(w)
	var values [][]bool
	if len(w.free) <= maxAskedBits || isAlone && len(w.free) <= maxFreeBits {
		values = valuesOfFree(w)
	} else {
		values = x.excluded(w)
	}
	taken := map[string]bool{}
	for _, state := range w.part.samples {
		taken[keyOf(w.in(state))] = true
	}
	x.spent += int64(len(w.part.samples)*len(w.bits)+len(values)*len(own)) / lookShare
	for _, value := range values {
		bits := valuesOf(value)
		if taken[keyOf(value)] || compareValues(w, value, w.least) < 0 || compareValues(w, value, w.greatest) > 0 || isSaid(bits) {
			continue
		}
		isFound := w.violates(value, own)
		if !isFound && !isAlone {
			r, err := x.takes(w, bits)
			if r == sat.Unsolved {
				return nil, false, err
			}
			isFound = r == sat.Unsat
		}
		if isFound {
			found = append(found, bits)
		}
		if len(found) > mostNever {
			return nil, true, nil
		}
	}
	return found, true, nil
}

// clausesOf returns the clauses about the bits of a word and nothing else; isAlone says that no other
// clause refers to them.
func (x *wordSearch) clausesOf(w *word) (own cert.Invariant, isAlone bool) {
	isAlone = true
	looked := 0
	for i, v := range w.free {
		for _, at := range x.with[v] {
			clause := x.clauses[at]
			looked += len(clause)
			switch others := func(l circuit.Lit) bool { return !slices.Contains(w.free, l.Var()) }; {
			case slices.ContainsFunc(clause, others):
				isAlone = false
			case !slices.ContainsFunc(clause, func(l circuit.Lit) bool { return slices.Contains(w.free[:i], l.Var()) }):
				own = append(own, clause) // which is found once
			}
		}
	}
	x.spent += int64(looked / lookShare)
	return own, isAlone
}

// violates reports whether a value of a word makes some clause about its bits 0.
func (w *word) violates(value []bool, own cert.Invariant) bool {
	ones := make([]circuit.Lit, 0, len(value))
	for i, l := range w.bits {
		ones = append(ones, l.NotIf(!value[i]))
	}
	return slices.ContainsFunc(own, func(clause []circuit.Lit) bool {
		return !slices.ContainsFunc(clause, func(l circuit.Lit) bool { return slices.Contains(ones, l) })
	})
}

// in returns the value of a word in a state of its part.
func (w *word) in(state []bool) []bool {
	value := make([]bool, len(w.bits))
	for i, l := range w.bits {
		if l.Var() == 0 {
			value[i] = l == circuit.True
		} else {
			value[i] = state[w.part.at[l.Var()]] != l.IsNegated()
		}
	}
	return value
}

// keyOf returns a value as the key of a map.
func keyOf(value []bool) string {
	key := make([]byte, len(value))
	for i, bit := range value {
		if bit {
			key[i] = 1
		}
	}
	return string(key)
}

// valuesOfFree returns the values that the variables of a word can give it, in order.
func valuesOfFree(w *word) [][]bool {
	all := make([][]bool, 0, 1<<len(w.free))
	for n := range 1 << len(w.free) {
		ones := make([]circuit.Lit, len(w.free))
		for i, v := range w.free {
			ones[i] = v.Lit().NotIf(n>>i&1 == 0)
		}
		all = append(all, valueWith(w.bits, ones))
	}
	slices.SortFunc(all, func(a, b []bool) int { return compareValues(w, a, b) })
	return all
}

// excluded returns the values that single clauses exclude, in order. Clauses call latches that are
// equal by the name of the first.
func (x *wordSearch) excluded(w *word) [][]bool {
	bits, free := make([]circuit.Lit, len(w.bits)), map[circuit.Var]bool{}
	for i, l := range w.bits {
		bits[i] = l
		if first, ok := x.firsts[l.Var()]; ok {
			bits[i] = first.NotIf(l.IsNegated())
		}
		if l.Var() != 0 {
			free[bits[i].Var()] = true
		}
	}
	var all [][]bool
	some := slices.IndexFunc(bits, func(l circuit.Lit) bool { return l.Var() != 0 })
	x.spent += int64(len(x.with[bits[some].Var()]) / lookShare)
	for _, at := range x.with[bits[some].Var()] {
		clause := x.clauses[at]
		if len(clause) == len(free) && !slices.ContainsFunc(clause, func(l circuit.Lit) bool { return !free[l.Var()] }) {
			all = append(all, valueWith(bits, opposites(clause)))
		}
	}
	slices.SortFunc(all, func(a, b []bool) int { return compareValues(w, a, b) })
	return slices.CompactFunc(all, slices.Equal[[]bool])
}
