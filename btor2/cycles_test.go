package btor2_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"aiglens/btor2"
	"aiglens/circuit"
)

// TestInitCycleBesideTheCone: a state that a cycle of inits reads keeps its verdict; what is on the cycle has none.
func TestInitCycleBesideTheCone(t *testing.T) {
	const text = "1 sort bitvec 1\n2 zero 1\n3 state 1 C\n4 init 1 3 2\n5 next 1 3 3\n6 state 1 A\n7 state 1 B\n8 or 1 7 3\n" +
		"9 init 1 6 8\n10 init 1 7 6\n11 next 1 6 6\n12 next 1 7 7\n13 state 1 D\n14 init 1 13 6\n15 next 1 13 13\n" +
		"16 bad 3\n17 bad 6\n18 bad 7\n19 bad 13\n"
	_, e := elaborate(t, text, btor2.Options{})
	for i, faulty := range []bool{false, true, true, true} {
		if d := e.Fault(circuit.Property{Kind: circuit.PropertyBad, Index: i}); (d != nil) != faulty {
			t.Errorf("bad %d: fault %v, want one: %v", i, d, faulty)
		}
	}
}

// TestInitCyclesAreBroken: whatever states start with, the circuit has no latch whose reset depends on the latch, for
// which Build would panic.
func TestInitCyclesAreBroken(t *testing.T) {
	for seed := range numTexts() {
		r := rand.New(rand.NewPCG(seed, 5))
		states, gates := 1+r.IntN(6), 1+r.IntN(8)
		var b strings.Builder
		b.WriteString("1 sort bitvec 1\n")
		id := 2
		for range states {
			fmt.Fprintf(&b, "%d state 1\n", id)
			id++
		}
		for range gates {
			fmt.Fprintf(&b, "%d and 1 %d %d\n", id, 2+r.IntN(id-2), 2+r.IntN(id-2))
			id++
		}
		values := id - 2
		for state := range states {
			if r.IntN(4) > 0 {
				fmt.Fprintf(&b, "%d init 1 %d %d\n", id, 2+state, 2+r.IntN(values))
				id++
			}
		}
		fmt.Fprintf(&b, "%d bad 2\n", id)
		elaborate(t, b.String(), btor2.Options{})
	}
}
