package source

import (
	"math/rand"
	"strings"
	"testing"
)

func TestDiff(t *testing.T) {
	tests := []struct {
		name, from, to string
		edits          []Edit
	}{
		{"same", "a\nb\n", "a\nb\n", nil},
		{"number in a line", "aag 3 1\n2\n", "aag 4 1\n2\n", []Edit{{Span{4, 1}, "4"}}},
		{"two places", "x 1\na\nb\ny 1\n", "x 2\na\nb\ny 3\n", []Edit{{Span{2, 1}, "2"}, {Span{10, 1}, "3"}}},
		{"line added", "a\nc\n", "a\nb\nc\n", []Edit{{Span{2, 0}, "b\n"}}},
		{"line removed", "a\nb\nc\n", "a\nc\n", []Edit{{Span{2, 2}, ""}}},
		{"line moved", "a\nb\nc\nd\n", "b\nc\nd\na\n", []Edit{{Span{0, 2}, ""}, {Span{8, 0}, "a\n"}}},
		{"end added", "a", "a\n", []Edit{{Span{1, 0}, "\n"}}},
		{"half a character", "é\n", "è\n", []Edit{{Span{0, 2}, "è"}}},
	}
	for _, test := range tests {
		got := Diff(NewText(test.from), test.to)
		if len(got) != len(test.edits) {
			t.Errorf("%s: %v", test.name, got)
			continue
		}
		for i, e := range got {
			if e != test.edits[i] {
				t.Errorf("%s: edit %d is %v, want %v", test.name, i, e, test.edits[i])
			}
		}
	}
}

// TestDiffApplies changes random texts and applies what Diff says.
func TestDiffApplies(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	random := func() string {
		var b strings.Builder
		for range r.Intn(20) {
			b.WriteString([]string{"a\n", "b\n", "c d\n", "\n", "é\n", "è\n", "a\r\n", "a"}[r.Intn(8)])
		}
		return b.String()
	}
	for range 5000 {
		from, to := random(), random()
		got, err := NewText(from).Apply(Diff(NewText(from), to))
		if err != nil || got.Content() != to {
			t.Fatalf("%q to %q gives %q (%v)", from, to, got.Content(), err)
		}
	}
}

// TestDiffOfEverything makes one edit of very many.
func TestDiffOfEverything(t *testing.T) {
	const lines = 3 * maxEdits
	from, to := NewText("head\n"+strings.Repeat("a\nx\n", lines)+"tail\n"), "head\n"+strings.Repeat("a\ny\n", lines)+"tail\n"
	edits := Diff(from, to)
	if len(edits) != 1 || edits[0].Span.Start != len("head\na\n") {
		t.Fatalf("%d edits", len(edits))
	}
	if got, err := from.Apply(edits); err != nil || got.Content() != to {
		t.Errorf("%v", err)
	}
}
