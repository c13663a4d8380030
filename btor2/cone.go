package btor2

import (
	"fmt"

	"aiglens/btor2/syntax"
	"aiglens/internal/source"
)

// Asked is a row of a bit-vector, or a bit of it, of which the cone is wanted.
type Asked struct {
	Node int
	Bit  int // from the least significant on, or AllBits
}

// AllBits stands for the whole value of a row.
const AllBits = -1

// Cone returns the rows that some values rest on as they stand in a file, with an output for each value after them, and with the
// constraints and what those rest on, unless they are left out. Rows keep their numbers. The file has no errors.
func Cone(f *syntax.File, asked []Asked, constraints bool) string {
	m := f.Model()
	var roots []int
	for _, a := range asked {
		roots = append(roots, a.Node)
	}
	if constraints {
		roots = append(roots, m.Constraints...)
	}
	kept := RowsOf(f, roots)
	var text []byte
	last, bit := int64(0), int64(0) // the last number, and the sort of one bit
	symbols := map[string]bool{}
	for i := range m.Nodes {
		n := &m.Nodes[i]
		last = max(last, n.ID)
		if !kept[i] {
			continue
		}
		text = append(append(text, m.Text.Line(n.Line)...), '\n')
		symbols[n.Symbol] = true
		if bit == 0 && n.Op == syntax.SortRow && n.Sort == (syntax.Sort{Width: 1}) {
			bit = n.ID
		}
	}
	for _, a := range asked {
		n := &m.Nodes[a.Node]
		if a.Bit == AllBits || n.Sort.Width == 1 {
			last++
			text = fmt.Appendf(text, "%d output %d\n", last, n.ID)
			continue
		}
		if bit == 0 {
			last++
			bit = last
			text = fmt.Appendf(text, "%d sort bitvec 1\n", bit)
		}
		text = fmt.Appendf(text, "%d slice %d %d %d %d\n%d output %d", last+1, bit, n.ID, a.Bit, a.Bit, last+2, last+1)
		last += 2
		if name := fmt.Sprintf("%s[%d]", n.Symbol, a.Bit); n.Symbol != "" && !symbols[name] {
			symbols[name] = true
			text = append(append(text, ' '), name...)
		}
		text = append(text, '\n')
	}
	return string(text)
}

// RowsOf returns, by node, whether some nodes rest on it: on what their rows name, sorts included, and through states on the
// rows of init and next.
func RowsOf(f *syntax.File, roots []int) []bool {
	m := f.Model()
	kept := make([]bool, len(m.Nodes))
	var todo []int
	visit := func(node int) {
		if !kept[node] {
			kept[node] = true
			todo = append(todo, node)
		}
	}
	for _, node := range roots {
		visit(node)
	}
	for len(todo) > 0 {
		node := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for o := range f.OccurrencesIn(source.Span{Start: m.Text.LineStart(m.Nodes[node].Line)}) {
			if o.Ref != syntax.NoRef {
				visit(o.Ref.Node())
			}
		}
		for _, rows := range []map[int]int{m.Init, m.Next} {
			if row, ok := rows[node]; ok {
				visit(row)
			}
		}
	}
	return kept
}
