// Something happens again and again. It is assumed that the server serves again and again.
// Expected: the wheel comes back to 0 for ever, and no request waits for ever. The last assert is
// refuted by a loop: nothing may be requested at all.
module live (
    input wire clk,
    input wire request,
    input wire serve
);
  reg [1:0] wheel = 0;
  always @(posedge clk) wheel <= wheel + 1;
  reg waiting = 0;
  always @(posedge clk) waiting <= waiting ? !serve : request;

`ifdef FORMAL
  always @* begin
    assume property (s_eventually serve);
    assert property (s_eventually wheel == 0);
    assert property (s_eventually !waiting);
    assert property (s_eventually waiting);
  end
`endif
endmodule
