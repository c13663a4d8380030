package lsp

import (
	"context"
	"fmt"
	"io"
	"math/rand"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/engines"
	"aiglens/ic3/horn/auto"
	"aiglens/ic3/verify"
	"aiglens/internal/shared"
	"aiglens/lsp/lsptest"
	"aiglens/lsp/wire"
)

// startForBench starts a server that checks with engine and opens a text. The
// client can do what VS Code can.
func startForBench(b *testing.B, engine engineFunc, lensWait time.Duration, text string) (*lsptest.Client, *session) {
	b.Helper()
	return startForBenchAs(b, engine, lensWait, "aiger", text)
}

// startForBenchAs is startForBench for a text of any language.
func startForBenchAs(b *testing.B, engine engineFunc, lensWait time.Duration, language, text string) (*lsptest.Client, *session) {
	b.Helper()
	ready := make(chan *connection, 1)
	client := lsptest.Start(b, func(ctx context.Context, in io.Reader, out io.Writer) error {
		c := start(ctx, in, out, Options{LensWait: lensWait, Engine: func(engines.Spec) verify.Engine { return fakeEngine(engine, new(atomic.Int32)) }, Clauses: auto.Check})
		ready <- c
		return c.wait()
	})
	client.Initialize(map[string]any{
		"textDocument": map[string]any{
			"codeLens": map[string]any{}, "publishDiagnostics": map[string]any{"relatedInformation": true},
			"semanticTokens": map[string]any{"requests": map[string]any{"range": true, "full": true},
				"tokenTypes": []any{}, "tokenModifiers": []any{}, "formats": []any{}},
		},
	}, nil)
	client.Notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{
		"uri": doc, "languageId": language, "version": 1, "text": text}})
	return client, (<-ready).session
}

// latencies collects how long requests took, by method.
type latencies map[string][]time.Duration

// measure sends a request and waits for the answer.
func (l latencies) measure(client *lsptest.Client, method string, params any) {
	start := time.Now()
	client.MustCall(method, params, nil)
	l[method] = append(l[method], time.Since(start))
}

// report writes the median and the 99th percentile of each method, and of all.
func (l latencies) report(b *testing.B) {
	var all []time.Duration
	for method, times := range l {
		_, name, _ := strings.Cut(method, "/")
		shared.Percentiles(b, strings.ReplaceAll(name, "/", "-")+"-", times)
		all = append(all, times...)
	}
	shared.Percentiles(b, "", all)
}

// BenchmarkTyping types 300 characters at 50 ms each into a file of 100,000
// lines while a check keeps a processor busy: rows of gates, one after the
// other, so that header and rows disagree most of the time. After each
// keystroke comes what VS Code asks then. The pause is part of what is measured:
// answers must not pile up.
func BenchmarkTyping(b *testing.B) {
	const pause = 50 * time.Millisecond
	started := make(chan struct{}, 1)
	busy := func(ctx context.Context, _ *circuit.Circuit, _ func(verify.Progress)) (cert.Verdict, error) {
		started <- struct{}{}
		for ctx.Err() == nil {
		}
		return cert.Verdict{}, ctx.Err()
	}
	for range b.N {
		buffer := lsptest.Buffer{Text: chain(100_000)}
		client, session := startForBench(b, busy, 0, buffer.Text)
		const checked = "file:///w/checked.aag" // an edit of its own file would end the check
		client.Notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{
			"uri": checked, "languageId": "aiger", "version": 1, "text": chain(10)}})
		client.MustCall("workspace/executeCommand", command(wire.CommandCheck.Name, map[string]any{"uri": checked}), nil)
		<-started
		line := 50_000
		offset := strings.Index(buffer.Text, fmt.Sprintf("\n%d ", 2*line-4)) + 1
		at := buffer.PositionOf(offset)
		typed := strings.Repeat(fmt.Sprintf("%d %d %d\n", 200_010, 2*line-6, 2*line-9), 20)[:300]
		found := latencies{}
		tick := time.NewTicker(pause)
		for i := range typed {
			<-tick.C
			client.Notify("textDocument/didChange", map[string]any{
				"textDocument":   map[string]any{"uri": doc, "version": i + 2},
				"contentChanges": []any{map[string]any{"range": lsptest.Range{Start: at, End: at}, "text": typed[i : i+1]}},
			})
			at.Character++
			if typed[i] == '\n' {
				at = lsptest.Position{Line: at.Line + 1}
			}
			screen := lsptest.Range{Start: lsptest.Position{Line: at.Line - 25}, End: lsptest.Position{Line: at.Line + 25}}
			params := map[string]any{
				"textDocument": map[string]any{"uri": doc}, "position": lsptest.Position{Line: at.Line - 3, Character: 1},
				"range": screen, "context": map[string]any{"diagnostics": []any{}},
			}
			for _, feature := range []string{"hover", "definition", "inlayHint", "semanticTokens/range", "documentHighlight", "codeLens", "codeAction", "documentSymbol", "foldingRange"} {
				found.measure(client, "textDocument/"+feature, params)
			}
		}
		tick.Stop()
		client.MustCall("workspace/executeCommand", command(wire.CommandStop.Name, map[string]any{"uri": checked}), nil)
		buffer.Edit(offset, offset, typed)
		if session.snapshot.Load().views[doc].doc.Text.Content() != buffer.Text {
			b.Error("the server's text is not the editor's")
		}
		found.report(b)
	}
}

// BenchmarkScreen asks for what an editor shows when one looks around in a file
// of a million lines.
func BenchmarkScreen(b *testing.B) {
	const lines = 1_000_000
	client, _ := startForBench(b, explicit, time.Minute, chain(lines))
	benchmarkScreen(b, client, lines)
}

func benchmarkScreen(b *testing.B, client *lsptest.Client, lines int) {
	r := rand.New(rand.NewSource(1))
	found := latencies{}
	params := map[string]any{"textDocument": map[string]any{"uri": doc}}
	client.MustCall("textDocument/codeLens", params, nil) // waits until the file is read and its circuit built
	b.ResetTimer()
	for range b.N {
		line := 10 + r.Intn(lines-100)
		params["position"] = lsptest.Position{Line: line, Character: 1 + r.Intn(18)}
		params["range"] = lsptest.Range{Start: lsptest.Position{Line: line}, End: lsptest.Position{Line: line + 50}}
		for _, feature := range []string{"hover", "definition", "inlayHint", "semanticTokens/range", "documentHighlight"} {
			found.measure(client, "textDocument/"+feature, params)
		}
	}
	b.StopTimer()
	found.report(b)
}

// shifted writes a circuit of n gates, all of them in the cone of a property that fails
// after the input has gone through four latches.
func shifted(n int) string {
	var s strings.Builder
	last := 2*n + 10
	fmt.Fprintf(&s, "aag %d 1 4 0 %d 1\n2\n4 2\n6 4\n8 6\n10 8\n%d\n", n+5, n, last)
	for lhs := 12; lhs <= last; lhs += 2 {
		fmt.Fprintf(&s, "%d %d %d\n", lhs, lhs-1, 2+(lhs/2+4)%5*2)
	}
	return s.String()
}

// inWords writes a circuit of n words of four latches, all of them in the cone of a property that
// fails after the input has gone through the first.
func inWords(n int) string {
	var s strings.Builder
	latches := 4 * n
	first := 2*latches + 4 // of the gates
	fmt.Fprintf(&s, "aag %d 1 %d 0 %d 1\n2\n", 2*latches+1, latches, latches)
	for i := range latches {
		next := 2*i + 4 // keeps its value
		if i < 4 {
			next = 2*i + 2
		}
		fmt.Fprintf(&s, "%d %d\n", 2*i+4, next)
	}
	last := first + 2*latches - 2
	fmt.Fprintf(&s, "%d\n", last)
	for lhs := first; lhs < last; lhs += 2 { // never all of them
		fmt.Fprintf(&s, "%d %d %d\n", lhs, max(lhs-2, 4), lhs-first+4)
	}
	fmt.Fprintf(&s, "%d %d %d\n", last, last-1, 10)
	for i := range latches {
		fmt.Fprintf(&s, "l%d w%d[%d]\n", i, i/4, i%4)
	}
	return s.String()
}

// BenchmarkStep goes from step to step of a counterexample in a file of 100,000 lines, and
// asks each time for what an editor redraws: a screen of rows, with one above and one
// below.
func BenchmarkStep(b *testing.B) { benchmarkStep(b, explicit, shifted(100_000), 100_000) }

// BenchmarkStepInWords is BenchmarkStep with 10,000 words, over the rows of their latches.
func BenchmarkStepInWords(b *testing.B) {
	fails := func(_ context.Context, c *circuit.Circuit, _ func(verify.Progress)) (cert.Verdict, error) {
		t := cert.Trace{Initial: make([]circuit.Value, len(c.Latches()))}
		for range 5 {
			t.Inputs = append(t.Inputs, []circuit.Value{circuit.One})
		}
		return cert.Verdict{Outcome: cert.Refuted, Trace: t}, nil
	}
	benchmarkStep(b, fails, inWords(10_000), 40_000)
}

func benchmarkStep(b *testing.B, engine engineFunc, text string, lines int) {
	const shown = 150
	client, _ := startForBench(b, engine, time.Minute, text)
	client.MustCall("workspace/executeCommand", command(wire.CommandCheck.Name, map[string]any{"uri": doc}), nil)
	move := func(to wire.Move) (a wire.ShownStep) {
		client.MustCall("workspace/executeCommand", command(wire.CommandStep.Name, wire.StepParams{PropertyParams: wire.PropertyParams{URI: doc}, To: to}), &a)
		return a
	}
	for refuted := false; !refuted; {
		var lenses []struct{ Command struct{ Title string } }
		client.MustCall("textDocument/codeLens", map[string]any{"textDocument": map[string]any{"uri": doc}}, &lenses)
		refuted = len(lenses) > 0 && strings.HasPrefix(lenses[0].Command.Title, "refuted")
	}
	if a := move(wire.MoveFirst); a.Steps < 4 {
		b.Fatalf("%+v", a)
	}
	r := rand.New(rand.NewSource(1))
	found := latencies{}
	b.ResetTimer()
	for i := range b.N {
		to := wire.MoveNext
		if i/4%2 == 1 {
			to = wire.MovePrevious
		}
		line := 10 + r.Intn(lines-shown)
		start := time.Now()
		move(to)
		var answer wire.Notes
		client.MustCall(wire.RequestNotes.Name, map[string]any{"uri": doc, "range": lsptest.Range{
			Start: lsptest.Position{Line: line}, End: lsptest.Position{Line: line + shown}}}, &answer)
		found["redraw"] = append(found["redraw"], time.Since(start))
		if len(answer.Notes) < shown || len(answer.Notes[0].Value) == 0 {
			b.Fatalf("%d notes", len(answer.Notes))
		}
	}
	b.StopTimer()
	found.report(b)
}
