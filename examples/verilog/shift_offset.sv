// A shift register whose lowest bit has the number 4. Expected: a_past holds: the
// register is what came in. a_ones is refuted at step 4.
module shift_offset (
    input  wire       clk,
    input  wire       in,
    output reg  [7:4] word
);
  initial word = 0;
  reg [3:0] past = 0;
  always @(posedge clk) begin
    word <= {word[6:4], in};
    past <= {past[2:0], in};
  end
  always @* begin
    a_past: assert (word[4] == past[0] && word[7] == past[3]);
    a_ones: assert (word != 4'b1111);
  end
endmodule
