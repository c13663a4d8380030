// A limit that may be any value, and stays the same: what is proved holds for all limits.
// Expected: a_limit holds. a_small is refuted at step 5: the limit may be 5 or more.
module any_constant (
    input  wire       clk,
    input  wire       up,
    output reg  [2:0] count
);
  (* anyconst *) reg [2:0] limit;
  initial count = 0;
  always @(posedge clk) if (up && count < limit) count <= count + 1;
  always @* begin
    a_limit: assert (count <= limit);
    a_small: assert (count < 5);
  end
endmodule
