package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"aiglens/internal/peers"
)

// shapes has registers and wires of every shape that a word has. The files of Yosys do not tell a
// vector [0:3] from [3:0], nor a register from a wire that is the same.
const shapes = `module inner(input clk, input [1:0] step, output [3:0] next);
  reg [3:0] count = 0;
  assign next = count + step;
  always @(posedge clk) count <= next;
endmodule
module shapes(input clk, input [1:0] step, input up, output reg [7:4] high = 4'b1010, output [4:2] mixed);
  wire [3:0] c;
  reg signed [2:0] value = -1;
  reg one = 1;
  inner u1(clk, step, c);
  assign mixed = {c[0], one, value[0]};
  always @(posedge clk) begin
    high <= high ^ c;
    value <= value + up;
    one <= up ^ value[2];
  end
  always @* assert (high != 4'b0011);
endmodule
`

// TestVariablesOfIcarus compares what a VCD declares with what Icarus declares for the Verilog: kind,
// width, name with indices, scope.
func TestVariablesOfIcarus(t *testing.T) {
	iverilog, vvp := peers.Program(t, "iverilog"), peers.Program(t, "vvp")
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	for name, text := range map[string]string{
		"shapes.sv": shapes,
		"bench.sv": `module bench;
  reg clk, up;
  reg [1:0] step;
  wire [7:4] high;
  wire [4:2] mixed;
  shapes run(clk, step, up, high, mixed);
  initial begin
    $dumpfile("` + in("icarus.vcd") + `");
    $dumpvars(0, run);
    #1 $finish;
  end
endmodule
`} {
		if err := os.WriteFile(in(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if said, err := exec.Command(iverilog, "-g2012", "-o", in("bench"), in("shapes.sv"), in("bench.sv")).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	if said, err := exec.Command(vvp, in("bench")).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	dumped, err := os.ReadFile(in("icarus.vcd"))
	if err != nil {
		t.Fatal(err)
	}
	theirs := variables(string(dumped))
	script := "read_verilog -formal -sv " + in("shapes.sv") + "; prep -top shapes -flatten; techmap; dffunmap; opt_clean; write_blif -attr -cname " + in("shapes.blif") +
		"; aigmap; opt_clean; write_aiger -zinit -ywmap " + in("shapes.ywa") + " -map " + in("shapes.aim") + " " + in("shapes.aig")
	if said, err := peers.Yosys(t, script); err != nil {
		t.Fatal(err, said)
	}
	for _, file := range []string{"shapes.blif", "shapes.aig"} {
		out := filepath.Join(dir, file+".out")
		if code, said, errs := runCommand(t, "check", "--no-cache", "--witness", out, in(file)); code != exitRefuted {
			t.Fatalf("%s: exit %d\n%s%s", file, code, said, errs)
		}
		witnesses, err := filepath.Glob(filepath.Join(out, "*.wit"))
		if err != nil || len(witnesses) != 1 {
			t.Fatalf("%s: witnesses %q, %v", file, witnesses, err)
		}
		ours := variables(exportAs(t, witnesses[0], in(file), "vcd", "--nets"))
		for _, v := range ours {
			if !slices.Contains(theirs, v) {
				t.Errorf("%s: Icarus has no %q", file, v)
			}
		}
		for _, v := range theirs {
			isKept := file == "shapes.blif" || strings.Contains(v, "reg") || !strings.Contains(v, "u1.") && !strings.HasSuffix(v, " c [3:0]")
			if isKept && !slices.Contains(ours, v) {
				t.Errorf("%s: no %q", file, v)
			}
		}
	}
}

// variables returns what a VCD declares but for the clock, properties and what Yosys has named: kind,
// width, scopes, and name with indices.
func variables(vcd string) (all []string) {
	var scopes []string
	for _, line := range strings.Split(vcd, "\n") {
		f := strings.Fields(line)
		switch {
		case len(f) > 2 && f[0] == "$scope":
			scopes = append(scopes, f[2])
		case len(f) > 0 && f[0] == "$upscope":
			scopes = scopes[:len(scopes)-1]
		case len(f) > 5 && f[0] == "$var" && f[4] != "clk" && !strings.Contains(f[4], "$") && !slices.Contains(scopes, "properties"):
			path, _ := strings.CutPrefix(strings.Join(scopes, ".")+".", "bench.")
			all = append(all, strings.Join([]string{f[1], f[2], path, strings.Join(f[4:len(f)-1], " ")}, " "))
		}
	}
	return all
}
