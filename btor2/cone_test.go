package btor2_test

import (
	"math/rand/v2"
	"testing"

	"aiglens/btor2"
	"aiglens/btor2/btor2test"
	"aiglens/btor2/syntax"
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
		part, _ := btor2.Cone(f, asked, r.IntN(2) == 0, 0)
		g, again := elaborate(t, part, btor2.Options{})
		for _, d := range g.Diagnostics() {
			if d.Severity == source.Error {
				t.Fatalf("seed %d: %s\n%s\n%s", seed, d.Message, text, part)
			}
		}
		if len(again.Circuit.Outputs()) != len(want) {
			t.Fatalf("seed %d: %d outputs, %d expected\n%s\n%s", seed, len(again.Circuit.Outputs()), len(want), text, part)
		}
		var got []circuit.Lit
		for _, o := range again.Circuit.Outputs() {
			got = append(got, o.Lit)
		}
		if i := firstDifference(r, side{f, e, want}, side{g, again, got}); i >= 0 {
			t.Fatalf("seed %d: output %d differs\n%s\n%s", seed, i, text, part)
		}
	}
}

// side is a file with literals that are compared.
type side struct {
	f    *syntax.File
	e    *btor2.Elaboration
	lits []circuit.Lit
}

// firstDifference compares literals in random runs, in which rows of the same number have the same values of inputs and the same
// starts; −1 for no difference.
func firstDifference(r *rand.Rand, a, b side) int {
	start, given := map[int64][]uint64{}, map[int64][]uint64{}
	value := func(of map[int64][]uint64, id int64, k int) uint64 {
		for len(of[id]) <= k {
			of[id] = append(of[id], r.Uint64())
		}
		return of[id][k]
	}
	var runs [2]*circuit.Parallel
	for i, s := range []side{a, b} {
		var ids []int64
		for _, l := range s.e.Circuit.Latches() {
			ids = append(ids, s.f.Model().Nodes[btor2.NodeFromOrigin(l.Origin)].ID)
		}
		runs[i] = circuit.NewParallel(s.e.Circuit)
		runs[i].Reset(func(at int) uint64 { return value(start, ids[at], count(ids[:at], ids[at])) })
	}
	for range 4 {
		clear(given)
		for i, s := range []side{a, b} {
			var ids []int64
			var all []uint64
			for _, in := range s.e.Circuit.Inputs() {
				id := s.f.Model().Nodes[btor2.NodeFromOrigin(in.Origin)].ID
				all = append(all, value(given, id, count(ids, id)))
				ids = append(ids, id)
			}
			runs[i].Eval(all)
		}
		for i := range a.lits {
			if runs[0].Value(a.lits[i]) != runs[1].Value(b.lits[i]) {
				return i
			}
		}
		runs[0].Advance()
		runs[1].Advance()
	}
	return -1
}

func count(ids []int64, id int64) (n int) {
	for _, other := range ids {
		if other == id {
			n++
		}
	}
	return n
}

// TestConeOfLevels: what is left of some levels has the values of the file, where the inputs that rows became have those of the rows.
func TestConeOfLevels(t *testing.T) {
	cuts := 0
	for seed := range numTexts() {
		text := btor2test.Random(seed, btor2test.Tiny)
		f, e := elaborate(t, text, btor2.Options{})
		m, r := f.Model(), rand.New(rand.NewPCG(seed, 8))
		var asked []btor2.Asked
		var want []circuit.Lit
		for node := range m.Nodes {
			if bits, ok := e.Bits(node); ok && !m.Nodes[node].Sort.IsArray() && r.IntN(6) == 0 {
				asked, want = append(asked, btor2.Asked{Node: node, Bit: btor2.AllBits}), append(want, bits...)
			}
		}
		if len(asked) == 0 {
			continue
		}
		part, cut := btor2.Cone(f, asked, false, 1+r.IntN(3))
		cuts += cut
		g, again := elaborate(t, part, btor2.Options{})
		for _, d := range g.Diagnostics() {
			if d.Severity == source.Error {
				t.Fatalf("seed %d: %s\n%s\n%s", seed, d.Message, text, part)
			}
		}
		whole, run := circuit.NewParallel(e.Circuit), circuit.NewParallel(again.Circuit)
		// value is that of the next bit of the row that an element comes from.
		value := func(seen map[int64]int, o circuit.Origin) uint64 {
			id := g.Model().Nodes[btor2.NodeFromOrigin(o)].ID
			node, _ := f.NodeOf(id)
			bits, _ := e.Bits(node)
			seen[id]++
			return whole.Value(bits[seen[id]-1])
		}
		whole.Reset(func(int) uint64 { return r.Uint64() })
		for step := range 4 {
			given := make([]uint64, len(e.Circuit.Inputs()))
			for i := range given {
				given[i] = r.Uint64()
			}
			whole.Eval(given)
			if step == 0 {
				var starts []uint64
				seen := map[int64]int{}
				for _, l := range again.Circuit.Latches() {
					starts = append(starts, value(seen, l.Origin))
				}
				run.Reset(func(i int) uint64 { return starts[i] })
			}
			var inputs []uint64
			seen := map[int64]int{}
			for _, in := range again.Circuit.Inputs() {
				node := btor2.NodeFromOrigin(in.Origin)
				if _, starts := g.Model().Init[node]; !starts {
					inputs = append(inputs, value(seen, in.Origin))
					continue
				}
				id := g.Model().Nodes[node].ID // a state with a start alone: the input is its next value
				seen[id]++
				k := seen[id]
				for i, other := range e.Circuit.Inputs() {
					if m.Nodes[btor2.NodeFromOrigin(other.Origin)].ID == id {
						if k--; k == 0 {
							inputs = append(inputs, given[i])
						}
					}
				}
			}
			run.Eval(inputs)
			for i, o := range again.Circuit.Outputs() {
				if run.Value(o.Lit) != whole.Value(want[i]) {
					t.Fatalf("seed %d, step %d: bit %d differs\n%s\n%s", seed, step, i, text, part)
				}
			}
			whole.Advance()
			run.Advance()
		}
	}
	if cuts == 0 {
		t.Error("no row became an input")
	}
}

// TestFaultIn: where no error is said for a bit of a circuit without its arrays, it has the values that it has with them, and an
// error is said only where the text has one in the cone of the row.
func TestFaultIn(t *testing.T) {
	sound, faulty := 0, 0
	for seed := range numTexts() {
		text := btor2test.Random(seed, btor2test.Tiny)
		f, whole := elaborate(t, text, btor2.Options{})
		_, part := elaborate(t, text, btor2.Options{MaxArrayGates: 1})
		var want, got []circuit.Lit
		for node := range f.Model().Nodes {
			bits, ok := part.Bits(node)
			if !ok {
				continue
			}
			if part.FaultIn(bits...) == nil {
				all, _ := whole.Bits(node)
				want, got = append(want, all...), append(got, bits...)
				sound++
			} else if faulty++; part.FaultOf(node) == nil {
				t.Fatalf("seed %d: an error is said of row %d, which rests on none\n%s", seed, f.Model().Nodes[node].ID, text)
			}
		}
		if i := firstDifference(rand.New(rand.NewPCG(seed, 7)), side{f, whole, want}, side{f, part, got}); i >= 0 {
			t.Fatalf("seed %d: no error is said of bit %d, which differs\n%s", seed, i, text)
		}
	}
	if sound == 0 || faulty == 0 {
		t.Errorf("%d rows have no error, %d have one", sound, faulty)
	}
}
