package lsp

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.lsp.dev/uri"

	"aiglens/lsp/lsptest"
)

// blifChain returns a model with a latch and a chain of covers of about n lines.
func blifChain(n int) string {
	var s strings.Builder
	s.WriteString(".model chain\n.inputs x0 x1\n.outputs bad\n# prop: bad bad\n.latch x0 n1 0\n.latch x1 n2 1\n")
	last := 2
	for ; 2*last < n; last++ {
		fmt.Fprintf(&s, ".names n%d n%d n%d\n1%d 1\n", last-1, last, last+1, last%2)
	}
	fmt.Fprintf(&s, ".names n%d bad\n1 1\n.end\n", last)
	return s.String()
}

// blifInstances returns a model with n instances of 2,000 pins, each on one line
// of some 30,000 bytes, and a cover in the middle.
func blifInstances(n int) (text string, cover int) {
	var s strings.Builder
	s.WriteString(".model instances\n.inputs x0 x1\n.outputs bad\n.latch x0 bad 0\n")
	for i := range n {
		if i == n/2 {
			cover = strings.Count(s.String(), "\n")
			s.WriteString(".names x0 x1 n\n11 1\n")
		}
		s.WriteString(".subckt box")
		for pin := range 2000 {
			fmt.Fprintf(&s, " pin%d=net%d", pin, (i*7+pin)%5000)
		}
		s.WriteString("\n")
	}
	return s.String() + ".end\n", cover
}

// BenchmarkBLIFKeystroke types into a cover in the middle of a file of 100,000
// lines, and of one with long lines, and asks for what an editor asks for then.
func BenchmarkBLIFKeystroke(b *testing.B) {
	const lines = 100_000
	const u = "file:///w/chain.blif"
	b.Run("covers", func(b *testing.B) { benchmarkDigits(b, u, "blif", blifChain(lines), lines/2, 8, 1, "01-") })
	b.Run("hierarchy", func(b *testing.B) { // with an instance of a model of another file
		folder := b.TempDir()
		if err := os.WriteFile(filepath.Join(folder, "stage.blif"), []byte(stage), 0o666); err != nil {
			b.Fatal(err)
		}
		text := strings.Replace(blifChain(lines), ".names", ".subckt stage in=x0 q=stage\n.names", 1)
		benchmarkDigits(b, string(uri.File(filepath.Join(folder, "chain.blif"))), "blif", text, lines/2+1, 8, 1, "01-")
	})
	b.Run("instances", func(b *testing.B) {
		text, cover := blifInstances(100)
		benchmarkDigits(b, u, "blif", text, cover, 8, 1, "01-")
	})
}

// benchmarkDigits types digits in the place of one on the line after another one, where the cursor is, and asks for
// what an editor asks for then.
func benchmarkDigits(b *testing.B, u, language, text string, line, cursor, character int, digits string) {
	client, _ := startForBench(b, explicit, 0, "aag 0 0 0 0 0\n")
	client.Notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{
		"uri": u, "languageId": language, "version": 1, "text": text}})
	params := map[string]any{
		"textDocument": map[string]any{"uri": u}, "position": lsptest.Position{Line: line, Character: cursor},
		"range":   lsptest.Range{Start: lsptest.Position{Line: line - 25}, End: lsptest.Position{Line: line + 25}},
		"context": map[string]any{"diagnostics": []any{}},
	}
	client.MustCall("textDocument/codeLens", params, nil)
	found := latencies{}
	at := lsptest.Position{Line: line + 1, Character: character}
	b.ResetTimer()
	for i := range b.N {
		end := at
		end.Character++
		client.Notify("textDocument/didChange", map[string]any{
			"textDocument":   map[string]any{"uri": u, "version": i + 2},
			"contentChanges": []any{map[string]any{"range": lsptest.Range{Start: at, End: end}, "text": digits[i%len(digits) : i%len(digits)+1]}},
		})
		for _, feature := range []string{"hover", "inlayHint", "semanticTokens/range", "documentHighlight", "codeAction", "foldingRange", "documentSymbol"} {
			found.measure(client, "textDocument/"+feature, params)
		}
	}
	b.StopTimer()
	found.report(b)
}
