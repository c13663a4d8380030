package simplify

import (
	"maps"

	"aiglens/horn/rational"
	"aiglens/horn/term"
)

// environment has spans of the variables of a clause; of one that it does not have, nothing is known. Over all values
// within them and that make the formulas true that have been assumed, it is sound.
type environment struct {
	terms      *term.Pool
	spans      map[term.Term]span
	impossible bool // nothing makes all formulas true
}

func newEnvironment(p *term.Pool) *environment {
	return &environment{terms: p, spans: map[term.Term]span{}}
}

// maxSplits is how deep disjunctions are taken apart, maxParts how many parts they have then.
const (
	maxSplits = 2
	maxParts  = 16
)

// of returns the values that a term may have.
func (e *environment) of(t term.Term) span {
	return e.within(map[term.Term]span{}, t)
}

func (e *environment) within(done map[term.Term]span, t term.Term) span {
	if s, ok := done[t]; ok {
		return s
	}
	s := e.compute(done, t)
	done[t] = s
	return s
}

func (e *environment) compute(done map[term.Term]span, t term.Term) span {
	p := e.terms
	args, sort := p.Args(t), p.SortOf(t)
	switch p.Op(t) {
	case term.OpConst:
		return truthSpan(t == term.False, t == term.True)
	case term.OpVar:
		if s, ok := e.spans[t]; ok {
			return s
		}
	case term.OpSum:
		return e.sum(done, p.LinearOf(t), sort)
	case term.OpLe, term.OpLt, term.OpEq:
		return compared(p.Op(t), e.sum(done, p.LinearOf(t), p.SortOf(args[0])))
	case term.OpNot:
		s := e.within(done, args[0])
		return truthSpan(s.yes, s.no)
	case term.OpAnd, term.OpOr:
		s := truthSpan(false, true)
		for _, a := range args {
			b := e.within(done, a)
			if p.Op(t) == term.OpOr {
				b = truthSpan(b.yes, b.no)
			}
			s = truthSpan(s.no || b.no, s.yes && b.yes)
		}
		if p.Op(t) == term.OpOr {
			s = truthSpan(s.yes, s.no)
		}
		return s
	case term.OpIff:
		a, b := e.within(done, args[0]), e.within(done, args[1])
		return truthSpan(a.no && b.yes || a.yes && b.no, a.no && b.no || a.yes && b.yes)
	case term.OpIte:
		switch c := e.within(done, args[0]); {
		case !c.no:
			return e.within(done, args[1])
		case !c.yes:
			return e.within(done, args[2])
		}
		return e.within(done, args[1]).join(e.within(done, args[2]))
	case term.OpToReal:
		s := e.within(done, args[0])
		s.sort = term.Real
		return s
	case term.OpDiv:
		s := e.within(done, args[0]).times(p.Divisor(t).Inv())
		for _, end := range []*limit{&s.low, &s.high} {
			end.value = end.value.Floor()
		}
		return s
	case term.OpMod:
		d := p.Divisor(t)
		s := span{sort: sort, low: at(rational.Zero), high: at(d.Sub(rational.One))}
		if inner := e.within(done, args[0]); inner.isWithin(s) {
			return inner
		}
		return s
	}
	return full(sort)
}

// sum returns the values of a linear sum.
func (e *environment) sum(done map[term.Term]span, l term.Linear, sort term.Sort) span {
	s := exactly(l.Const, sort)
	for i, t := range l.Terms {
		s = s.plus(e.within(done, t).times(l.Coefs[i]))
	}
	return s
}

// compared returns whether a number of a span is at most 0, below 0, or 0.
func compared(op term.Op, s span) span {
	zero := exactly(rational.Zero, s.sort)
	below := span{sort: s.sort, high: limit{isFinite: true, isStrict: true}}
	above := span{sort: s.sort, low: limit{isFinite: true, isStrict: true}}
	can := func(other span) bool { // not rounded: the ends of a sum of integers are integers
		return !span{sort: term.Real, low: higher(s.low, other.low), high: lower(s.high, other.high)}.isEmpty()
	}
	switch op {
	case term.OpLe:
		return truthSpan(can(above), can(below) || can(zero))
	case term.OpLt:
		return truthSpan(can(above) || can(zero), can(below))
	}
	return truthSpan(can(below) || can(above), can(zero))
}

// assume takes over that a formula has a value.
func (e *environment) assume(t term.Term, value bool, splits int) {
	if e.impossible {
		return
	}
	p := e.terms
	args := p.Args(t)
	switch op := p.Op(t); op {
	case term.OpConst:
		e.impossible = (t == term.True) != value
	case term.OpVar:
		e.refine(t, truthSpan(!value, value))
	case term.OpNot:
		e.assume(args[0], !value, splits)
	case term.OpAnd, term.OpOr:
		if value == (op == term.OpAnd) {
			for _, a := range args {
				e.assume(a, value, splits)
			}
			return
		}
		e.some(args, value, splits)
	case term.OpIff:
		for i, a := range args {
			if s := e.of(a); s.no != s.yes {
				e.assume(args[1-i], s.yes == value, splits)
			}
		}
	case term.OpIte:
		switch c := e.of(args[0]); {
		case !c.no:
			e.assume(args[1], value, splits)
		case !c.yes:
			e.assume(args[2], value, splits)
		}
	case term.OpLe, term.OpLt, term.OpEq:
		e.relate(op, p.LinearOf(t), p.SortOf(args[0]), value)
	}
}

// some takes over that one of some formulas has a value.
func (e *environment) some(args []term.Term, value bool, splits int) {
	var possible []term.Term
	for _, a := range args {
		if s := e.of(a); value && s.yes || !value && s.no {
			possible = append(possible, a)
		}
	}
	switch {
	case len(possible) == 0:
		e.impossible = true
		return
	case len(possible) == 1:
		e.assume(possible[0], value, splits)
		return
	case splits == 0 || len(possible) > maxParts:
		return
	}
	var joined map[term.Term]span
	for _, a := range possible {
		part := &environment{terms: e.terms, spans: maps.Clone(e.spans)}
		part.assume(a, value, splits-1)
		switch {
		case part.impossible:
		case joined == nil:
			joined = part.spans
		default:
			for v, s := range joined {
				other, ok := part.spans[v]
				if !ok {
					delete(joined, v)
					continue
				}
				joined[v] = s.join(other)
			}
		}
	}
	if joined == nil {
		e.impossible = true
		return
	}
	e.spans = joined
}

// relate takes over a comparison, or its negation.
func (e *environment) relate(op term.Op, l term.Linear, sort term.Sort, value bool) {
	zero := limit{isFinite: true}
	switch {
	case op == term.OpEq && value:
		e.linear(l, span{sort: sort, low: zero, high: zero})
	case op == term.OpEq:
		e.differs(l, sort)
	case value:
		zero.isStrict = op == term.OpLt
		e.linear(l, span{sort: sort, high: zero})
	default:
		zero.isStrict = op == term.OpLe
		e.linear(l, span{sort: sort, low: zero})
	}
}

// differs takes over that a sum is not 0: an integer at an end of its interval moves that.
func (e *environment) differs(l term.Linear, sort term.Sort) {
	if len(l.Terms) != 1 || sort != term.Int {
		return
	}
	n, s := l.Const.Div(l.Coefs[0]).Neg(), e.of(l.Terms[0])
	if s.low.isFinite && s.low.value.Equal(n) {
		e.refine(l.Terms[0], span{sort: sort, low: at(n.Add(rational.One))})
	}
	if s.high.isFinite && s.high.value.Equal(n) {
		e.refine(l.Terms[0], span{sort: sort, high: at(n.Sub(rational.One))})
	}
}

// linear takes over that a sum has a value of a span: each of its terms is what the span leaves of it, less the
// others.
func (e *environment) linear(l term.Linear, within span) {
	done := map[term.Term]span{}
	for i, t := range l.Terms {
		rest := exactly(l.Const, within.sort)
		for k, u := range l.Terms {
			if k != i {
				rest = rest.plus(e.within(done, u).times(l.Coefs[k]))
			}
		}
		e.refine(t, within.plus(rest.times(rational.MinusOne)).times(l.Coefs[i].Inv()))
		if e.impossible {
			return
		}
	}
}

// refine takes over that a term has a value of a span.
func (e *environment) refine(t term.Term, s span) {
	p := e.terms
	args := p.Args(t)
	switch p.Op(t) {
	case term.OpVar:
		s.sort = p.SortOf(t)
		now := e.of(t).meet(s.rounded())
		e.spans[t] = now
		e.impossible = e.impossible || now.isEmpty()
	case term.OpToReal:
		s.sort = term.Int
		e.refine(args[0], s.rounded())
	case term.OpSum:
		e.linear(p.LinearOf(t), s)
	case term.OpIte:
		if p.SortOf(t) == term.Bool {
			break
		}
		s.sort = p.SortOf(t)
		fits := func(a term.Term) bool { return !e.of(a).meet(s.rounded()).isEmpty() }
		switch first, second := fits(args[1]), fits(args[2]); {
		case !first && !second:
			e.impossible = true
		case !first:
			e.assume(args[0], false, 0)
			e.refine(args[2], s)
		case !second:
			e.assume(args[0], true, 0)
			e.refine(args[1], s)
		}
	default:
		if p.SortOf(t) == term.Bool && s.no != s.yes {
			e.assume(t, s.yes, maxSplits)
		}
	}
}
