package answers_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/design"
	"aiglens/design/answers"
	"aiglens/design/expression"
	"aiglens/design/formats"
)

const countAIGER = `aag 14 3 3 0 8 0
2
4
6
8 20
10 24
12 29
14 10 8
16 11 9
18 12 8
20 9 19
22 17 15
24 22 19
26 12 9
28 27 15
i0 data[0]
i1 data[1]
i2 data[2]
l0 count[0]
l1 count[1]
l2 count[2]
`

const countBLIF = `.model m
.inputs data[0] data[1] data[2]
.outputs odd
.latch n0 count[0] 0
.latch count[0] count[1] 0
.latch count[1] count[2] 0
.names count[0] n0
0 1
.names count[0] odd
1 1
.end
`

// countBTOR2 shifts as countBLIF does.
const countBTOR2 = `1 sort bitvec 1
2 sort bitvec 3
3 input 2 data
4 zero 2
5 state 2 count
6 init 2 5 4
7 slice 1 5 0 0
8 sort bitvec 2
9 slice 8 5 1 0
10 concat 2 9 -7
11 next 2 5 10
12 bad 7 odd
`

func openText(t *testing.T, name, text string) *design.Design {
	t.Helper()
	d, err := formats.All().Open(t.Context(), name, []byte(text), design.Opening{})
	if err == nil {
		err = d.Elaborate(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestLemmaFrom writes expressions as lemmas into texts, and compares what the texts have then with
// the expressions, for all values of latches and inputs.
func TestLemmaFrom(t *testing.T) {
	for name, text := range map[string]string{"count.aag": countAIGER, "count.blif": countBLIF, "count.btor2": countBTOR2} {
		d := openText(t, name, text)
		for _, lemma := range []string{
			"count <= 5", "count != 6 & count != 7", "count[0] -> data > 2", "count == data", "count < data | !count[1]", "count - data != 3", "data[2:1] + 1 >= count[1:0]", "!data[0]",
		} {
			written, err := answers.LemmaFrom(t.Context(), d, lemma)
			if err != nil || written.Label != lemma {
				t.Errorf("%s: %+v, %v", lemma, written, err)
				continue
			}
			edits, err := d.AddLemmas([]design.Lemma{written})
			if err != nil {
				t.Errorf("%s: %v", lemma, err)
				continue
			}
			changed, err := d.Text.Apply(edits)
			if err != nil {
				t.Fatal(err)
			}
			after := openText(t, name, changed.Content())
			if all := after.Properties(); len(all) == 0 || all[len(all)-1].ID.Kind != circuit.PropertyLemma {
				t.Errorf("%s: %v", lemma, all)
				continue
			}
			compareLemma(t, after, lemma)
		}
		for lemma, want := range map[string]string{
			"count <= 8": "column 10: 8 does not fit count", "count <= 7": "count <= 7 holds whatever the values are", "prev(count) == 1": "column 1: this is about another step", "cuont == 1": "column 1: there is no signal named cuont",
		} {
			if _, err := answers.LemmaFrom(t.Context(), d, lemma); err == nil || !strings.HasPrefix(err.Error(), want) {
				t.Errorf("%s: %v, want %s", lemma, err, want)
			}
		}
	}
}

func compareLemma(t *testing.T, d *design.Design, lemma string) {
	t.Helper()
	fails, ok := d.Circuit().Bad(circuit.Property{Kind: circuit.PropertyLemma})
	e, err := expression.NewDictionary(d).Names(1).OneStep(lemma)
	if err != nil || !ok {
		t.Fatalf("%s: %v, %v", lemma, ok, err)
	}
	c, holds := circuit.WithGates(d.Circuit(), e.Gates)
	sim := circuit.NewTernary(c)
	inputs, latches := len(c.Inputs()), len(c.Latches())
	for k := range 1 << (inputs + latches) {
		sim.Reset()
		for i := range latches {
			sim.SetLatch(i, circuit.Value(k>>(inputs+i)&1))
		}
		values := make([]circuit.Value, inputs)
		for i := range values {
			values[i] = circuit.Value(k >> i & 1)
		}
		sim.Eval(values)
		if sim.Value(fails) != sim.Value(holds).Not() || sim.Value(fails) == circuit.X {
			t.Fatalf("%s: the expression is %s where the lemma fails: %s, for %b", lemma, sim.Value(holds), sim.Value(fails), k)
		}
	}
}

// TestLemmaText writes clauses as expressions, which mean the same clauses when they are read.
func TestLemmaText(t *testing.T) {
	unnamed, _, _ := strings.Cut(countAIGER, "i0")
	for name, text := range map[string]string{"count.aag": countAIGER, "unnamed.aag": unnamed, "count.blif": countBLIF, "count.btor2": countBTOR2} {
		d := openText(t, name, text)
		var l []circuit.Lit
		for _, latch := range d.Circuit().Latches() {
			l = append(l, latch.Lit)
		}
		for _, want := range []cert.Invariant{{{l[0]}}, {{l[0].Not(), l[2]}}, {{l[0], l[1].Not(), l[2]}, {l[1]}, {l[0].Not(), l[2].Not()}}} {
			written, ok := answers.LemmaText(d, want)
			read, err := answers.LemmaFrom(t.Context(), d, written)
			if !ok || err != nil {
				t.Errorf("%s: %q, %v", name, written, err)
				continue
			}
			var got cert.Invariant
			for _, clause := range read.Clauses {
				var own []circuit.Lit
				for _, lit := range clause {
					meant, _ := d.LitOf(lit)
					own = append(own, meant)
				}
				slices.Sort(own)
				got = append(got, own)
			}
			for _, clause := range want {
				slices.Sort(clause)
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %s is read as %v, written for %v", name, written, got, want)
			}
		}
	}
}
