// Package source holds the text of one version of a file and places in it.
//
// Everything here counts in bytes from the start of the file. Lines and
// columns appear only when something is printed (Text.LineColumn), and a
// client's position encoding only at the wire, in package lsp. The package
// knows nothing of AIGER, BLIF or the language server protocol.
package source

import (
	"fmt"
	"math/bits"
	"sort"
	"strings"
)

// Text is the immutable content of one version of a file, with the starts of
// its lines. The zero Text is an empty file.
type Text struct {
	content string
	lines   []uint32 // lines[i] is the offset of the first byte of line i; lines[0] == 0
}

// NewText indexes content. Lines end with '\n'; a final '\n' is followed by one
// last, empty line, as in every editor.
func NewText(content string) Text {
	const (
		ends = 0x0a0a0a0a0a0a0a0a // '\n' in every byte
		ones = 0x0101010101010101
		tops = 0x8080808080808080
	)
	lines := make([]uint32, 1, 1+strings.Count(content, "\n"))
	i := 0
	for ; i+8 <= len(content); i += 8 {
		// A byte of x is 0 where the text has '\n'. The lowest top bit of zeros
		// marks the first such byte; those above it may be wrong, so each is
		// cleared in x before the next is looked for.
		x := word(content[i:]) ^ ends
		for zeros := (x - ones) &^ x & tops; zeros != 0; zeros = (x - ones) &^ x & tops {
			at := bits.TrailingZeros64(zeros)
			lines = append(lines, uint32(i+at/8+1))
			x |= 0x80 << (at &^ 7)
		}
	}
	for ; i < len(content); i++ {
		if content[i] == '\n' {
			lines = append(lines, uint32(i+1))
		}
	}
	return Text{content: content, lines: lines}
}

// word returns the first eight bytes of s, the first one lowest.
func word(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// Content returns the whole text.
func (t Text) Content() string { return t.content }

// Len returns the size in bytes.
func (t Text) Len() int { return len(t.content) }

// NumLines returns the number of lines, at least 1.
func (t Text) NumLines() int { return max(1, len(t.lines)) }

// LineStart returns the offset of the first byte of line (from 0). The line
// after the last one starts at Len.
func (t Text) LineStart(line int) int {
	switch {
	case line <= 0:
		return 0
	case line >= len(t.lines):
		return len(t.content)
	}
	return int(t.lines[line])
}

// LineSpan returns the span of line (from 0) without its '\n'.
func (t Text) LineSpan(line int) Span {
	start, end := t.LineStart(line), t.LineStart(line+1)
	if end > start && t.content[end-1] == '\n' {
		end--
	}
	return Span{start, end - start}
}

// Line returns the text of line (from 0) without its '\n'.
func (t Text) Line(line int) string { return t.Slice(t.LineSpan(line)) }

// LineAt returns the line (from 0) that holds offset, which is clamped to the text.
func (t Text) LineAt(offset int) int {
	return max(0, sort.Search(len(t.lines), func(i int) bool { return int(t.lines[i]) > offset })-1)
}

// Slice returns the text of a span, clamped to the text.
func (t Text) Slice(s Span) string {
	start := min(max(s.Start, 0), len(t.content))
	end := min(max(s.End(), start), len(t.content))
	return t.content[start:end]
}

// LineColumn returns line and column of offset, both from 1 and the column in
// bytes, as compilers print them.
func (t Text) LineColumn(offset int) (line, column int) {
	l := t.LineAt(offset)
	return l + 1, offset - t.LineStart(l) + 1
}

// Apply returns the text after edits, whose spans refer to t and must not
// overlap; they may come in any order.
func (t Text) Apply(edits []Edit) (Text, error) {
	sorted := append([]Edit(nil), edits...)
	sort.SliceStable(sorted, func(i, j int) bool { return sorted[i].Span.Start < sorted[j].Span.Start })
	var b strings.Builder
	last := 0
	for _, e := range sorted {
		if e.Span.Start < last || e.Span.Length < 0 || e.Span.End() > len(t.content) {
			return Text{}, fmt.Errorf("edit at bytes %d to %d overlaps another or lies outside the text of %d bytes",
				e.Span.Start, e.Span.End(), len(t.content))
		}
		b.WriteString(t.content[last:e.Span.Start])
		b.WriteString(e.NewText)
		last = e.Span.End()
	}
	b.WriteString(t.content[last:])
	return NewText(b.String()), nil
}

// Span is a range of bytes: Length bytes from Start on.
type Span struct {
	Start, Length int
}

// SpanFromTo returns the span of the bytes start to end, end excluded.
func SpanFromTo(start, end int) Span { return Span{start, end - start} }

// End returns the offset behind the last byte.
func (s Span) End() int { return s.Start + s.Length }

// Contains reports whether offset lies in the span or directly behind it,
// which is where a text cursor stands after the last character.
func (s Span) Contains(offset int) bool { return s.Start <= offset && offset <= s.End() }

// Edit replaces the bytes of a span by NewText.
type Edit struct {
	Span    Span
	NewText string
}
