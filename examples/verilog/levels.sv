// A hierarchy of three levels: a lock with two dials, each dial a ring of its own.
// Expected: each ring keeps its one mark (a.r.a_one, b.r.a_one). a_open is refuted at step 3:
// the counterexample is the combination.
module ring (
    input  wire       clk,
    input  wire       turn,
    output reg  [3:0] mark
);
  initial mark = 4'b0001;
  always @(posedge clk) if (turn) mark <= {mark[2:0], mark[3]};
  always @* a_one: assert (mark == 1 || mark == 2 || mark == 4 || mark == 8);
endmodule

module dial (
    input  wire       clk,
    input  wire       turn,
    input  wire [1:0] goal,
    output wire       hit
);
  wire [3:0] mark;
  ring r (.clk(clk), .turn(turn), .mark(mark));
  assign hit = mark[goal];
endmodule

module levels (
    input  wire clk,
    input  wire turn_a,
    input  wire turn_b,
    output wire open
);
  wire hit_a, hit_b;
  dial a (.clk(clk), .turn(turn_a), .goal(2'd3), .hit(hit_a));
  dial b (.clk(clk), .turn(turn_b), .goal(2'd1), .hit(hit_b));
  assign open = hit_a && hit_b;
  always @* a_open: assert (!open);
endmodule
