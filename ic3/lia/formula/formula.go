// Package formula builds the formulas of horn/term in a solver of linear arithmetic, and returns what the
// solver finds as terms. It knows nothing about Horn clauses: its formulas have no predicates.
package formula

import (
	"aiglens/circuit"
	"aiglens/horn/rational"
	"aiglens/horn/term"
	"aiglens/ic3/lia"
)

// Encoder builds terms of one pool in one solver. Every term is built once.
//
// A number that is no sum has a variable of the solver: a variable, an ite, a div or mod. What defines
// the last three is asserted, which is sound, since each has a value whatever else holds.
type Encoder struct {
	Terms  *term.Pool
	Solver *lia.Solver

	lits    map[term.Term]lia.Lit
	numbers map[term.Term]lia.Var
	terms   map[lia.Var]term.Term // a variable of the pool, or what else is no sum
	bools   map[circuit.Var]term.Term
}

// New returns an encoder that has built nothing.
func New(p *term.Pool, s *lia.Solver) *Encoder {
	return &Encoder{p, s, map[term.Term]lia.Lit{}, map[term.Term]lia.Var{}, map[lia.Var]term.Term{}, map[circuit.Var]term.Term{}}
}

// Lit returns a literal that is true iff a formula is, which has no predicates and no quantifiers.
func (e *Encoder) Lit(t term.Term) lia.Lit {
	l, ok := e.lits[t]
	if !ok {
		l = e.build(t)
		e.lits[t] = l
	}
	return l
}

func (e *Encoder) build(t term.Term) lia.Lit {
	p := e.Terms
	args := p.Args(t)
	switch op := p.Op(t); op {
	case term.OpConst:
		return circuit.False.NotIf(t == term.True)
	case term.OpVar:
		l := e.Solver.NewBool()
		e.bools[l.Var()] = t
		return l
	case term.OpLe, term.OpLt, term.OpEq:
		sum, constant := e.sum(p.LinearOf(t))
		rel := map[term.Op]lia.Rel{term.OpLe: lia.LessEqual, term.OpLt: lia.Less, term.OpEq: lia.Equal}[op]
		return e.Solver.Atom(lia.Atom{Term: sum, Rel: rel, Const: constant.Neg()})
	case term.OpNot:
		return e.Lit(args[0]).Not()
	case term.OpAnd, term.OpOr:
		lits := make([]lia.Lit, len(args))
		for i, a := range args {
			lits[i] = e.Lit(a)
		}
		if op == term.OpOr {
			return e.Solver.Or(lits...)
		}
		return e.Solver.And(lits...)
	case term.OpIff:
		return e.Solver.Iff(e.Lit(args[0]), e.Lit(args[1]))
	case term.OpIte:
		return e.Solver.Ite(e.Lit(args[0]), e.Lit(args[1]), e.Lit(args[2]))
	}
	panic("formula: a predicate or a quantifier")
}

// Number returns the variable that stands for a number which is no sum.
func (e *Encoder) Number(t term.Term) lia.Var {
	if e.Terms.Op(t) == term.OpToReal {
		return e.Number(e.Terms.Args(t)[0])
	}
	v, ok := e.numbers[t]
	if !ok {
		v = e.Solver.NewVar(e.Terms.SortOf(t) == term.Int)
		e.numbers[t], e.terms[v] = v, t
		e.define(t, v)
	}
	return v
}

// sum returns a linear sum less its constant, and that.
func (e *Encoder) sum(l term.Linear) (lia.Term, rational.Rat) {
	ms := make([]lia.Monomial, len(l.Terms))
	for i, t := range l.Terms {
		ms[i] = lia.Monomial{Var: e.Number(t), Coef: l.Coefs[i]}
	}
	return lia.NewTerm(ms...), l.Const
}

// define asserts what a variable for an ite, a div or a mod is.
func (e *Encoder) define(t term.Term, v lia.Var) {
	s := e.Solver
	self := lia.Term{{Var: v, Coef: rational.One}}
	args := e.Terms.Args(t)
	switch e.Terms.Op(t) {
	case term.OpIte:
		c := e.Lit(args[0])
		s.Assert(s.Or(c.Not(), e.equal(self, args[1])))
		s.Assert(s.Or(c, e.equal(self, args[2])))
	case term.OpDiv:
		// 0 ≤ t − d·v ≤ d − 1
		d := e.Terms.Divisor(t)
		sum, constant := e.sum(e.Terms.LinearOf(args[0]))
		rest := sum.Plus(d.Neg(), self)
		s.Assert(s.Atom(lia.Atom{Term: rest.Scale(rational.MinusOne), Const: constant}))
		s.Assert(s.Atom(lia.Atom{Term: rest, Const: d.Sub(rational.One).Sub(constant)}))
	case term.OpMod:
		// 0 ≤ v ≤ d − 1 and t − v = d·q for an integer q
		d := e.Terms.Divisor(t)
		s.Assert(s.Atom(lia.Atom{Term: self.Scale(rational.MinusOne)}))
		s.Assert(s.Atom(lia.Atom{Term: self, Const: d.Sub(rational.One)}))
		sum, constant := e.sum(e.Terms.LinearOf(args[0]))
		quotient := lia.Term{{Var: s.NewVar(true), Coef: rational.One}}
		rest := sum.Plus(rational.MinusOne, self).Plus(d.Neg(), quotient)
		s.Assert(s.Atom(lia.Atom{Term: rest, Rel: lia.Equal, Const: constant.Neg()}))
	}
}

// equal returns a literal for self = t.
func (e *Encoder) equal(self lia.Term, t term.Term) lia.Lit {
	sum, constant := e.sum(e.Terms.LinearOf(t))
	return e.Solver.Atom(lia.Atom{Term: self.Plus(rational.MinusOne, sum), Rel: lia.Equal, Const: constant})
}

// Value returns the value of a variable in the last model. One that no formula has is false or 0, and so
// is a Boolean variable of which either value will do. Boolean variables may be asked until the next query.
func (e *Encoder) Value(variable term.Term) term.Value {
	if v, ok := e.numbers[variable]; ok {
		return term.Value{Number: e.Solver.Value(v)}
	}
	l, ok := e.lits[variable]
	return term.Value{Truth: ok && e.Solver.Holds(l) == circuit.One}
}

// Formula returns the formula of a literal of a Boolean variable or an inequality; ok is false for other
// literals, and where a variable has no term, such as the quotient that defines a mod.
func (e *Encoder) Formula(l lia.Lit) (t term.Term, ok bool) {
	if t, ok := e.bools[l.Var()]; ok {
		if l.IsNegated() {
			return e.Terms.Not(t), true
		}
		return t, true
	}
	a, ok := e.Solver.AtomOf(l)
	if !ok {
		return term.None, false
	}
	return e.Atom(a)
}

// Atom returns an atom as a formula; ok is false where a variable has no term.
func (e *Encoder) Atom(a lia.Atom) (t term.Term, ok bool) {
	sort, l := term.Int, term.Linear{Const: a.Const.Neg()}
	for _, m := range a.Term {
		number, ok := e.terms[m.Var]
		if !ok {
			return term.None, false
		}
		if e.Terms.SortOf(number) == term.Real {
			sort = term.Real
		}
		l.Terms, l.Coefs = append(l.Terms, number), append(l.Coefs, m.Coef)
	}
	switch a.Rel {
	case lia.LessEqual:
		return e.Terms.Compare(term.OpLe, sort, l), true
	case lia.Less:
		return e.Terms.Compare(term.OpLt, sort, l), true
	case lia.Equal:
		return e.Terms.Compare(term.OpEq, sort, l), true
	}
	return e.Terms.Equal(e.Terms.Mod(e.Terms.Sum(term.Int, l), a.Mod), e.Terms.IntOf(0)), true
}
