package verilogdesign

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/design"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
	"aiglens/internal/peers"
)

// simulate compiles test benches with Icarus and returns what the simulation says.
func simulate(t *testing.T, texts ...string) (said string, code int) {
	t.Helper()
	iverilog := peers.Program(t, "iverilog")
	vvp := peers.Program(t, "vvp")
	dir := t.TempDir()
	args := []string{"-g2012", "-o", filepath.Join(dir, "simulation")}
	for i, text := range texts {
		name := filepath.Join(dir, fmt.Sprintf("part%d.sv", i))
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		args = append(args, name)
	}
	if out, err := exec.Command(iverilog, args...).CombinedOutput(); err != nil {
		t.Fatalf("iverilog: %v\n%s\n%s", err, out, texts[0])
	}
	out, err := exec.Command(vvp, "-N", filepath.Join(dir, "simulation")).CombinedOutput()
	if exit, isExit := errors.AsType[*exec.ExitError](err); isExit {
		return string(out), exit.ExitCode()
	} else if err != nil {
		t.Fatal(err)
	}
	return string(out), 0
}

// refuted returns the counterexamples of the bads of a design.
func refuted(t *testing.T, d *design.Design) map[circuit.Property]cert.Trace {
	t.Helper()
	all := map[circuit.Property]cert.Trace{}
	for _, p := range d.Properties() {
		if p.ID.Kind != circuit.PropertyBad {
			continue
		}
		v := verify.Run(t.Context(), verify.Job{Circuit: d.Circuit(), Property: p.ID, Engine: engines.NewAuto()}, nil)
		if v.Checked.Outcome() == cert.Refuted {
			all[p.ID] = v.Checked.Trace()
		}
	}
	return all
}

// TestTestbench holds that each counterexample of some examples fails in a simulation by Icarus, in
// the same step and with the same registers.
func TestTestbench(t *testing.T) {
	compared := 0
	for _, example := range []string{"any_constant", "arbiter", "fifo_broken", "levels", "memory", "shift_offset", "start", "twins", "upward"} {
		name := filepath.Join("..", "..", "examples", "verilog", example+".sv")
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		d := designOf(t, sourceOf(filepath.Base(name), string(data)))
		for id, run := range refuted(t, d) {
			bench, err := Testbench(t.Context(), d, id, run)
			if err != nil {
				t.Errorf("%s: %v: %v", name, id, err)
				continue
			}
			p, _ := d.Property(id)
			want := fmt.Sprintf("step %d: violated: ", run.Steps()-1)
			said, code := simulate(t, string(bench))
			if code != 1 || !strings.HasPrefix(said, want) || !strings.Contains(said, p.Name) {
				t.Errorf("%s: %s: exit code %d\n%s", name, p.Name, code, said)
			}
			compared++
		}
	}
	if compared < 11 {
		t.Errorf("%d counterexamples were simulated", compared)
	}
}

// TestTestbenchParts holds what a source may have around its statements: parts for Yosys alone,
// several instances, free starts, a falling edge, an array, names that need an escape.
func TestTestbenchParts(t *testing.T) {
	for name, text := range map[string]string{
		"formal": `module t(input clk, input a);
  reg [1:0] n = 0;
  always @(posedge clk) n <= n + a;
` + "`ifdef FORMAL" + `
  reg past = 0;
  always @(posedge clk) past <= a;
  (* anyconst *) reg [1:0] k;
  wire [1:0] j = $anyconst;
  initial assume (j != 0);
  a_n: assert property (!(past && n == 2 && k == 1 && j == 2));
` + "`endif" + `
endmodule`,
		"free starts": `module part(input clk, input d, output reg [3:0] q);
  always @(negedge clk) q <= {q[2:0], d};
endmodule
module t(input clk, input [1:0] d, output [3:0] x);
  reg [2:0] memory [0:1];
  wire [3:0] y, z;
  part p(clk, d[0], x);
  part q(.clk(clk), .d(d[1]), .q(y));
  assign z = y;
  always @(negedge clk) memory[d[0]] <= memory[1] + 1;
  assert property (!(x == 5 && z == 10 && memory[0] == 6 && memory[1] == 6));
endmodule`,
		"names": `module t(input clk, input \a+b , input dut, input testbench, input aiglens_failed);
  reg \q.r = 0;
  reg step = 0;
  always @(posedge clk) begin \q.r <= \a+b & dut; step <= testbench ^ aiglens_failed; end
  // Two lines, of which the first has a comment before it.
  always @(posedge clk) /* here */ if (step)
    assert (!(\q.r
      && step));
endmodule`,
		"first step": `module t(input a, input clk);
  reg n;
  always @(posedge clk) n <= $initstate() | a;
  always @* if (!$initstate) assert (n);
endmodule`,
		"statements alone in a process": `module t(input clk, input [1:0] d);
  reg [1:0] q;
  initial /* of the first step */ assume (q == 1);
  initial assert (q == 1);
  always_comb assert (q != 2);
  always_comb
    assume (d != 3);
  if (1) initial cover (q == 1);
  always @(posedge clk) q <= q + d;
endmodule`,
		"asynchronous reset": `module t(input clk, input rst_n, input d);
  reg [3:0] q;
  always @(posedge clk or negedge rst_n) if (!rst_n) q <= 5; else q <= q + d;
  always @(posedge clk) if (rst_n) assert (q != 12);
endmodule`,
		"an array with asynchronous reset": `module part(input clk, input rst, input [1:0] a, input [3:0] x, output [3:0] y);
  reg [3:0] m [0:3];
  integer i;
  always @(posedge clk or posedge rst)
    if (rst) for (i = 0; i < 4; i = i + 1) m[i] <= i;
    else m[a] <= x;
  assign y = m[2];
endmodule
module t(input clk, input rst, input rst_n, input [1:0] a, input [3:0] x, output [3:0] y);
  part p(clk, rst, a, x, y);
  reg [1:0] two [1:2];
  always @(posedge clk or negedge rst_n)
    if (!rst_n) two[2] <= 1;
    else two[2] <= two[2] + x[0];
  reg [1:0] age = 0, \q[0] ;
  always @(posedge clk) if (age != 3) age <= age + 1;
  always @(posedge clk) \q[0] <= \q[0] + 1;
  assert property (!(age == 2 && y == 9 && two[2] == 3 && \q[0] == 3));
endmodule`,
		"an array in its asynchronous reset": `module part(input clk, input rst, input [1:0] a, input [3:0] x, output [3:0] y);
  reg [3:0] m [0:3];
  integer i;
  always @(posedge clk or posedge rst)
    if (rst) for (i = 0; i < 4; i = i + 1) m[i] <= i;
    else m[a] <= x;
  assign y = m[2];
endmodule
module t(input clk, input rst, input rst_n, input [1:0] a, input [3:0] x, output [3:0] y);
  part p(clk, rst, a, x, y);
  reg [1:0] two [1:2];
  always @(posedge clk or negedge rst_n)
    if (!rst_n) two[2] <= 1;
    else two[2] <= two[2] + x[0];
  reg [1:0] age = 0, \q[0] ;
  always @(posedge clk) if (age != 3) age <= age + 1;
  always @(posedge clk) \q[0] <= \q[0] + 1;
  assert property (!(age == 1 && rst && y == 2 && !rst_n && two[2] == 1));
endmodule`,
		"latch": `module t(input clk, input en, input d);
  reg q;
  always @* if (en) q = d;
  always @(posedge clk) assert (en || !q);
endmodule`,
		"past": `module t(input clk, input d);
  reg a = 0;
  always @(negedge clk) a <= d;
  always @(negedge clk) assert (a == $past(d));
endmodule`,
		"no clock": `module t(input [3:0] a, output b);
  assign b = ^a;
  always @* assert (b || a != 9);
endmodule`,
	} {
		t.Run(name, func(t *testing.T) {
			d := designOf(t, sourceOf("t.sv", text))
			all := refuted(t, d)
			if len(all) != 1 {
				t.Fatalf("%d properties are refuted, want 1", len(all))
			}
			for id, run := range all {
				bench, err := Testbench(t.Context(), d, id, run)
				if err != nil {
					t.Fatal(err)
				}
				want := fmt.Sprintf("step %d: violated: ", run.Steps()-1)
				if said, code := simulate(t, string(bench)); code != 1 || !strings.HasPrefix(said, want) {
					t.Errorf("exit code %d\n%s\n%s", code, said, bench)
				}
			}
		})
	}
}

// TestTestbenchLeaves holds that a simulation of another source does not fail, and says where it
// departs from the counterexample.
func TestTestbenchLeaves(t *testing.T) {
	text := "module t(input clk, input a);\n  reg [1:0] n = 0;\n  always @(posedge clk) n <= n + a;\n  always @* assert (n != 2);\nendmodule\n"
	d := designOf(t, sourceOf("t.sv", text))
	for id, run := range refuted(t, d) {
		bench, err := Testbench(t.Context(), d, id, run)
		if err != nil {
			t.Fatal(err)
		}
		other := strings.Replace(string(bench), "n <= n + a", "n <= n ^ a", 1)
		said, code := simulate(t, other)
		if code != 0 || !strings.Contains(said, "step 2: n is 00, and 2'b10 in the counterexample") || !strings.Contains(said, "step 2: not violated: the simulation departs from the counterexample") {
			t.Errorf("exit code %d\n%s", code, said)
		}
	}
}

// TestTestbenchRefused holds the reasons why there is no test bench.
func TestTestbenchRefused(t *testing.T) {
	for text, want := range map[string]string{
		"module t(input c, input d, input a);\n reg p = 0, q = 0;\n always @(posedge c) p <= a;\n always @(posedge d) q <= p;\n assert property (!q);\nendmodule":             "several clocks or edges",
		"module t(input clk);\n wire a = $anyseq;\n assert property (!a);\nendmodule":                                                                                         "simulators do not know $anyseq, in line 2 of t.sv",
		"module t(input clk, input [1:0] a, output reg b);\n always @* case (a) 0: b = 0; 1: b = 1; default: b = 1'bx; endcase\n always @* if (a > 1) assert (b);\nendmodule": "leaves undefined",
		"module t(input clk);\n (* gclk *) reg g;\n reg [1:0] x = 0;\n always @(posedge g) x <= x + 1;\n always @* assert (x != 3);\nendmodule":                               "global clock of formal tools",
		"module t(input clk, inout a);\n assert property (!a);\nendmodule":                                                                                                    "port a is inout",
	} {
		d := designOf(t, sourceOf("t.sv", text))
		all := refuted(t, d)
		if len(all) != 1 {
			t.Errorf("%s: %d properties are refuted, want 1", text, len(all))
		}
		for id, run := range all {
			if _, err := Testbench(t.Context(), d, id, run); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: the error is %v, want %s", text, err, want)
			}
		}
	}
	d := designOf(t, wordsFile(t))
	if _, err := Testbench(t.Context(), d, circuit.Property{Kind: circuit.PropertyJustice}, cert.Trace{}); err == nil {
		t.Error("a live property has a test bench")
	}
}

// TestTestbenchIncluded holds that a statement of an included file is not left in the test bench.
func TestTestbenchIncluded(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "statements.vh"), []byte("\nalways @* a_r: assert (r != 3);\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	const before = "module t(input clk, input [1:0] d);\n  reg [1:0] r = 0;\n  always @(posedge clk) r <= d;\n"
	const include = "`include \"statements.vh\"\n"
	for text, want := range map[string]string{
		before + include + "endmodule\n":                             "in line 2 of statements.vh, which a source includes",
		before + "`ifdef FORMAL\n" + include + "`endif\nendmodule\n": "",
	} {
		d := designOf(t, sourceOf(filepath.Join(folder, "t.sv"), text))
		for id, run := range refuted(t, d) {
			bench, err := Testbench(t.Context(), d, id, run)
			switch {
			case want != "":
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("the error is %v, want %s", err, want)
				}
			case err != nil:
				t.Error(err)
			default:
				if said, code := simulate(t, string(bench)); code != 1 {
					t.Errorf("exit code %d\n%s", code, said)
				}
			}
		}
	}
}
