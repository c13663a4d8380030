package statement

import (
	"iter"
	"sort"
	"strings"

	"aiglens/internal/source"
)

// Tree is one version of a text as statements. It is immutable and safe for
// concurrent use; versions share the chunks that an edit leaves alone.
type Tree struct {
	text   source.Text
	names  *interner // shared by the versions of a text
	words  nameList  // the words of this version, and of earlier ones
	Chunks []*Chunk  // at least one; their texts in a row are the text
	// Starts[k] is the offset of the first byte of chunk k, Firsts[k] the number of
	// its first statement. Both have one entry more than there are chunks.
	Starts, Firsts []uint32
}

// Text returns the text that was parsed, unchanged.
func (f *Tree) Text() source.Text { return f.text }

// Statement is a directive with its rows.
type Statement struct {
	ID   int // position among the statements of the file, from 0
	Kind Kind
	// Span goes from the line of the directive up to the next statement.
	Span      source.Span
	Directive source.Span // the word
}

// Row is a line after a directive: of .names a cube.
type Row struct {
	Span source.Span // without white space around it and comment
	// Cube and Output are the two parts of a row of 0, 1 and - with output 0
	// or 1; of any other row Output has length 0.
	Cube, Output source.Span
}

// NumStatements returns the number of statements.
func (f *Tree) NumStatements() int { return int(f.Firsts[len(f.Chunks)]) }

// Locate finds a statement by its number: it is statement i of chunk k.
func (f *Tree) Locate(id int) (k, i int) {
	k = sort.Search(len(f.Chunks), func(k int) bool { return int(f.Firsts[k+1]) > id })
	return k, id - int(f.Firsts[k])
}

// Statement returns the statement with a number.
func (f *Tree) Statement(id int) Statement { return f.statement(f.Locate(id)) }

func (f *Tree) statement(k, i int) Statement {
	c, st := f.Chunks[k], f.Chunks[k].Stmts[i]
	from, to := int(f.Starts[k]+st.Start), int(f.Starts[k]+c.End(i))
	s := Statement{ID: int(f.Firsts[k]) + i, Kind: st.Kind, Span: source.SpanFromTo(from, to)}
	if st.Kind != KindText {
		s.Directive = f.TokenSpan(k, c.Tokens[st.Token])
	}
	return s
}

// Statements yields the statements from ≤ ID < to.
func (f *Tree) Statements(from, to int) iter.Seq[Statement] {
	return func(yield func(Statement) bool) {
		if from >= to {
			return
		}
		for k, i := f.Locate(from); k < len(f.Chunks); k, i = k+1, 0 {
			for end := min(len(f.Chunks[k].Stmts), to-int(f.Firsts[k])); i < end; i++ {
				if !yield(f.statement(k, i)) {
					return
				}
			}
		}
	}
}

// NumRows returns the number of rows of a statement.
func (f *Tree) NumRows(id int) int {
	k, i := f.Locate(id)
	return len(f.Chunks[k].RowsOf(i))
}

// CommentLines yields the lines that hold just a comment, without their ends. No
// line is looked at that has no '#'.
func (f *Tree) CommentLines() iter.Seq[source.Span] {
	return func(yield func(source.Span) bool) {
		for k, c := range f.Chunks {
			for at := 0; ; {
				next := strings.IndexByte(c.Text[at:], '#')
				if next < 0 {
					break
				}
				start := strings.LastIndexByte(c.Text[:at+next], '\n') + 1
				end := len(c.Text)
				if n := strings.IndexByte(c.Text[at+next:], '\n'); n >= 0 {
					end = at + next + n
				}
				span := source.SpanFromTo(int(f.Starts[k])+start, int(f.Starts[k])+end)
				if SkipBlank(c.Text, start) == at+next && !yield(span) {
					return
				}
				at = end
			}
		}
	}
}

// StatementAt returns the statement that holds offset.
func (f *Tree) StatementAt(offset int) Statement {
	k := f.chunkAt(offset)
	c := f.Chunks[k]
	at := uint32(max(0, offset-int(f.Starts[k])))
	i := sort.Search(len(c.Stmts), func(i int) bool { return c.Stmts[i].Start > at })
	return f.Statement(int(f.Firsts[k]) + max(0, i-1))
}

// Arguments returns the words of a statement after its directive. Of
// formal=actual there are two words, of which the second may be empty.
func (f *Tree) Arguments(id int) []source.Span {
	k, i := f.Locate(id)
	lo, hi := f.Chunks[k].TokensOf(i)
	var spans []source.Span
	for t := lo + 1; t < hi; t++ {
		spans = append(spans, f.TokenSpan(k, f.Chunks[k].Tokens[t]))
	}
	return spans
}

// Rows yields the rows of a statement, in text order.
func (f *Tree) Rows(id int) iter.Seq[Row] {
	return func(yield func(Row) bool) {
		k, i := f.Locate(id)
		for _, r := range f.Chunks[k].RowsOf(i) {
			if !yield(f.RowAt(k, r)) {
				return
			}
		}
	}
}

// RowAt returns a row of chunk k.
func (f *Tree) RowAt(k int, r RawRow) Row {
	start := int(f.Starts[k] + r.Start)
	if r.IsOdd() {
		return Row{Span: source.Span{Start: start, Length: r.Width()}}
	}
	out := start
	if r.Width() > 0 {
		var fl flags
		out = int(f.Starts[k]) + skipJoined(f.Chunks[k].Text, int(r.Start)+r.Width(), &fl)
	}
	return Row{
		Span: source.SpanFromTo(start, out+1),
		Cube: source.Span{Start: start, Length: r.Width()}, Output: source.Span{Start: out, Length: 1},
	}
}

// TokenSpan returns the place of a token of chunk k.
func (f *Tree) TokenSpan(k int, t Token) source.Span {
	return source.Span{Start: int(f.Starts[k] + t.Start), Length: int(t.Length)}
}

// WordOf returns the text of a token of chunk k.
func (f *Tree) WordOf(k int, t Token) string { return f.Chunks[k].Word(t) }

// TokenRef is a token of a version.
type TokenRef struct{ Chunk, Token uint32 }

// RefSpan returns the place of a token.
func (f *Tree) RefSpan(r TokenRef) source.Span {
	return f.TokenSpan(int(r.Chunk), f.Chunks[r.Chunk].Tokens[r.Token])
}

// DirectiveSpan returns the place of a statement's directive.
func (f *Tree) DirectiveSpan(id int) source.Span { return f.Statement(id).Directive }

// ContentSpan returns the statement without the blank and comment lines, the
// white space and the comment at its end. It ends where the last word or row does.
func (f *Tree) ContentSpan(id int) source.Span {
	k, i := f.Locate(id)
	c := f.Chunks[k]
	from := int(f.Starts[k] + c.Stmts[i].Start)
	to := from
	if lo, hi := c.TokensOf(i); hi > lo {
		to = f.TokenSpan(k, c.Tokens[hi-1]).End()
	}
	if rows := c.RowsOf(i); len(rows) > 0 {
		to = max(to, f.RowAt(k, rows[len(rows)-1]).Span.End())
	}
	return source.SpanFromTo(from, to)
}

// WordsOf returns the words of a statement and of its rows.
func (f *Tree) WordsOf(id int) []string {
	k, i := f.Locate(id)
	c := f.Chunks[k]
	var words []string
	for lo, hi := c.TokensOf(i); lo < hi; lo++ {
		words = append(words, c.Word(c.Tokens[lo]))
	}
	for _, r := range c.RowsOf(i) {
		row := c.Text[r.Start : f.RowAt(k, r).Span.End()-int(f.Starts[k])]
		for _, w := range SplitWords(row, 0) {
			words = append(words, w.Text)
		}
	}
	return words
}

// EndOfContent returns the offset after the last visible byte that is not in a
// comment at the end of the file.
func (f *Tree) EndOfContent() int { return f.ContentSpan(f.NumStatements() - 1).End() }
