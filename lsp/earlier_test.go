package lsp

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/uri"

	"aiglens/lsp/lsptest"
)

// hold keeps the analyses of a document from computing until release.
func (b *bench) hold(u string) (release func()) {
	b.t.Helper()
	var gate chan struct{}
	b.server.session.queue.Do(func() { gate = b.server.session.texts.files[uri.URI(u)].analysis.gate })
	gate <- struct{}{}
	return func() { <-gate }
}

// places says where the diagnostics of a code start.
func places(all []diagnostic, code string) string {
	var lines []string
	for _, d := range all {
		if d.Code == code {
			lines = append(lines, fmt.Sprint(d.Range.Start.Line))
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, " ")
}

// TestFindingsOfCircuitStay types while the circuit of the new text is not known: what that
// of the text before has shown moves with the rows, goes where rows are touched, and is
// replaced when the circuit is known.
func TestFindingsOfCircuitStay(t *testing.T) {
	for _, c := range []struct {
		name, language, text, comment, row string
		code                               string // of the findings of the circuit
		before                             string // where they are
		touched                            int    // a row that is edited at last
		fixed                              string // what it is then
		left, after                        string // where they are then, without the circuit and with it
	}{
		{name: "warnings of AIGER", language: "aiger", code: "and-unused", text: "aag 6 2 0 1 3\n2\n4\n12\n8 4 2\n10 4 3\n12 5 2\nc\n",
			comment: "text", before: "4 5", touched: 5, fixed: "10 5 3", left: "4", after: "4 5"},
		{name: "a blocked check of BLIF", language: "blif", code: "clocks", text: ".model top\n.inputs a clk1 clk2\n.outputs bad\n.latch a x re clk1 0\n.latch x bad re clk2 0\n.end\n",
			comment: "# text", before: "3", touched: 4, fixed: ".latch x bad re clk1 0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, size := range []int{0, largeText} {
				b := newBench(t, explicit, func(o *Options) { o.LensWait = 1 })
				b.Initialize(capable, nil)
				text := c.text + strings.Repeat(c.comment+"\n", size/len(c.comment)+1)
				buffer := lsptest.Buffer{Text: text}
				b.openAs(c.language, doc, text)
				found, _ := b.awaitDiagnostics("the findings", 0, func(p published) bool { return places(p.Diagnostics, c.code) != "" })
				before := places(found.Diagnostics, c.code)
				if before != c.before {
					t.Fatalf("found on %q, expected %q", before, c.before)
				}
				b.awaitAnalysis(doc)
				release := b.hold(doc)
				version := 1
				edit := func(line, deleted int, rows string) string {
					t.Helper()
					lines := strings.SplitAfter(buffer.Text, "\n")
					start := len(strings.Join(lines[:line], ""))
					mark := b.Mark()
					version++
					b.change(doc, version, buffer.Edit(start, start+len(strings.Join(lines[line:line+deleted], "")), rows))
					p, _ := b.awaitDiagnostics("diagnostics without a circuit", mark, func(p published) bool { return p.Version == version })
					return places(p.Diagnostics, c.code)
				}
				last := strings.Count(buffer.Text, "\n") - 1
				for _, step := range []struct {
					what, got, want string
				}{
					{"a row behind", edit(last, 0, c.comment+" more\n"), before},
					{"a row before", edit(1, 0, "\n"), plusOne(before)},
					{"the row deleted", edit(1, 1, ""), before},
					{"the row touched", edit(c.touched, 1, c.fixed+"\n"), c.left},
				} {
					if step.got != step.want {
						t.Errorf("%d bytes, %s: on %q, expected %q", size, step.what, step.got, step.want)
					}
				}
				release()
				b.awaitAnalysis(doc)
				if got := places(b.diagnostics(doc), c.code); got != c.after {
					t.Errorf("%d bytes, with the circuit: on %q, expected %q", size, got, c.after)
				}
			}
		})
	}
}

// plusOne moves line numbers on.
func plusOne(lines string) string {
	var all []string
	for _, word := range strings.Fields(lines) {
		var n int
		_, _ = fmt.Sscan(word, &n)
		all = append(all, fmt.Sprint(n+1))
	}
	return strings.Join(all, " ")
}

// awaitAnalysis returns when the circuit of the present text is known.
func (b *bench) awaitAnalysis(u string) {
	b.t.Helper()
	b.sync()
	<-b.server.session.snapshot.Load().views[uri.URI(u)].analysed
	b.server.session.queue.Do(func() {}) // the snapshot follows the function that closed it
}
