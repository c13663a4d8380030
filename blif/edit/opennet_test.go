package edit_test

import (
	"strings"
	"testing"

	"aiglens/blif"
	"aiglens/blif/bliftest"
	"aiglens/blif/diagnose"
	"aiglens/blif/edit"
	"aiglens/blif/flat"
	"aiglens/internal/source"
)

// TestOpenNetEdits checks that flattening leaves an open pin open, and that its
// net keeps its name.
func TestOpenNetEdits(t *testing.T) {
	text := ".model m\n.inputs a\n.outputs bad\n.subckt two i=a o=x p=unconn\n.subckt two i=x o=bad p=unconn\n.end\n" +
		".model two\n.inputs i\n.outputs o p\n.names i o\n1 1\n.names i p\n0 1\n.end\n"
	f := blif.Options{}.Parse(source.NewText(text))
	edits, err := edit.FlattenInstances(f, f.Models()[1])
	g := bliftest.Applied(t, f, edits, err)
	for _, d := range diagnose.Diagnostics(g) {
		t.Errorf("%v in\n%s", d, g.Text().Content())
	}
	if was, is := flat.Elaborate(f).Circuit.Outputs()[0].Lit, flat.Elaborate(g).Circuit.Outputs()[0].Lit; was != is {
		t.Errorf("the output was %v and is %v", was, is)
	}
	for at, to := range map[int]string{strings.Index(text, "unconn"): "net", strings.Index(text, "x p="): "unconn"} {
		if _, err := edit.Rename(f, at, to); err == nil {
			t.Errorf("the name at %d has become %s", at, to)
		}
	}
}
