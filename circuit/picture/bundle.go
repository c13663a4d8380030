package picture

import (
	"cmp"
	"slices"

	"aiglens/circuit"
)

// Bundled returns the picture with the inputs or latches of each list as one node: a Bus or a
// Register. The lists are variables from the least significant bit on; of a variable in several
// lists the first counts. A list of which the picture has one node or none changes nothing.
//
// A latch whose start a function gives stays a node.
//
// Wires that leave a bundle say which bit they are. Those between two bundles, and of a gate or a
// root to a register, that come from the same node are one.
func (g *Schematic) Bundled(lists [][]circuit.Var) *Schematic {
	at := map[circuit.Var]int{} // inputs and latches
	for i, n := range g.Nodes {
		if n.Kind == Input || n.Kind == Latch && len(n.Operands) <= 1 {
			at[n.Lit.Var()] = i
		}
	}
	b := bundler{from: g, of: make([]int, len(g.Nodes)), bit: make([]int, len(g.Nodes))}
	for i, list := range lists {
		b.bundle(i, list, at)
	}
	return b.nodes()
}

// bundler makes a picture of another one.
type bundler struct {
	from    *Schematic
	bundles []bundle
	of, bit []int // by node: 1 + its bundle, 0 for none; 1 + its bit
}

// bundle is nodes that become one.
type bundle struct {
	list int
	bits []circuit.Lit // from the least significant on
}

func (b *bundler) bundle(number int, list []circuit.Var, at map[circuit.Var]int) {
	var members []int
	for _, v := range list {
		if i, ok := at[v]; ok && b.of[i] == 0 && (len(members) == 0 || b.from.Nodes[members[0]].Kind == b.from.Nodes[i].Kind) {
			members = append(members, i)
		}
	}
	if len(members) < 2 {
		return
	}
	lits := make([]circuit.Lit, len(list))
	for i, v := range list {
		lits[i] = v.Lit()
	}
	b.bundles = append(b.bundles, bundle{number, lits})
	for _, i := range members {
		b.of[i], b.bit[i] = len(b.bundles), 1+slices.Index(list, b.from.Nodes[i].Lit.Var())
	}
}

// nodes returns the nodes in the order of the first of each.
func (b *bundler) nodes() *Schematic {
	var made Schematic
	to := make([]int, len(b.from.Nodes)) // new positions
	place := make([]int, len(b.bundles)) // 1 + new position
	for i, n := range b.from.Nodes {
		k := b.of[i]
		switch {
		case k == 0:
			to[i] = len(made.Nodes)
			made.Nodes = append(made.Nodes, n)
			continue
		case place[k-1] == 0:
			made.Nodes = append(made.Nodes, Node{Kind: map[Kind]Kind{Input: Bus, Latch: Register}[n.Kind], Lit: n.Lit, Bits: b.bundles[k-1].bits, List: b.bundles[k-1].list})
			place[k-1] = len(made.Nodes)
		}
		to[i] = place[k-1] - 1
		node := &made.Nodes[to[i]]
		node.Cut = node.Cut || n.Cut
		node.Operands = append(slices.Clone(node.Operands), n.Operands...)
	}
	for i := range made.Nodes {
		n := &made.Nodes[i]
		n.Operands = slices.Clone(n.Operands)
		for j, o := range n.Operands {
			w := Operand{Node: to[o.Node], Negated: o.Negated, Bit: b.bit[o.Node], Pin: o.Pin, To: o.To}
			if o.Pin > 0 {
				w.Bit = o.Bit
			}
			n.Operands[j] = w
		}
		if n.Kind == Register || n.Kind == Instance {
			n.Operands = joinedWires(n.Operands, made.Nodes)
		}
	}
	return &made
}

// joinedWires returns wires that enter a register or an instance: those between the same two words as
// one. A wire is inverted only where it is alone.
func joinedWires(wires []Operand, nodes []Node) (all []Operand) {
	for _, o := range wires {
		isWord := isWord(o, nodes)
		known := slices.IndexFunc(all, func(p Operand) bool {
			return p.Node == o.Node && p.Pin == o.Pin && p.To == o.To && (isWord || p.Negated == o.Negated)
		})
		if known < 0 {
			all = append(all, o)
			continue
		}
		if p := &all[known]; isWord && (p.Bit != o.Bit || p.Negated != o.Negated) { // several bits, which only the text tells apart
			p.Bit, p.Negated = 0, p.Negated && o.Negated
		}
	}
	slices.SortStableFunc(all, func(a, b Operand) int { return cmp.Compare(a.Node, b.Node) })
	return all
}

// isWord reports whether a wire leaves a word.
func isWord(o Operand, nodes []Node) bool {
	n := &nodes[o.Node]
	return len(n.Bits) > 0 || n.Width != "" || o.Pin > 0 && n.Pins[o.Pin-1].Word
}
