package flat_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"aiglens/blif"
	"aiglens/blif/bliftest"
	"aiglens/blif/cells"
	"aiglens/blif/codes"
	"aiglens/blif/diagnose"
	"aiglens/blif/edit"
	"aiglens/blif/flat"
	"aiglens/circuit"
	"aiglens/internal/source"
)

// steps are latches in different forms in front of an output that names them all.
func steps(latches string) string {
	return ".model m\n.inputs a clk clk2\n.outputs bad\n" + latches + ".names p q bad\n11 1\n.end\n"
}

// TestClockDomains checks which latches step together: what is written without a
// type follows any clock; an edge counts also where it is one of the global clock.
func TestClockDomains(t *testing.T) {
	const together, apart = "2 latches", "fault clocks"
	for _, test := range []struct{ latches, want string }{
		{".latch a p 0\n.latch p q fe clk 0\n", together},
		{".latch a p re NIL 0\n.latch p q re NIL 0\n", together},
		{".latch a p fe NIL 0\n.latch p q fe NIL 0\n", together},
		{".latch a p re NIL 0\n.latch p q re clk 0\n", together},
		{".latch a p re clk 0\n.latch p q re NIL 0\n", together},
		{".latch a p re NIL 0\n.latch p q fe NIL 0\n", apart},
		{".latch a p re NIL 0\n.latch p q fe clk 0\n", apart},
		{".latch a p fe clk 0\n.latch p q re NIL 0\n", apart},
		{".latch a r re NIL 0\n.latch r p re clk 0\n.latch p q re clk2 0\n", apart},
		{".subckt $_DFF_P_ C=clk D=a Q=p\n.subckt $_DFF_P_ C=clk D=p Q=q\n", together},
		{".subckt $_DFF_P_ D=a Q=p\n.subckt $_DFF_N_ C=clk D=p Q=q\n", apart},
		{".subckt $_DFF_P_ D=a Q=p\n.subckt $_DFF_P_ C=clk D=p Q=q\n", apart},
		{".subckt $_DFF_P_ C= D=a Q=p\n.subckt $_DFF_P_ C=clk D=p Q=q\n", apart},
		{".flop D=a Q=p init=0\n.latch p q fe clk 0\n", together},
	} {
		f := blif.Options{}.Parse(source.NewText(steps(test.latches)))
		if got := summary(f); !strings.Contains(got, test.want) {
			t.Errorf("%q: %s, expected %s", test.latches, got, test.want)
		}
	}
	f := blif.Options{}.Parse(source.NewText(steps(".subckt $_DFF_P_ D=a Q=p\n.subckt $_DFF_P_ C= D=p Q=q\n")))
	if got := bliftest.Places(f, codes.MissingInput); len(got) != 2 {
		t.Errorf("missing clock pins are reported at %v", got)
	}
}

// assertModel holds an assertion, as Yosys writes a module that is not flattened.
const assertModel = ".model leaf\n.inputs i e\n.outputs o\n.names i o\n1 1\n.subckt $assert A=i EN=e\n.end\n"

// TestCellsInInstances checks that $assert cells count wherever they stand in
// the hierarchy, by the path of their instance.
func TestCellsInInstances(t *testing.T) {
	top := ".model top\n.inputs a b e\n.outputs y\n.subckt leaf i=a e=e o=x\n.subckt mid i=b e=e o=z\n" +
		".names x z y\n11 1\n.end\n.model mid\n.inputs i e\n.outputs o\n.subckt leaf i=i e=e o=o\n.end\n"
	check := func(f *blif.File) {
		t.Helper()
		if got := summary(f); got != "assert x/i by formal cell, assert z/o/i by formal cell, 3 inputs 0 latches 0 constraints" {
			t.Errorf("got %s", got)
		}
		c := flat.Elaborate(f).Circuit
		for i, want := range []circuit.Value{circuit.One, circuit.Zero} { // a and b in either place
			sim := circuit.NewTernary(c)
			sim.Reset()
			sim.Eval([]circuit.Value{circuit.Zero, circuit.One, circuit.One})
			if got := sim.Value(c.Bads()[i].Lit); got != want {
				t.Errorf("property %d is %v", i, got)
			}
		}
	}
	check(blif.Options{}.Parse(source.NewText(top + assertModel)))
	other := blif.Options{}.Parse(source.NewText(assertModel))
	f := blif.Options{Library: oneFile{other}}.Parse(source.NewText(top))
	check(f)
	for _, p := range f.Properties() {
		if got := f.Text().Slice(p.Span); !strings.HasPrefix(got, ".subckt ") {
			t.Errorf("%s stands at %q", p.Name, got)
		}
	}
}

// oneFile is a library of one file.
type oneFile struct{ f *blif.File }

func (l oneFile) Search(string) *blif.File { return nil }

func (l oneFile) Model(name string) *blif.Model { return l.f.Model(name) }

// TestOpenFormalCells checks that an assertion or assumption with an open pin is
// an error that keeps verdicts away, not nothing.
func TestOpenFormalCells(t *testing.T) {
	const head = ".model m\n.inputs a\n.outputs bad\n.latch a bad 0\n"
	for _, test := range []struct{ text, want string }{
		{".subckt $assert A=a EN=\n", "assert a by formal cell, fault missing-input"},
		{".subckt $assert A=a\n", "assert a by formal cell, fault missing-input"},
		{".subckt $assert EN=a\n", "assert $assert by formal cell, fault missing-input"},
		{".subckt $assume A=a EN=\n", "bad bad by name of the output, fault missing-input"},
		{".subckt $assume A=a\n", "bad bad by name of the output, fault missing-input"},
		{".subckt $assume A=a EN=a\n", "bad bad by name of the output, 1 inputs 1 latches 1 constraints"},
	} {
		f := blif.Options{}.Parse(source.NewText(head + test.text + ".end\n"))
		if got := summary(f); got != test.want {
			t.Errorf("%q: %s, expected %s", test.text, got, test.want)
		}
		for _, d := range diagnose.Diagnostics(f) {
			if d.Code == codes.MissingInput && d.Severity != source.Error {
				t.Errorf("%q: %v", test.text, d)
			}
		}
	}
}

// TestFormalCells checks that the cells $cover, $live and $fair of Yosys are properties and
// fairness constraints, in instances too, and that covers leave open what else is checked.
func TestFormalCells(t *testing.T) {
	const leaf = ".model leaf\n.inputs i e\n.outputs o\n.names i o\n1 1\n.subckt $cover A=i EN=e\n.cname c\n.subckt $fair A=i EN=e\n.cname f\n.end\n"
	const head = ".model m\n.inputs a e\n.outputs bad\n.latch a bad 0\n"
	for _, test := range []struct{ text, want string }{
		{".subckt $cover A=a EN=e\n", "bad bad by name of the output, cover a by formal cell, 2 inputs 1 latches 0 constraints"},
		{".gate $cover A=a EN=e\n# prop: cover e\n.subckt $assert A=bad EN=e\n.cname z\n",
			"assert z by formal cell, cover a by formal cell, cover e by # prop: comment, 2 inputs 1 latches 0 constraints"},
		{".subckt $cover A=a EN=e\n# prop: bad a\n", "bad a by # prop: comment, 2 inputs 1 latches 0 constraints"},
		{".subckt $live A=a EN=e\n.cname l\n.subckt $live A=bad EN=e\n.cname l\n",
			"live l by formal cell, live l by formal cell, 4 inputs 5 latches 0 constraints"},
		{".subckt $live A=a EN=\n", "live a by formal cell, fault missing-input"},
		{".subckt $live A=a EN=e\n.subckt $fair A=a\n", "live a by formal cell, fault missing-input"},
		{".subckt $fair A=a\n", "bad bad by name of the output, 2 inputs 1 latches 0 constraints"},
		{".subckt $cover A=a\n# prop: lemma a\n", "bad bad by name of the output, cover a by formal cell, lemma a by # prop: comment, 2 inputs 1 latches 0 constraints"},
		{".subckt leaf i=a e=e o=x\n.subckt leaf i=x e=e o=y\n.subckt $live A=y EN=e\n",
			"live y by formal cell, cover x/c by formal cell, cover y/c by formal cell, 3 inputs 5 latches 0 constraints"},
	} {
		f := blif.Options{}.Parse(source.NewText(head + test.text + ".end\n" + leaf))
		if got := summary(f); got != test.want {
			t.Errorf("%q:\ngot  %s\nwant %s", test.text, got, test.want)
		}
		for _, d := range diagnose.Diagnostics(f) {
			if d.Code == codes.UnknownModel || d.Code == codes.UnknownCell {
				t.Errorf("%q: %v", test.text, d)
			}
		}
	}
	faulty := blif.Options{}.Parse(source.NewText(head + ".subckt $cover A=a EN=\n.end\n"))
	e := flat.Elaborate(faulty)
	for _, p := range faulty.Properties() {
		if got := e.Fault(p.ID) != nil; got != (p.Kind == "cover") {
			t.Errorf("%s has a fault: %v", p.Kind, got)
		}
	}
}

// TestNamesAfterLive checks the names of inputs where one is cut after those of a liveness
// property were made.
func TestNamesAfterLive(t *testing.T) {
	f := blif.Options{}.Parse(source.NewText(".model m\n.inputs a\n.outputs y\n.subckt box y=z\n.names a y\n1 1\n" +
		".subckt $live A=a EN=one\n.cname l\n.subckt $fair A=a EN=y\n.subckt $fair A=a EN=y\n.subckt $assume A=z EN=one\n.names one\n1\n.end\n" +
		".model box\n.outputs y\n.blackbox\n.end\n"))
	e := flat.Elaborate(f)
	var names []string
	for i := range e.Circuit.Inputs() {
		names = append(names, e.InputName(i))
	}
	for i := range e.Circuit.Latches() {
		names = append(names, e.LatchName(i))
	}
	for i := range e.Circuit.Fairness() {
		names = append(names, "fair "+e.FairnessName(i))
	}
	want := []string{"a", "l.live_from", "z", "l.live_begun", "l.live_broken", "a.fair_waiting", "a.2.fair_waiting", "fair ", "fair "}
	if !slices.Equal(names, want) {
		t.Errorf("names %q, expected %q", names, want)
	}
	sim := circuit.NewTernary(e.Circuit)
	sim.Reset()
	sim.Eval([]circuit.Value{circuit.Zero, circuit.Zero, circuit.One})
	if got := sim.Value(e.Circuit.Constraints()[0].Lit); got != circuit.One {
		t.Errorf("the input called z is not that of the assumption, which is %v", got)
	}
}

// TestRules checks which rule applies where comments or names give constraints
// and lemmas only.
func TestRules(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{".outputs assume_x y\n.latch a assume_x 0\n.latch a y 0\n", "output y by every output, 1 inputs 2 latches 1 constraints"},
		{".outputs assume_x\n.latch a assume_x 0\n", "no property"},
		{".outputs assume_x\n# prop: cover a\n# prop: lemma x\n.latch a assume_x 0\n.latch a x 0\n",
			"cover a by # prop: comment, lemma x by # prop: comment, 1 inputs 2 latches 1 constraints"},
		{".outputs assume_x\n# prop: bad x\n.latch a assume_x 0\n.latch a x 0\n", "bad x by # prop: comment, 1 inputs 2 latches 0 constraints"},
		{".outputs y\n.names a y\n1 1\n.end\n.model unused\n.inputs i\n.outputs o\n.latch i o 0\n", "no property"},
		{".outputs y\n.subckt used i=a o=y\n.end\n.model used\n.inputs i\n.outputs o\n.latch i o 0\n", "output y by every output, 1 inputs 1 latches 0 constraints"},
		{".outputs bad y\n# prop: lemma y\n.latch a bad 0\n.latch a y 0\n",
			"bad bad by name of the output, lemma y by # prop: comment, 1 inputs 2 latches 0 constraints"},
		{".outputs x y\n# prop: lemma y\n.latch a x 0\n.latch a y 0\n",
			"output x by every output, output y by every output, lemma y by # prop: comment, 1 inputs 2 latches 0 constraints"},
	} {
		f := blif.Options{}.Parse(source.NewText(".model m\n.inputs a\n" + test.text + ".end\n"))
		if got := summary(f); got != test.want {
			t.Errorf("%q: %s, expected %s", test.text, got, test.want)
		}
		var bads int
		for _, p := range f.Properties() {
			if p.ID.Kind != circuit.PropertyBad && strings.Contains(test.text, "assume_x y") {
				t.Errorf("%q: %s is %s, so that a copy in AIGER would hold the constraint as a property", test.text, p.Name, p.ID.Kind)
			}
			if p.ID.Kind == circuit.PropertyBad {
				bads++
			}
		}
		if got := len(flat.Elaborate(f).Circuit.Bads()); got != bads {
			t.Errorf("%q: %d bads for %d properties", test.text, got, bads)
		}
	}
}

// TestIgnoredPragmas checks that what looks like a property, but is not one, is reported,
// with a way to make it one.
func TestIgnoredPragmas(t *testing.T) {
	const rest = ".names a y\n1 1\n.end\n"
	for _, test := range []struct{ text, at, fixed string }{
		{".model m\n.inputs a\n.outputs y # prop: bad y\n" + rest, "# prop: bad y", ".model m\n.inputs a\n# prop: bad y\n.outputs y\n" + rest},
		{".model m # prop: bad y\n.inputs a\n.outputs y\n" + rest, "# prop: bad y", ".model m\n# prop: bad y\n.inputs a\n.outputs y\n" + rest},
		{".model m\n.inputs a\n.outputs y\n.names a y\n1 1 # prop: bad y\n.end\n", "# prop: bad y", ".model m\n.inputs a\n.outputs y\n.names a y\n# prop: bad y\n1 1\n.end\n"},
		{".model m\n.inputs a\n# Prop: bad y\n.outputs y\n" + rest, "# Prop:", ".model m\n.inputs a\n# prop: bad y\n.outputs y\n" + rest},
		{".model m\n.inputs a\n#PROP : bad y\n.outputs y\n" + rest, "#PROP :", ".model m\n.inputs a\n# prop: bad y\n.outputs y\n" + rest},
		{".model m\n.inputs a\n# prop bad y\n.outputs y\n" + rest, "# prop", ".model m\n.inputs a\n# prop: bad y\n.outputs y\n" + rest},
	} {
		f := blif.Options{}.Parse(source.NewText(test.text))
		if got := bliftest.Places(f, codes.PragmaIgnored); !slices.Equal(got, []string{test.at}) {
			t.Errorf("%q: reported at %q", test.text, got)
			continue
		}
		for _, d := range diagnose.Diagnostics(f) {
			if d.Code != codes.PragmaIgnored {
				continue
			}
			fixes := edit.FixesFor(f, d)
			if len(fixes) != 1 {
				t.Errorf("%q: fixes %v", test.text, fixes)
				continue
			}
			text, err := f.Text().Apply(fixes[0].Edits)
			if err != nil || text.Content() != test.fixed {
				t.Errorf("%q: fixed %q, %v", test.text, text.Content(), err)
			}
			if ps := f.Reparse(text).Properties(); len(ps) != 1 || ps[0].Rule.String() != "# prop: comment" {
				t.Errorf("%q: properties %v", text.Content(), ps)
			}
		}
		fixed, err := f.Text().Apply(edit.FixAll(f))
		if err != nil {
			t.Fatal(err)
		}
		if got := bliftest.Places(f.Reparse(fixed), codes.PragmaIgnored); len(got) != 1 {
			t.Errorf("FixAll of %q hides it: %q", test.text, fixed.Content())
		}
	}
	second := ".model top\n.inputs a\n.outputs y\n.subckt m a=a y=y\n.end\n.model m\n# prop: bad y\n# prop: assume y\n.inputs a\n.outputs y\n" + rest
	if got := bliftest.Places(blif.Options{}.Parse(source.NewText(second)), codes.PragmaIgnored); !slices.Equal(got, []string{"bad"}) {
		t.Errorf("in a model that is not the top: %q", got)
	}
	for _, text := range []string{"# prop: bad y\n", "# properties\n", "## prop: bad y\n", "# propose: x\n", "# Propagate\n"} {
		f := blif.Options{}.Parse(source.NewText(".model m\n.inputs a\n.outputs y\n" + text + rest))
		if got := bliftest.Places(f, codes.PragmaIgnored); len(got) > 0 {
			t.Errorf("%q: reported at %q", text, got)
		}
	}
}

// TestOpenNet checks VTR's open pin: instances may join outputs to it.
func TestOpenNet(t *testing.T) {
	two := ".model two\n.inputs i\n.outputs o p\n.names i o\n1 1\n.names i p\n0 1\n.end\n"
	for _, test := range []struct{ body, want string }{
		{".subckt two i=a o=x p=unconn\n.subckt two i=x o=bad p=unconn\n", "1 inputs"},
		{".names unconn\n0\n.subckt two i=a o=x p=unconn\n.subckt two i=x o=bad p=unconn\n", "1 inputs"},
		{".subckt $_NOT_ A=a Y=unconn\n.subckt $_NOT_ A=a Y=unconn\n.names unconn bad\n1 1\n", "cut undriven-cut"},
		{".names unconn\n0\n.names a unconn\n1 1\n.names unconn bad\n1 1\n", "fault multiple-drivers"},
		{".subckt two i=a o=bad p=u\n.subckt two i=a o=x p=u\n.names u x t\n11 1\n", "bad bad"},
	} {
		f := blif.Options{}.Parse(source.NewText(".model m\n.inputs a\n.outputs bad\n" + test.body + ".end\n" + two))
		if got := summary(f); !strings.Contains(got, test.want) {
			t.Errorf("%q: %s, expected %s", test.body, got, test.want)
		}
		wantError := strings.Contains(test.want, "fault") || strings.Contains(test.body, "p=u\n")
		if got := bliftest.Places(f, codes.DriversMany); (len(got) > 0) != wantError {
			t.Errorf("%q: several drivers at %q", test.body, got)
		}
	}
}

// TestImpliedConstants checks the constants of Yosys that nothing drives, as write_blif -impltf
// leaves them: they have the values that their names say, in each model.
func TestImpliedConstants(t *testing.T) {
	const leaf = ".model leaf\n.inputs i\n.outputs o\n.subckt $_AND_ A=i B=$true Y=o\n.end\n"
	for _, test := range []struct{ body, want string }{
		{".latch $true bad 0\n.subckt $assert A=bad EN=$false\n", "assert bad by formal cell, 1 inputs 1 latches 0 constraints"},
		{".subckt $assert A=$true EN=$true\n.cname z\n", "assert z by formal cell, 1 inputs 0 latches 0 constraints"},
		{"# prop: bad $true\n", "bad $true by # prop: comment, 1 inputs 0 latches 0 constraints"},
		{".subckt leaf i=a o=x\n.subckt leaf i=$true o=y\n.subckt $assert A=y EN=$true\n", "assert y by formal cell, 1 inputs 0 latches 0 constraints"},
		{".subckt $anyseq A=$true\n.subckt $assert A=$true EN=$true\n.cname z\n", "assert z by formal cell, 1 inputs 0 latches 0 constraints"},
		{".subckt $assert A=$undef EN=$true\n.cname z\n", "assert z by formal cell, cut undefined-cut, 2 inputs 0 latches 0 constraints"},
		{".latch a q re $true 0\n.subckt $assert A=q EN=$true\n.cname z\n", "assert z by formal cell, fault clocks"},
		{".names $true\n0\n.subckt $assert A=$true EN=a\n.cname z\n", "assert z by formal cell, 1 inputs 0 latches 0 constraints"},
	} {
		f := blif.Options{}.Parse(source.NewText(".model m\n.inputs a\n.outputs\n" + test.body + ".end\n" + leaf))
		if got := summary(f); got != test.want {
			t.Errorf("%q:\ngot  %s\nwant %s", test.body, got, test.want)
		}
		for _, d := range diagnose.Diagnostics(f) {
			if d.Code == codes.UndrivenSignal || d.Code == codes.PragmaSignal || d.Code == codes.ControlUndriven {
				t.Errorf("%q: %v", test.body, d)
			}
		}
		if ps := f.Properties(); ps[0].Name == "z" && strings.Contains(test.body, "A=$true") {
			fails := flat.Elaborate(f).Circuit.Bads()[0].Lit != circuit.False
			if fails != strings.Contains(test.body, "0\n") {
				t.Errorf("%q: fails is %v", test.body, fails)
			}
		}
	}
	inferred := blif.Options{}.Parse(source.NewText(".model m\n.names a $true bad\n11 1\n.end\n"))
	if got := inferred.Top().Inputs(); !slices.Equal(got, []string{"a"}) {
		t.Errorf("inferred inputs %v", got)
	}
}

// TestOpenInput checks what is said of an input of a cell that nothing joins.
func TestOpenInput(t *testing.T) {
	o := blif.Options{Cells: cells.ReadGenlib("GATE inv 1 O=!a;\n")}
	f := o.Parse(source.NewText(".model m\n.inputs x\n.outputs bad\n.gate inv a= O=bad\n.end\n"))
	cuts := flat.Elaborate(f).LeftOpen(f.Properties()[0].ID).Cuts
	if len(cuts) != 1 || cuts[0].Code != codes.MissingInput || !strings.Contains(cuts[0].Message, "input a of cell inv is not connected") {
		t.Errorf("warnings %v", cuts)
	}
}

// TestNestedInference checks that ports are inferred through models whose own
// ports are inferred, and that models which hold each other end.
func TestNestedInference(t *testing.T) {
	f := blif.Options{}.Parse(source.NewText(".model top\n.subckt leaf i=a o=bad\n.end\n.model leaf\n.latch i o 0\n.end\n"))
	for _, d := range diagnose.Diagnostics(f) {
		t.Errorf("%v", d)
	}
	if got := f.Top(); !slices.Equal(got.Inputs(), []string{"a"}) || !slices.Equal(got.Outputs(), []string{"bad"}) {
		t.Errorf("inputs %v outputs %v", got.Inputs(), got.Outputs())
	}
	f = blif.Options{}.Parse(source.NewText(".model a\n.subckt b i=x o=y\n.end\n.model b\n.subckt a x=i y=o\n.end\n"))
	if got := bliftest.Places(f, codes.Recursion); len(got) == 0 {
		t.Error("models that hold each other are not reported")
	}
	flat.Elaborate(f)
}

// TestInputOfInferredModel checks that no fix writes .inputs where inputs are
// inferred, which would end that for the others.
func TestInputOfInferredModel(t *testing.T) {
	f := blif.Options{}.Parse(source.NewText(".model m\n# prop: bad zz\n.latch a q 0\n.end\n"))
	for _, d := range diagnose.Diagnostics(f) {
		for _, fix := range edit.FixesFor(f, d) {
			if strings.Contains(fix.Title, "inputs") {
				t.Errorf("%v has the fix %q", d, fix.Title)
			}
		}
	}
	if got := bliftest.Places(f, codes.PragmaSignal); len(got) != 1 {
		t.Errorf("reported at %q", got)
	}
}

// TestFreeCells checks the values of $anyseq, $anyconst and $initstate: they are not left open, have no
// clock of their own, and no .gateinit changes how they start.
func TestFreeCells(t *testing.T) {
	const leaf = ".model leaf\n.outputs o\n.subckt $anyconst Y=o\n.end\n"
	const body = ".subckt $anyseq Y[1]=a Y[0]=b\n.gate $anyconst Y[0]=k Y[1]=l\n.subckt $initstate Y=first\n.subckt leaf o=m\n.gateinit k=0\n.gateinit first=0\n" +
		".latch d q fe clk 0\n.names a b k l first m q d\n1111111 1\n"
	f := blif.Options{}.Parse(source.NewText(".model m\n.inputs clk\n.outputs q\n# prop: bad q\n" + body + ".end\n" + leaf))
	linted, err := diagnose.Lint(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range linted {
		t.Errorf("%v", d)
	}
	e := flat.Elaborate(f)
	p := f.Properties()[0].ID
	if open := e.LeftOpen(p); open.Starts > 0 || len(open.Cuts) > 0 {
		t.Errorf("left open: %v", open)
	}
	if fault := e.Fault(p); fault != nil {
		t.Errorf("fault: %v", fault)
	}
	var got []string
	for i := range e.Circuit.Inputs() {
		got = append(got, "input "+e.InputName(i))
	}
	for i, l := range e.Circuit.Latches() {
		got = append(got, fmt.Sprintf("latch %s free %t keeps %t", e.LatchName(i), l.IsFree(), l.Next == l.Lit))
		if name := e.LatchName(i); name == "q" && l.Reset != circuit.False || name == "first" && (l.Reset != circuit.True || l.Next != circuit.False) {
			t.Errorf("%s: %+v", name, l)
		}
	}
	want := "latch k free true keeps true, latch l free true keeps true, latch first free false keeps false, latch q free false keeps false, latch m/o free true keeps true, input a, input b"
	for _, part := range strings.Split(want, ", ") {
		if !slices.ContainsFunc(got, func(s string) bool { return strings.HasPrefix(s, part) }) {
			t.Errorf("no %q in %q", part, got)
		}
	}
	if len(got) != 7 {
		t.Errorf("%q", got)
	}
}
