// A timer whose reset acts at once, without waiting for the clock, and is active at 0. Expected:
// it counts from nine down to zero, and is busy until then (a_range, a_idle, a_down). a_step
// forgets the reset, and is refuted at step 7.
module async_timer (
    input  wire       clk,
    input  wire       rst_n,
    input  wire       start,
    output reg  [3:0] left,
    output reg        busy
);
  always @(posedge clk or negedge rst_n)
    if (!rst_n) begin
      left <= 0;
      busy <= 0;
    end else if (busy) begin
      left <= left - 1;
      busy <= left != 1;
    end else if (start) begin
      left <= 9;
      busy <= 1;
    end

  reg first = 1;
  reg [3:0] was = 0;  // left in the step before
  always @(posedge clk) begin
    first  <= 0;
    was   <= left;
  end

  always @* begin
    if (first) assume (!rst_n);
    a_range: assert (left <= 9);
    a_idle:  assert (busy == (left != 0));
    a_down:  assert (was != 5 || left == 4 || left == 0);
    a_step:  assert (was != 5 || left == 4);
  end
endmodule
