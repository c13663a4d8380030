package lsp

import (
	"context"
	"fmt"
	"io"
	"math/rand"
	"strings"
	"sync/atomic"
	"testing"

	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
	"aiglens/lsp/lsptest"
)

// chain is a circuit of n gates.
func chain(n int) string {
	var s strings.Builder
	fmt.Fprintf(&s, "aag %d 2 1 0 %d 1\n2\n4\n6 %d\n%d\n", n+3, n, 2*n+6, 2*n+6)
	r := rand.New(rand.NewSource(1))
	for i := range n {
		lhs := 2*i + 8
		fmt.Fprintf(&s, "%d %d %d\n", lhs, lhs-2-r.Intn(2), 2+r.Intn(max(2, lhs-4)))
	}
	return s.String()
}

// BenchmarkKeystroke types a digit and asks for a hover, which is answered for
// the new text.
func BenchmarkKeystroke(b *testing.B) {
	for _, lines := range []int{1_000, 100_000, 1_000_000} {
		b.Run(fmt.Sprint(lines), func(b *testing.B) {
			client := lsptest.Start(b, func(ctx context.Context, in io.Reader, out io.Writer) error {
				return Serve(ctx, in, out, Options{Engine: func(engines.Spec) verify.Engine { return fakeEngine(explicit, new(atomic.Int32)) }})
			})
			client.Initialize(map[string]any{}, nil)
			buffer := lsptest.Buffer{Text: chain(lines)}
			client.Notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{
				"uri": doc, "languageId": "aiger", "version": 1, "text": buffer.Text}})
			hover := map[string]any{"textDocument": map[string]any{"uri": doc}, "position": lsptest.Position{Line: 3}}
			client.MustCall("textDocument/hover", hover, nil)
			at := lsptest.Position{Line: 6, Character: 0}
			b.ResetTimer()
			for i := range b.N {
				end := at
				end.Character = i % 2
				client.Notify("textDocument/didChange", map[string]any{
					"textDocument":   map[string]any{"uri": doc, "version": i + 2},
					"contentChanges": []any{map[string]any{"range": lsptest.Range{Start: at, End: end}, "text": strings.Repeat("1", 1-i%2)}},
				})
				client.MustCall("textDocument/hover", hover, nil)
			}
		})
	}
}
