package picture

import (
	"cmp"
	"slices"

	"aiglens/circuit"
)

// boxed returns the picture with what lies inside of each closed box as one node.
func (g *Schematic) boxed(pin func(box int, l circuit.Lit, leaves bool) (key, bit int, at circuit.Lit)) *Schematic {
	b := boxer{from: g, pin: pin, to: make([]int, len(g.Nodes)), place: map[int]int{}}
	for i, n := range g.Nodes {
		at, isKnown := b.place[n.Box]
		if n.Box == 0 || !isKnown {
			at = len(b.made.Nodes)
			if n.Box > 0 {
				b.place[n.Box] = at
				n = Node{Kind: Instance, Lit: n.Lit, Box: n.Box, Cut: n.Cut}
			}
			b.made.Nodes = append(b.made.Nodes, n)
		}
		b.to[i] = at
		node := &b.made.Nodes[at]
		node.Cut = node.Cut || n.Cut
		if n.Box > 0 {
			node.Inside = append(append(node.Inside, n.Lit.Var()), n.Inside...)
		}
	}
	b.pins()
	b.wires()
	return &b.made
}

// boxer makes a picture of another one.
type boxer struct {
	from  *Schematic
	pin   func(box int, l circuit.Lit, leaves bool) (key, bit int, at circuit.Lit)
	made  Schematic
	to    []int       // by node: where it is in made
	place map[int]int // by box
}

// crossing calls do for each wire that enters or leaves a box, with the literal that it carries.
func (b *boxer) crossing(do func(box int, l circuit.Lit, leaves bool)) {
	for _, n := range b.from.Nodes {
		for _, o := range n.Operands {
			source := b.from.Nodes[o.Node]
			if source.Box == n.Box {
				continue
			}
			if source.Box > 0 {
				do(source.Box, source.Lit.NotIf(o.Negated), true)
			}
			if n.Box > 0 {
				do(n.Box, source.Lit.NotIf(o.Negated), false)
			}
		}
	}
}

// pins gives each box its pins, in the order of their keys.
func (b *boxer) pins() {
	b.crossing(func(box int, l circuit.Lit, leaves bool) {
		n := &b.made.Nodes[b.place[box]]
		key, bit, at := b.pin(box, l, leaves)
		i := slices.IndexFunc(n.Pins, func(p Pin) bool { return p.Leaves == leaves && p.Key == key })
		if i < 0 {
			i = len(n.Pins)
			n.Pins = append(n.Pins, Pin{Leaves: leaves, Key: key, Word: bit > 0})
		}
		if p := &n.Pins[i]; !slices.Contains(p.Lits, at) {
			p.Lits = append(p.Lits, at)
		}
	})
	for _, at := range b.place {
		slices.SortStableFunc(b.made.Nodes[at].Pins, func(p, q Pin) int {
			if p.Leaves != q.Leaves {
				if q.Leaves {
					return -1
				}
				return 1
			}
			return cmp.Compare(p.Key, q.Key)
		})
	}
}

// wires writes the wires between what is left.
func (b *boxer) wires() {
	all := make([][]Operand, len(b.made.Nodes))
	for i, n := range b.from.Nodes {
		for _, o := range n.Operands {
			source := b.from.Nodes[o.Node]
			if n.Box > 0 && source.Box == n.Box {
				continue
			}
			w, carried := Operand{Node: b.to[o.Node], Negated: o.Negated}, source.Lit.NotIf(o.Negated)
			if source.Box > 0 {
				w.Pin, w.Bit, w.Negated = b.at(source.Box, carried, true)
			}
			if n.Box > 0 {
				var bubble bool
				w.To, _, bubble = b.at(n.Box, carried, false)
				w.Negated = w.Negated != bubble
			}
			all[b.to[i]] = append(all[b.to[i]], w)
		}
	}
	for at := range b.made.Nodes {
		n := &b.made.Nodes[at]
		if n.Operands = all[at]; n.Kind == Instance {
			n.Operands = joinedWires(n.Operands, b.made.Nodes)
		}
	}
}

// at returns the pin of a literal, 1 + its position, and whether the pin has the negation.
func (b *boxer) at(box int, l circuit.Lit, leaves bool) (pin, bit int, negated bool) {
	key, bit, at := b.pin(box, l, leaves)
	i := slices.IndexFunc(b.made.Nodes[b.place[box]].Pins, func(p Pin) bool { return p.Leaves == leaves && p.Key == key })
	return i + 1, bit, at != l
}
