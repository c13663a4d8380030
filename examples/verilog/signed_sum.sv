// A sum with a sign that stays between -4 and 3. Expected: a_low and a_high hold.
// a_odd is refuted at step 2: -2 and then -1.
module signed_sum (
    input  wire              clk,
    input  wire signed [1:0] in,
    output reg  signed [3:0] sum
);
  initial sum = 0;
  wire signed [3:0] next = sum + in;
  always @(posedge clk)
    if (next > 3) sum <= 3;
    else if (next < -4) sum <= -4;
    else sum <= next;
  always @* begin
    a_low:  assert (sum >= -4);
    a_high: assert (sum <= 3);
    a_odd:  assert (sum != -3);
  end
endmodule
