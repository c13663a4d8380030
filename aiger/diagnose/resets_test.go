package diagnose

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"aiglens/aiger/syntax"
	"aiglens/internal/source"
)

// TestResetCyclePath: the related places lead from the first latch back to it, gates
// among them; a cycle that shares nothing with it is another finding.
func TestResetCyclePath(t *testing.T) {
	f := syntax.Parse(source.NewText("aag 7 1 4 0 0 2 0\n2\n4 4 12\n6 6 5\n8 8 9\n10 10 8\n12 14 2\n14 6 2\n"))
	c, err := FindCycles(t.Context(), f)
	if err != nil || len(c.Diagnostics) != 2 {
		t.Fatalf("%v, %d findings", err, len(c.Diagnostics))
	}
	var words []string
	for _, d := range c.Diagnostics {
		words = append(words, d.Message)
		for _, r := range d.Related {
			words = append(words, r.Message)
		}
	}
	want := []string{
		"the reset of latch 4 depends on the latch itself, by way of another latch",
		"latch 4 starts with the value of 12", "AND 12 depends on 14", "AND 14 depends on 6", "latch 6 starts with the value of 4",
		"the reset of latch 8 depends on the latch itself",
		"latch 8 starts with the value of 8",
	}
	if !slices.Equal(words, want) {
		t.Errorf("%s\nwant\n%s", strings.Join(words, "\n"), strings.Join(want, "\n"))
	}
	cycles := ResetCyclesIn(f.Contents())
	if len(cycles) != 2 || cycles[0].Words(f.Contents()) != want[0] || cycles[1].Words(f.Contents()) != want[5] {
		t.Errorf("in the contents: %+v", cycles)
	}
}

// TestResetCyclesAreLinear: what cycles share is looked at once for all of them.
func TestResetCyclesAreLinear(t *testing.T) {
	const cycles, shared = 500, 5000
	var b strings.Builder
	fmt.Fprintf(&b, "aag %d 1 %d 0 %d\n2\n", 1+2*cycles+shared, cycles, cycles+shared)
	first := 4 + 2*cycles // of the chain that all cycles read
	gate := first + 2*shared
	for i := range cycles {
		fmt.Fprintf(&b, "%d 0 %d\n", 4+2*i, gate+2*i)
	}
	for i := range shared {
		below := first + 2*i - 2
		if i == 0 {
			below = 2
		}
		fmt.Fprintf(&b, "%d %d 2\n", first+2*i, below)
	}
	for i := range cycles {
		fmt.Fprintf(&b, "%d %d %d\n", gate+2*i, gate-2, 4+2*i)
	}
	f := syntax.Parse(source.NewText(b.String()))
	lo, hi := f.RowsOf(syntax.SectionLatches)
	looks := 0
	s := resetSearch{func(r int) bool { return lo <= r && r < hi }, func(r int) []int { looks++; return decides(f, r) }}
	var latches []int
	for r := lo; r < hi; r++ {
		latches = append(latches, r)
	}
	all, err := s.from(context.Background(), latches)
	if err != nil {
		t.Fatal(err)
	}
	if found := len(all); found != cycles || looks > 10*(2*cycles+shared) {
		t.Errorf("%d cycles of %d, %d looks at %d rows", found, cycles, looks, 2*cycles+shared)
	}
}
