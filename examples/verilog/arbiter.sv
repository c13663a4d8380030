// Four clients ask for one resource. The turn goes round, and a client whose turn it is
// gets it when it asks. Expected: only one client has a grant at a time (the first assert,
// for each client). The second one is refuted for each client, at step 2 for the first and at
// step 1 for the others: a client that has waited may have to wait again.
module arbiter (
    input  wire       clk,
    input  wire [3:0] request,
    output wire [3:0] grant
);
  reg [3:0] turn = 4'b0001;
  assign grant = request & turn;

  // The turn stays with a client as long as it asks.
  always @(posedge clk) if (grant == 0) turn <= {turn[2:0], turn[3]};

  genvar i;
  generate
    for (i = 0; i < 4; i = i + 1) begin : client
      reg waited = 0;
      always @(posedge clk) waited <= request[i] && !grant[i];
      always @* begin
        assert (!grant[i] || grant == 1 << i);
        assert (!(waited && request[i]) || grant[i]);
      end
    end
  endgenerate
endmodule
