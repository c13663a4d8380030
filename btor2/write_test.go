package btor2_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"aiglens/btor2"
	"aiglens/btor2/btor2test"
	"aiglens/circuit"
	"aiglens/internal/source"
)

// TestWriteRandom: a circuit that is written, with words of inputs, of latches and of anything else, is read without an error
// and has the same values.
func TestWriteRandom(t *testing.T) {
	written := 0
	for seed := range numTexts() {
		_, e := elaborate(t, btor2test.Random(seed, btor2test.Tiny), btor2.Options{})
		r := rand.New(rand.NewPCG(seed, 5))
		names := randomNames(r, e.Circuit)
		var out bytes.Buffer
		if _, err := btor2.Write(&out, e.Circuit, names); err != nil {
			continue // a start that is a function
		}
		written++
		f, again := elaborate(t, out.String(), btor2.Options{})
		for _, d := range f.Diagnostics() {
			if d.Severity == source.Error || d.Code == "symbol-repeated" {
				t.Fatalf("seed %d: %s\n%s", seed, d.Message, out.String())
			}
		}
		sameRuns(t, r, e.Circuit, again.Circuit)
		if t.Failed() {
			t.Fatalf("seed %d\n%s", seed, out.String())
		}
	}
	if written < int(numTexts())/4 {
		t.Errorf("%d of %d were written", written, numTexts())
	}
}

// randomNames makes words of neighbours among inputs and latches, so that their order stays, and of any literals.
func randomNames(r *rand.Rand, c *circuit.Circuit) (n btor2.Names) {
	group := func(lits []circuit.Lit) {
		for i := 0; i < len(lits); {
			size := min(1+r.IntN(5), len(lits)-i)
			if r.IntN(3) > 0 {
				n.Words = append(n.Words, btor2.NamedWord{Name: fmt.Sprint("w ", r.IntN(6)), Bits: lits[i : i+size]})
			}
			i += size
		}
	}
	var inputs, latches, any []circuit.Lit
	for i, in := range c.Inputs() {
		inputs = append(inputs, in.Lit)
		n.Inputs = append(n.Inputs, fmt.Sprint("in", i%3))
	}
	for i, l := range c.Latches() {
		latches = append(latches, l.Lit)
		n.Latches = append(n.Latches, fmt.Sprint(i))
	}
	for range r.IntN(9) {
		any = append(any, circuit.Var(r.IntN(c.NumVars())).Lit().NotIf(r.IntN(2) == 0))
	}
	group(inputs)
	group(latches)
	group(any)
	return n
}

// sameRuns compares what is asked, assumed and put out in a random run.
func sameRuns(t *testing.T, r *rand.Rand, a, b *circuit.Circuit) {
	t.Helper()
	if len(a.Inputs()) != len(b.Inputs()) || len(a.Latches()) != len(b.Latches()) {
		t.Errorf("%d inputs and %d latches, %d and %d expected", len(b.Inputs()), len(b.Latches()), len(a.Inputs()), len(a.Latches()))
		return
	}
	start := make([]uint64, len(a.Latches()))
	for i := range start {
		start[i] = r.Uint64()
	}
	p, q := circuit.NewParallel(a), circuit.NewParallel(b)
	p.Reset(func(i int) uint64 { return start[i] })
	q.Reset(func(i int) uint64 { return start[i] })
	for step := range 5 {
		inputs := make([]uint64, len(a.Inputs()))
		for i := range inputs {
			inputs[i] = r.Uint64()
		}
		p.Eval(inputs)
		q.Eval(inputs)
		seen, want := lookedAt(b), lookedAt(a)
		if len(seen) != len(want) {
			t.Errorf("%d literals are looked at, %d expected", len(seen), len(want))
			return
		}
		for i := range seen {
			if q.Value(seen[i]) != p.Value(want[i]) {
				t.Errorf("step %d: literal %d differs", step, i)
				return
			}
		}
		p.Advance()
		q.Advance()
	}
}

func lookedAt(c *circuit.Circuit) (all []circuit.Lit) {
	for _, list := range [][]circuit.Signal{c.Outputs(), c.Bads(), c.Constraints(), c.Fairness(), c.Lemmas(), c.Covers()} {
		for _, s := range list {
			all = append(all, s.Lit)
		}
	}
	for _, j := range c.Justice() {
		all = append(all, j.Lits...)
	}
	return all
}

// TestWriteEqualNames: equal names get numbers in their order, past those that are names already, however many there are.
func TestWriteEqualNames(t *testing.T) {
	const count = 3000
	b := circuit.NewBuilder(0)
	names := btor2.Names{Inputs: []string{"a_3", "a"}}
	for range 2 {
		b.Input(0)
	}
	for range count {
		b.Input(0)
		names.Inputs = append(names.Inputs, "a")
	}
	c := b.Build()
	var renamed []btor2.Renamed
	var err error
	allocations := testing.AllocsPerRun(1, func() { renamed, err = btor2.Write(io.Discard, c, names) })
	if err != nil || len(renamed) != count || renamed[0].To != "a_2" || renamed[1].To != "a_4" || renamed[count-1].To != fmt.Sprint("a_", count+2) {
		t.Fatalf("%v, %d renamed: %v ...", err, len(renamed), renamed[:min(2, len(renamed))])
	}
	if allocations > 100*count {
		t.Errorf("%.0f allocations", allocations)
	}
}

// TestWriteWords: a counter with the names of its bits is a state of several bits again.
func TestWriteWords(t *testing.T) {
	b := circuit.NewBuilder(0)
	low, high := b.Latch(0), b.Latch(0)
	b.SetReset(low, circuit.True)
	b.SetReset(high, circuit.False)
	b.SetNext(low, low.Not())
	b.SetNext(high, b.And(low, high.Not()))
	b.Bad(b.And(low, high).Not(), 0)
	var out bytes.Buffer
	names := btor2.Names{Words: []btor2.NamedWord{{Name: "the count", Bits: []circuit.Lit{low, high}}}, Bads: []string{"full"}}
	renamed, err := btor2.Write(&out, b.Build(), names)
	want := strings.Join([]string{
		"1 sort bitvec 2", "2 one 1", "3 state 1 the_count", "4 init 1 3 2", "5 sort bitvec 1", "6 slice 5 3 0 0", "7 slice 5 3 1 1",
	}, "\n")
	if err != nil || !strings.HasPrefix(out.String(), want) || len(renamed) != 1 || renamed[0] != (btor2.Renamed{From: "the count", To: "the_count"}) {
		t.Errorf("%v %v\n%s", err, renamed, out.String())
	}
}
