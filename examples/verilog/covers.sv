// A cover asks: can this happen at all? Expected: c_full happens at step 3, c_both never.
// a_level holds.
module covers (
    input  wire clk,
    input  wire in,
    input  wire out
);
  reg [1:0] level = 0;
  wire enter = in && level != 3;
  wire leave = out && level != 0;
  always @(posedge clk) level <= level + enter - leave;
  reg [1:0] earlier = 0;
  always @(posedge clk) earlier <= level;
  always @* begin
    c_full:  cover (level == 3);
    c_both:  cover (level == 0 && leave);
    a_level: assert (earlier != 3 || level >= 2);
  end
endmodule
