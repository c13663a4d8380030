package main

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"aiglens/internal/peers"
)

// TestRandomVerilog checks random designs, with registers of 1 to 9 bits that have an asynchronous reset, a
// synchronous one or none, some with two clocks, and with wires and ports that negate registers. Every signal of a counterexample has the value of Icarus,
// and what proofs say of words holds in random runs of Icarus.
func TestRandomVerilog(t *testing.T) {
	peers.Program(t, "yosys")
	peers.Program(t, "iverilog")
	designs := 6
	if isLong() {
		designs = 100
	}
	counts := map[string]int{}
	for seed := range uint64(designs) {
		name := fmt.Sprint("random", seed)
		text := randomVerilog(rand.New(rand.NewPCG(91, seed)), name, seed%3 == 2)
		d := &verilogDesign{name: name, path: filepath.Join(t.TempDir(), name+".sv"), dir: t.TempDir()}
		if err := os.WriteFile(d.path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if said, err := peers.Yosys(t, "read_verilog -formal -sv "+d.path+"; prep -top "+name+"; flatten; write_json "+d.file("module.json")); err != nil {
			t.Fatalf("%v: %s\n%s", err, said, text)
		}
		d.readModule(t)
		var facts []string
		answers := answersWith(t, []string{"--facts"}, d.path)[d.path]
		d.bads = make([]string, len(answers))
		for _, a := range answers {
			d.bads[a.Property.Index] = a.Property.Name
			counts[a.Verdict]++
			for _, f := range a.Facts {
				facts = append(facts, f.Text)
				if strings.Contains(strings.Join(f.Latches, " "), "$") {
					counts["facts of what is stored"]++
				}
			}
		}
		d.agreesWithIcarus(t, d.path, counts)
		d.keepsToFacts(t, facts, counts)
		if t.Failed() {
			t.Fatalf("seed %d\n%s", seed, text)
		}
	}
	t.Log(counts)
	if counts["values"] < 30*designs || counts["facts"] < designs || counts["proved"] < designs || counts["runs"] < designs {
		t.Errorf("too little was compared: %v", counts)
	}
}

// TestRegistersBehindResets holds that waves show registers with asynchronous resets as registers, and
// nothing that is stored for them, and that a state graph names what is stored.
func TestRegistersBehindResets(t *testing.T) {
	peers.Program(t, "yosys")
	file, dir := filepath.Join("..", "..", "examples", "verilog", "async_timer.sv"), t.TempDir()
	answersWith(t, []string{"--witness", dir}, file)
	said := func(args ...string) string {
		var out bytes.Buffer
		run(t.Context(), env{stdin: strings.NewReader(""), stdout: &out, stderr: io.Discard}, args)
		return out.String()
	}
	witnesses, err := filepath.Glob(filepath.Join(dir, "*.wit"))
	if err != nil || len(witnesses) != 1 {
		t.Fatal(witnesses, err)
	}
	var registers []string
	for _, m := range regexp.MustCompile(`\$var reg \d+ \S+ (.*) \$end`).FindAllStringSubmatch(said("replay", "--witness", witnesses[0], "--to", "vcd", file), -1) {
		registers = append(registers, m[1])
	}
	slices.Sort(registers)
	if want := []string{"busy", "first", "left [3:0]", "was [3:0]"}; !slices.Equal(registers, want) {
		t.Errorf("the registers are %q, want %q", registers, want)
	}
	if graph := said("draw", "--states", "--property", "a_range", file); !strings.Contains(graph, "$stored(left)=9") {
		t.Errorf("no state has $stored(left)=9:\n%s", graph)
	}
}

// randomVerilog returns a module with asserts. Its clocks are clk, or clk_a and clk_b.
func randomVerilog(r *rand.Rand, name string, severalClocks bool) string {
	var s strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&s, format+"\n", args...) }
	clocks := []string{"clk"}
	if severalClocks {
		clocks = []string{"clk_a", "clk_b"}
	}
	say("module %s (input %s, input rst, input rst_n, input en, input [3:0] in);", name, strings.Join(clocks, ", input "))
	widths := make([]int, 3+r.IntN(3))
	for i := range widths {
		widths[i] = 1 + r.IntN(9)
		signed := ""
		if r.IntN(4) == 0 {
			signed = "signed "
		}
		start := ""
		if r.IntN(2) == 0 {
			start = fmt.Sprintf(" = %d", r.IntN(1<<widths[i]))
		}
		if widths[i] == 1 && r.IntN(2) == 0 {
			say("  reg q%d%s;", i, start)
		} else {
			low := r.IntN(3)
			say("  reg %s[%d:%d] q%d%s;", signed, low+widths[i]-1, low, i, start)
		}
	}
	operand := func(width int) string {
		switch r.IntN(3) {
		case 0:
			return "in"
		case 1:
			return fmt.Sprintf("%d'd%d", width, r.IntN(1<<width))
		}
		return fmt.Sprint("q", r.IntN(len(widths)))
	}
	for i, width := range widths {
		q, value := fmt.Sprint("q", i), r.IntN(1<<width)
		next := ""
		switch most := r.IntN(1 << width); r.IntN(5) {
		case 0, 1: // from the value of the reset up to some other one
			next = fmt.Sprintf("%s == %d'd%d ? %d'd%d : %s + 1'd1", q, width, most, width, value, q)
		case 2: // a ring
			next, value = fmt.Sprintf("%s << 1 | %s >> %d", q, q, width-1), 1
		case 3:
			next = fmt.Sprintf("en ? %s : %s", operand(width), q)
		default:
			next = operand(width) + []string{" + ", " - ", " ^ ", " & ", " | "}[r.IntN(5)] + operand(width)
		}
		clock := clocks[r.IntN(len(clocks))]
		if i < len(clocks) { // a clock of nothing would be none
			clock = clocks[i]
		}
		switch r.IntN(6) {
		case 0:
			say("  always @(posedge %s) %s <= %s;", clock, q, next)
		case 1:
			say("  always @(posedge %s) if (rst) %s <= %d; else %s <= %s;", clock, q, value, q, next)
		case 2, 3:
			say("  always @(posedge %s or posedge rst) if (rst) %s <= %d; else if (en) %s <= %s;", clock, q, value, q, next)
		default:
			say("  always @(posedge %s or negedge rst_n) if (!rst_n) %s <= %d; else %s <= %s;", clock, q, value, q, next)
		}
	}
	for i, width := range widths {
		if r.IntN(2) == 0 {
			say("  wire [%d:0] not%d = ~q%d;", width-1, i, i)
		}
	}
	last := len(widths) - 1
	say("  wire [%d:0] out;\n  %s_part part (%s, rst, ~q%d, out);", widths[last]-1, name, clocks[len(clocks)-1], last)
	if !severalClocks { // else no assumption can be about the first step
		say("  reg first = 1;\n  always @(posedge clk) first <= 0;\n  always @* if (first) assume (rst && !rst_n);")
	}
	for i, width := range widths {
		say("  always @* a_%d: assert (q%d != %d);", i, i, r.IntN(1<<width))
		if r.IntN(2) == 0 {
			say("  always @* b_%d: assert ($unsigned(q%d) <= %d);", i, i, r.IntN(1<<width))
		}
	}
	say("  always @* a_out: assert (out != %d);", r.IntN(1<<widths[last]))
	say("endmodule\nmodule %s_part (input clk, input rst, input [%d:0] d, output [%[2]d:0] not_q);", name, widths[last]-1)
	say("  reg [%d:0] q;\n  assign not_q = ~q;", widths[last]-1)
	say("  always @(posedge clk or posedge rst) if (rst) q <= %d; else q <= d;\nendmodule", r.IntN(1<<widths[last]))
	return s.String()
}

// inIcarus are the forms of facts about words, and what they mean in Verilog.
var inIcarus = []struct {
	form *regexp.Regexp
	says func(found []string) string
}{
	{regexp.MustCompile(`^(\w+) is at (least|most) (-?\d+)$`), func(m []string) string {
		return "dut." + m[1] + map[string]string{"least": " >= ", "most": " <= "}[m[2]] + m[3]
	}},
	{regexp.MustCompile(`^(\w+) is never ([-\d, or]+)$`), func(m []string) string {
		var all []string
		for _, value := range regexp.MustCompile(`-?\d+`).FindAllString(m[2], -1) {
			all = append(all, "dut."+m[1]+" != "+value)
		}
		return strings.Join(all, " && ")
	}},
	{regexp.MustCompile(`^(at most|exactly) one bit of (\w+) is 1$`), func(m []string) string {
		one := fmt.Sprintf("({1'b0, dut.%s} & ({1'b0, dut.%s} - 1)) == 0", m[2], m[2]) // at most
		if m[1] == "exactly" {
			one += " && dut." + m[2] + " != 0"
		}
		return one
	}},
	{regexp.MustCompile(`^(\w+) = (\w+)(?: \+ (\d+))?( modulo \d+)?$`), func(m []string) string {
		if m[3] == "" {
			return "dut." + m[1] + " === dut." + m[2]
		}
		modulo := ""
		if m[4] != "" {
			modulo = " % " + strings.TrimPrefix(m[4], " modulo ")
		}
		return fmt.Sprintf("(64'd0 + $unsigned(dut.%s))%s == (64'd%s + $unsigned(dut.%s))%s", m[1], modulo, m[3], m[2], modulo)
	}},
	{regexp.MustCompile(`^(\w+(?:\[\d+\])?) is always ([01])$`), func(m []string) string { return "dut." + m[1] + " === 1'd" + m[2] }},
}

// keepsToFacts holds facts against random runs of Icarus, with a reset in the first step and at times later.
// Facts about what is stored are left out.
func (d *verilogDesign) keepsToFacts(t *testing.T, facts []string, counts map[string]int) {
	t.Helper()
	var checks strings.Builder
	for _, fact := range facts {
		for _, f := range inIcarus {
			if m := f.form.FindStringSubmatch(fact); m != nil && !strings.Contains(fact, "first") {
				fmt.Fprintf(&checks, "      if (!(%s)) $display(\"wrong: %s\");\n", f.says(m), fact)
				counts["facts"]++
				break
			}
		}
	}
	if checks.Len() == 0 {
		return
	}
	b := d.benchOf(nil)
	var s strings.Builder
	s.WriteString("module bench;\n  integer i;\n  reg clk = 0, clk_a = 1, clk_b = 1, rst, rst_n, en;\n  reg [3:0] in;\n")
	fmt.Fprintf(&s, "  %s dut (%s);\n  initial begin\n    for (i = 0; i < 400; i = i + 1) begin\n      if ($random & 1) clk_a = !clk_a;\n      if ($random & 1) clk_b = !clk_b;\n", d.name, b.ports[2:])
	s.WriteString("      #1 en = $random; in = $random; rst = i == 0 || $urandom % 10 == 0; rst_n = i > 0 && $urandom % 10 != 0;\n")
	for _, bit := range b.starts {
		fmt.Fprintf(&s, "      if (i == 0) dut.%s = $random;\n", bit)
	}
	s.WriteString("      #4;\n" + checks.String() + "      clk = 1;\n      #5 clk = 0;\n    end\n    $finish(0);\n  end\nendmodule\n")
	text := regexp.MustCompile(`(?m)^.*(assert|assume) .*\n`).ReplaceAllString(d.text(t), "")
	for name, content := range map[string]string{"plain.sv": text, "facts.sv": s.String()} {
		if err := os.WriteFile(d.file(name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("iverilog", "-g2012", "-o", "facts.vvp", "facts.sv", "plain.sv")
	cmd.Dir = d.dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s\n%s", err, out, &s)
	}
	out, err := exec.Command("vvp", "-n", d.file("facts.vvp")).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	lines := slices.Compact(slices.Sorted(strings.Lines(string(out))))
	if len(lines) > 0 {
		t.Errorf("%s: Icarus says %s", d.name, strings.Join(lines, ""))
	}
}
