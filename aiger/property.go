package aiger

import (
	"aiglens/aiger/syntax"
	"aiglens/circuit"
	"aiglens/internal/source"
)

// Properties returns what there is to check, as circuit.Circuit.Properties
// does, without building the circuit; lemmas and covers are in the order of the text.
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
	for _, a := range f.Asides() {
		kind := circuit.PropertyLemma
		if a.Kind == syntax.AsideCover {
			kind = circuit.PropertyCover
		}
		ps = append(ps, circuit.Property{Kind: kind, Index: a.Index})
	}
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

// PropertySpan returns the row of a property; for justice that of its size, for a lemma or
// cover its line in the comment.
func PropertySpan(f *syntax.File, p circuit.Property) (source.Span, bool) {
	if kind, ok := AsideKindOf(p.Kind); ok {
		a, ok := f.AsideOf(kind, p.Index)
		return a.Span, ok
	}
	row, ok := f.Row(sectionOf(p.Kind), p.Index)
	if !ok {
		return source.Span{}, false
	}
	return f.Text().LineSpan(row.Line), true
}
