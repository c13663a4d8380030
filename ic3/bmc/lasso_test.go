package bmc

import (
	"testing"

	"aiglens/circuit"
)

// TestLassoSearchGoesOn: a search without an end goes on.
func TestLassoSearchGoesOn(t *testing.T) {
	b := circuit.NewBuilder(4)
	l := b.Latch(0)
	b.SetNext(l, l.Not())
	s := NewLassoSearch(b.Build(), []circuit.Lit{l})
	if s.Exhausted() {
		t.Error("it is at its end before it begins")
	}
}
