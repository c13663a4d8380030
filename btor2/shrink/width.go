package shrink

import (
	"math/big"
	"slices"
	"strconv"

	"aiglens/btor2/syntax"
	"aiglens/internal/minimize"
)

// narrower makes the words of a width half as wide. What a constant then has in its lower bits stays; slices and extensions
// keep as many bits as their sorts say.
func narrower() minimize.Pass[*syntax.File] {
	return minimize.Pass[*syntax.File]{
		Name: "widths", Units: func(f *syntax.File) int { return len(widths(f)) },
		Without: func(f *syntax.File, lo, hi int) *syntax.File {
			chosen := widths(f)[lo:hi]
			c := newChange()
			for node := range f.Model().Nodes {
				narrow(c, f, node, func(width int) int {
					if slices.Contains(chosen, width) {
						return width / 2
					}
					return width
				})
			}
			return c.apply(f)
		},
	}
}

// widths returns those of sorts of several bits, in ascending order.
func widths(f *syntax.File) (all []int) {
	m := f.Model()
	for i := range m.Nodes {
		if n := &m.Nodes[i]; n.Op == syntax.SortRow && !n.Sort.IsArray() && n.Sort.Width > 1 {
			all = append(all, n.Sort.Width)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// narrow changes a row whose sort, or that of an operand, has another width than before.
func narrow(c *change, f *syntax.File, node int, to func(int) int) {
	m := f.Model()
	n := &m.Nodes[node]
	width := to(n.Sort.Width)
	switch {
	case n.Op == syntax.SortRow && !n.Sort.IsArray() && width != n.Sort.Width:
		c.rows[node] = f.RowInPlace(node, "sort", "bitvec", strconv.Itoa(width))
	case syntax.Const <= n.Op && n.Op <= syntax.Consth && width != n.Sort.Width:
		rest := new(big.Int).And(n.Value(), new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(width)), big.NewInt(1)))
		c.rows[node] = f.RowInPlace(node, "constd", f.SortNumber(node), rest.String())
	case n.Op == syntax.Slice || n.Op == syntax.Uext || n.Op == syntax.Sext:
		of := m.Nodes[n.Args[0].Node()].Sort.Width
		if width == n.Sort.Width && to(of) == of {
			return
		}
		words := []string{n.Op.String(), f.SortNumber(node), m.Operand(n.Args[0])}
		if n.Op == syntax.Slice {
			low := max(0, min(n.Number[1], to(of)-width))
			words = append(words, strconv.Itoa(low+width-1), strconv.Itoa(low))
		} else {
			words = append(words, strconv.Itoa(max(0, width-to(of))))
		}
		c.rows[node] = f.RowInPlace(node, words...)
	}
}
