package lsp

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"aiglens/lsp/lsptest"
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

// TestOrder repeats the case in which a dispatcher without order loses edits: a
// large document is still being decoded when its first edits arrive.
func TestOrder(t *testing.T) {
	large := strings.Repeat("0123456789abcde\n", 3<<20/16)
	for round := range everyDay(10, 40) {
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

// TestUnreadableChange: after a change that cannot be decoded nothing is said
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
