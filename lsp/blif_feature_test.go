package lsp

import (
	"strings"
	"testing"

	"aiglens/lsp/lsptest"
)

// TestCycleThroughInstances shows a cycle that no single model has at the rows of
// the instances.
func TestCycleThroughInstances(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(capable, nil)
	b.openAs("blif", doc, ".model top\n.inputs x\n.outputs bad\n.subckt inv a=m y=n\n.subckt inv a=n y=m\n.names m bad\n1 1\n.end\n"+
		".model inv\n.inputs a\n.outputs y\n.names a y\n0 1\n.end\n")
	_, _ = b.awaitDiagnostics("the cycle", 0, func(p published) bool {
		for _, d := range p.Diagnostics {
			if d.Code == "combinational-cycle" && d.Range.Start == (lsptest.Position{Line: 3, Character: 14}) {
				return len(d.RelatedInformation) == 1 && d.RelatedInformation[0].Location.Range.Start.Line == 4
			}
		}
		return false
	})
	if titles := b.titles(doc); len(titles) != 1 || !strings.HasPrefix(titles[0], "unknown: error on line 4: combinational cycle") {
		t.Errorf("lenses %q", titles)
	}
}

// TestCreateModel makes a model of the pins of its instance. Its outputs are yet
// to be defined, so there is no verdict.
func TestCreateModel(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(capable, nil)
	text := ".model top\n.inputs x\n.outputs bad\n.subckt half a=x b=q s=bad c=carry\n.latch carry q 0\n.end\n"
	b.openAs("blif", doc, text)
	at := lsptest.Position{Line: 3, Character: 9}
	var actions []struct {
		Title, Kind string
		Edit        struct{ Changes map[string][]textEdit }
	}
	b.MustCall("textDocument/codeAction", map[string]any{
		"textDocument": map[string]any{"uri": doc}, "range": lsptest.Range{Start: at, End: at},
		"context": map[string]any{"diagnostics": []any{}}}, &actions)
	for _, a := range actions {
		if !strings.HasPrefix(a.Title, "Create model half") {
			continue
		}
		e := editing{bench: b, buffer: lsptest.Buffer{Text: text, Encoding: "utf-16"}}
		got := e.apply(a.Edit.Changes[doc])
		if want := text + "\n.model half\n.inputs a b\n.outputs s c\n.names undefined s\n1 1\n.names s c\n1 1\n.end\n"; got != want || a.Kind != "quickfix" {
			t.Errorf("%s\n%s\nexpected:\n%s", a.Kind, got, want)
		}
		b.replace(doc, 2, got)
		b.checkAll()
		if titles := b.titles(doc); len(titles) != 1 || !strings.HasPrefix(titles[0], "unknown") {
			t.Errorf("lenses %q", titles)
		}
		return
	}
	t.Errorf("no such action among %v", actions)
}
