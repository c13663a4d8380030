package source

import "strings"

// Replace returns the text after one edit, whose span is clamped to the text.
// Only the new text is searched for line ends; the rest of the line index is
// shifted.
func (t Text) Replace(span Span, newText string) Text {
	start := min(max(span.Start, 0), len(t.content))
	end := min(max(span.End(), start), len(t.content))
	var b strings.Builder
	b.Grow(len(t.content) - (end - start) + len(newText))
	b.WriteString(t.content[:start])
	b.WriteString(newText)
	b.WriteString(t.content[end:])

	// A line starts behind its '\n': those that start in (start, end] go.
	first, last := t.LineAt(start)+1, t.LineAt(end)+1
	rest := t.lines[min(last, len(t.lines)):]
	lines := make([]uint32, 0, first+strings.Count(newText, "\n")+len(rest))
	lines = append(append(lines, 0), t.lines[min(1, len(t.lines)):min(first, len(t.lines))]...)
	for i := range len(newText) {
		if newText[i] == '\n' {
			lines = append(lines, uint32(start+i+1))
		}
	}
	shift := uint32(len(newText) - (end - start)) // may wrap around: so does the sum
	shifted := lines[len(lines) : len(lines)+len(rest)]
	for i, at := range rest {
		shifted[i] = at + shift
	}
	return Text{content: b.String(), lines: lines[:len(lines)+len(rest)]}
}
