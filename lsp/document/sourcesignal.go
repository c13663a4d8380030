package document

import (
	"fmt"

	"aiglens/blif"
	"aiglens/circuit"
	"aiglens/internal/source"
)

// SourceSignal is what a text calls a signal of its circuit.
type SourceSignal struct {
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
	gate(number uint32) (SourceSignal, bool)
}

// SourceOf returns what the text calls a literal of its circuit, whatever its sign. ok
// is false for a gate that no word of the text stands for, as within a cover.
func (d *Document) SourceOf(l circuit.Lit) (SourceSignal, bool) {
	c := d.Circuit()
	switch c.Kind(l.Var()) {
	case circuit.KindLatch:
		p, ok := d.LatchSource(c.LatchIndex(l.Var()))
		if p.Name == "" {
			p.Name = fmt.Sprint(p.Lit)
		}
		return SourceSignal{Name: p.Name, Lit: p.Lit, Row: p.Row, Span: p.Span, Other: p.Other}, ok
	case circuit.KindInput:
		return d.inputSource(c.InputIndex(l.Var()))
	}
	m, ok := d.elaborate().(meanings)
	if !ok {
		return SourceSignal{}, false
	}
	number := d.gates()[l.Var()]
	if number == 0 {
		return SourceSignal{}, false
	}
	found, ok := m.gate(number>>1 - 1)
	found.Negated = number&1 == 1
	return found, ok
}

// ElementNamed returns the latch or input of the circuit with one of ElementNames.
func (d *Document) ElementNamed(name string) (SourceSignal, bool) {
	l, ok := d.elements()[name]
	if !ok {
		return SourceSignal{}, false
	}
	return d.SourceOf(l)
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

func (d *Document) inputSource(index int) (SourceSignal, bool) {
	origin := d.Circuit().Inputs()[index].Origin
	if e, ok := d.elaborate().(blifElaboration); ok {
		place, ok := e.Place(origin)
		if !ok {
			return SourceSignal{Name: e.InputName(index)}, true
		}
		m, ok := e.sourceAt(e.InputName(index), place.File, place.Span)
		return m, ok
	}
	row, ok := d.OriginSpan(origin)
	if !ok {
		return SourceSignal{}, false
	}
	o, ok := d.OccurrenceAt(row.Start)
	if !ok {
		return SourceSignal{}, false
	}
	return SourceSignal{Name: d.elementName(origin), Lit: o.Lit, Row: row, Span: o.Span}, true
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

func (e aigerElaboration) gate(v uint32) (SourceSignal, bool) {
	def, ok := e.syntax.definition(Signal(v))
	if !ok {
		return SourceSignal{}, false
	}
	m := SourceSignal{Name: e.syntax.name(Signal(v)), Lit: Signal(v).Lit(), Row: def.Row, Span: def.Span}
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

func (e blifElaboration) gate(number uint32) (SourceSignal, bool) {
	net := e.NetAt(int(number))
	def, ok := net.File.Definition(net.Signal)
	if !ok {
		return SourceSignal{}, false
	}
	m, ok := e.sourceAt(net.Name, net.File, def.Span)
	if ok && net.File == e.syntax.File {
		m.Lit = Signal(net.Signal).Lit()
	}
	return m, ok
}

// sourceAt returns the source of a net that a word of a file defines.
func (e blifElaboration) sourceAt(name string, f *blif.File, span source.Span) (SourceSignal, bool) {
	if f == e.syntax.File {
		m := SourceSignal{Name: name, Row: e.syntax.rowSpan(e.syntax.StatementAt(span.Start).ID), Span: span}
		if o, ok := e.syntax.OccurrenceAt(span.Start); ok {
			m.Lit = Signal(o.Signal).Lit()
		}
		return m, true
	}
	id, ok := e.callOf(name)
	if !ok {
		return SourceSignal{}, false
	}
	m := SourceSignal{Name: name, Row: e.syntax.rowSpan(id), Span: e.syntax.Statement(id).Directive}
	if e.syntax.view != nil {
		if path := e.syntax.view.PathOf(f); path != "" {
			m.Other = &Target{Word: m.Span, Path: path, Text: f.Text(), Span: span}
		}
	}
	return m, true
}
