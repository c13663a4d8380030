// An arbiter whose choice is left open: it is free in each step. Expected: a_one holds
// whatever is chosen. a_fair is refuted at step 3: one side is never chosen.
module any_sequence (
    input  wire       clk,
    input  wire       left,
    input  wire       right,
    output wire       grant_left,
    output wire       grant_right
);
  (* anyseq *) reg choice;
  assign grant_left  = left && (!right || choice);
  assign grant_right = right && (!left || !choice);
  reg [1:0] waits = 0;
  always @(posedge clk) waits <= left && !grant_left ? waits + (waits != 3) : 0;
  always @* begin
    a_one:  assert (!(grant_left && grant_right));
    a_fair: assert (waits < 3);
  end
endmodule
