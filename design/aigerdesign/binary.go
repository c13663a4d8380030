package aigerdesign

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync"

	"aiglens/aiger"
	"aiglens/aiger/syntax"
	"aiglens/circuit"
	"aiglens/circuit/compare"
	"aiglens/design"
	"aiglens/internal/source"
)

// binarySyntax is a file of numbers without a text. Its signals are the variables.
type binarySyntax struct {
	design.Base
	model       *aiger.Model // nil for a file with errors
	diagnostics []source.Diagnostic
	overlay     func() *overlay
}

func parseBinary(name, content string, option any) (design.Syntax, bool) {
	m, diagnostics, ok := aiger.ParseBinary(content)
	if !ok {
		return nil, false
	}
	s := newBinary(m, diagnostics)
	o, _ := option.(Option)
	s.overlay = sync.OnceValue(func() *overlay {
		if m == nil {
			return nil
		}
		return newOverlay(shapeOfModel(m), findMaps(o.viewOf(name), o, &lastOverlay{}))
	})
	return s, true
}

// FromModel returns the design of numbers that were never a text.
func FromModel(name string, m *aiger.Model) *design.Design {
	return design.NewBinary(name, Format, newBinary(m, nil))
}

func newBinary(m *aiger.Model, diagnostics []source.Diagnostic) *binarySyntax {
	s := &binarySyntax{model: m, diagnostics: diagnostics, overlay: func() *overlay { return nil }}
	s.Base = design.Base{Core: s}
	return s
}

func (s *binarySyntax) Diagnostics() []source.Diagnostic {
	return s.overlay().addFaults(s.diagnostics, source.Span{})
}

// HasNumbers holds: literals are the numbers of variables.
func (s *binarySyntax) HasNumbers() bool { return true }

// OccurrencesIn yields none: there is no text.
func (s *binarySyntax) OccurrencesIn(source.Span) iter.Seq[design.Occurrence] {
	return func(func(design.Occurrence) bool) {}
}

// Definition looks at the whole file.
func (s *binarySyntax) Definition(v design.Signal) (def design.Definition, ok bool) {
	if s.model == nil {
		return def, false
	}
	lit := uint32(v.Lit())
	if i := slices.Index(s.model.Inputs, lit); i >= 0 {
		return design.Definition{Kind: design.Input, Index: i}, true
	}
	if i := slices.IndexFunc(s.model.Latches, func(l syntax.Latch) bool { return l.Lit == lit }); i >= 0 {
		l := s.model.Latches[i]
		return design.Definition{Kind: design.Latch, Index: i, Next: design.Lit(l.Next), Reset: design.Lit(l.Reset)}, true
	}
	if i := slices.IndexFunc(s.model.Ands, func(g syntax.And) bool { return g.LHS == lit }); i >= 0 {
		g := s.model.Ands[i]
		return design.Definition{Kind: design.Gate, Index: i, Operands: []design.Lit{design.Lit(g.RHS0), design.Lit(g.RHS1)}}, true
	}
	return def, false
}

// Name returns the symbol of an input or latch, or "".
func (s *binarySyntax) Name(v design.Signal) string {
	def, ok := s.Definition(v)
	if !ok {
		return ""
	}
	if name, has := s.overlay().signal(def.Kind, def.Index, uint32(v.Lit())); has {
		return name
	}
	for _, symbol := range s.model.Symbols {
		if symbol.Index == def.Index && (symbol.Kind == syntax.SectionInputs && def.Kind == design.Input || symbol.Kind == syntax.SectionLatches && def.Kind == design.Latch) {
			return symbol.Name
		}
	}
	return ""
}

func (s *binarySyntax) Properties() (all []design.Property) {
	m := s.model
	if m == nil {
		return nil
	}
	n := numbers{model: m, symbols: symbolsOf(m), overlay: s.overlay()}
	add := func(kind circuit.PropertyKind, index int, given string, lits ...uint32) {
		id := circuit.Property{Kind: kind, Index: index}
		p := design.Property{ID: id, Name: nameOrPosition(given, id), Given: given}
		for _, l := range lits {
			p.Lits = append(p.Lits, design.Lit(l))
		}
		all = append(all, p)
	}
	for i, l := range m.Bads {
		add(circuit.PropertyBad, i, n.symbol(syntax.SectionBads, i), l)
	}
	if s.outputsAreBads() {
		for i, l := range m.Outputs {
			add(circuit.PropertyOutput, i, n.symbol(syntax.SectionOutputs, i), l)
		}
	}
	for i, lits := range m.Justice {
		add(circuit.PropertyJustice, i, n.symbol(syntax.SectionJustice, i), lits...)
	}
	var next [2]int // of lemmas and covers
	for _, a := range m.Asides() {
		kind, lit := circuit.PropertyCover, a.Lit
		if a.Kind == syntax.AsideLemma { // it fails where the literal is 0
			kind, lit = circuit.PropertyLemma, a.Lit^1
		}
		add(kind, next[a.Kind], aiger.AsideName(a), lit)
		next[a.Kind]++
	}
	return all
}

func (s *binarySyntax) outputsAreBads() bool {
	m := s.model
	return m != nil && len(m.Outputs) > 0 && len(m.Bads) == 0 && len(m.Justice) == 0
}

// PropertyRule says that outputs are properties.
func (s *binarySyntax) PropertyRule() string { return propertyRule(s.outputsAreBads()) }

// WithoutProperties lists the kinds that are missing.
func (s *binarySyntax) WithoutProperties() string { return withoutProperties }

var errBinary = errors.New("the binary file has errors")

// Elaborate builds the circuit from the numbers. The error may be that the file has errors.
func (s *binarySyntax) Elaborate(ctx context.Context) (design.Elaboration, error) {
	if s.model == nil {
		return nil, errBinary
	}
	c, lit, err := s.model.Literals()
	if err != nil {
		return nil, err
	}
	n := numbers{model: s.model, symbols: symbolsOf(s.model), overlay: s.overlay(), lit: lit, defines: sync.OnceValue(s.model.Defined)}
	e := binaryElaboration{numbers: n, names: newNames(n, c), syntax: s}
	e.Flat = design.NewFlat(numbered{n, c}, s.Text, s)
	return e, ctx.Err()
}

// numbers are the contents of a file with where its literals are in the circuit.
type numbers struct {
	model   *aiger.Model
	symbols map[element]string
	overlay *overlay
	lit     func(uint32) circuit.Lit
	defines func() func(lit uint32) bool
}

type element struct {
	kind  syntax.SectionKind
	index int
}

func symbolsOf(m *aiger.Model) map[element]string {
	all := make(map[element]string, len(m.Symbols))
	for _, s := range m.Symbols {
		all[element{s.Kind, s.Index}] = s.Name
	}
	return all
}

func (n numbers) symbol(k syntax.SectionKind, index int) string {
	return n.overlay.symbol(k, index, n.symbols[element{k, index}])
}

func (n numbers) overlaid() *overlay { return n.overlay }

func (n numbers) asides(k syntax.AsideKind) (all []string) {
	for _, a := range n.model.Asides() {
		if a.Kind == k {
			all = append(all, aiger.AsideName(a))
		}
	}
	return all
}

func (n numbers) defined(k syntax.SectionKind) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		switch k {
		case syntax.SectionInputs:
			for _, l := range n.model.Inputs {
				if !yield(l) {
					return
				}
			}
		case syntax.SectionLatches:
			for _, l := range n.model.Latches {
				if !yield(l.Lit) {
					return
				}
			}
		case syntax.SectionAnds:
			for _, g := range n.model.Ands {
				if !yield(g.LHS) {
					return
				}
			}
		}
	}
}

func (n numbers) litOf(lit uint32) (circuit.Lit, bool) {
	if !n.defines()(lit) {
		return 0, false
	}
	return n.lit(lit), true
}

// numbered is what the circuit says for itself.
type numbered struct {
	numbers
	circuit *circuit.Circuit
}

func (n numbered) Circuit() *circuit.Circuit                 { return n.circuit }
func (n numbered) LitOf(l design.Lit) (circuit.Lit, bool)    { return n.litOf(uint32(l)) }
func (n numbered) Fault(circuit.Property) *source.Diagnostic { return nil }
func (n numbered) OriginLine(circuit.Origin) int             { return -1 }

// binaryElaboration is the circuit of numbers. What has no symbol goes by its literal.
type binaryElaboration struct {
	design.Flat
	numbers numbers
	names   *names
	syntax  *binarySyntax
}

func (e binaryElaboration) Elements() compare.Names { return e.names.Elements() }
func (e binaryElaboration) Signal(v circuit.Var) (name string, isGiven bool) {
	return e.names.Signal(v)
}
func (e binaryElaboration) Literal(l circuit.Lit) string   { return e.names.Literal(l) }
func (e binaryElaboration) Find(name string) []circuit.Lit { return e.names.Find(name) }
func (e binaryElaboration) NumGateRows() int               { return len(e.numbers.model.Ands) }

// LatchSource returns a latch by its symbol; it has no row.
func (e binaryElaboration) LatchSource(index int) (design.SourceSignal, bool) {
	return e.numbers.overlay.source(index, design.SourceSignal{
		Name: e.numbers.symbol(syntax.SectionLatches, index), Lit: design.Lit(e.numbers.model.Latches[index].Lit),
	}), true
}

// InputSource returns an input by its symbol or literal; it has no row.
func (e binaryElaboration) InputSource(index int) (design.SourceSignal, bool) {
	found := design.SourceSignal{Name: e.numbers.symbol(syntax.SectionInputs, index), Lit: design.Lit(e.numbers.model.Inputs[index])}
	if isBlank(found.Name) {
		found.Name = fmt.Sprint(found.Lit)
	}
	return found, true
}

func (e binaryElaboration) LatchName(index int) string {
	if name := e.numbers.symbol(syntax.SectionLatches, index); !isBlank(name) {
		return name
	}
	return fmt.Sprint(e.numbers.model.Latches[index].Lit)
}

func (e binaryElaboration) FlipFlop(index int) (circuit.Lit, design.SourceSignal, bool) {
	return e.names.FlipFlop(index), design.SourceSignal{}, false
}

func (e binaryElaboration) Nets() iter.Seq2[string, circuit.Lit] { return e.names.Nets() }

func (e binaryElaboration) InputName(index int) string {
	found, _ := e.InputSource(index)
	return found.Name
}

// Gates numbers gates by their variables.
func (e binaryElaboration) Gates() []uint32 {
	found := make([]uint32, e.Circuit().NumVars())
	for _, g := range e.numbers.model.Ands {
		if l := e.numbers.lit(g.LHS); l.Var() != 0 && found[l.Var()] == 0 {
			found[l.Var()] = g.LHS | uint32(l&1)
		}
	}
	return found
}

// GateSource returns a gate by its literal; it has no row.
func (e binaryElaboration) GateSource(number uint32) (design.SourceSignal, bool) {
	l := design.Signal(number).Lit()
	return e.numbers.overlay.gateSource(design.SourceSignal{Name: fmt.Sprint(l), Lit: l}), true
}

// Parts returns the ANDs, latches and constraints, which have no rows. An AND of a variable with
// itself or a constant is not a gate.
func (e binaryElaboration) Parts(ctx context.Context) ([]design.Part, error) {
	m := e.numbers.model
	parts := make([]design.Part, 0, len(m.Latches)+len(m.Constraints)+len(m.Ands))
	for i := range m.Latches {
		parts = append(parts, design.Part{Latches: []int{i}})
	}
	for i := range e.Circuit().Constraints() {
		parts = append(parts, design.Part{Constraints: []int{i}})
	}
	for _, g := range m.Ands {
		v, left, right := e.numbers.lit(g.LHS).Var(), e.numbers.lit(g.RHS0).Var(), e.numbers.lit(g.RHS1).Var()
		parts = append(parts, design.Part{
			Gates: []circuit.Var{v}, IsShared: e.Circuit().Kind(v) != circuit.KindAnd || left == 0 || right == 0 || left == right,
		})
	}
	return parts, ctx.Err()
}
