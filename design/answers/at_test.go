package answers

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"aiglens/design"
)

func TestCode(t *testing.T) {
	for text, want := range map[string]string{"a": "`a`", "a`b": "`` a`b ``", "``": "``` `` ```"} {
		if got := Code(text); got != want {
			t.Errorf("%q is %q, expected %q", text, got, want)
		}
	}
}

// TestReaders: the rest of the uses of a signal are counted as a walk over all its places counts them.
func TestReaders(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for range 300 {
		inputs, latches, gates := 1+r.Intn(3), r.Intn(3), r.Intn(9)
		signals := inputs + latches + gates
		lit := func() int { return r.Intn(2 * (signals + 1)) }
		var s strings.Builder
		fmt.Fprintf(&s, "aag %d %d %d 1 %d 1 1 1\n", signals, inputs, latches, gates)
		for i := range inputs {
			fmt.Fprintf(&s, "%d\n", 2*i+2)
		}
		for i := range latches {
			l := 2*(inputs+i) + 2
			fmt.Fprintf(&s, "%d %d %d\n", l, lit(), []int{0, 1, l}[r.Intn(3)])
		}
		fmt.Fprintf(&s, "%d\n%d\n%d\n1\n%d\n", lit(), lit(), lit(), lit())
		for i := range gates {
			fmt.Fprintf(&s, "%d %d %d\n", 2*(inputs+latches+i)+2, lit(), lit())
		}
		fmt.Fprintf(&s, "i0 a\nc\nword: w = %d %d\nlemma: ¬(%d)\n", lit(), lit(), lit())
		d := newAIGER(s.String())
		for v := design.Signal(1); int(v) <= signals; v++ {
			most := r.Intn(5)
			first, n := design.Uses(d, v, most)
			wanted, all := design.FirstUses(slices.DeleteFunc(d.Occurrences(v), func(o design.Occurrence) bool {
				return strings.HasPrefix(d.Text.Slice(d.Text.LineSpan(d.Text.LineAt(o.Span.Start))), "word:")
			}), most)
			if n != all || fmt.Sprint(first) != fmt.Sprint(wanted) {
				t.Fatalf("signal %d: %v of %d, expected %v of %d in\n%s", v, first, n, wanted, all, s.String())
			}
			if _, more, _ := Readers(t.Context(), d, v, most); more != all-len(wanted) {
				t.Fatalf("signal %d: %d more, expected %d", v, more, all-len(wanted))
			}
		}
	}
}

// TestReadersOfMany: rows that read a signal beside those that are listed cost nothing but to be counted.
func TestReadersOfMany(t *testing.T) {
	const n = 20_000
	var s strings.Builder
	fmt.Fprintf(&s, "aag %d 1 0 0 %d\n2\n", n+1, n)
	for i := range n {
		fmt.Fprintf(&s, "%d %d 2\n", 4+2*i, 2+2*i)
	}
	d := newAIGER(s.String())
	d.Diagnostics()
	got := testing.AllocsPerRun(3, func() {
		if all, more, _ := Readers(t.Context(), d, 1, 50); len(all) != 49 || more != n+1-50 {
			t.Fatalf("%d, and %d more", len(all), more)
		}
	})
	if got > 1000 {
		t.Errorf("%.0f allocations", got)
	}
}
