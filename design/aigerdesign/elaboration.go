package aigerdesign

import (
	"context"
	"iter"

	"aiglens/aiger"
	"aiglens/aiger/syntax"
	"aiglens/circuit"
	"aiglens/circuit/compare"
	"aiglens/design"
	"aiglens/internal/source"
)

func (s *fileSyntax) Elaborate(ctx context.Context) (design.Elaboration, error) {
	e, err := aiger.ElaborateWithin(ctx, s.file)
	if err != nil {
		return nil, err
	}
	return elaboration{
		Flat: design.NewFlat(elaborated{e}, s.Text, s), names: newNames(textContents{s, e}, e.Circuit),
		elaborated: e, syntax: s,
	}, nil
}

// elaborated is what the circuit says for itself.
type elaborated struct{ *aiger.Elaboration }

func (e elaborated) Circuit() *circuit.Circuit              { return e.Elaboration.Circuit }
func (e elaborated) LitOf(l design.Lit) (circuit.Lit, bool) { return e.Elaboration.LitOf(uint32(l)) }
func (e elaborated) OriginLine(o circuit.Origin) int        { return aiger.LineFromOrigin(o) }

// textContents is a text with its circuit.
type textContents struct {
	*fileSyntax
	elaborated *aiger.Elaboration
}

func (t textContents) litOf(lit uint32) (circuit.Lit, bool) { return t.elaborated.LitOf(lit) }

func (t textContents) symbol(k syntax.SectionKind, index int) string {
	symbol, _ := t.file.Symbol(k, index)
	return t.overlay().symbol(k, index, symbol.Name)
}

func (t textContents) overlaid() *overlay { return t.overlay() }

func (t textContents) asides(k syntax.AsideKind) (all []string) {
	for _, a := range t.file.Asides() {
		if a.Kind == k {
			all = append(all, t.asideName(a))
		}
	}
	return all
}

func (t textContents) defined(k syntax.SectionKind) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		lo, hi := t.file.RowsOf(k)
		for r := lo; r < hi; r++ {
			if row := t.file.Numbers(r); row.N > 0 && !yield(row.Num[0]) {
				return
			}
		}
	}
}

// elaboration is the circuit of a file with the rows that it stems from.
type elaboration struct {
	design.Flat
	names      *names
	elaborated *aiger.Elaboration
	syntax     *fileSyntax
}

func (e elaboration) Elements() compare.Names                          { return e.names.Elements() }
func (e elaboration) Signal(v circuit.Var) (name string, isGiven bool) { return e.names.Signal(v) }
func (e elaboration) Literal(l circuit.Lit) string                     { return e.names.Literal(l) }
func (e elaboration) Find(name string) []circuit.Lit                   { return e.names.Find(name) }
func (e elaboration) Nets() iter.Seq2[string, circuit.Lit]             { return e.names.Nets() }

// FlipFlop returns the literal with the value of the flip-flop of a latch.
func (e elaboration) FlipFlop(index int) (circuit.Lit, design.SourceSignal, bool) {
	return e.names.FlipFlop(index), design.SourceSignal{}, false
}

// LatchSource returns the flip-flop, which a latch may hold inverted.
func (e elaboration) LatchSource(index int) (design.SourceSignal, bool) {
	found, ok := e.Flat.LatchSource(index)
	if !ok {
		return found, false
	}
	return e.syntax.overlay().source(index, found), true
}

// GateSource returns the wire of a gate, which the gate may hold inverted.
func (e elaboration) GateSource(number uint32) (design.SourceSignal, bool) {
	found, ok := e.Flat.GateSource(number)
	if !ok {
		return found, false
	}
	return e.syntax.overlay().gateSource(found), true
}

// NumInputs counts the rows: the circuit has the inputs of errors after them.
func (e elaboration) NumInputs() int { return e.rows(syntax.SectionInputs) }

// NumGateRows counts the rows of ANDs.
func (e elaboration) NumGateRows() int { return e.rows(syntax.SectionAnds) }

func (e elaboration) rows(k syntax.SectionKind) int {
	lo, hi := e.syntax.file.RowsOf(k)
	return hi - lo
}

// Gates numbers gates by their variables. Of two for the same gate of the circuit the
// one with a name counts.
func (e elaboration) Gates() []uint32 {
	found := make([]uint32, e.elaborated.Circuit.NumVars())
	for v := range e.syntax.file.LargestVar() + 1 {
		l, ok := e.elaborated.LitOf(2 * v)
		if !ok || l.Var() == 0 {
			continue
		}
		if old := found[l.Var()]; old == 0 || e.syntax.Name(design.Signal(old>>1)) == "" && e.syntax.Name(design.Signal(v)) != "" {
			found[l.Var()] = v<<1 | uint32(l&1)
		}
	}
	return found
}

// Broken returns the first error, also one that only the circuit shows: it then has more
// inputs than the text.
func (e elaboration) Broken() *source.Diagnostic {
	if d := e.Flat.Broken(); d != nil || len(e.elaborated.Circuit.Inputs()) == e.NumInputs() {
		return d
	}
	for _, p := range e.elaborated.Circuit.Properties() {
		if d := e.elaborated.Fault(p); d != nil {
			return d
		}
	}
	return &source.Diagnostic{Severity: source.Error, Message: "a literal is not soundly defined"}
}

// Sound names the first error with its place.
func (e elaboration) Sound() (told []source.Diagnostic, err error) { return nil, e.elaborated.Error() }
