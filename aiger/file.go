package aiger

import (
	"aiglens/circuit"
	"aiglens/internal/source"
)

// File is an ASCII AIGER file. It is immutable and safe for concurrent use.
type File struct {
	text source.Text
}

// Parse reads an ASCII AIGER file. It accepts every text; what is wrong with
// it is in Diagnostics.
func Parse(text source.Text) *File { return &File{text: text} }

// Text returns the text that was parsed, unchanged.
func (f *File) Text() source.Text { return f.text }

// Diagnostics returns what is wrong with the file, sorted by place.
func (f *File) Diagnostics() []source.Diagnostic { return nil }

// Sections returns the sections that have rows, in text order.
func (f *File) Sections() []Section { return nil }

// Definition returns what defines variable v; the first row when there are
// several.
func (f *File) Definition(v uint32) (Definition, bool) { return Definition{}, false }

// HeaderField is a number of the header.
type HeaderField struct {
	Name  string // M, I, L, O, A, B, C, J or F
	Value uint32
	Span  source.Span
}

// Header returns the numbers of the header that could be read.
func (f *File) Header() []HeaderField { return nil }

// Row is one definition or property line as numbers.
type Row struct {
	Kind    SectionKind
	Index   int // position in its section
	Line    int // from 0
	Numbers [3]uint32
	Count   int // how many of Numbers are there; 4 stands for more than three
}

// Row returns the row at a position of a section.
func (f *File) Row(kind SectionKind, index int) (Row, bool) { return Row{}, false }

// RowAt returns the row on a line (from 0).
func (f *File) RowAt(line int) (Row, bool) { return Row{}, false }

// Properties returns what there is to check, as circuit.Circuit.Properties
// does, without building the circuit.
func (f *File) Properties() []circuit.Property { return nil }

// PropertySpan returns the row of a property; for justice that of its size.
func (f *File) PropertySpan(p circuit.Property) (source.Span, bool) { return source.Span{}, false }
