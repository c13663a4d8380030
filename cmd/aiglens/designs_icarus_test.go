package main

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"aiglens/internal/peers"
	"aiglens/internal/wave/wavetest"
)

// TestDesignsInIcarus simulates the counterexample of each property of examples/verilog, as a VCD, with
// Icarus on the Verilog that the circuit was made of: every signal has the same value in every step, no
// assumption fails, and the assert fails in the last step and in none before. So does the test bench that
// replay writes of it.
func TestDesignsInIcarus(t *testing.T) {
	peers.Program(t, "yosys")
	peers.Program(t, "iverilog")
	counts := map[string]int{}
	for _, d := range verilogDesigns(t) {
		t.Run(d.name, func(t *testing.T) {
			d.synthesize(t)
			d.nameProperties(t)
			for _, file := range []string{"attr.blif", "levels.blif", "lut.blif", "zinit.aig", "all.aag", "symbols.aig", "free.aig"} {
				d.agreesWithIcarus(t, d.file(file), counts)
			}
			waves := d.agreesWithIcarus(t, d.path, counts)
			if d.hasSeveralClocks(t) { // a test bench drives one
				return
			}
			for _, w := range waves {
				d.failsAsTestbench(t, w, counts)
			}
		})
	}
	t.Log(counts)
	if counts["runs"] < 250 || counts["asserts"] < 240 || counts["test benches"] < 30 || counts["values"] < 15000 {
		t.Errorf("too little was compared: %v", counts)
	}
}

// waveform is a counterexample: the values of each bit by name, a byte for each step.
type waveform struct {
	answer  jsonAnswer
	witness string // a file
	steps   int
	values  map[string]string
}

// waveformsOf returns the counterexamples of a file as replay writes them in VCD. What may have any
// value is 0.
func (d *verilogDesign) waveformsOf(t *testing.T, file string) []waveform {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "witnesses")
	var all []waveform
	for _, a := range answersWith(t, []string{"--witness", dir}, file)[file] {
		if a.Steps == 0 || a.Property.Kind == "cover" { // a cover has no witness
			continue
		}
		found, err := filepath.Glob(filepath.Join(dir, fmt.Sprintf("*.%s%d.wit", a.Property.Kind, a.Property.Index)))
		if err != nil || len(found) != 1 {
			t.Fatalf("%v %v: witnesses %v", err, a.Property, found)
		}
		data, err := os.ReadFile(found[0])
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(found[0], bytes.ReplaceAll(data, []byte("x"), []byte("0")), 0o600); err != nil {
			t.Fatal(err)
		}
		var vcd, said bytes.Buffer
		run(t.Context(), env{stdin: strings.NewReader(""), stdout: &vcd, stderr: &said}, []string{"replay", "--witness", found[0], "--to", "vcd", "--nets", file})
		w := waveform{answer: a, witness: found[0], values: map[string]string{}}
		times := regexp.MustCompile(`(?m)^#(\d+)$`).FindAllStringSubmatch(vcd.String(), -1)
		if len(times) == 0 {
			t.Fatalf("%s: %s", file, &said)
		}
		w.steps, _ = strconv.Atoi(times[len(times)-1][1])
		values, err := wavetest.ReadVCD(vcd.String(), w.steps)
		if err != nil {
			t.Fatal(err)
		}
		for name, bits := range values {
			name, _ = strings.CutPrefix(name, "run.")
			first, _, _ := strings.Cut(name, ".")
			if first == "properties" || first == "constraints" || strings.ContainsAny(name, "$:!") || strings.Trim(name, "0123456789") == "" {
				continue // names of Yosys, a start, an inverted latch, a literal
			}
			w.values[d.inVerilog(file, name)] = bits
		}
		all = append(all, w)
	}
	return all
}

// failsAsTestbench simulates the test bench of a counterexample, which fails in the same step.
func (d *verilogDesign) failsAsTestbench(t *testing.T, w waveform, counts map[string]int) {
	t.Helper()
	var written, said bytes.Buffer
	run(t.Context(), env{stdin: strings.NewReader(""), stdout: &written, stderr: &said}, []string{"replay", "--witness", w.witness, "--to", "verilog", d.path})
	if w.answer.Property.Kind != "bad" {
		if !strings.Contains(said.String(), "does not end") {
			t.Errorf("%s: %s", w.answer.Property.Name, &said)
		}
		return
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "testbench.sv"), written.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	compile := exec.Command("iverilog", "-g2012", "-o", "simulation", "testbench.sv")
	compile.Dir = dir
	if out, err := compile.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s%s", err, out, &said)
	}
	out, err := exec.Command("vvp", "-N", filepath.Join(dir, "simulation")).CombinedOutput()
	if want := fmt.Sprintf("step %d: violated: ", w.steps-1); err == nil || !strings.HasPrefix(string(out), want) {
		t.Errorf("the test bench of %s says %s, %v; want %s", w.answer.Property.Name, out, err, want)
	}
	counts["test benches"]++
}

// agreesWithIcarus simulates the counterexamples of a file, and returns them.
func (d *verilogDesign) agreesWithIcarus(t *testing.T, file string, counts map[string]int) []waveform {
	t.Helper()
	waves := d.waveformsOf(t, file)
	if len(waves) == 0 {
		return nil
	}
	b := d.benchOf(waves)
	b.observesAll(t, d, file)
	b.compile(t, d)
	for _, w := range waves {
		name := d.nameOf(w.answer)
		observed, failures := b.simulate(t, w)
		for i, signal := range b.observed {
			want, known := w.values[signal]
			for step := 0; known && step < w.steps; step++ {
				if got := observed[step][i]; got != want[step] {
					t.Errorf("%s, %s: %s is %c in step %d, and %c by Icarus", filepath.Base(file), name, signal, want[step], step, got)
				}
				counts["values"]++
			}
		}
		d.failsAtLast(t, w, name, failures, counts)
		counts["runs"]++
	}
	return waves
}

// failsAtLast checks which asserts and assumptions fail in a run.
func (d *verilogDesign) failsAtLast(t *testing.T, w waveform, name string, failures []failure, counts map[string]int) {
	t.Helper()
	source := strings.Split(d.text(t), "\n")
	line, scope := d.placeOf(name)
	var at []int
	for _, f := range failures {
		if strings.Contains(source[f.line-1], "assume") {
			t.Errorf("%s: the assumption of line %d fails in step %d", name, f.line, f.step)
		}
		if f.line == line && strings.HasSuffix(f.scope, scope) {
			at = append(at, f.step)
		}
	}
	if w.answer.Property.Kind != "bad" {
		return
	}
	if !slices.Equal(at, []int{w.steps - 1}) {
		t.Errorf("%s fails in steps %v by Icarus, want %d; all: %v", name, at, w.steps-1, failures)
	}
	counts["asserts"]++
}

// placeOf returns the line of an assert and the end of its scope's name.
func (d *verilogDesign) placeOf(property string) (line int, scope string) {
	var number int
	if n, _ := fmt.Sscanf(property, "line%d_%d", &line, &number); n > 0 {
		if _, hasCopies := d.expected[fmt.Sprintf("line%d_2", line)]; hasCopies {
			scope = fmt.Sprintf("[%d]", max(number, 1)-1)
		}
		return line, scope
	}
	src := d.module.Cells[property].Attributes.Src
	line, _ = strconv.Atoi(regexp.MustCompile(`:(\d+)\.`).FindStringSubmatch(src[strings.LastIndexByte(src, '|')+1:])[1])
	path := strings.Split("dut."+property, ".")
	return line, "." + strings.Join(path[:len(path)-1], ".")
}

func (d *verilogDesign) text(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile(d.path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// icarusBench is a test bench for runs of a design. It reads what it sets from a file and prints what
// it sees.
type icarusBench struct {
	inputs   []string // bits of the ports
	free     []string // bits of $anyconst and $anyseq: set in each step
	starts   []string // bits without an initial value: set in the first step
	observed []string // bits that are compared
	dir      string
	ports    string
}

// benchOf makes a bench for runs that have the same signals.
func (d *verilogDesign) benchOf(waves []waveform) *icarusBench {
	b := &icarusBench{dir: d.dir}
	for _, name := range slices.Sorted(maps.Keys(d.module.Ports)) {
		p := d.module.Ports[name]
		if p.Direction != "input" {
			continue
		}
		b.ports += fmt.Sprintf(", .%s(%s)", name, name)
		if name != "clk" {
			b.inputs = append(b.inputs, d.bitsOf(name, nil)...)
		}
	}
	isFree, isState := map[any]bool{}, map[any]bool{}
	for _, c := range d.module.Cells {
		switch {
		case c.Type == "$anyconst", c.Type == "$anyseq":
			for _, bit := range c.Connections["Y"] {
				isFree[bit] = true
			}
		case strings.Contains(c.Type, "ff"):
			for _, bit := range c.Connections["Q"] {
				isState[bit] = true
			}
		}
	}
	for _, n := range d.module.Netnames {
		for i, bit := range n.Bits {
			if init := n.Attributes["init"]; len(init) > i && init[len(init)-1-i] != 'x' {
				delete(isState, bit)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(d.module.Netnames)) {
		if !strings.Contains(name, "$") {
			b.free = append(b.free, d.bitsOf(name, isFree)...)
			b.starts = append(b.starts, d.bitsOf(name, isState)...)
		}
	}
	for _, w := range waves {
		for name := range w.values {
			if !slices.Contains(b.observed, name) && !strings.HasSuffix("."+name, ".clk") {
				b.observed = append(b.observed, name)
			}
		}
	}
	slices.Sort(b.observed)
	return b
}

// isClock reports whether an input is one of several clocks.
func isClock(input string) bool { return strings.HasPrefix(input, "clk_") }

// inVerilog returns the name of a bit in the source. Maps for AIGER count the bits of a signal
// from its lowest number on, also those of [0:3], or with -no-startoffset from 0 on.
func (d *verilogDesign) inVerilog(file, name string) string {
	at := strings.LastIndexByte(name, '[')
	if strings.HasSuffix(file, "v") || strings.HasSuffix(file, ".blif") || at < 0 {
		return name
	}
	n, isSignal := d.module.Netnames[name[:at]]
	position, err := strconv.Atoi(strings.TrimSuffix(name[at+1:], "]"))
	if err != nil || !isSignal {
		return name
	}
	if filepath.Base(file) != "all.aag" {
		position -= n.Offset
	}
	return d.bitsOf(name[:at], nil)[position]
}

// observesAll checks that no signal is missing, except where ABC has made other logic, and in AIGER
// with maps that lack wires.
func (b *icarusBench) observesAll(t *testing.T, d *verilogDesign, file string) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(d.module.Netnames)) {
		if strings.Contains(name, "$") || strings.HasSuffix("."+name, ".clk") || filepath.Base(file) == "lut.blif" || !strings.HasSuffix(file, ".blif") && !strings.HasSuffix(file, ".sv") {
			continue
		}
		for _, bit := range d.bitsOf(name, nil) {
			if !slices.Contains(b.observed, bit) {
				t.Errorf("%s: no value of %s", filepath.Base(file), bit)
			}
		}
	}
}

// bitsOf names the bits of a signal as Verilog does, or those of a set.
func (d *verilogDesign) bitsOf(name string, among map[any]bool) []string {
	n := d.module.Netnames[name]
	var bits []string
	for i, bit := range n.Bits {
		at := n.Offset + i
		if n.Upto > 0 {
			at = n.Offset + len(n.Bits) - 1 - i
		}
		switch {
		case among != nil && !among[bit]:
		case len(n.Bits) == 1 && n.Offset == 0:
			bits = append(bits, name)
		default:
			bits = append(bits, fmt.Sprintf("%s[%d]", name, at))
		}
	}
	return bits
}

// compile has Icarus compile the bench and the design. Icarus takes no labels; asserts are
// evaluated once a step, at the edge of the clock.
func (b *icarusBench) compile(t *testing.T, d *verilogDesign) {
	t.Helper()
	text := regexp.MustCompile(`\w+\s*:\s*(assert|assume|cover)\b`).ReplaceAllString(d.text(t), "$1")
	text = strings.ReplaceAll(text, "always @*", "always @(posedge bench.clk)")
	var s strings.Builder
	s.WriteString("module bench;\n  reg clk = 0;\n")
	for _, name := range slices.Sorted(maps.Keys(d.module.Ports)) {
		if p := d.module.Ports[name]; p.Direction == "input" && name != "clk" {
			n := d.module.Netnames[name]
			first, last := n.Offset+len(n.Bits)-1, n.Offset
			if n.Upto > 0 {
				first, last = last, first
			}
			rng := fmt.Sprintf("[%d:%d] ", first, last)
			if len(n.Bits) == 1 && n.Offset == 0 {
				rng = ""
			}
			if isClock(name) { // as clk2fflogic starts it: no edge in the first step
				name += " = 1"
			}
			fmt.Fprintf(&s, "  reg %s%s;\n", rng, name)
		}
	}
	bits := len(b.inputs) + len(b.free) + len(b.starts)
	fmt.Fprintf(&s, "  %s dut (%s);\n  reg [0:%d] set [0:4095];\n  integer steps, i;\n  reg [2047:0] file;\n", d.name, b.ports[2:], max(bits, 1)-1)
	s.WriteString("  initial begin\n    i = $value$plusargs(\"file=%s\", file);\n    i = $value$plusargs(\"steps=%d\", steps);\n    $readmemb(file, set);\n")
	s.WriteString("    for (i = 0; i < steps; i = i + 1) begin\n")
	k, rest := 0, 5 // of the time until the clock rises
	for _, input := range b.inputs {
		if isClock(input) != isClock(b.inputs[max(k-1, 0)]) { // an edge takes over what was there before
			s.WriteString("      #1;\n")
			rest--
		}
		fmt.Fprintf(&s, "      %s = set[i][%d];\n", input, k)
		k++
	}
	for _, bit := range b.free {
		fmt.Fprintf(&s, "      dut.%s = set[i][%d];\n", bit, k)
		k++
	}
	for _, bit := range b.starts {
		fmt.Fprintf(&s, "      if (i == 0) dut.%s = set[i][%d];\n", bit, k)
		k++
	}
	fmt.Fprintf(&s, "      #%d $display(\"seen ", rest)
	s.WriteString(strings.Repeat("%b", len(b.observed)) + "\"")
	for _, bit := range b.observed {
		s.WriteString(", dut." + bit)
	}
	s.WriteString(");\n      clk = 1;\n      #5 clk = 0;\n    end\n    $finish(0);\n  end\nendmodule\n")
	for name, content := range map[string]string{"design.sv": text, "bench.sv": s.String()} {
		if err := os.WriteFile(filepath.Join(b.dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("iverilog", "-g2012", "-o", "bench.vvp", "bench.sv", "design.sv")
	cmd.Dir = b.dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

// failure is an assert or assumption that Icarus finds violated.
type failure struct {
	line, step int
	scope      string
}

var failed = regexp.MustCompile(`ERROR: design.sv:(\d+):\s+Time: (\d+) +Scope: (\S+)`)

// simulate returns the values of the observed bits by step, and what fails.
func (b *icarusBench) simulate(t *testing.T, w waveform) (observed []string, failures []failure) {
	t.Helper()
	var set strings.Builder
	for step := range w.steps {
		for _, bit := range slices.Concat(b.inputs, b.free, b.starts) {
			value := byte('0') // the circuit does not have the bit
			if bits, ok := w.values[bit]; ok {
				value = bits[step]
			}
			set.WriteByte(value)
		}
		if len(b.inputs)+len(b.free)+len(b.starts) == 0 {
			set.WriteByte('0')
		}
		set.WriteByte('\n')
	}
	if err := os.WriteFile(filepath.Join(b.dir, "set.txt"), []byte(set.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("vvp", "-n", "bench.vvp", "+file=set.txt", fmt.Sprintf("+steps=%d", w.steps))
	cmd.Dir = b.dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for line := range strings.Lines(string(out)) {
		if values, ok := strings.CutPrefix(line, "seen "); ok {
			observed = append(observed, strings.TrimSpace(values))
		}
	}
	if len(observed) != w.steps || len(observed[0]) != len(b.observed) {
		t.Fatalf("Icarus says %s", out)
	}
	for _, m := range failed.FindAllStringSubmatch(string(out), -1) {
		line, _ := strconv.Atoi(m[1])
		time, _ := strconv.Atoi(m[2])
		failures = append(failures, failure{line, (time - 5) / 10, m[3]})
	}
	return observed, failures
}
