package edit_test

import (
	"slices"
	"strings"
	"testing"

	"aiglens/blif"
	"aiglens/blif/bliftest"
	"aiglens/blif/codes"
	"aiglens/blif/diagnose"
	"aiglens/blif/edit"
	"aiglens/blif/flat"
	"aiglens/blif/statement"
	"aiglens/internal/source"
)

// fixesOf returns the fixes of all findings of a code.
func fixesOf(t *testing.T, f *blif.File, code source.Code) []source.Fix {
	t.Helper()
	linted, err := diagnose.Lint(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	var all []source.Fix
	for _, d := range append(slices.Clone(diagnose.Diagnostics(f)), linted...) {
		if d.Code == code {
			all = append(all, edit.FixesFor(f, d)...)
		}
	}
	return all
}

// TestMovedComments checks that a comment which an apply moves to a line of its
// own is kept, becomes no property and joins no lines.
func TestMovedComments(t *testing.T) {
	const head, tail = ".model m\n.inputs a b\n.outputs y\n", ".end\n"
	comment := " # prop: bad y \\"
	apply := func(name, body string, edits func(f *blif.File) ([]source.Edit, error)) {
		f := blif.Options{}.Parse(source.NewText(head + body + tail))
		more, err := edits(f)
		g := bliftest.Applied(t, f, more, err)
		if ps := g.Properties(); len(ps) > 0 && ps[0].Rule.String() == "# prop: comment" {
			t.Errorf("%s makes a property:\n%s", name, g.Text().Content())
		}
		if want := strings.Count(body, "# "); strings.Count(g.Text().Content(), "# ") != want {
			t.Errorf("%s loses a comment:\n%s", name, g.Text().Content())
		}
		if got := bliftest.Places(g, codes.CommentJoin); len(got) > 0 {
			t.Errorf("%s leaves a comment that ends in \\:\n%s", name, g.Text().Content())
		}
	}
	first := func(kind statement.Kind) func(f *blif.File) int {
		return func(f *blif.File) int {
			for st := range f.Statements(0, f.NumStatements()) {
				if st.Kind == kind {
					return st.ID
				}
			}
			return -1
		}
	}
	apply("minimise", ".names a b y\n11 1"+comment+"\n1- 1\n", func(f *blif.File) ([]source.Edit, error) { return edit.MinimiseCover(f, first(statement.KindNames)(f)) })
	apply("complement", ".names a b y\n11 1"+comment+"\n", func(f *blif.File) ([]source.Edit, error) {
		return edit.ComplementCover(f, first(statement.KindNames)(f))
	})
	for _, code := range []source.Code{codes.Comment, codes.JoinSpace, codes.CubeContained, codes.SignalUnused} {
		bodies := map[source.Code]string{
			codes.Comment: ".names a b y" + comment + "\n11 1\n", codes.JoinSpace: ".names a \\" + comment + "\nb y\n11 1\n",
			codes.CubeContained: ".names a b y\n11 1" + comment + "\n1- 1\n",
			codes.SignalUnused:  ".names a b y\n11 1\n.names a z" + comment + "\n# kept\n1 1 # row\n",
		}
		apply(string(code), bodies[code], func(f *blif.File) ([]source.Edit, error) {
			fixes := fixesOf(t, f, code)
			if len(fixes) == 0 {
				t.Fatalf("no fix for %s", code)
			}
			return fixes[0].Edits, nil
		})
	}
	leaf := ".end\n.model buf\n.inputs i\n.outputs o\n.names i o\n1 1\n"
	apply("flatten", ".subckt buf i=a \\ # one\n o=y"+comment+"\n.cname u # three\n.attr src \"a#b\"\n"+leaf,
		func(f *blif.File) ([]source.Edit, error) {
			return edit.FlattenInstance(f, first(statement.KindSubckt)(f))
		})
}

// TestMergeColumns checks that merging the columns of a repeated input keeps the
// function, also where no row is left, and the comments.
func TestMergeColumns(t *testing.T) {
	for _, rows := range []string{"01 0\n", "01 1\n", "01 0 # one\n10 0\n", "01 0\n-1 0\n", "11 1\n01 1\n", "0- 0\n10 0\n"} {
		f := blif.Options{}.Parse(source.NewText(".model m\n.inputs a\n.outputs y\n.names a a y\n" + rows + ".end\n"))
		fixes := fixesOf(t, f, codes.OperandTwice)
		if len(fixes) != 1 {
			t.Errorf("%q: fixes %v", rows, fixes)
			continue
		}
		g := bliftest.Applied(t, f, fixes[0].Edits, nil)
		if was, is := flat.Elaborate(f).Circuit.Outputs()[0].Lit, flat.Elaborate(g).Circuit.Outputs()[0].Lit; was != is {
			t.Errorf("%q: %v has become %v:\n%s", rows, was, is, g.Text().Content())
		}
		for _, d := range diagnose.Diagnostics(g) {
			t.Errorf("%q: %v", rows, d)
		}
		if strings.Contains(rows, "#") && !strings.Contains(g.Text().Content(), "# one") {
			t.Errorf("%q: the comment is gone", rows)
		}
	}
}

// TestCommentJoin checks the warning on a comment line that ends in '\', which
// some readers take for a continuation of the comment.
func TestCommentJoin(t *testing.T) {
	f := blif.Options{}.Parse(source.NewText(".model m\n.inputs a\n.outputs y\n# note \\\n.names a y\n1 1\n.end\n"))
	if got := bliftest.Places(f, codes.CommentJoin); !slices.Equal(got, []string{`\`}) {
		t.Fatalf("reported at %q", got)
	}
	g := bliftest.Applied(t, f, edit.FixAll(f), nil)
	if want := strings.Replace(f.Text().Content(), ` \`, "", 1); g.Text().Content() != want {
		t.Errorf("fixed %q", g.Text().Content())
	}
}

// TestFoldedRows checks rows that a '\' continues between cube and output.
func TestFoldedRows(t *testing.T) {
	const head = ".model m\n.inputs a b\n.outputs y\n.names a b y\n"
	for _, rows := range []string{"11 \\\n1\n", "11\\\n 1\n", "11 \\\n \\\n 1 # note\n", "11 \\\r\n1\r\n", "11 1 \\\n\n"} {
		f := blif.Options{}.Parse(source.NewText(head + rows + ".end\n"))
		for _, d := range diagnose.Diagnostics(f) {
			t.Errorf("%q: %v", rows, d)
		}
		want := flat.Elaborate(blif.Options{}.Parse(source.NewText(head + "11 1\n.end\n"))).Circuit.Outputs()[0].Lit
		if got := flat.Elaborate(f).Circuit.Outputs()[0].Lit; got != want {
			t.Errorf("%q: another function", rows)
		}
	}
	f := blif.Options{}.Parse(source.NewText(head + "1\\\n1 1 # note\n.end\n"))
	fixes := fixesOf(t, f, codes.CubeSpaces)
	if len(fixes) != 1 {
		t.Fatalf("fixes %v of %v", fixes, diagnose.Diagnostics(f))
	}
	if got := bliftest.Applied(t, f, fixes[0].Edits, nil).Text().Content(); got != head+"11 1 # note\n.end\n" {
		t.Errorf("joined %q", got)
	}
	f = blif.Options{}.Parse(source.NewText(head + "11 \\\n1\n1- \\\n1\n.end\n"))
	g := bliftest.Applied(t, f, fixesOf(t, f, codes.CubeContained)[0].Edits, nil)
	if got := g.Text().Content(); got != head+"1- \\\n1\n.end\n" {
		t.Errorf("row deleted: %q", got)
	}
}

// TestGateInit checks that the nets of .gateinit are nets: found, renamed and
// reported where there is none.
func TestGateInit(t *testing.T) {
	const text = ".model m\n.inputs clk d\n.outputs q\n.subckt $_DFF_P_ C=clk D=d Q=q\n.gateinit q=0\n.end\n"
	f := blif.Options{}.Parse(source.NewText(text))
	for _, d := range diagnose.Diagnostics(f) {
		t.Errorf("%v", d)
	}
	edits, err := edit.Rename(f, strings.Index(text, "Q=q")+2, "r")
	g := bliftest.Applied(t, f, edits, err)
	if want := strings.NewReplacer("outputs q", "outputs r", "Q=q", "Q=r", "gateinit q", "gateinit r").Replace(text); g.Text().Content() != want {
		t.Errorf("renamed %q", g.Text().Content())
	}
	if l := flat.Elaborate(g).Circuit.Latches()[0]; l.Reset != 0 {
		t.Errorf("starts with %v", l.Reset)
	}
	for _, test := range []struct{ from, to, at string }{
		{"gateinit q=0", "gateinit x=0", "x"}, {"gateinit q=0", "gateinit d=0", "d"}, {"gateinit q=0", "gateinit q=7", "7"}, {"gateinit q=0", "gateinit q", "q"},
	} {
		f := blif.Options{}.Parse(source.NewText(strings.Replace(text, test.from, test.to, 1)))
		if got := bliftest.Places(f, codes.GateInit); !slices.Equal(got, []string{test.at}) {
			t.Errorf("%s: reported at %q", test.to, got)
		}
	}
}
