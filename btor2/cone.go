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
// constraints and what those rest on, unless they are left out. Rows keep their numbers. The file has no errors. With a number of
// levels above 0, rows below so many operators and states become inputs, and the constraints are left out; cut counts those rows. Lemmas and covers of
// rows that stay do so, too.
func Cone(f *syntax.File, asked []Asked, constraints bool, levels int) (cone string, cut int) {
	m := f.Model()
	var roots []int
	for _, a := range asked {
		roots = append(roots, a.Node)
	}
	var kept, isCut []bool
	if levels > 0 {
		kept, isCut = rowsWithin(f, roots, levels)
	} else {
		if constraints {
			roots = append(roots, m.Constraints...)
		}
		kept, isCut = RowsOf(f, roots), make([]bool, len(m.Nodes))
	}
	var text []byte
	last, bit := int64(0), int64(0) // the last number, and the sort of one bit
	symbols := map[string]bool{}
	for i := range m.Nodes {
		n := &m.Nodes[i]
		last = max(last, n.ID)
		isAside := n.Op.IsAside() && len(n.Args) > 0 && kept[n.Args[0].Node()]
		if !kept[i] && !isAside {
			continue
		}
		row := m.Text.Line(n.Line)
		if isCut[i] {
			row = f.RowInPlace(i, "input", f.SortNumber(i))
			cut++
		}
		text = append(append(text, row...), '\n')
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
	return string(text), cut
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

// rowsWithin returns, by node, whether a row stays, and whether it stays as an input, where some nodes are looked at through so many
// levels of operators and states. A state whose start is no constant starts with any value then.
func rowsWithin(f *syntax.File, roots []int, levels int) (kept, cut []bool) {
	m := f.Model()
	kept, cut = make([]bool, len(m.Nodes)), make([]bool, len(m.Nodes))
	at := roots
	for level := 0; len(at) > 0; level++ {
		var below []int
		for len(at) > 0 {
			node := at[len(at)-1]
			at = at[:len(at)-1]
			if kept[node] {
				continue
			}
			kept[node] = true
			at = append(at, sortsOf(f, node)...)
			switch n := &m.Nodes[node]; {
			case n.IsAlias():
				at = append(at, n.Args[0].Node())
			case n.Op == syntax.State:
				init, starts := m.Init[node]
				next, changes := m.Next[node]
				if cut[node] = level == levels && (starts || changes); cut[node] {
					continue
				}
				if starts && m.Nodes[m.Nodes[init].Args[1].Node()].Op.IsConstant() {
					kept[init] = true
					at = append(append(at, sortsOf(f, init)...), m.Nodes[init].Args[1].Node())
				}
				if changes {
					kept[next] = true
					at = append(at, sortsOf(f, next)...)
					below = append(below, m.Nodes[next].Args[1].Node())
				}
			case n.Op.IsOperator():
				if cut[node] = level == levels; cut[node] {
					continue
				}
				for _, a := range n.Args {
					below = append(below, a.Node())
				}
			}
		}
		at = below
	}
	return kept, cut
}

// sortsOf returns the rows of the sorts that a row names.
func sortsOf(f *syntax.File, node int) (rows []int) {
	m := f.Model()
	for o := range f.OccurrencesIn(source.Span{Start: m.Text.LineStart(m.Nodes[node].Line)}) {
		if o.Role == syntax.RoleSort && o.Ref != syntax.NoRef {
			rows = append(rows, o.Ref.Node())
		}
	}
	return rows
}
