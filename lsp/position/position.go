// Package position converts between the bytes of a text and the places of a client,
// which counts lines and code units of its own encoding. Nothing else of the protocol
// is known here, and no other package counts code units.
package position

import (
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"go.lsp.dev/protocol"

	"aiglens/internal/source"
)

// Mapper owns every conversion between the bytes of one text and the lines and
// code units of the client. Its methods are named from-to.
//
// A line of the protocol ends with "\n", "\r\n" or a lone "\r"; one of
// source.Text ends with '\n' only, so a text with a lone '\r' gets an index of
// its own.
type Mapper struct {
	text     source.Text
	encoding protocol.PositionEncodingKind
	lines    []int // starts of lines, nil when they are those of text
}

// New returns the conversions of a text for a client of an encoding.
func New(text source.Text, encoding protocol.PositionEncodingKind) Mapper {
	return Mapper{text, encoding, carriageLines(text)}
}

// carriageLines indexes a text that holds a '\r' without '\n' after it.
// For returns the conversions of another text for the same client.
func (m Mapper) For(text source.Text) Mapper { return New(text, m.encoding) }

func carriageLines(text source.Text) []int {
	if !text.HasCarriage() {
		return nil
	}
	s := text.Content()
	lines := []int{0}
	for i := 0; i < len(s); i++ {
		if s[i] == '\n' || s[i] == '\r' && (i+1 == len(s) || s[i+1] != '\n') {
			lines = append(lines, i+1)
		}
	}
	return lines
}

func (m Mapper) numLines() int {
	if m.lines != nil {
		return len(m.lines)
	}
	return m.text.NumLines()
}

// lineSpan returns the bytes of a line without its end.
func (m Mapper) lineSpan(line int) source.Span {
	if m.lines == nil {
		span := m.text.LineSpan(line)
		if s := m.text.Slice(span); strings.HasSuffix(s, "\r") {
			span.Length--
		}
		return span
	}
	start, end := m.lines[line], m.text.Len()
	if line+1 < len(m.lines) {
		end = m.lines[line+1]
	}
	body := strings.TrimRight(m.text.Slice(source.SpanFromTo(start, end)), "\r\n")
	return source.SpanFromTo(start, start+len(body))
}

func (m Mapper) lineAt(offset int) int {
	if m.lines == nil {
		return m.text.LineAt(offset)
	}
	return sort.Search(len(m.lines), func(i int) bool { return m.lines[i] > offset }) - 1
}

// PositionOffset converts a position of the client. One after the end of its
// line means that end, one after the last line the end of the text, and one
// inside a character its start.
func (m Mapper) PositionOffset(p protocol.Position) int {
	if uint64(p.Line) >= uint64(m.numLines()) {
		return m.text.Len()
	}
	span := m.lineSpan(int(p.Line))
	units := int64(p.Character)
	text := m.text.Slice(span)
	if n := int(min(units, int64(len(text)))); isASCII(text[:n]) {
		return span.Start + n
	}
	for i, r := range text {
		units -= int64(m.width(r))
		if units < 0 {
			return span.Start + i
		}
	}
	return span.End()
}

// OffsetPosition converts a byte offset, which is clamped to the text.
func (m Mapper) OffsetPosition(offset int) protocol.Position {
	offset = min(max(offset, 0), m.text.Len())
	line := m.lineAt(offset)
	span := m.lineSpan(line)
	text := m.text.Slice(span)
	if n := min(offset-span.Start, len(text)); isASCII(text[:n]) {
		return protocol.Position{Line: uint32(line), Character: uint32(n)}
	}
	units := 0
	for i, r := range text {
		if span.Start+i >= offset {
			break
		}
		units += m.width(r)
	}
	return protocol.Position{Line: uint32(line), Character: uint32(units)}
}

// isASCII reports whether each byte is a character of one unit in any encoding.
// Lines of netlists can have 50,000 bytes, so it looks at eight at a time.
func isASCII(s string) bool {
	for ; len(s) >= 8; s = s[8:] {
		word := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
			uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
		if word&0x8080808080808080 != 0 {
			return false
		}
	}
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// Walker converts offsets of which most lie after the one before, in the same
// line: that costs the bytes between them.
type Walker struct {
	Mapper
	line source.Span // of the last offset
	last int
	at   protocol.Position // of it
}

// Walker returns a walker that stands nowhere.
func (m Mapper) Walker() *Walker { return &Walker{Mapper: m, line: source.Span{Length: -1}} }

// OffsetPosition converts a byte offset.
func (w *Walker) OffsetPosition(offset int) protocol.Position {
	if w.last <= offset && offset <= w.line.End() {
		if between := w.text.Slice(source.SpanFromTo(w.last, offset)); isASCII(between) {
			w.last, w.at.Character = offset, w.at.Character+uint32(len(between))
			return w.at
		}
	}
	w.last, w.at = offset, w.Mapper.OffsetPosition(offset)
	w.line = w.lineSpan(int(w.at.Line))
	return w.at
}

// SpanRange converts a span to a range of the client.
func (w *Walker) SpanRange(s source.Span) protocol.Range {
	return protocol.Range{Start: w.OffsetPosition(s.Start), End: w.OffsetPosition(s.End())}
}

// width returns the code units of one character in the client's encoding.
func (m Mapper) width(r rune) int {
	switch m.encoding {
	case protocol.PositionEncodingKindUTF8:
		return utf8.RuneLen(r)
	case protocol.PositionEncodingKindUTF32:
		return 1
	}
	if r > 0xFFFF {
		return 2
	}
	return 1
}

// SpanRange converts a span to a range of the client.
func (m Mapper) SpanRange(s source.Span) protocol.Range {
	return protocol.Range{Start: m.OffsetPosition(s.Start), End: m.OffsetPosition(s.End())}
}

// Nameable returns edits that do the same as others and have no end between "\r" and "\n", where
// the protocol has no place: an edit that drops the "\r" has to replace both by "\n".
func (m Mapper) Nameable(edits []source.Edit) []source.Edit {
	splits := func(offset int) bool {
		return offset > 0 && offset < m.text.Len() && m.text.Byte(offset-1) == '\r' && m.text.Byte(offset) == '\n'
	}
	if !slices.ContainsFunc(edits, func(e source.Edit) bool { return splits(e.Span.Start) || splits(e.Span.End()) }) {
		return edits
	}
	edits = source.InOrder(edits)
	all := edits[:0]
	for _, e := range edits {
		if n := len(all); n > 0 && all[n-1].Span.End() == e.Span.Start && splits(e.Span.Start) {
			all[n-1].Span.Length += e.Span.Length
			all[n-1].NewText += e.NewText
			continue
		}
		all = append(all, e)
	}
	for i, e := range all {
		if splits(e.Span.Start) {
			e.Span.Start, e.Span.Length, e.NewText = e.Span.Start-1, e.Span.Length+1, "\r"+e.NewText
		}
		if splits(e.Span.End()) {
			e.Span.Length, e.NewText = e.Span.Length+1, e.NewText+"\n"
		}
		all[i] = e
	}
	return all
}

// RangeSpan converts a range of the client; one that ends before it starts is
// empty.
func (m Mapper) RangeSpan(r protocol.Range) source.Span {
	start := m.PositionOffset(r.Start)
	return source.SpanFromTo(start, max(start, m.PositionOffset(r.End)))
}

// ChooseEncoding picks utf-8 where it is offered, because it is what the text is
// stored in, and utf-32 only from a client that leaves out utf-16, which is
// what one that offers nothing speaks.
func ChooseEncoding(offered []protocol.PositionEncodingKind) protocol.PositionEncodingKind {
	for _, e := range []protocol.PositionEncodingKind{
		protocol.PositionEncodingKindUTF8, protocol.PositionEncodingKindUTF16, protocol.PositionEncodingKindUTF32,
	} {
		if slices.Contains(offered, e) {
			return e
		}
	}
	return protocol.PositionEncodingKindUTF16
}
