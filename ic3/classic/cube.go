package classic

import (
	"slices"

	"aiglens/circuit"
)

// cube is a conjunction of latch literals, sorted, without repetition. Its
// negation is a clause. A cube is never changed once made.
type cube []circuit.Lit

func newCube(lits []circuit.Lit) cube {
	c := cube(slices.Clone(lits))
	slices.Sort(c)
	return c
}

// clause returns the negation of c; it is not nil.
func (c cube) clause() []circuit.Lit {
	d := make([]circuit.Lit, len(c))
	for i, l := range c {
		d[i] = l.Not()
	}
	return d
}

// without returns c less one literal.
func (c cube) without(l circuit.Lit) cube { return c.only(func(m circuit.Lit) bool { return m != l }) }

// only returns the literals of c that keep holds for.
func (c cube) only(keep func(circuit.Lit) bool) cube {
	d := make(cube, 0, len(c))
	for _, l := range c {
		if keep(l) {
			d = append(d, l)
		}
	}
	return d
}

func (c cube) contains(l circuit.Lit) bool {
	_, found := slices.BinarySearch(c, l)
	return found
}

// union returns the cube of the literals of both, which must not contradict
// each other.
func (c cube) union(d cube) cube {
	return slices.Compact(newCube(append(slices.Clone(c), d...)))
}

// subsumes reports whether every literal of c is in d: then the clause ¬c
// implies the clause ¬d.
func (c cube) subsumes(d cube) bool {
	if len(c) > len(d) {
		return false
	}
	for _, l := range c {
		if !d.contains(l) {
			return false
		}
	}
	return true
}
