package lsp

import (
	"fmt"
	"strings"
	"testing"
)

// hornChain returns a file of about n lines: clauses of two lines over a hundred predicates.
func hornChain(n int) string {
	var s strings.Builder
	s.WriteString("(set-logic HORN)\n")
	for i := range 100 {
		fmt.Fprintf(&s, "(declare-fun P%d (Int Int) Bool)\n", i)
	}
	s.WriteString("(assert (P0 0 0))\n")
	for i := range n / 2 {
		fmt.Fprintf(&s, "(assert (forall ((x Int) (y Int)) (=> (and (P%d x y) (< x %d))\n  (P%d (+ x y) %d))))\n", i%100, i, (i*7+1)%100, 10+i%90)
	}
	s.WriteString("(assert (forall ((x Int) (y Int)) (=> (and (P7 x y) (> x y)) false)))\n(check-sat)\n")
	return s.String()
}

// BenchmarkHornKeystroke types a digit in the middle of a file, and asks for what an editor asks for then.
func BenchmarkHornKeystroke(b *testing.B) {
	for _, lines := range []int{1_000, 100_000} {
		b.Run(fmt.Sprint(lines), func(b *testing.B) {
			text := hornChain(lines)
			line := 102 + lines/2
			edited := strings.Split(text, "\n")[line+1]
			benchmarkDigits(b, "file:///w/chain.smt2", "smt2", text, line, 37, strings.LastIndexByte(edited, ' ')+1, "45")
		})
	}
}
