package syntax

import (
	"iter"
	"strings"

	"aiglens/internal/source"
)

// Symbol is a line of the symbol table that names an element.
type Symbol struct {
	Kind  SectionKind // of the element named; SectionJustice for a justice property
	Index int         // its position, from 0
	Name  string
	// NameSpan covers the name, Span the line without its end.
	NameSpan, Span source.Span
	Line           int // from 0
}

const numSymbolKinds = len(symbolKinds)

// symbolSections are the sections that symbols name, in the order of
// symbolKinds.
var symbolSections = [numSymbolKinds]SectionKind{SectionInputs, SectionLatches, SectionOutputs,
	SectionBads, SectionConstraints, SectionJustice, SectionFairness}

// NamedSections returns the sections whose elements symbols name.
func NamedSections() [numSymbolKinds]SectionKind { return symbolSections }

// Letter returns the letter that starts a symbol of the section.
func (k SectionKind) Letter() byte {
	for i, section := range symbolSections {
		if section == k {
			return symbolKinds[i]
		}
	}
	return '?'
}

// symbolLine is a line of the symbol table, or one that stands there, without
// its place: an edit elsewhere leaves it as it is.
type symbolLine struct {
	index uint32
	name  uint32 // where the name starts, from the start of the line
	hash  uint32 // of the name
	kind  SectionKind
	state symbolState
	hasCR bool // ends in CR LF
	// hasNUL says that the name holds a NUL.
	hasNUL bool
}

// symbolState says what a line of the symbol table is.
type symbolState uint8

const (
	symbolSound     symbolState = iota
	symbolEmptyName             // sound but for its name
	symbolHugeIndex             // sound but for a position beyond every section
	symbolBlank                 // an empty line
	symbolRow                   // a row of numbers
	symbolNoKind                // starts with no symbol kind
	symbolNoIndex               // kind without a position after it
	symbolNoName                // ends after the position
	symbolNoSpace               // something else than a space after the position
)

// isSymbol reports whether the line names an element, if only one that does
// not exist.
func (s symbolState) isSymbol() bool { return s <= symbolHugeIndex }

// lexSymbol reads a line: kind, position, one space, name.
func lexSymbol(line string) symbolLine {
	trimmed := strings.TrimRight(line, "\r")
	s := symbolLine{hasCR: len(trimmed) < len(line)}
	switch classify(line) {
	case lineBlank:
		s.state = symbolBlank
		return s
	case lineRow:
		s.state = symbolRow
		return s
	}
	line = trimmed
	kind := strings.IndexByte(symbolKinds, line[0])
	digits := 1
	for digits < len(line) && isDigit(line[digits]) {
		digits++
	}
	switch {
	case kind < 0:
		s.state = symbolNoKind
		return s
	case digits == 1:
		s.state = symbolNoIndex
		return s
	case digits == len(line):
		s.state = symbolNoName
		return s
	case line[digits] != ' ':
		s.state = symbolNoSpace
		return s
	}
	s.kind, s.name = symbolSections[kind], uint32(digits+1)
	s.hash = hashName(line[digits+1:], s.nameSpace())
	s.hasNUL = strings.IndexByte(line[digits+1:], 0) >= 0
	var huge bool
	s.index, huge = parseIndex(line[1:digits])
	switch {
	case huge:
		s.state = symbolHugeIndex
	case digits+1 == len(line):
		s.state = symbolEmptyName
	}
	return s
}

// nameSpace returns the section among whose names this one must be different.
// Inputs and latches share one space, as in the tools that insist on it.
func (s *symbolLine) nameSpace() SectionKind {
	if s.kind == SectionLatches {
		return SectionInputs
	}
	return s.kind
}

// hashName is FNV-1a.
func hashName(name string, space SectionKind) uint32 {
	h := uint32(2166136261) ^ uint32(space)
	for i := range len(name) {
		h = (h ^ uint32(name[i])) * 16777619
	}
	return h
}

// parseIndex reads a position; huge says that it is beyond every section.
func parseIndex(digits string) (index uint32, huge bool) {
	var v uint64
	for i := range len(digits) {
		v = min(v*10+uint64(digits[i]-'0'), maxLit)
	}
	return uint32(v), v > MaxVar
}

// symbolTable holds the symbol lines of a text file, or those after the gates
// of a binary one.
type symbolTable struct {
	text source.Text
	base int // offset of text in the file
	// lines are the stray symbols, on the lines stray of the text, then the
	// lines from first on, up to the comment.
	lines []symbolLine
	stray []int
	first int
	// commentLine is the line that starts the comment, or -1.
	commentLine int

	byElement [numRowSections][]uint32 // by section and position: 1 + place in lines, or 0
	issues    []symbolIssue
	gaps      []uint32 // lines, as places in lines, that are blank or end in CR LF
}

// symbolIssue is what resolve finds wrong with a line.
type symbolIssue struct {
	place, other uint32 // places in lines; other is the earlier one
	code         source.Code
}

// lineOf returns the line of the text that a place in lines stands for.
func (t *symbolTable) lineOf(place int) int {
	if place < len(t.stray) {
		return t.stray[place]
	}
	return t.first + place - len(t.stray)
}

// lineText returns a line without its end, and its offset in the file.
func (t *symbolTable) lineText(place int) (line string, at int) {
	l := t.lineOf(place)
	return strings.TrimRight(t.text.Line(l), "\r"), t.base + t.text.LineStart(l)
}

func (t *symbolTable) name(place int) string {
	line, _ := t.lineText(place)
	return line[t.lines[place].name:]
}

func (t *symbolTable) find(k SectionKind, index int) (place int, ok bool) {
	if index < 0 || index >= len(t.byElement[k]) || t.byElement[k][index] == 0 {
		return 0, false
	}
	return int(t.byElement[k][index]) - 1, true
}

// commentAt returns the offset in text of the line that starts the comment, or
// -1.
func (t *symbolTable) commentAt() int {
	if t.commentLine < 0 {
		return -1
	}
	return t.text.LineStart(t.commentLine)
}

func (t *symbolTable) symbol(place int) Symbol {
	line, at := t.lineText(place)
	s := &t.lines[place]
	span := source.Span{Start: at, Length: len(line)}
	return Symbol{
		Kind: s.kind, Index: int(s.index), Name: line[s.name:],
		NameSpan: source.SpanFromTo(at+int(s.name), span.End()), Span: span, Line: t.lineOf(place),
	}
}

// EachSymbol yields the symbol lines after the rows that could be read, in text
// order.
func (f *File) EachSymbol() iter.Seq[Symbol] {
	return func(yield func(Symbol) bool) {
		for place := len(f.symbols.stray); place < len(f.symbols.lines); place++ {
			if f.symbols.lines[place].state.isSymbol() && !yield(f.symbols.symbol(place)) {
				return
			}
		}
	}
}

// Symbols returns the symbol lines that could be read, in text order.
func (f *File) Symbols() []Symbol {
	ss := make([]Symbol, 0, len(f.symbols.lines))
	for place, s := range f.symbols.lines {
		if s.state.isSymbol() {
			ss = append(ss, f.symbols.symbol(place))
		}
	}
	return ss
}

// Symbol returns the symbol of an element; the first one when there are two.
func (f *File) Symbol(kind SectionKind, index int) (Symbol, bool) {
	if int(kind) >= numRowSections {
		return Symbol{}, false
	}
	place, ok := f.symbols.find(kind, index)
	if !ok {
		return Symbol{}, false
	}
	return f.symbols.symbol(place), true
}

// SymbolsOf yields the symbols of the elements of a section, by position.
func (f *File) SymbolsOf(kind SectionKind) iter.Seq[Symbol] {
	return func(yield func(Symbol) bool) {
		for _, place := range f.symbols.byElement[kind] {
			if place > 0 && !yield(f.symbols.symbol(int(place)-1)) {
				return
			}
		}
	}
}

// SymbolAt returns the symbol whose line holds offset.
func (f *File) SymbolAt(offset int) (Symbol, bool) {
	place, ok := f.symbols.placeOf(f.text.LineAt(offset))
	if !ok || !f.symbols.lines[place].state.isSymbol() {
		return Symbol{}, false
	}
	s := f.symbols.symbol(place)
	return s, s.Span.Contains(offset)
}

// placeOf returns the place of a line in lines.
func (t *symbolTable) placeOf(line int) (place int, ok bool) {
	for place, l := range t.stray {
		if l == line {
			return place, true
		}
	}
	place = line - t.first + len(t.stray)
	return place, line >= t.first && place < len(t.lines)
}

// Name returns the symbol of the input or latch v, or "".
func (f *File) Name(v uint32) string {
	r, ok := f.defs.row(v)
	if !ok {
		return ""
	}
	kind, index, _ := f.Place(r)
	place, ok := f.symbols.find(kind, index)
	if !ok {
		return ""
	}
	return f.symbols.name(place)
}

// PropertyName returns the symbol of the first output, bad, constraint or
// fairness row that holds exactly lit, or "".
func (f *File) PropertyName(lit uint32) string {
	for _, k := range []SectionKind{SectionOutputs, SectionBads, SectionConstraints, SectionFairness} {
		lo, _ := f.RowsOf(k)
		for index, place := range f.symbols.byElement[k] {
			if place == 0 {
				continue
			}
			if r := f.rows.at(lo + index); r.N > 0 && r.Num[0] == lit {
				return f.symbols.name(int(place) - 1)
			}
		}
	}
	return ""
}

// Comment returns the text of the comment section, after the line that starts
// it; ok is false when there is none.
func (f *File) Comment() (text source.Span, ok bool) {
	if f.symbols.commentLine < 0 {
		return source.Span{}, false
	}
	return source.SpanFromTo(f.text.LineStart(f.symbols.commentLine+1), f.text.Len()), true
}
