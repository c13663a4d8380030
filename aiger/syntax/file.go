package syntax

import (
	"iter"
	"slices"
	"sort"

	"aiglens/internal/findings"
	"aiglens/internal/source"
)

// File is an ASCII AIGER file. It is immutable and safe for concurrent use.
type File struct {
	text   source.Text
	header header
	// raw is the body as it was read, from which an edit goes on; the embedded
	// body has besides the damaged lines that were recognised as rows. They are
	// the same in a file without such lines, and empty without a header.
	raw body
	body
	// counts are the rows by section: counts.total() ≤ rows.len(). They are those
	// of the header if these fit the rows.
	counts counts
	// justice[i] is the first literal row of justice property i, counted from
	// the start of the literals; one entry more than there are properties.
	justice []uint32
	// defs has for each variable the first row that defines it.
	defs defTable
	// isUnique says that every input, latch and AND defines a variable of its own.
	isUnique bool
	// maxLit is 2M+1, or the largest literal when M is in doubt.
	maxLit uint32
	// checks are made of every row of this file and of what edits make of it.
	checks *checkSet
	// suspects are the rows, ascending, for which isSuspect holds: no check has
	// anything to say about any other row.
	suspects []uint32
	symbols  symbolTable
	asideTable
	// diags are sorted by place. Every error whose reach is a cone has its rows in
	// faults, which point to entries of diags, but for reset functions that the
	// options allow: those have no diagnostic of their own.
	diags  []*source.Diagnostic
	faults []Fault
	// lacksDefinition says that rows use a variable in the place of which another
	// one, beyond the maximum, is defined.
	lacksDefinition bool
}

// Fault is an error that stands on a row and leaves the row's meaning open.
type Fault struct {
	Row        uint32
	Diagnostic *source.Diagnostic
}

// Text returns the text that was parsed, unchanged.
func (f *File) Text() source.Text { return f.text }

// Diagnostics returns what is wrong with the file and shows in each
// row and the definitions of its literals, sorted by place. Of each code there
// are at most a thousand. What needs the whole circuit, also cycles of ANDs,
// is left to package diagnose.
func (f *File) Diagnostics() []source.Diagnostic { return findings.Values(f.diags) }

// Header returns the numbers of the header. One that could not be read has the
// value 0.
func (f *File) Header() []HeaderField { return append([]HeaderField(nil), f.header.fields...) }

// Sections returns the sections that have rows, in text order.
func (f *File) Sections() []Section {
	var ss []Section
	lo := 0
	for k, n := range f.counts {
		if n > 0 {
			ss = append(ss, f.section(SectionKind(k), f.LineOf(lo), f.LineOf(lo+n-1), n))
		}
		lo += n
	}
	comment := f.lastLine() + 1
	if f.symbols.commentLine >= 0 {
		comment = f.symbols.commentLine
	}
	if f.end < comment && slices.ContainsFunc(f.symbols.lines, func(s symbolLine) bool { return s.state.isSymbol() }) {
		ss = append(ss, f.section(SectionSymbols, f.end, comment-1, comment-f.end))
	}
	if last := f.lastLine(); comment <= last {
		ss = append(ss, f.section(SectionComment, comment, last, last-comment+1))
	}
	return ss
}

func (f *File) section(k SectionKind, first, last, rows int) Section {
	span := source.SpanFromTo(f.text.LineStart(first), f.text.LineSpan(last).End())
	return Section{Kind: k, Line: first, Rows: rows, Span: span}
}

// lastLine returns the last line that holds anything.
func (f *File) lastLine() int {
	last := f.text.NumLines() - 1
	if last > 0 && f.text.LineSpan(last).Length == 0 {
		last--
	}
	return last
}

// Row is one definition or property line as numbers.
type Row struct {
	Kind    SectionKind
	Index   int // position in its section
	Line    int // from 0
	Numbers [3]uint32
	Count   int // how many numbers the line starts with; 4 stands for more than three
}

// Row returns the row at a position of a section.
func (f *File) Row(kind SectionKind, index int) (Row, bool) {
	if int(kind) >= numRowSections || index < 0 || index >= f.counts[kind] {
		return Row{}, false
	}
	return f.rowAt(kind, index), true
}

// RowAt returns the row on a line (from 0).
func (f *File) RowAt(line int) (Row, bool) {
	r, ok := f.rowOf(line)
	if !ok {
		return Row{}, false
	}
	kind, index, ok := f.Place(r)
	if !ok {
		return Row{}, false
	}
	return f.rowAt(kind, index), true
}

func (f *File) rowAt(kind SectionKind, index int) Row {
	r := f.counts.start(kind) + index
	return Row{Kind: kind, Index: index, Line: f.LineOf(r), Numbers: f.rows.at(r).Num, Count: int(f.rows.at(r).N)}
}

// Place returns the role of a row; ok is false for one that no section has
// room for.
func (f *File) Place(r int) (kind SectionKind, index int, ok bool) {
	for k, n := range f.counts {
		if r < n {
			return SectionKind(k), r, true
		}
		r -= n
	}
	return 0, 0, false
}

// RowsOf returns the range of rows of a section.
func (f *File) RowsOf(k SectionKind) (lo, hi int) {
	lo = f.counts.start(k)
	return lo, lo + f.counts[k]
}

// JusticeLiterals returns the rows, as positions in SectionJusticeLits, of the
// literals of a justice property.
func (f *File) JusticeLiterals(property int) (from, to int) {
	if property < 0 || property+1 >= len(f.justice) {
		return 0, 0
	}
	return int(f.justice[property]), int(f.justice[property+1])
}

// justiceOf returns the justice property that a literal row belongs to.
func (f *File) justiceOf(literal int) int {
	return sort.Search(len(f.justice), func(i int) bool { return int(f.justice[i]) > literal }) - 1
}

// Definition returns what defines variable v; the first row when there are
// several.
func (f *File) Definition(v uint32) (Definition, bool) {
	r, ok := f.defs.row(v)
	if !ok {
		return Definition{}, false
	}
	kind, index, _ := f.Place(r)
	role := RoleInput
	switch kind {
	case SectionLatches:
		role = RoleLatch
	case SectionAnds:
		role = RoleAnd
	}
	return Definition{Role: role, Index: index, Line: f.LineOf(r), Span: f.NumberSpan(r, 0)}, true
}

// OutputsAreBads reports whether the convention of AIGER 1.0 applies.
func (f *File) OutputsAreBads() bool {
	return f.counts[SectionBads] == 0 && f.counts[SectionJustice] == 0
}

// NumberSpan returns the span of the i-th number of a row.
func (f *File) NumberSpan(r, i int) source.Span {
	spans, n := f.numberSpans(f.LineOf(r))
	if i < n {
		return spans[i]
	}
	return source.Span{Start: f.contentEnd(f.LineOf(r))}
}

// numberSpans returns the spans of the first numbers of a line that starts
// with numbers.
func (f *File) numberSpans(line int) (spans [3]source.Span, n int) {
	s, base := f.text.Line(line), f.text.LineStart(line)
	i := 0
	for n < len(spans) {
		for i < len(s) && isSpace(s[i]) {
			i++
		}
		start := i
		for i < len(s) && isDigit(s[i]) {
			i++
		}
		if i == start || i < len(s) && !isSpace(s[i]) {
			break
		}
		spans[n] = source.SpanFromTo(base+start, base+i)
		n++
	}
	return spans, n
}

// contentEnd returns the offset after the last byte of a line that is no
// white space.
func (f *File) contentEnd(line int) int {
	s := f.text.Line(line)
	end := len(s)
	for end > 0 && isSpace(s[end-1]) {
		end--
	}
	return f.text.LineStart(line) + end
}

// IsAligned reports whether every section has the rows that the header says.
func (f *File) IsAligned() bool {
	return f.header.fault == nil && f.counts == announcedCounts(&f.header, &f.rows)
}

// NumRows returns the number of rows.
func (f *File) NumRows() int { return f.rows.len() }

// Numbers returns row r, which must not be changed.
func (f *File) Numbers(r int) *Numbers { return f.rows.at(r) }

// Runs yields the rows lo to hi, hi excluded, in slices with the number of
// their first row. They must not be changed.
func (f *File) Runs(lo, hi int) iter.Seq2[int, []Numbers] { return f.rows.runs(lo, hi) }

// RowDefining returns the row that defines a variable, the first one when there
// are several.
func (f *File) RowDefining(v uint32) (r int, ok bool) { return f.defs.row(v) }

// HasBody reports whether there is a header after which rows were looked for.
func (f *File) HasBody() bool { return f.raw.first > 0 }

// FirstLine returns the line after the header.
func (f *File) FirstLine() int { return f.raw.first }

// HeaderIsSound reports whether every number of the header could be read.
func (f *File) HeaderIsSound() bool { return f.header.fault == nil }

// Faults returns the errors that leave the meaning of a row open, in no
// particular order. The result must not be changed.
func (f *File) Faults() []Fault { return slices.Clip(f.faults) }

// Structural returns the first error that leaves the meaning of the whole file
// open, or nil.
func (f *File) Structural() *source.Diagnostic {
	for _, diag := range f.diags {
		if diag == f.header.fault || Catalogue.Reach(diag.Code) == findings.ReachFile {
			return diag
		}
	}
	return nil
}

// RowsEnd returns the first line after the rows: symbols, comment or the end.
func (f *File) RowsEnd() int { return f.end }

// StrayRun returns the last of the lines among the rows that look like a line
// among them and follow it without gap.
func (f *File) StrayRun(line int) (last int) {
	last = line
	class := classify(f.text.Line(line))
	for k := f.straysBefore(line + 1); k < len(f.stray) && int(f.stray[k]) == last+1 && classify(f.text.Line(last+1)) == class; k++ {
		last++
	}
	return last
}

// LargestDefined returns the largest variable that a row defines.
func (f *File) LargestDefined() uint32 { return uint32(f.defs.largest()) }

// NumDefined returns how many variables the rows define.
func (f *File) NumDefined() int { return f.defs.n }
