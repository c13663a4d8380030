package design

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"aiglens/internal/source"
)

// Syntax is what a format makes of one text. It never changes and is safe for
// concurrent use.
//
// A format writes the methods of Core. Base answers all others from these, by
// looking at the whole text, and says no where that does not help. What a format
// answers faster or better it overrides: its syntax embeds a Base and has methods of
// its own beside.
type Syntax interface {
	Core

	// Of the places of signals. Each is as the method of Design says.
	OccurrenceAt(offset int) (Occurrence, bool)
	Occurrences(Signal) []Occurrence
	Drivers(s Signal, buf []Lit) (kind SignalKind, index int, lits []Lit)
	CountUses(Signal) (positive, negated int)
	HasNumbers() bool
	Cover(Signal) (Cover, bool)
	Operator(Signal) (Operator, bool)
	CoverCell(offset int) []source.Span

	// Of rows and sections.
	RowAt(offset int) (RowRef, bool)
	RowOf(Signal) (RowRef, bool)
	SymbolAt(offset int) (SymbolLine, bool)
	SymbolLines() iter.Seq[SymbolLine]
	Outline(limit int) []Section
	ModelCounts(Signal) (inputs, outputs, latches int)
	SectionSpans() []SectionSpan
	Header() []HeaderField
	Found(HeaderField) int
	NoProperties() NoProperties
	PropertyRule() string
	WithoutProperties() string

	// Of changes to the text.
	Lint(context.Context) ([]source.Diagnostic, error)
	Diagnose(ctx context.Context, deeply bool) ([]source.Diagnostic, error)
	LeftByFormat(context.Context) ([]source.Diagnostic, error)
	Fixes(source.Diagnostic) []source.Fix
	FixAll() []source.Edit
	Changes(ctx context.Context, span source.Span, file bool) []source.Change
	Format(context.Context) ([]source.Edit, error)
	LineTyped(line int, reorder bool, before FittingHeader) []source.Edit
	RowsGone(line, rows int, before FittingHeader) []source.Edit
	FittingHeader() FittingHeader
	RenameTarget(offset int) (span source.Span, text string, ok bool)
	Rename(offset int, to string) ([]source.Edit, error)
	Complete(offset int) Completions
	AddAsides(Asides) ([]source.Edit, error)

	// Of other files.
	DependsOnOthers() bool
	FileReferences() []FileReference
	TargetAt(offset int) (Target, bool)
	MayBeShared(offset int) bool
	TargetsIn(span source.Span, limit int) []Target
}

// Core is what every format says of a text.
type Core interface {
	// Diagnostics returns what is wrong with the text.
	Diagnostics() []source.Diagnostic
	// OccurrencesIn yields the occurrences in the lines that span touches, in text
	// order, lines that only name signals left out.
	OccurrencesIn(span source.Span) iter.Seq[Occurrence]
	// Definition returns what a signal is; ok is false when nothing defines it.
	Definition(Signal) (def Definition, ok bool)
	// Name returns the name that the text gives to a signal, or "".
	Name(Signal) string
	// Properties returns what there is to check, in text order.
	Properties() []Property
	// Elaborate builds the circuit of the text, which it has however faulty the text
	// is.
	Elaborate(context.Context) (Elaboration, error)
}

// Base makes a Syntax of a Core.
type Base struct {
	Core
	Text source.Text
}

var _ Syntax = Base{}

// OccurrenceAt looks at the line of offset.
func (b Base) OccurrenceAt(offset int) (Occurrence, bool) {
	for o := range b.OccurrencesIn(b.Text.LineSpan(b.Text.LineAt(offset))) {
		if o.Span.Contains(offset) {
			return o, true
		}
	}
	return Occurrence{}, false
}

func (b Base) all() iter.Seq[Occurrence] { return b.OccurrencesIn(source.Span{Length: b.Text.Len()}) }

// AddAsides writes none.
func (b Base) AddAsides(a Asides) ([]source.Edit, error) {
	if a.Word != nil {
		return nil, errors.New("this format has no lines of words")
	}
	return nil, errors.New("this format has no lemmas")
}

// Occurrences looks at the whole text.
func (b Base) Occurrences(s Signal) []Occurrence {
	var all []Occurrence
	for o := range b.all() {
		if o.Lit.Signal() == s {
			all = append(all, o)
		}
	}
	return all
}

// Drivers returns what the definition says.
func (b Base) Drivers(s Signal, buf []Lit) (kind SignalKind, index int, lits []Lit) {
	def, ok := b.Definition(s)
	switch {
	case s == 0:
		return Constant, 0, buf
	case !ok:
		return Undefined, 0, buf
	case def.Kind != Latch || def.IsOpaque:
		return def.Kind, def.Index, append(buf, def.Operands...)
	}
	buf = append(buf, def.Next)
	if def.Reset > 1 && def.Reset != s.Lit() {
		buf = append(buf, def.Reset)
	}
	return Latch, def.Index, buf
}

// CountUses looks at the whole text.
func (b Base) CountUses(s Signal) (positive, negated int) {
	for o := range b.all() {
		switch {
		case o.Lit.Signal() != s || o.Role != RoleUse:
		case o.Lit.IsNegated():
			negated++
		default:
			positive++
		}
	}
	return positive, negated
}

// HasNumbers is false: signals have names.
func (b Base) HasNumbers() bool { return false }

// Cover returns none: gates are conjunctions.
func (b Base) Cover(Signal) (Cover, bool) { return Cover{}, false }

// Operator returns none: gates are drawn.
func (b Base) Operator(Signal) (Operator, bool) { return Operator{}, false }

// CoverCell returns none.
func (b Base) CoverCell(int) []source.Span { return nil }

// sectionNames are the sections of rows that define signals.
var sectionNames = [...]string{Input: "inputs", Latch: "latches", Gate: "gates", Instance: "instances", Model: "models"}

// RowAt returns the row of the first definition in the line of offset.
func (b Base) RowAt(offset int) (RowRef, bool) {
	for o := range b.OccurrencesIn(b.Text.LineSpan(b.Text.LineAt(offset))) {
		if o.Role == RoleDefinition {
			return b.RowOf(o.Lit.Signal())
		}
	}
	return RowRef{}, false
}

// RowOf returns the row of the definition.
func (b Base) RowOf(s Signal) (RowRef, bool) {
	def, ok := b.Definition(s)
	if !ok || int(def.Kind) >= len(sectionNames) || sectionNames[def.Kind] == "" {
		return RowRef{}, false
	}
	one := def.Kind.String()
	return RowRef{
		Section: sectionNames[def.Kind], One: one, Label: fmt.Sprintf("%s %d", one, def.Index), Index: def.Index,
		Span: def.Row, Kind: def.Kind, Signal: s, IsFirst: def.Index == 0,
	}, true
}

// SymbolAt returns none: what stands in a line is defined there.
func (b Base) SymbolAt(int) (SymbolLine, bool) { return SymbolLine{}, false }

// SymbolLines yields the definitions that have names.
func (b Base) SymbolLines() iter.Seq[SymbolLine] {
	return func(yield func(SymbolLine) bool) {
		for o := range b.all() {
			name := b.Name(o.Lit.Signal())
			row, ok := b.RowOf(o.Lit.Signal())
			if o.Role != RoleDefinition || name == "" || !ok {
				continue
			}
			if !yield(SymbolLine{Span: o.Span, NameSpan: o.Span, Name: name, Row: row, Lit: o.Lit, HasLit: true}) {
				return
			}
		}
	}
}

// Outline returns none.
func (b Base) Outline(int) []Section { return nil }

// ModelCounts returns zeros: there are no models.
func (b Base) ModelCounts(Signal) (inputs, outputs, latches int) { return 0, 0, 0 }

// SectionSpans returns none.
func (b Base) SectionSpans() []SectionSpan { return nil }

// Header returns none.
func (b Base) Header() []HeaderField { return nil }

// Found returns 0: there is no header.
func (b Base) Found(HeaderField) int { return 0 }

// Lint finds nothing beside the diagnostics.
func (b Base) Lint(context.Context) ([]source.Diagnostic, error) { return nil, nil }

// Diagnose returns what is wrong with the text, and deeply also what Lint finds.
func (b Base) Diagnose(ctx context.Context, deeply bool) ([]source.Diagnostic, error) {
	if !deeply {
		return b.Diagnostics(), nil
	}
	return Linted(ctx, b)
}

// Linted returns the diagnostics of a text with those of Lint, in the order of the text.
func Linted(ctx context.Context, s interface {
	Diagnostics() []source.Diagnostic
	Lint(context.Context) ([]source.Diagnostic, error)
}) ([]source.Diagnostic, error) {
	linted, err := s.Lint(ctx)
	if err != nil {
		return nil, err
	}
	all := slices.Concat(s.Diagnostics(), linted)
	slices.SortStableFunc(all, func(a, b source.Diagnostic) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
	return all, nil
}

// LeftByFormat returns none.
func (b Base) LeftByFormat(context.Context) ([]source.Diagnostic, error) { return nil, nil }

// Fixes returns none.
func (b Base) Fixes(source.Diagnostic) []source.Fix { return nil }

// FixAll returns none.
func (b Base) FixAll() []source.Edit { return nil }

// Changes offers none.
func (b Base) Changes(context.Context, source.Span, bool) []source.Change { return nil }

var errUnchanging = errors.New("files of this format cannot be rewritten")

// Format refuses: there is no canonical form.
func (b Base) Format(context.Context) ([]source.Edit, error) { return nil, errUnchanging }

// LineTyped returns none.
func (b Base) LineTyped(int, bool, FittingHeader) []source.Edit { return nil }

// RowsGone returns none.
func (b Base) RowsGone(int, int, FittingHeader) []source.Edit { return nil }

// FittingHeader returns none.
func (b Base) FittingHeader() (none FittingHeader) { return none }

// RenameTarget finds nothing to rename.
func (b Base) RenameTarget(int) (source.Span, string, bool) { return source.Span{}, "", false }

// Rename refuses.
func (b Base) Rename(int, string) ([]source.Edit, error) { return nil, errUnchanging }

// Complete offers nothing.
func (b Base) Complete(offset int) Completions {
	return Completions{Span: source.Span{Start: offset}}
}

// NoProperties gives no reason.
func (b Base) NoProperties() NoProperties { return NoProperties{} }

// PropertyRule says nothing.
func (b Base) PropertyRule() string { return "" }

// WithoutProperties gives no reason.
func (b Base) WithoutProperties() string { return "the circuit has no property" }

// DependsOnOthers is false: a text stands for itself.
func (b Base) DependsOnOthers() bool { return false }

// FileReferences returns none.
func (b Base) FileReferences() []FileReference { return nil }

// MayBeShared is false: no other file uses names of this one.
func (b Base) MayBeShared(int) bool { return false }

// TargetAt returns none.
func (b Base) TargetAt(int) (Target, bool) { return Target{}, false }

// TargetsIn returns none.
func (b Base) TargetsIn(source.Span, int) []Target { return nil }

// nothing is the core of a text of no format.
type nothing struct{}

func (nothing) Diagnostics() []source.Diagnostic { return nil }
func (nothing) OccurrencesIn(source.Span) iter.Seq[Occurrence] {
	return slices.Values[[]Occurrence](nil)
}
func (nothing) Definition(Signal) (Definition, bool) { return Definition{}, false }
func (nothing) Name(Signal) string                   { return "" }
func (nothing) Properties() []Property               { return nil }
func (nothing) Elaborate(context.Context) (Elaboration, error) {
	return NewFlat(noCircuit{}, source.Text{}, Base{Core: nothing{}}), nil
}
