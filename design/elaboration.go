package design

import (
	"context"
	"fmt"

	"aiglens/circuit"
	"aiglens/internal/source"
)

// Elaboration is the circuit of one text and the way back from it. It never changes
// and is safe for concurrent use.
//
// A format writes the methods of Elaborated. Flat answers all others from these for
// a text in which each element of the circuit has a line of its own; a format with
// instances of models overrides them.
type Elaboration interface {
	Elaborated
	Names

	// NumInputs returns the number of inputs of the text. The circuit may have more
	// behind them, in place of errors.
	NumInputs() int
	// LatchSource and InputSource return what the text calls an element.
	LatchSource(index int) (SourceSignal, bool)
	InputSource(index int) (SourceSignal, bool)
	// Gates returns, by variable of the circuit, a number of a gate from 1, doubled,
	// plus 1 when the variable is its negation; 0 for a variable that the text has no
	// word for.
	Gates() []uint32
	// GateSource returns what the text calls the gate with a number of Gates.
	GateSource(number uint32) (SourceSignal, bool)

	// Parts returns the rows of gates, latches and constraints with what each states, as Design.Parts, but for
	// gates that several of them state.
	Parts(context.Context) ([]Part, error)

	// Broken returns the first error in what the whole circuit is made of, or nil.
	Broken() *source.Diagnostic
	// Sound says why the circuit is not that of the whole text; told is what the user is
	// told besides, which may be something where the error is nil.
	Sound() (told []source.Diagnostic, err error)

	// Of instances. Each is as the method of Design says.
	Copies(l Lit, limit int) []Copy
	LeftOpen(circuit.Property) LeftOpen
	LeftOpenAt(...circuit.Lit) LeftOpen
}

// Elaborated is what every format says of the circuit of a text.
type Elaborated interface {
	// Circuit returns the circuit. It has a cut wherever the text is faulty.
	Circuit() *circuit.Circuit
	// LitOf returns the circuit's literal for one of the text; ok is false when its
	// signal is not soundly defined.
	LitOf(Lit) (lit circuit.Lit, ok bool)
	// Fault returns the error that forbids a verdict on a property, or nil. A text
	// with an error in the cone of a property must have one.
	Fault(circuit.Property) *source.Diagnostic
	// OriginLine returns the line that an element of the circuit stems from, or -1.
	OriginLine(circuit.Origin) int
}

// Flat makes an Elaboration of an Elaborated.
type Flat struct {
	Elaborated
	text   source.Text
	syntax Syntax
}

var _ Elaboration = Flat{}

// NewFlat returns the elaboration of a syntax.
func NewFlat(e Elaborated, text source.Text, s Syntax) Flat { return Flat{e, text, s} }

// NumInputs counts those of the circuit.
func (f Flat) NumInputs() int { return len(f.Circuit().Inputs()) }

// Broken returns the first error of the text.
func (f Flat) Broken() *source.Diagnostic {
	for _, d := range f.syntax.Diagnostics() {
		if d.Severity == source.Error {
			return &d
		}
	}
	return nil
}

// Sound refuses a text with an error.
func (f Flat) Sound() (told []source.Diagnostic, err error) {
	if d := f.Broken(); d != nil {
		line, column := f.text.LineColumn(d.Span.Start)
		return nil, fmt.Errorf("line %d, column %d: %s", line, column, d.Message)
	}
	return nil, nil
}

// LatchSource returns the signal that the latch's line is about.
func (f Flat) LatchSource(index int) (SourceSignal, bool) {
	return f.sourceIn(f.Circuit().Latches()[index].Origin)
}

// InputSource returns the signal that the input's line is about; its literal is the
// name of one that has none.
func (f Flat) InputSource(index int) (SourceSignal, bool) {
	found, ok := f.sourceIn(f.Circuit().Inputs()[index].Origin)
	found.Name = nameOrLiteral(found, ok)
	return found, ok
}

func nameOrLiteral(s SourceSignal, ok bool) string {
	if ok && s.Name == "" {
		return fmt.Sprint(s.Lit)
	}
	return s.Name
}

// sourceIn returns the signal that a line of the text is about: the one that it
// begins with, else the first that it defines.
func (f Flat) sourceIn(origin circuit.Origin) (SourceSignal, bool) {
	line := f.OriginLine(origin)
	if line < 0 || line >= f.text.NumLines() {
		return SourceSignal{}, false
	}
	row := f.text.LineSpan(line)
	found, ok := f.syntax.OccurrenceAt(row.Start)
	if !ok {
		for o := range f.syntax.OccurrencesIn(row) {
			if o.Role == RoleDefinition {
				found, ok = o, true
				break
			}
		}
	}
	if !ok {
		return SourceSignal{}, false
	}
	return SourceSignal{Name: f.syntax.Name(found.Lit.Signal()), Lit: found.Lit, Row: row, Span: found.Span}, true
}

// Gates numbers gates by their signals. It looks at the whole text.
func (f Flat) Gates() []uint32 {
	found := make([]uint32, f.Circuit().NumVars())
	for o := range f.syntax.OccurrencesIn(source.Span{Length: f.text.Len()}) {
		if o.Role != RoleDefinition {
			continue
		}
		s := o.Lit.Signal()
		if l, ok := f.LitOf(s.Lit()); ok && l.Var() != 0 && found[l.Var()] == 0 {
			found[l.Var()] = uint32(s)<<1 | uint32(l&1)
		}
	}
	return found
}

// GateSource returns what the text defines; its literal is the name of a signal that
// has none.
func (f Flat) GateSource(number uint32) (SourceSignal, bool) {
	s := Signal(number)
	def, ok := f.syntax.Definition(s)
	if !ok {
		return SourceSignal{}, false
	}
	found := SourceSignal{Name: f.syntax.Name(s), Lit: s.Lit(), Row: def.Row, Span: def.Span}
	found.Name = nameOrLiteral(found, true)
	return found, true
}

// Copies returns the literal itself, without a path.
func (f Flat) Copies(l Lit, limit int) []Copy {
	if lit, ok := f.LitOf(l); ok {
		return []Copy{{Lit: lit}}
	}
	return nil
}

// LeftOpen returns nothing: what has no definition is an error, and each latch has a reset.
func (f Flat) LeftOpen(circuit.Property) LeftOpen { return LeftOpen{} }

// LeftOpenAt returns nothing, as LeftOpen.
func (f Flat) LeftOpenAt(...circuit.Lit) LeftOpen { return LeftOpen{} }

// noCircuit is the circuit of a text of no format.
type noCircuit struct{}

func (noCircuit) Circuit() *circuit.Circuit                 { return circuit.NewBuilder(0).Build() }
func (noCircuit) LitOf(Lit) (circuit.Lit, bool)             { return 0, false }
func (noCircuit) Fault(circuit.Property) *source.Diagnostic { return nil }
func (noCircuit) OriginLine(circuit.Origin) int             { return -1 }
