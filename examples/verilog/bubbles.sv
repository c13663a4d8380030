// Asserts in a generate loop: four cells that pass a token on, one a step.
// Expected: no stage has a token before its time (the first assert, in each stage). The
// second is refuted at step 6 in each stage.
module bubbles (
    input  wire       clk,
    input  wire       in,
    output wire [3:0] tokens
);
  reg [2:0] age = 0;
  always @(posedge clk) if (age != 7) age <= age + 1;
  genvar i;
  generate
    for (i = 0; i < 4; i = i + 1) begin : stage
      reg token = 0;
      if (i == 0) begin : first
        always @(posedge clk) token <= in;
      end else begin : later
        always @(posedge clk) token <= stage[i-1].token;
      end
      assign tokens[i] = token;
      always @* begin
        assert (!token || age > i);
        assert (!token || age < 6);
      end
    end
  endgenerate
endmodule
