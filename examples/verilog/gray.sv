// A Gray code beside the count that it encodes. Expected: at most one bit changes in a step
// (a_one), and the code can be decoded (a_code). a_end is refuted at step 6.
module gray (
    input  wire       clk,
    input  wire       enable,
    output wire [2:0] code
);
  reg [2:0] count = 0;
  assign code = count ^ (count >> 1);
  reg [2:0] earlier = 0;
  always @(posedge clk) begin
    if (enable) count <= count + 1;
    earlier <= code;
  end
  wire [2:0] changed = earlier ^ code;
  always @* begin
    a_one:  assert ((changed & (changed - 3'd1)) == 0);
    a_code: assert (count == {code[2], code[2] ^ code[1], ^code});
    a_end:  assert (code != 3'b101);
  end
endmodule
