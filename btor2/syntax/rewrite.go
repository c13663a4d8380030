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

// CommentAfter returns the comment at the end of a row, with the blank before it.
func (f *File) CommentAfter(node int) string {
	m := f.Model()
	line := strings.TrimRight(m.Text.Line(m.Nodes[node].Line), "\r")
	if i := strings.Index(line, " ;"); i >= 0 {
		return line[i:]
	}
	return ""
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
