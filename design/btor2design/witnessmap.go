package btor2design

import (
	"fmt"
	"slices"
	"strings"

	"aiglens/btor2"
	"aiglens/btor2/syntax"
	"aiglens/circuit"
	"aiglens/design"
	"aiglens/internal/yosys"
)

// WitnessMapOf returns where the inputs of the AIGER file of a BTOR2 file come from, as Yosys writes it for its own: inputs as
// ports, states without a next row as values that are free in each step. ok is false for a design of another format.
func WitnessMapOf(d *design.Design) (m *yosys.WitnessMap, ok bool) {
	e, ok := d.Names().(*elaboration)
	if d.Kind != Format || !ok {
		return nil, false
	}
	c := e.Circuit()
	m = &yosys.WitnessMap{Latches: len(c.Latches()), Inputs: len(c.Inputs()), HasAsserts: true, HasAssumes: true}
	seen := map[circuit.Origin]int{}
	for i, in := range c.Inputs() {
		bit := seen[in.Origin]
		seen[in.Origin]++
		node := btor2.NodeFromOrigin(in.Origin)
		b := e.bitOfPath(node, bit)
		b.Input = i
		if e.syntax.file.Model().Nodes[node].Op == syntax.Input {
			m.Ports = append(m.Ports, b)
		} else {
			m.Seqs = append(m.Seqs, b)
		}
	}
	for i := range c.Bads() {
		m.Asserts = append(m.Asserts, pathOf(d.PropertyName(circuit.Property{Kind: circuit.PropertyBad, Index: i})))
	}
	names := e.names()
	for i := range c.Constraints() {
		name := names.Constraints[i]
		if name == "" {
			name = fmt.Sprintf("constraint %d", i)
		}
		m.Assumes = append(m.Assumes, pathOf(name))
	}
	return m, true
}

// TraceMapOf returns the signals of a BTOR2 file that traces of Yosys may name: rows with names. After the inputs stand
// the starts of its latches, as inputs of the first step alone. ok is false for a design of another format.
func TraceMapOf(d *design.Design) (m *yosys.WitnessMap, ok bool) {
	whole, ok := WitnessMapOf(d)
	if !ok {
		return nil, false
	}
	e, _ := d.Names().(*elaboration)
	c := e.Circuit()
	given := func(bits []yosys.PathBit) []yosys.PathBit {
		return slices.DeleteFunc(bits, func(b yosys.PathBit) bool {
			return e.names().Inputs[b.Input] == ""
		})
	}
	m = &yosys.WitnessMap{Inputs: len(c.Inputs()) + len(c.Latches()), Ports: given(whole.Ports), Seqs: given(whole.Seqs)}
	seen := map[circuit.Origin]int{}
	for i, l := range c.Latches() {
		bit := seen[l.Origin]
		seen[l.Origin]++
		if l.IsFree() && e.names().Latches[i] != "" {
			b := e.bitOfPath(btor2.NodeFromOrigin(l.Origin), bit)
			b.Input = len(c.Inputs()) + i
			m.Inits = append(m.Inits, b)
		}
	}
	return m, true
}

// ClocksOf returns the inputs of a BTOR2 file that are clocks.
func ClocksOf(d *design.Design, clocks []yosys.RowClock) (all []yosys.Clock) {
	e, ok := d.Names().(*elaboration)
	if d.Kind != Format || !ok {
		return nil
	}
	for _, c := range clocks {
		if node, ok := e.syntax.file.NodeOf(c.Row); ok && e.syntax.file.Model().Nodes[node].Symbol != "" {
			all = append(all, yosys.Clock{PathBit: e.bitOfPath(node, 0), Edge: c.Edge})
		}
	}
	return all
}

// bitOfPath returns a bit of a row by the path that Yosys has for it.
func (e *elaboration) bitOfPath(node, bit int) yosys.PathBit {
	b := yosys.PathBit{Path: pathOf(e.syntax.names().of(node)), Offset: bit}
	if s := e.syntax.file.Model().Nodes[node].Sort; s.IsArray() {
		b.Path, b.Offset = append(b.Path, fmt.Sprintf(`\[%d]`, bit/s.Width)), bit%s.Width
	}
	return b
}

// pathOf returns the path of a name that Yosys has flattened: a dot stands between scopes, and private names begin with $.
func pathOf(name string) (p yosys.Path) {
	for _, id := range strings.Split(name, ".") {
		if !strings.HasPrefix(id, "$") {
			id = `\` + id
		}
		p = append(p, id)
	}
	return p
}
