package btor2

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"aiglens/btor2/bits"
	"aiglens/btor2/syntax"
	"aiglens/circuit"
)

// An array as bits is a list of its elements. Reading is a tree of multiplexers, writing a decoder with a multiplexer for
// each element.

// readArray returns the element at an index.
func readArray(b *circuit.Builder, array, index []circuit.Lit, width int) []circuit.Lit {
	for _, l := range index {
		half := make([]circuit.Lit, 0, len(array)/2)
		for at := 0; at < len(array); at += 2 * width {
			half = append(half, bits.Ite(b, l, array[at+width:at+2*width], array[at:at+width])...)
		}
		array = half
	}
	return array
}

// writeArray returns the array with a value at an index. The element that is read at the same index can be nil. A value
// that keeps bits of it, as Yosys writes a memory with a mask, keeps those of each element.
func writeArray(b *circuit.Builder, array, index, value, read []circuit.Lit) []circuit.Lit {
	written := make([]circuit.Lit, 0, len(array))
	for _, at := range decode(b, index) {
		element := array[len(written) : len(written)+len(value)]
		if read == nil {
			element = bits.Ite(b, at, value, element)
		} else {
			element = bits.IteKnown(b, at, value, element, read)
		}
		written = append(written, element...)
	}
	return written
}

// decode returns, for each number, whether an index is that number.
func decode(b *circuit.Builder, index []circuit.Lit) []circuit.Lit {
	lines := bit(circuit.True)
	for _, l := range index {
		low := lines
		lines = make([]circuit.Lit, 0, 2*len(low))
		for _, on := range []circuit.Lit{l.Not(), l} {
			for _, line := range low {
				lines = append(lines, b.And(line, on))
			}
		}
	}
	return lines
}

// gatesForArrays returns, by sort, how many gates all arrays may take where those of the sort become bits: those that need fewest
// come first.
func gatesForArrays(m *syntax.Model) map[syntax.Sort]int {
	costs := map[syntax.Sort]int{}
	for i := range m.Nodes {
		if n := &m.Nodes[i]; n.Sound {
			if s := arrayOf(m, n); s.IsArray() {
				costs[s] = min(costs[s]+arrayCost(m, n, s), math.MaxInt/2)
			}
		}
	}
	sorts := slices.SortedFunc(maps.Keys(costs), func(a, b syntax.Sort) int {
		return cmp.Or(costs[a]-costs[b], a.Width-b.Width, a.IndexWidth-b.IndexWidth)
	})
	all := 0
	for _, s := range sorts {
		all = min(all+costs[s], math.MaxInt/2)
		costs[s] = all
	}
	return costs
}

// arrayOf returns the sort of the array that a node is or looks at; that of another node is no array.
func arrayOf(m *syntax.Model, n *syntax.Node) syntax.Sort {
	if n.Sort.IsArray() || len(n.Args) == 0 || n.Args[0] == syntax.NoRef {
		return n.Sort
	}
	return m.Nodes[n.Args[0].Node()].Sort
}

// arrayCost returns a bound on the gates of a node with arrays of some sort.
func arrayCost(m *syntax.Model, n *syntax.Node, s syntax.Sort) int {
	if s.IndexWidth > 40 || s.Width > math.MaxInt32 {
		return math.MaxInt / 2
	}
	size := s.Width << s.IndexWidth
	if size>>s.IndexWidth != s.Width || size > math.MaxInt/8 {
		return math.MaxInt / 2
	}
	switch n.Op {
	case syntax.Input, syntax.State:
		return size
	case syntax.Ite:
		return 3 * size
	case syntax.Eq, syntax.Neq:
		return 4 * size
	case syntax.Read:
		if isConstant(m, n.Args[1]) {
			return 0
		}
		return 3 * size
	case syntax.Write:
		if isConstant(m, n.Args[1]) {
			return s.Width
		}
		return 4*size + 2<<s.IndexWidth
	}
	return 0
}

// isConstant reports whether an operand is a number.
func isConstant(m *syntax.Model, r syntax.Ref) bool {
	return m.Nodes[r.Node()].Op.IsConstant()
}
