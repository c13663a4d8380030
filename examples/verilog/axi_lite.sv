// Two registers of four bits behind the write and read channels of AXI4-Lite, cut down to
// what the handshakes need. Expected: an answer waits until it is taken (a_bstable, a_rstable),
// and a read gives the value of the register (a_value). a_ready is refuted at step 1: nothing
// more is accepted while an answer waits.
module axi_lite (
    input  wire       clk,
    input  wire       awvalid, wvalid, bready, arvalid, rready,
    input  wire       awaddr, araddr,
    input  wire [3:0] wdata,
    output wire       awready, wready, arready,
    output reg        bvalid, rvalid,
    output reg  [3:0] rdata
);
  reg [3:0] r0 = 0, r1 = 0;
  initial bvalid = 0;
  initial rvalid = 0;
  initial rdata = 0;

  // Address and data are taken together, when the last answer is gone.
  wire write = awvalid && wvalid && (!bvalid || bready);
  wire read  = arvalid && (!rvalid || rready);
  assign awready = write;
  assign wready  = write;
  assign arready = read;

  always @(posedge clk) begin
    if (write) begin
      if (awaddr) r1 <= wdata;
      else r0 <= wdata;
      bvalid <= 1;
    end else if (bready) bvalid <= 0;
    if (read) begin
      rdata  <= araddr ? r1 : r0;
      rvalid <= 1;
    end else if (rready) rvalid <= 0;
  end

  // What was promised in the step before.
  reg bwait = 0, rwait = 0, was_read = 0, asked = 0;
  reg [3:0] rheld = 0, expected = 0;
  always @(posedge clk) begin
    bwait    <= bvalid && !bready;
    rwait    <= rvalid && !rready;
    rheld    <= rdata;
    was_read <= read;
    expected <= araddr ? r1 : r0;
    asked    <= arvalid && !arready;
  end

  always @* begin
    a_bstable: assert (!bwait || bvalid);
    a_rstable: assert (!rwait || (rvalid && rdata == rheld));
    a_value:   assert (!was_read || rdata == expected);
    a_ready:   assert (!arvalid || arready);
  end
endmodule
