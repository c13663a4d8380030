package edit_test

import (
	"testing"

	"aiglens/blif"
	"aiglens/blif/bliftest"
	"aiglens/blif/codes"
	"aiglens/blif/diagnose"
	"aiglens/blif/edit"
	"aiglens/internal/source"
)

// A comment before the first model belongs to it, and so do its fixes.
func TestFixPropertyBeforeModels(t *testing.T) {
	f := blif.Options{}.Parse(source.NewText("# prop: bad x\n.model m\n.inputs a\n.outputs y\n.names a y\n1 1\n.end\n"))
	found := 0
	for _, d := range diagnose.Diagnostics(f) {
		if d.Code != codes.PragmaSignal {
			continue
		}
		fixes := edit.FixesFor(f, d)
		if len(fixes) != 2 {
			t.Fatalf("fixes %+v", fixes)
		}
		for _, fix := range fixes {
			found++
			text, err := f.Text().Apply(fix.AllEdits())
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range diagnose.Diagnostics(f.Reparse(text)) {
				t.Errorf("after %q there is %v in %q", fix.Title, d, text.Content())
			}
		}
	}
	if found == 0 {
		t.Error("the unknown signal is not reported")
	}
	if edits := edit.FixAll(f); len(edits) > 0 {
		t.Errorf("FixAll makes %v without being asked to", edits)
	}
}

// checkFixes applies every fix of a file: its edits lie in the text and do not
// overlap. After FixAll it finds nothing more to do.
func checkFixes(t *testing.T, f *blif.File) {
	t.Helper()
	for _, d := range diagnose.Diagnostics(f) {
		for _, fix := range edit.FixesFor(f, d) {
			if _, err := f.Text().Apply(fix.AllEdits()); err != nil {
				t.Errorf("%q for %v: %v\n%q", fix.Title, d, err, f.Text().Content())
			}
		}
	}
	text, err := f.Text().Apply(edit.FixAll(f))
	if err != nil {
		t.Fatalf("FixAll: %v\n%q", err, f.Text().Content())
	}
	if again := edit.FixAll(f.Reparse(text)); len(again) > 0 {
		t.Errorf("FixAll of %q leaves %q, of which it changes %v", f.Text().Content(), text.Content(), again)
	}
}

func FuzzFix(f *testing.F) {
	bliftest.Seeds(f, func(text string) { f.Add(text) })
	f.Add("# prop: bad x\n.model m\n.inputs a\n.outputs y\n.names a y\n1 1\n.end\n.latch a b re\n.names b b c\n11 1\n1 1\n")
	f.Add(".start_kiss\n.i 1\n.o 2\n.p 3\n0 A B 1\n.model x\n.inputs a a\n.subckt y a=b a=c d\n.input q \\")
	f.Add(".model\n.latch a b xx clk 7\n.outputs\n.constraint z\n.names\n.nmaes a\n.exdc\n.names a\n1\n.attr\n.gate inv A=b\n")
	f.Add(".model t\n.inputs a e\n.outputs bad assume_x\n# Prop: bad a \\\n.subckt l i=a e=e o=bad # prop: bad a\n.subckt l i=bad o=unconn\n.subckt l i=a e= o=unconn\n" +
		".subckt $_DFFE_PP_ D=a E=e Q=q\n.gateinit q=1 z\n.names a a assume_x\n01 \\\n0 # x\n1\\\n0 0\n.end\n.model l\n.inputs i e\n.outputs o\n" +
		".names i o\n1 \\\n 1\n.subckt $assert A=o EN=e\n.subckt $assume EN=e\n# prop: lemma o\n.end\n")
	f.Fuzz(func(t *testing.T, content string) {
		checkFixes(t, blif.Options{}.Parse(source.NewText(content)))
	})
}
