package verilogdesign

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"unicode"

	"aiglens/design"
	"aiglens/internal/source"
	"aiglens/internal/synthesis"
)

// fileSyntax is a source with what Yosys has made of its design. Signals are numbered from 1: first the
// bits of what the text declares, then the variables of the circuit.
type fileSyntax struct {
	design.Base
	uri       string
	text      source.Text
	synthesis *Synthesis // nil for none, or one of another text
	isOlder   bool       // there is a synthesis, of another text
	whole     bool
	isFirst   bool              // of the sources
	isOpen    bool              // in an editor
	top       string            // the top module, also of an older synthesis; "" for none
	rows      []design.Property // of an earlier version, where this one has no circuit
	rowsOf    *Synthesis        // that has the rows

	declared    []declaration       // in the order of the text
	atPlace     map[source.Span]int // positions in declared
	occurrences []design.Occurrence
	numBits     int // of all that is declared
}

// declaration is a name of the text for a signal, or for one in each instance of its module.
type declaration struct {
	place   place
	signals []*signal
	first   design.Signal // its bit 0
	width   int
}

func newSyntax(in design.Unparsed, o Option) *fileSyntax {
	s := &fileSyntax{text: in.Text, whole: o.Whole, isOpen: o.Open != nil}
	s.synthesis, s.uri, s.isOlder = o.outcomeFor(in.URI, in.Text)
	s.top = o.topFor(in.URI)
	if s.isOpen && !s.hasCircuit() {
		s.rows, s.rowsOf = s.earlier(in.Before, o, in.URI)
	}
	if s.synthesis == nil {
		return s
	}
	s.isFirst = s.synthesis.indexOf(s.uri) == 0
	s.findDeclarations()
	s.findOccurrences()
	return s
}

func (s *fileSyntax) hasCircuit() bool { return s.synthesis != nil && s.synthesis.circuit != nil }

func (s *fileSyntax) findDeclarations() {
	at := map[source.Span]int{}
	for _, x := range s.synthesis.signals {
		if x.place.path != s.uri {
			continue
		}
		i, has := at[x.place.span]
		if !has {
			i = len(s.declared)
			at[x.place.span], s.declared = i, append(s.declared, declaration{place: x.place})
		}
		d := &s.declared[i]
		d.signals, d.width = append(d.signals, x), max(d.width, len(x.lits))
	}
	slices.SortFunc(s.declared, func(a, b declaration) int { return cmp.Compare(a.place.span.Start, b.place.span.Start) })
	s.atPlace = at
	for i := range s.declared {
		at[s.declared[i].place.span] = i
		s.declared[i].first = design.Signal(1 + s.numBits)
		s.numBits += s.declared[i].width
	}
}

// declaration returns the declaration of a signal and the bit that it is; nil for a variable of
// the circuit.
func (s *fileSyntax) declaration(x design.Signal) (d *declaration, bit int) {
	if x == 0 || int(x) > s.numBits {
		return nil, 0
	}
	i := sort.Search(len(s.declared), func(i int) bool { return s.declared[i].first > x }) - 1
	return &s.declared[i], int(x - s.declared[i].first)
}

// variable returns the literal of the model that a signal stands for, which is no bit of a
// declaration.
func (s *fileSyntax) variable(x design.Signal) uint32 { return 2 * (uint32(x) - uint32(s.numBits)) }

// signalOf returns the signal of a variable of the model.
func (s *fileSyntax) signalOf(lit uint32) design.Signal {
	return design.Signal(lit/2 + uint32(s.numBits))
}

// Diagnostics returns what Yosys has said of this text. What it has said of an included file stands at
// the line that includes it, and what it has said of no text at the start of the first one.
func (s *fileSyntax) Diagnostics() []source.Diagnostic {
	if s.synthesis == nil {
		return nil
	}
	var all []source.Diagnostic
	hasError := false
	for _, m := range s.synthesis.messages {
		if m.Path != "" && s.synthesis.indexOf(m.Path) < 0 {
			m = s.synthesis.ofIncluded(m)
		}
		if m.Path != s.uri && (m.Path != "" || !s.isFirst) {
			continue
		}
		all = append(all, diagnosticOf(s.text, m))
		hasError = hasError || m.IsError
	}
	if reason := s.synthesis.reason; reason != "" && !hasError && s.isFirst {
		all = append(all, diagnosticOf(s.text, synthesis.Message{IsError: true, Text: reason}))
	}
	slices.SortStableFunc(all, func(a, b source.Diagnostic) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
	return all
}

// ofIncluded returns a message about an included file as one about the source that includes it, with the
// line of the file in its text; about no text where no source names the file.
func (s *Synthesis) ofIncluded(m synthesis.Message) synthesis.Message {
	m.Text = fmt.Sprintf("%s:%d: %s", filepath.Base(m.Path), m.Line, m.Text)
	p := s.includeOf(m.Path)
	m.Path, m.Line = p.path, 0
	if p.isKnown() {
		m.Line = p.text.LineAt(p.span.Start) + 1
	}
	return m
}

// The codes of diagnostics.
const (
	codeError   source.Code = "yosys-error"
	codeWarning source.Code = "yosys-warning"
)

func diagnosticOf(t source.Text, m synthesis.Message) source.Diagnostic {
	d := source.Diagnostic{Severity: source.Warning, Code: codeWarning, Message: m.Text, Span: t.LineSpan(min(max(m.Line-1, 0), t.NumLines()-1))}
	line := t.Slice(d.Span)
	blank := len(line) - len(strings.TrimLeft(line, " \t"))
	d.Span.Start, d.Span.Length = d.Span.Start+blank, len(strings.TrimRight(line[blank:], "\r"))
	if m.IsError {
		d.Severity, d.Code = source.Error, codeError
	}
	return d
}

// OccurrencesIn yields declarations, and the names in the same module that are called like one.
func (s *fileSyntax) OccurrencesIn(span source.Span) iter.Seq[design.Occurrence] {
	from := s.text.LineSpan(s.text.LineAt(span.Start)).Start
	to := s.text.LineSpan(s.text.LineAt(span.End())).End()
	return func(yield func(design.Occurrence) bool) {
		i := sort.Search(len(s.occurrences), func(i int) bool { return s.occurrences[i].Span.Start >= from })
		for _, o := range s.occurrences[i:] {
			if o.Span.Start > to || !yield(o) {
				return
			}
		}
	}
}

// Definition returns what the first instance of a declaration is, as Verilog calls it.
func (s *fileSyntax) Definition(x design.Signal) (def design.Definition, ok bool) {
	d, bit := s.declaration(x)
	if d == nil {
		return def, false
	}
	def = s.definition(x, d, bit)
	switch first := d.signals[0]; {
	case first.isReg && !s.isWire(def):
		def.Called = "register"
	case def.Kind == design.Gate || def.Kind == design.Latch: // a wire that follows a register
		def.Called = "signal"
	default:
		def.Called = def.Kind.String()
	}
	if name := s.Name(x); d.width > 1 && bit < len(d.signals[0].lits) {
		i := strings.LastIndexByte(name, '[')
		def.Called, def.Whole = fmt.Sprintf("bit %s of %s", strings.Trim(name[i:], "[]"), def.Called), name[:i]
	}
	return def, true
}

// isWire reports whether the line of a declaration says that it is a wire, which may follow a register.
func (s *fileSyntax) isWire(def design.Definition) bool {
	before := s.text.Slice(source.Span{Start: def.Row.Start, Length: def.Span.Start - def.Row.Start})
	return slices.Contains(strings.FieldsFunc(before, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '$' }), "wire")
}

func (s *fileSyntax) definition(x design.Signal, d *declaration, bit int) (def design.Definition) {
	def = design.Definition{Kind: design.Gate, IsOpaque: true, Span: d.place.span, Row: s.text.LineSpan(s.text.LineAt(d.place.span.Start))}
	first := d.signals[0]
	if bit >= len(first.lits) || !first.known[bit] {
		return def
	}
	m, lit := s.synthesis.model, first.lits[bit]
	if lit < 2 {
		def.Kind = design.Constant
	} else if i := slices.Index(m.Inputs, lit); i >= 0 {
		def.Kind, def.Index = design.Input, i
	}
	for i, l := range m.Latches {
		isNegated := first.isReg && l.Lit^1 == lit // a register all the same, which Yosys keeps negated
		// Else it is what the latch holds at the end of the step.
		if l.Lit != lit && !isNegated && s.synthesis.stored.registers[l.Lit] != lit || lit < 2 {
			continue
		}
		def.Kind, def.Index = design.Latch, i
		switch def.Reset = s.lit(l.Reset); {
		case l.Reset == l.Lit:
			def.Reset = x.Lit()
		case isNegated:
			def.Reset ^= 1
		}
	}
	return def
}

// lit returns the literal of this text for one of the model.
func (s *fileSyntax) lit(l uint32) design.Lit {
	if l < 2 {
		return design.Lit(l)
	}
	return s.signalOf(l).Lit() | design.Lit(l&1)
}

// Name returns the name of a bit.
func (s *fileSyntax) Name(x design.Signal) string {
	d, bit := s.declaration(x)
	if d == nil || bit >= len(d.signals[0].lits) {
		return ""
	}
	first := d.signals[0]
	if len(d.signals) == 1 {
		return first.bitName(bit)
	}
	return first.local + strings.TrimPrefix(first.bitName(bit), first.name) // as in its module
}

// Properties returns the asserts, live properties and covers of the text, or of all texts.
func (s *fileSyntax) Properties() []design.Property {
	if !s.hasCircuit() {
		return s.rows
	}
	var all []design.Property
	for _, p := range s.synthesis.circuit.Properties() {
		k := s.synthesis.checks[p.ID]
		isHere := k.place.path == s.uri
		if !isHere && !s.whole && (k.place.isKnown() || !s.isFirst) {
			continue
		}
		p.Name, p.Given, p.Statement, p.Row = k.name, k.name, k.statement, source.Span{}
		if isHere {
			p.Row = k.place.span
		}
		lits := make([]design.Lit, len(p.Lits))
		for i, l := range p.Lits {
			lits[i] = s.lit(uint32(l))
		}
		p.Lits = lits
		all = append(all, p)
	}
	slices.SortStableFunc(all, func(a, b design.Property) int { return cmp.Compare(a.Row.Start, b.Row.Start) })
	return all
}

// NoProperties says why there are none, but for a text that no user has asked about.
func (s *fileSyntax) NoProperties() design.NoProperties {
	if s.isOpen && s.synthesis == nil && !s.isOlder {
		return design.NoProperties{}
	}
	return design.NoProperties{Why: s.WithoutProperties()}
}

// WithoutProperties says why there are none.
func (s *fileSyntax) WithoutProperties() string {
	switch {
	case s.isOlder:
		return "the text has changed since Yosys has read it"
	case s.synthesis == nil:
		return "Yosys has not read the design yet"
	case s.synthesis.reason != "":
		return s.synthesis.reason
	}
	return "the design has no property: no assert, no cover"
}

// DependsOnOthers holds for a design of several files.
func (s *fileSyntax) DependsOnOthers() bool {
	return s.synthesis != nil && len(s.synthesis.sources) > 1
}

// Elaborate returns the circuit that Yosys has written, with the names of the sources.
func (s *fileSyntax) Elaborate(ctx context.Context) (design.Elaboration, error) {
	if !s.hasCircuit() {
		reason := errors.New(s.WithoutProperties())
		if s.isOpen {
			return s.unread(reason), nil
		}
		return nil, reason
	}
	inner, err := s.synthesis.circuit.Syntax().Elaborate(ctx)
	if err != nil {
		return nil, err
	}
	return newElaboration(s, inner), nil
}

// Lemmas of a design are asserts, and words its vectors: AddAsides writes none.
func (s *fileSyntax) AddAsides(a design.Asides) ([]source.Edit, error) {
	if a.Word != nil {
		return nil, errors.New("words are not written into Verilog: declare a vector")
	}
	return nil, errors.New("lemmas are not written into Verilog: state them as asserts")
}
