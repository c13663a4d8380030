package source

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Replace returns the text after one edit, whose span is clamped to the text.
// It reads and copies the chunks that the edit touches; the others are shared.
func (t Text) Replace(span Span, newText string) Text {
	start, end := t.clamp(span)
	switch {
	case start == end && newText == "":
		return t
	case t.size == 0:
		return NewText(newText)
	}
	// What stands after end in the chunk last either ends in '\n' or is the end
	// of the text, so that chunks go on to hold whole lines.
	first, last := t.chunkAt(start), t.chunkAt(end)
	parts := []string{t.chunks[first].text[:start-int(t.chunks[first].start)], newText, t.chunks[last].text[end-int(t.chunks[last].start):]}
	last++
	if size := len(parts[0]) + len(newText) + len(parts[2]); 0 < size && size < chunkSize/4 { // join it with a neighbour
		if last < len(t.chunks) {
			parts = append(parts, t.chunks[last].text)
			last++
		} else if first > 0 {
			first--
			parts = append([]string{t.chunks[first].text}, parts...)
		}
	}
	return t.splice(first, last, strings.Join(parts, ""))
}

// splice returns the text with content, which holds whole lines, in place of the
// chunks first to last, last excluded.
func (t Text) splice(first, last int, content string) Text {
	n := Text{chunks: make([]place, first, len(t.chunks)-(last-first)+len(content)/chunkSize+1), carriages: t.carriages}
	copy(n.chunks, t.chunks)
	oldSize, oldLines := t.size, t.lineEnds
	if first < len(t.chunks) {
		n.size, n.lineEnds = int(t.chunks[first].start), int(t.chunks[first].line)
	}
	if last < len(t.chunks) {
		oldSize, oldLines = int(t.chunks[last].start), int(t.chunks[last].line)
	}
	for _, c := range t.chunks[first:last] {
		if c.hasCarriage {
			n.carriages--
		}
	}
	n.cut(content, false)
	start, line := n.size-oldSize, n.lineEnds-oldLines // how far the rest moves
	for _, c := range t.chunks[last:] {
		n.chunks = append(n.chunks, place{c.chunk, uint32(int(c.start) + start), uint32(int(c.line) + line)})
	}
	n.size, n.lineEnds = t.size+start, t.lineEnds+line
	return n
}

// InOrder returns edits in the order of the text. Insertions at a place stand before what replaces
// text from there on, and keep their order.
func InOrder(edits []Edit) []Edit {
	sorted := slices.Clone(edits)
	slices.SortStableFunc(sorted, func(a, b Edit) int {
		return cmp.Or(a.Span.Start-b.Span.Start, min(a.Span.Length, 1)-min(b.Span.Length, 1))
	})
	return sorted
}

// Apply returns the text after edits, whose spans refer to t and must not
// overlap; they may come in any order.
func (t Text) Apply(edits []Edit) (Text, error) {
	sorted := InOrder(edits)
	last := 0
	for _, e := range sorted {
		if e.Span.Start < last || e.Span.Length < 0 || e.Span.End() > t.size {
			return Text{}, fmt.Errorf("edit at bytes %d to %d overlaps another or lies outside the text of %d bytes",
				e.Span.Start, e.Span.End(), t.size)
		}
		last = e.Span.End()
	}
	if len(edits) <= len(t.chunks)/4 { // a Replace copies one chunk and the list of all
		for i := len(sorted) - 1; i >= 0; i-- {
			t = t.Replace(sorted[i].Span, sorted[i].NewText)
		}
		return t, nil
	}
	var b strings.Builder
	content := t.Content()
	last = 0
	for _, e := range sorted {
		b.WriteString(content[last:e.Span.Start])
		b.WriteString(e.NewText)
		last = e.Span.End()
	}
	b.WriteString(content[last:])
	return NewText(b.String()), nil
}

// Common returns how many bytes two texts have in common at their start, and how
// many of the others at their end. Chunks that they share are not read.
func Common(a, b Text) (prefix, suffix int) {
	most := min(a.size, b.size)
	for i := 0; i < min(len(a.chunks), len(b.chunks)) && a.chunks[i].chunk == b.chunks[i].chunk; i++ {
		prefix += len(a.chunks[i].text)
	}
	for prefix < most {
		x, xStart := a.Run(prefix)
		y, yStart := b.Run(prefix)
		x, y = x[prefix-xStart:], y[prefix-yStart:]
		n := samePrefix(x, y)
		if prefix += n; n < min(len(x), len(y)) {
			break
		}
	}
	for i := 1; i <= min(len(a.chunks), len(b.chunks)) && a.chunks[len(a.chunks)-i].chunk == b.chunks[len(b.chunks)-i].chunk; i++ {
		if suffix+len(a.chunks[len(a.chunks)-i].text) > most-prefix {
			break
		}
		suffix += len(a.chunks[len(a.chunks)-i].text)
	}
	for suffix < most-prefix {
		x, xStart := a.Run(a.size - suffix - 1)
		y, yStart := b.Run(b.size - suffix - 1)
		x, y = x[:a.size-suffix-xStart], y[:b.size-suffix-yStart]
		n := sameSuffix(x, y)
		if suffix += n; n < min(len(x), len(y)) {
			break
		}
	}
	return prefix, min(suffix, most-prefix)
}

// Equal reports whether two texts are the same.
func (t Text) Equal(u Text) bool {
	if t.size != u.size {
		return false
	}
	prefix, _ := Common(t, u)
	return prefix == t.size
}

// blockSize is how many bytes are compared at once.
const blockSize = 1 << 9

// samePrefix returns the length of the longest common prefix.
func samePrefix(a, b string) int {
	most := min(len(a), len(b))
	n := 0
	for n+blockSize <= most && a[n:n+blockSize] == b[n:n+blockSize] {
		n += blockSize
	}
	for n < most && a[n] == b[n] {
		n++
	}
	return n
}

// sameSuffix returns the length of the longest common suffix.
func sameSuffix(a, b string) int {
	most := min(len(a), len(b))
	n := 0
	for n+blockSize <= most && a[len(a)-n-blockSize:len(a)-n] == b[len(b)-n-blockSize:len(b)-n] {
		n += blockSize
	}
	for n < most && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}
