package aigerdesign_test

import (
	"fmt"
	"strings"
	"testing"

	"aiglens/design"
	"aiglens/design/aigerdesign"
	"aiglens/internal/source"
)

// TestWordsInOutline: the outline lists words as their lines write them, whatever their bits are: to know that
// takes a look at all names, which is too much after each edit.
func TestWordsInOutline(t *testing.T) {
	text := source.NewText("aag 1 1 0 0 0\n2\ni0 s0\nc\nprop: cover s0\nword: w = s0\nword: v = s0 ghost\nword: u\n")
	d := design.New("file:///w/a.aag", aigerdesign.Format, 1, text, design.Options{})
	var got []string
	for _, s := range d.Outline(100) {
		if s.Name == "comment" {
			for _, r := range s.Rows {
				got = append(got, fmt.Sprintf("%s (%s)", r.Name, r.Detail))
			}
		}
	}
	if want := "s0 (prop: cover s0); w (word: w = s0); v (word: v = s0 ghost)"; strings.Join(got, "; ") != want {
		t.Errorf("%q, want %s", got, want)
	}
}

// BenchmarkOutlineOfWords edits a text with many lines that make words, and asks for its outline.
func BenchmarkOutlineOfWords(b *testing.B) {
	const words, bits = 10_000, 10
	var s, comment strings.Builder
	fmt.Fprintf(&s, "aag %d 0 %d 0 0\n", words*bits, words*bits)
	for i := range words * bits {
		fmt.Fprintf(&s, "%d 0\n", 2*i+2)
	}
	for i := range words * bits {
		fmt.Fprintf(&s, "l%d s%d\n", i, i)
		if i%bits == 0 {
			fmt.Fprintf(&comment, "\nword: w%d =", i/bits)
		}
		fmt.Fprintf(&comment, " s%d", i)
	}
	d := design.New("file:///w/a.aag", aigerdesign.Format, 1, source.NewText(s.String()+"c"+comment.String()+"\n"), design.Options{})
	d.Outline(10_000)
	for i := range b.N {
		text, err := d.Text.Apply([]source.Edit{{Span: source.Span{Start: d.Text.Len()}, NewText: "x"}})
		if err != nil {
			b.Fatal(err)
		}
		d = d.Successor(int32(i+2), text)
		d.Outline(10_000)
	}
}
