package statement_test

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"aiglens/blif/statement"
	"aiglens/internal/source"
)

const sample = "# prop: bad y\n.model m\n.inputs a b \\\n  c\n.outputs y\n.names a b y # and\n11 1\n--x 1\n" +
	".subckt n i = a o=z p=\n  .latch y q re NIL 2\n.attr src \"a # b\"\n.odd \\\n"

// describe renders all that a tree says about its text, without the numbers of
// chunks and names.
func describe(f *statement.Tree) (all []any) {
	for st := range f.Statements(0, f.NumStatements()) {
		all = append(all, st, f.WordsOf(st.ID), f.ContentSpan(st.ID))
		for r := range f.Rows(st.ID) {
			all = append(all, r)
		}
	}
	for _, c := range f.Chunks {
		for _, p := range c.Pragmas {
			for _, id := range p.Names {
				all = append(all, f.NameText(id))
			}
		}
	}
	return all
}

// TestLossless checks that statements follow each other without a gap, from the
// first byte of a text to the last.
func TestLossless(t *testing.T) {
	for n := range len(sample) + 1 {
		f := statement.Parse(source.NewText(sample[:n]))
		at := 0
		for st := range f.Statements(0, f.NumStatements()) {
			if st.Span.Start != at || !st.Span.Contains(st.Directive.Start) || f.StatementAt(at).ID != st.ID {
				t.Fatalf("%q: statement %+v does not start at %d", sample[:n], st, at)
			}
			at = st.Span.End()
		}
		if at != n {
			t.Fatalf("%q: the last statement ends at %d", sample[:n], at)
		}
	}
}

// TestReparse compares the tree after an edit with that of the text from scratch.
func TestReparse(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 7))
	pieces := []string{"", "\n", "\\\n", "\n.names a y\n", "#", "\"", " 1 1", ".end\n", "# prop: bad z\n", "="}
	for range 3000 {
		f := statement.Parse(source.NewText(sample))
		at := random.IntN(len(sample))
		span := source.Span{Start: at, Length: random.IntN(min(12, len(sample)-at))}
		text := f.Text().Replace(span, pieces[random.IntN(len(pieces))])
		head, tail := source.Common(f.Text(), text)
		next, _, _ := f.Reparse(text, head, tail)
		scratch := statement.Parse(text)
		if got, want := describe(&next), describe(&scratch); !reflect.DeepEqual(got, want) {
			t.Fatalf("%q\n got %v\nwant %v", text.Content(), got, want)
		}
	}
}
