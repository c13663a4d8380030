// A buffer of one place between two handshakes. The surroundings are assumed to keep a
// request until it is taken, with its data. Expected: a_order, a_kept and a_same hold (a_same
// because of what is assumed). a_taken is refuted at step 1: the buffer may be full.
// Try: remove the line of m_data, and a_same is refuted at step 2.
module handshake (
    input  wire       clk,
    input  wire       in_valid,
    input  wire [2:0] in_data,
    output wire       in_ready,
    output reg        out_valid,
    output reg  [2:0] out_data,
    input  wire       out_ready
);
  initial out_valid = 0;
  initial out_data = 0;
  assign in_ready = !out_valid || out_ready;
  always @(posedge clk)
    if (in_ready) begin
      out_valid <= in_valid;
      out_data  <= in_data;
    end

  reg was_waiting = 0, was_taken = 0, was_held = 0;
  reg [2:0] was_data = 0, held = 0;
  always @(posedge clk) begin
    was_waiting <= in_valid && !in_ready;
    was_taken   <= in_valid && in_ready;
    was_data    <= in_data;
    was_held    <= out_valid && !out_ready;
    held        <= out_data;
  end

  always @* begin
    m_valid: assume (!was_waiting || in_valid);
    m_data:  assume (!was_waiting || in_data == was_data);
    a_order: assert (!was_taken || (out_valid && out_data == was_data));
    a_kept:  assert (!was_held || (out_valid && out_data == held));
    a_same:  assert (!was_waiting || in_data == was_data);
    a_taken: assert (!in_valid || in_ready);
  end
endmodule
