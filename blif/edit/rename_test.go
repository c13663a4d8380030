package edit_test

import (
	"strings"
	"testing"

	"aiglens/blif"
	"aiglens/blif/bliftest"
	"aiglens/blif/edit"
	"aiglens/internal/source"
)

// TestRename renames signals, ports and models; the name at the mark changes.
func TestRename(t *testing.T) {
	const text = ".model m\n.inputs a\n.outputs y\n# prop: bad y\n.subckt n i=a o=t\n.names t y\n1 1\n.end\n.model n\n.inputs i\n.outputs o\n.names i o\n1 1\n.end\n"
	f := blif.Options{}.Parse(source.NewText(text))
	for _, test := range []struct{ at, to, want string }{
		{"t y\n1", "x", strings.NewReplacer("o=t", "o=x", ".names t", ".names x").Replace(text)},
		{"y\n#", "out", strings.NewReplacer(".outputs y", ".outputs out", "bad y", "bad out", "t y", "t out").Replace(text)},
		{"i o\n1", "in", strings.NewReplacer("n i=a", "n in=a", ".inputs i", ".inputs in", "names i", "names in").Replace(text)},
		{"o=t", "out", strings.NewReplacer(" o=t", " out=t", ".outputs o", ".outputs out", "i o", "i out").Replace(text)},
		{"n i=a", "leaf", strings.NewReplacer("subckt n", "subckt leaf", "model n", "model leaf").Replace(text)},
	} {
		edits, err := edit.Rename(f, strings.Index(text, test.at), test.to)
		if err != nil {
			t.Errorf("%q: %v", test.at, err)
			continue
		}
		got, err := f.Text().Apply(edits)
		if err != nil || got.Content() != test.want {
			t.Errorf("%q to %s: %v\n%s", test.at, test.to, err, got.Content())
		}
	}
	for _, to := range []string{"a", "", "x y", ".x", "a=b"} {
		if edits, err := edit.Rename(f, strings.Index(text, "t y\n1"), to); err == nil {
			t.Errorf("t to %q: %v", to, edits)
		}
	}
}

// Names that mean something else where they would stand are refused.
func TestRenameMeaning(t *testing.T) {
	const text = ".model m\n.inputs clk a\n.outputs y\n.names $undef\n.latch a y re clk\n.end\n"
	f := blif.Options{}.Parse(source.NewText(text))
	for _, test := range []struct {
		from, to string
		ok       bool
	}{
		{"clk", "NIL", false}, {"clk", "2", false}, {"clk", "ck", true}, {"a", "2", true}, {"a", "$undef", false}, {"$undef", "zero", false},
	} {
		edits, err := edit.Rename(f, strings.Index(text, " "+test.from)+1, test.to)
		if ok := err == nil && len(edits) == 2; ok != test.ok {
			t.Errorf("%s to %s: edits %v, error %v", test.from, test.to, edits, err)
		}
	}
}

// TestRenameRefused says why a name at an instance cannot be another one.
func TestRenameRefused(t *testing.T) {
	const text = ".model m\n.inputs a\n.outputs y\n.subckt n i=a o=y j=a\n.subckt none p=a\n.end\n.model n\n.inputs i\n.outputs o\n.names i o\n1 1\n.end\n"
	f := blif.Options{}.Parse(source.NewText(text))
	for _, test := range []struct{ at, to, why string }{
		{"i=a", "j", "already connects a port j"}, {"i=a", "o", "has a signal o already"}, {"n i=a", "m", "a model m already"},
		{"n i=a", "$add", ""}, {"none", "n", "no model"}, {"p=a", "i", "no model"}, {"j=a", "k", "no signal"},
	} {
		_, err := edit.Rename(f, strings.Index(text, test.at), test.to)
		if err == nil != (test.why == "") || err != nil && !strings.Contains(err.Error(), test.why) {
			t.Errorf("%q to %s: %v, expected %q", test.at, test.to, err, test.why)
		}
	}
	for _, at := range []string{"none", "p=a"} {
		if _, name, ok := edit.RenameTarget(f, strings.Index(text, at)); ok {
			t.Errorf("%q can be renamed: %s", at, name)
		}
	}
}

// TestMayBeShared: what other files can use is seen without them, at every place.
func TestMayBeShared(t *testing.T) {
	for seed := range uint64(50) {
		text := bliftest.Random(seed, bliftest.Dialect(seed%4), false)
		f := blif.Options{}.Parse(source.NewText(text))
		for at := range len(text) + 1 {
			if _, shared := edit.SharedAt(f, at); shared && !edit.MayBeShared(f, at) {
				t.Fatalf("%q at %d", text, at)
			}
		}
	}
	f := blif.Options{}.Parse(source.NewText(".model m\n.inputs a\n.outputs y\n.names a t\n1 1\n.subckt none i=t o=y\n.end\n"))
	for word, want := range map[string]bool{"m\n": true, "a\n": true, "y\n": true, "t\n1": false, "none": true, "i=": true, "t o": false} {
		if at := strings.Index(f.Text().Content(), word); edit.MayBeShared(f, at) != want {
			t.Errorf("%q: %t", word, !want)
		}
	}
}
