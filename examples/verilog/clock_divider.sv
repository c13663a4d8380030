// A clock divided by three, as an enable and not as a clock: everything steps with clk.
// Expected: the phase stays below three (a_phase), and ticks are three steps apart (a_apart).
// a_range is refuted at step 9.
module clock_divider (
    input  wire       clk,
    output wire       tick,
    output reg  [1:0] seconds
);
  reg [1:0] phase = 0;
  initial seconds = 0;
  assign tick = phase == 2;
  always @(posedge clk) begin
    phase <= tick ? 0 : phase + 1;
    if (tick) seconds <= seconds + 1;
  end

  reg [1:0] since = 3;  // steps since the last tick, up to three
  always @(posedge clk) since <= tick ? 1 : since == 3 ? 3 : since + 1;

  always @* begin
    a_phase: assert (phase != 3);
    a_apart: assert (!tick || since == 3);
    a_range: assert (seconds < 3);
  end
endmodule
