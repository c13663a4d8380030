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
  always @(posedge clk or posedge rst) if (rst) q <= 1; else q <= ~q;
  always @(posedge clk) begin p <= a ^ q; s <= ~np; end
  assign y = nq & np & na & s;
  always @* a_y: assert (!y);
endmodule
`
	d := designOf(t, sourceOf("t.sv", text))
	for declared, want := range map[string]string{
		"input a":   "**input** 2 `a`",
		"reg q":     "**latch** # `q`|reset `free`",
		"reg p":     "**latch** # `p`|reset `1`",
		"reg s":     "**latch** # `s`|reset `1`",
		"wire nq":   "**gate** `nq`",
		"wire np":   "**gate** `np`",
		"wire same": "**latch** # `same`|reset `1`",
		"wire na":   "**gate** `na`",
		"wire one":  "**constant** `one`",
	} {
		offset := strings.Index(text, declared) + strings.LastIndex(declared, " ") + 1
		p, err := answers.At(t.Context(), d, offset, 3)
		if err != nil || p.Signal == nil {
			t.Fatalf("%s: %+v, %v", declared, p, err)
		}
		said := append(p.Signal.Sentences(), p.Sentences()...)
		said = slices.DeleteFunc(said, func(x string) bool { return strings.HasPrefix(x, "fan-out") })
		got := strings.Join(said, "|")
		for _, digit := range "0123456789" {
			got = strings.Replace(got, "**latch** "+string(digit), "**latch** #", 1)
		}
		if got != want {
			t.Errorf("%s is %q, want %q", declared, got, want)
		}
	}
}
