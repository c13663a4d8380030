package edit

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"aiglens/blif"
	"aiglens/blif/codes"
	"aiglens/blif/statement"
	"aiglens/internal/source"
)

// Format returns edits that bring the layout of the text into the form that every
// reader takes and change nothing else: comments on lines of their own, directives in
// the first column, " \" directly before the line end, LF, .end and a final
// line end, formal=actual without white space. What not all readers understand alike is
// written out: the constant 0 as a row, at which ABC refuses a function of some inputs
// without rows, and the unknown initial value of a latch with a control, which ABC takes
// for 0. Names and ports stay: diagnose.ForOtherReaders tells what that leaves. The
// error is that of the context, or says what is in the way.
func Format(ctx context.Context, f *blif.File) ([]source.Edit, error) {
	x := formatter{f: f}
	for id := range f.NumStatements() {
		if id%1000 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		k, i := f.Locate(id)
		x.statement(k, i)
	}
	x.end()
	// A comment goes before the line from which white space goes.
	slices.SortStableFunc(x.edits, func(a, b source.Edit) int {
		return cmp.Or(cmp.Compare(a.Span.Start, b.Span.Start), cmp.Compare(a.Span.Length, b.Span.Length))
	})
	text, err := f.Text().Apply(x.edits)
	if err != nil {
		return nil, err
	}
	if len(x.edits) > 0 && !sameWords(f, f.Reparse(text)) {
		return nil, errNotFormatted
	}
	return x.edits, nil
}

// errNotFormatted is returned for a text with a '\' at the end of a name or of
// the file that would join lines once what follows it goes.
var errNotFormatted = errors.New(`a \ at the end of a name or of the file is in the way: delete it`)

// sameWords reports whether two files have the same statements, but for an .end
// at the end and what Format writes out.
func sameWords(f, g *blif.File) bool {
	n := f.NumStatements()
	skipF, skipG := 0, 0
	if f.Statement(0).Kind == statement.KindText {
		skipF = 1
	}
	if g.Statement(0).Kind == statement.KindText {
		skipG = 1
	}
	if more := g.NumStatements() - skipG - (n - skipF); more < 0 || more > 1 {
		return false
	}
	for id := skipF; id < n; id++ {
		k, i := f.Locate(id)
		words := slices.Concat(f.WordsOf(id), unsaid(f.Chunks[k], i))
		if !slices.Equal(words, g.WordsOf(id-skipF+skipG)) {
			return false
		}
	}
	return true
}

// unsaid returns the words that a statement means without them, where some reader takes
// it otherwise: the initial value of a latch with a control, the row of a function of
// some inputs.
func unsaid(c *statement.Chunk, i int) []string {
	lo, hi := c.TokensOf(i)
	switch kind, sound := c.Stmts[i].Kind, c.Stmts[i].Flags&statement.FlagArguments == 0; {
	case kind == statement.KindLatch && sound && hi-lo == 5:
		return []string{"3"}
	case kind == statement.KindNames && hi-lo > 2 && len(c.RowsOf(i)) == 0:
		return []string{strings.Repeat("-", int(hi-lo)-2), "0"}
	}
	return nil
}

// formatter collects edits, in text order.
type formatter struct {
	f     *blif.File
	edits []source.Edit
}

// statement formats the words and the lines of a statement.
func (x *formatter) statement(k, i int) {
	c, base := x.f.Chunks[k], int(x.f.Starts[k])
	kind := c.Stmts[i].Kind
	lo, hi := c.TokensOf(i)
	words := 0 // where the words of the directive end
	if kind != statement.KindText {
		words = int(c.Tokens[hi-1].Start + c.Tokens[hi-1].Length)
	}
	if kind.HasPins() {
		x.pins(c, base, lo, hi, kind)
	}
	row := strings.Join(unsaid(c, i), " ")
	if kind == statement.KindLatch && row != "" {
		x.edits = append(x.edits, insert(base+words, " "+row))
		row = ""
	}
	from, to := int(c.Stmts[i].Start), int(c.End(i))
	group := from // the first line of those that '\' joins
	for at := from; at < to; {
		end := statement.LineEnd(c.Text, at)
		l := formatLine{base: base, text: c.Text, from: at, to: end, group: group, isLast: base+end == x.f.Text().Len()}
		l.isDirective = at == from && kind != statement.KindText
		if (kind == statement.KindAttr || kind == statement.KindParam) && at < words {
			l.skip = min(words, end) // the value may hold a '#'
		}
		x.edits = l.format(x.edits)
		at = end
		if !l.joined {
			group = at
		}
		if row != "" && at >= words && (!l.joined || at == to) {
			x.row(c.Text, base, at, row)
			row = ""
		}
	}
}

// pins takes the white space around the '=' of connections, which Yosys refuses.
func (x *formatter) pins(c *statement.Chunk, base int, lo, hi uint32, kind statement.Kind) {
	first := lo + 1
	if kind.IsInstance() {
		first++
	}
	for t := first; t+1 < hi; t += 2 {
		formal, actual := c.Tokens[t], c.Tokens[t+1]
		end := formal.Start + formal.Length
		if actual.Start > end+1 && c.IsNamedPin(t) && c.Text[formal.Start] != '=' {
			x.edits = append(x.edits, source.Edit{Span: source.SpanFromTo(base+int(end), base+int(actual.Start)), NewText: "="})
		}
	}
}

// row adds a row after the line that ends at an offset of a chunk.
func (x *formatter) row(text string, base, at int, row string) {
	if text[at-1] == '\n' {
		row += "\n"
	} else {
		row = "\n" + row
	}
	x.edits = append(x.edits, insert(base+at, row))
}

// formatLine is a line of a statement.
type formatLine struct {
	base        int
	text        string
	from, to    int // of the line, its end included
	group       int
	skip        int // what stands before is not a comment
	isDirective bool
	isLast      bool // of the text
	joined      bool // the next line belongs to it
}

func (l *formatLine) edit(edits []source.Edit, from, to int, text string) []source.Edit {
	return append(edits, source.Edit{Span: source.SpanFromTo(l.base+from, l.base+to), NewText: text})
}

func (l *formatLine) format(edits []source.Edit) []source.Edit {
	end := l.to // of what is visible on the line
	if end > l.from && l.text[end-1] == '\n' {
		end--
	}
	carriage := end
	for carriage > l.from && l.text[carriage-1] == '\r' {
		carriage--
	}
	first := statement.SkipBlank(l.text[:carriage], l.from)
	comment := -1
	if at := max(first, l.skip); at < carriage {
		if n := strings.IndexByte(l.text[at:carriage], '#'); n >= 0 {
			comment = at + n
		}
	}
	if comment == first { // a comment or blank line
		return l.lineEnd(edits, carriage, end)
	}
	stop := carriage
	if comment >= 0 {
		stop = comment
	}
	last := stop
	for last > first && statement.IsBlank(l.text[last-1]) {
		last--
	}
	backslash := last > first && l.text[last-1] == '\\'
	glued := backslash && last-1 > first && !statement.IsBlank(l.text[last-2])
	if glued && last < carriage {
		return edits // the end of a name, which would join lines at the end of the line
	}
	l.joined = backslash && (last < stop || comment < 0)
	if comment >= 0 {
		edits = l.edit(edits, l.group, l.group, ownLine(l.text[comment:carriage]))
	}
	if l.isDirective && first > l.from {
		edits = l.edit(edits, l.from, first, "")
	}
	if l.joined && l.isLast { // there is nothing to join
		for last--; last > first && statement.IsBlank(l.text[last-1]); last-- {
		}
		if last > first && l.text[last-1] == '\\' {
			return edits // a word that would join lines then
		}
		return l.edit(edits, last, end, "")
	}
	if l.joined && glued {
		edits = l.edit(edits, last-1, last-1, " ") // a word of its own
	}
	if comment >= 0 || l.joined && last < carriage {
		return l.edit(edits, last, end, "")
	}
	return l.lineEnd(edits, carriage, end)
}

// lineEnd turns CR LF into LF, and a CR at the end of the text into nothing.
func (l *formatLine) lineEnd(edits []source.Edit, carriage, end int) []source.Edit {
	if carriage < end && (end < l.to || l.isLast) {
		return l.edit(edits, carriage, end, "")
	}
	return edits
}

// end adds the .end and the line end at the end of the text.
func (x *formatter) end() {
	f := x.f
	for _, d := range f.Structure().Findings {
		if d.Code == codes.EndMissing && d.Span.Length == 0 {
			x.edits = append(x.edits, appendLines(f, ".end\n"))
			return
		}
	}
	if n := f.Text().Len(); n > 0 && f.Text().Byte(n-1) != '\n' {
		x.edits = append(x.edits, insert(n, "\n"))
	}
}
