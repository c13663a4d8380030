// A transmitter and a receiver on one line, one clock a bit: a start bit (0), four bits
// from the lowest on, a stop bit (1). Expected: what is received is what was sent.
module uart_tx (
    input  wire       clk,
    input  wire       send,
    input  wire [3:0] data,
    output wire       line,
    output reg  [2:0] left  // bits that are still to be sent
);
  reg [4:0] shift = 5'b11111;
  initial left = 0;
  wire busy = left != 0;
  assign line = shift[0];
  always @(posedge clk)
    if (!busy && send) begin
      shift <= {data, 1'b0};
      left  <= 6;
    end else begin
      shift <= {1'b1, shift[4:1]};
      if (busy) left <= left - 1;
    end
endmodule

module uart_rx (
    input  wire       clk,
    input  wire       line,
    output reg  [3:0] data,
    output reg        valid
);
  reg [2:0] left = 0;
  initial data = 0;
  initial valid = 0;
  always @(posedge clk) begin
    valid <= left == 1 && line;
    if (left == 0) left <= line ? 0 : 5;
    else begin
      left <= left - 1;
      if (left > 1) data <= {line, data[3:1]};
    end
  end
endmodule

module uart (
    input  wire       clk,
    input  wire       send,
    input  wire [3:0] data,
    output wire [3:0] received,
    output wire       valid
);
  wire line;
  wire [2:0] left;
  uart_tx tx (.clk(clk), .send(send), .data(data), .line(line), .left(left));
  uart_rx rx (.clk(clk), .line(line), .data(received), .valid(valid));

  reg [3:0] sent = 0;
  always @(posedge clk) if (send && left == 0) sent <= data;

  always @* begin
    a_left:     assert (left <= 6);
    a_received: assert (!valid || received == sent);
  end
endmodule
