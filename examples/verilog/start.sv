// A register without an initial value is reset in the first step, and in no other one.
// $initstate is 1 there. Simulators do not know it, so they get a flip-flop in its place.
// Expected: a_range holds. a_first is refuted at step 0: the register may begin with any value.
module start (
    input  wire       clk,
    input  wire       in,
    output reg  [1:0] count
);
`ifdef YOSYS
  wire first = $initstate;
`else
  reg first = 1;
  always @(posedge clk) first <= 0;
`endif
  always @(posedge clk)
    if (first) count <= 0;
    else if (in && count < 2) count <= count + 1;
  always @* begin
    a_range: assert (first || count <= 2);
    a_first: assert (count <= 2);
  end
endmodule
