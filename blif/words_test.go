package blif_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"aiglens/blif"
	"aiglens/circuit"
	"aiglens/internal/source"
	"aiglens/internal/wordline"
)

// TestWordsAndNets: the name of a net makes no word, but for one whose only bit it is.
func TestWordsAndNets(t *testing.T) {
	for line, want := range map[string]string{
		"y = a":    `no word: a net of the model has the name "y"`,
		"a = a b":  `no word: a net of the model has the name "a"`,
		"a = !a":   `no word: a net of the model has the name "a"`,
		"a = a":    "",
		"none = a": "",
	} {
		f := blif.Options{}.Parse(source.NewText(".model m\n.inputs a b\n.outputs y\n# word: " + line + "\n.names a b y\n11 1\n.end\n"))
		words, found := blif.WordsOf(f, f.Models()[0])
		got := ""
		for _, d := range found {
			got += d.Message
		}
		if got != want || len(words) == 1 != (want == "") {
			t.Errorf("%s: %q and %d words, want %q", line, got, len(words), want)
		}
	}
}

// TestFewHints: of a word with many unknown bits only the first few are compared with all names.
func TestFewHints(t *testing.T) {
	var s strings.Builder
	for i := range 100 {
		fmt.Fprintf(&s, " signel%d", i)
	}
	f := blif.Options{}.Parse(source.NewText(".model m\n.inputs signal1\n.outputs y\n# word: w =" + s.String() + "\n.names signal1 y\n1 1\n.end\n"))
	_, found := blif.WordsOf(f, f.Models()[0])
	hints := 0
	for _, d := range found {
		hints += strings.Count(d.Message, "did you mean")
	}
	if len(found) != 100 || hints == 0 || hints > 10 {
		t.Errorf("%d diagnostics with %d hints", len(found), hints)
	}
}

// TestWriteLeavesNamesToWords: a name that is made up for a signal is not that of a word, which would be none.
func TestWriteLeavesNamesToWords(t *testing.T) {
	var b circuit.Builder
	lits := []circuit.Lit{b.Input(0), b.Input(0)}
	b.Output(b.And(lits[0], lits[1]), 0)
	names := blif.Names{Model: "m"}
	for _, name := range []string{"i0", "n3", "word0_0", "w"} {
		line := wordline.Line{Name: wordline.Part{Text: name}, Bits: make([]wordline.Bit, 2)}
		names.Words = append(names.Words, blif.NamedWord{Line: line, Lits: lits})
	}
	var out bytes.Buffer
	if _, err := blif.Write(&out, b.Build(), names); err != nil {
		t.Fatal(err)
	}
	f := blif.Options{}.Parse(source.NewText(out.String()))
	words, found := blif.WordsOf(f, f.Models()[0])
	if len(words) != len(names.Words) || len(found) > 0 {
		t.Errorf("%d words, %v\n%s", len(words), found, out.String())
	}
}
