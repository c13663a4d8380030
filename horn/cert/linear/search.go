package linear

import (
	"context"
	"errors"
	"math/big"
)

// maxBits bounds the length of coefficients.
const maxBits = 4096

// search looks for values that satisfy rows.
type search struct {
	ctx     context.Context
	integer []bool
	left    int // how many rows may still be derived
	// values has the values of the variables that are no longer in the rows. Those of a
	// row that cancelled out may have any.
	values []*big.Rat
}

// errIncomplete says that an elimination was not exact, which is a fault of this package.
var errIncomplete = errors.New("linear: no value between the bounds of a variable")

// solve decides whether something satisfies the rows. If so, values holds it; else core
// are given constraints that nothing satisfies together.
func (s *search) solve(rows []*row) (found bool, core set, err error) {
	if s.left -= len(rows) + 1; s.left < 0 {
		return false, nil, ErrTooLarge
	}
	if err := s.ctx.Err(); err != nil {
		return false, nil, err
	}
	rows, impossible := s.tidy(rows)
	if tooLong(rows) {
		return false, nil, ErrTooLarge
	}
	switch {
	case impossible != nil:
		return false, impossible, nil
	case len(rows) == 0:
		return true, nil, nil
	}
	if e := s.equation(rows); e != nil {
		return s.substitute(rows, e)
	}
	v, counted := s.choose(rows)
	if counted.upper*counted.lower > s.left {
		return false, nil, ErrTooLarge
	}
	if s.integer[v] {
		return s.eliminateInteger(rows, v, counted.exact())
	}
	found, core, err = s.solve(shadow(rows, v, false))
	if found {
		err = s.between(rows, v)
	}
	return found, core, err
}

// tooLong reports whether some coefficient has more than maxBits bits.
func tooLong(rows []*row) bool {
	for _, r := range rows {
		for _, t := range r.sum {
			if t.coef.BitLen() > maxBits {
				return true
			}
		}
	}
	return false
}

// equation returns an equation to solve for a variable, one with the smallest coefficient;
// nil when there is none.
func (s *search) equation(rows []*row) (best *row) {
	for _, r := range rows {
		if r.rel != Equal {
			continue
		}
		if best == nil || s.smaller(r, best) {
			best = r
		}
	}
	return best
}

// smaller reports whether equation a is easier to solve than b.
func (s *search) smaller(a, b *row) bool {
	_, x := s.pivot(a)
	_, y := s.pivot(b)
	if order := x.CmpAbs(y); order != 0 {
		return order < 0
	}
	return len(a.sum) < len(b.sum)
}

// pivot returns the variable to solve an equation for, with its coefficient: a real one,
// else one with the smallest coefficient.
func (s *search) pivot(e *row) (v int, coef *big.Int) {
	v = -1
	for _, t := range e.sum {
		better := v < 0 || t.coef.CmpAbs(coef) < 0
		if v >= 0 && s.integer[v] != s.integer[t.v] {
			better = s.integer[v]
		}
		if better {
			v, coef = t.v, t.coef
		}
	}
	return v, coef
}

// substitute solves equation e for a variable and eliminates it.
func (s *search) substitute(rows []*row, e *row) (found bool, core set, err error) {
	v, coef := s.pivot(e)
	if s.integer[v] && !isUnit(coef) {
		return s.shear(rows, e, v, coef)
	}
	abs := new(big.Int).Abs(coef)
	var others []*row
	for _, r := range rows {
		if r == e {
			continue
		}
		if c := r.coef(v); c != nil {
			factor := new(big.Int).Neg(c)
			if coef.Sign() < 0 {
				factor = c
			}
			r = add(abs, r, factor, e)
		}
		others = append(others, r)
	}
	found, core, err = s.solve(others)
	if found {
		value := e.rest(v, s.values)
		s.values[v] = value.Quo(value.Neg(value), new(big.Rat).SetInt(coef))
	}
	return found, core, err
}

// shear makes the coefficients of an equation over integers smaller: v becomes
// v − Σ qᵢ·vᵢ, which is an integer exactly when v is, where qᵢ is the quotient of the
// coefficients of vᵢ and v in the equation. What is left of them are the remainders.
func (s *search) shear(rows []*row, e *row, v int, coef *big.Int) (found bool, core set, err error) {
	// by is Σ −qᵢ·vᵢ.
	by := &row{constant: new(big.Rat), rel: Equal}
	for _, t := range e.sum {
		q := new(big.Int).Quo(t.coef, coef)
		if t.v != v && q.Sign() != 0 {
			by.sum = append(by.sum, term{t.v, q.Neg(q)})
		}
	}
	sheared := make([]*row, len(rows))
	for i, r := range rows {
		sheared[i] = r
		if c := r.coef(v); c != nil {
			sheared[i] = add(big.NewInt(1), r, c, by)
		}
	}
	found, core, err = s.solve(sheared)
	if found {
		s.values[v] = new(big.Rat).Add(s.values[v], by.rest(v, s.values))
	}
	return found, core, err
}

// choose returns the variable whose elimination derives the fewest rows: a real one if
// there is one, then an integer one whose elimination is exact.
func (s *search) choose(rows []*row) (v int, counted *countedBounds) {
	bounds := map[int]*countedBounds{}
	for _, r := range rows {
		for _, t := range r.sum {
			if bounds[t.v] == nil {
				bounds[t.v] = &countedBounds{unitUpper: true, unitLower: true}
			}
			bounds[t.v].count(t.coef)
		}
	}
	v = -1
	for u, b := range bounds {
		if v < 0 || s.before(u, b, v, bounds[v]) {
			v = u
		}
	}
	return v, bounds[v]
}

// countedBounds says how many rows bound a variable from above and from below, and whether
// the coefficients there are all 1.
type countedBounds struct {
	upper, lower         int
	unitUpper, unitLower bool
}

func (b *countedBounds) count(coef *big.Int) {
	if coef.Sign() > 0 {
		b.upper++
		b.unitUpper = b.unitUpper && isUnit(coef)
	} else {
		b.lower++
		b.unitLower = b.unitLower && isUnit(coef)
	}
}

// exact reports whether the shadow without an integer variable is exact: each pair of an
// upper and a lower bound has a coefficient 1, or there is no pair.
func (b *countedBounds) exact() bool {
	return b.unitUpper || b.unitLower || b.upper == 0 || b.lower == 0
}

// before reports whether u is eliminated rather than v. It is a total order.
func (s *search) before(u int, b *countedBounds, v int, other *countedBounds) bool {
	if s.integer[u] != s.integer[v] {
		return s.integer[v]
	}
	if s.integer[u] && b.exact() != other.exact() {
		return b.exact()
	}
	more, otherMore := b.upper*b.lower-b.upper-b.lower, other.upper*other.lower-other.upper-other.lower
	if more != otherMore {
		return more < otherMore
	}
	return u < v
}

// shadow returns the rows without variable v: those that do not have it, and each pair of
// an upper a·v ≤ U and a lower bound b·v ≥ L added up: a·L ≤ b·U. In the dark shadow there
// is an integer between them, since a·L + (a−1)(b−1) ≤ b·U.
func shadow(rows []*row, v int, dark bool) (without []*row) {
	var upper, lower []*row
	for _, r := range rows {
		switch c := r.coef(v); {
		case c == nil:
			without = append(without, r)
		case c.Sign() > 0:
			upper = append(upper, r)
		default:
			lower = append(lower, r)
		}
	}
	for _, u := range upper {
		a := u.coef(v)
		for _, l := range lower {
			b := new(big.Int).Neg(l.coef(v))
			pair := addUp(b, u, a, l)
			if dark {
				one := big.NewInt(1)
				distance := new(big.Int).Mul(new(big.Int).Sub(a, one), new(big.Int).Sub(b, one))
				pair.constant.Add(pair.constant, new(big.Rat).SetInt(distance))
			}
			pair.divide()
			without = append(without, pair)
		}
	}
	return without
}

func isUnit(c *big.Int) bool { return c.IsInt64() && (c.Int64() == 1 || c.Int64() == -1) }
