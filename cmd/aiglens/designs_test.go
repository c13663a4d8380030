package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"aiglens/internal/peers"
)

// TestDesigns sends each design of examples/verilog through Yosys, once with every way to write
// AIGER and BLIF. Each file of a design has the verdicts of examples/verilog/EXPECTED.csv, which were
// found by hand; so do ABC and, where it answers, the SAT solver of Yosys.
func TestDesigns(t *testing.T) {
	peers.Program(t, "yosys")
	peers.Program(t, "berkeley-abc")
	counts := map[string]int{}
	for _, d := range verilogDesigns(t) {
		t.Run(d.name, func(t *testing.T) {
			d.synthesize(t)
			d.nameProperties(t)
			d.hasVerdicts(t, counts)
			d.hasVerdictsInVerilog(t, counts)
			d.agreesWithABC(t, counts)
			d.agreesWithYosys(t, counts)
		})
	}
	t.Log(counts)
	if counts["verdicts"] < 1500 || counts["refuted"] < 450 || counts["verdicts on Verilog"] < 88 || counts["ABC"] < 80 || counts["Yosys"] < 70 {
		t.Errorf("too little was compared: %v", counts)
	}
}

// TestExperimentsInVerilog makes the changes that the comments of the designs suggest.
func TestExperimentsInVerilog(t *testing.T) {
	peers.Program(t, "yosys")
	known := map[string]*verilogDesign{}
	for _, d := range verilogDesigns(t) {
		known[d.name] = d
	}
	experiments := map[string]*verilogDesign{}
	for _, row := range verilogTable(t, "EXPERIMENTS.csv") {
		d := experiments[row[0]]
		if d == nil {
			from := known[strings.TrimSuffix(row[0], ".sv")]
			data, err := os.ReadFile(from.path)
			if err != nil {
				t.Fatal(err)
			}
			comment, _, _ := bytes.Cut(data, []byte("\nmodule"))
			if !bytes.Contains(comment, []byte(`"`+strings.TrimSuffix(row[2], ";")+`"`)) && row[2] != "" {
				t.Errorf("the comment of %s does not suggest %q", row[0], row[2])
			}
			if bytes.Count(data, []byte(row[1])) != 1 {
				t.Fatalf("%s has no or several %q", row[0], row[1])
			}
			d = &verilogDesign{name: from.name, path: filepath.Join(t.TempDir(), row[0]), expected: map[string]expected{}}
			if err := os.WriteFile(d.path, bytes.Replace(data, []byte(row[1]), []byte(row[2]), 1), 0o600); err != nil {
				t.Fatal(err)
			}
			experiments[row[0]] = d
		}
		d.expected[row[3]] = expected{row[4], row[5]}
	}
	for _, d := range experiments {
		d.synthesize(t)
		d.nameProperties(t)
		d.hasVerdicts(t, map[string]int{})
	}
}

// expected is the answer to a property: proved, refuted or, of a cover, reached or never. Of a loop
// the step is "".
type expected struct{ verdict, step string }

// verilogDesign is a design of examples/verilog, and what Yosys makes of it.
type verilogDesign struct {
	name     string // of the file without extension, and of the top module
	path     string
	dir      string              // what Yosys writes
	expected map[string]expected // by property
	properties
	module yosysModule // flattened, before gates are made of it
}

// properties are the names of a design's properties in the order of the files.
type properties struct{ bads, justice, covers []string }

// yosysModule is what write_json says of a module.
type yosysModule struct {
	Ports map[string]struct {
		Direction string
		Bits      []any
	}
	Cells map[string]struct {
		Type        string
		Attributes  struct{ Src string }
		Connections map[string][]any
	}
	Netnames map[string]struct {
		Bits       []any
		Offset     int
		Upto       int
		Attributes map[string]string
	}
}

// verilogTable returns the rows of a table of examples/verilog.
func verilogTable(t *testing.T, name string) [][]string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "examples", "verilog", name))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows[1:]
}

// verilogDesigns returns the designs of examples/verilog with their table.
func verilogDesigns(t *testing.T) []*verilogDesign {
	t.Helper()
	folder, err := filepath.Abs(filepath.Join("..", "..", "examples", "verilog"))
	if err != nil {
		t.Fatal(err)
	}
	rows := verilogTable(t, "EXPECTED.csv")
	files, err := filepath.Glob(filepath.Join(folder, "*.sv"))
	if err != nil {
		t.Fatal(err)
	}
	var all []*verilogDesign
	for _, path := range files {
		d := &verilogDesign{name: strings.TrimSuffix(filepath.Base(path), ".sv"), path: path, expected: map[string]expected{}}
		for _, row := range rows {
			if row[0] == d.name+".sv" {
				d.expected[row[1]] = expected{row[2], row[3]}
			}
		}
		all = append(all, d)
	}
	if len(all) < 27 {
		t.Fatalf("%d designs", len(all))
	}
	return all
}

// gates makes simple gates and flip-flops of a design.
const gates = "opt -full; techmap; opt -fast; dffunmap; simplemap; opt_clean; "

// steps has no register depend on anything but the step: asynchronous resets act on what is behind a
// register, and of several clocks each is an input that is sampled.
func (d *verilogDesign) steps(t *testing.T) string {
	if d.hasSeveralClocks(t) {
		return "clk2fflogic; "
	}
	return "async2sync; dffunmap; "
}

// hasSeveralClocks reports whether a design has clocks beside one that is called clk.
func (d *verilogDesign) hasSeveralClocks(t *testing.T) bool {
	return strings.Contains(d.text(t), "posedge clk_")
}

// aigerWriters are the ways to write AIGER, by the name of the file. Its maps, AIM and YWA, lie
// beside it.
var aigerWriters = map[string]string{
	"zinit.aig":   "-zinit -map AIM -ywmap YWA",
	"symbols.aig": "-zinit -symbols -vmap AIM",
	"free.aig":    "-map AIM",
	"ascii.aag":   "-ascii -symbols -vmap AIM",
	"all.aag":     "-ascii -zinit -symbols -no-startoffset -map AIM -ywmap YWA -I -O -L",
}

// blifWriters are the ways to write BLIF. Those with icells keep flip-flops as cells, whose start
// is then not written.
var blifWriters = map[string]string{
	"plain":        "",
	"attr":         "-attr -cname",
	"iattr":        "-attr -iattr -cname -iname -param",
	"conn":         "-conn",
	"noalias":      "-noalias -unbuf DELAY A Y",
	"vcc":          "-true + vcc -false + gnd -undef + any",
	"implied":      "-impltf",
	"blackbox":     "-blackbox",
	"icells":       "-icells",
	"icells-gates": "-icells -gates -cname -attr -param",
}

// synthesize has Yosys write all files of a design, in one process, and reads what the properties
// are called.
func (d *verilogDesign) synthesize(t *testing.T) {
	t.Helper()
	d.dir = t.TempDir()
	gates := d.steps(t) + gates
	script := "read_verilog -formal -sv " + d.path + "; prep -top " + d.name + "; memory_map -formal; design -save levels; " +
		"flatten; setundef -undriven -anyseq; opt_clean; write_json " + d.file("module.json") + "; write_ilang " + d.file("module.il") + "; " + gates
	for name, options := range blifWriters {
		if strings.HasPrefix(name, "icells") && d.hasSeveralClocks(t) { // those of sampled clocks are no flip-flops of BLIF
			continue
		}
		script += "write_blif " + options + " " + d.file(name+".blif") + "; "
	}
	script += "design -save gates; aigmap; opt_clean; chformal -cover -remove; "
	for name, options := range aigerWriters {
		base := strings.TrimSuffix(d.file(name), filepath.Ext(name))
		script += "write_aiger " + strings.NewReplacer("AIM", base+".aim", "YWA", base+".ywa").Replace(options) + " " + d.file(name) + "; "
	}
	script += "delete -output; opt_clean; write_aiger -I -B -zinit -no-startoffset -map " + d.file("sby.aim") + " -ywmap " + d.file("sby.ywa") + " " + d.file("sby.aig") + "; " +
		"design -load gates; abc -lut 4; opt_clean; write_blif -attr -cname " + d.file("lut.blif") + "; " +
		"design -load levels; " + gates + "write_blif -attr -cname " + d.file("levels.blif")
	if said, err := peers.Yosys(t, script); err != nil {
		t.Fatal(err, said)
	}
	d.readModule(t)
}

// readModule reads the module that Yosys has written.
func (d *verilogDesign) readModule(t *testing.T) {
	t.Helper()
	data, err := os.ReadFile(d.file("module.json"))
	if err != nil {
		t.Fatal(err)
	}
	var written struct{ Modules map[string]yosysModule }
	if err := json.Unmarshal(data, &written); err != nil {
		t.Fatal(err)
	}
	d.module = written.Modules[d.name]
}

func (d *verilogDesign) file(name string) string { return filepath.Join(d.dir, name) }

// propertyOf is what the table, and check of the Verilog itself, call a formal cell: by its label, else
// by its line, and with a number where generate loops make copies. Yosys counts the end of the
// statement before with an assert, so the line is that of its end.
func (d *verilogDesign) propertyOf(cell string) string {
	if !strings.Contains(cell, "$") {
		return strings.ReplaceAll(cell, "/", ".") // instances in BLIF
	}
	_, end, _ := strings.Cut(d.module.Cells[cell].Attributes.Src, "-")
	line, _, _ := strings.Cut(end, ".")
	var copies []int
	for name, c := range d.module.Cells {
		if strings.HasSuffix(c.Attributes.Src, "-"+end) && c.Type == d.module.Cells[cell].Type {
			copies = append(copies, numberOf(name))
		}
	}
	slices.Sort(copies)
	if i := slices.Index(copies, numberOf(cell)); i > 0 {
		return fmt.Sprintf("line%s_%d", line, i+1)
	}
	return "line" + line
}

// numberOf is the number at the end of a name of Yosys' own: 61 of $assert$a.sv:22$61.
func numberOf(cell string) int {
	n, _ := strconv.Atoi(cell[strings.LastIndexByte(cell, '$')+1:])
	return n
}

// nameProperties finds out the order of the properties, which is the same in all files: one of them
// has their names.
func (d *verilogDesign) nameProperties(t *testing.T) {
	t.Helper()
	d.properties = properties{}
	for _, a := range answersOfFiles(t, d.file("attr.blif"))[d.file("attr.blif")] {
		switch a.Property.Kind {
		case "bad":
			d.bads = append(d.bads, d.propertyOf(a.Property.Name))
		case "justice":
			d.justice = append(d.justice, d.propertyOf(a.Property.Name))
		case "cover":
			d.covers = append(d.covers, d.propertyOf(a.Property.Name))
		}
	}
	if n := len(d.bads) + len(d.justice) + len(d.covers); n != len(d.expected) {
		t.Fatalf("%d properties %v, and %v in the table", n, d.properties, d.expected)
	}
}

// hasVerdicts checks every file of a design.
func (d *verilogDesign) hasVerdicts(t *testing.T, counts map[string]int) {
	t.Helper()
	files, err := filepath.Glob(d.file("*"))
	if err != nil {
		t.Fatal(err)
	}
	files = slices.DeleteFunc(files, func(file string) bool { return !slices.Contains([]string{".aig", ".aag", ".blif"}, filepath.Ext(file)) })
	for file, answers := range answersOfFiles(t, files...) {
		found := map[string]bool{}
		for _, a := range answers {
			name := d.nameOf(a)
			want, known := d.expected[name]
			step := ""
			if a.Steps > 0 && a.Loop == nil {
				step = strconv.Itoa(a.Steps - 1)
			}
			switch got := (expected{a.Verdict, step}); {
			case name == "": // what write_aiger -B and -O add
			case !known:
				t.Errorf("%s: %q is not in the table", filepath.Base(file), name)
			case got == want, got.verdict == want.verdict && want.step == "":
				counts[got.verdict]++
			case a.Starts > 0 && a.Verdict != "proved" && strings.Contains(file, "icells"):
				counts["starts not given"]++
			default:
				t.Errorf("%s: %s is %v, want %v", filepath.Base(file), name, got, want)
			}
			if a.Starts > 0 && !strings.Contains(file, "icells") || a.LeftOpen || !a.Checked {
				t.Errorf("%s: %s: left open %t, %d starts, checked %t", filepath.Base(file), name, a.LeftOpen, a.Starts, a.Checked)
			}
			found[name] = true
			counts["verdicts"]++
		}
		wanted := append(slices.Clone(d.bads), d.justice...)
		if filepath.Ext(file) == ".blif" { // AIGER has no covers
			wanted = append(wanted, d.covers...)
		}
		for _, name := range wanted {
			if !found[name] {
				t.Errorf("%s: no answer to %s", filepath.Base(file), name)
			}
		}
	}
}

// hasVerdictsInVerilog checks the design itself: each property is on the line that its name or its
// label says.
func (d *verilogDesign) hasVerdictsInVerilog(t *testing.T, counts map[string]int) {
	t.Helper()
	answers := answersOfFiles(t, d.path)[d.path]
	for _, a := range answers {
		got := expected{verdict: a.Verdict}
		if a.Steps > 0 && a.Loop == nil {
			got.step = strconv.Itoa(a.Steps - 1)
		}
		if want := d.expected[a.Property.Name]; got != want || !a.Checked {
			t.Errorf("%s.sv: %s is %v, checked %t, want %v", d.name, a.Property.Name, got, a.Checked, want)
		}
		counts["verdicts on Verilog"]++
	}
	if len(answers) != len(d.expected) {
		t.Errorf("%d answers, want %d", len(answers), len(d.expected))
	}
}

// nameOf returns what the table calls the property of an answer; "" for one that Yosys has added.
func (d *verilogDesign) nameOf(a jsonAnswer) string {
	names := d.bads
	switch {
	case a.Property.Kind == "cover":
		names = d.covers
	case a.Property.Kind == "justice":
		names = d.justice
	}
	if a.Property.Index >= len(names) {
		return ""
	}
	return names[a.Property.Index]
}

// answersOfFiles checks files without a cache and returns the answers by file, in their order.
func answersOfFiles(t *testing.T, files ...string) map[string][]jsonAnswer {
	t.Helper()
	return answersWith(t, nil, files...)
}

// answersWith is answersOfFiles with further flags.
func answersWith(t *testing.T, flags []string, files ...string) map[string][]jsonAnswer {
	t.Helper()
	var out bytes.Buffer
	run(t.Context(), env{stdin: strings.NewReader(""), stdout: &out, stderr: io.Discard}, slices.Concat([]string{"check", "--no-cache", "--no-vacuity", "--format", "json"}, flags, files))
	all := map[string][]jsonAnswer{}
	for lines := json.NewDecoder(&out); lines.More(); {
		var a jsonAnswer
		if err := lines.Decode(&a); err != nil {
			t.Fatal(err)
		}
		all[a.File] = append(all[a.File], a)
	}
	for _, file := range files {
		if len(all[file]) == 0 {
			t.Errorf("no answer for %s", file)
		}
	}
	return all
}

var (
	answersOfPDR  = regexp.MustCompile(`All = (\d+)\. Proved = (\d+)\. Disproved = (\d+)`)
	refutedByPDR  = regexp.MustCompile(`Output (\d+) was asserted in frame`)
	answersOfBMC3 = regexp.MustCompile(`Status = -?\d+ .*`)
	refutedByBMC3 = regexp.MustCompile(`CEX: .* Frame = +(\d+)`)
)

// agreesWithABC compares with ABC: pdr proves or refutes all properties, bmc3 finds for each a shortest
// counterexample of up to 12 steps.
func (d *verilogDesign) agreesWithABC(t *testing.T, counts map[string]int) {
	t.Helper()
	if len(d.bads) == 0 {
		return
	}
	begin := "read_aiger " + d.file("sby.aig") + "; fold; "
	script := begin + "pdr -a; "
	for k := range d.bads {
		script += begin + fmt.Sprintf("cone -s -O %d; strash; bmc3 -F 12; print_status; ", k)
	}
	said, err := peers.ABC(t, script)
	if err != nil {
		t.Fatal(err)
	}
	got := make([]expected, len(d.bads))
	for i := range got {
		got[i].verdict = "proved"
	}
	for _, m := range refutedByPDR.FindAllStringSubmatch(said, -1) {
		k, err := strconv.Atoi(m[1])
		if err != nil {
			t.Fatal(err)
		}
		got[k].verdict = "refuted"
	}
	refuted := 0
	for k, line := range answersOfBMC3.FindAllString(said, -1) {
		if m := refutedByBMC3.FindStringSubmatch(line); m != nil {
			got[k].step = m[1]
			refuted++
		}
	}
	if m := answersOfPDR.FindStringSubmatch(said); m == nil || m[1] != strconv.Itoa(len(got)) || m[2] != strconv.Itoa(len(got)-refuted) || m[3] != strconv.Itoa(refuted) {
		t.Fatalf("ABC says %s", said)
	}
	for i, name := range d.bads {
		if got[i] != d.expected[name] {
			t.Errorf("%s is %v by ABC, want %v", name, got[i], d.expected[name])
		}
		counts["ABC"]++
	}
}

// agreesWithYosys compares with the induction of Yosys' command sat, which has no answer to many.
func (d *verilogDesign) agreesWithYosys(t *testing.T, counts map[string]int) {
	t.Helper()
	script := "read_ilang " + d.file("module.il") + "; delete t:$cover; " + d.steps(t) + "design -save m; "
	var cells []string
	for name, c := range d.module.Cells {
		if c.Type == "$assert" {
			cells = append(cells, name)
			script += "design -load m; delete t:$assert c:" + name + " %d; tee -o " + d.file(fmt.Sprintf("sat%d", len(cells))) +
				" sat -tempinduct -prove-asserts -set-assumes -maxsteps 12; "
		}
	}
	if len(cells) == 0 {
		return
	}
	if said, err := peers.Yosys(t, script); err != nil {
		t.Fatal(err, said)
	}
	for i, cell := range cells {
		data, err := os.ReadFile(d.file(fmt.Sprintf("sat%d", i+1)))
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		switch said := string(data); {
		case strings.Contains(said, "Failed to import"):
		case strings.Contains(said, "SUCCESS!"):
			got = "proved"
		case strings.Contains(said, "FAIL!"):
			got = "refuted"
		}
		if name := d.propertyOf(cell); got != "" {
			if got != d.expected[name].verdict {
				t.Errorf("%s is %s by sat, want %v", name, got, d.expected[name])
			}
			counts["Yosys"]++
		}
	}
}
