package aiger

import (
	"fmt"
	"strings"

	"aiglens/internal/source"
)

// maxSpaceEdits bounds the fix that cleans a whole file: larger ones are left
// to WhitespaceEdits, which is computed only when asked for.
const maxSpaceEdits = 1000

// gap is a piece of white space that should not be there.
type gap struct {
	span source.Span
	code source.Code
	want string // what should stand there instead
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

// wrongSpace yields the wrong white space of header and rows, and the blank
// lines, until yield returns false.
func (f *File) wrongSpace(yield func(gap) bool) {
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
	for r := range f.rows {
		if f.rows[r].flags&(rowSpace|rowCR) == 0 {
			continue
		}
		l := f.lineOf(r)
		if f.rows[r].flags&rowSpace == 0 { // files with CR LF have it on every line
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
	wrongSymbolSpace(f.text.Content(), f.text.LineStart(f.end), f.symbols.commentAt, yield)
}

// wrongSymbolSpace is wrongSpace for the lines of a symbol table, from pos to
// the line that starts the comment, if there is one.
func wrongSymbolSpace(s string, pos, commentAt int, yield func(gap) bool) {
	end := len(s)
	if commentAt >= 0 {
		_, end = lineAt(s, commentAt)
	}
	for pos < end {
		line, next := lineAt(s, pos)
		switch {
		case classify(line) == lineBlank:
			if !yield(gap{source.SpanFromTo(pos, next), CodeBlankLine, ""}) {
				return
			}
		case strings.HasSuffix(line, "\r"):
			at := pos + len(strings.TrimRight(line, "\r"))
			if !yield(gap{source.SpanFromTo(at, pos+len(line)), CodeCRLF, ""}) {
				return
			}
		case strings.TrimRight(line, " \t") == "c" && line != "c":
			if !yield(gap{source.SpanFromTo(pos+1, pos+len(line)), CodeTrailingSpace, ""}) {
				return
			}
		}
		pos = next
	}
}

// WhitespaceEdits returns the edits that give the file the white space that
// the format asks for: one space between numbers, LF, no blank lines, a line
// end behind the last line. Comments are left alone.
func (f *File) WhitespaceEdits() []source.Edit { return f.whitespaceEdits(f.text.Len() + 1) }

func (f *File) whitespaceEdits(most int) []source.Edit {
	var edits []source.Edit
	if len(f.header.fields) == 0 {
		return nil
	}
	f.wrongSpace(func(g gap) bool {
		edits = append(edits, source.Edit{Span: g.span, NewText: g.want})
		return len(edits) <= most
	})
	if f.lacksNewline() {
		edits = append(edits, source.Edit{Span: source.Span{Start: f.text.Len()}, NewText: "\n"})
	}
	return edits
}

// lacksNewline reports whether the last line has no end. A blank one outside
// the comment is wrong as a whole, not for its missing end.
func (f *File) lacksNewline() bool {
	last := f.text.LineSpan(f.text.NumLines() - 1)
	inComment := f.symbols.commentAt >= 0 && last.Start > f.symbols.commentAt
	return last.Length > 0 && (inComment || classify(f.text.Slice(last)) != lineBlank)
}

// checkSpace reports wrong white space, once for each kind.
func (p *parser) checkSpace() {
	f := p.file
	found := map[source.Code]*source.Diagnostic{}
	times := map[source.Code]int{}
	f.wrongSpace(func(g gap) bool {
		if times[g.code]++; times[g.code] == 1 {
			found[g.code] = p.add(g.code, g.span, "%s", spaceMessages[g.code])
		}
		return true
	})
	if len(found) == 0 {
		return
	}
	edits := f.whitespaceEdits(maxSpaceEdits)
	for code, diag := range found {
		if n := times[code]; n > 1 {
			diag.Message += fmt.Sprintf(" (%d places)", n)
		}
		if len(edits) <= maxSpaceEdits {
			safeFix(diag, "Normalise the white space of the file", edits...)
		}
	}
}
