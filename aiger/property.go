package aiger

import (
	"aiglens/aiger/syntax"
	"aiglens/circuit"
	"aiglens/internal/source"
)

// Properties returns what there is to check, as circuit.Circuit.Properties
// does, without building the circuit.
func Properties(f *syntax.File) []circuit.Property {
	var ps []circuit.Property
	add := func(kind circuit.PropertyKind, section syntax.SectionKind) {
		for i := range sizeOf(f, section) {
			ps = append(ps, circuit.Property{Kind: kind, Index: i})
		}
	}
	add(circuit.PropertyBad, syntax.SectionBads)
	if f.OutputsAreBads() {
		add(circuit.PropertyOutput, syntax.SectionOutputs)
	}
	add(circuit.PropertyJustice, syntax.SectionJustice)
	return ps
}

func sectionOf(kind circuit.PropertyKind) syntax.SectionKind {
	switch kind {
	case circuit.PropertyOutput:
		return syntax.SectionOutputs
	case circuit.PropertyJustice:
		return syntax.SectionJustice
	}
	return syntax.SectionBads
}

// PropertySpan returns the row of a property; for justice that of its size.
func PropertySpan(f *syntax.File, p circuit.Property) (source.Span, bool) {
	row, ok := f.Row(sectionOf(p.Kind), p.Index)
	if !ok {
		return source.Span{}, false
	}
	return f.Text().LineSpan(row.Line), true
}
