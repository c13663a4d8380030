package edit_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"aiglens/blif"
	"aiglens/blif/edit"
	"aiglens/internal/source"
)

// bitsOfWords writes the words of the first model with the positions of their bits among its inputs.
func bitsOfWords(content string) string {
	f := blif.Options{}.Parse(source.NewText(content))
	m := f.Models()[0]
	words, _ := blif.WordsOf(f, m)
	first, _ := m.Signals()
	var all []string
	for _, w := range words {
		s := w.Name.Text + ":"
		for i, b := range w.Bits {
			s += fmt.Sprint(" ", int(w.Signals[i])-int(first), b.IsNegated, b.IsMissing)
		}
		all = append(all, fmt.Sprint(s, " ", len(w.Values)))
	}
	return strings.Join(all, "; ")
}

// TestRenameKeepsWords gives nets random names, those which a comment cannot write without quotes
// among them. Each word keeps its bits.
func TestRenameKeepsWords(t *testing.T) {
	const text = ".model m\n.inputs s0 s1 s2\n.outputs y\n# word: w = !\"s0\"!s2 \"s1\"- {a = 1}\n# word: v=s2 !\"s1\" s0{b = 2}\n.names s0 s1 y\n11 1\n.end\n"
	f := blif.Options{}.Parse(source.NewText(text))
	want := bitsOfWords(text)
	r := rand.New(rand.NewPCG(2, 3))
	for range 5_000 {
		to := ""
		for range 1 + r.IntN(3) {
			to += string("ab{}-!\"(),07;:"[r.IntN(14)])
		}
		edits, err := edit.Rename(f, strings.Index(text, fmt.Sprintf("s%d", r.IntN(3))), to)
		if err != nil {
			continue
		}
		changed, err := f.Text().Apply(edits)
		if err != nil {
			t.Fatalf("%q: %v", to, err)
		}
		if got := bitsOfWords(changed.Content()); got != want {
			t.Fatalf("after a name %q the words are %s, want %s\n%s", to, got, want, changed.Content())
		}
	}
}

// TestRenameWord gives words other names. None gets that of another word or of a net.
func TestRenameWord(t *testing.T) {
	const text = "# word: early = s0\n.model m\n.inputs s0 s1\n.outputs y\n# word: w = s1 s0 {a = 1}\n# word: \"my word\" = s0 s1\n.names s0 s1 y\n11 1\n.end\n"
	f := blif.Options{}.Parse(source.NewText(text))
	for _, c := range []struct{ at, to, want string }{
		{"w = s1", "state", "word: state = s1 s0 {a = 1}"}, {"w = s1", "a b", `word: "a b" = s1 s0 {a = 1}`},
		{"my word", "a b", `word: "a b" = s0 s1`}, {"early", "late", "# word: late = s0\n.model"},
		{"w = s1", "my word", `another word has the name "my word" already`}, {"w = s1", "s0", `a net of the model has the name "s0" already`},
		{"w = s1", "", "the name of a word cannot be empty, and cannot hold a quote or a line end"},
		{"s1\n", "w", "a word of model m has the name w already"}, {"s0 s1\n", "{\"", "no line of a word can hold the name {\""},
	} {
		at := strings.Index(text, c.at)
		if _, name, ok := edit.RenameTarget(f, at); !ok || !strings.HasPrefix(c.at, name) {
			t.Errorf("%q: the name is %q", c.at, name)
		}
		edits, err := edit.Rename(f, at, c.to)
		got := fmt.Sprint(err)
		if err == nil {
			changed, err := f.Text().Apply(edits)
			if err != nil {
				t.Fatal(err)
			}
			got = changed.Content()
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%q to %q: %s, want %s", c.at, c.to, got, c.want)
		}
	}
}
