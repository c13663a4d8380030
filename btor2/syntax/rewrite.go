package syntax

import (
	"strconv"
	"strings"

	"aiglens/internal/source"
)

// RowInPlace returns a row with the number, the name and the comment of another one, and other words between them.
func (f *File) RowInPlace(node int, words ...string) string {
	m := f.Model()
	n := &m.Nodes[node]
	words = append([]string{strconv.FormatInt(n.ID, 10)}, words...)
	if n.Symbol != "" {
		words = append(words, n.Symbol)
	}
	return strings.Join(words, " ") + f.CommentAfter(node)
}

// CommentAfter returns the comment at the end of a row, with a blank before it.
func (f *File) CommentAfter(node int) string {
	text, comment := f.Text(), f.LayoutOf(node).Comment
	if comment.Length == 0 {
		return ""
	}
	return " " + strings.TrimRight(text.Slice(comment), "\r")
}

// Deletion returns the edit that deletes a row, but for its comment.
func (f *File) Deletion(row int) source.Edit {
	text, line := f.Text(), f.LineOf(row)
	if comment := f.LayoutOf(row).Comment; comment.Length > 0 {
		return source.Edit{Span: source.SpanFromTo(text.LineStart(line), comment.Start)}
	}
	return source.Edit{Span: source.SpanFromTo(text.LineStart(line), text.LineStart(line+1))}
}

// Operand returns a value as a row names it.
func (m *Model) Operand(r Ref) string {
	id := strconv.FormatInt(m.Nodes[r.Node()].ID, 10)
	if r.IsNegated() {
		return "-" + id
	}
	return id
}

// SortNumber returns the number of the sort of a row as it stands there, or "".
func (f *File) SortNumber(node int) string {
	m := f.Model()
	for o := range f.OccurrencesIn(source.Span{Start: m.Text.LineStart(m.Nodes[node].Line)}) {
		if o.Role == RoleSort && o.Ref != NoRef {
			return strconv.FormatInt(m.Nodes[o.Ref.Node()].ID, 10)
		}
	}
	return ""
}
