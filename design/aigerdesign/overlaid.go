package aigerdesign

import (
	"slices"
	"strings"

	"aiglens/aiger/syntax"
	"aiglens/circuit"
	"aiglens/design"
	"aiglens/design/words"
	"aiglens/internal/source"
)

// symbol returns the name of an element that has a symbol, or "" for none. The text names
// properties and constraints before a map does, a map all else.
func (o *overlay) symbol(k syntax.SectionKind, index int, symbol string) string {
	if o == nil {
		return symbol
	}
	at := func(names []string) string {
		if index < len(names) {
			return names[index]
		}
		return ""
	}
	switch k {
	case syntax.SectionInputs:
		return orElse(at(o.inputs), symbol)
	case syntax.SectionLatches:
		return orElse(at(o.latches), symbol)
	case syntax.SectionOutputs:
		return orElse(at(o.outputs), symbol)
	case syntax.SectionBads:
		return orElse(symbol, at(o.asserts))
	case syntax.SectionConstraints:
		return orElse(symbol, at(o.assumes))
	}
	return symbol
}

func orElse(name, other string) string {
	if isBlank(name) {
		return other
	}
	return name
}

// signal returns the name of what a row defines; ok is false where no map has one.
func (o *overlay) signal(kind design.SignalKind, index int, lit uint32) (name string, ok bool) {
	switch kind {
	case design.Input:
		name = o.symbol(syntax.SectionInputs, index, "")
	case design.Latch:
		name = o.symbol(syntax.SectionLatches, index, "")
	case design.Gate:
		return o.gate(lit)
	}
	return name, name != ""
}

// gate returns the name of the variable of a literal.
func (o *overlay) gate(lit uint32) (name string, ok bool) {
	if o == nil {
		return "", false
	}
	name, ok = o.gates[lit&^1]
	return name, ok
}

// source returns the flip-flop of a latch.
func (o *overlay) source(index int, found design.SourceSignal) design.SourceSignal {
	if o == nil || index >= len(o.flipFlops) || o.flipFlops[index].name == "" {
		return found
	}
	f := o.flipFlops[index]
	found.Name = f.name
	if f.lit == uint32(found.Lit)|1 {
		found.Lit, found.Negated = design.Lit(f.lit), true
	}
	return found
}

// gateSource returns the wire of a gate, which is another one than its literal where this has the
// complement.
func (o *overlay) gateSource(found design.SourceSignal) design.SourceSignal {
	name, ok := o.gate(uint32(found.Lit))
	if !ok {
		return found
	}
	found.Name = name
	if plain, isNegated := strings.CutPrefix(name, "!"); isNegated {
		found.Name, found.Lit, found.Negated = plain, found.Lit|1, true
	}
	return found
}

// addFaults adds to diagnostics why a map is not used, at a place of the text.
func (o *overlay) addFaults(found []source.Diagnostic, span source.Span) []source.Diagnostic {
	if o == nil || len(o.faults) == 0 {
		return found
	}
	found = slices.Clone(found)
	for _, fault := range o.faults {
		found = append(found, syntax.Catalogue.Finding(syntax.CodeMap, span, fault))
	}
	return found
}

// findWire returns what maps call by a name; of two literals in the circuit both.
func (n *names) findWire(name string) (found []circuit.Lit) {
	o := n.overlaid()
	if o == nil {
		return nil
	}
	for _, lit := range o.byName[name] {
		if l, ok := n.litOf(lit &^ 1); ok {
			if l = l.NotIf(lit&1 == 1); !slices.Contains(found, l) {
				found = append(found, l)
			}
		}
	}
	return found
}

// FlipFlop returns the literal with the value of the flip-flop of a latch.
func (n *names) FlipFlop(index int) circuit.Lit {
	l := n.circuit.Latches()[index].Lit
	o := n.overlaid()
	if o == nil || index >= len(o.flipFlops) {
		return l
	}
	lit := o.flipFlops[index].lit
	if found, ok := n.litOf(lit &^ 1); ok {
		return found.NotIf(lit&1 == 1)
	}
	return l
}

// words returns the wires of maps that have several bits.
func (n *names) words() (all []design.Word) {
	o := n.overlaid()
	if o == nil {
		return nil
	}
	for i := range o.words {
		if w, ok := n.word(&o.words[i]); ok {
			all = append(all, w)
		}
	}
	return all
}

func (n *names) word(of *wordOfMap) (w design.Word, ok bool) {
	low, width := of.low, of.high-of.low+1
	if width < 2 || !words.MayBe(width, len(of.bits)) {
		return w, false
	}
	w = design.Word{Name: of.name, Low: low, Bits: make([]design.Bit, width), Origin: design.FromMap}
	for i := range w.Bits {
		lit, has := of.bits[low+i]
		l, known := n.litOf(lit &^ 1)
		w.Bits[i] = design.Bit{Lit: l.NotIf(lit&1 == 1), Missing: !has || !known}
	}
	return w, true
}
