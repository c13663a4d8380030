package position

import (
	"math/rand"
	"strings"
	"testing"
	"unicode/utf8"

	"go.lsp.dev/protocol"

	"aiglens/internal/source"
	"aiglens/lsp/lsptest"
)

func TestPositionsClamp(t *testing.T) {
	const text = "a𝒳b\r\nc\rd\n"
	check := func(encoding protocol.PositionEncodingKind, line, character uint32, offset int) {
		t.Helper()
		m := New(source.NewText(text), encoding)
		if got := m.PositionOffset(protocol.Position{Line: line, Character: character}); got != offset {
			t.Errorf("%s %d:%d is offset %d, expected %d", encoding, line, character, got, offset)
		}
	}
	for _, encoding := range []protocol.PositionEncodingKind{"utf-8", "utf-16", "utf-32"} {
		check(encoding, 0, 0, 0)
		check(encoding, 0, 99, strings.IndexByte(text, '\r'))
		check(encoding, 1, 0, strings.IndexByte(text, 'c'))
		check(encoding, 1, 4, strings.IndexByte(text, 'c')+1)
		check(encoding, 2, 0, strings.IndexByte(text, 'd'))
		check(encoding, 3, 5, len(text))
		check(encoding, 4, 0, len(text))
		check(encoding, 1<<31, 1<<31, len(text))
	}
	check("utf-8", 0, 5, 5)
	check("utf-8", 0, 3, 1) // inside the character
	check("utf-16", 0, 2, 1)
	check("utf-16", 0, 3, 5)
	check("utf-32", 0, 2, 5)
}

// TestPositionsAgree converts every offset of random texts, with long stretches
// of ASCII, to what the editor makes of it and back; the walker does so on a way
// that mostly leads forwards.
func TestPositionsAgree(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	pieces := []string{"abcdefg hijk", "0123456789=ABCDEF_x", "é", "∧", "🦊", "\n", "\r\n", "\r", "\t"}
	for _, encoding := range []string{"utf-8", "utf-16", "utf-32"} {
		for range 100 {
			var s strings.Builder
			for range r.Intn(40) {
				s.WriteString(pieces[r.Intn(len(pieces))])
			}
			buffer := lsptest.Buffer{Text: s.String(), Encoding: encoding}
			m := New(source.NewText(buffer.Text), protocol.PositionEncodingKind(encoding))
			w := m.Walker()
			for offset := 0; offset <= len(buffer.Text); offset++ {
				if offset < len(buffer.Text) && (!utf8.RuneStart(buffer.Text[offset]) || offset > 0 && buffer.Text[offset-1:offset+1] == "\r\n") {
					continue // no place where a cursor can stand
				}
				want := buffer.PositionOf(offset)
				got := m.OffsetPosition(offset)
				if r.Intn(5) == 0 {
					w.OffsetPosition(r.Intn(offset + 1))
				}
				if walked := w.OffsetPosition(offset); int(got.Line) != want.Line || int(got.Character) != want.Character || walked != got {
					t.Fatalf("%s: offset %d of %q is %v, walked to %v, expected %v", encoding, offset, buffer.Text, got, walked, want)
				}
				if back := m.PositionOffset(got); back != offset {
					t.Fatalf("%s: offset %d of %q is %v, which is offset %d", encoding, offset, buffer.Text, got, back)
				}
			}
		}
	}
}

func TestEncodingChoice(t *testing.T) {
	check := func(want protocol.PositionEncodingKind, offered ...protocol.PositionEncodingKind) {
		t.Helper()
		if got := ChooseEncoding(offered); got != want {
			t.Errorf("of %v chose %s, expected %s", offered, got, want)
		}
	}
	check("utf-16")
	check("utf-16", "utf-16")
	check("utf-8", "utf-32", "utf-8", "utf-16")
	check("utf-8", "utf-16", "utf-8")
	check("utf-16", "utf-32", "utf-16")
	check("utf-32", "utf-32")
	check("utf-16", "ebcdic")
}

// TestNameable: an edit that ends within CR LF is written as one of the whole line end, and does
// the same.
func TestNameable(t *testing.T) {
	text := source.NewText("a\r\n\r\nb\r\n")
	at := func(start, length int, with string) source.Edit {
		return source.Edit{Span: source.Span{Start: start, Length: length}, NewText: with}
	}
	for _, edits := range [][]source.Edit{
		{at(1, 1, "")}, {at(6, 1, ""), at(1, 1, "")}, {at(2, 2, "")}, {at(0, 2, "x"), at(2, 1, "y")},
		{at(2, 0, "z")}, {at(2, 1, "x"), at(2, 0, "y")}, {at(2, 3, "x"), at(2, 0, "y"), at(2, 0, "z")}, {at(1, 0, "u"), at(1, 1, ""), at(2, 0, "v"), at(4, 3, "w")},
	} {
		named := New(text, protocol.PositionEncodingKindUTF8).Nameable(edits)
		want, _ := text.Apply(edits)
		got, err := text.Apply(named)
		if err != nil || got.Content() != want.Content() {
			t.Errorf("%v became %v: %q, want %q, %v", edits, named, got.Content(), want.Content(), err)
		}
		for _, e := range named {
			for _, offset := range []int{e.Span.Start, e.Span.End()} {
				if strings.HasSuffix(text.Content()[:offset], "\r") && strings.HasPrefix(text.Content()[offset:], "\n") {
					t.Errorf("%v became %v", edits, named)
				}
			}
		}
	}
}
