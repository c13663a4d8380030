package btor2design

import (
	"fmt"
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
		n := &e.syntax.file.Model().Nodes[node]
		b := yosys.PathBit{Input: i, Path: pathOf(e.syntax.names().of(node)), Offset: bit}
		if n.Sort.IsArray() {
			b.Path, b.Offset = append(b.Path, fmt.Sprintf(`\[%d]`, bit/n.Sort.Width)), bit%n.Sort.Width
		}
		if n.Op == syntax.Input {
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
