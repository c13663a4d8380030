package picture

import (
	"context"

	"aiglens/circuit"
)

// RowLit is a row by a number, doubled, plus 1 for the negation of its value.
type RowLit uint32

// Rows are what is drawn of a text whose rows compute words: a node for each row.
type Rows struct {
	Roots []RowLit
	// Node returns the node of a row without operands, and what enters it.
	Node func(row uint32) (Node, []RowLit)
}

// Schematic returns the picture of what the roots depend on, nearest first, and the row of each node, which is that
// of the wire of a Root. Of the options it takes Limit, Depth, Expand and Further. The error is that of ctx.
func (rows Rows) Schematic(ctx context.Context, o SchematicOptions) (*Schematic, []uint32, error) {
	d := &rowDrawer{rows: rows, at: map[uint32]int{}}
	for _, l := range rows.Roots {
		d.g.Nodes = append(d.g.Nodes, Node{Kind: Root})
		d.of, d.levels, d.raw = append(d.of, uint32(l>>1)), append(d.levels, 0), append(d.raw, []RowLit{l})
	}
	for _, l := range rows.Roots {
		d.add(l, 0)
	}
	d.grow(len(rows.Roots), bound{o.Limit, o.Depth})
	for _, v := range o.Expand {
		d.expand(v, o)
	}
	for at := range d.g.Nodes {
		if n := &d.g.Nodes[at]; !n.Cut {
			for _, l := range d.raw[at] {
				n.Operands = append(n.Operands, Operand{Node: d.at[uint32(l>>1)], Negated: l&1 == 1})
			}
		}
	}
	return &d.g, d.of, ctx.Err()
}

// rowDrawer makes a picture of rows.
type rowDrawer struct {
	rows   Rows
	g      Schematic
	of     []uint32       // by node: its row
	raw    [][]RowLit     // by node: what enters it
	levels []int          // by node: how far it is before what a root shows
	at     map[uint32]int // nodes by their rows
}

// add makes the node of a row, not yet with what enters it.
func (d *rowDrawer) add(l RowLit, level int) {
	row := uint32(l >> 1)
	if _, has := d.at[row]; has {
		return
	}
	d.at[row] = len(d.g.Nodes)
	n, raw := d.rows.Node(row)
	n.Cut = len(raw) > 0
	d.g.Nodes = append(d.g.Nodes, n)
	d.of, d.raw, d.levels = append(d.of, row), append(d.raw, raw), append(d.levels, level)
}

// grow draws nodes from a position on, in the order in which they are met, up to a bound.
func (d *rowDrawer) grow(from int, b bound) {
	for at := from; at < len(d.g.Nodes); at++ {
		if d.g.Nodes[at].Cut {
			d.open(at, b)
		}
	}
}

// open draws what enters a node, as far as that stays within a bound.
func (d *rowDrawer) open(at int, b bound) {
	fresh := map[uint32]bool{}
	for _, l := range d.raw[at] {
		if _, has := d.at[uint32(l>>1)]; !has {
			fresh[uint32(l>>1)] = true
		}
	}
	if len(d.g.Nodes)+len(fresh) > b.nodes || b.level > 0 && d.levels[at] >= b.level {
		return
	}
	d.g.Nodes[at].Cut = false
	for _, l := range d.raw[at] {
		d.add(l, d.levels[at]+1)
	}
}

// expand draws the nodes that were cut and that a variable leaves, and what they depend on within Further and Depth.
func (d *rowDrawer) expand(v circuit.Var, o SchematicOptions) {
	for at := range d.g.Nodes {
		if n := &d.g.Nodes[at]; !n.Cut || n.First() != v {
			continue
		}
		first := len(d.g.Nodes)
		b := bound{nodes: first + o.Further}
		if o.Depth > 0 {
			b.level = d.levels[at] + o.Depth
		}
		d.open(at, b)
		d.grow(first, b)
	}
}

// First returns the first variable of the value that leaves a node; 0 for none.
func (n *Node) First() circuit.Var {
	for _, b := range n.Bits {
		if b.Var() != 0 {
			return b.Var()
		}
	}
	return n.Lit.Var()
}
