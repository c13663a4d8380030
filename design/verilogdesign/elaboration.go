package verilogdesign

import (
	"context"
	"iter"
	"slices"
	"strings"
	"sync"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/internal/source"
	"aiglens/internal/yosys"
)

// elaboration is the circuit that Yosys has written, seen from one source. What has no name in the
// sources goes by the literal of the AIGER file, as there.
type elaboration struct {
	design.Elaboration // of the AIGER file
	syntax             *fileSyntax
	// sources are the signals by the variables of the circuit, with the bit that each is, and
	// named the bits by their names.
	sources func() map[circuit.Var]bitOf
	named   func() map[string][]circuit.Lit
	words   func() []design.Word
	// scoped are the signals by their names and those of their bits.
	scoped func() map[string]*signal
}

// bitOf is a bit of a signal; negated says that the variable is its negation.
type bitOf struct {
	signal  *signal
	bit     int
	negated bool
}

func newElaboration(s *fileSyntax, inner design.Elaboration) *elaboration {
	e := &elaboration{Elaboration: inner, syntax: s}
	e.sources = sync.OnceValue(e.findSources)
	e.named = sync.OnceValue(e.findNamed)
	e.words = sync.OnceValue(e.findWords)
	e.scoped = sync.OnceValue(e.findScoped)
	return e
}

// inner returns the circuit's literal for one of the model.
func (e *elaboration) inner(lit uint32) (circuit.Lit, bool) {
	if lit < 2 {
		return circuit.Lit(lit), true
	}
	return e.Elaboration.LitOf(design.Lit(lit))
}

func (e *elaboration) findSources() map[circuit.Var]bitOf {
	found := map[circuit.Var]bitOf{}
	for _, x := range e.syntax.synthesis.signals {
		for i, lit := range x.lits {
			l, ok := e.inner(lit)
			if !ok || !x.known[i] || l.Var() == 0 {
				continue
			}
			if before, has := found[l.Var()]; !has || before.negated && !l.IsNegated() {
				found[l.Var()] = bitOf{x, i, l.IsNegated()}
			}
		}
	}
	return found
}

func (e *elaboration) findNamed() map[string][]circuit.Lit {
	found := map[string][]circuit.Lit{}
	for _, x := range e.syntax.synthesis.signals {
		for i, lit := range x.lits {
			if l, ok := e.inner(lit); ok && x.known[i] {
				found[x.bitName(i)] = append(found[x.bitName(i)], l)
			}
		}
	}
	return found
}

func (e *elaboration) findWords() []design.Word {
	var all []design.Word
	for _, x := range e.syntax.synthesis.signals {
		if len(x.lits) < 2 {
			continue
		}
		w := x.word(e.inner)
		if x.place.path == e.syntax.uri {
			w.Span = x.place.span
		}
		all = append(all, w)
	}
	for _, b := range e.syntax.synthesis.stored.words {
		if len(b.word.bits) > 1 {
			all = append(all, wordOfStored(b, e.inner))
		}
	}
	return all
}

// LitOf knows what one instance declares; of several, a name stands for several literals.
func (e *elaboration) LitOf(l design.Lit) (circuit.Lit, bool) {
	if l.Signal() == 0 {
		return circuit.Lit(l), true
	}
	d, bit := e.syntax.declaration(l.Signal())
	if d == nil {
		lit, ok := e.inner(e.syntax.variable(l.Signal()))
		return lit.NotIf(l.IsNegated()), ok
	}
	if len(d.signals) != 1 {
		return 0, false
	}
	return e.bit(d.signals[0], bit, l.IsNegated())
}

func (e *elaboration) bit(x *signal, bit int, negated bool) (circuit.Lit, bool) {
	if bit >= len(x.lits) || !x.known[bit] {
		return 0, false
	}
	l, ok := e.inner(x.lits[bit])
	return l.NotIf(negated), ok
}

// Copies returns the literals of a declaration in the instances of its module.
func (e *elaboration) Copies(l design.Lit, limit int) []design.Copy {
	d, bit := e.syntax.declaration(l.Signal())
	if d == nil {
		if lit, ok := e.LitOf(l); ok {
			return []design.Copy{{Lit: lit}}
		}
		return nil
	}
	var all []design.Copy
	for _, x := range d.signals {
		if lit, ok := e.bit(x, bit, l.IsNegated()); ok && len(all) < limit {
			all = append(all, design.Copy{Path: strings.Join(x.path, "."), Name: x.bitName(bit), Lit: lit})
		}
	}
	slices.SortStableFunc(all, func(a, b design.Copy) int { return strings.Compare(a.Path, b.Path) })
	return all
}

// source returns what the sources call a variable.
func (e *elaboration) source(v circuit.Var) (found design.SourceSignal, ok bool) {
	b, ok := e.sources()[v]
	if !ok {
		return found, false
	}
	return e.sourceOf(b), true
}

func (e *elaboration) sourceOf(b bitOf) design.SourceSignal {
	found := e.placed(design.SourceSignal{Name: b.signal.bitName(b.bit), Negated: b.negated}, b.signal.place)
	if i, ok := e.syntax.atPlace[found.Span]; ok && found.Span.Length > 0 {
		found.Lit = (e.syntax.declared[i].first + design.Signal(b.bit)).Lit()
	}
	return found
}

// placed returns a signal at a place.
func (e *elaboration) placed(found design.SourceSignal, p place) design.SourceSignal {
	switch s := e.syntax; {
	case p.path == s.uri:
		found.Span, found.Row = p.span, s.text.LineSpan(s.text.LineAt(p.span.Start))
	case p.isKnown():
		found.Other = &design.Target{Path: p.path, Text: p.text, Span: p.span}
	}
	return found
}

// LatchSource returns a register by its name; one without a name is that of the AIGER file.
func (e *elaboration) LatchSource(index int) (design.SourceSignal, bool) {
	if found, ok := e.source(e.Circuit().Latches()[index].Lit.Var()); ok && !found.Negated {
		return found, true
	}
	found, ok := e.Elaboration.LatchSource(index)
	if b, isStored := e.syntax.synthesis.stored.bits[uint32(found.Lit)]; isStored {
		found = e.placed(found, b.signal.place)
	}
	found.Name, found.Lit = e.Elaboration.LatchName(index), e.syntax.lit(uint32(found.Lit))
	return found, ok
}

// FlipFlop returns the register whose state a latch keeps. Its variable may have another name, that of its
// negation.
func (e *elaboration) FlipFlop(index int) (l circuit.Lit, found design.SourceSignal, isRegister bool) {
	latch, _ := e.Elaboration.LatchSource(index)
	if lit, ok := e.syntax.synthesis.stored.registers[uint32(latch.Lit)]; ok {
		if l, ok := e.inner(lit); ok {
			return l, e.sourceOf(e.syntax.synthesis.stored.bits[uint32(latch.Lit)].bitOf()), true
		}
	}
	return e.Circuit().Latches()[index].Lit, design.SourceSignal{}, false
}

// InputSource is LatchSource for inputs.
func (e *elaboration) InputSource(index int) (design.SourceSignal, bool) {
	if found, ok := e.source(e.Circuit().Inputs()[index].Lit.Var()); ok && !found.Negated {
		return found, true
	}
	found, ok := e.Elaboration.InputSource(index)
	found.Name, found.Lit = e.Elaboration.InputName(index), e.syntax.lit(uint32(found.Lit))
	return found, ok
}

// Gates numbers the variables that have names by themselves.
func (e *elaboration) Gates() []uint32 {
	found := make([]uint32, e.Circuit().NumVars())
	for v, b := range e.sources() {
		found[v] = uint32(v) << 1
		if b.negated {
			found[v] |= 1
		}
	}
	return found
}

// GateSource returns a wire by its name.
func (e *elaboration) GateSource(number uint32) (design.SourceSignal, bool) {
	found, ok := e.source(circuit.Var(number))
	found.Negated = false // it is the literal that Gates gives
	return found, ok
}

// Signal returns the name of a variable.
func (e *elaboration) Signal(v circuit.Var) (name string, isGiven bool) {
	if b, ok := e.sources()[v]; ok && !b.negated {
		return b.signal.bitName(b.bit), true
	}
	return e.Elaboration.Signal(v)
}

// Literal returns the name of a signal, and says so where it is negated.
func (e *elaboration) Literal(l circuit.Lit) string {
	b, ok := e.sources()[l.Var()]
	switch {
	case !ok:
		return e.Elaboration.Literal(l)
	case b.negated != l.IsNegated():
		return "not " + b.signal.bitName(b.bit)
	}
	return b.signal.bitName(b.bit)
}

// Find returns what the sources call by a name, else what the AIGER file does.
func (e *elaboration) Find(name string) []circuit.Lit {
	if found := e.named()[name]; len(found) > 0 {
		return found
	}
	return e.Elaboration.Find(name)
}

// Nets yields the bits of wires that are neither inputs nor registers.
func (e *elaboration) Nets() iter.Seq2[string, circuit.Lit] {
	return func(yield func(string, circuit.Lit) bool) {
		for _, x := range e.syntax.synthesis.signals {
			for i := range x.lits {
				l, ok := e.bit(x, i, false)
				if b := e.sources()[l.Var()]; !ok || l.Var() != 0 && e.Circuit().Kind(l.Var()) != circuit.KindAnd && b.signal == x && !b.negated {
					continue // what is the negation of a latch does not give it its name
				}
				if !yield(x.bitName(i), l) {
					return
				}
			}
		}
	}
}

// Words returns the vectors of the sources.
func (e *elaboration) Words() []design.Word { return e.words() }

// Scopes splits a name at the instances and generate blocks around it.
func (e *elaboration) Scopes(name string) (path []string, local string) {
	x, ok := e.scoped()[name]
	if !ok || len(x.path) == 0 {
		return nil, name
	}
	return x.path, strings.TrimPrefix(name, strings.TrimSuffix(x.name, x.local))
}

func (e *elaboration) findScoped() map[string]*signal {
	found := map[string]*signal{}
	for _, x := range e.syntax.synthesis.signals {
		found[x.name] = x
		for i := range x.lits {
			found[x.bitName(i)] = x
		}
	}
	return found
}

// Top returns the name of the top module.
func (e *elaboration) Top() string { return e.syntax.synthesis.top }

// NumGateRows returns −1: no row of Verilog is a gate.
func (e *elaboration) NumGateRows() int { return -1 }

// OriginLine knows no lines: signals and properties have places of their own.
func (e *elaboration) OriginLine(circuit.Origin) int { return -1 }

// Broken returns none: there is no circuit of a text with errors.
func (e *elaboration) Broken() *source.Diagnostic { return nil }

// Sound holds, as Broken.
func (e *elaboration) Sound() (told []source.Diagnostic, err error) { return nil, nil }

// Parts are those of the AIGER file; a register has the place of its declaration.
func (e *elaboration) Parts(ctx context.Context) ([]design.Part, error) {
	parts, err := e.Elaboration.Parts(ctx)
	for i := range parts {
		if len(parts[i].Latches) != 1 {
			continue
		}
		if found, ok := e.LatchSource(parts[i].Latches[0]); ok {
			parts[i].Span, parts[i].Name = found.Span, found.Name
		}
	}
	return parts, err
}

// modules are those of the design before it was flattened.
func (s *Synthesis) modules() []*yosys.Netlist {
	if s.output == nil {
		return nil
	}
	return s.output.Modules
}
