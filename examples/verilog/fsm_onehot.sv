// A pedestrian light with one flip-flop for each state. Expected: it is in one
// state at a time (a_one), and nobody walks while cars drive (a_safe). a_soon is refuted at step 2:
// the button is pressed again.
module fsm_onehot (
    input  wire clk,
    input  wire button,
    output wire drive,
    output wire walk
);
  reg s_drive = 1, s_amber = 0, s_walk = 0, s_clear = 0;
  assign drive = s_drive || s_amber;
  assign walk  = s_walk;

  always @(posedge clk) begin
    s_drive <= (s_drive && !button) || s_clear;
    s_amber <= s_drive && button;
    s_walk  <= s_amber || (s_walk && button);
    s_clear <= s_walk && !button;
  end

  always @* begin
    a_one:  assert (s_drive + s_amber + s_walk + s_clear == 3'd1);
    a_safe: assert (!(walk && drive));
    a_soon: assert (!(s_walk && button));
  end
endmodule
