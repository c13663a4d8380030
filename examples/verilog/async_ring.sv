// A ring with one bit that goes around, and two counters that follow it. Their resets act at once,
// without waiting for the clock, and set some bits to 1; the sum has a synchronous reset, and what is
// kept has none. Expected: a_one and a_apart hold. a_kept is refuted at step 4, a_sum at step 5.
module follower #(
    parameter [1:0] START = 0
) (
    input  wire       clk,
    input  wire       rst,
    input  wire       go,
    output reg  [1:0] turns
);
  initial turns = START;
  always @(posedge clk or posedge rst)
    if (rst) turns <= START;
    else if (go) turns <= turns + 1;
endmodule

module async_ring (
    input  wire       clk,
    input  wire       rst,
    input  wire       clear,
    input  wire [2:0] data,
    output reg  [4:0] ring,
    output reg  [2:0] sum,
    output wire [1:0] turns,
    output wire [1:0] ahead
);
  initial ring = 5'b00001;
  always @(posedge clk or posedge rst)
    if (rst) ring <= 5'b00001;
    else ring <= {ring[3:0], ring[4]};

  reg [2:0] kept = 0;
  always @(posedge clk) if (ring[2]) kept <= data;

  initial sum = 0;
  always @(posedge clk)
    if (clear) sum <= 0;
    else sum <= sum + kept;

  follower #(0) behind_one (.clk(clk), .rst(rst), .go(ring[0]), .turns(turns));
  follower #(1) before_one (.clk(clk), .rst(rst), .go(ring[0]), .turns(ahead));
  reg first = 1;
  always @(posedge clk) first <= 0;

  always @* begin
    if (first) assume (rst);
    a_one:   assert (ring == 1 || ring == 2 || ring == 4 || ring == 8 || ring == 16);
    a_apart: assert (ahead - turns == 2'd1);
    a_kept:  assert (kept != 6);
    a_sum:   assert (sum != 5);
  end
endmodule
