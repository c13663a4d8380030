package btor2

import (
	"math/big"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"aiglens/btor2/btor2test"
	"aiglens/btor2/syntax"
	"aiglens/circuit"
	"aiglens/internal/source"
)

// TestAbstractionHasEveryRun: with no array as bits, the circuit has each run of random texts, whatever the addresses are. The
// elements at these, and what reads and comparisons give, are those of the evaluator; then every row has the value that it has
// there. With AIGLENS_LONG these are 20,000 texts of each shape.
func TestAbstractionHasEveryRun(t *testing.T) {
	texts := uint64(300)
	if os.Getenv("AIGLENS_LONG") != "" {
		texts = 20_000
	}
	rows := 0
	for seed := range texts {
		for _, shape := range []btor2test.Shape{btor2test.Arrays, btor2test.Wide} {
			rows += checkAbstraction(t, seed, btor2test.Random(seed, shape))
		}
		if t.Failed() {
			return
		}
	}
	if t.Logf("%d values of rows on large arrays", rows); rows == 0 {
		t.Error("no text has an array")
	}
}

func checkAbstraction(t *testing.T, seed uint64, text string) (rows int) {
	t.Helper()
	e, err := Elaborate(t.Context(), syntax.Parse(source.NewText(text), nil), Options{MaxArrayGates: -1})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(seed, 4))
	run := btor2test.Simulate(text, 5, func(_ int, _ int64, s btor2test.Sort) btor2test.Value { return btor2test.RandomValue(r, s) })
	m, c := e.model, e.Circuit
	addresses := map[syntax.Sort][]*big.Int{}
	for s, list := range e.abstraction.addresses {
		addresses[s] = slices.Clone(e.abstraction.fixed[s])
		for range list[len(addresses[s]):] {
			addresses[s] = append(addresses[s], btor2test.RandomValue(r, btor2test.Sort{Width: s.IndexWidth}).Bits)
		}
	}
	// flat returns the bits of a row in the circuit in a step.
	flat := func(step, node int) *big.Int {
		n := &m.Nodes[node]
		v := run[step].Values[n.ID]
		if !n.Sort.IsArray() {
			return v.Bits
		}
		all := new(big.Int)
		for k, address := range addresses[n.Sort] {
			all.Or(all, new(big.Int).Lsh(v.Element(address), uint(k*n.Sort.Width)))
		}
		return all
	}
	values := make([]map[circuit.Var]uint, len(run))
	for step := range run {
		values[step] = map[circuit.Var]uint{}
		put := func(word []circuit.Lit, bits *big.Int, step int) {
			if step < len(values) && values[step] != nil {
				for i, l := range word {
					if l <= circuit.True {
						continue
					}
					values[step][l.Var()] = bits.Bit(i)
				}
			}
		}
		for node := range m.Nodes {
			n, word := &m.Nodes[node], e.words[node]
			switch {
			case n.Op == syntax.Input || n.Op == syntax.State:
				put(word, flat(step, node), step)
				if step+1 < len(run) && len(word) > 0 && c.LatchIndex(word[0].Var()) >= 0 {
					if _, has := m.Next[node]; !has {
						next := make([]circuit.Lit, len(word))
						for i, l := range word {
							next[i] = c.Latches()[c.LatchIndex(l.Var())].Next
						}
						put(next, flat(step+1, node), step)
					}
				}
			case e.abstraction.inputs[node] != nil && n.Op == syntax.Neq:
				put(e.abstraction.inputs[node], new(big.Int).Sub(big.NewInt(1), flat(step, node)), step)
			case e.abstraction.inputs[node] != nil:
				put(e.abstraction.inputs[node], flat(step, node), step)
			}
		}
		for s, list := range e.abstraction.addresses {
			for k, word := range list {
				put(word, addresses[s][k], step)
			}
		}
	}
	p := circuit.NewParallel(c)
	p.Reset(func(i int) uint64 { return uint64(values[0][c.Latches()[i].Lit.Var()]) })
	for step := range run {
		inputs := make([]uint64, len(c.Inputs()))
		for i, in := range c.Inputs() {
			inputs[i] = uint64(values[step][in.Lit.Var()])
		}
		p.Eval(inputs)
		for node := range m.Nodes {
			if e.words[node] == nil {
				continue
			}
			got := new(big.Int)
			for i, l := range e.words[node] {
				got.SetBit(got, i, uint(p.Value(l)&1))
			}
			if want := flat(step, node); got.Cmp(want) != 0 {
				t.Errorf("seed %d, step %d: row %d is %b, expected %b\n%s", seed, step, m.Nodes[node].ID, got, want, text)
				return rows
			}
			if e.abstraction.rows[node] != nil {
				rows++
			}
		}
		for i, bad := range c.Bads() {
			if p.Value(bad.Lit)&1 == 1 && !run[step].Bads[i] {
				t.Errorf("seed %d, step %d: bad %d holds\n%s", seed, step, i, text)
			}
		}
		for i, s := range c.Constraints() {
			if p.Value(s.Lit)&1 == 1 != run[step].Constraints[i] {
				t.Errorf("seed %d, step %d: constraint %d\n%s", seed, step, i, text)
			}
		}
		p.Advance()
	}
	return rows
}
