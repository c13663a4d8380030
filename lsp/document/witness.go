package document

import (
	"aiglens/aiger"
	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/internal/source"
)

// AppendWitness appends a counterexample in the format of AIGER witnesses, in the order
// of the inputs and latches of the circuit.
func AppendWitness(dst []byte, p circuit.Property, t cert.Trace) []byte {
	return aiger.NewWitness(p, t).Append(dst)
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
