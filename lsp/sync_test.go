package lsp

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"
	"unicode/utf8"

	"aiglens/internal/source"
	"aiglens/lsp/lsptest"

	"go.lsp.dev/protocol"
)

const doc = "file:///w/a.aag"

func TestTextEqualsBufferAfterRandomEdits(t *testing.T) {
	for _, encoding := range []string{"utf-8", "utf-16", "utf-32"} {
		t.Run(encoding, func(t *testing.T) {
			b := newBench(t, nil)
			got := b.Initialize(map[string]any{"general": map[string]any{"positionEncodings": []string{encoding}}}, nil)
			if got["positionEncoding"] != encoding {
				t.Fatalf("encoding %v, offered %s", got["positionEncoding"], encoding)
			}
			r := rand.New(rand.NewSource(1))
			buffer := lsptest.Buffer{Text: "aag 0 0 0 0 0\r\nc\n∧ 🦊\n", Encoding: encoding}
			b.open(doc, buffer.Text)
			for version := 2; version < 400; version++ {
				var changes []any
				for range 1 + r.Intn(3) {
					changes = append(changes, buffer.RandomEdit(r))
				}
				b.change(doc, version, changes...)
				if got := b.text(doc); got != buffer.Text {
					t.Fatalf("version %d, after %v:\nserver %q\neditor %q", version, changes, got, buffer.Text)
				}
			}
		})
	}
}

func TestPositionsClamp(t *testing.T) {
	const text = "a𝒳b\r\nc\rd\n"
	check := func(encoding protocol.PositionEncodingKind, line, character uint32, offset int) {
		t.Helper()
		m := newMapper(source.NewText(text), encoding)
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
			m := newMapper(source.NewText(buffer.Text), protocol.PositionEncodingKind(encoding))
			w := m.walker()
			for offset := 0; offset <= len(buffer.Text); offset++ {
				if offset < len(buffer.Text) && (!utf8.RuneStart(buffer.Text[offset]) || offset > 0 && buffer.Text[offset-1:offset+1] == "\r\n") {
					continue // no place where a cursor can stand
				}
				want := buffer.PositionOf(offset)
				got := m.OffsetPosition(offset)
				if r.Intn(5) == 0 {
					w.offsetPosition(r.Intn(offset + 1))
				}
				if walked := w.offsetPosition(offset); int(got.Line) != want.Line || int(got.Character) != want.Character || walked != got {
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
		if got := chooseEncoding(offered); got != want {
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

// TestOrder repeats the case in which a dispatcher without order loses edits: a
// large document is still being decoded when its first edits arrive.
func TestOrder(t *testing.T) {
	large := strings.Repeat("0123456789abcde\n", 3<<20/16)
	for round := range 40 {
		b := newBench(t, nil)
		b.Initialize(map[string]any{}, nil)
		buffer := lsptest.Buffer{Text: large}
		b.open(doc, large)
		for version := 2; version < 6; version++ {
			b.change(doc, version, buffer.Edit(0, 1, fmt.Sprintf("<%d>", version)))
		}
		if b.text(doc) != buffer.Text {
			t.Fatalf("round %d: the server's text differs", round)
		}
	}
}

func TestClosedDocument(t *testing.T) {
	b := newBench(t, nil)
	b.Initialize(map[string]any{}, nil)
	b.change("file:///w/unknown.aag", 3, map[string]any{"text": "x"})
	b.close("file:///w/unknown.aag")
	b.save("file:///w/unknown.aag")
	b.open(doc, "one")
	b.open(doc, "two")
	if got := b.text(doc); got != "two" {
		t.Errorf("text %q after opening twice", got)
	}
	b.close(doc)
	b.sync()
	if n := len(b.server.session.snapshot.Load().views); n != 0 {
		t.Errorf("%d documents after closing", n)
	}
}

// TestUnreadableChange: behind a change that cannot be decoded nothing is said
// about the text until all of it arrives.
func TestUnreadableChange(t *testing.T) {
	insert := func(version any, rng any) map[string]any {
		return map[string]any{
			"textDocument":   map[string]any{"uri": doc, "version": version},
			"contentChanges": []any{map[string]any{"range": rng, "text": "9"}},
		}
	}
	place := func(line any) map[string]any { return map[string]any{"line": line, "character": 0} }
	span := func(line any) map[string]any { return map[string]any{"start": place(line), "end": place(line)} }
	for name, change := range map[string]any{
		"version above int32": insert(1<<31, span(1)),
		"no range":            insert(2, 7),
		"negative line":       insert(2, span(-1)),
		"half a range":        insert(2, map[string]any{"start": place(1)}),
		"no character":        insert(2, map[string]any{"start": place(1), "end": map[string]any{"line": 1}}),
		"no text": map[string]any{
			"textDocument":   map[string]any{"uri": doc, "version": 2},
			"contentChanges": []any{map[string]any{"range": span(1)}},
		},
		"no address": map[string]any{"contentChanges": []any{}},
	} {
		t.Run(name, func(t *testing.T) {
			b := checked(t)
			b.Notify("textDocument/didChange", change)
			b.expectOutOfStep()
			b.Notify("textDocument/didChange", insert(3, span(1)))
			b.save(doc)
			b.expectOutOfStep()
			if got := b.text(doc); got != toggle {
				t.Errorf("text %q", got)
			}
			b.replace(doc, 4, toggle)
			b.expectTitlesNow(refutedAt1, provedT)
			if ds := b.diagnostics(doc); len(ds) == 0 || ds[0].Code == string(codeOutOfStep) {
				t.Errorf("diagnostics of the whole text: %v", ds)
			}
			b.Notify("textDocument/didChange", change)
			b.expectOutOfStep()
			b.close(doc)
			b.open(doc, toggle)
			b.expectTitlesNow("check", "check")
			b.expectRuns(2)
		})
	}
}

func (b *bench) expectOutOfStep() {
	b.t.Helper()
	if titles := b.titles(doc); len(titles) > 0 {
		b.t.Errorf("lenses %q of a text that is not known", titles)
	}
	if ds := b.diagnostics(doc); len(ds) != 1 || ds[0].Severity != 1 || ds[0].Range.Start != (lsptest.Position{}) || ds[0].Code != string(codeOutOfStep) {
		b.t.Errorf("diagnostics %v of a text that is not known", ds)
	}
}
