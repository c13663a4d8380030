package btor2_test

import (
	"testing"

	"aiglens/btor2"
	"aiglens/btor2/btor2test"
	"aiglens/btor2/syntax"
	"aiglens/circuit"
	"aiglens/internal/source"
)

// FuzzElaborate: any text has a circuit with its properties at their positions, in which a row has a fault or the bits of
// its sort, and a bad that has no fault is its operand.
func FuzzElaborate(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(btor2test.Random(seed, btor2test.Tiny))
	}
	f.Add("1 sort bitvec 70000\n2 sort array 1 1\n3 state 2\n4 sort bitvec 1\n5 state 4\n6 next 4 5 x\n7 bad 5\n8 justice 2 5 -5\n")
	f.Fuzz(func(t *testing.T, text string) {
		o := btor2.Options{MaxGates: 10000, MaxArrayGates: 1000}
		file := syntax.Parse(source.NewText(text), nil)
		e, err := btor2.Elaborate(t.Context(), file, o)
		if err != nil {
			t.Fatal(err)
		}
		m := file.Model()
		for i := range m.Nodes {
			n := &m.Nodes[i]
			word, ok := e.Bits(i)
			isValue := n.Op.HasValue()
			if ok && (!isValue || len(word) != n.Sort.Width<<n.Sort.IndexWidth) {
				t.Errorf("row %d: %d bits of a value of %v", n.ID, len(word), n.Sort)
			}
			if isValue && !ok && e.FaultOf(i) == nil {
				t.Errorf("row %d has neither bits nor a fault", n.ID)
			}
		}
		c := e.Circuit
		if len(c.Bads()) != len(m.Bads) || len(c.Constraints()) != len(m.Constraints) || len(c.Justice()) != len(m.Justice) || len(c.Fairness()) != len(m.Fairs) {
			t.Fatalf("properties are missing")
		}
		for i, bad := range m.Bads {
			if e.Fault(circuit.Property{Index: i}) != nil {
				continue
			}
			word, ok := e.BitsOf(m.Nodes[bad].Args[0])
			if !ok || word[0] != c.Bads()[i].Lit {
				t.Errorf("bad %d is not its operand", i)
			}
		}
	})
}

// FuzzAbstraction: with no array as bits, the circuit of any text has the runs of a sample, by the evaluator of the text, and what
// reads and compares arrays has no bits.
func FuzzAbstraction(f *testing.F) {
	for seed := range uint64(10) {
		f.Add(btor2test.Random(seed, btor2test.Arrays))
		f.Add(memoryText(seed))
	}
	f.Fuzz(func(t *testing.T, text string) {
		file := syntax.Parse(source.NewText(text), nil)
		e, err := btor2.Elaborate(t.Context(), file, btor2.Options{MaxGates: 10000, MaxArrayGates: -1})
		if err != nil {
			t.Fatal(err)
		}
		for i := range file.Model().Nodes {
			n := &file.Model().Nodes[i]
			if _, ok := e.Bits(i); ok && n.Sort.IsArray() {
				t.Errorf("row %d has bits", n.ID)
			}
		}
		for _, p := range e.Circuit.Properties() {
			if !e.IsCheckedByAbstraction(p) {
				continue
			}
			if err := e.Sample(t.Context(), p); err != nil {
				t.Errorf("%s: %v", p, err)
			}
		}
	})
}
