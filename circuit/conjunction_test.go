package circuit_test

import (
	"slices"
	"testing"

	"aiglens/circuit"
)

// TestConjunction: an inverter ends the walk, what is shared comes once, however many ways
// lead to it, and a caller can stop it.
func TestConjunction(t *testing.T) {
	b := circuit.NewBuilder(0)
	in, latch := b.Input(0), b.Latch(0)
	inner := b.And(in, latch)
	want := []circuit.Lit{inner.Not()}
	l := inner.Not()
	for range 200 { // ways to the first: two to the power of 200
		in := b.Input(0)
		want = append(want, in)
		l = b.And(l, b.And(l, in))
	}
	c := b.Build()
	var got []circuit.Lit
	for part, isPart := range c.Conjunction(l) {
		if isPart {
			got = append(got, part)
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("conjuncts %v, want %v", got, want)
	}
	seen := 0
	for range c.Conjunction(l) {
		if seen++; seen == 3 {
			break
		}
	}
	if seen != 3 {
		t.Errorf("%d literals seen after a stop at 3", seen)
	}
}
