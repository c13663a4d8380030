package lia

import (
	"slices"
	"strconv"
	"strings"

	"aiglens/horn/rational"
)

// Rat is an exact rational number.
type Rat = rational.Rat

// Var is a variable of linear arithmetic.
type Var int32

// Monomial is Coef·Var.
type Monomial struct {
	Var  Var
	Coef Rat
}

// Term is a sum of monomials: ordered by variable, each once, with no coefficient 0.
type Term []Monomial

// NewTerm adds up monomials in any order.
func NewTerm(ms ...Monomial) Term {
	t := slices.Clone(Term(ms))
	slices.SortStableFunc(t, func(a, b Monomial) int { return int(a.Var) - int(b.Var) })
	kept := t[:0]
	for _, m := range t {
		if n := len(kept); n > 0 && kept[n-1].Var == m.Var {
			kept[n-1].Coef = kept[n-1].Coef.Add(m.Coef)
		} else {
			kept = append(kept, m)
		}
	}
	return slices.DeleteFunc(kept, func(m Monomial) bool { return m.Coef.IsZero() })
}

// Coef returns the coefficient of a variable.
func (t Term) Coef(v Var) Rat {
	if i, ok := slices.BinarySearchFunc(t, v, func(m Monomial, v Var) int { return int(m.Var) - int(v) }); ok {
		return t[i].Coef
	}
	return Rat{}
}

// Plus returns t + k·u.
func (t Term) Plus(k Rat, u Term) Term { return addScaled(make(Term, 0, len(t)+len(u)), t, k, u) }

// addScaled appends t + k·u to an empty slice that shares nothing with them.
func addScaled(to, t Term, k Rat, u Term) Term {
	for len(t) > 0 && len(u) > 0 {
		switch {
		case t[0].Var < u[0].Var:
			to, t = append(to, t[0]), t[1:]
		case t[0].Var > u[0].Var:
			to, u = append(to, Monomial{u[0].Var, k.Mul(u[0].Coef)}), u[1:]
		default:
			if c := t[0].Coef.Add(k.Mul(u[0].Coef)); !c.IsZero() {
				to = append(to, Monomial{t[0].Var, c})
			}
			t, u = t[1:], u[1:]
		}
	}
	to = append(to, t...)
	for _, m := range u {
		to = append(to, Monomial{m.Var, k.Mul(m.Coef)})
	}
	return to
}

// Scale returns k·t, k ≠ 0.
func (t Term) Scale(k Rat) Term {
	scaled := slices.Clone(t)
	for i := range scaled {
		scaled[i].Coef = scaled[i].Coef.Mul(k)
	}
	return scaled
}

// Without returns t without the monomial of v.
func (t Term) Without(v Var) Term {
	return slices.DeleteFunc(slices.Clone(t), func(m Monomial) bool { return m.Var == v })
}

// Eval returns the value of t.
func (t Term) Eval(value func(Var) Rat) Rat {
	sum := Rat{}
	for _, m := range t {
		sum = sum.Add(m.Coef.Mul(value(m.Var)))
	}
	return sum
}

// Equal reports whether two terms are the same.
func (t Term) Equal(u Term) bool {
	return slices.EqualFunc(t, u, func(a, b Monomial) bool { return a.Var == b.Var && a.Coef.Equal(b.Coef) })
}

// String prints t as 2·x0 - x3.
func (t Term) String() string {
	if len(t) == 0 {
		return "0"
	}
	var b strings.Builder
	for i, m := range t {
		c := m.Coef
		switch {
		case i > 0 && c.Sign() < 0:
			b.WriteString(" - ")
			c = c.Neg()
		case i > 0:
			b.WriteString(" + ")
		}
		if !c.Equal(rational.One) {
			b.WriteString(c.String() + "·")
		}
		b.WriteString("x" + strconv.Itoa(int(m.Var)))
	}
	return b.String()
}

// key returns a text that only equal terms share.
func (t Term) key() string {
	var b []byte
	for _, m := range t {
		b = strconv.AppendInt(b, int64(m.Var), 10)
		b = append(b, '*')
		b = append(append(b, m.Coef.String()...), ' ')
	}
	return string(b)
}

// Rel is how an atom relates its term to its constant.
type Rel uint8

// The relations. Congruent means that (Term − Const)/Mod is an integer, Incongruent that it is none. Only Project
// takes the latter.
const (
	LessEqual Rel = iota
	Less
	Equal
	Congruent
	Incongruent
)

// isModular reports whether a relation is about remainders.
func (r Rel) isModular() bool { return r >= Congruent }

// Atom is Term Rel Const. One about remainders has integer variables and coefficients, an integer Const
// and Mod > 0.
type Atom struct {
	Term  Term
	Rel   Rel
	Const Rat
	Mod   Rat // of an atom about remainders, else 0
}

// Holds reports whether an atom is true under values.
func (a Atom) Holds(value func(Var) Rat) bool { return a.relates(a.Term.Eval(value)) }

func (a Atom) relates(left Rat) bool {
	switch a.Rel {
	case LessEqual:
		return left.Cmp(a.Const) <= 0
	case Less:
		return left.Cmp(a.Const) < 0
	case Equal:
		return left.Equal(a.Const)
	}
	return left.Sub(a.Const).Div(a.Mod).IsInt() == (a.Rel == Congruent)
}

// Not returns the complement of an inequality.
func (a Atom) Not() Atom {
	switch a.Rel {
	case LessEqual:
		return Atom{Term: a.Term.Scale(rational.MinusOne), Rel: Less, Const: a.Const.Neg()}
	case Less:
		return Atom{Term: a.Term.Scale(rational.MinusOne), Rel: LessEqual, Const: a.Const.Neg()}
	}
	panic("lia: only an inequality has an atom as complement")
}

func (a Atom) String() string {
	s := a.Term.String() + [...]string{" ≤ ", " < ", " = ", " ≡ ", " ≢ "}[a.Rel] + a.Const.String()
	if a.Rel.isModular() {
		s += " mod " + a.Mod.String()
	}
	return s
}

// Sorts reports whether a variable ranges over the integers; otherwise it ranges over the rationals.
type Sorts func(Var) bool

// allInt reports whether all variables of a term are integers.
func (t Term) allInt(isInt Sorts) bool {
	return !slices.ContainsFunc(t, func(m Monomial) bool { return !isInt(m.Var) })
}

// content returns the k > 0 for which t/k has coprime integer coefficients; t is not empty.
func (t Term) content() Rat {
	num, den := Rat{}, rational.One
	for _, m := range t {
		num, den = rational.GCD(num, m.Coef.Num()), rational.LCM(den, m.Coef.Den())
	}
	return num.Div(den)
}

// Normalize returns an atom with the same solutions: coprime integer coefficients, and over integers
// the tightest integer constant, with no strict inequality. An atom without solutions may become
// 0 < 0.
func (a Atom) Normalize(isInt Sorts) Atom {
	if len(a.Term) == 0 {
		return constantAtom(a.relates(Rat{}))
	}
	k := a.Term.content()
	if a.Rel.isModular() {
		return a.reduceModular(k)
	}
	if a.Rel == Equal && a.Term[0].Coef.Sign() < 0 {
		k = k.Neg()
	}
	k = k.Inv()
	n := Atom{Term: a.Term.Scale(k), Rel: a.Rel, Const: a.Const.Mul(k)}
	if !n.Term.allInt(isInt) {
		return n
	}
	switch n.Rel {
	case LessEqual:
		n.Const = n.Const.Floor()
	case Less:
		n.Rel, n.Const = LessEqual, n.Const.Ceil().Sub(rational.One)
	case Equal:
		if !n.Const.IsInt() {
			return constantAtom(false)
		}
	}
	return n
}

// constantAtom is 0 ≤ 0 or 0 < 0.
func constantAtom(holds bool) Atom {
	if holds {
		return Atom{Rel: LessEqual}
	}
	return Atom{Rel: Less}
}

// reduceModular divides by what content, Const and Mod share, and takes coefficients modulo Mod. What is not even is
// odd.
func (a Atom) reduceModular(content Rat) Atom {
	g := rational.GCD(content, a.Mod)
	if !a.Const.Div(g).IsInt() {
		return constantAtom(a.Rel == Incongruent)
	}
	n := Atom{Rel: a.Rel, Mod: a.Mod.Div(g)}
	if n.Rel == Incongruent && n.Mod.Equal(rational.Int(2)) {
		n.Rel, a.Const = Congruent, a.Const.Add(g)
	}
	n.Const = modulo(a.Const.Div(g), n.Mod)
	for _, m := range a.Term {
		if c := modulo(m.Coef.Div(g), n.Mod); !c.IsZero() {
			n.Term = append(n.Term, Monomial{m.Var, c})
		}
	}
	if len(n.Term) == 0 {
		return constantAtom(n.Const.IsZero() == (n.Rel == Congruent))
	}
	return n
}

// modulo returns a − m·⌊a/m⌋, which is in [0, m) for m > 0.
func modulo(a, m Rat) Rat { return a.Sub(m.Mul(a.Div(m).Floor())) }
