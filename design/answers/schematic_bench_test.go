package answers

import (
	"fmt"
	"strings"
	"testing"

	"aiglens/design"
	"aiglens/design/formats"
)

// manyCounters is a BLIF text of 100,000 lines: counters of eight bits, each of which the one before
// it enables, in two instances of each.
func manyCounters(lines int) string {
	var b strings.Builder
	b.WriteString(".model top\n.inputs en\n.outputs bad\n")
	enable := "en"
	for i := 0; b.Len() == 0 || i < lines/17; i++ {
		carry := enable
		for bit := range 8 {
			fmt.Fprintf(&b, ".latch n%d[%d] count%d[%d] 0\n.names %s count%d[%d] n%d[%d]\n10 1\n01 1\n", i, bit, i, bit, carry, i, bit, i, bit)
			if bit < 7 {
				fmt.Fprintf(&b, ".names %s count%d[%d] c%d[%d]\n11 1\n", carry, i, bit, i, bit)
				carry = fmt.Sprintf("c%d[%d]", i, bit)
			}
		}
		enable = fmt.Sprintf("count%d[7]", i)
	}
	fmt.Fprintf(&b, ".names %s bad\n1 1\n.end\n", enable)
	return b.String()
}

// BenchmarkSmallPicture draws a cone of one and two levels in a text of 100,000 lines, as a view does
// that follows the cursor.
func BenchmarkSmallPicture(b *testing.B) {
	text := manyCounters(100_000 * 17 / 46)
	d, err := formats.All().Open(b.Context(), "x.blif", []byte(text), design.Opening{})
	if err != nil {
		b.Fatal(err)
	}
	b.Logf("%d lines", strings.Count(text, "\n"))
	at := strings.Index(text, "count1000[5] n1000[5]")
	for _, depth := range []int{1, 2} {
		b.Run(fmt.Sprintf("depth=%d", depth), func(b *testing.B) {
			for b.Loop() {
				s, err := SubjectAt(d, at)
				if err != nil {
					b.Fatal(err)
				}
				p, err := Draw(b.Context(), d, s, DrawOptions{Nodes: MaxNodes, Depth: depth})
				if err != nil || len(p.DOT()) == 0 || len(p.Nodes()) < 3 {
					b.Fatal(err)
				}
			}
		})
	}
}
