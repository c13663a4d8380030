package lia

import "aiglens/horn/rational"

// delta is real + inf·ε for an infinitesimal ε > 0: x < c is x ≤ c − ε (Dutertre and de Moura 2006).
type delta struct{ real, inf Rat }

func (a delta) cmp(b delta) int {
	if c := a.real.Cmp(b.real); c != 0 {
		return c
	}
	return a.inf.Cmp(b.inf)
}

func (a delta) add(b delta) delta { return delta{a.real.Add(b.real), a.inf.Add(b.inf)} }
func (a delta) sub(b delta) delta { return delta{a.real.Sub(b.real), a.inf.Sub(b.inf)} }

func (a delta) scale(k Rat) delta {
	if a.inf.IsZero() {
		return delta{real: a.real.Mul(k)}
	}
	return delta{a.real.Mul(k), a.inf.Mul(k)}
}

func (a delta) isInt() bool { return a.inf.IsZero() && a.real.IsInt() }

// floor returns the greatest integer ≤ a.
func (a delta) floor() Rat {
	f := a.real.Floor()
	if a.inf.Sign() < 0 && f.Equal(a.real) {
		return f.Sub(rational.One)
	}
	return f
}

// at returns the number for a value of ε.
func (a delta) at(epsilon Rat) Rat { return a.real.Add(a.inf.Mul(epsilon)) }
