package cells_test

import (
	"strings"
	"testing"

	"aiglens/blif/cells"
	"aiglens/circuit"
)

// TestGenlib reads cells and compares their functions.
func TestGenlib(t *testing.T) {
	lib := cells.ReadGenlib("GATE nand2 2 O=!(a*b); PIN * INV 1 999 1.0 0.2 1.0 0.2\nGATE \"maj\" 3 O=a b+c (a+b);\n" +
		"GATE odd 1 Y=a^b'^!c;\nLATCH dff 8 Q=D; PIN D NONINV 1 999 1 0 1 0\n SEQ Q ANY RISING_EDGE\n CONTROL clk 1 999 1 0 1 0\nGATE broken 1 O=a*;\nGATE one 0 O=CONST1;\n")
	if len(lib.Problems) != 1 || !strings.Contains(lib.Problems[0], "broken") {
		t.Errorf("problems %v", lib.Problems)
	}
	for name, function := range map[string]func(a, b, c bool) bool{
		"nand2": func(a, b, _ bool) bool { return !(a && b) },
		"maj":   func(a, b, c bool) bool { return a && b || c && (a || b) },
		"odd":   func(a, b, c bool) bool { return a != !b != !c },
		"one":   func(bool, bool, bool) bool { return true },
	} {
		cell := lib.Cell(name)
		for i := range 8 {
			in := []circuit.Lit{circuit.Lit(i & 1), circuit.Lit(i >> 1 & 1), circuit.Lit(i >> 2)}
			want := function(in[0] == 1, in[1] == 1, in[2] == 1)
			if got := cell.Build(circuit.NewBuilder(0), in); got == circuit.True != want {
				t.Errorf("%s of %v is %d", name, in, got)
			}
		}
	}
	if !lib.Cell("dff").IsLatch() || lib.Cell("dff").LatchType != "re" {
		t.Errorf("latch %+v", lib.Cell("dff"))
	}
}

// TestYosysCells checks next states of flip-flops with reset and enable.
func TestYosysCells(t *testing.T) {
	for name, next := range map[string]func(d, e, q, r bool) bool{
		"$_DFF_P_":       func(d, _, _, _ bool) bool { return d },
		"$_DFFE_PN_":     func(d, e, q, _ bool) bool { return !e && d || e && q },
		"$_SDFF_PN1_":    func(d, _, _, r bool) bool { return !r || d },
		"$_SDFFE_PP0P_":  func(d, e, q, r bool) bool { return !r && (e && d || !e && q) },
		"$_SDFFCE_PP1N_": func(d, e, q, r bool) bool { return e && q || !e && (r || d) },
	} {
		cell := cells.Builtin(name)
		for i := range 16 {
			pins := map[string]circuit.Lit{"D": circuit.Lit(i & 1), "E": circuit.Lit(i >> 1 & 1), "Q": circuit.Lit(i >> 2 & 1), "R": circuit.Lit(i >> 3)}
			var in []circuit.Lit
			for _, p := range cell.Inputs {
				in = append(in, pins[p])
			}
			want := next(pins["D"] == 1, pins["E"] == 1, pins["Q"] == 1, pins["R"] == 1)
			if got := cell.Build(circuit.NewBuilder(0), in); got == circuit.True != want {
				t.Errorf("%s of %v is %d", name, pins, got)
			}
		}
	}
}
