package findings

import (
	"strings"
	"testing"
)

// TestWhatIsIt recognises formats by their first word, and what is packed by its first bytes.
func TestWhatIsIt(t *testing.T) {
	for _, test := range []struct{ text, name, word string }{
		{"aag 0 0 0 0 0\n", "AIGER", "aag"},
		{"# by a tool\n\n.model m\n", "BLIF", ".model"},
		{"// a counter\n/* of\n 4 bits */ module m;\n", "Verilog", "module"},
		{"-- a counter\nlibrary ieee;\n", "VHDL", "library"},
		{"; by a tool\n1 sort bitvec 1\n", "BTOR2", "1"},
		{"; horn\n(set-logic HORN)\n", "SMT-LIB", "(set-logic"},
		{"; a comment\n(declare-const x Bool)\n", "SMT-LIB", "(declare-const"},
		{"(declare-sort S 0)\n", "SMT-LIB", "(declare-sort"}, {"(define-fun f () Bool true)\n", "SMT-LIB", "(define-fun"},
		{"(assert true)\n", "SMT-LIB", "(assert"}, {"(asserted)\n", "", ""},
		{"{\"modules\": {}}\n", "JSON", "{"},
		{"\x1f\x8b\b\x00", "a file that gzip has packed", "\x1f"},
		{"\xfd7zXZ\x00", "a file that xz has packed", "\xfd"},
		{"1 sorts\n", "", ""}, {"AAG 0 0 0 0 0\n", "", ""}, {"", "", ""}, {"// only a comment", "", ""}, {"modules", "", ""},
		{strings.Repeat("#", LookAhead) + "\nmodule m;\n", "", ""},
	} {
		is := WhatIsIt(test.text)
		if is.Name != test.name || is.Name != "" && test.text[is.Start:is.Start+is.Length] != test.word {
			t.Errorf("%.20q is %+v", test.text, is)
		}
		if is.Name != "" && !strings.HasPrefix(is.Not("this"), "this looks like "+is.Name+", not like this: ") {
			t.Errorf("%.20q: %s", test.text, is.Not("this"))
		}
	}
}
