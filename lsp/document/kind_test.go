package document

import "testing"

func TestKindOf(t *testing.T) {
	check := func(want Kind, language, path, content string) {
		t.Helper()
		if got := KindOf(language, path, content); got != want {
			t.Errorf("%q %q %q is %s, expected %s", language, path, content, got, want)
		}
	}
	const binary = "aig 2 1 0 1 1\n4\n\x02\uFFFD"
	check(AIGER, "aiger", "untitled-1", "")
	check(AIGER, "plaintext", "/w/A.AAG", "")
	check(AIGER, "", "Untitled-1", "aag 0 0 0 0 0\n")
	check(AIGER, "aiger", "/w/a.aig", "aag 0 0 0 0 0\n")
	check(AIGER, "aiger", "/w/a.aig", "aig 1 1 0 0 0\n")
	check(AIGER, "aiger", "/w/a.aag", binary) // wrong, which is for its diagnostics to say
	check(BinaryAIGER, "aiger", "/w/a.aig", binary)
	check(BinaryAIGER, "", "Untitled-1", binary)
	check(BLIF, "blif", "", "")
	check(BLIF, "", "/w/a.blif", "")
	check(BLIF, "", "Untitled-1", ".model m\n.end\n")
	check(Other, "go", "/w/a.go", "package a\n")
}
