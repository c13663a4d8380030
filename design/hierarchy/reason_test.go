package hierarchy

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aiglens/blif"
	"aiglens/blif/diagnose"
	"aiglens/internal/source"
)

// TestUnreadFilesAreNamed checks that a file that is there and cannot be read is told
// from one that is not there.
func TestUnreadFilesAreNamed(t *testing.T) {
	dir := t.TempDir()
	if err := os.Symlink("sub.blif", filepath.Join(dir, "sub.blif")); err != nil {
		t.Skip(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "models"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ search, model, want string }{
		{".search models\n", "sub", "models cannot be read: it is a directory"},
		{".search nowhere.blif\n", "sub", "there is no file nowhere.blif"},
		{"", "sub", "no model sub is known: sub.blif cannot be read: "},
		{"", "other", "no model other is known"},
	} {
		text := test.search + ".model top\n.inputs x\n.outputs bad\n.subckt " + test.model + " a=x y=bad\n.end\n"
		l := New(NewDisk(t.Context(), 1<<20), blif.Options{}, nil)
		f := blif.Options{Library: l.For(filepath.Join(dir, "top.blif"))}.Parse(source.NewText(text))
		found := diagnose.Diagnostics(f)
		if len(found) != 1 || !strings.HasPrefix(found[0].Message, test.want) || strings.Contains(found[0].Message, "cannot") != strings.Contains(test.want, "cannot") {
			t.Errorf("%q: %v, expected %q", text, found, test.want)
		}
	}
}
