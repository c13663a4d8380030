package simplify

import (
	"aiglens/horn/rational"
	"aiglens/horn/term"
)

// Rat is an exact rational number.
type Rat = rational.Rat

// limit is an end of an interval.
type limit struct {
	isFinite bool
	value    Rat
	isStrict bool // the value itself is outside
}

func at(r Rat) limit { return limit{isFinite: true, value: r} }

// plus adds two ends of the same side.
func (a limit) plus(b limit) limit {
	if !a.isFinite || !b.isFinite {
		return limit{}
	}
	return limit{true, a.value.Add(b.value), a.isStrict || b.isStrict}
}

// times scales an end by a number that is not 0.
func (a limit) times(c Rat) limit {
	if !a.isFinite {
		return a
	}
	return limit{true, a.value.Mul(c), a.isStrict}
}

// span is the set of values that a term may have: truth values or numbers.
type span struct {
	sort      term.Sort
	no, yes   bool // of a Bool: it may be false, it may be true
	low, high limit
}

func full(sort term.Sort) span {
	isTruth := sort == term.Bool
	return span{sort: sort, no: isTruth, yes: isTruth}
}

func exactly(r Rat, sort term.Sort) span { return span{sort: sort, low: at(r), high: at(r)} }

func truthSpan(no, yes bool) span { return span{sort: term.Bool, no: no, yes: yes} }

// isEmpty reports whether there is no value.
func (a span) isEmpty() bool {
	if a.sort == term.Bool {
		return !a.no && !a.yes
	}
	if !a.low.isFinite || !a.high.isFinite {
		return false
	}
	c := a.low.value.Cmp(a.high.value)
	return c > 0 || c == 0 && (a.low.isStrict || a.high.isStrict)
}

// constant returns the only value as a term; term.None if there are more, or none.
func (a span) constant(p *term.Pool) term.Term {
	switch {
	case a.sort == term.Bool && a.no != a.yes:
		return term.Truth(a.yes)
	case a.sort != term.Bool && a.low.isFinite && a.high.isFinite && !a.low.isStrict && !a.high.isStrict && a.low.value.Equal(a.high.value):
		return p.NumberOf(a.low.value, a.sort)
	}
	return term.None
}

// rounded moves the ends of an interval of integers to integers.
func (a span) rounded() span {
	if a.sort != term.Int {
		return a
	}
	if a.low.isFinite {
		up := a.low.value.Ceil()
		if a.low.isStrict && up.Equal(a.low.value) {
			up = up.Add(rational.One)
		}
		a.low = at(up)
	}
	if a.high.isFinite {
		down := a.high.value.Floor()
		if a.high.isStrict && down.Equal(a.high.value) {
			down = down.Sub(rational.One)
		}
		a.high = at(down)
	}
	return a
}

// compare orders two finite ends as numbers; of equal ones, the strict one comes as strict says.
func (a limit) compare(b limit, strict int) int {
	if c := a.value.Cmp(b.value); c != 0 || a.isStrict == b.isStrict {
		return c
	}
	if a.isStrict {
		return strict
	}
	return -strict
}

// higher returns the lower end of what two lower ends leave.
func higher(a, b limit) limit {
	if !a.isFinite || b.isFinite && a.compare(b, 1) < 0 {
		return b
	}
	return a
}

// lower returns the upper end of what two upper ends leave.
func lower(a, b limit) limit {
	if !a.isFinite || b.isFinite && a.compare(b, -1) > 0 {
		return b
	}
	return a
}

// meet returns the values of both.
func (a span) meet(b span) span {
	if a.sort == term.Bool {
		return truthSpan(a.no && b.no, a.yes && b.yes)
	}
	return span{sort: a.sort, low: higher(a.low, b.low), high: lower(a.high, b.high)}.rounded()
}

// join returns the least span with the values of both, neither of which is empty.
func (a span) join(b span) span {
	if a.sort == term.Bool {
		return truthSpan(a.no || b.no, a.yes || b.yes)
	}
	j := span{sort: a.sort}
	if a.low.isFinite && b.low.isFinite {
		if j.low = a.low; a.low.compare(b.low, 1) > 0 {
			j.low = b.low
		}
	}
	if a.high.isFinite && b.high.isFinite {
		if j.high = a.high; a.high.compare(b.high, -1) < 0 {
			j.high = b.high
		}
	}
	return j
}

// isWithin reports whether b has all values of a.
func (a span) isWithin(b span) bool { return a.join(b).same(b) }

func (a span) same(b span) bool {
	return a.no == b.no && a.yes == b.yes && a.low.same(b.low) && a.high.same(b.high)
}

func (a limit) same(b limit) bool {
	return a.isFinite == b.isFinite && (!a.isFinite || a.value.Equal(b.value) && a.isStrict == b.isStrict)
}

// plus returns the sums of values of two intervals.
func (a span) plus(b span) span {
	return span{sort: a.sort, low: a.low.plus(b.low), high: a.high.plus(b.high)}
}

// times returns the multiples of an interval by a number that is not 0.
func (a span) times(c Rat) span {
	a.low, a.high = a.low.times(c), a.high.times(c)
	if c.Sign() < 0 {
		a.low, a.high = a.high, a.low
	}
	return a
}

// formula returns that a term has one of the values.
func (a span) formula(p *term.Pool, t term.Term) term.Term {
	if a.sort == term.Bool {
		return p.And(p.Or(t, term.Truth(a.no)), p.Or(p.Not(t), term.Truth(a.yes)))
	}
	all := term.True
	if c := a.constant(p); c != term.None {
		return p.Equal(t, c)
	}
	if a.low.isFinite {
		if n := p.NumberOf(a.low.value, a.sort); a.low.isStrict {
			all = p.And(all, p.Lt(n, t))
		} else {
			all = p.And(all, p.Le(n, t))
		}
	}
	if a.high.isFinite {
		if n := p.NumberOf(a.high.value, a.sort); a.high.isStrict {
			all = p.And(all, p.Lt(t, n))
		} else {
			all = p.And(all, p.Le(t, n))
		}
	}
	return all
}
