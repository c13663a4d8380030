package lsp

import (
	"strings"
	"testing"

	"aiglens/lsp/lsptest"
)

const xorText = "aag 5 2 0 1 3\n2\n4\n10\n6 2 4\n8 3 5\n10 7 9\ni0 a\n"

func (b *bench) hints() string {
	b.t.Helper()
	var out strings.Builder
	b.writeHints(&out, lsptest.Buffer{Text: xorText}, map[string]any{"textDocument": map[string]any{"uri": doc}}, "4:1-4:2")
	return out.String()
}

// TestHintSettings switches hints off and on; the client is told to ask again.
func TestHintSettings(t *testing.T) {
	b := newBench(t, nil)
	b.Initialize(map[string]any{"workspace": map[string]any{"inlayHint": map[string]any{"refreshSupport": true}}}, nil)
	b.open(doc, xorText)
	mark := b.Mark()
	expect := func(settings map[string]any, want string) {
		t.Helper()
		b.Notify("workspace/didChangeConfiguration", map[string]any{"settings": map[string]any{
			"aiglens": map[string]any{"inlayHints": settings}}})
		_, mark = b.Await("a refresh of the hints", mark, func(m lsptest.Message) bool { return m.Method == "workspace/inlayHint/refresh" })
		if got := b.hints(); got != want {
			t.Errorf("%v: %q, expected %q", settings, got, want)
		}
	}
	expect(map[string]any{"enabled": false}, "")
	expect(map[string]any{"names": false}, "4: 10«         output 0»\n")
	expect(map[string]any{"sections": false}, "4: 10«         a ⊕ i1»\n")
	expect(map[string]any{}, "4: 10«         a ⊕ i1 · output 0»\n")
	expect(map[string]any{"layout": "between"}, "4: 10 «a⊕i1» «output 0»\n")
	expect(map[string]any{"layout": "between", "sections": false}, "4: 10 «a⊕i1»\n")
	expect(map[string]any{"layout": "cursorLine"}, "")
	for _, place := range []struct {
		line int
		want string
	}{{3, "4: 10 «a⊕i1» «output 0»\n"}, {4, ""}, {3, "4: 10 «a⊕i1» «output 0»\n"}} {
		b.MustCall("textDocument/documentHighlight", map[string]any{
			"textDocument": map[string]any{"uri": doc}, "position": lsptest.Position{Line: place.line}}, nil)
		_, mark = b.Await("a refresh of the hints", mark, func(m lsptest.Message) bool { return m.Method == "workspace/inlayHint/refresh" })
		if got := b.hints(); got != place.want {
			t.Errorf("on line %d: %q, expected %q", place.line, got, place.want)
		}
	}
}

func TestHintDepth(t *testing.T) {
	const text = "aag 5 3 0 1 2\n2\n4\n6\n10\n8 2 4\n10 8 7\n"
	for depth, want := range map[int]string{
		1: "5: 10«         8 ∧ ¬i2 · output 0»\n",
		2: "5: 10«         i0 ∧ i1 ∧ ¬i2 · output 0»\n",
	} {
		b := newBench(t, nil)
		b.Initialize(map[string]any{}, map[string]any{"inlayHints": map[string]any{"depth": depth}})
		b.open(doc, text)
		var out strings.Builder
		b.writeHints(&out, lsptest.Buffer{Text: text}, map[string]any{"textDocument": map[string]any{"uri": doc}}, "5:1-5:2")
		if out.String() != want {
			t.Errorf("depth %d: %q, expected %q", depth, out.String(), want)
		}
	}
}

func TestHoverDepth(t *testing.T) {
	b := newBench(t, nil)
	b.Initialize(map[string]any{}, map[string]any{"hover": map[string]any{"depth": 1}})
	b.open(doc, "aag 5 3 0 1 2\n2\n4\n6\n10\n8 2 4\n10 8 7\n")
	var hover struct{ Contents struct{ Value string } }
	at := map[string]any{"textDocument": map[string]any{"uri": doc}, "position": lsptest.Position{Line: 4}}
	expect := func(want string) {
		t.Helper()
		b.MustCall("textDocument/hover", at, &hover)
		if !strings.Contains(hover.Contents.Value, want) {
			t.Errorf("%q does not hold %q", hover.Contents.Value, want)
		}
	}
	expect("`8 ∧ ¬i2`")
	b.Notify("workspace/didChangeConfiguration", map[string]any{"settings": map[string]any{
		"aiglens": map[string]any{"hover": map[string]any{"depth": 2}}}})
	expect("`i0 ∧ i1 ∧ ¬i2`")
}

// TestRetiredSetting: one that no longer means anything is said to be so, once, and
// reset functions are read whatever it says.
func TestRetiredSetting(t *testing.T) {
	b := newBench(t, nil)
	b.Initialize(map[string]any{}, nil)
	b.open(doc, "aag 2 1 1 0 0 1\n2\n4 4 2\n4\n")
	isSaid := func(m lsptest.Message) bool {
		return m.Method == "window/logMessage" && strings.Contains(string(m.Params), "aiger.allowResetFunctions")
	}
	for _, depth := range []int{2, 3, 4} {
		b.Notify("workspace/didChangeConfiguration", map[string]any{"settings": map[string]any{
			"aiglens": map[string]any{"aiger": map[string]any{"allowResetFunctions": false}, "hover": map[string]any{"depth": depth}}}})
	}
	b.Await("word of the setting", 0, isSaid)
	said := 0
	for _, m := range b.Received(0) {
		if isSaid(m) {
			said++
		}
	}
	for _, d := range b.diagnostics(doc) {
		if d.Severity == 1 {
			t.Errorf("an error: %s", d.Message)
		}
	}
	if said != 1 {
		t.Errorf("the setting is named %d times in the log", said)
	}
}

// TestTokensOfLargeFiles answers ranges; what it answers for the whole file
// depends on whether the client can ask for ranges.
func TestTokensOfLargeFiles(t *testing.T) {
	text := chain(20_000)
	for _, ranges := range []bool{true, false} {
		b := newBench(t, nil)
		b.Initialize(map[string]any{"textDocument": map[string]any{"semanticTokens": map[string]any{
			"requests": map[string]any{"range": ranges, "full": true}, "tokenTypes": []any{}, "tokenModifiers": []any{}, "formats": []any{},
		}}}, nil)
		b.open(doc, text)
		params := map[string]any{"textDocument": map[string]any{"uri": doc}, "range": b.lineRange(lsptest.Buffer{}, "10001:1-10001:2")}
		var full, part struct{ Data []int }
		b.MustCall("textDocument/semanticTokens/full", params, &full)
		b.MustCall("textDocument/semanticTokens/range", params, &part)
		if got := len(full.Data) > 0; got == ranges {
			t.Errorf("ranges %v: %d numbers for the whole file", ranges, len(full.Data))
		}
		if len(part.Data) != 15 || part.Data[0] != 10_000 {
			t.Errorf("ranges %v: tokens %v", ranges, part.Data)
		}
	}
}
