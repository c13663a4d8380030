package blif

import (
	"iter"
	"sort"
	"strings"
	"sync/atomic"

	"aiglens/internal/source"
)

// File is a BLIF file. It is immutable and safe for concurrent use.
type File struct {
	options Options
	text    source.Text
	names   *interner
	words   nameList
	chunks  []*chunk
	starts  []uint32 // by chunk: its first byte; one entry more than chunks
	stmts   []uint32 // by chunk: the number of its first statement; one entry more

	// change is what Reparse did, until the names are resolved; known is what
	// they mean once that has been asked for.
	change *change
	known  atomic.Pointer[resolution]

	structure func() *structure
	resolved  func() *resolution
	checked   func() *checkup
	cycles    func() []cycle
}

// Text returns the text that was parsed, unchanged.
func (f *File) Text() source.Text { return f.text }

// Diagnostics returns what is wrong with the file and can be told from the
// statements and the drivers of their signals, sorted by place. Of each code
// there are at most a thousand. Cycles and what makes a circuit worse but not
// wrong is left to Lint.
func (f *File) Diagnostics() []source.Diagnostic { return f.checked().diagnostics }

// Statement is a directive with its rows.
type Statement struct {
	ID   int // position among the statements of the file, from 0
	Kind Kind
	// Span goes from the line of the directive up to the next statement.
	Span      source.Span
	Directive source.Span // the word
}

// Row is a line behind a directive: of .names a cube.
type Row struct {
	Span source.Span // without white space around it and comment
	// Cube and Output are the two parts of a row of 0, 1 and - with output 0
	// or 1; of any other row Output has length 0.
	Cube, Output source.Span
}

// NumStatements returns the number of statements.
func (f *File) NumStatements() int { return int(f.stmts[len(f.chunks)]) }

// at finds a statement by its number.
func (f *File) at(id int) (k, i int) {
	k = sort.Search(len(f.chunks), func(k int) bool { return int(f.stmts[k+1]) > id })
	return k, id - int(f.stmts[k])
}

// Statement returns the statement with a number.
func (f *File) Statement(id int) Statement { return f.statement(f.at(id)) }

func (f *File) statement(k, i int) Statement {
	c, st := f.chunks[k], f.chunks[k].stmts[i]
	from, to := int(f.starts[k]+st.start), int(f.starts[k]+c.end(i))
	s := Statement{ID: int(f.stmts[k]) + i, Kind: st.kind, Span: source.SpanFromTo(from, to)}
	if st.kind != KindText {
		s.Directive = f.span(k, c.toks[st.tok])
	}
	return s
}

// Statements yields the statements from ≤ ID < to.
func (f *File) Statements(from, to int) iter.Seq[Statement] {
	return func(yield func(Statement) bool) {
		if from >= to {
			return
		}
		for k, i := f.at(from); k < len(f.chunks); k, i = k+1, 0 {
			for end := min(len(f.chunks[k].stmts), to-int(f.stmts[k])); i < end; i++ {
				if !yield(f.statement(k, i)) {
					return
				}
			}
		}
	}
}

// NumRows returns the number of rows of a statement.
func (f *File) NumRows(id int) int {
	k, i := f.at(id)
	return len(f.chunks[k].rowsOf(i))
}

// CommentLines yields the lines that hold just a comment, without their ends. No
// line is looked at that has no '#'.
func (f *File) CommentLines() iter.Seq[source.Span] {
	return func(yield func(source.Span) bool) {
		for k, c := range f.chunks {
			for at := 0; ; {
				next := strings.IndexByte(c.text[at:], '#')
				if next < 0 {
					break
				}
				start := strings.LastIndexByte(c.text[:at+next], '\n') + 1
				end := len(c.text)
				if n := strings.IndexByte(c.text[at+next:], '\n'); n >= 0 {
					end = at + next + n
				}
				span := source.SpanFromTo(int(f.starts[k])+start, int(f.starts[k])+end)
				if skipBlank(c.text, start) == at+next && !yield(span) {
					return
				}
				at = end
			}
		}
	}
}

// StatementAt returns the statement that holds offset.
func (f *File) StatementAt(offset int) Statement {
	k := f.chunkAt(offset)
	c := f.chunks[k]
	at := uint32(max(0, offset-int(f.starts[k])))
	i := sort.Search(len(c.stmts), func(i int) bool { return c.stmts[i].start > at })
	return f.Statement(int(f.stmts[k]) + max(0, i-1))
}

// Arguments returns the words of a statement behind its directive. Of
// formal=actual there are two words, of which the second may be empty.
func (f *File) Arguments(id int) []source.Span {
	k, i := f.at(id)
	lo, hi := f.chunks[k].tokens(i)
	var spans []source.Span
	for t := lo + 1; t < hi; t++ {
		spans = append(spans, f.span(k, f.chunks[k].toks[t]))
	}
	return spans
}

// Rows yields the rows of a statement, in text order.
func (f *File) Rows(id int) iter.Seq[Row] {
	return func(yield func(Row) bool) {
		k, i := f.at(id)
		for _, r := range f.chunks[k].rowsOf(i) {
			if !yield(f.rowAt(k, r)) {
				return
			}
		}
	}
}

func (f *File) rowAt(k int, r row) Row {
	start := int(f.starts[k] + r.start)
	if r.isOdd() {
		return Row{Span: source.Span{Start: start, Length: r.width()}}
	}
	out := start
	if r.width() > 0 {
		var fl flags
		out = int(f.starts[k]) + skipJoined(f.chunks[k].text, int(r.start)+r.width(), &fl)
	}
	return Row{
		Span: source.SpanFromTo(start, out+1),
		Cube: source.Span{Start: start, Length: r.width()}, Output: source.Span{Start: out, Length: 1},
	}
}

// span returns the place of a token of chunk k.
func (f *File) span(k int, t tok) source.Span {
	return source.Span{Start: int(f.starts[k] + t.start), Length: int(t.length)}
}

// word returns the text of a token of chunk k.
func (f *File) word(k int, t tok) string { return f.chunks[k].word(t) }

// tokenRef is a token of a version.
type tokenRef struct{ chunk, tok uint32 }

func (f *File) refSpan(r tokenRef) source.Span {
	return f.span(int(r.chunk), f.chunks[r.chunk].toks[r.tok])
}

// directiveSpan returns the place of a statement's directive.
func (f *File) directiveSpan(id int) source.Span { return f.Statement(id).Directive }

// contentSpan returns the statement without the blank and comment lines, the
// white space and the comment at its end.
func (f *File) contentSpan(id int) source.Span {
	k, i := f.at(id)
	c := f.chunks[k]
	from := int(f.starts[k] + c.stmts[i].start)
	to := from
	if lo, hi := c.tokens(i); hi > lo {
		to = f.span(k, c.toks[hi-1]).End()
	}
	if rows := c.rowsOf(i); len(rows) > 0 {
		to = max(to, f.rowAt(k, rows[len(rows)-1]).Span.End())
	}
	return source.SpanFromTo(from, to)
}

// ContentEnd returns where the last word or row of a statement ends.
func (f *File) ContentEnd(id int) int { return f.contentSpan(id).End() }

// baseName returns the file name without its extension.
func (f *File) baseName() string {
	base := f.options.FileName
	if base == "" {
		return "unnamed"
	}
	if dot := strings.LastIndexByte(base, '.'); dot > 0 {
		base = base[:dot]
	}
	return strings.Map(func(r rune) rune {
		if r <= ' ' || r == '#' || r == '=' {
			return '_'
		}
		return r
	}, base)
}
