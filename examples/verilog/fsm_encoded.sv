// A worker that waits for a job, works at it for some steps, and rests. The states are
// encoded, and have names. Expected: a_state and a_timer hold. a_rest is refuted at step 3:
// a worker that is stopped rests with time left.
module fsm_encoded (
    input  wire clk,
    input  wire start,
    input  wire stop,
    output wire busy
);
  typedef enum logic [1:0] {IDLE = 0, WAIT = 1, WORK = 2} state_t;
  state_t state = IDLE;
  reg [2:0] timer = 0;
  assign busy = state != IDLE;

  always @(posedge clk)
    case (state)
      IDLE: if (start) state <= WAIT;
      WAIT: begin
        state <= WORK;
        timer <= 5;
      end
      WORK:
        if (stop || timer == 0) state <= IDLE;
        else timer <= timer - 1;
      default: state <= IDLE;
    endcase

  always @* begin
    a_state: assert (state != 3);
    a_timer: assert (timer <= 5);
    a_rest:  assert (state != IDLE || timer == 0);
  end
endmodule
