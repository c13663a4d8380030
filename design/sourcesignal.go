package design

import (
	"fmt"

	"aiglens/circuit"
	"aiglens/internal/source"
)

// SourceSignal is what a text calls a signal of its circuit.
type SourceSignal struct {
	Name    string // with the path of its instance; of one without a name its literal
	Lit     Lit    // of this text; 0 when another file defines it
	Bit     Lit    // of a text of words: of the bit, where Lit is that of the word; else 0
	Negated bool   // the circuit's signal is the negation of the one named
	Row     source.Span
	Span    source.Span // the defining occurrence; of one in another file the instance
	Other   *Target     // the definition in another file; nil for one in this file
}

// SourceOf returns what the text calls a literal of its circuit, whatever its sign. ok
// is false for a gate that no word of the text stands for, as within a cover.
func (d *Design) SourceOf(l circuit.Lit) (SourceSignal, bool) {
	c := d.Circuit()
	switch c.Kind(l.Var()) {
	case circuit.KindLatch:
		p, ok := d.LatchSource(c.LatchIndex(l.Var()))
		if p.Name == "" {
			p.Name = fmt.Sprint(p.Lit)
		}
		return p, ok
	case circuit.KindInput:
		return d.elaborate().InputSource(c.InputIndex(l.Var()))
	}
	number := d.gates()[l.Var()]
	if number == 0 {
		return SourceSignal{}, false
	}
	found, ok := d.elaborate().GateSource(number >> 1)
	found.Negated = found.Negated != (number&1 == 1)
	return found, ok
}

// ElementNamed returns the latch or input of the circuit with one of ElementNames.
func (d *Design) ElementNamed(name string) (SourceSignal, bool) {
	l, ok := d.elements()[name]
	if !ok {
		return SourceSignal{}, false
	}
	return d.SourceOf(l)
}

func (d *Design) elementsByName() map[string]circuit.Lit {
	latches, inputs := d.ElementNames()
	found := make(map[string]circuit.Lit, len(latches)+len(inputs))
	for i, name := range inputs {
		found[name] = d.Circuit().Inputs()[i].Lit
	}
	for i, name := range latches {
		found[name] = d.Circuit().Latches()[i].Lit
	}
	delete(found, "")
	return found
}
