package verilogdesign

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
)

// TestSimulation holds that registers have the values that a simulation by Icarus gives them, in
// runs with random inputs and starts. The property fails in the last step of every run.
func TestSimulation(t *testing.T) {
	for name, body := range map[string]string{
		"asynchronous reset": `
  reg [3:0] q = 3; reg [2:0] r = 1;
  always @(posedge clk or posedge a) if (a) q <= 9; else q <= q + b;
  always @(posedge clk or negedge b) if (!b) r <= 0; else if (d[0]) r <= r ^ d;`,
		"latch": `
  reg [3:0] q; reg [3:0] s = 0;
  always @* if (a) q = d;
  always @(posedge clk) s <= s + q;`,
		"memory": `
  reg [3:0] m [0:3]; reg [3:0] read = 0; reg [3:0] rom [0:3]; integer i;
  initial for (i = 0; i < 4; i = i + 1) rom[i] = 3 * i;
  always @(posedge clk) begin if (a) m[d[1:0]] <= d; read <= b ? m[d[3:2]] : rom[d[1:0]]; end`,
		"signed": `
  reg signed [3:0] s = -1; reg signed [7:0] product = 0; reg less = 0; reg signed [3:0] shifted = 0;
  always @(posedge clk) begin s <= d; product <= s * $signed(d); less <= s < $signed(d); shifted <= s >>> d[1:0]; end`,
		"cases": `
  reg [2:0] q = 0; reg [3:0] x = 0;
  function [3:0] mirrored(input [3:0] v); integer i; for (i = 0; i < 4; i = i + 1) mirrored[i] = v[3 - i]; endfunction
  always @(posedge clk) begin
    casez (d) 4'b1???: q <= 1; 4'b01??: q <= 2; 4'b001?: q <= 3; default: q <= q + 1; endcase
    x <= {a, b} == 2 ? mirrored(d) : d % 4'd3;
  end`,
		"blocking": `
  reg [3:0] p = 0, q = 0, r = 0; reg [7:4] high = 0; reg [0:3] up = 1;
  always @(posedge clk) begin p = d; q = p + 1; if (a) begin r <= q; p = r; end high[6:5] <= d[1:0]; up[d[1:0]] <= b; end`,
		"instances": `
  wire [3:0] x, y;
  genvar g;
  generate for (g = 0; g < 2; g = g + 1) begin : pair
    reg [1:0] own; always @(posedge clk) own <= own + d[g];
  end endgenerate
  part #(.STEP(3)) one(clk, a, d, x); part two(.clk(clk), .en(x[0]), .d(y), .q(y));`,
		"falling": `
  reg [3:0] q = 0;
  always @(posedge clk) if (a) q <= q + d; else if (b) q <= {q, a};`,
	} {
		t.Run(name, func(t *testing.T) {
			text := fmt.Sprintf(`module part #(parameter STEP = 1)(input clk, input en, input [3:0] d, output reg [3:0] q);
  always @(posedge clk) if (en) q <= d + STEP;
endmodule
module t(input clk, input a, input b, input [3:0] d);%s
  reg [4:0] steps = 0;
  always @(posedge clk) steps <= steps + 1;
  always @* a_end: assert (steps != 20);
endmodule`, body)
			if name == "falling" {
				text = strings.ReplaceAll(text, "posedge clk", "negedge clk")
			}
			d := designOf(t, sourceOf("t.sv", text))
			c := d.Circuit()
			r := rand.New(rand.NewPCG(1, uint64(len(name))))
			values := func(n int) []circuit.Value {
				all := make([]circuit.Value, n)
				for i := range all {
					all[i] = circuit.Value(r.IntN(2))
				}
				return all
			}
			for range 3 {
				run := cert.Trace{Initial: values(len(c.Latches()))}
				for i, l := range c.Latches() {
					if l.Reset != l.Lit {
						run.Initial[i] = circuit.X
					}
				}
				for range 21 {
					run.Inputs = append(run.Inputs, values(len(c.Inputs())))
				}
				bench, err := Testbench(t.Context(), d, d.Properties()[0].ID, run)
				if err != nil {
					t.Fatal(err)
				}
				said, code := simulate(t, string(bench))
				if code != 1 || !strings.HasPrefix(said, "step 20: violated: ") {
					t.Fatalf("exit code %d\n%s\n%s", code, said, bench)
				}
			}
		})
	}
}
