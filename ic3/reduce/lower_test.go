package reduce

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/internal/explicit"
)

// TestLower: in every reachable state a clause has the value of what it becomes.
func TestLower(t *testing.T) {
	shape := explicit.Shape{Inputs: 2, Latches: 6, Gates: 12, FreeLatches: true, OneResets: true, Constants: true}
	lowered, left, shorter := 0, 0, 0
	for seed := range uint64(400) {
		random := rand.New(rand.NewPCG(31, seed))
		c := explicit.RandomCircuit(random, shape)
		r, err := Reduce(context.Background(), c, circuit.Property{Kind: circuit.PropertyBad}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		reachable := explicit.Reachable(c)
		for range 20 {
			var clause []circuit.Lit
			for range 1 + random.IntN(4) {
				clause = append(clause, c.Latches()[random.IntN(len(c.Latches()))].Lit.NotIf(random.IntN(2) == 0))
			}
			got := r.Lower(cert.Invariant{clause})
			if len(got) == 0 {
				left++
				continue
			}
			lowered++
			if len(got[0]) < len(clause) {
				shorter++
			}
			for state, ok := range reachable {
				if !ok || violated(r, state) {
					continue
				}
				want, is := false, false
				for _, l := range clause {
					want = want || state>>c.LatchIndex(l.Var())&1 == 1 != l.IsNegated()
				}
				for _, l := range got[0] {
					at := r.cone.Latches[r.latchesOf[r.Circuit.LatchIndex(l.Var())]]
					is = is || state>>at&1 == 1 != l.IsNegated()
				}
				if is != want {
					t.Fatalf("seed %d: %v became %v, which is %v in state %b", seed, clause, got[0], is, state)
				}
			}
		}
	}
	if min(lowered, left, shorter) < 100 {
		t.Errorf("%d clauses lowered, %d of them shorter, %d left out: the test shows little", lowered, shorter, left)
	}
}

// violated reports whether a state records a violation of a hidden constraint.
func violated(r *Reduced, state int) bool {
	return r.hidden != nil && slices.ContainsFunc(r.hidden.records, func(l circuit.Lit) bool {
		at := r.cone.Latches[r.cone.Circuit.LatchIndex(l.Var())]
		return state>>at&1 == 1 != l.IsNegated()
	})
}

// TestLowerForeign: clauses that are not over the latches of the circuit are left out.
func TestLowerForeign(t *testing.T) {
	b := circuit.NewBuilder(0)
	in := b.Input(0)
	l, other := b.Latch(0), b.Latch(0)
	b.SetNext(l, b.And(in, l.Not()))
	b.SetNext(other, in)
	b.Bad(l, 0)
	r, err := Reduce(context.Background(), b.Build(), circuit.Property{Kind: circuit.PropertyBad}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, clause := range [][]circuit.Lit{{1000}, {in}, {other}, {circuit.False}, {circuit.True}} {
		if got := r.Lower(cert.Invariant{clause}); len(got) > 0 {
			t.Errorf("%v became %v", clause, got)
		}
	}
	if got := r.Lower(cert.Invariant{{l, l}}); len(got) != 1 || len(got[0]) != 1 {
		t.Errorf("%v", got)
	}
}
