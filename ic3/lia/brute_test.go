package lia_test

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"aiglens/horn/rational"
	"aiglens/ic3/lia"
	"aiglens/ic3/sat"
)

// inequality is coef·x ≤ bound, or < when it is strict.
type inequality struct {
	coef   []*big.Rat
	bound  *big.Rat
	strict bool
}

// plus returns i·k + j·l, for k, l > 0.
func (i inequality) plus(k *big.Rat, j inequality, l *big.Rat) inequality {
	add := func(a, b *big.Rat) *big.Rat {
		return new(big.Rat).Add(new(big.Rat).Mul(k, a), new(big.Rat).Mul(l, b))
	}
	sum := inequality{bound: add(i.bound, j.bound), strict: i.strict || j.strict}
	for v := range i.coef {
		sum.coef = append(sum.coef, add(i.coef[v], j.coef[v]))
	}
	return sum
}

func inequalities(p *problem) []inequality {
	var all []inequality
	for _, a := range p.atoms {
		i := inequality{bound: a.Const.Big(), strict: a.Rel == lia.Less}
		minus := inequality{bound: a.Const.Neg().Big()}
		for v := range p.isInt {
			i.coef = append(i.coef, a.Term.Coef(lia.Var(v)).Big())
			minus.coef = append(minus.coef, a.Term.Coef(lia.Var(v)).Neg().Big())
		}
		all = append(all, i)
		if a.Rel == lia.Equal {
			all = append(all, minus)
		}
	}
	return all
}

// mostInequalities is how many eliminations may lead to.
const mostInequalities = 3000

// satisfiable eliminates all variables (Fourier and Motzkin); known is false when that is too much.
func satisfiable(all []inequality, vars int) (result, known bool) {
	for v := range vars {
		var next, lower, upper []inequality
		for _, i := range all {
			switch i.coef[v].Sign() {
			case 0:
				next = append(next, i)
			case 1:
				upper = append(upper, i)
			default:
				lower = append(lower, i)
			}
		}
		if len(next)+len(lower)*len(upper) > mostInequalities {
			return false, false
		}
		for _, l := range lower {
			for _, u := range upper {
				next = append(next, l.plus(u.coef[v], u, new(big.Rat).Neg(l.coef[v])))
			}
		}
		all = next
	}
	for _, i := range all {
		if s := i.bound.Sign(); s < 0 || s == 0 && i.strict {
			return false, true
		}
	}
	return true, true
}

// TestFourierMotzkin compares answers over the rationals with an elimination of all variables.
func TestFourierMotzkin(t *testing.T) {
	for _, name := range []string{"reals", "large"} {
		s := shapes[name]
		s.vars = 4
		r := rand.New(rand.NewPCG(13, 1))
		compared := 0
		for range count(500) {
			p := s.problem(r)
			want, known := satisfiable(inequalities(p), len(p.isInt))
			if !known {
				continue
			}
			compared++
			if got := decide(t, p).Result; got != sat.Unsat != want {
				t.Fatalf("%v for %v", got, p.atoms)
			}
		}
		if compared == 0 {
			t.Errorf("%s: nothing was compared", name)
		}
	}
}

// TestBoxes compares answers over the integers with all points of a box.
func TestBoxes(t *testing.T) {
	const low, high = -3, 3
	for _, name := range []string{"integers", "congruences"} {
		r := rand.New(rand.NewPCG(14, 1))
		for range count(500) {
			p := shapes[name].problem(r)
			for v := range p.isInt {
				x := lia.NewTerm(lia.Monomial{Var: lia.Var(v), Coef: rational.One})
				p.atoms = append(p.atoms, lia.Atom{Term: x, Const: rational.Int(high)},
					lia.Atom{Term: x.Scale(rational.MinusOne), Const: rational.Int(-low)})
			}
			point := make([]int64, len(p.isInt))
			for v := range point {
				point[v] = low
			}
			want := false
			for more := true; more && !want; more = next(point, low, high) {
				want = p.holds(func(v lia.Var) lia.Rat { return rational.Int(point[v]) })
			}
			got := decide(t, p).Result
			if got == sat.Unsolved || (got == sat.Sat) != want {
				t.Fatalf("%v for %v, want %v", got, p.atoms, want)
			}
		}
	}
}

func (p *problem) holds(value func(lia.Var) lia.Rat) bool {
	for _, a := range p.atoms {
		if !a.Holds(value) {
			return false
		}
	}
	return true
}

// next counts up; it returns false after the last point.
func next(point []int64, low, high int64) bool {
	for v := range point {
		if point[v]++; point[v] <= high {
			return true
		}
		point[v] = low
	}
	return false
}

// TestRefutationsAreRejected changes the premises of refutations. Where they get a solution by that, no
// refutation may pass.
func TestRefutationsAreRejected(t *testing.T) {
	for name, s := range shapes {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(15, 1))
			rejected := 0
			for range count(300) {
				p := s.problem(r)
				answer := decide(t, p)
				if answer.Result != sat.Unsat {
					continue
				}
				for range 5 {
					changed := &problem{append([]lia.Atom{}, p.atoms...), p.isInt}
					changed.change(r, s)
					if decide(t, changed).Result != sat.Sat {
						continue
					}
					if answer.Refutation.Check(changed.atoms, p.sort) == nil {
						t.Fatalf("a refutation of %v passes for %v", p.atoms, changed.atoms)
					}
					rejected++
				}
			}
			if rejected == 0 {
				t.Error("nothing was rejected")
			}
		})
	}
}

// change replaces an atom, or changes its relation or its constant.
func (p *problem) change(r *rand.Rand, s shape) {
	i := r.IntN(len(p.atoms))
	switch a := &p.atoms[i]; r.IntN(3) {
	case 0:
		*a = s.atom(r, p)
	case 1:
		a.Const = a.Const.Add(rational.Int(int64(r.IntN(21) - 10)))
	default:
		if a.Rel != lia.Congruent {
			a.Rel = lia.Rel(r.IntN(3))
		}
	}
}
