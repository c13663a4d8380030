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
