package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand"
	"strings"
	"sync/atomic"
	"testing"

	"aiglens/ic3/engines"
	"aiglens/ic3/horn/auto"
	"aiglens/ic3/verify"
	"aiglens/lsp/lsptest"
	"aiglens/lsp/wire"
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
				return Serve(ctx, in, out, Options{Engine: func(engines.Spec) verify.Engine { return fakeEngine(explicit, new(atomic.Int32)) }, Clauses: auto.Check})
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

// large is a circuit of so many gates with a thousand inputs, ten times as many latches, and
// twenty properties.
func large(gates int) string {
	const inputs, latches, bads = 1000, 10_000, 20
	r := rand.New(rand.NewSource(1))
	first := inputs + latches + 1
	var s strings.Builder
	fmt.Fprintf(&s, "aag %d %d %d 0 %d %d\n", first-1+gates, inputs, latches, gates, bads)
	for i := range inputs {
		fmt.Fprintln(&s, 2*i+2)
	}
	for i := range latches {
		fmt.Fprintln(&s, 2*(inputs+i)+2, 2*(first+r.Intn(gates))+r.Intn(2), 2*(inputs+i)+2)
	}
	for range bads {
		fmt.Fprintln(&s, 2*(first+r.Intn(gates)))
	}
	for i := range gates {
		lhs := 2 * (first + i)
		fmt.Fprintln(&s, lhs, lhs-1-r.Intn(min(lhs-2, 30000)), 2+r.Intn(lhs-2))
	}
	return s.String()
}

// BenchmarkPlay flips an input in the middle of ten steps of a million gates.
func BenchmarkPlay(b *testing.B) {
	client := lsptest.Start(b, func(ctx context.Context, in io.Reader, out io.Writer) error {
		return Serve(ctx, in, out, Options{Engine: func(engines.Spec) verify.Engine { return fakeEngine(explicit, new(atomic.Int32)) }, Clauses: auto.Check})
	})
	client.Initialize(map[string]any{}, nil)
	client.Notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{
		"uri": doc, "languageId": "aiger", "version": 1, "text": large(1_000_000)}})
	play := func(params wire.PlayParams) (a wire.Played, n int) {
		params.URI = doc
		var raw json.RawMessage
		client.MustCall("workspace/executeCommand", command(wire.CommandPlay.Name, params), &raw)
		if err := json.Unmarshal(raw, &a); err != nil {
			b.Fatal(err)
		}
		return a, len(raw)
	}
	a, _ := play(wire.PlayParams{})
	a, _ = play(wire.PlayParams{Run: &a.Run, Change: &wire.RunChange{Kind: wire.ChangeRandom, Steps: 9, Seed: 1}})
	b.ResetTimer()
	size := 0
	for range b.N {
		var next wire.Played
		next, size = play(wire.PlayParams{Run: &a.Run, Change: &wire.RunChange{Kind: wire.ChangeFlip, Signal: 10, Step: 5}, Listed: a.List})
		a = withListed(a, next)
	}
	b.ReportMetric(float64(size), "answer-B")
}
