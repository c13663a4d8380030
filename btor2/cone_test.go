package btor2_test

import (
	"math/rand/v2"
	"testing"

	"aiglens/btor2"
	"aiglens/btor2/btor2test"
	"aiglens/circuit"
	"aiglens/internal/source"
)

// TestConeRandom: the cone of values has the same values as the file, and no errors.
func TestConeRandom(t *testing.T) {
	for seed := range numTexts() {
		text := btor2test.Random(seed, btor2test.Tiny)
		f, e := elaborate(t, text, btor2.Options{})
		m, r := f.Model(), rand.New(rand.NewPCG(seed, 6))
		var asked []btor2.Asked
		var want []circuit.Lit
		for node := range m.Nodes {
			bits, ok := e.Bits(node)
			if !ok || m.Nodes[node].Sort.IsArray() || r.IntN(4) > 0 {
				continue
			}
			a := btor2.Asked{Node: node, Bit: btor2.AllBits}
			if r.IntN(2) == 0 {
				a.Bit = r.IntN(len(bits))
				bits = bits[a.Bit : a.Bit+1]
			}
			asked, want = append(asked, a), append(want, bits...)
		}
		if len(asked) == 0 {
			continue
		}
		part := btor2.Cone(f, asked, r.IntN(2) == 0)
		g, again := elaborate(t, part, btor2.Options{})
		for _, d := range g.Diagnostics() {
			if d.Severity == source.Error {
				t.Fatalf("seed %d: %s\n%s\n%s", seed, d.Message, text, part)
			}
		}
		if len(again.Circuit.Outputs()) != len(want) {
			t.Fatalf("seed %d: %d outputs, %d expected\n%s\n%s", seed, len(again.Circuit.Outputs()), len(want), text, part)
		}
		c := circuit.NewParallel(e.Circuit)
		d := circuit.NewParallel(again.Circuit)
		// Elements are those of the same rows, bit by bit.
		start, given := map[int64][]uint64{}, map[int64][]uint64{}
		row := func(of map[int64][]uint64, id int64, k int) uint64 {
			for len(of[id]) <= k {
				of[id] = append(of[id], r.Uint64())
			}
			return of[id][k]
		}
		idOf := func(isPart bool, o circuit.Origin) int64 {
			nodes := m.Nodes
			if isPart {
				nodes = g.Model().Nodes
			}
			return nodes[btor2.NodeFromOrigin(o)].ID
		}
		reset := func(x *btor2.Elaboration, isPart bool) func(int) uint64 {
			return func(i int) uint64 {
				all, k := x.Circuit.Latches(), 0
				for j := range i {
					if all[j].Origin == all[i].Origin {
						k++
					}
				}
				return row(start, idOf(isPart, all[i].Origin), k)
			}
		}
		c.Reset(reset(e, false))
		d.Reset(reset(again, true))
		inputs := func(x *btor2.Elaboration, isPart bool) []uint64 {
			var all []uint64
			seen := map[circuit.Origin]int{}
			for _, in := range x.Circuit.Inputs() {
				all = append(all, row(given, idOf(isPart, in.Origin), seen[in.Origin]))
				seen[in.Origin]++
			}
			return all
		}
		for step := range 4 {
			clear(given)
			c.Eval(inputs(e, false))
			d.Eval(inputs(again, true))
			for i, o := range again.Circuit.Outputs() {
				if d.Value(o.Lit) != c.Value(want[i]) {
					t.Fatalf("seed %d, step %d: output %d differs\n%s\n%s", seed, step, i, text, part)
				}
			}
			c.Advance()
			d.Advance()
		}
	}
}
