package cert

import (
	"math/big"
	"slices"
	"strings"

	"github.com/go-air/gini/z"

	"aiglens/horn/cert/linear"
)

// bound is a comparison: sum ≤ limit, or sum < limit.
type bound struct {
	lit    z.Lit
	sum    []linear.Monomial
	limit  *big.Rat
	strict bool
}

// number is Σ sum + constant, with ascending variables and without coefficients 0.
type number struct {
	sum      []linear.Monomial
	constant *big.Rat
}

// String tells a number from all others.
func (a number) String() string { return nameOf(a.sum) + "+ " + a.constant.RatString() }

// combine returns Σ cᵢ·numberᵢ + constant.
func combine(coefs []*big.Rat, numbers []number, constant *big.Rat) number {
	total := number{constant: new(big.Rat).Set(constant)}
	coefOf := map[int]*big.Rat{}
	for i, c := range coefs {
		total.constant.Add(total.constant, new(big.Rat).Mul(c, numbers[i].constant))
		for _, m := range numbers[i].sum {
			if coefOf[m.Var] == nil {
				coefOf[m.Var] = new(big.Rat)
			}
			coefOf[m.Var].Add(coefOf[m.Var], new(big.Rat).Mul(c, m.Coef))
		}
	}
	for v, c := range coefOf {
		if c.Sign() != 0 {
			total.sum = append(total.sum, linear.Monomial{Var: v, Coef: c})
		}
	}
	slices.SortFunc(total.sum, func(a, b linear.Monomial) int { return a.Var - b.Var })
	return total
}

// minus returns a − c·b.
func (a number) minus(c *big.Rat, b number) number {
	return combine([]*big.Rat{big.NewRat(1, 1), new(big.Rat).Neg(c)}, []number{a, b}, new(big.Rat))
}

// negated returns −a.
func (a number) negated() number {
	return combine([]*big.Rat{big.NewRat(-1, 1)}, []number{a}, new(big.Rat))
}

// equalsZero returns a literal for x = 0.
func (e *encoding) equalsZero(x number) z.Lit {
	return e.and(e.compare(x, false), e.compare(x.negated(), false))
}

// compare returns a literal for x ≤ 0, or x < 0.
func (e *encoding) compare(x number, strict bool) z.Lit {
	if len(x.sum) == 0 {
		if sign := x.constant.Sign(); sign < 0 || sign == 0 && !strict {
			return e.true
		}
		return e.true.Not()
	}
	// With s = sum / scale: s ≤ −constant / scale, or ≥ for a negative scale. There s ≥ k
	// is ¬(s < k).
	scale := e.scale(x.sum)
	sum := make([]linear.Monomial, len(x.sum))
	for i, m := range x.sum {
		sum[i] = linear.Monomial{Var: m.Var, Coef: new(big.Rat).Quo(m.Coef, scale)}
	}
	limit := new(big.Rat).Quo(x.constant, scale)
	limit.Neg(limit)
	upper := scale.Sign() > 0
	if !upper {
		strict = !strict
	}
	if e.isInteger(sum) { // s < k is s ≤ ⌈k⌉ − 1, and s ≤ k is s ≤ ⌊k⌋
		down := new(big.Rat).SetInt(new(big.Int).Div(limit.Num(), limit.Denom()))
		if strict && down.Cmp(limit) == 0 {
			down.Sub(down, big.NewRat(1, 1))
		}
		limit, strict = down, false
	}
	lit := e.bound(sum, limit, strict)
	if !upper {
		return lit.Not()
	}
	return lit
}

// isInteger reports whether a sum is an integer, whatever the variables are.
func (e *encoding) isInteger(sum []linear.Monomial) bool {
	return !slices.ContainsFunc(sum, func(m linear.Monomial) bool { return !e.integer[m.Var] || !m.Coef.IsInt() })
}

// scale returns what a sum is divided by: then its coefficients are integers without a
// common divisor, and the first is positive.
func (e *encoding) scale(sum []linear.Monomial) *big.Rat {
	num, denom := new(big.Int), big.NewInt(1)
	for _, m := range sum {
		num.GCD(nil, nil, num, new(big.Int).Abs(m.Coef.Num()))
		gcd := new(big.Int).GCD(nil, nil, denom, m.Coef.Denom())
		denom.Mul(denom, new(big.Int).Quo(m.Coef.Denom(), gcd))
	}
	// Each coefficient is an integer multiple of num / denom.
	scale := new(big.Rat).SetFrac(num, denom)
	if sum[0].Coef.Sign() < 0 {
		scale.Neg(scale)
	}
	return scale
}

// bound returns the literal for sum ≤ limit, or sum < limit. A new one implies the next
// greater one of the same sum, and is implied by the next smaller one.
func (e *encoding) bound(sum []linear.Monomial, limit *big.Rat, strict bool) z.Lit {
	name := nameOf(sum)
	all := e.sums[name]
	at, ok := slices.BinarySearchFunc(all, &bound{limit: limit, strict: strict}, compareBounds)
	if ok {
		return all[at].lit
	}
	b := &bound{e.g.Lit(), sum, limit, strict}
	if at > 0 {
		e.clause(all[at-1].lit.Not(), b.lit)
	}
	if at < len(all) {
		e.clause(b.lit.Not(), all[at].lit)
	}
	e.sums[name] = slices.Insert(all, at, b)
	e.bounds[b.lit] = b
	return b.lit
}

// compareBounds orders bounds of one sum: the one that implies the other is first.
func compareBounds(a, b *bound) int {
	switch order := a.limit.Cmp(b.limit); {
	case order != 0 || a.strict == b.strict:
		return order
	case a.strict:
		return -1
	}
	return 1
}

func nameOf(sum []linear.Monomial) string {
	var b strings.Builder
	for _, m := range sum {
		b.WriteString(big.NewInt(int64(m.Var)).Text(36))
		b.WriteByte(' ')
		b.WriteString(m.Coef.RatString())
		b.WriteByte(' ')
	}
	return b.String()
}

// constraint returns what a literal of a bound says.
func (e *encoding) constraint(m z.Lit) linear.Constraint {
	if b := e.bounds[m]; b != nil { // sum − limit ≤ 0
		return linear.Constraint{Sum: b.sum, Constant: new(big.Rat).Neg(b.limit), Rel: relation(b.strict)}
	}
	b := e.bounds[m.Not()] // limit − sum < 0, which is limit + 1 − sum ≤ 0 for integers
	negated := make([]linear.Monomial, len(b.sum))
	for i, m := range b.sum {
		negated[i] = linear.Monomial{Var: m.Var, Coef: new(big.Rat).Neg(m.Coef)}
	}
	if e.isInteger(b.sum) && b.limit.IsInt() && !b.strict {
		return linear.Constraint{Sum: negated, Constant: new(big.Rat).Add(b.limit, big.NewRat(1, 1)), Rel: linear.AtMost}
	}
	return linear.Constraint{Sum: negated, Constant: b.limit, Rel: relation(!b.strict)}
}

func relation(strict bool) linear.Relation {
	if strict {
		return linear.Below
	}
	return linear.AtMost
}
