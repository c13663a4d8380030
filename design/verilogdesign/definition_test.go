package verilogdesign

import (
	"slices"
	"strings"
	"testing"

	"aiglens/design/answers"
)

// TestFactsOfSignals holds that what is said of a register is said of no wire with its negated value, and
// nothing that only a text with a row for each gate says.
func TestFactsOfSignals(t *testing.T) {
	const text = `module t(input clk, rst, input a, output y);
  reg q;
  reg p = 1;
  reg s = 1;
  wire nq = ~q;
  wire np = ~p;
  wire same = p;
  wire na = ~a;
  wire one = 1;
  reg [4:1] v = 2;
  always @(posedge clk) v <= v + a;
  always @(posedge clk or posedge rst) if (rst) q <= 1; else q <= ~q;
  always @(posedge clk) begin p <= a ^ q; s <= ~np; end
  assign y = nq & np & na & s;
  always @* a_y: assert (!y);
endmodule
`
	d := designOf(t, sourceOf("t.sv", text))
	for declared, want := range map[string]string{
		"input a":   "**input** `a`",
		"reg q":     "**register** `q`|reset `free`",
		"reg p":     "**register** `p`|reset `1`",
		"reg s":     "**register** `s`|reset `1`",
		"wire nq":   "**signal** `nq`",
		"wire np":   "**signal** `np`",
		"wire same": "**signal** `same`|reset `1`",
		"wire na":   "**signal** `na`",
		"wire one":  "**constant** `one`",
		"[4:1] v":   "**bit 1 of register** `v`|reset `0`",
	} {
		offset := strings.Index(text, declared) + strings.LastIndex(declared, " ") + 1
		p, err := answers.At(t.Context(), d, offset, 3)
		if err != nil || p.Signal == nil {
			t.Fatalf("%s: %+v, %v", declared, p, err)
		}
		said := append(p.Signal.Sentences(), p.Sentences()...)
		said = slices.DeleteFunc(said, func(x string) bool { return strings.HasPrefix(x, "fan-out") })
		got := strings.Join(said, "|")
		if got != want {
			t.Errorf("%s is %q, want %q", declared, got, want)
		}
	}
}
