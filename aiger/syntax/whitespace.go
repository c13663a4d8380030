package syntax

import (
	"fmt"
	"strings"

	"aiglens/internal/source"
)

// maxSpaceEdits bounds the fix that cleans a whole file: larger ones are left
// to WhitespaceEdits, which is computed only when asked for.
const maxSpaceEdits = 1000

const titleWhitespace = "Normalise the white space of the file"

// gap is a piece of white space that should not be there.
type gap struct {
	span source.Span
	code source.Code
	want string // what should stand there instead
}

// shown is where a diagnostic of the gap stands in a text of so many bytes. An editor has no place between CR and LF:
// it is shown of both.
func (g gap) shown(size int) source.Span {
	if g.code == CodeCRLF && g.span.End() < size {
		g.span.Length++
	}
	return g.span
}

// gaps lists the wrong white space of a line of numbers that starts at base.
func gaps(line string, base int) []gap {
	var gs []gap
	add := func(from, to int, code source.Code, want string) {
		gs = append(gs, gap{source.SpanFromTo(base+from, base+to), code, want})
	}
	end := len(line)
	cr := strings.HasSuffix(line, "\r")
	if cr {
		end--
	}
	last := 0
	for i, w := range tokens(line[:end]) {
		space := line[last:w.start]
		switch {
		case strings.Trim(space, " ") != "" && i == 0:
			add(last, w.start, CodeTab, "")
		case strings.Trim(space, " ") != "":
			add(last, w.start, CodeTab, " ")
		case i == 0 && space != "":
			add(last, w.start, CodeExtraSpace, "")
		case i > 0 && len(space) > 1:
			add(last+1, w.start, CodeExtraSpace, "")
		}
		last = w.end
	}
	if last < end {
		add(last, end, CodeTrailingSpace, "")
	}
	if cr {
		add(end, end+1, CodeCRLF, "")
	}
	return gs
}

var spaceMessages = map[source.Code]string{
	CodeTab:           "expected one space between numbers, found a tab or other white space",
	CodeExtraSpace:    "expected exactly one space between numbers and none before them, found more",
	CodeTrailingSpace: "expected the line to end after its last number, found white space",
	CodeCRLF:          "expected the line to end in LF, found CR LF",
	CodeBlankLine:     "expected no blank line outside the comment section",
}

// wrongSpace yields the wrong white space of the header, of the rows that have
// one of the given flags and of the symbols, and the blank lines, until yield
// returns false.
func (f *File) wrongSpace(rows rowFlags, yield func(gap) bool) {
	base := f.text.LineStart(f.header.line)
	line := f.text.Line(f.header.line)
	for l := range f.header.line {
		if !yield(gap{source.SpanFromTo(f.text.LineStart(l), f.text.LineStart(l+1)), CodeBlankLine, ""}) {
			return
		}
	}
	if strings.HasPrefix(line, "\ufeff") {
		line, base = line[len("\ufeff"):], base+len("\ufeff")
	}
	for _, g := range gaps(line, base) {
		if !yield(g) {
			return
		}
	}
	for r := f.rows.find(0, rows); r < f.rows.len(); r = f.rows.find(r+1, rows) {
		l := f.LineOf(r)
		if f.rows.at(r).flags&rowSpace == 0 { // files with CR LF have it on every line
			if !yield(gap{source.Span{Start: f.text.LineSpan(l).End() - 1, Length: 1}, CodeCRLF, ""}) {
				return
			}
			continue
		}
		for _, g := range gaps(f.text.Line(l), f.text.LineStart(l)) {
			if !yield(g) {
				return
			}
		}
	}
	for _, l := range f.stray {
		if classify(f.text.Line(int(l))) != lineBlank {
			continue
		}
		if !yield(gap{source.SpanFromTo(f.text.LineStart(int(l)), f.text.LineStart(int(l)+1)), CodeBlankLine, ""}) {
			return
		}
	}
	f.symbols.wrongSpace(yield)
}

// wrongSpace is File.wrongSpace for the lines of a symbol table and the line
// that starts the comment.
func (t *symbolTable) wrongSpace(yield func(gap) bool) {
	for _, place := range t.gaps {
		l := t.lineOf(int(place))
		span := t.text.LineSpan(l)
		g := gap{source.SpanFromTo(t.base+span.Start, t.base+t.text.LineStart(l+1)), CodeBlankLine, ""}
		if t.lines[place].state != symbolBlank {
			trimmed := len(strings.TrimRight(t.text.Slice(span), "\r"))
			g = gap{source.SpanFromTo(t.base+span.Start+trimmed, t.base+span.End()), CodeCRLF, ""}
		}
		if !yield(g) {
			return
		}
	}
	if t.commentLine < 0 {
		return
	}
	line, at := t.text.Line(t.commentLine), t.base+t.commentAt()
	switch {
	case strings.HasSuffix(line, "\r"):
		yield(gap{source.SpanFromTo(at+len(strings.TrimRight(line, "\r")), at+len(line)), CodeCRLF, ""})
	case strings.TrimRight(line, " \t") == "c" && line != "c":
		yield(gap{source.SpanFromTo(at+1, at+len(line)), CodeTrailingSpace, ""})
	}
}

// WhitespaceEdits returns the edits that give the file the white space that
// the format asks for: one space between numbers, LF, no blank lines, a line
// end after the last line. Comments are left alone.
func (f *File) WhitespaceEdits() []source.Edit { return f.whitespaceEdits(f.text.Len() + 1) }

func (f *File) whitespaceEdits(most int) []source.Edit {
	var edits []source.Edit
	if len(f.header.fields) == 0 {
		return nil
	}
	f.wrongSpace(rowSpace|rowCR, func(g gap) bool {
		edits = append(edits, source.Edit{Span: g.span, NewText: g.want})
		return len(edits) <= most
	})
	if f.LacksNewline() {
		edits = append(edits, source.Edit{Span: source.Span{Start: f.text.Len()}, NewText: "\n"})
	}
	return edits
}

// LacksNewline reports whether the last line has no end. A blank one outside
// the comment is wrong as a whole, not for its missing end.
func (f *File) LacksNewline() bool {
	last := f.text.LineSpan(f.text.NumLines() - 1)
	inComment := f.symbols.commentLine >= 0 && f.text.NumLines()-1 > f.symbols.commentLine
	return last.Length > 0 && (inComment || classify(f.text.Slice(last)) != lineBlank)
}

// checkSpace reports wrong white space, once for each kind. Rows that end in
// CR LF and are else as they should be are only counted.
func (p *parser) checkSpace() {
	f := p.file
	found := map[source.Code]*source.Diagnostic{}
	times := map[source.Code]int{}
	unfinished := f.text.Len() // where a last line starts to which something is to be added
	if last := f.text.LineStart(f.text.NumLines() - 1); f.LacksNewline() && p.HasFrom(last) {
		unfinished = last
	}
	count := func(g gap, n int) {
		if g.code == CodeTrailingSpace && g.span.Start >= unfinished {
			return
		}
		if times[g.code] += n; found[g.code] == nil {
			found[g.code] = p.Add(g.code, g.shown(f.text.Len()), "%s", spaceMessages[g.code])
		} else if g.span.Start < found[g.code].Span.Start {
			found[g.code].Span = g.shown(f.text.Len())
		}
	}
	f.wrongSpace(rowSpace, func(g gap) bool {
		count(g, 1)
		return true
	})
	if n := f.rows.summary(0, f.rows.len()).crOnly; n > 0 {
		end := f.text.LineSpan(f.LineOf(f.rows.find(0, rowCR))).End()
		count(gap{source.Span{Start: end - 1, Length: 1}, CodeCRLF, ""}, int(n))
	}
	if len(found) == 0 {
		return
	}
	edits := f.whitespaceEdits(maxSpaceEdits)
	for code, diag := range found {
		if n := times[code]; n > 1 {
			diag.Message += fmt.Sprintf(" (%d places)", n)
		}
		if len(edits) <= maxSpaceEdits {
			diag.AddPreferredFix(titleWhitespace, edits...)
		}
	}
}

// WhitespaceFix returns the fix that makes WhitespaceEdits.
func (f *File) WhitespaceFix() source.Fix {
	return source.Fix{Title: titleWhitespace, Later: f.WhitespaceEdits, Preferred: true}
}
