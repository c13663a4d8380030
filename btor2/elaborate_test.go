package btor2_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"aiglens/btor2"
	"aiglens/btor2/btor2test"
	"aiglens/btor2/syntax"
	"aiglens/circuit"
	"aiglens/internal/source"
)

func elaborate(t *testing.T, text string, o btor2.Options) (*syntax.File, *btor2.Elaboration) {
	t.Helper()
	f := syntax.Parse(source.NewText(text), nil)
	e, err := btor2.Elaborate(t.Context(), f, o)
	if err != nil {
		t.Fatal(err)
	}
	return f, e
}

// numTexts is how many random texts are tried: many if AIGLENS_LONG is set.
func numTexts() uint64 {
	if os.Getenv("AIGLENS_LONG") != "" {
		return 20000
	}
	return 300
}

// TestElaborateRandom compares the value of every row of random texts with what the evaluator says, in each step of a run.
func TestElaborateRandom(t *testing.T) {
	for seed := range numTexts() {
		for _, shape := range []btor2test.Shape{btor2test.Tiny, btor2test.Wide} {
			checkRun(t, seed, btor2test.Random(seed, shape))
		}
		if t.Failed() {
			return
		}
	}
}

// runSteps is the length of a run.
const runSteps = 4

func checkRun(t *testing.T, seed uint64, text string) {
	t.Helper()
	f, e := elaborate(t, text, btor2.Options{})
	m := f.Model()
	r := rand.New(rand.NewPCG(seed, 3))
	type choice struct {
		step int
		id   int64
	}
	chosen := map[choice]btor2test.Value{}
	run := btor2test.Simulate(text, runSteps, func(step int, id int64, s btor2test.Sort) btor2test.Value {
		v := btor2test.RandomValue(r, s)
		chosen[choice{step, id}] = v
		return v
	})

	places := map[circuit.Var][2]int{} // of inputs and latches of nodes: node and bit
	for i := range m.Nodes {
		if op := m.Nodes[i].Op; op != syntax.Input && op != syntax.State {
			continue
		}
		word, ok := e.Bits(i)
		if !ok {
			t.Fatalf("seed %d: row %d has no bits: %v\n%s", seed, m.Nodes[i].ID, e.FaultOf(i), text)
		}
		for k, l := range word {
			places[l.Var()] = [2]int{i, k}
		}
	}
	bitOf := func(step int, v circuit.Var) uint64 {
		at := places[v]
		value, ok := chosen[choice{step, m.Nodes[at[0]].ID}]
		if !ok {
			return 0
		}
		return uint64(value.Flat().Bit(at[1]))
	}
	c := e.Circuit
	nextOf := map[circuit.Var]circuit.Var{} // of a latch, by the input that is its next value
	for _, l := range c.Latches() {
		if c.Kind(l.Next.Var()) == circuit.KindInput {
			if _, isOwn := places[l.Next.Var()]; !isOwn {
				nextOf[l.Next.Var()] = l.Lit.Var()
			}
		}
	}
	p := circuit.NewParallel(c)
	p.Reset(func(i int) uint64 { return bitOf(0, c.Latches()[i].Lit.Var()) })
	for step, want := range run {
		inputs := make([]uint64, len(c.Inputs()))
		for i, in := range c.Inputs() {
			if latch, ok := nextOf[in.Lit.Var()]; ok {
				inputs[i] = bitOf(step+1, latch)
			} else {
				inputs[i] = bitOf(step, in.Lit.Var())
			}
		}
		p.Eval(inputs)
		for i := range m.Nodes {
			n := &m.Nodes[i]
			value, ok := want.Values[n.ID]
			if !ok {
				continue
			}
			word, _ := e.Bits(i)
			got := new(big.Int)
			for k, l := range word {
				got.SetBit(got, k, uint(p.Value(l)&1))
			}
			if got.Cmp(value.Flat()) != 0 {
				t.Fatalf("seed %d, step %d: row %d (%s) is %b, expected %v\n%s", seed, step, n.ID, n.Op, got, value, text)
			}
		}
		checkSignals(t, p, c.Bads(), want.Bads)
		checkSignals(t, p, c.Constraints(), want.Constraints)
		checkSignals(t, p, c.Fairness(), want.Fairs)
		checkSignals(t, p, c.Lemmas(), want.Lemmas)
		checkSignals(t, p, c.Covers(), want.Covers)
		for i, j := range c.Justice() {
			for k, l := range j.Lits {
				if p.Value(l)&1 == 1 != want.Justice[i][k] {
					t.Errorf("seed %d, step %d: justice %d, condition %d", seed, step, i, k)
				}
			}
		}
		p.Advance()
	}
}

func checkSignals(t *testing.T, p *circuit.Parallel, got []circuit.Signal, want []bool) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d signals, expected %d", len(got), len(want))
	}
	for i, s := range got {
		if p.Value(s.Lit)&1 == 1 != want[i] {
			t.Errorf("signal %d is wrong", i)
		}
	}
}

// TestFaults: what is faulty or too large has a fault that says so, and leaves the other properties alone, unless it
// does not say which state it is about.
func TestFaults(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		want []string // of each bad: words of its fault, or ""
	}{
		"array": {"1 sort bitvec 1\n2 sort bitvec 32\n3 sort array 2 2\n4 state 3\n5 input 2\n6 read 2 4 5\n7 redor 1 6\n8 bad 7\n9 redor 1 5\n10 bad 9\n",
			[]string{"arrays with an index of 32 bits and elements of 32 bits are too large", ""}},
		"next": {"1 sort bitvec 1\n2 sort bitvec 32\n3 sort array 2 2\n4 state 3\n5 input 2\n6 read 2 4 5\n7 redor 1 6\n8 state 1\n9 next 1 8 7\n10 bad 8\n",
			[]string{"arrays with an index of 32 bits and elements of 32 bits are too large"}},
		"product": {"1 sort bitvec 10000\n2 sort bitvec 1\n3 input 1\n4 input 1\n5 mul 1 3 4\n6 redor 2 5\n7 bad 6\n8 redor 2 3\n9 bad 8\n",
			[]string{"with mul of 10,000 bits it may take more than 131,072 gates", ""}},
		"word": {"1 sort bitvec 200000\n2 sort bitvec 1\n3 zero 1\n4 ones 1\n5 zero 1\n6 redor 2 5\n7 bad 6\n8 input 2\n9 bad 8\n",
			[]string{"with zero of 200,000 bits", ""}},
		"constraint": {"1 sort bitvec 200000\n2 sort bitvec 1\n3 input 1\n4 redor 2 3\n5 constraint 4\n6 input 2\n7 bad 6\n",
			[]string{"with input of 200,000 bits"}},
		"no state": {"1 sort bitvec 1\n2 state 1\n3 zero 1\n4 init 1 2 3\n5 next 1 x 3\n6 bad 2\n", []string{"x"}},
		"operand":  {"1 sort bitvec 1\n2 input 1\n3 and 1 2 9\n4 bad 3\n5 bad 2\n7 bad -3\n", []string{"9", "", "9"}},
		"bad next": {"1 sort bitvec 1\n2 sort bitvec 2\n3 state 1\n4 input 2\n5 next 1 3 4\n6 bad 3\n7 input 1\n8 bad 7\n", []string{"2 bits", ""}},
		"cycle": {"1 sort bitvec 1\n2 state 1\n3 not 1 2\n4 init 1 2 3\n5 next 1 2 2\n6 bad 2\n7 input 1\n8 bad 7\n",
			[]string{"depends on its own start", ""}},
	} {
		_, e := elaborate(t, test.text, btor2.Options{MaxGates: 1 << 17})
		for i, want := range test.want {
			d := e.Fault(circuit.Property{Index: i})
			if (d == nil) != (want == "") || d != nil && !strings.Contains(d.Message, want) {
				t.Errorf("%s: bad %d: %v, expected %q", name, i, d, want)
			}
		}
		if n := len(e.Circuit.Bads()); n != len(test.want) {
			t.Errorf("%s: %d bads", name, n)
		}
	}
}

// TestFaultOfDeepCones: an error below a long chain is that of all properties above it, and of no other.
func TestFaultOfDeepCones(t *testing.T) {
	const rows, bads = 50_000, 200
	var text strings.Builder
	text.WriteString("1 sort bitvec 1\n2 input 1\n3 and 1 2 9999999\n")
	for id := 4; id < rows; id++ {
		fmt.Fprintf(&text, "%d not 1 %d\n", id, id-1)
	}
	for i := range bads {
		fmt.Fprintf(&text, "%d bad %d\n", rows+i, rows-1-i)
	}
	fmt.Fprintf(&text, "%d bad 2\n", rows+bads)
	f, e := elaborate(t, text.String(), btor2.Options{})
	for i := range bads {
		if d := e.Fault(circuit.Property{Index: i}); d == nil || f.Text().LineAt(d.Span.Start) != 2 {
			t.Fatalf("bad %d: %v", i, d)
		}
	}
	if d := e.Fault(circuit.Property{Index: bads}); d != nil {
		t.Errorf("an input alone: %v", d)
	}
}

// TestInitCycles: whatever states start with, there is a circuit, which could not be built if some start depended on
// itself.
func TestInitCycles(t *testing.T) {
	for seed := range numTexts() {
		r := rand.New(rand.NewPCG(seed, 1))
		var text strings.Builder
		text.WriteString("1 sort bitvec 1\n")
		states, id := 2+r.IntN(5), 2
		for ; id < 2+states; id++ {
			fmt.Fprintf(&text, "%d state 1\n", id)
		}
		for range r.IntN(5) {
			fmt.Fprintf(&text, "%d xor 1 %d %d\n", id, 2+r.IntN(states), 2+r.IntN(id-2))
			id++
		}
		values := id - 2
		for state := range states {
			if r.IntN(3) > 0 {
				fmt.Fprintf(&text, "%d init 1 %d %d\n", id, 2+state, 2+r.IntN(values))
				id++
			}
		}
		elaborate(t, text.String(), btor2.Options{})
	}
}

// TestDeep: a chain of rows as long as it likes takes no stack, and one constant may be as wide as it likes.
func TestDeep(t *testing.T) {
	var text strings.Builder
	text.WriteString("1 sort bitvec 8\n2 sort bitvec 1\n3 input 1\n4 input 1\n")
	row := func(format ...string) { text.WriteString(strings.Join(format, " ") + "\n") }
	last := 4
	for range 100000 {
		last++
		row(big.NewInt(int64(last)).String(), "xor 1 3", big.NewInt(int64(last-1)).String())
	}
	row("200000 redor 2", big.NewInt(int64(last)).String())
	row("200001 bad 200000")
	row("200002 sort bitvec 40000")
	row("200003 const 200002", strings.Repeat("10", 20000))
	row("200004 redxor 2 200003")
	row("200005 bad 200004")
	_, e := elaborate(t, text.String(), btor2.Options{})
	if d := e.Fault(circuit.Property{Index: 1}); d != nil || e.Circuit.Bads()[1].Lit != circuit.False {
		t.Errorf("%v, %v", d, e.Circuit.Bads())
	}
}

// TestOutputsAreBounded: outputs have no more bits than the circuit may have gates; the first count, and others have a
// fault.
func TestOutputsAreBounded(t *testing.T) {
	_, e := elaborate(t, "1 sort bitvec 8\n2 input 1\n3 output 2\n4 output -2\n5 output 2\n6 output 2\n7 sort bitvec 1\n8 input 7\n9 output 8\n10 bad 8\n", btor2.Options{MaxGates: 20})
	if n := len(e.Circuit.Outputs()); n != 16 {
		t.Errorf("%d outputs", n)
	}
	for node, want := range map[int]bool{3: false, 4: true, 5: true} {
		d := e.FaultOf(node)
		if (d != nil) != want || d != nil && !strings.Contains(d.Message, "with output of 8 bits it may take more than 20 gates") {
			t.Errorf("row %d: %v", node+1, d)
		}
	}
	if d := e.FirstFault(); d != e.FaultOf(4) {
		t.Errorf("the first fault is %v", d)
	}
	if d := e.Fault(circuit.Property{}); d != nil {
		t.Errorf("the bad has a fault: %v", d)
	}
}

// TestNegatedWordsCount: aliases and slices of a negation have bits of their own, which count; those of a word as it is
// do not.
func TestNegatedWordsCount(t *testing.T) {
	for sign, want := range map[string]bool{"": false, "-": true} {
		for _, row := range []string{"uext 1 %s2 0", "sext 1 %s2 0", "slice 1 %s2 999 0"} {
			var text strings.Builder
			text.WriteString("1 sort bitvec 1000\n2 input 1\n")
			for i := range 10 {
				fmt.Fprintf(&text, "%d "+row+"\n", 3+i, sign)
			}
			if _, e := elaborate(t, text.String(), btor2.Options{MaxGates: 1001}); (e.FirstFault() != nil) != want {
				t.Errorf("%q of %q: %v", row, sign, e.FirstFault())
			}
		}
	}
}

// maskedWrite is a memory as Yosys writes it: with a mask, and kept as it is where the mask is 0.
const maskedWrite = `1 sort bitvec 1
2 sort bitvec 3
3 sort bitvec 4
4 sort array 2 3
5 state 4 memory
6 input 2 index
7 input 3 data
8 input 1 low
9 input 1 high
10 sort bitvec 2
11 concat 10 8 8
12 concat 10 9 9
13 concat 3 12 11
14 read 3 5 6
15 and 3 14 -13
16 and 3 7 13
17 or 3 16 15
18 write 4 5 6 17
19 redor 1 13
20 ite 4 19 18 5
21 next 4 5 20
22 redor 1 14
23 bad 22
`

// TestMaskedWrite: an element is chosen bit by bit between what is written and itself, so that nothing is read for that.
func TestMaskedWrite(t *testing.T) {
	for seed := range uint64(200) {
		checkRun(t, seed, maskedWrite)
	}
	_, e := elaborate(t, maskedWrite, btor2.Options{})
	c := e.Circuit
	reachable := circuit.NewTable[bool](c)
	gates := 0
	var visit func(l circuit.Lit)
	visit = func(l circuit.Lit) {
		left, right, ok := c.Operands(l.Var())
		if !ok || reachable.At(l.Var()) {
			return
		}
		reachable.Set(l.Var(), true)
		gates++
		visit(left)
		visit(right)
	}
	for _, l := range c.Latches() {
		visit(l.Next)
	}
	// Decoder, conditions of two masks in eight elements, and a multiplexer for each of 32 bits; the condition that a mask is
	// not 0 is a gate for each.
	if want := 12 + 2*8 + 3*32 + 1 + 2*8; gates > want {
		t.Errorf("%d gates, expected at most %d", gates, want)
	}
}
