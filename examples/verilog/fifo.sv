// A queue of four words: a memory, two pointers and a count. The memory begins with
// any words. Expected: all three properties hold. fifo_broken.sv has a fault to find.
module fifo (
    input  wire       clk,
    input  wire       push,
    input  wire       pop,
    input  wire [1:0] din,
    output wire [1:0] dout,
    output wire       full,
    output wire       empty
);
  reg [1:0] mem [0:3];
  reg [1:0] head = 0;  // where the next word is read
  reg [1:0] tail = 0;  // where the next word is written
  reg [2:0] count = 0;

  assign full  = count == 4;
  assign empty = count == 0;
  assign dout  = mem[head];
  wire do_push = push && !full;
  wire do_pop  = pop && !empty;

  always @(posedge clk) begin
    if (do_push) begin
      mem[tail] <= din;
      tail <= tail + 1;
    end
    if (do_pop) head <= head + 1;
    count <= count + do_push - do_pop;
  end

  // The word that was written last, as long as it is the only one.
  reg [1:0] only = 0;
  always @(posedge clk) if (do_push) only <= din;

  always @* begin
    a_room:     assert (count <= 4);
    a_pointers: assert (count[1:0] == tail - head);
    a_word:     assert (count != 1 || dout == only);
  end
endmodule
