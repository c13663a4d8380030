// A memory of four words that begins with any content. One address is watched: it may be
// any, and stays the same. Expected: a_read holds: what is read was written last. a_cleared is
// refuted at step 0, where nothing has been written yet.
module memory (
    input  wire       clk,
    input  wire       write,
    input  wire [1:0] address,
    input  wire [1:0] data,
    output wire [1:0] value
);
  reg [1:0] store [0:3];
  assign value = store[address];
  always @(posedge clk) if (write) store[address] <= data;

  (* anyconst *) reg [1:0] watched;
  reg [1:0] last = 0;
  reg written = 0;
  always @(posedge clk)
    if (write && address == watched) begin
      last    <= data;
      written <= 1;
    end

  always @* begin
    a_read:    assert (!(written && address == watched) || value == last);
    a_cleared: assert (written || address != watched || value == 0);
  end
endmodule
