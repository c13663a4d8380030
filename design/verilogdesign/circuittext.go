package verilogdesign

import (
	"slices"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/design/aigerdesign"
	"aiglens/internal/source"
)

// Circuit returns the circuit as a text of AIGER, with the names of the sources as symbols; nil for none.
func (s *Synthesis) Circuit() *design.Design {
	if s.circuit == nil {
		return nil
	}
	return s.text()
}

func (s *Synthesis) findText() *design.Design {
	m, _ := s.model.WithDistinctNames()
	return design.New("", aigerdesign.Format, 0, source.NewText(string(m.AppendASCII(nil))), design.Options{})
}

// InCircuit returns where Circuit defines what stands at an offset of a source: the bit 0 of a signal in
// each instance of its module, or what a statement states.
func (s *Synthesis) InCircuit(d *design.Design, offset int) (all []source.Span) {
	syntax, ok := d.Syntax().(*fileSyntax)
	if !ok || s.circuit == nil {
		return nil
	}
	text := s.text()
	if o, ok := d.OccurrenceAt(offset); ok {
		declared, _ := syntax.declaration(o.Lit.Signal())
		if declared == nil {
			return nil
		}
		for _, x := range declared.signals {
			for i, lit := range x.lits {
				def, ok := text.Definition(design.Lit(lit).Signal())
				if !ok || !x.known[i] || lit < 2 {
					continue
				}
				if !slices.Contains(all, def.Span) {
					all = append(all, def.Span)
				}
				break
			}
		}
		return all
	}
	for _, p := range d.Properties() {
		if !p.Row.Contains(offset) {
			continue
		}
		if row, ok := text.Property(p.ID); ok && row.Row.Length > 0 {
			all = append(all, row.Row)
		}
	}
	return all
}

// maxPlaces bounds the places of one signal.
const maxPlaces = 20

// InSources returns where the sources declare or state what stands at an offset of Circuit.
func (s *Synthesis) InSources(offset int) (all []design.Target) {
	if s.circuit == nil {
		return nil
	}
	add := func(p place) {
		isKnown := slices.ContainsFunc(all, func(t design.Target) bool { return t.Path == p.path && t.Span == p.span })
		if p.isKnown() && !isKnown && len(all) < maxPlaces {
			all = append(all, design.Target{Path: p.path, Text: p.text, Span: p.span})
		}
	}
	of := func(l design.Lit) {
		if l < 2 {
			return
		}
		if b, ok := s.stored.bits[uint32(l)&^1]; ok {
			add(b.signal.place)
		}
		for _, x := range s.signals {
			for i, lit := range x.lits {
				if x.known[i] && lit/2 == uint32(l)/2 {
					add(x.place)
				}
			}
		}
	}
	text := s.text()
	row, onRow := text.RowAt(offset)
	name, isNamed := text.SymbolAt(offset)
	if isNamed {
		row, onRow = name.Row, name.Row.Section != ""
	}
	at := offset
	if onRow {
		at = row.Span.Start
	}
	for _, p := range text.Properties() {
		if p.Row.Length > 0 && p.Row.Contains(at) {
			add(s.placeOfCheck(p.ID))
		}
	}
	o, onSignal := text.OccurrenceAt(offset)
	switch {
	case len(all) > 0:
	case isNamed:
		of(name.Lit)
	case onSignal:
		of(o.Lit)
	}
	if len(all) == 0 && onRow {
		of(row.Signal.Lit())
	}
	return all
}

func (s *Synthesis) placeOfCheck(id circuit.Property) (p place) {
	if k := s.checks[id]; k != nil {
		p = k.place
	}
	return p
}
