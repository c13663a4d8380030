package cert

import (
	"fmt"
	"math/big"

	"github.com/go-air/gini/z"

	"aiglens/horn/term"
)

// scope encodes terms of one pool, whose variables have meanings of their own.
type scope struct {
	*encoding
	terms    *term.Pool
	formulas map[term.Term]z.Lit
	numbers  map[term.Term]number
}

func (e *encoding) scope(terms *term.Pool) *scope {
	return &scope{e, terms, map[term.Term]z.Lit{}, map[term.Term]number{}}
}

// declare gives a variable a meaning of its own.
func (s *scope) declare(v term.Term) {
	if sort := s.terms.SortOf(v); sort == term.Bool {
		s.formulas[v] = s.g.Lit()
	} else {
		s.numbers[v] = s.variable(sort == term.Int)
	}
}

// instance returns the literal of a definition, for arguments in s.
func (s *scope) instance(m Model, d Definition, args []term.Term) z.Lit {
	inner := s.encoding.scope(m.Terms)
	for i, param := range d.Params {
		if m.Terms.SortOf(param) == term.Bool {
			inner.formulas[param] = s.formula(args[i])
		} else {
			inner.numbers[param] = s.number(args[i])
		}
	}
	return inner.formula(d.Formula)
}

// formula returns the literal of a formula.
func (s *scope) formula(t term.Term) z.Lit {
	m, ok := s.formulas[t]
	if !ok {
		m = s.newFormula(t)
		s.formulas[t] = m
	}
	return m
}

func (s *scope) newFormula(t term.Term) z.Lit {
	switch op := s.terms.Op(t); op {
	case term.OpConst:
		if t == term.True {
			return s.true
		}
		return s.true.Not()
	case term.OpLe, term.OpLt:
		return s.compare(s.linear(t), op == term.OpLt)
	case term.OpEq:
		return s.equalsZero(s.linear(t))
	}
	args := s.terms.Args(t)
	ms := make([]z.Lit, len(args))
	for i, a := range args {
		ms[i] = s.formula(a)
	}
	switch s.terms.Op(t) {
	case term.OpNot:
		return ms[0].Not()
	case term.OpAnd:
		return s.and(ms...)
	case term.OpOr:
		return s.or(ms...)
	case term.OpIff:
		return s.ite(ms[0], ms[1], ms[1].Not())
	case term.OpIte:
		return s.ite(ms[0], ms[1], ms[2])
	}
	panic("cert: a formula that has not passed form")
}

// number returns the number of a term.
func (s *scope) number(t term.Term) number {
	x, ok := s.numbers[t]
	if !ok {
		x = s.newNumber(t)
		s.numbers[t] = x
	}
	return x
}

func (s *scope) newNumber(t term.Term) number {
	args := s.terms.Args(t)
	switch s.terms.Op(t) {
	case term.OpSum:
		return s.linear(t)
	case term.OpToReal:
		return s.number(args[0])
	case term.OpIte:
		c, a, b := s.formula(args[0]), s.number(args[1]), s.number(args[2])
		isInt, one := s.terms.SortOf(t) == term.Int, big.NewRat(1, 1)
		return s.once(fmt.Sprint("ite ", c, " ", a, " ", b, " ", isInt), func() number {
			x := s.variable(isInt)
			s.define(x, s.or(c.Not(), s.equalsZero(x.minus(one, a))))
			s.define(x, s.or(c, s.equalsZero(x.minus(one, b))))
			return x
		})
	case term.OpDiv:
		q, _ := s.quotient(s.number(args[0]), s.terms.Divisor(t).Big())
		return q
	case term.OpMod:
		_, rest := s.quotient(s.number(args[0]), s.terms.Divisor(t).Big())
		return rest
	}
	panic("cert: a number that has not passed form")
}

// linear returns Σ cᵢ·argᵢ + c of a sum or comparison.
func (s *scope) linear(t term.Term) number {
	l := s.terms.LinearOf(t)
	coefs, numbers := make([]*big.Rat, len(l.Coefs)), make([]number, len(l.Coefs))
	for i, c := range l.Coefs {
		coefs[i], numbers[i] = c.Big(), s.number(l.Terms[i])
	}
	return combine(coefs, numbers, l.Const.Big())
}

// quotient returns the integer q with 0 ≤ x − d·q ≤ d − 1, and x − d·q, for integers x and d.
func (s *scope) quotient(x number, d *big.Rat) (q, rest number) {
	q = s.once(fmt.Sprint("div ", x, " ", d.RatString()), func() number {
		q := s.variable(true)
		rest := x.minus(d, q)
		over := number{rest.sum, new(big.Rat).Add(rest.constant, new(big.Rat).Sub(big.NewRat(1, 1), d))}
		s.define(q, s.compare(over, false))
		s.define(q, s.compare(rest.negated(), false))
		return q
	})
	return q, x.minus(d, q)
}
