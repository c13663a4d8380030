package flat_test

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"aiglens/blif"
	"aiglens/blif/bliftest"
	"aiglens/blif/codes"
	"aiglens/blif/diagnose"
	"aiglens/blif/flat"
	"aiglens/circuit"
	"aiglens/internal/source"
)

// summary renders what can be said of the first property: the rule, the error
// that forbids a verdict or the warnings that belong to it, and the shape of
// the circuit.
func summary(f *blif.File) string {
	e := flat.Elaborate(f)
	ps := f.Properties()
	if len(ps) == 0 {
		return "no property"
	}
	var parts []string
	for _, p := range ps {
		parts = append(parts, fmt.Sprintf("%s %s by %s", p.Kind, p.Name, p.Rule))
	}
	if fault := e.Fault(ps[0].ID); fault != nil {
		return strings.Join(append(parts, "fault "+string(fault.Code)), ", ")
	}
	var cuts []string
	for _, c := range e.LeftOpen(ps[0].ID).Cuts {
		cuts = append(cuts, "cut "+string(c.Code))
	}
	slices.Sort(cuts)
	c := e.Circuit
	parts = append(parts, cuts...)
	return strings.Join(append(parts, fmt.Sprintf("%d inputs %d latches %d constraints", len(c.Inputs()), len(c.Latches()), len(c.Constraints()))), ", ")
}

// bufModel is a model that other tests instantiate.
const bufModel = ".model buf\n.inputs i\n.outputs o\n.names i o\n1 1\n.end\n"

// TestElaborate checks which property a text has, and what stands in the way
// of a verdict.
func TestElaborate(t *testing.T) {
	latch := ".model m\n.inputs a b clk clk2\n.outputs bad\n"
	for _, test := range []struct{ name, text, want string }{
		{"one clock", latch + ".latch a q re clk 0\n.latch q r re clk 0\n.names q r bad\n11 1\n.end\n",
			"bad bad by name of the output, 3 inputs 2 latches 0 constraints"},
		{"one falling clock", latch + ".latch a q fe clk 0\n.latch q r fe clk 0\n.names q r bad\n11 1\n.end\n",
			"bad bad by name of the output, 3 inputs 2 latches 0 constraints"},
		{"global clock beside one", latch + ".latch a q 0\n.latch q r re clk 0\n.names q r bad\n11 1\n.end\n",
			"bad bad by name of the output, 3 inputs 2 latches 0 constraints"},
		{"two clocks", latch + ".latch a q re clk 0\n.latch q r re clk2 0\n.names q r bad\n11 1\n.end\n",
			"bad bad by name of the output, fault clocks"},
		{"two edges", latch + ".latch a q re clk 0\n.latch q r fe clk 0\n.names q r bad\n11 1\n.end\n",
			"bad bad by name of the output, fault clocks"},
		{"level latch", latch + ".latch a q ah clk 0\n.names q bad\n1 1\n.end\n",
			"bad bad by name of the output, fault clocks"},
		{"gated clock", latch + ".names clk clk2 g\n11 1\n.latch a q re g 0\n.names q bad\n1 1\n.end\n",
			"bad bad by name of the output, fault clocks"},
		{"divided clock", latch + ".latch a h re clk 0\n.latch a q re h 0\n.names q bad\n1 1\n.end\n",
			"bad bad by name of the output, fault clocks"},
		{"buffered clock", latch + ".names clk g\n1 1\n.latch a q re g 0\n.latch q r re g 0\n.names q r bad\n11 1\n.end\n",
			"bad bad by name of the output, 4 inputs 2 latches 0 constraints"},
		{"two clocks, one in the cone", latch + ".latch a q re clk 0\n.latch a r re clk2 0\n.names q bad\n1 1\n.names r t\n1 1\n.end\n",
			"bad bad by name of the output, 2 inputs 2 latches 0 constraints"},
		{"clock as data", latch + ".latch clk q re clk 0\n.names q bad\n1 1\n.end\n",
			"bad bad by name of the output, 4 inputs 1 latches 0 constraints"},
		{"undriven in the cone", latch + ".names a ghost bad\n11 1\n.end\n",
			"bad bad by name of the output, fault undriven-signal"},
		{"undriven elsewhere", latch + ".names a bad\n1 1\n.names ghost t\n1 1\n.end\n",
			"bad bad by name of the output, 5 inputs 0 latches 0 constraints"},
		{"bad row in the cone", latch + ".names a b t\n1 1\n.names t bad\n1 1\n.end\n",
			"bad bad by name of the output, fault cube-width"},
		{"bad row folded away", latch + ".names a b t\n1 1\n.names zero\n.names t zero bad\n11 1\n.end\n",
			"bad bad by name of the output, fault cube-width"},
		{"two drivers", latch + ".names a bad\n1 1\n.names b bad\n1 1\n.end\n",
			"bad bad by name of the output, fault multiple-drivers"},
		{"driven input", latch + ".names a b\n1 1\n.names b bad\n1 1\n.end\n",
			"bad bad by name of the output, fault input-driven"},
		{"cycle", latch + ".names a y x\n11 1\n.names x y\n0 1\n.names x bad\n1 1\n.end\n",
			"bad bad by name of the output, fault combinational-cycle"},
		{"cycle through instances", latch + ".subckt buf i=x o=y\n.names y a x\n11 1\n.names x bad\n1 1\n.end\n" + bufModel,
			"bad bad by name of the output, fault combinational-cycle"},
		{"cycle folded away", latch + ".names zero\n.names zero y x\n11 1\n.names x a y\n11 1\n.names x bad\n1 1\n.end\n",
			"bad bad by name of the output, fault combinational-cycle"},
		{"unknown directive", latch + ".nmaes a bad\n1 1\n.end\n",
			"bad bad by name of the output, fault unknown-directive"},
		{"black box", latch + ".subckt box x=a y=t\n.names t a bad\n11 1\n.end\n.model box\n.inputs x\n.outputs y\n.blackbox\n.end\n",
			"bad bad by name of the output, cut black-box-cut, 5 inputs 0 latches 0 constraints"},
		{"unknown model", latch + ".subckt box x=a y=t\n.names t a bad\n11 1\n.end\n",
			"bad bad by name of the output, fault unknown-model"},
		{"unknown cell of Yosys", latch + ".subckt $box x=a y=t\n.names t a bad\n11 1\n.end\n",
			"bad bad by name of the output, cut black-box-cut, 5 inputs 0 latches 0 constraints"},
		{"file of .search missing", latch + ".search lost\n.subckt box x=a y=t\n.names t a bad\n11 1\n.end\n",
			"bad bad by name of the output, fault unknown-model"},
		{"flip-flop with enable", latch + ".subckt $_DFFE_PP_ C=clk D=a E=b Q=q\n.names q bad\n1 1\n.end\n",
			"bad bad by name of the output, 3 inputs 1 latches 0 constraints"},
		{"undefined", latch + ".names $undef\n.names $undef a bad\n11 1\n.end\n",
			"bad bad by name of the output, cut undefined-cut, 5 inputs 0 latches 0 constraints"},
		{"input of an instance missing", latch + ".subckt buf o=t\n.names t a bad\n11 1\n.end\n" + bufModel,
			"bad bad by name of the output, cut missing-input, 5 inputs 0 latches 0 constraints"},
		{"unknown formal", latch + ".subckt buf in=a o=bad\n.end\n" + bufModel,
			"bad bad by name of the output, fault unknown-formal"},
		{"recursion", latch + ".subckt m a=a bad=bad\n.end\n",
			"bad bad by name of the output, fault recursive-instance"},
		{"table without logic", ".model m\n.inputs x\n.outputs bad\n.start_kiss\n.i 1\n.o 1\n0 A A 0\n1 A A 1\n.end_kiss\n.end\n",
			"bad bad by name of the output, fault kiss-without-logic"},
		{"text after .end", latch + ".names a bad\n1 1\n.end\n.names b c\n1 1\n",
			"bad bad by name of the output, fault text-after-end"},
		{"comments first", latch + "# prop: assert q \"q stays 1\"\n# prop: assume a\n.latch a q 1\n.names q bad\n1 1\n.end\n",
			"assert q stays 1 by # prop: comment, 4 inputs 1 latches 1 constraints"},
		{"comment inside a cover", latch + ".names a b bad\n1- 1\n# prop: bad bad\n-1 1\n.end\n",
			"bad bad by # prop: comment, 4 inputs 0 latches 0 constraints"},
		{"justice", latch + "# prop: justice a q\n# prop: fair b\n.latch a q 0\n.names q bad\n1 1\n.end\n",
			"justice a q by # prop: comment, 4 inputs 1 latches 0 constraints"},
		{"live", latch + "# prop: live q\n# prop: live q \"again\"\n.latch a q 0\n.names q bad\n1 1\n.end\n",
			"live q by # prop: comment, live again by # prop: comment, 6 inputs 5 latches 0 constraints"},
		{"comment names nothing", latch + "# prop: bad ghost\n.names a bad\n1 1\n.end\n",
			"bad ghost by # prop: comment, fault undriven-signal"},
		{"cells second", latch + ".latch a q 0\n.names q bad\n1 1\n.names one\n1\n.subckt $assert A=q EN=one\n.cname check\n.subckt $assume A=a EN=one\n.end\n",
			"assert check by formal cell, 4 inputs 1 latches 1 constraints"},
		{"constraint of ABC", latch + ".constraint a\n.names b bad\n1 1\n.end\n",
			"bad bad by name of the output, 4 inputs 0 latches 1 constraints"},
		{"names third", ".model m\n.inputs a\n.outputs x assert_y assume_z\n.latch a x 0\n.names x assert_y\n0 1\n.names a assume_z\n1 1\n.end\n",
			"assert assert_y by name of the output, 1 inputs 1 latches 1 constraints"},
		{"outputs last", ".model m\n.inputs a\n.outputs x\n.latch a x 0\n.end\n",
			"output x by every output, 1 inputs 1 latches 0 constraints"},
		{"no latches", ".model m\n.inputs a\n.outputs x\n.names a x\n1 1\n.end\n", "no property"},
	} {
		f := blif.Options{Library: bliftest.NoFiles{}}.Parse(source.NewText(test.text))
		if got := summary(f); got != test.want {
			t.Errorf("%s:\ngot  %s\nwant %s", test.name, got, test.want)
		}
	}
}

// TestElaborateUnknownModelCut checks that an option cuts at unknown models.
func TestElaborateUnknownModelCut(t *testing.T) {
	const text = ".model m\n.inputs a\n.outputs bad\n.subckt box x=a y=bad\n.end\n"
	o := blif.Options{Library: bliftest.NoFiles{}, CutUndriven: true, Properties: blif.PropertyOptions{Combinational: true}}
	if got, want := summary(o.Parse(source.NewText(text))), "bad bad by name of the output, cut black-box-cut, 2 inputs 0 latches 0 constraints"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestElaborateOptions checks that errors go where an option allows it.
func TestElaborateOptions(t *testing.T) {
	two := ".model m\n.inputs a clk clk2\n.outputs bad\n.latch a q re clk 0\n.latch q r ah clk2 0\n.names q r bad\n11 1\n.end\n"
	if got := summary(blif.Options{OneStep: true}.Parse(source.NewText(two))); !strings.HasSuffix(got, "1 inputs 2 latches 0 constraints") {
		t.Errorf("all latches together: %s", got)
	}
	open := ".model m\n.inputs a\n.outputs bad\n.names a ghost bad\n11 1\n.end\n"
	f := blif.Options{CutUndriven: true}.Parse(source.NewText(open))
	if got := summary(f); !strings.HasSuffix(got, "cut undriven-cut, 2 inputs 0 latches 0 constraints") {
		t.Errorf("undriven signals as inputs: %s", got)
	}
	if e := flat.Elaborate(f); e.InputName(1) != "ghost" {
		t.Errorf("the input is called %s", e.InputName(1))
	}
	many := ".model m\n.inputs a\n.outputs x y\n.latch a x 0\n.latch a y 0\n.end\n"
	for limit, want := range map[int]int{-1: 0, 1: 0, 2: 2, 0: 2} {
		o := blif.Options{Properties: blif.PropertyOptions{OutputLimit: limit}}
		if got := len(o.Parse(source.NewText(many)).Properties()); got != want {
			t.Errorf("limit %d: %d properties, want %d", limit, got, want)
		}
	}
}

// TestHierarchy follows signals through instances to the circuit and back.
func TestHierarchy(t *testing.T) {
	text := ".model top\n.inputs a clk\n.outputs y\n.subckt reg d=a c=clk q=t\n.cname first\n.subckt reg d=t c=clk q=y\n.end\n" +
		".model reg\n.inputs d c\n.outputs q\n.latch n q re c 1\n.names d n\n0 1\n.end\n"
	f := blif.Options{}.Parse(source.NewText(text))
	if ds := diagnose.Diagnostics(f); len(ds) > 0 {
		t.Fatal(ds)
	}
	e := flat.Elaborate(f)
	if got := fmt.Sprint(e.LatchName(0), " ", e.LatchName(1), " ", e.InputName(0)); got != "first/q y/q a" {
		t.Errorf("names %s", got)
	}
	top, reg := f.Top(), f.Model("reg")
	latches := e.Circuit.Latches()
	if l, ok := e.LitIn(0, top.Signal("y")); !ok || l != latches[1].Lit {
		t.Errorf("y is %d", l)
	}
	if l, ok := e.LitIn(2, reg.Signal("n")); !ok || l != latches[0].Lit.Not() {
		t.Errorf("y/n is %d, want the negation of first/q", l)
	}
	if _, ok := e.LitIn(0, top.Signal("clk")); ok {
		t.Error("the clock has a literal")
	}
	if p, ok := e.Place(latches[0].Origin); !ok || f.Text().Slice(p.Span) != ".latch" {
		t.Errorf("the first latch comes from %v", p)
	}
	if latches[0].Reset != circuit.True || e.InstanceAt(1).Path != "first" {
		t.Errorf("reset %d, path %s", latches[0].Reset, e.InstanceAt(1).Path)
	}
}

// TestLargeHierarchy checks that a hierarchy that doubles at each level ends.
func TestLargeHierarchy(t *testing.T) {
	var b strings.Builder
	for i := range 60 {
		fmt.Fprintf(&b, ".model m%d\n.inputs a\n.outputs bad\n", i)
		if i < 59 {
			fmt.Fprintf(&b, ".subckt m%d a=a bad=x\n.subckt m%d a=x bad=bad\n", i+1, i+1)
		} else {
			b.WriteString(".names a bad\n1 1\n")
		}
		b.WriteString(".end\n")
	}
	f := blif.Options{}.Parse(source.NewText(b.String()))
	e := flat.Elaborate(f)
	if fault := e.Fault(f.Properties()[0].ID); fault == nil || fault.Code != codes.TooLarge {
		t.Errorf("fault %v", fault)
	}
}

// TestLive: along random runs, the literal of "# prop: live" is 1 in the steps after the
// chosen one as long as the net has been 0 from there on.
func TestLive(t *testing.T) {
	f := blif.Options{}.Parse(source.NewText(".model m\n.inputs a\n.outputs q\n.latch a q 0\n# prop: live q\n# prop: live q\n.end\n"))
	e := flat.Elaborate(f)
	c := e.Circuit
	var names []string
	for i := range c.Inputs() {
		names = append(names, e.InputName(i))
	}
	for i := range c.Latches() {
		names = append(names, e.LatchName(i))
	}
	if got, want := strings.Join(names, " "), "a q.live_from q.1.live_from q q.live_begun q.live_broken q.1.live_begun q.1.live_broken"; got != want {
		t.Errorf("names %s, want %s", got, want)
	}
	r := rand.New(rand.NewPCG(1, 1))
	sim := circuit.NewParallel(c)
	sim.Reset(nil)
	q, goal := c.Latches()[0].Lit, c.Justice()[0].Lits[0]
	begun, broken, ones := uint64(0), uint64(0), 0
	for step := range 30 {
		from := r.Uint64() & r.Uint64() & r.Uint64()
		sim.Eval([]uint64{r.Uint64() & r.Uint64() & r.Uint64(), from, 0})
		if got, want := sim.Value(goal), begun&^broken; got != want {
			t.Fatalf("step %d: %x, want %x", step, got, want)
		}
		ones += bits.OnesCount64(begun &^ broken)
		begun |= from
		broken |= begun & sim.Value(q)
		sim.Advance()
	}
	if ones < 100 {
		t.Errorf("the literal was 1 only %d times", ones)
	}
}
