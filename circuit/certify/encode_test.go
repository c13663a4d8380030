package certify_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/certify"
)

// TestFirstFalse: of conclusions that are conjunctions, some of them parts of others, the first one that does not
// follow is found, as by trying all inputs.
func TestFirstFalse(t *testing.T) {
	const inputs, all = 4, 1<<(1<<4) - 1 // a truth table has a bit for each assignment
	found := map[int]int{}
	for seed := range uint64(2000) {
		random := rand.New(rand.NewPCG(7, seed))
		b := circuit.NewBuilder(0)
		lits, tables := []circuit.Lit{circuit.True}, []uint16{all}
		for i := range inputs {
			table := uint16(0)
			for a := range 1 << inputs {
				table |= uint16(a>>i&1) << a
			}
			lits, tables = append(lits, b.Input(0)), append(tables, table)
		}
		pick := func() (circuit.Lit, uint16) {
			i, negate := random.IntN(len(lits)), random.IntN(2)
			return lits[i].NotIf(negate == 1), tables[i] ^ -uint16(negate)
		}
		for range 12 {
			x, xt := pick()
			y, yt := pick()
			if random.IntN(3) > 0 { // a disjunction, which may well be true
				x, y, xt, yt = x.Not(), y.Not(), ^xt, ^yt
				lits, tables = append(lits, b.And(x, y).Not()), append(tables, ^(xt&yt))
			} else {
				lits, tables = append(lits, b.And(x, y)), append(tables, xt&yt)
			}
		}
		var conclusions []circuit.Lit
		var truths []uint16
		tautology := func() (circuit.Lit, uint16) { // a function that is always 1, hardly ever the constant
			for {
				if x, xt := pick(); xt == all {
					return x, xt
				}
			}
		}
		for range 4 {
			x, xt := tautology()
			y, yt := tautology()
			if random.IntN(8) == 0 {
				y, yt = pick()
			}
			conclusions, truths = append(conclusions, b.And(x, y)), append(truths, xt&yt)
			lits, tables = append(lits, b.And(x, y)), append(tables, xt&yt)
		}
		want := -1
		for i, table := range truths {
			if table != all {
				want = i
				break
			}
		}
		got, err := certify.FirstFalse(context.Background(), b, conclusions)
		if err != nil || got != want {
			t.Fatalf("seed %d: conclusion %d, want %d; %v", seed, got, want, err)
		}
		found[got]++
	}
	t.Logf("first false conclusions: %v", found)
	for i := -1; i < 4; i++ {
		if found[i] < 50 {
			t.Errorf("too few with %d", i)
		}
	}
}
