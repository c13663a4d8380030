package format

import (
	"slices"
	"testing"
)

// TestFileOf tells by its path how a file is kept.
func TestFileOf(t *testing.T) {
	check := func(f Format, path, ext string, encoded bool) {
		t.Helper()
		file, ok := f.FileOf(path)
		if ok != (ext != "") || file.Ext != ext || file.IsEncoded() != encoded || f.Has(path) != ok || f.HasText(path) != (ok && !encoded) {
			t.Errorf("%s in %s: %+v, %v", path, f.Name, file, ok)
		}
	}
	check(AIGER, "/w/a.aag", ".aag", false)
	check(AIGER, `C:\w\A.AIG`, ".aig", true)
	check(AIGER, "a.aag.gz", ".aag.gz", true)
	check(AIGER, "a.Aig.Gz", ".aig.gz", true)
	check(AIGER, "a.gz", "", false)
	check(AIGER, "aag", "", false)
	check(BLIF, "a.eblif", ".eblif", false)
	check(BLIF, "a.blif.gz", "", false)
	check(BLIF, "", "", false)
}

// TestExtensionsAreDistinct: no file belongs to two formats, and each has text or
// decoded text in one way or the other.
func TestExtensionsAreDistinct(t *testing.T) {
	var all []string
	for _, f := range []Format{AIGER, BLIF, BTOR2} {
		if len(f.TextExtensions())+len(f.EncodedExtensions()) != len(f.Extensions()) || len(f.TextExtensions()) == 0 {
			t.Errorf("%s: %q and %q of %q", f.Name, f.TextExtensions(), f.EncodedExtensions(), f.Extensions())
		}
		all = append(all, f.Extensions()...)
	}
	slices.Sort(all)
	if n := len(slices.Compact(slices.Clone(all))); n != len(all) {
		t.Errorf("extensions %q", all)
	}
	if got := Glob(BLIF.Extensions()); got != "*.{blif,eblif}" {
		t.Errorf("glob %s", got)
	}
}
