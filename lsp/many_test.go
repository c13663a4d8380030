package lsp

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// trivial is a circuit with n properties, every second one refuted at step 0,
// each with a latch of its own.
func trivial(n int) string {
	var latches, bads strings.Builder
	for i := range n {
		fmt.Fprintf(&latches, "%d %d %d\n", 2*i+2, 2*i+2, i%2)
		fmt.Fprintf(&bads, "%d\n", 2*i+2)
	}
	return fmt.Sprintf("aag %d 0 %d 0 0 %d\n%s%s", n, n, n, &latches, &bads)
}

// TestManyVerdictsShareAPublication and the last of them is never left out.
func TestManyVerdictsShareAPublication(t *testing.T) {
	const n = 800
	b := newBench(t, explicit)
	b.Initialize(capable, nil)
	b.open(doc, trivial(n))
	b.settled(doc)
	mark := b.Mark()
	b.save(doc)
	b.awaitTitles(doc, "all verdicts", func(titles []string) bool {
		return len(titles) == n && !strings.Contains(strings.Join(titles, ""), "che") && !strings.Contains(strings.Join(titles, ""), "queued")
	})
	p, _ := b.awaitDiagnostics("all refutations", mark, func(p published) bool {
		refuted := 0
		for _, d := range p.Diagnostics {
			if d.Code == "refuted" {
				refuted++
			}
		}
		return refuted == n/2
	})
	if p.Version != 1 {
		t.Errorf("version %d", p.Version)
	}
	if got := len(b.publications(mark)); got > n/4 {
		t.Errorf("%d publications of %d verdicts", got, n)
	}
}

// BenchmarkManyProperties saves a file of 16,000 trivial properties and asks for
// lenses until all have a verdict.
func BenchmarkManyProperties(b *testing.B) {
	const n = 16000
	for range b.N {
		client, _ := startForBench(b, explicit, 100*time.Millisecond, trivial(n))
		client.Notify("textDocument/didSave", map[string]any{"textDocument": map[string]any{"uri": doc}})
		found := latencies{}
		for open := true; open; time.Sleep(50 * time.Millisecond) {
			found.measure(client, "textDocument/codeLens", map[string]any{"textDocument": map[string]any{"uri": doc}})
			var all []lens
			client.MustCall("textDocument/codeLens", map[string]any{"textDocument": map[string]any{"uri": doc}}, &all)
			open = false
			for _, l := range all {
				open = open || l.Command.Title == "check" || l.Command.Title == "queued" || strings.HasPrefix(l.Command.Title, "checking")
			}
		}
		found.report(b)
	}
}
