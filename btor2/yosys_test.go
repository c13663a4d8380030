package btor2_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"aiglens/btor2"
	"aiglens/circuit"
	"aiglens/internal/peers"
)

// cycles are those of a run of a design, and designsInFile the modules of one file of Verilog.
const (
	cycles        = 8
	designsInFile = 25
)

// withoutOperand is what Yosys 0.23 writes for an operand of no bits, which opt can leave: row 1, negated, which is a sort.
var withoutOperand = regexp.MustCompile(`(?m)^\d+ [us]ext \d+ -1 `)

// TestRandomVerilog has Yosys write random designs as BTOR2, and compares the values of their outputs with those of Icarus; with
// AIGLENS_LONG in 2,000 designs. What Icarus calls x, as after a division by zero, is any value.
func TestRandomVerilog(t *testing.T) {
	peers.Program(t, "yosys")
	peers.Program(t, "iverilog")
	designs := designsInFile
	if os.Getenv("AIGLENS_LONG") != "" {
		designs = 2000
	}
	compared := 0
	for file := range uint64(designs / designsInFile) {
		r := rand.New(rand.NewPCG(33, file))
		var text, script strings.Builder
		dir := t.TempDir()
		fmt.Fprintf(&script, "read_verilog -sv %s; design -save all", filepath.Join(dir, "all.sv"))
		for i := range designsInFile {
			text.WriteString(randomDesign(r, i))
			fmt.Fprintf(&script, "; design -load all; prep -flatten -nordff -top m%d; async2sync; dffunmap; opt_clean; write_btor %s",
				i, filepath.Join(dir, fmt.Sprintf("m%d.btor2", i)))
		}
		var stimuli [cycles][3]uint64
		for k := range stimuli {
			stimuli[k] = [3]uint64{r.Uint64() & 255, r.Uint64() & 63, r.Uint64() & 7}
		}
		if err := os.WriteFile(filepath.Join(dir, "all.sv"), []byte(text.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		if said, err := peers.Yosys(t, script.String()); err != nil {
			t.Fatalf("%v: %s", err, said)
		}
		icarus := inIcarus(t, dir, text.String(), stimuli)
		for i := range designsInFile {
			data, err := os.ReadFile(filepath.Join(dir, fmt.Sprintf("m%d.btor2", i)))
			if err != nil {
				t.Fatal(err)
			}
			if withoutOperand.Match(data) {
				continue
			}
			for at, got := range outputsOf(t, string(data), stimuli) {
				want := icarus[fmt.Sprintf("%d %s", i, at)]
				if compared++; got != want {
					t.Fatalf("file %d, design %d: %s is %s, by Icarus %s\n%s\n%s", file, i, at, got, want, moduleOf(text.String(), i), data)
				}
			}
		}
	}
	if t.Logf("%d values", compared); compared < 3*cycles*designs*9/10 {
		t.Errorf("%d values were compared", compared)
	}
}

func moduleOf(text string, i int) string {
	_, rest, _ := strings.Cut(text, fmt.Sprintf("module m%d(", i))
	body, _, _ := strings.Cut(rest, "endmodule")
	return body
}

// outputsOf simulates the circuit of a text: by cycle and name the bits of each output.
func outputsOf(t *testing.T, text string, stimuli [cycles][3]uint64) map[string]string {
	t.Helper()
	f, e := elaborate(t, text, btor2.Options{})
	m := f.Model()
	c := e.Circuit
	p := circuit.NewParallel(c)
	p.Reset(func(int) uint64 { return 0 })
	all := map[string]string{}
	for k, row := range stimuli {
		inputs := make([]uint64, len(c.Inputs()))
		for _, node := range m.Inputs {
			at := map[string]int{"a": 0, "b": 1, "c": 2}
			word, _ := e.Bits(node)
			if i, ok := at[m.Nodes[node].Symbol]; ok {
				for bit, l := range word {
					inputs[c.InputIndex(l.Var())] = row[i] >> bit & 1
				}
			}
		}
		p.Eval(inputs)
		for _, node := range m.Outputs {
			word, _ := e.BitsOf(m.Nodes[node].Args[0])
			bits := make([]byte, len(word))
			for i, l := range word {
				bits[len(word)-1-i] = '0' + byte(p.Value(l)&1)
			}
			all[fmt.Sprintf("%d %s", k, m.Nodes[node].Symbol)] = string(bits)
		}
		p.Advance()
	}
	return all
}

// inIcarus simulates all designs: by design, cycle and name the bits of each output.
func inIcarus(t *testing.T, dir, text string, stimuli [cycles][3]uint64) map[string]string {
	t.Helper()
	var bench strings.Builder
	bench.WriteString(text + "module bench; reg clk = 0; reg [7:0] a; reg signed [5:0] b; reg [2:0] c;\n")
	for i := range designsInFile {
		fmt.Fprintf(&bench, "wire [11:0] x%d, y%[1]d; wire [5:0] z%[1]d; m%[1]d u%[1]d(clk, a, b, c, x%[1]d, y%[1]d, z%[1]d);\n", i)
	}
	bench.WriteString("initial begin\n")
	for k, row := range stimuli {
		fmt.Fprintf(&bench, "a = %d; b = %d; c = %d; #1;\n", row[0], row[1], row[2])
		for i := range designsInFile {
			for _, name := range []string{"x", "y", "z"} {
				fmt.Fprintf(&bench, "$display(\"%d %d %s=%%b\", %[3]s%[1]d);\n", i, k, name)
			}
		}
		bench.WriteString("clk = 1; #1; clk = 0; #1;\n")
	}
	bench.WriteString("end endmodule\n")
	source, program := filepath.Join(dir, "bench.sv"), filepath.Join(dir, "bench.vvp")
	if err := os.WriteFile(source, []byte(bench.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(context.WithoutCancel(t.Context()), "iverilog", "-g2012", "-s", "bench", "-o", program, source).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	out, err := exec.CommandContext(t.Context(), "vvp", "-n", program).Output()
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for line := range strings.Lines(string(out)) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok {
			all[name] = value
		}
	}
	return all
}

// randomDesign returns a module with registers and a memory, which start with constants.
func randomDesign(r *rand.Rand, number int) string {
	var s strings.Builder
	fmt.Fprintf(&s, "module m%d(input clk, input [7:0] a, input signed [5:0] b, input [2:0] c, output [11:0] x, output signed [11:0] y, output [5:0] z);\n", number)
	fmt.Fprintf(&s, "reg [7:0] p = %d; reg signed [4:0] q = %d; reg [1:0] s = %d;\n", r.IntN(256), r.IntN(16), r.IntN(4))
	fmt.Fprintf(&s, "reg [3:0] mem [0:3]; integer i; initial begin mem[0] = %d; mem[1] = %d; mem[2] = %d; mem[3] = %d; end\n",
		r.IntN(16), r.IntN(16), r.IntN(16), r.IntN(16))
	for _, wire := range []string{"[9:0] e", "signed [6:0] f"} {
		fmt.Fprintf(&s, "wire %s = %s;\n", wire, expression(r, 3, nil))
	}
	more := []string{"e", "f", "mem[s]"}
	for _, register := range []string{"p", "q", "s"} {
		fmt.Fprintf(&s, "always @(posedge clk) if (%s) %s <= %s;\n", expression(r, 1, more), register, expression(r, 3, more))
	}
	fmt.Fprintf(&s, "always @(posedge clk) if (%s) mem[%s] <= %s;\n", expression(r, 1, more), []string{"s", "c[1:0]", "a[7:6]"}[r.IntN(3)], expression(r, 2, more))
	for _, output := range []string{"x", "y", "z"} {
		fmt.Fprintf(&s, "assign %s = %s;\n", output, expression(r, 4, more))
	}
	return s.String() + "endmodule\n"
}

// expression returns one of a depth.
func expression(r *rand.Rand, depth int, more []string) string {
	if depth == 0 || r.IntN(8) == 0 {
		leaves := append([]string{"a", "b", "c", "p", "q", "s", "a[5:2]", "p[3]", "b[4:0]", "$signed(a)", "$unsigned(q)", "4'd9", "-4'sd3", "8'hf0", "1'b1"}, more...)
		return leaves[r.IntN(len(leaves))]
	}
	sub := func() string { return expression(r, depth-1, more) }
	switch r.IntN(8) {
	case 0:
		return fmt.Sprintf("(%s ? %s : %s)", sub(), sub(), sub())
	case 1:
		return fmt.Sprintf("{%s, %s}", sub(), sub())
	case 2:
		return "(" + []string{"~", "-", "!", "&", "|", "^", "~^"}[r.IntN(7)] + "(" + sub() + "))"
	case 3:
		return fmt.Sprintf("(%s %s %s)", sub(), []string{"<<", ">>", "<<<", ">>>"}[r.IntN(4)], []string{"c", "s", "a[3:0]", "p[2:0]", "3"}[r.IntN(5)])
	case 4:
		return fmt.Sprintf("(%s %s %s)", sub(), []string{"<", "<=", ">", ">=", "==", "!="}[r.IntN(6)], sub())
	case 5:
		return fmt.Sprintf("$signed(%s)", sub())
	}
	op, right := []string{"+", "-", "*", "/", "%", "&", "|", "^", "&&", "||"}[r.IntN(10)], sub()
	if op == "/" || op == "%" {
		right = "(" + right + " | 2'sd1)" // by zero gives x, and a condition that is x is false to Icarus
	}
	return fmt.Sprintf("(%s %s %s)", sub(), op, right)
}
