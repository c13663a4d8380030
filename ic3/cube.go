package ic3

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

// clause returns the negation of c, appended to dst.
func (c cube) clause(dst []circuit.Lit) []circuit.Lit {
	for _, l := range c {
		dst = append(dst, l.Not())
	}
	return dst
}

// without returns c less the literal at position i.
func (c cube) without(i int) cube {
	d := make(cube, 0, len(c)-1)
	return append(append(d, c[:i]...), c[i+1:]...)
}

func (c cube) contains(l circuit.Lit) bool {
	_, found := slices.BinarySearch(c, l)
	return found
}

// signature has a bit for some of a cube's literals: if c ⊆ d then
// c.signature() &^ d.signature() == 0.
func (c cube) signature() uint64 {
	var s uint64
	for _, l := range c {
		s |= 1 << (uint64(l) * 0x9E3779B97F4A7C15 >> 58)
	}
	return s
}

// subsumes reports whether every literal of c is in d: then the clause ¬c
// implies the clause ¬d.
func (c cube) subsumes(d cube) bool {
	if len(c) > len(d) {
		return false
	}
	j := 0
	for _, l := range c {
		for j < len(d) && d[j] < l {
			j++
		}
		if j == len(d) || d[j] != l {
			return false
		}
		j++
	}
	return true
}
