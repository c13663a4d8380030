package findings

import (
	"strings"

	"aiglens/internal/source"
)

// Moved returns what was found in a text at its places after an edit of that. What the
// edit may have made wrong is left out: a finding on a row that it touches, or that
// refers to one. A row that others are put before or after is not touched. Fixes are
// left out too, because they are edits of the text before.
func Moved(found []source.Diagnostic, text source.Text, e source.Edit) []source.Diagnostic {
	m := moveOf(text, e)
	var all []source.Diagnostic
	for _, d := range found {
		span, ok := m.moved(d.Span)
		if !ok {
			continue
		}
		var related []source.Related
		for _, r := range d.Related {
			if r.Span, ok = m.moved(r.Span); !ok {
				break
			}
			related = append(related, r)
		}
		if ok {
			d.Span, d.Related, d.Fixes = span, related, nil
			all = append(all, d)
		}
	}
	return all
}

// move is what an edit does to places: those up to before stay, those from behind on move
// by so many bytes, and what lies between is touched.
type move struct {
	before, behind, by int
	isRowEnd           bool // before is the end of a row, else the start of one
}

func moveOf(text source.Text, e source.Edit) move {
	start, end, added := e.Span.Start, e.Span.End(), e.NewText
	m := move{before: start, behind: end, by: len(added) - e.Span.Length}
	first, last := text.LineAt(start), text.LineAt(end)
	if start == text.LineStart(first) && end == text.LineStart(last) && (added == "" || strings.HasSuffix(added, "\n")) {
		return m // whole rows, with the line ends after them
	}
	if start == rowEnd(text, first) && end == rowEnd(text, last) && (added == "" || strings.HasPrefix(strings.TrimPrefix(added, "\r"), "\n")) {
		m.isRowEnd = true
		return m // whole rows, with the line ends before them
	}
	m.before, m.behind = text.LineStart(first), text.LineSpan(last).End()+1
	return m
}

// rowEnd returns where the line end of a row starts.
func rowEnd(text source.Text, line int) int {
	span := text.LineSpan(line)
	if span.Length > 0 && text.Byte(span.End()-1) == '\r' {
		span.Length--
	}
	return span.End()
}

// moved returns where a span comes to lie; ok is false for one that is touched. An empty
// one belongs to the row that it ends or starts.
func (m move) moved(s source.Span) (moved source.Span, ok bool) {
	isEmpty := s.Length == 0
	switch {
	case s.End() < m.before, s.End() == m.before && (!isEmpty || m.isRowEnd):
		return s, true
	case s.Start > m.behind, s.Start == m.behind && !(isEmpty && m.isRowEnd):
		s.Start += m.by
		return s, true
	}
	return source.Span{}, false
}
