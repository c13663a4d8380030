package aiger

import "aiglens/internal/source"

// Symbol is a line of the symbol table that names an element.
type Symbol struct {
	Kind  SectionKind // of the element named; SectionJustice for a justice property
	Index int         // its position, from 0
	Name  string
	// NameSpan covers the name, Span the line without its end.
	NameSpan, Span source.Span
	Line           int // from 0
}

// Symbols returns the symbol lines that could be read, in text order.
func (f *File) Symbols() []Symbol { return nil }

// Symbol returns the symbol of an element; the first one when there are two.
func (f *File) Symbol(kind SectionKind, index int) (Symbol, bool) { return Symbol{}, false }

// SymbolAt returns the symbol whose line holds offset.
func (f *File) SymbolAt(offset int) (Symbol, bool) { return Symbol{}, false }

// Name returns the symbol of the input or latch v, or "".
func (f *File) Name(v uint32) string { return "" }

// PropertyName returns the symbol of the first output, bad, constraint or
// fairness row that holds exactly lit, or "".
func (f *File) PropertyName(lit uint32) string { return "" }
