package syntax

import (
	"math/rand"
	"strings"
	"testing"

	"aiglens/aiger/aigertest"
	"aiglens/internal/source"
)

// TestCountUses compares counts with the occurrences of the whole file, before
// and after edits, in a file that is large enough for rows to be left out.
func TestCountUses(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	f := Parse(source.NewText(aigertest.Generated(5000, 1)))
	for range 10 {
		var want [5010][2]int
		uses := map[uint32]int{}
		for o := range f.Occurrences() {
			uses[o.Var()]++
			if !o.Role.IsDefinition() && int(o.Var()) < len(want) {
				want[o.Var()][o.Lit&1]++
			}
		}
		for v := uint32(1); v < uint32(len(want)); v += uint32(1 + r.Intn(50)) {
			positive, negated := f.CountUses(v)
			if positive != want[v][0] || negated != want[v][1] {
				t.Fatalf("variable %d is used %d and %d times, expected %v", v, positive, negated, want[v])
			}
			n := 0
			for range f.Uses(v) {
				n++
			}
			if n != uses[v] {
				t.Fatalf("variable %d has %d occurrences, expected %d", v, n, uses[v])
			}
		}
		at := r.Intn(f.Text().Len())
		f = f.Edit(source.Edit{Span: source.Span{Start: at, Length: r.Intn(20)}, NewText: strings.Repeat("7", r.Intn(3))})
	}
}
