package aiger

import (
	"testing"

	"aiglens/aiger/syntax"
	"aiglens/internal/source"
)

// TestDanglingAsides: a line that was not a property, because its name means several literals or
// none, becomes none when a model gets other names or numbers, and keeps its text.
func TestDanglingAsides(t *testing.T) {
	const comment = "prop: cover x\n text\n prop: lemma !x_2 \"x\"\nprop: cover 99\nprop: lemma never\n"
	m, err := ModelOf(syntax.Parse(source.NewText("aag 3 1 2 0 0 1\n2\n4 4\n6 2\n4\nl0 x\nl1 x\nb0 never\nc\n" + comment)))
	if err != nil {
		t.Fatal(err)
	}
	same := func(a syntax.AsideEntry) (uint32, bool) { return a.Lit, true }
	distinct, _ := m.WithDistinctNames()
	named := m.WithNamedAsides()
	numbered := *m
	numbered.SubstituteAsides(same)
	marked := *m
	marked.MarkUndefinedAsides()
	marked.Symbols = nil
	for _, test := range []struct{ name, got, want string }{
		{"distinct names", distinct.Comment, "undefined: prop: cover x\n text\nundefined:  prop: lemma !x_2 \"x\"\nprop: cover 99\nprop: lemma never\n"},
		{"names", named.Comment, comment},
		{"numbers", numbered.Comment, "prop: cover x\n text\n prop: lemma !x_2 \"x\"\nprop: cover 99\nprop: lemma 4\n"},
		{"marked", marked.Comment, "undefined: prop: cover x\n text\nundefined:  prop: lemma !x_2 \"x\"\nprop: cover 99\nprop: lemma never\n"},
	} {
		if test.got != test.want {
			t.Errorf("%s: the comment became %q, expected %q", test.name, test.got, test.want)
		}
	}
	if n := len(distinct.Asides()); n != 1 {
		t.Errorf("there are %d properties in the comment", n)
	}
}
