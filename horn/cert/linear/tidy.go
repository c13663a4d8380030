package linear

import "math/big"

// tidy returns rows that say the same: rounded where they are over integers, without those
// that hold anyway, and with at most a lower and an upper bound, or one equation, for each
// sum. When two of them, or one, cannot hold, impossible says which given constraints they
// follow from.
func (s *search) tidy(rows []*row) (tidied []*row, impossible set) {
	known := map[string]*bounds{}
	var order []*bounds
	for _, r := range rows {
		if len(r.sum) == 0 {
			if !r.rel.holds(r.constant) {
				return nil, r.from
			}
			continue
		}
		if s.isInteger(r) && !r.round() {
			return nil, r.from
		}
		name, negative := r.direction()
		b := known[name]
		if b == nil {
			b = &bounds{}
			known[name] = b
			order = append(order, b)
		}
		if impossible := b.take(r, negative); impossible != nil {
			return nil, impossible
		}
	}
	for _, b := range order {
		kept, impossible := b.rows()
		if impossible != nil {
			return nil, impossible
		}
		tidied = append(tidied, kept...)
	}
	return tidied, nil
}

// isInteger reports whether the sum of a row has integer values only.
func (s *search) isInteger(r *row) bool {
	for _, t := range r.sum {
		if !s.integer[t.v] {
			return false
		}
	}
	return true
}

// bounds are rows about one sum or its negation. The first coefficient of the sum is
// positive.
type bounds struct {
	equal *row // sum + constant = 0
	upper *row // sum + constant ≤ 0, or < 0
	lower *row // −sum + constant ≤ 0, or < 0
}

// take adds a row, if it says more; negative says that it is about −sum.
func (b *bounds) take(r *row, negative bool) (impossible set) {
	switch {
	case r.rel == Equal:
		if negative {
			r = r.negated()
		}
		if b.equal == nil {
			b.equal = r
		} else if b.equal.constant.Cmp(r.constant) != 0 {
			return b.equal.from.union(r.from)
		}
	case negative:
		b.lower = tighter(b.lower, r)
	default:
		b.upper = tighter(b.upper, r)
	}
	return nil
}

// tighter returns the bound that implies the other one. The first may be nil.
func tighter(a, b *row) *row {
	if a == nil {
		return b
	}
	if order := a.constant.Cmp(b.constant); order < 0 || order == 0 && b.rel == Below {
		return b
	}
	return a
}

// rows returns what is left of the bounds.
func (b *bounds) rows() (kept []*row, impossible set) {
	if e := b.equal; e != nil {
		if u := b.upper; u != nil && !u.rel.holds(new(big.Rat).Sub(u.constant, e.constant)) {
			return nil, e.from.union(u.from)
		}
		if l := b.lower; l != nil && !l.rel.holds(new(big.Rat).Add(l.constant, e.constant)) {
			return nil, e.from.union(l.from)
		}
		return []*row{e}, nil
	}
	if b.upper != nil && b.lower != nil {
		both := add(big.NewInt(1), b.upper, big.NewInt(1), b.lower)
		if !both.rel.holds(both.constant) {
			return nil, both.from
		}
		if both.constant.Sign() == 0 {
			return []*row{{sum: b.upper.sum, constant: b.upper.constant, rel: Equal, from: both.from}}, nil
		}
	}
	for _, r := range []*row{b.upper, b.lower} {
		if r != nil {
			kept = append(kept, r)
		}
	}
	return kept, nil
}

// negated returns −sum − constant = 0 for an equation.
func (r *row) negated() *row {
	n := &row{sum: make([]term, len(r.sum)), constant: new(big.Rat).Neg(r.constant), rel: r.rel, from: r.from}
	for i, t := range r.sum {
		n.sum[i] = term{t.v, new(big.Int).Neg(t.coef)}
	}
	return n
}
