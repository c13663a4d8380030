package edit

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"aiglens/aiger/syntax"
	"aiglens/internal/source"
)

// wordsIn writes the words of a text with their literals.
func wordsIn(content string) string {
	var all []string
	for _, w := range syntax.Parse(source.NewText(content)).Words().All {
		s := w.Name.Text + ":"
		for i, b := range w.Bits {
			if b.IsMissing {
				s += " -"
			} else {
				s += fmt.Sprint(" ", w.Lits[i])
			}
		}
		all = append(all, fmt.Sprint(s, len(w.Values)))
	}
	return strings.Join(all, "; ")
}

// TestRenameKeepsWords gives signals random names, those which a line cannot write without quotes
// among them. Each word keeps its bits.
func TestRenameKeepsWords(t *testing.T) {
	const text = "aag 3 3 0 0 0\n2\n4\n6\ni0 s0\ni1 s 1\ni2 s2\nc\nword: w = !\"s0\"!s2 \"s 1\"- {a = 1}\nword: v=s2 !\"s 1\" s0{b = 2}\n"
	r := rand.New(rand.NewPCG(2, 3))
	for range 5_000 {
		to := ""
		for range 1 + r.IntN(3) {
			to += string("ab{}-!\"(),=0 7\t\v;:"[r.IntN(18)])
		}
		f := syntax.Parse(source.NewText(text))
		edits, err := Rename(f, strings.Index(text, []string{"s0", "s 1", "s2"}[r.IntN(3)]), to)
		if err != nil {
			continue
		}
		changed, err := f.Text().Apply(edits)
		if err != nil {
			t.Fatalf("%q: %v", to, err)
		}
		if got, want := wordsIn(changed.Content()), "w: 3 7 4 -1; v: 6 5 21"; got != want {
			t.Fatalf("after a name %q the words are %s, want %s\n%s", to, got, want, changed.Content())
		}
	}
}

// TestNamesOfWordsAndSignals: neither gets the name of the other.
func TestNamesOfWordsAndSignals(t *testing.T) {
	const text = "aag 2 2 0 0 0\n2\n4\ni0 s0\ni1 word\nc\nword: w = s0 word\n"
	f := syntax.Parse(source.NewText(text))
	for _, c := range []struct{ at, to, want string }{
		{"s0", "w", `a word has the name "w" already`}, {"w =", "s0", `input 0 has the name "s0" already`},
	} {
		if _, err := Rename(f, strings.Index(text, c.at), c.to); err == nil || err.Error() != c.want {
			t.Errorf("%s to %s: %v, want %s", c.at, c.to, err, c.want)
		}
	}
	got := edited(t, text, func(f *syntax.File) ([]source.Edit, error) { return AddWord(f, f.Words().All[0].Line, []uint32{2, 4}) })
	if want := "w: 2 40; word2: 2 40"; wordsIn(got) != want {
		t.Errorf("%s, want %s", wordsIn(got), want)
	}
}
