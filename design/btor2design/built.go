package btor2design

import (
	"strconv"
	"strings"

	"aiglens/btor2"
	"aiglens/btor2/syntax"
	"aiglens/design"
)

// BuiltOf returns the circuit of a BTOR2 file with the rows that it was built from; ok is false for a design of another
// format.
func BuiltOf(d *design.Design) (built *btor2.Elaboration, ok bool) {
	if d.Kind != Format {
		return nil, false
	}
	e, ok := d.Names().(*elaboration)
	if !ok {
		return nil, false
	}
	return e.built, true
}

// FileOf returns the rows of a BTOR2 file; ok is false for a design of another format.
func FileOf(d *design.Design) (f *syntax.File, ok bool) {
	e, ok := d.Names().(*elaboration)
	if d.Kind != Format || !ok {
		return nil, false
	}
	return e.syntax.file, true
}

// ConeOf returns, as btor2.Cone, the rows that signals of a BTOR2 file without errors rest on: rows and bits of rows, by their names. ok is false
// for a design of another format, and where a name stands for no row of a bit-vector.
func ConeOf(d *design.Design, names []string, constraints bool, levels int) (text string, cut int, ok bool) {
	e, ok := d.Names().(*elaboration)
	if d.Kind != Format || !ok {
		return "", 0, false
	}
	var asked []btor2.Asked
	for _, name := range names {
		node, bit, ok := e.place(name)
		if !ok || e.syntax.file.Model().Nodes[node].Sort.IsArray() {
			return "", 0, false
		}
		asked = append(asked, btor2.Asked{Node: node, Bit: bit})
	}
	text, cut = btor2.Cone(e.syntax.file, asked, constraints, levels)
	return text, cut, true
}

// place returns the row that a name stands for, and which bit of it, or btor2.AllBits.
func (e *elaboration) place(name string) (node, bit int, ok bool) {
	if node, ok = e.nodeNamed(name); ok {
		return node, btor2.AllBits, true
	}
	i := strings.LastIndexByte(name, '[')
	if i <= 0 || !strings.HasSuffix(name, "]") {
		return 0, 0, false
	}
	bit, err := strconv.Atoi(name[i+1 : len(name)-1])
	if err != nil || bit < 0 {
		return 0, 0, false
	}
	node, ok = e.nodeNamed(name[:i])
	return node, bit, ok && bit < e.syntax.file.Model().Nodes[node].Sort.Width
}
