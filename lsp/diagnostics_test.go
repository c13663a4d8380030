package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/uri"

	"aiglens/aiger/diagnose"
	"aiglens/aiger/syntax"
	"aiglens/internal/source"
	"aiglens/lsp/lsptest"
)

func (b *bench) publications(mark int) []published {
	b.t.Helper()
	var all []published
	for _, m := range b.Received(mark) {
		var p published
		if m.Method == "textDocument/publishDiagnostics" {
			if err := json.Unmarshal(m.Params, &p); err != nil {
				b.t.Fatal(err)
			}
			all = append(all, p)
		}
	}
	return all
}

func TestPublication(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(capable, nil)
	b.open(doc, "aag 1 0 1 0 0 1\n2 9\n2\n")
	b.settled(doc)
	first := b.publications(0)
	if len(first) != 1 || first[0].Version != 1 || len(first[0].Diagnostics) == 0 {
		t.Fatalf("published %+v", first)
	}

	mark := b.Mark()
	for version := 2; version < 40; version++ {
		b.replace(doc, version, "aag 1 0 1 0 0 1\n2 9\n2\nc\n"+strings.Repeat("x", version)+"\n")
	}
	b.settled(doc)
	last := 1
	for _, p := range b.publications(mark) {
		if p.Version <= last {
			t.Errorf("version %d after %d", p.Version, last)
		}
		last = p.Version
	}
	if last != 39 {
		t.Errorf("version %d is the last one published", last)
	}

	mark = b.Mark()
	b.close(doc)
	p, _ := b.awaitDiagnostics("cleared diagnostics", mark, func(p published) bool { return p.URI == doc })
	if len(p.Diagnostics) != 0 {
		t.Errorf("left behind: %v", p.Diagnostics)
	}
}

// TestLineEndsHaveTheirPlace: a diagnostic of CR LF covers something in an editor, which has no place between the two,
// and that is what lint says.
func TestLineEndsHaveTheirPlace(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(capable, nil)
	for name, text := range map[string]string{
		"rows.aag":    "aag 1 1 0 1 0\r\n2\r\n2\r\n",
		"symbol.aag":  "aag 1 1 0 1 0\n2\n2\ni0 a\r\n",
		"comment.aag": "aag 1 1 0 1 0\n2\n2\nc\r\na comment\r\n",
		"rows.btor2":  "1 sort bitvec 1\r\n2 input 1\r\n",
	} {
		u := "file:///" + name
		b.openAs("", u, text)
		var shown []lsptest.Range
		for _, d := range b.diagnostics(u) {
			if strings.HasSuffix(d.Code, "crlf") {
				shown = append(shown, d.Range)
			}
		}
		doc := b.server.session.snapshot.Load().views[uri.URI(u)].doc
		place := func(offset int) lsptest.Position {
			line, column := doc.Text.LineColumn(offset)
			return lsptest.Position{Line: line - 1, Character: column - 1}
		}
		var said []lsptest.Range
		for _, d := range doc.Diagnostics() {
			if strings.HasSuffix(string(d.Code), "crlf") {
				said = append(said, lsptest.Range{Start: place(d.Span.Start), End: place(d.Span.End())})
			}
		}
		if len(said) != 1 || !slices.Equal(shown, said) || said[0].Start == said[0].End {
			t.Errorf("%s: %v in an editor, %v by lint", name, shown, said)
		}
	}
}

func TestSameContentIsNotSentAgain(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(capable, nil)
	b.open(doc, toggle)
	b.settled(doc)
	mark := b.Mark()
	for version := 2; version < 10; version++ {
		b.replace(doc, version, toggle+"c\n"+strings.Repeat("x", version)+"\n")
		b.settled(doc)
	}
	if again := b.publications(mark); len(b.publications(0)) > 0 && len(b.diagnostics(doc)) == 0 && len(again) > 0 {
		t.Errorf("published again: %+v", again)
	}
}

// TestPublicationCap opens a file with more findings than clients should get:
// the worst are sent, and one more that says how many are not.
func TestPublicationCap(t *testing.T) {
	const gates = 700
	var text strings.Builder
	fmt.Fprintf(&text, "aag %d 1 0 %d %d\n2\n", 2+3*gates, maxDiagnostics, gates)
	for i := range maxDiagnostics { // not defined
		fmt.Fprintln(&text, 2*(gates+3+i))
	}
	for i := range gates { // constant
		fmt.Fprintln(&text, 2*(i+2), 2, 0)
	}
	file := syntax.Parse(source.NewText(text.String()))
	found := file.Diagnostics()
	ofCircuit, err := diagnose.Run(context.Background(), file)
	if err != nil {
		t.Fatal(err)
	}
	bySeverity := map[source.Severity]int{}
	for _, d := range found {
		bySeverity[d.Severity]++
	}
	if bySeverity[source.Error] != maxDiagnostics || bySeverity[source.Warning]+bySeverity[source.Hint]+bySeverity[source.Information] < gates {
		t.Fatalf("the text has %v", bySeverity)
	}
	b := newBench(t, explicit)
	b.Initialize(capable, nil)
	b.open(doc, text.String())
	b.settled(doc)
	ds := b.diagnostics(doc)
	if len(ds) != maxDiagnostics {
		t.Fatalf("%d diagnostics, want %d", len(ds), maxDiagnostics)
	}
	errors, more := 0, ""
	for _, d := range ds {
		if d.Code == "undefined-literal" {
			errors++
		}
		if _, rest, ok := strings.Cut(d.Message, " (and "); ok {
			more += rest
		}
	}
	if errors != maxDiagnostics {
		t.Errorf("%d of %d errors are shown", errors, maxDiagnostics)
	}
	if want := fmt.Sprintf("%d more, which are not shown)", len(found)+len(ofCircuit)-maxDiagnostics); more != want {
		t.Errorf("%q, want %q", more, want)
	}
}

// TestRelatedInMessage is about clients that do not show related information.
func TestRelatedInMessage(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(map[string]any{"workspace": capable["workspace"]}, nil)
	b.open(doc, toggle)
	b.checkAll()
	found := ""
	for _, d := range b.diagnostics(doc) {
		if d.Code == "refuted" || d.Code == "proved" {
			found += d.Message + "\n"
		}
		if len(d.RelatedInformation) > 0 {
			t.Errorf("related information: %v", d)
		}
	}
	if !strings.Contains(found, "flip: 01 (line 2)") || !strings.Contains(found, "proved") {
		t.Errorf("messages %q", found)
	}
}

func TestOtherFormats(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(capable, nil)
	check := func(language, u, text string) {
		t.Helper()
		b.Notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{
			"uri": u, "languageId": language, "version": 1, "text": text}})
		b.save(u)
		b.settled(u)
		if ds := b.diagnostics(u); len(ds) != 0 {
			t.Errorf("%s: %v", u, ds)
		}
		if ls := b.lenses(u); len(ls) != 0 {
			t.Errorf("%s: %v", u, ls)
		}
		for _, method := range []string{"hover", "definition", "documentSymbol"} {
			b.MustCall("textDocument/"+method, map[string]any{
				"textDocument": map[string]any{"uri": u}, "position": lsptest.Position{}}, nil)
		}
		b.close(u)
	}
	check("blif", "file:///w/a.blif", ".model a\n.inputs x\n.outputs y\n.names x y\n1 1\n.end\n")
	check("", "untitled:Untitled-1", ".model a\n.inputs x\n.outputs y\n.names x y\n1 1\n.end\n")
	check("aiger", "file:///w/a.aig", "aig 2 1 0 1 1\n4\n\x02\uFFFD")
	check("plaintext", "file:///w/notes.txt", "notes")
}

// TestFaultsArePublished: what forbids a verdict and shows in the circuit alone stands on the
// line that the lens names.
func TestFaultsArePublished(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(capable, nil)
	b.openAs("blif", doc, ".model top\n.inputs a clk1 clk2\n.outputs bad\n.latch a x re clk1 0\n.latch x bad re clk2 0\n.end\n")
	b.awaitDiagnostics("the clocks", 0, func(p published) bool {
		return slices.ContainsFunc(p.Diagnostics, func(d diagnostic) bool {
			return d.Code == "clocks" && d.Severity == 1 && d.Range.Start.Line == 3 && strings.Contains(d.Message, "aiglens.blif.oneStep")
		})
	})
	if titles := b.titles(doc); len(titles) != 1 || titles[0] != "unknown: error on line 4: latches bad and x do not step together: re clk2, re clk1" {
		t.Errorf("lenses %q", titles)
	}
	b.replace(doc, 2, ".model top\n.inputs a clk1 clk2\n.outputs bad\n.latch a x re clk1 0\n.latch x bad re clk1 0\n.end\n")
	b.settled(doc)
	if i := slices.IndexFunc(b.diagnostics(doc), func(d diagnostic) bool { return d.Code == "clocks" }); i >= 0 {
		t.Errorf("left behind: %v", b.diagnostics(doc)[i])
	}
}

// TestIdleErrorsAreFolded: 52 places that forbid no verdict are one warning beside two refutations, and an error
// that forbids one stays an error.
func TestIdleErrorsAreFolded(t *testing.T) {
	var text strings.Builder
	text.WriteString(".model top\n.inputs a b\n.outputs bad bad2 other\n.latch a q 0\n.names q bad\n1 1\n.names a bad2\n1 1\n")
	for i := range 52 {
		fmt.Fprintf(&text, ".names ghost%d t%d\n1 1\n", i, i)
	}
	text.WriteString(".names")
	for i := range 52 {
		fmt.Fprintf(&text, " t%d", i)
	}
	fmt.Fprintf(&text, " other\n%s 1\n# prop: bad bad\n# prop: bad bad2\n", strings.Repeat("1", 52))
	b := newBench(t, explicit)
	b.Initialize(capable, nil)
	b.openAs("blif", doc, text.String()+".end\n")
	b.checkAll()
	about := func() (all []diagnostic) {
		for _, d := range b.diagnostics(doc) {
			if d.Code == "undriven-signal" || d.Code == "undriven-output" || d.Severity == 1 {
				all = append(all, d)
			}
		}
		return all
	}
	found := about()
	codes := ""
	for _, d := range found {
		codes += fmt.Sprintf("%d %s; ", d.Severity, d.Code)
	}
	if codes != "2 undriven-signal; 1 refuted; 1 refuted; " {
		t.Fatalf("diagnostics %s", codes)
	}
	if d := found[0]; d.Message != "52 places name a signal that nothing drives; no property depends on these" || len(d.RelatedInformation) != 50 || d.Range.Start.Line != 8 {
		t.Errorf("%+v", d)
	}
	b.replace(doc, 2, text.String()+"# prop: bad ghost51\n.end\n")
	b.settled(doc)
	errors := 0
	for _, d := range about() {
		if d.Severity == 1 && d.Code == "undriven-signal" && strings.HasPrefix(d.Message, "nothing drives ghost51") {
			errors++
		}
	}
	if errors != 1 {
		t.Errorf("%d errors about a signal that a property reads", errors)
	}
}
