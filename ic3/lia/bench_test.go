package lia_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"aiglens/horn/rational"
	"aiglens/ic3/lia"
	"aiglens/ic3/sat"
)

// atMost returns Σ terms ≤ bound for coefficient, variable pairs.
func atMost(bound int64, pairs ...int64) lia.Atom {
	var ms []lia.Monomial
	for i := 0; i < len(pairs); i += 2 {
		ms = append(ms, lia.Monomial{Var: lia.Var(pairs[i+1]), Coef: rational.Int(pairs[i])})
	}
	return lia.Atom{Term: lia.NewTerm(ms...), Const: rational.Int(bound)}
}

// BenchmarkSchedule searches the least end of random job shops by bisection, one solver for each.
func BenchmarkSchedule(b *testing.B) {
	for _, isInt := range []bool{false, true} {
		b.Run(fmt.Sprintf("int=%v", isInt), func(b *testing.B) {
			for b.Loop() {
				schedule(b, isInt, 5, 5)
			}
		})
	}
}

func schedule(b *testing.B, isInt bool, jobs, machines int) {
	r := rand.New(rand.NewPCG(1, 1))
	s := lia.New(lia.Options{})
	start := func(job, step int) int64 { return int64(job*machines + step) }
	length, at := make([]int64, jobs*machines), make([]int, jobs*machines)
	for range length {
		s.NewVar(isInt) // all before the first atom, so that their numbers are 0, 1, …
	}
	for job := range jobs {
		for step, machine := range r.Perm(machines) {
			v := start(job, step)
			length[v], at[v] = int64(1+r.IntN(9)), machine
			s.Assert(s.Atom(atMost(0, -1, v)))
			if step > 0 {
				s.Assert(s.Atom(atMost(-length[v-1], 1, v-1, -1, v)))
			}
		}
	}
	for v := range int64(len(length)) {
		for w := range v {
			if at[v] == at[w] && v/int64(machines) != w/int64(machines) {
				s.Assert(s.Or(s.Atom(atMost(-length[v], 1, v, -1, w)), s.Atom(atMost(-length[w], 1, w, -1, v))))
			}
		}
	}
	low, high := int64(0), int64(9*jobs*machines)
	for low < high {
		end := (low + high) / 2
		var assumed []lia.Lit
		for job := range jobs {
			v := start(job, machines-1)
			assumed = append(assumed, s.Atom(atMost(end-length[v], 1, v)))
		}
		switch result, err := s.Solve(context.Background(), assumed...); {
		case err != nil:
			b.Fatal(err)
		case result == sat.Sat:
			high = end
		default:
			low = end + 1
		}
	}
}
