package document

import (
	"fmt"

	"aiglens/blif"
	"aiglens/circuit"
	"aiglens/internal/source"
)

// Meaning is what a text calls a signal of its circuit.
type Meaning struct {
	Name    string // with the path of its instance; of one without a name its literal
	Lit     Lit    // of this text; 0 when another file defines it
	Negated bool   // the circuit's signal is the negation of the one named
	Row     source.Span
	Span    source.Span // the defining occurrence; of one in another file the instance
	Other   *Target     // the definition in another file; nil for one in this file
}

// meanings finds the gates of the text by those of the circuit.
type meanings interface {
	// gates returns, by variable of the circuit, 1 + a number of a gate, doubled, plus
	// 1 when the variable is its negation; 0 for a variable that the text has no word
	// for.
	gates() []uint32
	gate(number uint32) (Meaning, bool)
}

// Meaning returns what the text calls a literal of its circuit, whatever its sign. ok
// is false for a gate that no word of the text stands for, as within a cover.
func (d *Document) Meaning(l circuit.Lit) (Meaning, bool) {
	c := d.Circuit()
	switch c.Kind(l.Var()) {
	case circuit.KindLatch:
		p, ok := d.LatchPlace(c.LatchIndex(l.Var()))
		if p.Name == "" {
			p.Name = fmt.Sprint(p.Lit)
		}
		return Meaning{Name: p.Name, Lit: p.Lit, Row: p.Row, Span: p.Span, Other: p.Other}, ok
	case circuit.KindInput:
		return d.inputMeaning(c.InputIndex(l.Var()))
	}
	m, ok := d.elaborate().(meanings)
	if !ok {
		return Meaning{}, false
	}
	number := d.gates()[l.Var()]
	if number == 0 {
		return Meaning{}, false
	}
	found, ok := m.gate(number>>1 - 1)
	found.Negated = number&1 == 1
	return found, ok
}

// ElementNamed returns the latch or input of the circuit with one of ElementNames.
func (d *Document) ElementNamed(name string) (Meaning, bool) {
	l, ok := d.elements()[name]
	if !ok {
		return Meaning{}, false
	}
	return d.Meaning(l)
}

func (d *Document) elementsByName() map[string]circuit.Lit {
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

func (d *Document) inputMeaning(index int) (Meaning, bool) {
	origin := d.Circuit().Inputs()[index].Origin
	if e, ok := d.elaborate().(blifElaboration); ok {
		place, ok := e.Place(origin)
		if !ok {
			return Meaning{Name: e.InputName(index)}, true
		}
		m, ok := e.meaningAt(e.InputName(index), place.File, place.Span)
		return m, ok
	}
	row, ok := d.OriginSpan(origin)
	if !ok {
		return Meaning{}, false
	}
	o, ok := d.OccurrenceAt(row.Start)
	if !ok {
		return Meaning{}, false
	}
	return Meaning{Name: d.elementName(origin), Lit: o.Lit, Row: row, Span: o.Span}, true
}

func (e aigerElaboration) gates() []uint32 {
	found := make([]uint32, e.Circuit.NumVars())
	for v := range e.syntax.LargestVar() + 1 {
		l, ok := e.LitOf(2 * v)
		if !ok || l.Var() == 0 {
			continue
		}
		if old := found[l.Var()]; old == 0 || e.syntax.name(Signal(old>>1-1)) == "" && e.syntax.name(Signal(v)) != "" {
			found[l.Var()] = (v+1)<<1 | uint32(l&1)
		}
	}
	return found
}

func (e aigerElaboration) gate(v uint32) (Meaning, bool) {
	def, ok := e.syntax.definition(Signal(v))
	if !ok {
		return Meaning{}, false
	}
	m := Meaning{Name: e.syntax.name(Signal(v)), Lit: Signal(v).Lit(), Row: def.Row, Span: def.Span}
	if m.Name == "" {
		m.Name = fmt.Sprint(m.Lit)
	}
	return m, true
}

func (e blifElaboration) gates() []uint32 {
	found := make([]uint32, e.Circuit.NumVars())
	for n := range e.NumNets() {
		if l, ok := e.NetLit(n); ok && l.Var() != 0 && found[l.Var()] == 0 {
			found[l.Var()] = uint32(n+1)<<1 | uint32(l&1)
		}
	}
	return found
}

func (e blifElaboration) gate(number uint32) (Meaning, bool) {
	net := e.NetAt(int(number))
	def, ok := net.File.Definition(net.Signal)
	if !ok {
		return Meaning{}, false
	}
	m, ok := e.meaningAt(net.Name, net.File, def.Span)
	if ok && net.File == e.syntax.File {
		m.Lit = Signal(net.Signal).Lit()
	}
	return m, ok
}

// meaningAt returns the meaning of a net that a word of a file defines.
func (e blifElaboration) meaningAt(name string, f *blif.File, span source.Span) (Meaning, bool) {
	if f == e.syntax.File {
		m := Meaning{Name: name, Row: e.syntax.rowSpan(e.syntax.StatementAt(span.Start).ID), Span: span}
		if o, ok := e.syntax.OccurrenceAt(span.Start); ok {
			m.Lit = Signal(o.Signal).Lit()
		}
		return m, true
	}
	id, ok := e.callOf(name)
	if !ok {
		return Meaning{}, false
	}
	m := Meaning{Name: name, Row: e.syntax.rowSpan(id), Span: e.syntax.Statement(id).Directive}
	if e.syntax.view != nil {
		if path := e.syntax.view.PathOf(f); path != "" {
			m.Other = &Target{Word: m.Span, Path: path, Text: f.Text(), Span: span}
		}
	}
	return m, true
}
