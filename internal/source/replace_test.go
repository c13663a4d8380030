package source

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestReplace compares long sequences of edits with texts indexed anew.
func TestReplace(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"", "a", "\n", "\r\n", "ab\ncd", "\n\n", "x\n"}
	var text Text
	for range 5000 {
		start := random.IntN(text.Len() + 1)
		span := Span{start, random.IntN(min(8, text.Len()-start) + 1)}
		piece := strings.Repeat(pieces[random.IntN(len(pieces))], random.IntN(3))
		if text.Len() > 200 {
			piece = ""
		}
		want, err := text.Apply([]Edit{{span, piece}})
		if err != nil {
			t.Fatal(err)
		}
		got := text.Replace(span, piece)
		if got.content != want.content || !slices.Equal(got.lines, want.lines) {
			t.Fatalf("%q with %v replaced by %q: %q %v, want %q %v",
				text.content, span, piece, got.content, got.lines, want.content, want.lines)
		}
		text = got
	}
}
