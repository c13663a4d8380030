package main

import (
	"context"
	"strings"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/design"
	lspformats "aiglens/design/formats"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
	"aiglens/internal/source"
	"aiglens/lsp"
)

// TestReduceDocument reduces open texts of both formats to a property that is refuted: what
// is left is smaller, of the same format, and has that property alone, refuted as well.
func TestReduceDocument(t *testing.T) {
	const (
		inAIGER = "aag 8 2 3 1 3 2\n2\n4\n6 2\n8 6\n10 12\n8\n14\n8\n12 4 10\n14 8 6\n16 4 3\ni0 go\nl0 first\nl1 second\nb0 both\nb1 low\n"
		inBLIF  = "# prop: bad both\n# prop: assert fine\n.model m\n.inputs go idle\n.outputs both fine y\n.latch go first 0\n.latch first second 0\n.latch idle other 0\n" +
			".names first second both\n11 1\n.names first fine\n0 1\n.names other y\n1 1\n.end\n"
	)
	plain := strings.NewReplacer("# prop: bad both\n", "", "# prop: assert fine\n", "", "both fine y", "both y").Replace(inBLIF)
	for _, test := range []struct {
		language, text string
		property       circuit.Property
		ending         string
	}{
		{"aiger", inAIGER, circuit.Property{Kind: circuit.PropertyBad, Index: 0}, ".aag"},
		{"aiger", inAIGER, circuit.Property{Kind: circuit.PropertyBad, Index: 1}, ".aag"},
		{"blif", inBLIF, circuit.Property{Kind: circuit.PropertyBad, Index: 0}, ".blif"},
		{"blif", inBLIF, circuit.Property{Kind: circuit.PropertyBad, Index: 1}, ".blif"},
		{"blif", plain, circuit.Property{Kind: circuit.PropertyOutput, Index: 0}, ".blif"}, // is written as a bad
	} {
		read := func(text string) *design.Design {
			return design.New("file:///x/"+test.language, lspformats.All().ByLanguage(test.language), 1, source.NewText(text), design.Options{})
		}
		engine := engineOf(engines.Spec{Engine: "ic3"})
		shown := 0
		of := lsp.Reduction{Document: read(test.text), Property: test.property, Engine: engine, Show: func(string) { shown++ }}
		left, err := reduceDocument(t.Context(), of)
		if err != nil || left.Ending != test.ending || !strings.Contains(left.Size, " are left of ") || shown == 0 || len(left.Text) >= len(test.text) {
			t.Errorf("%s %s: %v, %q of %q, shown %d times", test.language, test.property, err, left.Text, left.Size, shown)
			continue
		}
		doc := read(string(left.Text))
		if err := doc.Elaborate(t.Context()); err != nil {
			t.Fatal(err)
		}
		all := doc.Properties()
		if len(all) != 1 || all[0].ID.Kind != circuit.PropertyBad || doc.Fault(all[0].ID) != nil {
			t.Errorf("%s %s: properties %v of\n%s", test.language, test.property, all, left.Text)
			continue
		}
		before := verify.Run(t.Context(), verify.Job{Circuit: of.Document.Circuit(), Property: test.property, Engine: engine}, nil)
		r := verify.Run(t.Context(), verify.Job{Circuit: doc.Circuit(), Property: all[0].ID, Engine: engine}, nil)
		if r.Checked.Outcome() != cert.Refuted || r.Checked.Trace().Steps() != before.Checked.Trace().Steps() || r.Checked.Trace().Steps() < 2 {
			t.Errorf("%s %s is %s by %d steps and not by %d of\n%s", test.language, test.property, r.Checked.Outcome(), r.Checked.Trace().Steps(), before.Checked.Trace().Steps(), left.Text)
		}
		if n := len(doc.Circuit().Latches()); n < 1 || n > 2 || strings.Contains(string(left.Text), "idle") {
			t.Errorf("%s %s: %d latches are left:\n%s", test.language, test.property, n, left.Text)
		}

		ended, end := context.WithCancel(t.Context())
		end()
		if _, err := reduceDocument(ended, of); err == nil {
			t.Error("a reduction that was ended has an answer")
		}
	}
	proved := lsp.Reduction{Document: design.New("file:///x", lspformats.All().ByLanguage("aiger"), 1, source.NewText("aag 1 0 1 0 0 1\n2 2\n2\n"), design.Options{}),
		Engine: engineOf(engines.Spec{Engine: "ic3"}), Show: func(string) {}}
	if _, err := reduceDocument(t.Context(), proved); err == nil || !strings.Contains(err.Error(), "bad:0 is not refuted") {
		t.Errorf("of a property that holds: %v", err)
	}
	for _, test := range []struct {
		pragma string
		kind   circuit.PropertyKind
		says   string
	}{{"cover both", circuit.PropertyCover, "# prop: bad"}, {"lemma fine", circuit.PropertyLemma, "# prop: assert"}} {
		of := lsp.Reduction{Document: design.New("file:///x", lspformats.All().ByLanguage("blif"), 1, source.NewText("# prop: "+test.pragma+"\n"+plain), design.Options{}),
			Property: circuit.Property{Kind: test.kind}, Engine: proved.Engine, Show: func(string) {}}
		if _, err := reduceDocument(t.Context(), of); err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %v", test.pragma, err)
		}
	}
}
