package lsp

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"
	"time"
)

// btor2Chain returns about n rows over words of 4 bits, each of which uses the one before and one near it, with a state
// in every hundred.
func btor2Chain(n int) string {
	r := rand.New(rand.NewSource(1))
	var s strings.Builder
	s.WriteString("1 sort bitvec 1\n2 sort bitvec 4\n3 zero 2\n4 input 2 x\n5 state 2 y\n6 init 2 5 3\n7 xor 2 4 5\n8 next 2 5 7\n")
	values, id := []int{4, 5, 7}, 9
	for ; id < n; id++ {
		last, other := values[len(values)-1], values[len(values)-1-r.Intn(min(len(values), 1000))]
		values = append(values, id)
		if id%100 > 0 {
			fmt.Fprintf(&s, "%d %s 2 %d %d\n", id, []string{"and", "or", "xor", "xnor"}[r.Intn(4)], last, other)
			continue
		}
		fmt.Fprintf(&s, "%d state 2 s%d\n%d init 2 %d 3\n%d next 2 %d %d\n", id, id, id+1, id, id+2, id, last)
		id += 2
	}
	last := values[len(values)-1]
	fmt.Fprintf(&s, "%d redand 1 %d\n%d bad %d\n", id, last, id+1, id)
	return s.String()
}

// BenchmarkBTOR2Keystroke types an operand in the middle of a file, and asks for what an editor asks for then.
func BenchmarkBTOR2Keystroke(b *testing.B) {
	for _, lines := range []int{1_000, 100_000} {
		b.Run(fmt.Sprint(lines), func(b *testing.B) {
			text := btor2Chain(lines)
			line := lines/2 + 50
			edited := strings.Split(text, "\n")[line+1]
			benchmarkDigits(b, "file:///w/chain.btor2", "btor2", text, line, 2, len(edited)-1, "45")
		})
	}
}

// BenchmarkBTOR2Screen asks for what an editor shows when one looks around in a file.
func BenchmarkBTOR2Screen(b *testing.B) {
	const lines = 100_000
	client, _ := startForBenchAs(b, explicit, time.Minute, "btor2", btor2Chain(lines))
	benchmarkScreen(b, client, lines)
}
