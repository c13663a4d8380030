package blif

import (
	"strings"

	"aiglens/internal/source"
)

// ownLine returns a comment that stood behind a directive or row as a line of its
// own. It must mean nothing there either: it becomes no property, and no '\\'
// stays at its end, which would join the next line in ABC and Yosys.
func ownLine(comment string) string {
	comment = strings.TrimRight(comment, " \t\r\n\\")
	if comment != "" && propertyPrefix(comment) > 0 {
		comment = "#" + comment
	}
	return comment + "\n"
}

// keptComments returns the comments of some lines of a statement, each on a line
// of its own, for an edit that takes the lines out. Lines that are comments stay
// as they are.
func (f *File) keptComments(id int, lines source.Span) string {
	k, i := f.at(id)
	c := f.chunks[k]
	words := 0 // where those end that may hold a '#'
	if kind := c.stmts[i].kind; kind == KindAttr || kind == KindParam {
		_, hi := c.tokens(i)
		words = f.span(k, c.toks[hi-1]).End()
	}
	var kept strings.Builder
	for at := lines.Start; at < lines.End(); {
		end := min(f.text.LineStart(f.text.LineAt(at)+1), f.text.Len())
		if end <= at {
			end = f.text.Len()
		}
		line := f.text.Slice(source.SpanFromTo(at, end))
		skip := max(0, min(words-at, len(line)))
		if n := strings.IndexByte(line[skip:], '#'); n >= 0 {
			if comment := line[skip+n:]; strings.TrimSpace(line[:skip+n]) == "" {
				kept.WriteString(strings.TrimRight(line, "\r\n") + "\n")
			} else {
				kept.WriteString(ownLine(comment))
			}
		}
		at = end
	}
	return kept.String()
}

// lineDeletion takes the lines that a span touches out of a statement. Their
// comments stay.
func (f *File) lineDeletion(id int, span source.Span) source.Edit {
	from := f.text.LineStart(f.text.LineAt(span.Start))
	to := f.text.LineStart(f.text.LineAt(span.End()) + 1)
	lines := source.SpanFromTo(from, max(span.End(), to))
	return replace(lines, f.keptComments(id, lines))
}

// rowDeletion takes a row out.
func (f *File) rowDeletion(id int, r Row) source.Edit { return f.lineDeletion(id, r.Span) }

// deletion takes a statement out. Comment and blank lines behind it stay.
func (f *File) deletion(id int) source.Edit { return f.lineDeletion(id, f.contentSpan(id)) }

// rowOf returns the row of a statement that holds an offset; ok is false when
// there is none.
func (f *File) rowOf(id, at int) (row Row, ok bool) {
	for r := range f.Rows(id) {
		if r.Span.Start <= at && at <= r.Span.End() {
			return r, true
		}
	}
	return Row{}, false
}

// propertyFix makes a property of a comment that looks like one: on a line of its
// own, before the row or the directive that it stands behind, behind a .model.
func (f *File) propertyFix(d source.Diagnostic) []source.Fix {
	if f.text.Slice(d.Span)[0] != '#' {
		return nil // of a model that is not checked
	}
	if f.isOwnLine(d.Span.Start) {
		return fix(false, "Write # prop:", replace(d.Span, "# prop:"))
	}
	comment := f.text.Slice(d.Span)
	line := "# prop:" + strings.TrimRight(comment[propertyPrefix(comment):], " \t\\") + "\n"
	st := f.StatementAt(d.Span.Start)
	at := st.Span.Start
	if st.Kind == KindModel {
		at = f.text.LineStart(f.text.LineAt(f.contentSpan(st.ID).End()) + 1)
		if at <= d.Span.Start {
			line, at = "\n"+line, f.text.Len()
		}
	}
	for r := range f.Rows(st.ID) {
		if r.Span.Start < d.Span.Start {
			at = f.text.LineStart(f.text.LineAt(r.Span.Start))
		}
	}
	return fix(false, "Make it a property, on a line of its own", insert(at, line), f.commentRemoval(d.Span))
}

// commentRemoval takes a comment out of its line, with the white space before it.
func (f *File) commentRemoval(comment source.Span) source.Edit {
	from := comment.Start
	for from > 0 && isBlank(f.text.Byte(from-1)) {
		from--
	}
	return source.Edit{Span: source.SpanFromTo(from, comment.End())}
}
