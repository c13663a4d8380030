package edit_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"aiglens/blif"
	"aiglens/blif/diagnose"
	"aiglens/blif/edit"
	"aiglens/blif/flat"
	"aiglens/blif/statement"
	"aiglens/circuit"
	"aiglens/internal/source"
)

// coverText returns a model of one .names over n inputs with a random cover.
func coverText(r *rand.Rand, n int) string {
	var s strings.Builder
	s.WriteString(".model m\n.inputs")
	names := ""
	for i := range n {
		names += fmt.Sprintf(" x%d", i)
	}
	s.WriteString(names + "\n.outputs y\n.names" + names + " y\n")
	output := r.IntN(2)
	for range r.IntN(12) {
		for range n {
			s.WriteByte("01--"[r.IntN(4)])
		}
		fmt.Fprintf(&s, " %d\n", output)
		if r.IntN(5) == 0 {
			s.WriteString("# between\n")
		}
	}
	return s.String() + ".end\n"
}

// truth returns the values of the only output under all values of up to 6 inputs.
func truth(t *testing.T, f *blif.File) uint64 {
	t.Helper()
	for _, d := range diagnose.Diagnostics(f) {
		if d.Severity == source.Error {
			t.Fatalf("%s: %s\n%s", d.Code, d.Message, f.Text().Content())
		}
	}
	c := flat.Elaborate(f).Circuit
	p := circuit.NewParallel(c)
	// Bit k of the i-th word is bit i of k, so that the bits are all assignments.
	words := []uint64{0xAAAAAAAAAAAAAAAA, 0xCCCCCCCCCCCCCCCC, 0xF0F0F0F0F0F0F0F0, 0xFF00FF00FF00FF00, 0xFFFF0000FFFF0000, 0xFFFFFFFF00000000}
	p.Eval(words[:len(c.Inputs())])
	return p.Value(c.Outputs()[0].Lit)
}

// rowsOf counts the rows of the first .names.
func rowsOf(f *blif.File) int {
	n := 0
	for range f.Rows(coverID(f)) {
		n++
	}
	return n
}

func coverID(f *blif.File) int {
	for id := range f.NumStatements() {
		if f.Statement(id).Kind == statement.KindNames {
			return id
		}
	}
	return -1
}

// TestCoverChanges rewrites random covers and compares the functions under all
// inputs. A minimised cover has no more rows, and there is nothing to do a
// second time; of two complements the second is the function again.
func TestCoverChanges(t *testing.T) {
	done := map[string]int{}
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 7))
		f := blif.Options{}.Parse(source.NewText(coverText(r, 1+r.IntN(6))))
		want := truth(t, f)
		change := func(what string, f *blif.File, edits []source.Edit, err error) *blif.File {
			if err != nil {
				return nil
			}
			done[what]++
			text, err := f.Text().Apply(edits)
			if err != nil {
				t.Fatal(err)
			}
			g := blif.Options{}.Parse(text)
			if got := truth(t, g); got != want {
				t.Fatalf("seed %d, %s: %x, expected %x\n%s\n%s", seed, what, got, want, f.Text().Content(), text.Content())
			}
			if n, m := strings.Count(f.Text().Content(), "# between"), strings.Count(text.Content(), "# between"); n != m {
				t.Fatalf("seed %d, %s: %d of %d comments", seed, what, m, n)
			}
			return g
		}
		edits, err := edit.MinimiseCover(f, coverID(f))
		if g := change("minimise", f, edits, err); g != nil {
			if rowsOf(g) > rowsOf(f) {
				t.Errorf("seed %d: %d rows of %d", seed, rowsOf(g), rowsOf(f))
			}
			if _, err := edit.MinimiseCover(g, coverID(g)); err == nil {
				t.Errorf("seed %d: minimised twice\n%s", seed, g.Text().Content())
			}
		}
		edits, err = edit.ComplementCover(f, coverID(f))
		if err != nil && want != ^uint64(0) {
			t.Fatalf("seed %d: %v\n%s", seed, err, f.Text().Content())
		}
		if g := change("complement", f, edits, err); g != nil {
			edits, err := edit.ComplementCover(g, coverID(g))
			change("complement again", g, edits, err)
		}
		edits, err = edit.NameColumns(f, coverID(f))
		if g := change("name columns", f, edits, err); g != nil {
			if _, err := edit.NameColumns(g, coverID(g)); err == nil {
				t.Errorf("seed %d: named twice\n%s", seed, g.Text().Content())
			}
		}
	}
	for _, what := range []string{"minimise", "complement", "complement again", "name columns"} {
		if done[what] < 500 {
			t.Errorf("%s was possible %d times", what, done[what])
		}
	}
}

// TestComplementThatExplodes refuses the complement of a cover whose products of
// pairs would have to be multiplied out: 2 to the power of 12 rows.
func TestComplementThatExplodes(t *testing.T) {
	const pairs = 12
	var s strings.Builder
	s.WriteString(".model m\n.inputs")
	names := ""
	for i := range 2 * pairs {
		names += fmt.Sprintf(" x%d", i)
	}
	s.WriteString(names + "\n.outputs y\n.names" + names + " y\n")
	for i := range pairs {
		s.WriteString(strings.Repeat("--", i) + "11" + strings.Repeat("--", pairs-1-i) + " 1\n")
	}
	f := blif.Options{}.Parse(source.NewText(s.String() + ".end\n"))
	if _, err := edit.ComplementCover(f, coverID(f)); err == nil || !strings.Contains(err.Error(), "256") {
		t.Errorf("error %v", err)
	}
	if got := edit.Changes(f, f.Statement(coverID(f)).Span.Start); len(got) != 2 { // complement and columns
		t.Errorf("changes %v", got)
	}
}
