package lia

import (
	"slices"

	"aiglens/horn/rational"
)

// Project eliminates variables from a cube, which is a conjunction of atoms that a model satisfies. The
// result is a cube without vars that is true in the model and implies ∃ vars: cube. A cube
// has finitely many results over all models (Komuravelli, Gurfinkel and Chaki 2014).
//
// Rationals are eliminated by virtual substitution (Loos and Weispfenning 1993), integers by the
// method of Cooper (1972), which introduces congruences. There is one exception: an integer that an atom relates
// to a rational that stays gets its value in the model, so that the results may be infinitely many.
func Project(cube []Atom, vars []Var, isInt Sorts, value func(Var) Rat) []Atom {
	for _, wantInt := range [...]bool{false, true} {
		for _, x := range vars {
			if isInt(x) != wantInt {
				continue
			}
			cube = simplify(cube, isInt)
			if wantInt {
				cube = projectInt(cube, x, isInt, value)
			} else {
				cube = projectReal(cube, x, value)
			}
		}
	}
	return simplify(cube, isInt)
}

// simplify normalizes atoms and drops those that are always true or repeated.
func simplify(cube []Atom, isInt Sorts) []Atom {
	var kept []Atom
	for _, a := range cube {
		a = a.Normalize(isInt)
		if len(a.Term) == 0 && a.relates(Rat{}) || slices.ContainsFunc(kept, a.equal) {
			continue
		}
		kept = append(kept, a)
	}
	return kept
}

func (a Atom) equal(b Atom) bool {
	return a.Rel == b.Rel && a.Const.Equal(b.Const) && a.Mod.Equal(b.Mod) && a.Term.Equal(b.Term)
}

// affine is a term and a constant.
type affine struct {
	term     Term
	constant Rat
}

func (t affine) eval(value func(Var) Rat) Rat { return t.term.Eval(value).Add(t.constant) }

func (t affine) scale(k Rat) affine { return affine{t.term.Scale(k), t.constant.Mul(k)} }

// solved is an atom about x, solved for k·x with some k > 0: k·x ≤, <, =, ≡ or, when it is lower,
// ≥ or > bound.
type solved struct {
	rel   Rel
	lower bool
	bound affine
	mod   Rat
}

// solve solves an atom for k·x, when it is about x.
func (a Atom) solve(x Var, k Rat) (s solved, ok bool) {
	c := a.Term.Coef(x)
	if c.IsZero() {
		return solved{}, false
	}
	factor := k.Div(c)
	rest := affine{a.Term.Without(x).Scale(rational.MinusOne), a.Const}
	return solved{a.Rel, c.Sign() < 0 && a.Rel <= Less, rest.scale(factor), a.Mod.Mul(factor.Abs())}, true
}

// at returns the atom with k·x replaced; above says that x is a little more than that.
func (s solved) at(point affine, above bool) Atom {
	a := Atom{Term: point.term.Plus(rational.MinusOne, s.bound.term), Rel: s.rel, Const: s.bound.constant.Sub(point.constant), Mod: s.mod}
	if s.lower {
		a.Term, a.Const = a.Term.Scale(rational.MinusOne), a.Const.Neg()
	}
	if above && s.lower {
		a.Rel = LessEqual
	} else if above {
		a.Rel = Less
	}
	return a
}

// split returns the atoms about x, solved for k·x, and the others.
func split(cube []Atom, x Var, k Rat) (about []solved, others []Atom) {
	for _, a := range cube {
		if s, ok := a.solve(x, k); ok {
			about = append(about, s)
		} else {
			others = append(others, a)
		}
	}
	return about, others
}

// choose returns the atom whose bound x shall have: an equality or else the greatest lower bound in the
// model, of equal ones a strict one. ok is false when x is not bounded from both sides.
func choose(about []solved, value func(Var) Rat) (best int, ok bool) {
	best, hasUpper := -1, false
	var greatest Rat
	for i, s := range about {
		switch {
		case s.rel == Equal:
			return i, true
		case s.rel.isModular():
			continue
		case !s.lower:
			hasUpper = true
			continue
		}
		v := s.bound.eval(value)
		c := 1
		if best >= 0 {
			c = v.Cmp(greatest)
		}
		if c > 0 || c == 0 && s.rel == Less {
			best, greatest = i, v
		}
	}
	return best, best >= 0 && hasUpper
}

// projectReal eliminates a rational.
func projectReal(cube []Atom, x Var, value func(Var) Rat) []Atom {
	about, cube := split(cube, x, rational.One)
	best, ok := choose(about, value)
	if !ok {
		return cube
	}
	for i, s := range about {
		if i != best {
			cube = append(cube, s.at(about[best].bound, about[best].rel == Less))
		}
	}
	return cube
}

// projectInt eliminates an integer from normal atoms.
func projectInt(cube []Atom, x Var, isInt Sorts, value func(Var) Rat) []Atom {
	k := rational.One
	for _, a := range cube {
		c := a.Term.Coef(x)
		if c.IsZero() {
			continue
		}
		if !a.Term.allInt(isInt) {
			return substituteValue(cube, x, value(x))
		}
		k = rational.LCM(k, c)
	}
	about, cube := split(cube, x, k)
	period := k
	for _, s := range about {
		if s.rel.isModular() {
			period = rational.LCM(period, s.mod)
		}
	}
	point := affine{}
	best, ok := choose(about, value)
	if ok {
		point = about[best].bound
	}
	if !ok || about[best].rel != Equal {
		distance := k.Mul(value(x)).Sub(point.eval(value))
		point.constant = point.constant.Add(modulo(distance, period))
	}
	for i, s := range about {
		// Without bounds on one side x is as far on that side as need be.
		if i != best && (ok || s.rel.isModular()) {
			cube = append(cube, s.at(point, false))
		}
	}
	if k.IsOne() {
		return cube
	}
	return append(cube, Atom{Term: point.term, Rel: Congruent, Const: point.constant.Neg(), Mod: k})
}

func substituteValue(cube []Atom, x Var, value Rat) []Atom {
	var result []Atom
	for _, a := range cube {
		a.Const = a.Const.Sub(a.Term.Coef(x).Mul(value))
		a.Term = a.Term.Without(x)
		result = append(result, a)
	}
	return result
}
