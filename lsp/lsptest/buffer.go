package lsptest

import (
	"math/rand"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Position is a place in the client's encoding.
type Position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

// Range is the text between two places.
type Range struct {
	Start Position `json:"start"`
	End   Position `json:"end"`
}

// Buffer is an editor's copy of a text. Its conversions are written for
// clarity, apart from those of the server on purpose.
type Buffer struct {
	Text     string
	Encoding string // "utf-8", "utf-16" or "utf-32"
}

// lines splits at "\n", "\r\n" and "\r" and keeps the ends.
func (b Buffer) lines() []string {
	var all []string
	start := 0
	for i := 0; i < len(b.Text); i++ {
		if b.Text[i] == '\n' || b.Text[i] == '\r' && !strings.HasPrefix(b.Text[i:], "\r\n") {
			all = append(all, b.Text[start:i+1])
			start = i + 1
		}
	}
	return append(all, b.Text[start:])
}

// PositionOf converts a byte offset.
func (b Buffer) PositionOf(offset int) Position {
	before := Buffer{b.Text[:offset], b.Encoding}
	lines := before.lines()
	if strings.HasSuffix(before.Text, "\r") && strings.HasPrefix(b.Text[offset:], "\n") {
		lines = lines[:len(lines)-1] // between the two halves of a line end
		return Position{len(lines) - 1, b.units(strings.TrimSuffix(lines[len(lines)-1], "\r"))}
	}
	return Position{len(lines) - 1, b.units(lines[len(lines)-1])}
}

func (b Buffer) units(s string) int {
	switch b.Encoding {
	case "utf-8":
		return len(s)
	case "utf-32":
		return utf8.RuneCountInString(s)
	}
	return len(utf16.Encode([]rune(s)))
}

// Edit replaces the bytes from start to end.
func (b *Buffer) Edit(start, end int, text string) map[string]any {
	change := map[string]any{"range": Range{b.PositionOf(start), b.PositionOf(end)}, "text": text}
	b.Text = b.Text[:start] + text + b.Text[end:]
	return change
}

// RandomEdit makes one edit between characters and returns it as a content change.
func (b *Buffer) RandomEdit(r *rand.Rand) map[string]any {
	if r.Intn(50) == 0 {
		b.Text = randomText(r, 40)
		return map[string]any{"text": b.Text}
	}
	start := b.boundary(r.Intn(len(b.Text) + 1))
	end := b.boundary(min(len(b.Text), start+r.Intn(12)))
	return b.Edit(start, max(start, end), randomText(r, r.Intn(6)))
}

// boundary moves an offset back to where an editor can put its cursor.
func (b *Buffer) boundary(i int) int {
	for i > 0 && i < len(b.Text) && (!utf8.RuneStart(b.Text[i]) || b.Text[i-1] == '\r' && b.Text[i] == '\n') {
		i--
	}
	return i
}

func randomText(r *rand.Rand, n int) string {
	pieces := []string{"a", "1", " ", "é", "∧", "𝒳", "🦊", "\n", "\r\n", "\r", "latch", ""}
	var b strings.Builder
	for range n {
		b.WriteString(pieces[r.Intn(len(pieces))])
	}
	return b.String()
}
