// A counter of one decimal digit. Expected: a_digit and a_carry hold.
// Try: write "count == 10" in the line of "last", and a_digit is refuted at step 10.
module counter (
    input  wire       clk,
    input  wire       clear,
    input  wire       enable,
    output reg  [3:0] count,
    output wire       carry
);
  initial count = 0;
  wire last = count == 9;
  assign carry = enable && last;

  always @(posedge clk)
    if (clear) count <= 0;
    else if (enable) count <= last ? 0 : count + 1;

  reg wrapped = 0;  // there was a carry in the step before
  always @(posedge clk) wrapped <= carry;

  always @* begin
    a_digit: assert (count <= 9);
    a_carry: assert (!wrapped || count == 0);
  end
endmodule
