package blifdesign

import (
	"fmt"
	"strings"
	"testing"

	"aiglens/design"
	"aiglens/internal/source"
)

// TestWordsAreBounded: instances have the words of their model as long as these have no more than so many bits,
// with those of the values that have names.
func TestWordsAreBounded(t *testing.T) {
	var s strings.Builder
	s.WriteString(".model m\n.inputs a b\n.outputs y\n")
	for i := range 10 {
		fmt.Fprintf(&s, ".subckt n a=a b=b o=t%d\n", i)
	}
	s.WriteString(".names t0 y\n1 1\n.end\n.model n\n.inputs a b\n.outputs o\n# word: w = a b {idle = 0, busy = 1}\n.names a b o\n11 1\n.end\n")
	d := design.New("file:///w/a.blif", Format, 1, source.NewText(s.String()), design.Options{})
	e, ok := d.Names().(elaboration)
	if !ok {
		t.Fatalf("%T", d.Names())
	}
	for _, c := range []struct{ words, bits, want int }{{maxWords, maxBits, 10}, {3, maxBits, 3}, {maxWords, 6 * 4, 4}, {maxWords, 6*4 - 1, 3}, {0, 0, 0}} {
		if got := len(e.wordsWithin(c.words, c.bits)); got != c.want {
			t.Errorf("%d words of at most %d bits: %d, want %d", c.words, c.bits, got, c.want)
		}
	}
}
