package aiger

import (
	"fmt"
	"sort"
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

// symbolLetter returns the letter that starts a symbol of a section.
func symbolLetter(k SectionKind) byte {
	for i, section := range symbolSections {
		if section == k {
			return symbolKinds[i]
		}
	}
	return '?'
}

// symbolRec is a symbol line by offsets.
type symbolRec struct {
	start, name uint32 // of the line and of the name
	index       uint32
	kind        SectionKind
}

// symbolTable holds the symbol lines of a text or binary file.
type symbolTable struct {
	recs      []symbolRec              // in text order
	byElement [numRowSections][]uint32 // by section and position: 1 + place in recs, or 0
	commentAt int                      // offset of the c line, or -1
}

func (t *symbolTable) find(k SectionKind, index int) (symbolRec, bool) {
	if index < 0 || index >= len(t.byElement[k]) || t.byElement[k][index] == 0 {
		return symbolRec{}, false
	}
	return t.recs[t.byElement[k][index]-1], true
}

// symbolReader reads the lines behind the rows.
type symbolReader struct {
	content string
	sizes   counts // elements by section
	table   *symbolTable
	d       *findings
}

// read reads symbol lines from pos on, up to the comment or the end.
func (s *symbolReader) read(pos int) {
	s.table.commentAt = -1
	for pos < len(s.content) {
		line, next := lineAt(s.content, pos)
		switch class := classify(line); {
		case class == lineComment:
			s.table.commentAt = pos
			return
		case line[:min(len(line), 1)] == "c" && class != lineSymbol:
			s.reportComment(line, pos)
			s.table.commentAt = pos
			return
		case class == lineBlank:
		case class == lineRow:
			s.d.add(CodeRowMisplaced, source.SpanFromTo(pos, pos+len(line)), "expected a symbol or a comment line, found the row %s", quote(line))
		default:
			s.readLine(strings.TrimRight(line, "\r"), pos)
		}
		pos = next
	}
}

func (s *symbolReader) reportComment(line string, pos int) {
	rest := source.SpanFromTo(pos+1, pos+len(line))
	diag := s.d.add(CodeCommentStart, rest, "expected the comment section to start with a line that holds just c, found %s behind it", quote(strings.TrimSpace(line[1:])))
	end := pos + 1
	for end < pos+len(line) && s.content[end] == ' ' {
		end++
	}
	safeFix(diag, "Put the text on a line of its own", source.Edit{Span: source.SpanFromTo(pos+1, end), NewText: "\n"})
}

// readLine reads one symbol line: kind, position, one space, name.
func (s *symbolReader) readLine(line string, pos int) {
	at := func(from, to int) source.Span { return source.SpanFromTo(pos+from, pos+to) }
	kind := strings.IndexByte(symbolKinds, line[0])
	digits := 1
	for digits < len(line) && isDigit(line[digits]) {
		digits++
	}
	index, huge := parseIndex(line[1:digits])
	switch {
	case kind < 0:
		s.d.add(CodeSymbolKind, at(0, max(1, min(digits, len(line)))), "expected a symbol that starts with one of i l o b c j f, found %s", quote(line))
		return
	case digits == 1:
		s.reportPosition(line, at)
		return
	case digits == len(line):
		diag := s.d.add(CodeSymbolNoName, at(digits, digits), "expected a space and a name behind %s, found the end of the line", line)
		s.fixDelete(diag, line, pos)
		return
	case line[digits] != ' ':
		s.d.add(CodeSymbolSyntax, at(digits, len(line)), "expected one space and a name behind %s, found %s", line[:digits], quote(line[digits:]))
		return
	case digits+1 == len(line):
		diag := s.d.add(CodeSymbolEmptyName, at(len(line), len(line)), "expected a name behind %s, found none", line[:digits])
		s.fixDelete(diag, line, pos)
	}
	rec := symbolRec{start: uint32(pos), name: uint32(pos + digits + 1), index: index, kind: symbolSections[kind]}
	s.enter(rec, huge, line, at(1, digits))
}

func (s *symbolReader) reportPosition(line string, at func(from, to int) source.Span) {
	spaces := 1
	for spaces < len(line) && line[spaces] == ' ' {
		spaces++
	}
	if spaces > 1 && spaces < len(line) && isDigit(line[spaces]) {
		diag := s.d.add(CodeSymbolSyntax, at(1, spaces), "expected the position directly behind %c, found a space", line[0])
		safeFix(diag, "Delete the space", source.Edit{Span: at(1, spaces)})
		return
	}
	s.d.add(CodeSymbolSyntax, at(0, len(line)), "expected a symbol: %c, a position, one space, a name; found %s", line[0], quote(line))
}

// enter adds a symbol line to the table.
func (s *symbolReader) enter(rec symbolRec, huge bool, line string, position source.Span) {
	s.table.recs = append(s.table.recs, rec)
	size := s.sizes[rec.kind]
	if huge || int(rec.index) >= size {
		number := line[1 : position.Length+1]
		if size == 0 { // the kind is wrong, not the position
			position = source.SpanFromTo(int(rec.start), position.End())
		}
		diag := s.d.add(CodeSymbolOutOfRange, position, "there is no %s %s: the file has %s",
			rec.kind.One(), number, count(size, rec.kind))
		if rec.kind == SectionBads && int(rec.index) < s.sizes[SectionOutputs] {
			fix(diag, "Name the output instead", source.Edit{Span: source.Span{Start: int(rec.start), Length: 1}, NewText: "o"})
		}
		s.fixDelete(diag, line, int(rec.start))
		return
	}
	list := &s.table.byElement[rec.kind]
	if *list == nil {
		*list = make([]uint32, 0, min(size, 1024))
	}
	for len(*list) <= int(rec.index) {
		*list = append(*list, 0)
	}
	if first, ok := s.table.find(rec.kind, int(rec.index)); ok {
		diag := s.d.add(CodeSymbolTwice, source.Span{Start: int(rec.start), Length: len(line)},
			"%s %d already has a name", rec.kind.One(), rec.index)
		other, _ := lineAt(s.content, int(first.start))
		relate(diag, source.Span{Start: int(first.start), Length: len(other)}, "first name")
		s.fixDelete(diag, line, int(rec.start))
		return
	}
	(*list)[rec.index] = uint32(len(s.table.recs))
}

func (s *symbolReader) fixDelete(diag *source.Diagnostic, line string, pos int) {
	_, next := lineAt(s.content, pos)
	fix(diag, "Delete the line", source.Edit{Span: source.SpanFromTo(pos, next)})
}

// parseIndex reads a position; huge says that it is beyond every section.
func parseIndex(digits string) (index uint32, huge bool) {
	var v uint64
	for i := range len(digits) {
		v = min(v*10+uint64(digits[i]-'0'), maxLit)
	}
	return uint32(v), v > maxVar
}

// checkNames reports elements with the same name. Inputs and latches share one
// space of names, as in the tools that insist on it.
func (s *symbolReader) checkNames() {
	type key struct {
		space SectionKind
		name  string
	}
	seen := make(map[key]symbolRec, len(s.table.recs))
	for i, rec := range s.table.recs {
		list := s.table.byElement[rec.kind]
		if int(rec.index) >= len(list) || list[rec.index] != uint32(i+1) {
			continue
		}
		name := symbolName(s.content, rec)
		space := rec.kind
		if space == SectionLatches {
			space = SectionInputs
		}
		first, again := seen[key{space, name}]
		if name == "" || !again {
			seen[key{space, name}] = rec
			continue
		}
		span := source.Span{Start: int(rec.name), Length: len(name)}
		diag := s.d.add(CodeSymbolDuplicateName, span, "%s %d has the same name, %s: other tools refuse that",
			first.kind.One(), first.index, quote(name))
		relate(diag, source.Span{Start: int(first.name), Length: len(name)}, "%s %d", first.kind.One(), first.index)
		fix(diag, "Append the position to the name", source.Edit{Span: source.Span{Start: span.End()}, NewText: fmt.Sprintf("_%d", rec.index)})
	}
}

func symbolName(content string, rec symbolRec) string {
	name, _ := lineAt(content, int(rec.name))
	return strings.TrimRight(name, "\r")
}

// readSymbols reads what follows the rows, and symbols that stand among them.
func (p *parser) readSymbols() {
	f := p.file
	s := symbolReader{content: f.text.Content(), sizes: f.counts, table: &f.symbols, d: &p.findings}
	for _, l := range f.stray {
		if line := f.text.Line(int(l)); classify(line) == lineSymbol {
			s.readLine(strings.TrimRight(line, "\r"), f.text.LineStart(int(l)))
		}
	}
	s.read(f.text.LineStart(f.end))
	s.checkNames()
}

// Symbols returns the symbol lines that could be read, in text order.
func (f *File) Symbols() []Symbol {
	ss := make([]Symbol, len(f.symbols.recs))
	for i, rec := range f.symbols.recs {
		ss[i] = f.symbol(rec)
	}
	return ss
}

func (f *File) symbol(rec symbolRec) Symbol {
	name := symbolName(f.text.Content(), rec)
	nameSpan := source.Span{Start: int(rec.name), Length: len(name)}
	return Symbol{
		Kind: rec.kind, Index: int(rec.index), Name: name, NameSpan: nameSpan,
		Span: source.SpanFromTo(int(rec.start), nameSpan.End()),
		Line: f.text.LineAt(int(rec.start)),
	}
}

// Symbol returns the symbol of an element; the first one when there are two.
func (f *File) Symbol(kind SectionKind, index int) (Symbol, bool) {
	if int(kind) >= numRowSections {
		return Symbol{}, false
	}
	rec, ok := f.symbols.find(kind, index)
	if !ok {
		return Symbol{}, false
	}
	return f.symbol(rec), true
}

// SymbolAt returns the symbol whose line holds offset.
func (f *File) SymbolAt(offset int) (Symbol, bool) {
	recs := f.symbols.recs
	i := sort.Search(len(recs), func(i int) bool { return int(recs[i].start) > offset }) - 1
	if i < 0 {
		return Symbol{}, false
	}
	s := f.symbol(recs[i])
	return s, s.Span.Contains(offset)
}

// Name returns the symbol of the input or latch v, or "".
func (f *File) Name(v uint32) string {
	r, ok := f.defs.row(v)
	if !ok {
		return ""
	}
	kind, index, _ := f.place(r)
	rec, ok := f.symbols.find(kind, index)
	if !ok {
		return ""
	}
	return symbolName(f.text.Content(), rec)
}

// PropertyName returns the symbol of the first output, bad, constraint or
// fairness row that holds exactly lit, or "".
func (f *File) PropertyName(lit uint32) string {
	for _, k := range []SectionKind{SectionOutputs, SectionBads, SectionConstraints, SectionFairness} {
		lo, _ := f.rowsOf(k)
		for index, place := range f.symbols.byElement[k] {
			if r := f.rows[lo+index]; place > 0 && r.n > 0 && r.num[0] == lit {
				return symbolName(f.text.Content(), f.symbols.recs[place-1])
			}
		}
	}
	return ""
}

// Comment returns the text of the comment section, behind the line that starts
// it; ok is false when there is none.
func (f *File) Comment() (text source.Span, ok bool) {
	if f.symbols.commentAt < 0 {
		return source.Span{}, false
	}
	_, next := lineAt(f.text.Content(), f.symbols.commentAt)
	return source.SpanFromTo(next, f.text.Len()), true
}
