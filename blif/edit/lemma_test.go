package edit_test

import (
	"strings"
	"testing"

	"aiglens/blif"
	"aiglens/blif/edit"
	"aiglens/internal/source"
)

// TestLemmaOfATautology: a clause with a net and its negation always holds, so that it has no row.
func TestLemmaOfATautology(t *testing.T) {
	f := blif.Options{}.Parse(source.NewText(".model m\n.inputs a b\n.outputs y\n.names a b y\n11 1\n.end\n"))
	a, b := f.Top().Signal("a"), f.Top().Signal("b")
	always, either := []edit.Literal{{a, false}, {a, true}}, []edit.Literal{{a, false}, {b, false}}
	for _, c := range []struct {
		clauses [][]edit.Literal
		want    string
	}{
		{[][]edit.Literal{always, either}, ".names a b lemma1\n00 0\n"},
		{[][]edit.Literal{always}, ".names lemma1\n1\n"},
	} {
		edits, err := edit.AddLemmas(f, [][][]edit.Literal{c.clauses})
		if err != nil || len(edits) != 1 || !strings.HasSuffix(edits[0].NewText, c.want) {
			t.Errorf("%v, %v; want %q", edits, err, c.want)
		}
	}
}
