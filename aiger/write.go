package aiger

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strconv"

	"aiglens/aiger/syntax"
)

// AppendASCII appends the model as an ASCII file, the way the AIGER library
// writes it: no trailing zeros in the header, no reset 0, symbols in the order
// of the sections.
func (m *Model) AppendASCII(dst []byte) []byte {
	dst = m.appendHeader(append(dst, "aag"...), max(m.MaxVar, m.largest()))
	for _, l := range m.Inputs {
		dst = syntax.AppendRow(dst, l)
	}
	for _, l := range m.Latches {
		dst = syntax.AppendRow(dst, append([]uint32{l.Lit}, rest(l)...)...)
	}
	dst = m.appendProperties(dst)
	for _, a := range m.Ands {
		dst = syntax.AppendRow(dst, a.LHS, a.RHS0, a.RHS1)
	}
	return m.appendTail(dst)
}

// rest returns what follows the literal of a latch.
func rest(l syntax.Latch) []uint32 {
	if l.Reset == 0 {
		return []uint32{l.Next}
	}
	return []uint32{l.Next, l.Reset}
}

// minFields are the numbers that every header has: M I L O A.
const minFields = 5

// appendHeader appends the numbers of the header and ends the line.
func (m *Model) appendHeader(dst []byte, maxVar uint32) []byte {
	fields := []int{int(maxVar), len(m.Inputs), len(m.Latches), len(m.Outputs), len(m.Ands),
		len(m.Bads), len(m.Constraints), len(m.Justice), len(m.Fairness)}
	for len(fields) > minFields && fields[len(fields)-1] == 0 {
		fields = fields[:len(fields)-1]
	}
	for _, n := range fields {
		dst = append(dst, ' ')
		dst = strconv.AppendInt(dst, int64(n), 10)
	}
	return append(dst, '\n')
}

// appendProperties appends what both encodings write alike between latches and
// gates.
func (m *Model) appendProperties(dst []byte) []byte {
	rows := func(ls []uint32) {
		for _, l := range ls {
			dst = syntax.AppendRow(dst, l)
		}
	}
	rows(m.Outputs)
	rows(m.Bads)
	rows(m.Constraints)
	for _, j := range m.Justice {
		dst = syntax.AppendRow(dst, uint32(len(j)))
	}
	for _, j := range m.Justice {
		rows(j)
	}
	rows(m.Fairness)
	return dst
}

// appendTail appends symbols and comment.
func (m *Model) appendTail(dst []byte) []byte {
	symbols := slices.Clone(m.Symbols)
	slices.SortStableFunc(symbols, func(a, b syntax.SymbolEntry) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Index, b.Index))
	})
	for _, s := range symbols {
		dst = append(dst, s.Kind.Letter())
		dst = strconv.AppendInt(dst, int64(s.Index), 10)
		dst = append(dst, ' ')
		dst = append(append(dst, s.Name...), '\n')
	}
	if m.HasComment {
		dst = append(append(dst, "c\n"...), m.Comment...)
	}
	return dst
}

// Reencode returns the model numbered as the binary format wants it: inputs
// 2, 4, …, then latches, then gates, each after its operands and with
// RHS0 ≥ RHS1. A model that is so already keeps its numbers. The error is ErrMapped where
// numbers would change of which the comment or a symbol speaks.
func (m *Model) Reencode() (*Model, error) {
	gates, err := m.sorted()
	if err != nil {
		return nil, err
	}
	to := make([]uint32, m.largest()+1) // by variable: its new literal
	last := uint32(0)
	number := func(lit uint32) {
		last += 2
		to[lit/2] = last
	}
	for _, l := range m.Inputs {
		number(l)
	}
	for _, l := range m.Latches {
		number(l.Lit)
	}
	for _, g := range gates {
		number(g.LHS)
	}
	changes := false
	m.eachLit(func(lit *uint32) { changes = changes || to[*lit/2] != *lit&^1 })
	if changes && m.mapsLiterals() {
		return nil, ErrMapped
	}
	n := m.clone(gates)
	n.eachLit(func(lit *uint32) { *lit = to[*lit/2] | *lit&1 })
	for i, a := range n.Ands {
		n.Ands[i] = a.Ordered()
	}
	n.MaxVar = last / 2
	n.carryAsides(m, func(a syntax.AsideEntry) (uint32, bool) { return to[a.Lit/2] | a.Lit&1, true })
	return n, nil
}

// clone copies a model, with other gates, deeply enough for renumbering.
func (m *Model) clone(gates []syntax.And) *Model {
	n := *m
	n.Inputs, n.Latches = slices.Clone(m.Inputs), slices.Clone(m.Latches)
	n.Outputs, n.Bads = slices.Clone(m.Outputs), slices.Clone(m.Bads)
	n.Constraints, n.Fairness = slices.Clone(m.Constraints), slices.Clone(m.Fairness)
	n.Justice = make([][]uint32, len(m.Justice))
	for i, j := range m.Justice {
		n.Justice[i] = slices.Clone(j)
	}
	n.Ands = slices.Clone(gates)
	return &n
}

// AppendBinary appends the model as a binary file, renumbered by Reencode.
func (m *Model) AppendBinary(dst []byte) ([]byte, error) {
	n, err := m.Reencode()
	if err != nil {
		return dst, err
	}
	dst = n.appendHeader(append(dst, "aig"...), n.MaxVar)
	for _, l := range n.Latches {
		dst = syntax.AppendRow(dst, rest(l)...)
	}
	dst = n.appendProperties(dst)
	for _, a := range n.Ands {
		dst = binary.AppendUvarint(dst, uint64(a.LHS-a.RHS0))
		dst = binary.AppendUvarint(dst, uint64(a.RHS0-a.RHS1))
	}
	return n.appendTail(dst), nil
}
