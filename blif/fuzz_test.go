package blif_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"aiglens/blif"
	"aiglens/blif/bliftest"
	"aiglens/blif/cells"
	"aiglens/blif/diagnose"
	"aiglens/blif/edit"
	"aiglens/blif/flat"
	"aiglens/circuit"
	"aiglens/internal/peers"
	"aiglens/internal/source"
)

// fuzzOptions are those under which random texts are read.
func fuzzOptions(n uint8) blif.Options {
	return blif.Options{
		CutUndriven: n&1 != 0, OneStep: n&2 != 0, Properties: blif.PropertyOptions{Combinational: n&4 != 0},
		Cells: cells.ReadGenlib("GATE nand2 2 O=!(a*b); PIN * INV 1 999 1 0 1 0\nLATCH dff 8 Q=D; PIN D NONINV 1 999 1 0 1 0\n SEQ Q ANY RISING_EDGE\n"),
	}
}

// circuitOf renders all that a verdict depends on: the circuit with its names
// and the properties.
func circuitOf(f *blif.File) string {
	e := flat.Elaborate(f)
	var b strings.Builder
	b.WriteString(propertiesOf(f, e))
	c := e.Circuit
	for i, in := range c.Inputs() {
		fmt.Fprintf(&b, "input %d %q\n", in.Lit, e.InputName(i))
	}
	for i, l := range c.Latches() {
		fmt.Fprintf(&b, "latch %d %d %d %q\n", l.Lit, l.Next, l.Reset, e.LatchName(i))
	}
	for v := circuit.Var(1); int(v) < c.NumVars(); v++ {
		if left, right, ok := c.Operands(v); ok {
			fmt.Fprintf(&b, "gate %d %d %d\n", v, left, right)
		}
	}
	signals := func(what string, all []circuit.Signal) {
		for _, s := range all {
			fmt.Fprintf(&b, "%s %d\n", what, s.Lit)
		}
	}
	signals("output", c.Outputs())
	signals("bad", c.Bads())
	signals("constraint", c.Constraints())
	signals("fairness", c.Fairness())
	for _, j := range c.Justice() {
		fmt.Fprintf(&b, "justice %v\n", j.Lits)
	}
	return b.String()
}

// propertiesOf renders the properties and what stands in the way of verdicts.
func propertiesOf(f *blif.File, e *flat.Elaboration) string {
	var b strings.Builder
	ps := f.Properties()
	for i := range e.Circuit.Outputs() {
		ps = append(ps, blif.Property{ID: circuit.Property{Kind: circuit.PropertyOutput, Index: i}})
	}
	for _, p := range ps {
		fmt.Fprintf(&b, "property %v %s %q by %v:", p.ID, p.Kind, p.Name, p.Rule)
		if fault := e.Fault(p.ID); fault != nil {
			fmt.Fprintf(&b, " %s", fault.Code)
		}
		var cuts []string
		for _, cut := range e.LeftOpen(p.ID).Cuts {
			cuts = append(cuts, string(cut.Code))
		}
		slices.Sort(cuts)
		fmt.Fprintln(&b, cuts)
	}
	return b.String()
}

// addTexts adds texts of every kind to the seeds of a fuzz test.
func addTexts(f *testing.F, add func(text string)) {
	bliftest.Seeds(f, add)
	for seed := range uint64(3) {
		for _, d := range []bliftest.Dialect{bliftest.ForAll, bliftest.ForABC, bliftest.ForYosys, bliftest.ForCells} {
			add(bliftest.Random(seed, d, seed == 1))
		}
	}
	add(".model m\n.inputs a b\n.outputs bad y\n# prop: bad y \"l\"\n# prop: assume a\n# prop: justice a b\n# prop: fair b\n" +
		".names a y\n0 1\n.latch y bad re clk\n.mlatch dff D=a Q=q clk 1\n.flop D=a Q=r C=b init=1\n.constraint q\n.short a bad\n.end\n")
	add(".model m\n.outputs bad\n.subckt n i=a o=bad o=b p\n.subckt m\n.subckt $_DFFE_PP_ C=g D=a Q=q E=q\n.gateinit q=1\n.names g h\n0 1\n" +
		".names h g\n1 1\n.latch a z re g 3\n.end\n.model n\n.inputs i i\n.outputs o i\n.names i o\n1 1\n.blackbox\n")
	add(".model t\n.inputs a e\n.outputs bad assume_x\n# Prop: bad a \\\n.subckt l i=a e=e o=bad # prop: bad a\n.subckt l i=bad o=unconn\n.subckt l i=a e= o=unconn\n" +
		".subckt $_DFFE_PP_ D=a E=e Q=q\n.gateinit q=1 z\n.names a a assume_x\n01 \\\n0 # x\n1\\\n0 0\n.end\n.model l\n.inputs i e\n.outputs o\n" +
		".names i o\n1 \\\n 1\n.subckt $assert A=o EN=e\n.subckt $assume EN=e\n# prop: lemma o\n.end\n")
	add(".names a b\n1 1\n.cname x\n0 1\n.exdc\n.names b\n.start_kiss\n.i 1\n.o 1\n0 A A 1\n.end_kiss\n.latch_order q\n.code A 0\n.nmaes b\n")
}

// FuzzElaborate elaborates any text, edited or not: the result is that of a
// parse from scratch.
func FuzzElaborate(f *testing.F) {
	addTexts(f, func(text string) { f.Add(text, uint8(4), len(text)/2, 3, "\n.names a") })
	f.Fuzz(checkEdited)
}

func checkEdited(t *testing.T, content string, options uint8, at, length int, insert string) {
	o := fuzzOptions(options)
	file := o.Parse(source.NewText(content))
	circuitOf(file)
	text := file.Text().Replace(source.Span{Start: at, Length: max(0, length)}, insert)
	a, b := file.Reparse(text), o.Parse(text)
	x, y := flat.Elaborate(a), flat.Elaborate(b)
	if got, want := propertiesOf(a, x), propertiesOf(b, y); got != want {
		t.Errorf("%q\nafter an edit:\n%s\nfrom scratch:\n%s", text.Content(), got, want)
	}
	if d := peers.StepDifference(byName(x), byName(y), rand.New(rand.NewPCG(1, 2))); d != "" {
		t.Errorf("%q: %s", text.Content(), d)
	}
}

// byName names the inputs and latches of a circuit as in the text. Inputs in the
// place of what is faulty come in any order.
func byName(e *flat.Elaboration) peers.Circuit {
	n := peers.Circuit{Circuit: e.Circuit, Lits: e.Circuit.Outputs(), Bads: e.Circuit.Bads()}
	for i := range e.Circuit.Inputs() {
		n.Inputs = append(n.Inputs, e.InputName(i))
	}
	for i := range e.Circuit.Latches() {
		n.Latches = append(n.Latches, e.LatchName(i))
	}
	for i := range n.Lits {
		n.Outputs = append(n.Outputs, fmt.Sprint(i))
	}
	return n
}

// FuzzFormatCircuit formats any text: the circuit stays, and a second time
// changes nothing.
func FuzzFormatCircuit(f *testing.F) {
	addTexts(f, func(text string) { f.Add(text, uint8(4)) })
	f.Add("\r", uint8(0))
	f.Add(".model m #x\r \\ \n.end\n", uint8(0))
	f.Fuzz(checkFormatted)
}

func checkFormatted(t *testing.T, content string, options uint8) {
	file := fuzzOptions(options).Parse(source.NewText(content))
	edits, err := edit.Format(context.Background(), file)
	if err != nil {
		return // it says what is in the way
	}
	text, err := file.Text().Apply(edits)
	if err != nil {
		t.Fatal(err)
	}
	formatted := file.Reparse(text)
	if got, want := circuitOf(formatted), circuitOf(file); got != want {
		t.Errorf("%q\nbecame %q:\n%s\nwas\n%s", content, text.Content(), got, want)
	}
	if again, err := edit.Format(context.Background(), formatted); len(again) > 0 || err != nil {
		t.Errorf("%q\nbecame %q, formatted again: %v %v", content, text.Content(), again, err)
	}
}

// FuzzWrite writes the circuit of any text and reads it again: the same
// functions, resets and properties, and no error.
func FuzzWrite(f *testing.F) {
	addTexts(f, func(text string) { f.Add(text, uint8(5)) })
	f.Fuzz(checkWritten)
}

func checkWritten(t *testing.T, content string, options uint8) {
	file := fuzzOptions(options).Parse(source.NewText(content))
	e := flat.Elaborate(file)
	c := e.Circuit
	names := blif.Names{Model: "m"}
	if top := file.Top(); top != nil {
		names.Model, names.Outputs = top.Name, top.Outputs()
	}
	for i := range c.Inputs() {
		names.Inputs = append(names.Inputs, e.InputName(i))
	}
	for i := range c.Latches() {
		names.Latches = append(names.Latches, e.LatchName(i))
	}
	var b bytes.Buffer
	if _, err := blif.Write(&b, c, names); err != nil {
		t.Fatal(err)
	}
	again := blif.Options{}.Parse(source.NewText(b.String()))
	for _, d := range diagnose.Diagnostics(again) {
		if d.Severity <= source.Warning {
			t.Fatalf("%q\nwritten as %q: %s: %s", content, b.String(), d.Code, d.Message)
		}
	}
	r := flat.Elaborate(again)
	for _, p := range again.Properties() {
		if fault := r.Fault(p.ID); fault != nil {
			t.Fatalf("%q\nwritten as %q: %s", content, b.String(), fault.Message)
		}
	}
	counts := func(c *circuit.Circuit) []int {
		return []int{len(c.Inputs()), len(c.Latches()), len(c.Constraints()), len(c.Justice()), len(c.Fairness())}
	}
	if !slices.Equal(counts(c), counts(r.Circuit)) || len(c.Bads()) > 0 && len(c.Bads()) != len(r.Circuit.Bads()) {
		t.Fatalf("%q\nwritten as %q: %v, was %v", content, b.String(), counts(r.Circuit), counts(c))
	}
	if d := peers.StepDifference(byPosition(c), byPosition(r.Circuit), rand.New(rand.NewPCG(1, 2))); d != "" {
		t.Errorf("%q\nwritten as %q: %s", content, b.String(), d)
	}
}

// editWords are what random edits put into a text.
var editWords = []string{
	"\n", " ", "\t", "\r\n", "\\", "\\\n", " \\ \n", "#", " # ", "\n# prop: bad ", "\n# prop: assume ", "\n.end\n", "\n.model m1\n", ".names ",
	"\n.latch ", "\n.exdc\n", "\n.conn ", "\n.subckt m1 ", "\n.subckt m0 ", "\n.subckt x ", "\n.constraint ", "\n.attr a \"#\" ", "\n.cname c\n",
	"\n.inputs ", "\n.outputs ", "\n.clock clk\n", "\n.start_kiss\n", "\n.end_kiss\n", "\n.blackbox\n", " re clk 0\n", "=", "0", "1", "-", "11 1\n", "\n1 0\n",
	"$undef", "unconn", "NIL", "\n.gateinit ", "\n.gate nand2 a=", "\n.mlatch dff D=", "\n.search x\n", "bad", "assert_", "é", "\x00", "\"", "\n.flop D=",
}

// mutated makes some random edits: words, pieces of the text itself, deletions.
func mutated(random *rand.Rand, text string) string {
	for range 1 + random.IntN(6) {
		at := random.IntN(len(text) + 1)
		end := min(len(text), at+random.IntN(12)*random.IntN(2))
		var insert string
		switch fields := strings.Fields(text); random.IntN(4) {
		case 0:
			insert = fields[random.IntN(len(fields))]
		case 1:
			from := random.IntN(len(text))
			insert = text[from:min(len(text), from+random.IntN(40))]
		default:
			insert = editWords[random.IntN(len(editWords))]
		}
		text = text[:at] + insert + text[end:]
	}
	return text
}

// TestMutatedTexts checks random texts with random edits, which are faulty as a
// rule, as the fuzz tests do.
func TestMutatedTexts(t *testing.T) {
	for seed := range 20 * randomTexts() {
		random := rand.New(rand.NewPCG(seed, 8))
		options := uint8(random.IntN(8))
		text := mutated(random, bliftest.Random(seed, bliftest.Dialect(random.IntN(4)), random.IntN(2) == 0))
		at := random.IntN(len(text))
		checkEdited(t, text, options, at, random.IntN(20), editWords[random.IntN(len(editWords))])
		checkFormatted(t, text, options)
		checkWritten(t, text, options)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}
