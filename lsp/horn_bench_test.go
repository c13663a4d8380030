package lsp

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"aiglens/internal/shared"
	"aiglens/lsp/lsptest"
)

// hornChain returns a file of about n lines: clauses of two lines over a hundred predicates.
func hornChain(n int) string {
	var s strings.Builder
	s.WriteString("(set-logic HORN)\n")
	for i := range 100 {
		fmt.Fprintf(&s, "(declare-fun P%d (Int Int) Bool)\n", i)
	}
	s.WriteString("(assert (P0 0 0))\n")
	for i := range n / 2 {
		fmt.Fprintf(&s, "(assert (forall ((x Int) (y Int)) (=> (and (P%d x y) (< x %d))\n  (P%d (+ x y) %d))))\n", i%100, i, (i*7+1)%100, 10+i%90)
	}
	s.WriteString("(assert (forall ((x Int) (y Int)) (=> (and (P7 x y) (> x y)) false)))\n(check-sat)\n")
	return s.String()
}

// BenchmarkHornKeystroke types a digit in the middle of a file, and asks for what an editor asks for then.
func BenchmarkHornKeystroke(b *testing.B) {
	for _, lines := range []int{1_000, 10_000, 100_000} {
		b.Run(fmt.Sprint(lines), func(b *testing.B) {
			text := hornChain(lines)
			line := 102 + lines/2
			edited := strings.Split(text, "\n")[line+1]
			benchmarkDigits(b, "file:///w/chain.smt2", "smt2", text, line, 37, strings.LastIndexByte(edited, ' ')+1, "45")
		})
	}
}

// BenchmarkHornDiagnostics names a variable in the middle of a file otherwise, which no one declares, or as before, and
// waits for the diagnostics of the new text.
func BenchmarkHornDiagnostics(b *testing.B) {
	for _, lines := range []int{1_000, 10_000} {
		b.Run(fmt.Sprint(lines), func(b *testing.B) {
			const u = "file:///w/chain.smt2"
			text := hornChain(lines)
			client, _ := startForBench(b, explicit, 0, "aag 0 0 0 0 0\n")
			await := func(version int) {
				client.Await("diagnostics", 0, func(m lsptest.Message) bool {
					return m.Method == "textDocument/publishDiagnostics" && strings.Contains(string(m.Params), fmt.Sprintf(`chain.smt2","version":%d,`, version))
				})
				client.Forget()
			}
			start := time.Now()
			client.Notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": u, "languageId": "smt2", "version": 2, "text": text}})
			await(2)
			opened := time.Since(start)
			line := 103 + lines/2
			at := lsptest.Position{Line: line, Character: strings.Index(strings.Split(text, "\n")[line], " y) ") + 1}
			end := at
			end.Character++
			var times []time.Duration
			for i := 0; b.Loop(); i++ {
				start := time.Now()
				client.Notify("textDocument/didChange", map[string]any{
					"textDocument":   map[string]any{"uri": u, "version": i + 3},
					"contentChanges": []any{map[string]any{"range": lsptest.Range{Start: at, End: end}, "text": "zy"[i%2 : i%2+1]}},
				})
				await(i + 3)
				times = append(times, time.Since(start))
			}
			b.ReportMetric(float64(opened.Microseconds())/1000, "open-ms")
			shared.Percentiles(b, "", times)
		})
	}
}
