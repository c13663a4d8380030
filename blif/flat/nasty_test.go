package flat_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"aiglens/blif"
	"aiglens/blif/flat"
	"aiglens/circuit/cert"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
	"aiglens/internal/source"
)

// verdictOf returns the verdict on the first property of a text: proved,
// refuted, or the code of the error that forbids one; after it the codes of
// the warnings that belong to it.
func verdictOf(t *testing.T, f *blif.File) string {
	t.Helper()
	ps := f.Properties()
	if len(ps) == 0 {
		return "no property"
	}
	e := flat.Elaborate(f)
	if fault := e.Fault(ps[0].ID); fault != nil {
		return string(fault.Code)
	}
	r := verify.Run(context.Background(), verify.Job{
		Circuit: e.Circuit, Property: ps[0].ID, Engine: engines.IC3{}.Engine(), Limits: verify.Limits{Wall: 20 * time.Second},
	}, nil)
	words := []string{map[cert.Outcome]string{cert.Proved: "proved", cert.Refuted: "refuted", cert.Unknown: "unknown"}[r.Checked.Outcome()]}
	for _, cut := range e.LeftOpen(ps[0].ID).Cuts {
		words = append(words, string(cut.Code))
	}
	return strings.Join(words, " ")
}

// TestVerdictsByHand expects verdicts that follow from the reference alone.
// Each text is the body of a model with inputs a, b, clk, clk2 and the output
// bad, unless they hold the line .model m.
func TestVerdictsByHand(t *testing.T) {
	const sub = ".end\n.model reg\n.inputs d c\n.outputs q\n.latch d q re c 0\n"
	for _, test := range []struct{ name, text, want string }{
		// Clocks.
		{"constant clock, empty cover", ".names clk g\n.latch a bad re g 0\n", "clocks"},
		{"constant clock, cover that is always true", ".names clk g\n- 1\n.latch a bad re g 0\n", "clocks"},
		{"constant clock, both values", ".names clk g\n0 1\n1 1\n.latch a bad re g 0\n", "clocks"},
		{"constant clock behind a buffer", ".names k\n1\n.names k g\n1 1\n.latch a bad re g 0\n", "clocks"},
		{"inverted clock", ".names clk g\n0 1\n.latch a bad re g 0\n", "refuted"},
		{"inverted clock by an off-set", ".names clk g\n1 0\n.latch a bad re g 0\n", "refuted"},
		{"clock and its inverse", ".names clk g\n0 1\n.latch a q re g 0\n.latch q bad re clk 0\n", "clocks"},
		{"clock with two drivers", ".names clk g\n1 1\n.names clk2 g\n1 1\n.latch a bad re g 0\n", "multiple-drivers"},
		{"driven clock input", ".names a clk\n1 1\n.latch a bad re clk 0\n", "input-driven"},
		{"clock that drives itself", ".names g h\n0 1\n.names h g\n1 1\n.latch a bad re g 0\n", "combinational-cycle"},
		{"clock that is its own inverse", ".names g g\n0 1\n.latch a bad re g 0\n", "combinational-cycle"},
		{"clock that nothing drives", ".latch a bad re ghost 0\n", "control-undriven"},
		{"clock that nothing drives behind a buffer", ".names ghost g\n1 1\n.latch a bad re g 0\n", "undriven-signal"},
		{"clock of a faulty function", ".names clk g\n11 1\n.latch a bad re g 0\n", "cube-width"},
		{"clock pin open", ".subckt reg d=a q=bad\n" + sub, "refuted missing-input"},
		{"clock of a black box", ".subckt pll i=clk o=g\n.latch a bad re g 0\n.end\n.model pll\n.inputs i\n.outputs o\n.blackbox\n", "refuted black-box-cut"},
		{"clock of an unknown model", ".subckt pll i=clk o=g\n.latch a bad re g 0\n", "unknown-model"},
		{"same clock by other names", ".subckt reg d=a c=clk q=x\n.conn clk g\n.subckt reg d=x c=g q=bad\n" + sub, "refuted"},
		{"asynchronous latch", ".latch a bad as clk 0\n", "clocks"},
		{"level latch of the global clock", ".latch a bad ah NIL 0\n", "clocks"},
		{"falling edge of the global clock beside the rising one", ".latch a q fe NIL 0\n.latch q bad 0\n", "refuted"},
		{"latch cell without library", ".mlatch dff D=a Q=bad clk 0\n", "refuted black-box-cut"},

		// Initial values.
		{"starts with 1", ".latch bad bad 1\n", "refuted"},
		{"starts with 0", ".latch bad bad 0\n", "proved"},
		{"don't care", ".latch bad bad 2\n", "refuted"},
		{"unknown", ".latch bad bad 3\n", "refuted"},
		{"no initial value", ".latch bad bad\n", "refuted"},
		{"no initial value after a clock", ".latch bad bad re clk\n", "refuted"},
		{"value of a named gate", ".subckt $_DFF_P_ C=clk D=bad Q=bad\n.gateinit bad=0\n", "proved"},
		{"value of a named gate, 1", ".subckt $_DFF_P_ C=clk D=bad Q=bad\n.gateinit bad=1\n", "refuted"},
		{"flip-flop by pins", ".flop D=bad Q=bad C=clk init=0\n", "proved"},
		{"flip-flop by pins with a reset", ".flop D=bad Q=bad C=clk R=a init=0\n", "refuted black-box-cut"},

		// Covers.
		{"off-set", ".names a b t\n11 0\n.names t a b bad\n111 1\n", "proved"},
		{"off-set that holds everything", ".names a bad\n- 0\n", "proved"},
		{"cover without rows", ".names a b bad\n", "proved"},
		{"same input twice", ".names a a bad\n10 1\n", "proved"},
		{"rows after an annotation", ".names a bad\n.cname f\n1 1\n", "row-stray"},
		{"rows after a latch", ".latch a bad 0\n1 1\n", "row-stray"},
		{"rows of another function in between", ".names a t\n1 1\n.area 3\n0 1\n.names t a bad\n01 1\n", "row-stray"},
		{"don't-care network", ".names a b t\n11 1\n.names t a bad\n10 1\n.exdc\n.inputs a b\n.outputs bad\n.names a bad\n1 1\n", "proved"},
		{"driver in the don't-care network only", ".exdc\n.inputs a b\n.outputs bad\n.names a bad\n0 1\n", "undriven-signal"},
		{"latch in the don't-care network", ".names a t\n1 1\n.names t a bad\n10 1\n.exdc\n.latch a t 0\n", "proved"},

		// Drivers.
		{"driven here and perhaps by an unknown model", ".names a bad\n1 1\n.subckt nowhere i=b o=bad\n", "unknown-model"},
		{"latch, and perhaps an unknown model", ".latch bad bad 0\n.subckt nowhere i=b o=bad\n", "unknown-model"},
		{"after a net that an unknown model may drive", ".latch t t 0\n.names t bad\n1 1\n.subckt nowhere i=t o=z\n", "unknown-model"},
		{"driven here and by position", ".latch bad bad 0\n.subckt reg a clk bad\n" + sub, "pin-without-equals"},
		{"driven here and by an unknown port", ".latch bad bad 0\n.subckt reg d=a c=clk o=bad\n" + sub, "unknown-formal"},
		{"driven here and by an unknown directive", ".latch bad bad 0\n.nmaes a bad\n1 1\n", "unknown-directive"},
		{"driven here and by an instance", ".latch bad bad 0\n.subckt reg d=a c=clk q=bad\n" + sub, "multiple-drivers"},
		{"driven here and by a black box", ".latch bad bad 0\n.subckt box o=bad\n.end\n.model box\n.outputs o\n.blackbox\n", "multiple-drivers"},
		{"read by a black box", ".latch bad bad 0\n.subckt box i=bad\n.end\n.model box\n.inputs i\n.blackbox\n", "proved"},
		{"an unknown model elsewhere", ".latch bad bad 0\n.subckt nowhere i=a o=t\n", "proved"},
		{"two cells of a gate of Yosys", ".latch t t 0\n.subckt $_BUF_ A=t Y=bad\n.subckt $_BUF_ A=a Y=bad\n", "multiple-drivers"},

		// Models.
		{"two models of a name", ".subckt reg d=a c=clk q=bad\n" + sub + ".end\n.model reg\n.inputs d c\n.outputs q\n.latch d q re c 1\n", "model-twice"},
		{"two models of a name that nothing uses", ".latch bad bad 0\n" + sub + ".end\n.model reg\n.inputs d\n.outputs q\n.latch d q 1\n", "model-twice"},
		{"model without body", ".subckt n i=a o=bad\n.end\n.model n\n.inputs i\n.outputs o\n", "undriven-signal"},
		{"output that is an input", ".model m\n.inputs bad\n.outputs bad\n.latch bad q 0\n.end\n", "refuted"},
		{"input that goes through a model", ".model m\n.inputs a\n.outputs bad\n.subckt n i=a o=t\n.names t a bad\n10 1\n.end\n" +
			".model n\n.inputs i\n.outputs o i\n.names i o\n1 1\n.end\n", "proved"},
		{"assumption in a model", ".subckt n i=a\n.names a bad\n1 1\n.end\n.model n\n.inputs i\n# prop: assume j\n.names i j\n0 1\n", "proved"},
		{"assumption of a faulty net", "# prop: assume t\n.names a t\n11 1\n.names a bad\n1 1\n", "cube-width"},
		{"constraint of a net with two drivers", ".constraint t\n.names a t\n1 1\n.names b t\n1 1\n.names a bad\n1 1\n", "multiple-drivers"},

		// State tables.
		{"table with codes and no logic", ".model m\n.inputs x\n.outputs bad\n.start_kiss\n.i 1\n.o 1\n.r A\n- A A 0\n.end_kiss\n" +
			".latch_order q\n.code A 0\n.end\n", "kiss-without-logic"},
		{"table beside logic that says other things", ".model m\n.inputs x\n.outputs bad\n.start_kiss\n.i 1\n.o 1\n.r A\n- A A 1\n.end_kiss\n" +
			".latch_order q\n.code A 0\n.latch q q 0\n.names q bad\n1 1\n.end\n", "proved"},
		{"table beside half of the logic", ".model m\n.inputs x\n.outputs bad\n.start_kiss\n.i 1\n.o 1\n.r A\n- A A 1\n.end_kiss\n" +
			".latch_order q\n.code A 0\n.latch n q 0\n.names q bad\n1 1\n.end\n", "kiss-without-logic"},

		// Which property.
		{"name of a pattern", ".model m\n.inputs a\n.outputs badly assert_x\n.latch assert_x assert_x 1\n.names a badly\n1 1\n.end\n", "proved"},
		{"index of a pattern", ".model m\n.inputs a\n.outputs x bad[3]\n.latch x x 1\n.latch bad[3] bad[3] 0\n.end\n", "proved"},
		{"comment after a directive", ".latch bad bad 0 # prop: bad a\n", "proved"},
		{"comment with words after the signal", ".latch bad bad 0\n# prop: bad bad or a\n", "pragma-syntax"},
		{"comment with a label", ".latch bad bad 0\n# prop: bad bad \"or a\"\n", "proved"},
		{"comment between two models", ".model m\n.inputs a b\n.outputs bad\n.names a bad\n1 1\n.end\n# prop: assume b\n" +
			".model n\n.inputs b\n.outputs o\n.names b o\n1 1\n.end\n", "pragma-syntax"},
		{"comment before the first model", "# prop: bad q\n.model m\n.outputs o\n.latch q q 1\n.latch o o 0\n.end\n", "refuted"},
		{"comment after the last model", ".model m\n.outputs bad\n.latch bad bad 0\n.latch q q 1\n.end\n# prop: bad q\n", "refuted"},
		{"comment that cannot be read", ".latch bad bad 0\n# prop: bat a\n", "pragma-syntax"},
	} {
		text := test.text
		if !strings.Contains(text, ".model m\n") {
			text = ".model m\n.inputs a b clk clk2\n.outputs bad\n" + text + ".end\n"
		}
		if got := verdictOf(t, blif.Options{}.Parse(source.NewText(text))); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}
