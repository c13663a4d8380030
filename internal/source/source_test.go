package source

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestNewText compares the line index with a search byte by byte.
func TestNewText(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	alphabet := []byte("\n\n\n\x0b\x0a\x09\x8a\x00ab\xff")
	for range 2000 {
		content := make([]byte, random.IntN(60))
		var want []uint32
		for i := range content {
			content[i] = alphabet[random.IntN(len(alphabet))]
			if content[i] == '\n' {
				want = append(want, uint32(i+1))
			}
		}
		if got := appendLineEnds(nil, string(content)); !slices.Equal(got, want) {
			t.Fatalf("%q: lines end at %v, want %v", content, got, want)
		}
		checkText(t, NewText(string(content)), string(content), random.IntN(len(content)+1))
	}
}
