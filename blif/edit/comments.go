package edit

import (
	"strings"

	"aiglens/blif"
	"aiglens/blif/codes"
	"aiglens/blif/statement"
	"aiglens/internal/source"
)

// ownLine returns a comment that stood after a directive or row as a line of its
// own. It must mean nothing there either: it becomes no property, and no '\\'
// stays at its end, which would join the next line in ABC and Yosys.
func ownLine(comment string) string {
	comment = strings.TrimRight(comment, " \t\r\n\\")
	if comment != "" && statement.PropertyPrefix(comment) > 0 {
		comment = "#" + comment
	}
	return comment + "\n"
}

// keptComments returns the comments of some lines of a statement, each on a line
// of its own, for an edit that takes the lines out. Lines that are comments stay
// as they are.
func keptComments(f *blif.File, id int, lines source.Span) string {
	k, i := f.Locate(id)
	c := f.Chunks[k]
	words := 0 // where those end that may hold a '#'
	if kind := c.Stmts[i].Kind; kind == statement.KindAttr || kind == statement.KindParam {
		_, hi := c.TokensOf(i)
		words = f.TokenSpan(k, c.Tokens[hi-1]).End()
	}
	var kept strings.Builder
	for at := lines.Start; at < lines.End(); {
		end := min(f.Text().LineStart(f.Text().LineAt(at)+1), f.Text().Len())
		if end <= at {
			end = f.Text().Len()
		}
		line := f.Text().Slice(source.SpanFromTo(at, end))
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
func lineDeletion(f *blif.File, id int, span source.Span) source.Edit {
	from := f.Text().LineStart(f.Text().LineAt(span.Start))
	to := f.Text().LineStart(f.Text().LineAt(span.End()) + 1)
	lines := source.SpanFromTo(from, max(span.End(), to))
	return replace(lines, keptComments(f, id, lines))
}

// rowDeletion takes a row out.
func rowDeletion(f *blif.File, id int, r statement.Row) source.Edit {
	return lineDeletion(f, id, r.Span)
}

// deletion takes a statement out. Comment and blank lines after it stay.
func deletion(f *blif.File, id int) source.Edit { return lineDeletion(f, id, f.ContentSpan(id)) }

// rowOf returns the row of a statement that holds an offset; ok is false when
// there is none.
func rowOf(f *blif.File, id, at int) (row statement.Row, ok bool) {
	for r := range f.Rows(id) {
		if r.Span.Start <= at && at <= r.Span.End() {
			return r, true
		}
	}
	return statement.Row{}, false
}

// propertyFix makes a property of a comment that looks like one: on a line of its
// own, before the row or the directive that it follows, after a .model.
func propertyFix(f *blif.File, d source.Diagnostic) []source.Fix {
	if f.Text().Slice(d.Span)[0] != '#' {
		return nil // of a model that is not checked
	}
	if f.IsOwnLine(d.Span.Start) {
		return fix(false, "Write # prop:", replace(d.Span, "# prop:"))
	}
	comment := f.Text().Slice(d.Span)
	line := "# prop:" + strings.TrimRight(comment[statement.PropertyPrefix(comment):], " \t\\") + "\n"
	st := f.StatementAt(d.Span.Start)
	at := st.Span.Start
	if st.Kind == statement.KindModel {
		at = f.Text().LineStart(f.Text().LineAt(f.ContentSpan(st.ID).End()) + 1)
		if at <= d.Span.Start {
			line, at = "\n"+line, f.Text().Len()
		}
	}
	for r := range f.Rows(st.ID) {
		if r.Span.Start < d.Span.Start {
			at = f.Text().LineStart(f.Text().LineAt(r.Span.Start))
		}
	}
	return fix(false, "Make it a property, on a line of its own", insert(at, line), commentRemoval(f, d.Span))
}

// commentRemoval takes a comment out of its line, with the white space before it.
func commentRemoval(f *blif.File, comment source.Span) source.Edit {
	from := comment.Start
	for from > 0 && statement.IsBlank(f.Text().Byte(from-1)) {
		from--
	}
	return source.Edit{Span: source.SpanFromTo(from, comment.End())}
}

// textFixes are those of white space and comments.
func textFixes(f *blif.File, d source.Diagnostic) []source.Fix {
	line := f.Text().LineAt(d.Span.Start)
	switch d.Code {
	case codes.JoinSpace:
		span := f.Text().LineSpan(line)
		rest := source.SpanFromTo(d.Span.End(), span.End())
		behind := f.Text().Slice(rest)
		comment := strings.TrimSpace(behind)
		if comment == "" {
			return fix(true, "Delete the white space", source.Edit{Span: source.Span{Start: rest.Start, Length: len(strings.TrimRight(behind, "\r"))}})
		}
		start := f.Text().LineStart(f.Text().LineAt(f.StatementAt(d.Span.Start).Span.Start))
		return fix(statement.PropertyPrefix(comment) == 0, "Move the comment to its own line", insert(start, ownLine(comment)), source.Edit{Span: rest})
	case codes.JoinEnd:
		from := d.Span.Start
		for from > 0 && statement.IsBlank(f.Text().Byte(from-1)) {
			from--
		}
		return fix(true, "Delete the \\", source.Edit{Span: source.SpanFromTo(from, d.Span.End())})
	case codes.Comment:
		comment := f.Text().Slice(d.Span)
		return fix(statement.PropertyPrefix(comment) == 0, "Move the comment to its own line",
			insert(f.StatementAt(d.Span.Start).Span.Start, ownLine(comment)), commentRemoval(f, d.Span))
	case codes.PragmaIgnored:
		return propertyFix(f, d)
	case codes.CommentJoin:
		from := d.Span.End()
		for from > 0 && (statement.IsBlank(f.Text().Byte(from-1)) || f.Text().Byte(from-1) == '\\') {
			from--
		}
		return fix(true, "Delete the \\", source.Edit{Span: source.SpanFromTo(from, d.Span.End())})
	case codes.Indentation:
		return fix(true, "Remove the indentation", source.Edit{Span: d.Span})
	}
	return nil
}
