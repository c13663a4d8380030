package document

import (
	"slices"

	"aiglens/aiger"
	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/internal/source"
)

// AppendWitness appends a counterexample in the format of AIGER witnesses, in the order
// of the inputs and latches of the text.
func (d *Document) AppendWitness(dst []byte, p circuit.Property, t cert.Trace) []byte {
	rows, n := make([][]circuit.Value, len(t.Inputs)), d.inputs()
	for i, row := range t.Inputs {
		rows[i] = row[:n]
	}
	t.Inputs = rows
	return aiger.NewWitness(p, t).Append(dst)
}

// Widen gives a run over the inputs of the text values for those that its circuit has
// besides, in place of errors: x.
func (d *Document) Widen(t cert.Trace) cert.Trace {
	more := len(d.Circuit().Inputs()) - d.inputs()
	if more == 0 {
		return t
	}
	rows, wide := t.Inputs, make([]circuit.Value, more)
	for i := range wide {
		wide[i] = circuit.X
	}
	t.Inputs = make([][]circuit.Value, len(rows))
	for i, row := range rows {
		t.Inputs[i] = slices.Concat(row, wide)
	}
	return t
}

// inputs returns the number of inputs of the text. The circuit has those of errors
// behind them.
func (d *Document) inputs() int {
	if e, ok := d.elaborate().(aigerElaboration); ok {
		for _, s := range e.syntax.Sections() {
			if s.Kind == aiger.SectionInputs {
				return s.Rows
			}
		}
		return 0
	}
	return len(d.Circuit().Inputs())
}

// Witness is a counterexample of a witness file.
type Witness struct {
	Properties []circuit.Property // that it is said to violate
	Trace      cert.Trace
}

// ReadWitnesses returns the counterexamples of a file of AIGER witnesses, and what is
// wrong with the file.
func ReadWitnesses(data []byte) ([]Witness, []source.Diagnostic) {
	found, diagnostics := aiger.ReadWitnesses(data)
	var all []Witness
	for _, w := range found {
		if w.Status == '1' {
			all = append(all, Witness{w.Properties, w.Trace()})
		}
	}
	return all, diagnostics
}
