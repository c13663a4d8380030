package edit

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"aiglens/btor2/syntax"
	"aiglens/internal/source"
)

// blanks are the white space of a line.
const blanks = " \t\r"

// Format returns the edits that give the text the white space that every reader takes: one blank between words and
// before a comment, none at the start and the end of a line, LF. Words, blank lines and the text of comments stay. The
// error is that of the context, or says why there is no such form.
func Format(ctx context.Context, f *syntax.File) ([]source.Edit, error) {
	if d := f.Structural(); d != nil && (d.Code == syntax.CodeCRLines || d.Code == syntax.CodeOtherFormat) {
		return nil, refusal(f, d)
	}
	x := formatter{text: f.Text()}
	row, last := 0, ""
	for line, content := range f.Text().LinesFrom(0) {
		if line%1000 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		last = content
		if row < f.NumRows() && f.LineOf(row) == line {
			row++
			if !f.Model().Nodes[row-1].Op.IsAside() {
				x.row(f.LayoutOf(row-1), f.Text().LineSpan(line))
				continue
			}
		}
		x.plain(f.Text().LineStart(line), content)
	}
	if strings.Trim(last, blanks) != "" {
		x.edits = append(x.edits, source.Edit{Span: source.Span{Start: f.Text().Len()}, NewText: "\n"})
	}
	return x.edits, nil
}

// refusal turns a diagnostic into the reason why something is not done.
func refusal(f *syntax.File, d *source.Diagnostic) error {
	if d == nil {
		return errors.New("the text has an error")
	}
	line, _ := f.Text().LineColumn(d.Span.Start)
	return fmt.Errorf("line %d: %s", line, d.Message)
}

// formatter collects edits, in text order.
type formatter struct {
	text  source.Text
	edits []source.Edit
}

// gap puts white space in the place of what stands from one offset to another.
func (x *formatter) gap(from, to int, want string) {
	if span := source.SpanFromTo(from, to); x.text.Slice(span) != want {
		x.edits = append(x.edits, source.Edit{Span: span, NewText: want})
	}
}

// row formats the line of a row.
func (x *formatter) row(l syntax.Layout, line source.Span) {
	at, want := line.Start, ""
	for _, w := range l.Words {
		x.gap(at, w.Start, want)
		at, want = w.End(), " "
	}
	if l.Comment.Length > 0 {
		x.gap(at, l.Comment.Start, want)
		at = l.Comment.Start + len(strings.TrimRight(x.text.Slice(l.Comment), blanks))
	}
	x.gap(at, line.End(), "")
}

// plain formats a line without a row.
func (x *formatter) plain(start int, content string) {
	kept := strings.TrimLeft(content, blanks)
	from := start + len(content) - len(kept)
	x.gap(start, from, "")
	x.gap(from+len(strings.TrimRight(kept, blanks)), start+len(content), "")
}
