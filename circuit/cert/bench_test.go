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

// BenchmarkCheckRanking: a counter with a rank for each of its values, each of which has
// clauses on other latches, too. It counts by one, or takes any higher value.
func BenchmarkCheckRanking(b *testing.B) {
	for _, leaps := range []bool{false, true} {
		for _, bits := range []int{7, 10} {
			for _, clauses := range []int{5, 50} {
				b.Run(fmt.Sprintf("leaps=%v/ranks=%d/clauses=%d", leaps, 1<<bits, clauses<<bits), func(b *testing.B) {
					c, r := countingUp(bits, clauses, leaps)
					v := cert.Verdict{Outcome: cert.Proved, Ranking: r}
					b.ResetTimer()
					for b.Loop() {
						if err := checkJustice(c, v); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		}
	}
}

// countingUp returns a counter that only ever grows, with latches that stay 0 beside it,
// and its ranking by the values of the counter. A round ends when it grows.
func countingUp(bits, clauses int, leaps bool) (*circuit.Circuit, *cert.Ranking) {
	b := circuit.NewBuilder(1000)
	keep, goes := b.Input(0), b.Input(0)
	count, next := make([]circuit.Lit, bits), make([]circuit.Lit, bits)
	for i := range count {
		count[i] = b.Latch(0)
	}
	grows := goes
	if leaps {
		grows = circuit.False // next > count
		for i := range next {
			next[i] = b.Input(0)
			differ := b.Xor(next[i], count[i])
			grows = b.Mux(differ, next[i], grows)
		}
	} else {
		carry := circuit.True
		for i := range next {
			next[i] = b.Xor(count[i], carry)
			carry = b.And(count[i], carry)
		}
		grows = b.And(goes, carry.Not())
	}
	for i := range count {
		b.SetNext(count[i], b.Mux(grows, next[i], count[i]))
	}
	for range max(clauses-bits, 0) {
		l := b.Latch(0)
		b.SetNext(l, b.And(l, keep))
	}
	b.Justice([]circuit.Lit{grows}, 0)
	c := b.Build()
	rep, err := c.Repetition(justice0)
	if err != nil {
		panic(err)
	}
	var rest cert.Invariant
	for _, l := range rep.Circuit.Latches()[bits:] {
		rest = append(rest, []circuit.Lit{l.Lit.Not()})
	}
	r := &cert.Ranking{}
	for d := range 1 << bits {
		var rank cert.Invariant
		for i := range bits {
			rank = append(rank, []circuit.Lit{rep.Circuit.Latches()[i].Lit.NotIf(d>>i&1 == 0)})
		}
		r.Ranks = append(r.Ranks, append(rank, rest...))
	}
	return c, r
}
