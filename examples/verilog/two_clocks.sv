// A request goes from one clock to another, and its answer comes back: what changes is a bit that
// the other side samples twice. Expected: the receiver has seen all that was sent but for
// the last one (a_behind). a_equal, which has it see that at once, is refuted at step 1.
module two_clocks (
    input  wire       clk_a,
    input  wire       clk_b,
    input  wire       rst_n,
    input  wire       send,
    output reg  [1:0] sent,
    output reg  [1:0] seen
);
  reg toggle = 0;
  reg [1:0] back = 0;
  initial sent = 0;
  always @(posedge clk_a or negedge rst_n)
    if (!rst_n) begin
      toggle <= 0;
      back   <= 0;
      sent   <= 0;
    end else begin
      back <= {back[0], there[2]};
      if (send && toggle == back[1]) begin
        toggle <= !toggle;
        sent   <= sent + 1;
      end
    end

  reg [2:0] there = 0;
  initial seen = 0;
  always @(posedge clk_b or negedge rst_n)
    if (!rst_n) begin
      there <= 0;
      seen  <= 0;
    end else begin
      there <= {there[1:0], toggle};
      if (there[1] != there[2]) seen <= seen + 1;
    end

  always @* begin
    a_behind: assert (sent == seen || sent == seen + 2'd1);
    a_equal:  assert (sent == seen);
  end
endmodule
