// Asserts with a label and without: an assert without a label has a name from its line, as line14.
// Expected: the first and the third hold. The second is refuted at step 4, the last at step 7.
module labels (
    input  wire clk,
    input  wire up
);
  reg [2:0] level = 0;
  always @(posedge clk) level <= up ? level + (level != 7) : level - (level != 0);
  reg [2:0] earlier = 0;
  always @(posedge clk) earlier <= level;

  always @* begin
    a_steps: assert (level - earlier <= 3'd1 || earlier - level <= 3'd1);
    assert (level != 4);
    assert (earlier != 7 || level >= 6);
    a_top:   assert (level < 7);
  end
endmodule
