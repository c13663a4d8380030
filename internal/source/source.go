// Package source holds the text of one version of a file and places in it.
//
// Everything here counts in bytes from the start of the file. Lines and
// columns appear only when something is printed (Text.LineColumn), and a
// client's position encoding only at the wire, in package lsp. The package
// knows nothing about AIGER, BLIF or the language server protocol.
//
// A Text is a list of chunks of whole lines, about 8 KB each. Versions share chunks: an edit
// rebuilds one of them, and the list.
package source

import (
	"iter"
	"math/bits"
	"strings"
	"unicode/utf8"
)

// Text is the immutable content of one version of a file, with the starts of
// its lines. The zero Text is an empty file. It stands in chunks of whole lines,
// which the versions of a file share, so that an edit costs one chunk and the
// list of them, not the file:
//
//	chunks   ┌────────┐┌─────────────┐┌───┐
//	         └────────┘└─────────────┘└───┘
//	start    0         s1             s2      bytes before
//	line     0         l1             l2      lines before
type Text struct {
	chunks    []place
	size      int
	lineEnds  int // number of '\n'
	carriages int // chunks with a lone '\r'
}

// place is a chunk in a text.
type place struct {
	*chunk
	start, line uint32
}

// chunk is a run of whole lines, not empty. Only the last one of a text may lack
// the end of its last line.
type chunk struct {
	text        string
	ends        []uint32 // offsets after each '\n'
	hasCarriage bool     // a '\r' without '\n' after it
}

// chunkSize is the size at which a text is cut, at the next line end. After
// edits chunks have up to twice that.
const chunkSize = 8 << 10

// NewText indexes content. Lines end with '\n'; a final '\n' is followed by one
// last, empty line, as in every editor.
func NewText(content string) Text {
	var t Text
	t.chunks = make([]place, 0, len(content)/chunkSize+1)
	t.cut(content, true)
	return t
}

// cut appends content in chunks. Unless they share its bytes, each has bytes of
// its own, so that the rest of a long insertion does not keep all of it in memory.
func (t *Text) cut(content string, share bool) {
	share = share || len(content) < 2*chunkSize // one chunk
	for size := len(content)/max(1, len(content)/chunkSize) + 1; len(content) > 0; {
		n := len(content)
		if size < n {
			if end := strings.IndexByte(content[size-1:], '\n'); end >= 0 {
				n = size + end
			}
		}
		text := content[:n]
		if !share {
			text = strings.Clone(text)
		}
		ends := appendLineEnds(make([]uint32, 0, strings.Count(text, "\n")), text)
		t.append(&chunk{text, ends, hasCarriage(text)})
		content = content[n:]
	}
}

// append appends a chunk.
func (t *Text) append(c *chunk) {
	t.chunks = append(t.chunks, place{c, uint32(t.size), uint32(t.lineEnds)})
	t.size += len(c.text)
	t.lineEnds += len(c.ends)
	if c.hasCarriage {
		t.carriages++
	}
}

// appendLineEnds appends the offsets after each '\n' of s.
func appendLineEnds(ends []uint32, s string) []uint32 {
	const (
		newlines = 0x0a0a0a0a0a0a0a0a // '\n' in every byte
		ones     = 0x0101010101010101
		tops     = 0x8080808080808080
	)
	i := 0
	for ; i+8 <= len(s); i += 8 {
		// A byte of x is 0 where the text has '\n'. The lowest top bit of zeros
		// marks the first such byte; those above it may be wrong, so each is
		// cleared in x before the next is looked for.
		x := word(s[i:]) ^ newlines
		for zeros := (x - ones) &^ x & tops; zeros != 0; zeros = (x - ones) &^ x & tops {
			at := bits.TrailingZeros64(zeros)
			ends = append(ends, uint32(i+at/8+1))
			x |= 0x80 << (at &^ 7)
		}
	}
	for ; i < len(s); i++ {
		if s[i] == '\n' {
			ends = append(ends, uint32(i+1))
		}
	}
	return ends
}

// word returns the first eight bytes of s, the first one lowest.
func word(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// hasCarriage reports whether s holds a '\r' without '\n' after it.
func hasCarriage(s string) bool {
	for i := strings.IndexByte(s, '\r'); i >= 0; i = strings.IndexByte(s, '\r') {
		if s = s[i+1:]; s == "" || s[0] != '\n' {
			return true
		}
	}
	return false
}

// Content returns the whole text, which it puts together: a copy of it all
// unless the text is small. Slice, Line and Run do without.
func (t Text) Content() string { return t.Slice(Span{0, t.size}) }

// Len returns the size in bytes.
func (t Text) Len() int { return t.size }

// HasCarriage reports whether the text holds a '\r' without '\n' after it.
func (t Text) HasCarriage() bool { return t.carriages > 0 }

// NumLines returns the number of lines, at least 1.
func (t Text) NumLines() int { return t.lineEnds + 1 }

// chunkAt returns the number of the chunk that holds offset, which is clamped;
// -1 for an empty text.
func (t Text) chunkAt(offset int) int {
	lo, hi := 0, len(t.chunks)
	for lo < hi {
		if mid := (lo + hi) / 2; int(t.chunks[mid].start) <= offset {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return max(lo-1, min(0, len(t.chunks)-1))
}

// lineIn returns the chunk that holds a line of a text that is not empty, and
// where the line stands there.
func (t Text) lineIn(line int) (c place, from, to int) {
	line = min(max(line, 0), t.lineEnds)
	lo, hi := 1, len(t.chunks)
	for lo < hi {
		if mid := (lo + hi) / 2; int(t.chunks[mid].line) <= line {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	c = t.chunks[lo-1]
	i := line - int(c.line)
	if i > 0 {
		from = int(c.ends[i-1])
	}
	if i < len(c.ends) {
		return c, from, int(c.ends[i]) - 1
	}
	return c, from, len(c.text)
}

// LineStart returns the offset of the first byte of line (from 0). The line
// after the last one starts at Len.
func (t Text) LineStart(line int) int {
	if line > t.lineEnds {
		return t.size
	}
	return t.LineSpan(line).Start
}

// LineSpan returns the span of line (from 0) without its '\n'.
func (t Text) LineSpan(line int) Span {
	if line > t.lineEnds || len(t.chunks) == 0 {
		return Span{Start: t.size}
	}
	c, from, to := t.lineIn(line)
	return Span{int(c.start) + from, to - from}
}

// Line returns the text of line (from 0) without its '\n'.
func (t Text) Line(line int) string {
	if line > t.lineEnds || len(t.chunks) == 0 {
		return ""
	}
	c, from, to := t.lineIn(line)
	return c.text[from:to]
}

// LineAt returns the line (from 0) that holds offset, which is clamped to the text.
func (t Text) LineAt(offset int) int {
	i := t.chunkAt(offset)
	if i < 0 {
		return 0
	}
	c := t.chunks[i]
	lo, hi := 0, len(c.ends)
	for lo < hi {
		if mid := (lo + hi) / 2; int(c.start+c.ends[mid]) <= offset {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return int(c.line) + lo
}

// Slice returns the text of a span, clamped to the text. It copies only what
// does not stand in one chunk; lines do.
func (t Text) Slice(s Span) string {
	start, end := t.clamp(s)
	if start == end {
		return ""
	}
	i := t.chunkAt(start)
	c := t.chunks[i]
	if end <= int(c.start)+len(c.text) {
		return c.text[start-int(c.start) : end-int(c.start)]
	}
	var b strings.Builder
	b.Grow(end - start)
	for ; start < end; i++ {
		c := t.chunks[i]
		part := c.text[start-int(c.start) : min(len(c.text), end-int(c.start))]
		b.WriteString(part)
		start += len(part)
	}
	return b.String()
}

// clamp returns the bounds of a span within the text.
func (t Text) clamp(s Span) (start, end int) {
	start = min(max(s.Start, 0), t.size)
	return start, min(max(s.End(), start), t.size)
}

// Character returns the span of the character at an offset: of one byte, unless the text is UTF-8
// there. No range of a diagnostic may end within one.
func (t Text) Character(offset int) Span {
	_, length := utf8.DecodeRuneInString(t.Slice(Span{offset, utf8.UTFMax}))
	return Span{offset, length}
}

// Byte returns the byte at offset, which must lie in the text.
func (t Text) Byte(offset int) byte {
	c := t.chunks[t.chunkAt(offset)]
	return c.text[offset-int(c.start)]
}

// Run returns a run of whole lines that holds offset, and where it starts. The
// runs of a text follow each other without gap; there is none at its end.
func (t Text) Run(offset int) (lines string, start int) {
	if offset >= t.size {
		return "", t.size
	}
	c := t.chunks[t.chunkAt(offset)]
	return c.text, int(c.start)
}

// LinesFrom yields the lines from a line (from 0) on with their numbers, without
// their '\n'.
func (t Text) LinesFrom(line int) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		if len(t.chunks) == 0 && line <= 0 {
			yield(0, "")
			return
		}
		for i := t.chunkAt(t.LineStart(line)); 0 <= i && i < len(t.chunks); i++ {
			c := t.chunks[i]
			for k := max(0, line-int(c.line)); k <= len(c.ends); k++ {
				from, to := 0, len(c.text)
				if k > 0 {
					from = int(c.ends[k-1])
				}
				if k < len(c.ends) {
					to = int(c.ends[k]) - 1
				} else if i < len(t.chunks)-1 {
					break // the next chunk begins with this line
				}
				if !yield(int(c.line)+k, c.text[from:to]) {
					return
				}
			}
		}
	}
}

// LineColumn returns line and column of offset, both from 1 and the column in
// bytes, as compilers print them.
func (t Text) LineColumn(offset int) (line, column int) {
	l := t.LineAt(offset)
	return l + 1, offset - t.LineStart(l) + 1
}

// Span is a range of bytes: Length bytes from Start on.
type Span struct {
	Start, Length int
}

// SpanFromTo returns the span of the bytes start to end, end excluded.
func SpanFromTo(start, end int) Span { return Span{start, end - start} }

// End returns the offset after the last byte.
func (s Span) End() int { return s.Start + s.Length }

// Contains reports whether offset lies in the span or directly after it,
// which is where a text cursor stands after the last character.
func (s Span) Contains(offset int) bool { return s.Start <= offset && offset <= s.End() }

// Edit replaces the bytes of a span by NewText.
type Edit struct {
	Span    Span
	NewText string
}
