// A vector that counts its bits from the left: word[0] is the highest. Expected: a_first
// and a_sum hold. a_reach is refuted at step 8.
module upward (
    input  wire       clk,
    input  wire       up,
    output reg  [0:3] word
);
  initial word = 0;
  reg [3:0] plain = 0;
  always @(posedge clk)
    if (up) begin
      word  <= word + 1;
      plain <= plain + 1;
    end
  always @* begin
    a_first: assert (word[0] == plain[3]);
    a_sum:   assert (word == plain);
    a_reach: assert (!word[0]);
  end
endmodule
