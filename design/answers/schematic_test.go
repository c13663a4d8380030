package answers_test

import (
	"strings"
	"testing"

	"aiglens/design"
	"aiglens/design/answers"
	"aiglens/design/blifdesign"
	"aiglens/internal/source"
)

// TestSameSignals draws a net of a model with two instances: one box where both are the same.
func TestSameSignals(t *testing.T) {
	const text = ".model top\n.inputs a b c\n.outputs bad\n.subckt m i=a j=b o=x\n.subckt m i=a j=b o=y\n.names x y bad\n11 1\n.end\n" +
		".model m\n.inputs i j\n.outputs o\n.names i j o\n11 1\n.end\n"
	for text, want := range map[string]int{text: 1, strings.Replace(text, "j=b o=y", "j=c o=y", 1): 2} {
		d := design.New("file:///top.blif", blifdesign.Format, 1, source.NewText(text), design.Options{})
		if err := d.Elaborate(t.Context()); err != nil {
			t.Fatal(err)
		}
		at, err := answers.SubjectAt(d, strings.Index(text, "i j o\n11"))
		if err != nil {
			t.Fatal(err)
		}
		if o, err := answers.SubjectAt(d, strings.Index(text, "o\n11 1\n.end\n")); err != nil || sizeOf(o) != want || sizeOf(at) != 1 {
			t.Errorf("%d boxes, %d of an input, expected %d and 1: %v", sizeOf(o), sizeOf(at), want, err)
		}
		named, err := answers.SubjectNamed(t.Context(), d, []string{"x", "y"}, nil, answers.MaxRoots)
		if err != nil || sizeOf(named) != want {
			t.Errorf("%d boxes of two names, expected %d: %v", sizeOf(named), want, err)
		}
	}
}

// sizeOf returns how many literals are drawn.
func sizeOf(s answers.Subject) int {
	n, _ := s.Size(false)
	return n
}
