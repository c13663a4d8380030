package edit

import (
	"bytes"
	"errors"
	"slices"
)

// cube is a product over the inputs of a cover, a byte of '0', '1' or '-' each.
type cube []byte

// contains reports whether a holds wherever b does.
func (a cube) contains(b cube) bool {
	for i, l := range a {
		if l != '-' && l != b[i] {
			return false
		}
	}
	return true
}

// conflict returns the only input of which a and b need opposite values, or -1
// where there are none or several: their distance is not 1 then.
func (a cube) conflict(b cube) int {
	at := -1
	for i, l := range a {
		if l != '-' && b[i] != '-' && l != b[i] {
			if at >= 0 {
				return -1
			}
			at = i
		}
	}
	return at
}

// contained drops the cubes that another one contains, of equal ones all but the
// first (single-cube containment). A nil cube is one that has been dropped.
func contained(cubes []cube) (dropped bool) {
	for i, a := range cubes {
		for j, b := range cubes {
			if i == j || a == nil || b == nil || !a.contains(b) || i > j && b.contains(a) {
				continue
			}
			cubes[j], dropped = nil, true
		}
	}
	return dropped
}

// minimise rewrites cubes so that their disjunction stays what it is: it drops
// contained cubes, and widens a cube by an input where a cube at distance 1
// holds the other half already. Two cubes that differ in nothing else become
// one. What is dropped is nil. The result depends on the order and need not be
// a smallest cover.
func minimise(cubes []cube) (changed bool) {
	for more := true; more; changed = changed || more {
		more = contained(cubes)
		for i, a := range cubes {
			for j, b := range cubes {
				if i == j || a == nil || b == nil {
					continue
				}
				at := a.conflict(b)
				if at < 0 {
					continue
				}
				old := a[at]
				a[at] = b[at]
				if !b.contains(a) {
					a[at] = old
					continue
				}
				a[at], more = '-', true
			}
		}
	}
	return changed
}

// The bounds of a complement: of its rows, and of the rows on the way to it.
const (
	maxComplement = 256
	maxUnfinished = 5000
)

var errComplement = errors.New("the complement of the cover has more than 256 rows")

// complement returns cubes that hold exactly where none of the given ones does,
// by cofactors with respect to the input that most cubes need (Brayton et al.,
// Logic Minimization Algorithms for VLSI Synthesis, 1984, section 3.4).
func complement(cubes []cube, inputs int) ([]cube, error) {
	work := maxUnfinished
	result, ok := complementWithin(cubes, inputs, &work)
	if !ok {
		return nil, errComplement
	}
	minimise(result)
	result = slices.DeleteFunc(result, func(c cube) bool { return c == nil })
	if len(result) > maxComplement {
		return nil, errComplement
	}
	slices.SortFunc(result, func(a, b cube) int { return -bytes.Compare(a, b) }) // '1' before '0' before '-'
	return result, nil
}

func complementWithin(cubes []cube, inputs int, work *int) (result []cube, ok bool) {
	if len(cubes) == 0 {
		return []cube{bytes.Repeat([]byte{'-'}, inputs)}, true
	}
	if len(cubes) == 1 {
		return complementOf(cubes[0]), true
	}
	split := mostNeeded(cubes, inputs)
	if split < 0 {
		return nil, true // one of them holds everywhere
	}
	var halves [2][]cube
	for value := range halves {
		half, ok := complementWithin(cofactor(cubes, split, byte('0'+value)), inputs, work)
		if *work -= len(half); !ok || *work < 0 {
			return nil, false
		}
		halves[value] = half
	}
	return joined(halves, split), true
}

// complementOf returns a cube for each literal of a cube: its negation.
func complementOf(c cube) []cube {
	var all []cube
	for i, l := range c {
		if l != '-' {
			other := cube(bytes.Repeat([]byte{'-'}, len(c)))
			other[i] = '0' + '1' - l
			all = append(all, other)
		}
	}
	return all
}

// mostNeeded returns the input with most literals, or -1 when some cube has none.
func mostNeeded(cubes []cube, inputs int) int {
	counts := make([]int, inputs)
	for _, c := range cubes {
		literals := 0
		for i, l := range c {
			if l != '-' {
				counts[i]++
				literals++
			}
		}
		if literals == 0 {
			return -1
		}
	}
	best := 0
	for i, n := range counts {
		if n > counts[best] {
			best = i
		}
	}
	return best
}

// cofactor returns the cubes that agree with a value of an input, without it.
func cofactor(cubes []cube, input int, value byte) []cube {
	var all []cube
	for _, c := range cubes {
		if c[input] == '-' {
			all = append(all, c)
		} else if c[input] == value {
			rest := slices.Clone(c)
			rest[input] = '-'
			all = append(all, rest)
		}
	}
	return all
}

// joined puts the complements of two cofactors together. A cube that the other
// one contains holds for both values of the input.
func joined(halves [2][]cube, input int) []cube {
	var all []cube
	for value, half := range halves {
		for _, c := range half {
			c = slices.Clone(c)
			if !slices.ContainsFunc(halves[1-value], func(o cube) bool { return o.contains(c) }) {
				c[input] = byte('0' + value)
			}
			all = append(all, c)
		}
	}
	contained(all)
	return slices.DeleteFunc(all, func(c cube) bool { return c == nil })
}
