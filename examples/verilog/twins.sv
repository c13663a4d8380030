// Two equal instances of a counter, which get the same inputs. Expected: they stay equal
// (a_same). The assert inside of the model is refuted at step 3 in both: a.a_low and b.a_low.
module counter2 (
    input  wire       clk,
    input  wire       up,
    output reg  [1:0] value
);
  initial value = 0;
  always @(posedge clk) if (up) value <= value + 1;
  always @* a_low: assert (value < 3);
endmodule

module twins (
    input  wire       clk,
    input  wire       up,
    output wire [1:0] left,
    output wire [1:0] right
);
  counter2 a (.clk(clk), .up(up), .value(left));
  counter2 b (.clk(clk), .up(up), .value(right));
  always @* a_same: assert (left == right);
endmodule
