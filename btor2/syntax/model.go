package syntax

import (
	"math/big"

	"aiglens/internal/source"
)

// Sort is the type of a value: a bit-vector of Width bits, or, where IndexWidth is not 0, an array of 2^IndexWidth
// such bit-vectors. The zero Sort is none: of a row without a value, or of a faulty one.
type Sort struct{ Width, IndexWidth int }

// IsArray reports whether values are arrays.
func (s Sort) IsArray() bool { return s.IndexWidth > 0 }

// Ref is a node by its place among the rows that define one, doubled, plus 1 for its bitwise negation. NoRef stands
// where the row is faulty.
type Ref int32

// NoRef is no node.
const NoRef Ref = -1

// Node returns the place of the node.
func (r Ref) Node() int { return int(r >> 1) }

// IsNegated reports whether the value is the negation of the node's.
func (r Ref) IsNegated() bool { return r&1 == 1 }

// Node is a row that has a number, or an aside, the ID of which is 0. A node is sound when the row keeps every rule that its value rests on, and so do
// those that it uses.
type Node struct {
	ID     int64
	Line   int // from 0
	Op     Op
	Sound  bool
	Sort   Sort // of the value; of init and next that of the state; of bad and its like 1 bit
	Args   []Ref
	Number [2]int // Upper and lower bit of a slice, or in the first place the bits that an extension adds
	Symbol string // the name at the end of the row, or the label of an aside; or ""

	// number is that of a constant as it is written: not larger than the text, however many bits the sort has. The bits
	// are those of its two's complement. It may be shared, and is never changed.
	number *big.Int
}

// SharesBits reports whether the value is bits of the operand as they are: that of a slice, and of an extension by none.
func (n *Node) SharesBits() bool {
	return (n.Op == Slice || (n.Op == Uext || n.Op == Sext) && n.Number[0] == 0) && !n.Args[0].IsNegated()
}

// NumberBefore returns the number of the last row before a node that is no aside; 0 where there is none.
func (m *Model) NumberBefore(node int) int64 {
	for node > 0 && m.Nodes[node-1].Op.IsAside() {
		node--
	}
	if node == 0 {
		return 0
	}
	return m.Nodes[node-1].ID
}

// NumberFrom returns the number of the first row from a node on that is no aside; ok is false where there is none.
func (m *Model) NumberFrom(node int) (id int64, ok bool) {
	for node < len(m.Nodes) && m.Nodes[node].Op.IsAside() {
		node++
	}
	if node >= len(m.Nodes) {
		return 0, false
	}
	return m.Nodes[node].ID, true
}

// Model is what a text says, with its nodes in the order of their rows.
type Model struct {
	Text  source.Text
	Nodes []Node
	// The places of some nodes among Nodes, in text order.
	Inputs, States, Bads, Constraints, Fairs, Outputs, Justice, Lemmas, Covers []int
	// Init and Next are the rows of states, by the place of the state; a state that has none is absent.
	Init, Next map[int]int
	// Names are those of nodes by their places: symbols of inputs and states, and of aliases (uext S N 0 NAME).
	Names map[int]string
}
