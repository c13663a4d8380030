package term

import (
	"slices"
	"strconv"

	"aiglens/horn/rational"
)

func itoa(n int) string { return strconv.Itoa(n) }

// NumberOf returns a number: of sort Real, or of sort Int if it is an integer.
func (p *Pool) NumberOf(r Rat, sort Sort) Term {
	if sort == Int && !r.IsInt() {
		panic("a fraction of sort Int")
	}
	return p.make(node{op: OpSum, sort: sort, number: r})
}

// IntOf returns an integer of sort Int.
func (p *Pool) IntOf(n int64) Term { return p.NumberOf(rational.Int(n), Int) }

// Sum returns the number that a linear sum stands for, whose terms can be sums themselves and stand in any order.
// Terms of sort Int are made Real where the sort is.
func (p *Pool) Sum(sort Sort, l Linear) Term {
	l = flat(p, sort, l)
	if l.Const.IsZero() && len(l.Terms) == 1 && l.Coefs[0].IsOne() {
		return l.Terms[0]
	}
	return p.make(node{op: OpSum, sort: sort, args: l.Terms, coefs: l.Coefs, number: l.Const})
}

// flat returns a sum as Linear describes it.
func flat(p *Pool, sort Sort, l Linear) Linear {
	var f Linear
	f.Const = l.Const
	f.Terms, f.Coefs = make([]Term, 0, len(l.Terms)), make([]Rat, 0, len(l.Terms))
	for i, t := range l.Terms {
		if sort == Real && p.nodes[t].sort == Int {
			t = p.ToReal(t)
		}
		inner, c := p.LinearOf(t), l.Coefs[i]
		f.Const = f.Const.Add(inner.Const.Mul(c))
		for k, u := range inner.Terms {
			f.Terms, f.Coefs = append(f.Terms, u), append(f.Coefs, inner.Coefs[k].Mul(c))
		}
	}
	f.sort()
	return f
}

// sort puts the terms into order, adds up those that are the same, and drops those with coefficient 0.
func (l *Linear) sort() {
	if !slices.IsSorted(l.Terms) {
		order := make([]int, len(l.Terms))
		for i := range order {
			order[i] = i
		}
		slices.SortFunc(order, func(a, b int) int { return int(l.Terms[a]) - int(l.Terms[b]) })
		terms, coefs := make([]Term, len(order)), make([]Rat, len(order))
		for i, k := range order {
			terms[i], coefs[i] = l.Terms[k], l.Coefs[k]
		}
		l.Terms, l.Coefs = terms, coefs
	}
	n := 0
	for i := 0; i < len(l.Terms); {
		t, c := l.Terms[i], l.Coefs[i]
		for i++; i < len(l.Terms) && l.Terms[i] == t; i++ {
			c = c.Add(l.Coefs[i])
		}
		if !c.IsZero() {
			l.Terms[n], l.Coefs[n] = t, c
			n++
		}
	}
	l.Terms, l.Coefs = l.Terms[:n], l.Coefs[:n]
}

// common returns Real if one of the terms is.
func common(p *Pool, args ...Term) Sort {
	for _, a := range args {
		if p.nodes[a].sort == Real {
			return Real
		}
	}
	return Int
}

// Add returns the sum of numbers, which is Real if one of them is.
func (p *Pool) Add(args ...Term) Term {
	ones := make([]Rat, len(args))
	for i := range ones {
		ones[i] = rational.One
	}
	return p.Sum(common(p, args...), Linear{Terms: args, Coefs: ones})
}

// Sub returns a - b.
func (p *Pool) Sub(a, b Term) Term {
	return p.Sum(common(p, a, b), Linear{Terms: []Term{a, b}, Coefs: []Rat{rational.One, rational.MinusOne}})
}

// Scale returns r·a, of the sort of a; r is an integer if that is Int.
func (p *Pool) Scale(r Rat, a Term) Term {
	return p.Sum(p.nodes[a].sort, Linear{Terms: []Term{a}, Coefs: []Rat{r}})
}

// Neg returns -a.
func (p *Pool) Neg(a Term) Term { return p.Scale(rational.MinusOne, a) }

// ToReal returns an Int as a Real.
func (p *Pool) ToReal(a Term) Term {
	n := &p.nodes[a]
	switch {
	case n.sort == Real:
		return a
	case n.op != OpSum:
		return p.make(node{op: OpToReal, sort: Real, args: []Term{a}})
	}
	l := p.LinearOf(a)
	terms := make([]Term, len(l.Terms))
	for i, t := range l.Terms {
		terms[i] = p.ToReal(t)
	}
	return p.Sum(Real, Linear{terms, slices.Clone(l.Coefs), l.Const})
}

// Div returns the quotient of an Int by an integer that is not 0, as SMT-LIB defines it: the remainder is never
// negative.
func (p *Pool) Div(a Term, d Rat) Term {
	if d.Sign() < 0 {
		return p.Neg(p.Div(a, d.Neg()))
	}
	if d.IsOne() {
		return a
	}
	if r, ok := p.Number(a); ok {
		return p.NumberOf(r.Div(d).Floor(), Int)
	}
	return p.make(node{op: OpDiv, sort: Int, args: []Term{a}, number: d})
}

// Mod returns the remainder of an Int by an integer that is not 0, as SMT-LIB defines it: at least 0 and below |d|.
func (p *Pool) Mod(a Term, d Rat) Term {
	d = d.Abs()
	if d.IsOne() {
		return p.IntOf(0)
	}
	if r, ok := p.Number(a); ok {
		return p.NumberOf(r.Sub(r.Div(d).Floor().Mul(d)), Int)
	}
	return p.make(node{op: OpMod, sort: Int, args: []Term{a}, number: d})
}

// Le returns a ≤ b.
func (p *Pool) Le(a, b Term) Term { return difference(p, OpLe, a, b) }

// Lt returns a < b.
func (p *Pool) Lt(a, b Term) Term { return difference(p, OpLt, a, b) }

// difference returns how a - b compares with 0.
func difference(p *Pool, op Op, a, b Term) Term {
	sort := common(p, a, b)
	return p.Compare(op, sort, Linear{Terms: []Term{a, b}, Coefs: []Rat{rational.One, rational.MinusOne}})
}

// Compare returns the comparison of a sum with 0: OpLe, OpLt or OpEq. The sum is as that of Sum.
func (p *Pool) Compare(op Op, sort Sort, l Linear) Term {
	l = flat(p, sort, l)
	if len(l.Terms) == 0 {
		s := l.Const.Sign()
		return Truth(s == 0 && op != OpLt || s < 0 && op != OpEq)
	}
	if sort == Real {
		if inner, ok := integers(p, l); ok {
			sort, l = Int, inner
		}
	}
	// Integers without a common divisor, the first of them positive. flip says that l is the negation of the sum.
	g, m := rational.Zero, rational.One
	for _, c := range l.Coefs {
		g, m = rational.GCD(g, c.Num()), rational.LCM(m, c.Den())
	}
	scale := m.Div(g)
	flip := l.Coefs[0].Sign() < 0
	if flip {
		scale = scale.Neg()
	}
	for i := range l.Coefs {
		l.Coefs[i] = l.Coefs[i].Mul(scale)
	}
	l.Const = l.Const.Mul(scale)
	switch {
	case op == OpEq:
		if sort == Int && !l.Const.IsInt() {
			return False
		}
		return atom(p, OpEq, l)
	case sort == Real && !flip:
		return atom(p, op, l)
	case sort == Real: // s ≤ 0 is ¬(-s < 0)
		return p.Not(atom(p, OpLe+OpLt-op, l))
	case !flip && op == OpLe: // Σ + c ≤ 0 is Σ + ⌈c⌉ ≤ 0
		l.Const = l.Const.Ceil()
		return atom(p, OpLe, l)
	case !flip: // Σ + c < 0 is Σ + ⌊c⌋ + 1 ≤ 0
		l.Const = l.Const.Floor().Add(rational.One)
		return atom(p, OpLe, l)
	case op == OpLe: // -Σ - c ≤ 0 is Σ ≥ ⌈-c⌉, which is ¬(Σ + ⌊c⌋ + 1 ≤ 0)
		l.Const = l.Const.Floor().Add(rational.One)
		return p.Not(atom(p, OpLe, l))
	}
	l.Const = l.Const.Ceil() // -Σ - c < 0 is Σ > -c, which is ¬(Σ + ⌈c⌉ ≤ 0)
	return p.Not(atom(p, OpLe, l))
}

func atom(p *Pool, op Op, l Linear) Term {
	return p.make(node{op: op, sort: Bool, args: l.Terms, coefs: l.Coefs, number: l.Const})
}

// integers returns a sum of reals that are all integers as one over these.
func integers(p *Pool, l Linear) (Linear, bool) {
	inner := Linear{make([]Term, len(l.Terms)), l.Coefs, l.Const}
	for i, t := range l.Terms {
		if p.nodes[t].op != OpToReal {
			return Linear{}, false
		}
		inner.Terms[i] = p.nodes[t].args[0]
	}
	inner.sort()
	return inner, true
}
