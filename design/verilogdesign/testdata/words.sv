// Registers, wires and statements of every kind that has a name and a place.
module part #(parameter W = 3)(input clk, input rst, input en, output reg [W-1:0] q);
  always @(posedge clk) if (rst) q <= 0; else if (en) q <= q + 1;
`ifdef FORMAL
  always @(posedge clk) if (!rst) assert (q < 6); // unlabelled
`endif
endmodule

module words(input clk, input rst, input a, input b, input [7:4] high, input [0:3] up, output [2:0] x);
  typedef enum logic [1:0] {IDLE = 0, WAIT = 1, WORK = 3} state_t;
  state_t state = IDLE;
  reg signed [3:0] s = -1;
  reg [3:0] memory [0:1];
  wire [2:0] y;
  part u1(.clk(clk), .rst(rst), .en(a), .q(x));
  part u2(.clk(clk), .rst(rst), .en(b), .q(y));
  always @(posedge clk) begin
    s <= s + 1;
    if (a) memory[up[0]] <= high;
    case (state) IDLE: if (a) state <= WAIT; WAIT: if (b) state <= WORK; default: state <= IDLE; endcase
  end
  (* anyconst *) reg [3:0] k;
  reg past = 0;
  always @(posedge clk) past <= 1;
  always @* begin
    if (!past) r: assume (rst);
    a_state: assert (state != 2);
    c_work: cover (state == WORK && memory[1] == k);
    if ($initstate) assert (state == IDLE);
    assert (s != 3);
  end
  always @(posedge clk) begin
    l: assert property (s_eventually state == IDLE);
    f: assume property (s_eventually a);
  end
endmodule
