package cert_test

import (
	"fmt"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
)

// heap returns a circuit of n latches that a shared input may set to 0 and nothing to
// 1, and an invariant of n clauses of a size.
func heap(n, size int) (*circuit.Circuit, cert.Invariant) {
	b := circuit.NewBuilder(2 * n)
	keep := b.Input(0)
	latches := make([]circuit.Lit, n)
	for i := range latches {
		latches[i] = b.Latch(0)
	}
	var inv cert.Invariant
	for i, l := range latches {
		b.SetNext(l, b.And(l, keep))
		clause := make([]circuit.Lit, size)
		for j := range clause {
			clause[j] = latches[(i+j*7919)%n].Not()
		}
		inv = append(inv, clause)
	}
	bad := circuit.True
	for _, l := range inv[0] {
		bad = b.And(bad, l.Not())
	}
	b.Bad(bad, 0)
	return b.Build(), inv
}

// BenchmarkCheck: the check of an invariant of many clauses grows with their number.
func BenchmarkCheck(b *testing.B) {
	for _, size := range []int{1, 2, 5} {
		for _, n := range []int{1_000, 4_000, 15_000, 60_000} {
			b.Run(fmt.Sprintf("size=%d/clauses=%d", size, n), func(b *testing.B) {
				c, inv := heap(n, size)
				b.ResetTimer()
				for b.Loop() {
					if err := check(c, cert.Verdict{Outcome: cert.Proved, Invariant: inv}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
