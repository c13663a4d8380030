package aiger

import (
	"aiglens/circuit"
	"aiglens/internal/source"
)

// Properties returns what there is to check, as circuit.Circuit.Properties
// does, without building the circuit.
func (f *File) Properties() []circuit.Property {
	var ps []circuit.Property
	add := func(kind circuit.PropertyKind, section SectionKind) {
		for i := range f.sizeOf(section) {
			ps = append(ps, circuit.Property{Kind: kind, Index: i})
		}
	}
	add(circuit.PropertyBad, SectionBads)
	if f.outputsAreBads() {
		add(circuit.PropertyOutput, SectionOutputs)
	}
	add(circuit.PropertyJustice, SectionJustice)
	return ps
}

func sectionOf(kind circuit.PropertyKind) SectionKind {
	switch kind {
	case circuit.PropertyOutput:
		return SectionOutputs
	case circuit.PropertyJustice:
		return SectionJustice
	}
	return SectionBads
}

// PropertySpan returns the row of a property; for justice that of its size.
func (f *File) PropertySpan(p circuit.Property) (source.Span, bool) {
	row, ok := f.Row(sectionOf(p.Kind), p.Index)
	if !ok {
		return source.Span{}, false
	}
	return f.Text().LineSpan(row.Line), true
}
