package btor2design

import (
	"aiglens/btor2"
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
