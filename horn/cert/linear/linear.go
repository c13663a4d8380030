// Package linear decides conjunctions of linear constraints over reals and integers,
// exactly, for the checker of Horn clauses.
//
// Equations are solved for one of their variables, after a change of variables where
// none has the coefficient 1 (Euclid's algorithm on the coefficients). Reals are
// eliminated by Fourier and Motzkin, then integers by the Omega test (Pugh, CACM 1992):
// the shadow where it is exact, else the dark shadow and the splinters. So it is complete
// for both, and for constraints that mix them; but it grows fast, and gives up at a limit.
//
// Values that satisfy a conjunction are tested before they are returned. That there are
// none is what a verdict rests on; every step that leads there only adds up constraints,
// rounds what is integer, or splits a case into all that there are.
//
// It knows nothing about formulas, and has no line in common with an engine.
package linear

import (
	"context"
	"errors"
	"fmt"
	"math/big"
)

// Relation relates a sum to 0.
type Relation uint8

// The relations.
const (
	AtMost Relation = iota // ≤ 0
	Below                  // < 0
	Equal                  // = 0
)

func (r Relation) String() string { return [...]string{"≤", "<", "="}[r] }

// Monomial is a coefficient and the variable that it multiplies.
type Monomial struct {
	Var  int
	Coef *big.Rat
}

// Constraint says that the sum of monomials, plus a constant, stands in a relation to 0. A
// variable may occur more than once.
type Constraint struct {
	Sum      []Monomial
	Constant *big.Rat
	Rel      Relation
}

// Holds reports whether values satisfy the constraint.
func (c Constraint) Holds(values []*big.Rat) bool {
	sum := new(big.Rat).Set(c.Constant)
	for _, m := range c.Sum {
		sum.Add(sum, new(big.Rat).Mul(m.Coef, values[m.Var]))
	}
	return c.Rel.holds(sum)
}

// holds reports whether a number stands in the relation to 0.
func (r Relation) holds(sum *big.Rat) bool {
	switch sign := sum.Sign(); r {
	case AtMost:
		return sign <= 0
	case Below:
		return sign < 0
	default:
		return sign == 0
	}
}

// Answer is what Solve found out.
type Answer struct {
	// Values satisfies the constraints, with one value a variable; nil when nothing does.
	Values []*big.Rat
	// Core are the positions, in ascending order, of constraints that nothing satisfies
	// together. It is not always a smallest one.
	Core []int
}

// ErrTooLarge is returned for constraints that need more steps than the limit, or numbers
// that are too long.
var ErrTooLarge = errors.New("too large to check")

// Solve decides whether something satisfies all constraints. The variables are 0 to
// len(integer)−1, and integer says which have integer values. The limit is the number of
// constraints that it derives at most. The error is ErrTooLarge, or that of ctx.
func Solve(ctx context.Context, integer []bool, constraints []Constraint, limit int) (Answer, error) {
	s := &search{ctx: ctx, integer: integer, left: limit, values: make([]*big.Rat, len(integer))}
	for v := range s.values {
		s.values[v] = new(big.Rat)
	}
	rows := make([]*row, len(constraints))
	for i, c := range constraints {
		rows[i] = newRow(c, newSet(len(constraints), i))
	}
	found, core, err := s.solve(rows)
	switch {
	case err != nil:
		return Answer{}, err
	case !found:
		return Answer{Core: core.members()}, nil
	}
	for v, value := range s.values {
		if integer[v] && !value.IsInt() {
			return Answer{}, fmt.Errorf("linear: the integer variable %d has the value %s", v, value)
		}
	}
	for i, c := range constraints {
		if !c.Holds(s.values) {
			return Answer{}, fmt.Errorf("linear: the values found do not satisfy constraint %d", i)
		}
	}
	return Answer{Values: s.values}, nil
}

// Refutes reports whether the constraints, each multiplied by its factor, add up to a
// contradiction: all variables cancel out, and what is left is false (Farkas). Only
// equations may have negative factors.
func Refutes(constraints []Constraint, factors []*big.Rat) bool {
	if len(factors) != len(constraints) {
		return false
	}
	sums, constant, rel := map[int]*big.Rat{}, new(big.Rat), Equal
	for i, c := range constraints {
		f := factors[i]
		switch {
		case f.Sign() == 0:
			continue
		case c.Rel == Equal:
		case f.Sign() < 0:
			return false
		case c.Rel == Below || rel == Equal:
			rel = c.Rel
		}
		constant.Add(constant, new(big.Rat).Mul(f, c.Constant))
		for _, m := range c.Sum {
			if sums[m.Var] == nil {
				sums[m.Var] = new(big.Rat)
			}
			sums[m.Var].Add(sums[m.Var], new(big.Rat).Mul(f, m.Coef))
		}
	}
	for _, sum := range sums {
		if sum.Sign() != 0 {
			return false
		}
	}
	return !rel.holds(constant)
}
