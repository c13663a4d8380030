package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"aiglens/ic3/engines"
	"aiglens/ic3/horn/auto"
	"aiglens/ic3/verify"
	"aiglens/lsp/lsptest"
	"aiglens/lsp/wire"
)

// BenchmarkWideActions asks for the code actions of a whole file, and of a place in it.
func BenchmarkWideActions(b *testing.B) {
	for _, lines := range []int{1_000, 9_000, 100_000, 300_000, 1_000_000} {
		text := withFindings(lines)
		for name, client := range map[string]map[string]any{"resolving": changing, "plain": plain, "old": {}} {
			b.Run(fmt.Sprintf("%d/%s", lines, name), func(b *testing.B) {
				ready := make(chan *connection, 1)
				c := lsptest.Start(b, func(ctx context.Context, in io.Reader, out io.Writer) error {
					c := start(ctx, in, out, Options{Engine: func(engines.Spec) verify.Engine { return fakeEngine(explicit, new(atomic.Int32)) }, Clauses: auto.Check})
					ready <- c
					return c.wait()
				})
				c.Initialize(client, nil)
				c.Notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": doc, "languageId": "aiger", "version": 1, "text": text}})
				s := (<-ready).session
				c.MustCall("textDocument/codeLens", map[string]any{"textDocument": map[string]any{"uri": doc}}, nil)
				for linted := false; !linted; time.Sleep(10 * time.Millisecond) {
					_, linted = s.snapshot.Load().views[doc].doc.Linted()
				}
				last := strings.Count(text, "\n")
				for _, r := range []struct {
					name string
					lsptest.Range
					only []string
				}{
					{"whole", lsptest.Range{End: lsptest.Position{Line: last}}, nil},
					{"place", lsptest.Range{Start: lsptest.Position{Line: last / 2}, End: lsptest.Position{Line: last / 2}}, nil},
					{"input", lsptest.Range{Start: lsptest.Position{Line: last / 4}, End: lsptest.Position{Line: last / 4}}, nil},
					{"symbols", lsptest.Range{Start: lsptest.Position{Line: last * 3 / 4}, End: lsptest.Position{Line: last}}, nil},
					{"source", lsptest.Range{}, []string{"source"}},
				} {
					b.Run(r.name, func(b *testing.B) {
						var size int
						var worst time.Duration
						for range b.N {
							context := map[string]any{"diagnostics": []any{}, "triggerKind": 1}
							if r.only != nil {
								context["only"] = r.only
							}
							var answer json.RawMessage
							from := time.Now()
							c.MustCall("textDocument/codeAction", map[string]any{"textDocument": map[string]any{"uri": doc}, "range": r.Range, "context": context}, &answer)
							size, worst = max(size, len(answer)), max(worst, time.Since(from))
						}
						b.ReportMetric(float64(size), "bytes")
						b.ReportMetric(float64(worst.Microseconds())/1000, "worst-ms")
					})
				}
			})
		}
	}
}

// BenchmarkCancelAction chooses an action of the whole file and takes that back after 100 ms; what is
// measured is from then to the answer.
func BenchmarkCancelAction(b *testing.B) {
	c := lsptest.Start(b, func(ctx context.Context, in io.Reader, out io.Writer) error {
		return Serve(ctx, in, out, Options{Engine: func(engines.Spec) verify.Engine { return fakeEngine(explicit, new(atomic.Int32)) }, Clauses: auto.Check})
	})
	c.Initialize(changing, nil)
	c.Notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": doc, "languageId": "aiger", "version": 1, "text": withFindings(1_000_000)}})
	c.MustCall("textDocument/codeLens", map[string]any{"textDocument": map[string]any{"uri": doc}}, nil)
	var worst time.Duration
	for range b.N {
		id := c.Send("codeAction/resolve", map[string]any{"title": fixAllTitle, "data": wire.ApplyActionParams{URI: doc, Version: 1, ID: fixAllID}})
		time.Sleep(100 * time.Millisecond)
		c.Notify("$/cancelRequest", map[string]any{"id": id})
		from := time.Now()
		c.Answer(id)
		worst = max(worst, time.Since(from))
	}
	b.ReportMetric(float64(worst.Microseconds())/1000, "worst-ms")
}
