package verilogdesign

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/design"
	"aiglens/design/words"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
	"aiglens/internal/peers"
	"aiglens/internal/source"
	"aiglens/internal/synthesis"
	"aiglens/internal/yosys"
)

// yosysOf returns what Yosys makes of some sources.
func yosysOf(t *testing.T, sources ...Source) *synthesis.Output {
	t.Helper()
	peers.Program(t, "yosys")
	var r synthesis.Request
	for _, s := range sources {
		r.Files = append(r.Files, synthesis.File{Path: s.Path, Content: s.Text.Content()})
	}
	out, err := synthesis.Run(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func sourceOf(path, text string) Source { return Source{path, source.NewText(text)} }

func wordsFile(t *testing.T) Source {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "words.sv"))
	if err != nil {
		t.Fatal(err)
	}
	return sourceOf("words.sv", string(data))
}

func designOf(t *testing.T, sources ...Source) *design.Design {
	t.Helper()
	s, err := NewSynthesis(sources, yosysOf(t, sources...), "")
	if err != nil {
		t.Fatal(err)
	}
	return New(s, sources[0].Path, false)
}

// placed returns the text of a span, with its line.
func placed(t source.Text, s source.Span) string {
	line, _ := t.LineColumn(s.Start)
	return fmt.Sprintf("%d: %s", line, t.Slice(s))
}

func TestProperties(t *testing.T) {
	d := designOf(t, wordsFile(t))
	var got []string
	for _, p := range d.Properties() {
		got = append(got, fmt.Sprintf("%s %s at %s", p.Statement, p.Name, placed(d.Text, p.Row)))
	}
	want := []string{
		"assert u1.line5 at 5: assert (q < 6)",
		"assert u2.line5 at 5: assert (q < 6)",
		"assert a_state at 27: a_state: assert (state != 2)",
		"cover c_work at 28: c_work: cover (state == WORK && memory[1] == k)",
		"assert line29 at 29: assert (state == IDLE)",
		"assert line30 at 30: assert (s != 3)",
		"live l at 33: l: assert property (s_eventually state == IDLE)",
	}
	if !slices.Equal(got, want) {
		t.Errorf("the properties are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestWords holds that words have the indices, signs and names of values of the source, and that
// registers have the place of their declaration.
func TestWords(t *testing.T) {
	d := designOf(t, wordsFile(t))
	all, err := words.Of(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"high": "7..4 9: high", "up": "0..3 9: up", "u1.q": "2..0 2: q", "u2.q": "2..0 2: q", "x": "2..0 9: x",
		"s": "3..0 signed 12: s", "state": "1..0 IDLE WAIT WORK 11: state", "memory[1]": "3..0 13: memory", "k": "3..0 22: k",
	} {
		w, ok := all.Named(name)
		if !ok {
			t.Errorf("there is no word %s", name)
			continue
		}
		got := fmt.Sprintf("%d..%d ", w.Index(len(w.Bits)-1), w.Low)
		if w.Signed {
			got += "signed "
		}
		for _, v := range w.Values {
			got += v.Name + " "
		}
		if got += placed(d.Text, w.Span); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	latches, inputs := d.ElementNames()
	for _, name := range []string{"s[3]", "state[0]", "u1.q[2]", "memory[0][1]", "past"} {
		if !slices.Contains(latches, name) {
			t.Errorf("no latch is %s: %v", name, latches)
		}
	}
	for _, name := range []string{"high[7]", "up[0]", "a", "rst"} {
		if !slices.Contains(inputs, name) {
			t.Errorf("no input is %s: %v", name, inputs)
		}
	}
	if path, local := d.Scopes("u1.q[2]"); !slices.Equal(path, []string{"u1"}) || local != "q[2]" {
		t.Errorf("u1.q[2] is in %v as %s", path, local)
	}
}

// TestOccurrences holds that a name is found at its declaration and uses, and stands for the signals
// of all instances.
func TestOccurrences(t *testing.T) {
	d := designOf(t, wordsFile(t))
	at := func(text string) int { return strings.Index(d.Text.Content(), text) }
	o, ok := d.OccurrenceAt(at("q <= q + 1"))
	if !ok || o.Role != design.RoleUse || d.Name(o.Lit.Signal()) != "q[0]" {
		t.Fatalf("q is %+v, %v", o, ok)
	}
	var lines []int
	for _, o := range d.Occurrences(o.Lit.Signal()) {
		line, _ := d.Text.LineColumn(o.Span.Start)
		lines = append(lines, line)
	}
	if want := []int{2, 3, 3, 3, 5}; !slices.Equal(lines, want) {
		t.Errorf("q stands in the lines %v, want %v", lines, want)
	}
	if copies := d.Copies(o.Lit, 9); len(copies) != 2 || copies[0].Path != "u1" || copies[1].Path != "u2" || copies[0].Lit == copies[1].Lit {
		t.Errorf("the copies of q are %+v", copies)
	}
	if _, ok := d.LitOf(o.Lit); ok {
		t.Error("q stands for one literal")
	}
	if _, ok := d.OccurrenceAt(at("unlabelled")); ok {
		t.Error("a word of a comment is a signal")
	}
	o, ok = d.OccurrenceAt(at("past <= 1"))
	if lit, sound := d.LitOf(o.Lit); !ok || !sound || d.Names().Literal(lit) != "past" {
		t.Errorf("past is %+v", o)
	}
}

// verdictOf checks a property by its name.
func verdictOf(t *testing.T, d *design.Design, name string) (cert.Outcome, int) {
	t.Helper()
	for _, p := range d.Properties() {
		if p.Name == name {
			v := verify.Run(t.Context(), verify.Job{Circuit: d.Circuit(), Property: p.ID, Engine: engines.NewAuto()}, nil)
			return v.Checked.Outcome(), v.Checked.Trace().Steps() - 1
		}
	}
	t.Fatalf("there is no property %s", name)
	return 0, 0
}

// TestStale holds that a text that differs from the one of the synthesis has no property.
func TestStale(t *testing.T) {
	d := designOf(t, wordsFile(t))
	after := d.Successor(1, source.NewText(d.Text.Content()+"\n"))
	if len(after.Properties()) != 0 || after.WithoutProperties() != "the text has changed since Yosys has read it" {
		t.Errorf("after a change: %v, %s", after.Properties(), after.WithoutProperties())
	}
	if err := after.Elaborate(t.Context()); err == nil {
		t.Error("there is a circuit of another text")
	}
	if back := after.Successor(2, d.Text); len(back.Properties()) != len(d.Properties()) {
		t.Error("the text of the synthesis has no properties again")
	}
}

// TestForeign holds that files of Yosys which do not belong together give no names.
func TestForeign(t *testing.T) {
	file := wordsFile(t)
	out := yosysOf(t, file)
	try := func(what string, change func(o *synthesis.Output)) {
		damaged := *out
		m, n := *out.Map, *out.Netlist
		m.Latches, m.Wires, n.Cells = slices.Clone(m.Latches), slices.Clone(m.Wires), slices.Clone(n.Cells)
		damaged.Map, damaged.Netlist = &m, &n
		change(&damaged)
		if _, err := NewSynthesis([]Source{file}, &damaged, ""); err == nil {
			t.Errorf("%s: names are given", what)
		}
	}
	cell := func(o *synthesis.Output, name string) int {
		for i, c := range o.Netlist.Cells {
			if c.Name == name {
				return i
			}
		}
		t.Fatalf("no cell is %s", name)
		return 0
	}
	try("an assert is missing", func(o *synthesis.Output) {
		i := cell(o, "a_state")
		o.Netlist.Cells = slices.Delete(o.Netlist.Cells, i, i+1)
	})
	try("two asserts are exchanged", func(o *synthesis.Output) {
		c := o.Netlist.Cells
		i, j := cell(o, "a_state"), cell(o, "c_work")
		c[i], c[j] = c[j], c[i]
	})
	try("two latches are exchanged", func(o *synthesis.Output) {
		l := o.Map.Latches
		l[0].Index, l[len(l)-1].Index = l[len(l)-1].Index, l[0].Index
	})
	try("a latch is too many", func(o *synthesis.Output) { o.Map.Latches[0].Index = 1000 })
	try("a latch is inverted", func(o *synthesis.Output) { o.Map.Latches[0].Inverted = true })
	try("no circuit", func(o *synthesis.Output) { o.Circuit = []byte("aig 1") })
}

// TestFiles holds that each file has the properties that stand in it, and that a reset is assumed.
func TestFiles(t *testing.T) {
	top := sourceOf("top.sv", `module top(input clk, input rst_n, input go, output [3:0] n);
  count #(.MAX(9)) c(.clk(clk), .rst_n(rst_n), .go(go), .n(n));
  always @(posedge clk) if (rst_n) a_max: assert (n <= 9);
endmodule
`)
	count := sourceOf("count.v", `module count #(parameter MAX = 3)(input clk, input rst_n, input go, output reg [3:0] n);
  always @(posedge clk)
    if (!rst_n) n <= 0;
    else if (go) n <= n == MAX ? 0 : n + 1;
  always @(posedge clk) if (rst_n) assert (n <= MAX);
endmodule
`)
	out := yosysOf(t, top, count)
	for reset, want := range map[string]cert.Outcome{"": cert.Refuted, "!rst_n": cert.Proved, "rst_n": cert.Refuted} {
		s, err := NewSynthesis([]Source{top, count}, out, reset)
		if err != nil {
			t.Fatal(err)
		}
		for path, names := range map[string][]string{"top.sv": {"a_max"}, "count.v": {"c.line5"}} {
			d := New(s, path, false)
			var got []string
			for _, p := range d.Properties() {
				got = append(got, p.Name)
			}
			if !slices.Equal(got, names) {
				t.Errorf("%s has the properties %v, want %v", path, got, names)
			}
			if outcome, _ := verdictOf(t, d, names[0]); outcome != want {
				t.Errorf("with reset %q, %s is %v, want %v", reset, names[0], outcome, want)
			}
		}
		whole := New(s, "top.sv", true)
		if len(whole.Properties()) != 2 {
			t.Errorf("the design has the properties %v", whole.Properties())
		}
		found, ok := whole.SourceOf(whole.Circuit().Latches()[0].Lit)
		if !ok || found.Name != "c.n[0]" || found.Other == nil || found.Other.Path != "count.v" || placed(found.Other.Text, found.Other.Span) != "1: n" {
			t.Errorf("the first latch is %+v", found)
		}
	}
	for _, reset := range []string{"clk2", "n"} {
		if _, err := NewSynthesis([]Source{top, count}, out, reset); err == nil {
			t.Errorf("reset %s is taken", reset)
		}
	}
}

// TestFailed holds that errors of Yosys are diagnostics at their lines.
func TestFailed(t *testing.T) {
	file := sourceOf("t.v", "module t(input a);\n  assign = a;\nendmodule\n")
	s := Failed([]Source{file}, &synthesis.Failure{Reason: "Yosys: no", IsInstalled: true, Said: []synthesis.Message{
		{Path: "t.v", Line: 2, IsError: true, Text: "syntax error"}, {Path: "t.v", Line: 99, Text: "odd"}, {Text: "lost"},
	}})
	var got []string
	for _, d := range New(s, "t.v", false).Diagnostics() {
		got = append(got, fmt.Sprintf("%s[%s] %s %s", d.Severity, d.Code, d.Message, placed(file.Text, d.Span)))
	}
	want := []string{"warning[yosys-warning] lost 1: module t(input a);", "error[yosys-error] syntax error 2: assign = a;", "warning[yosys-warning] odd 4: "}
	if !slices.Equal(got, want) {
		t.Errorf("the diagnostics are %q, want %q", got, want)
	}
	if s.Model() != nil || s.Reason() == "" {
		t.Error("there is a circuit")
	}
}

// TestPlacesInInstances holds that what stands in an instance of an instance has its own place: Yosys
// mixes those of the instances with it, in no order.
func TestPlacesInInstances(t *testing.T) {
	const text = `module ring(input clk, output reg [1:0] mark);
  initial mark = 0;
  reg [1:0] rom [0:1];
  always @(posedge clk) begin mark <= mark + rom[mark[0]]; rom[0] <= mark; end
  always @* a_one: assert (mark != 3);
  always @* assert (mark != 2);
endmodule
module dial(input clk, output [1:0] mark);
  genvar i;
  generate for (i = 0; i < 1; i = i + 1) begin : g
    ring r(clk, mark);
  end endgenerate
endmodule
module box(input clk, output [1:0] mark);
  dial d(clk, mark);
endmodule
module t(input clk, output [1:0] mark);
  box b(clk, mark);
endmodule
`
	d := designOf(t, sourceOf("t.sv", text))
	var got []string
	for _, p := range d.Properties() {
		got = append(got, p.Name+" at "+placed(d.Text, p.Row))
	}
	if want := []string{"b.d.g[0].r.a_one at 5: a_one: assert (mark != 3)", "b.d.g[0].r.line6 at 6: assert (mark != 2)"}; !slices.Equal(got, want) {
		t.Errorf("the properties are %q, want %q", got, want)
	}
	all, err := words.Of(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"b.d.g[0].r.mark": "1: mark", "b.d.g[0].r.rom[1]": "3: rom"} {
		if w, ok := all.Named(name); !ok || placed(d.Text, w.Span) != want {
			t.Errorf("%s stands at %q, want %q", name, placed(d.Text, w.Span), want)
		}
	}
}

// TestNetsOfNegations holds that a wire has its value where the circuit has only its negation, be it
// that of a gate that nothing else reads, or of a latch that Yosys has made.
func TestNetsOfNegations(t *testing.T) {
	const text = `module t(input clk, a, b, output idle, both);
  reg q = 0;
  assign both = a && b && !idle;
  assign idle = !(a && b && q);
  wire first = $initstate;
  always @(posedge clk) q <= a || first;
  always @* assert (!(a && b && q));
endmodule
`
	d := designOf(t, sourceOf("t.sv", text))
	found := map[string]circuit.Lit{}
	for name, l := range d.Names().Nets() {
		found[name] = l
	}
	for _, name := range []string{"idle", "first"} {
		if _, ok := found[name]; !ok {
			t.Errorf("no value of %s: %v", name, found)
		}
	}
	if bad, ok := d.Circuit().Bad(d.Properties()[0].ID); !ok || found["idle"] != bad.Not() {
		t.Errorf("idle is %v, the property %v", found["idle"], bad)
	}
}

// TestUndefined holds that a value which the source leaves undefined may be 0 and 1: nothing is
// proved because a tool has chosen one.
func TestUndefined(t *testing.T) {
	d := designOf(t, sourceOf("t.sv", `module t(input clk, input [1:0] i, input [2:0] a, input [3:0] s);
  reg [3:0] m [0:2];
  wire outside = a[i];
  wire [3:0] word = m[i];
  wire [1:0] part = a[s +: 2];
  reg chosen;
  always @* case (i) 0: chosen = 0; 1: chosen = 1; default: chosen = 1'bx; endcase
  for (genvar v = 0; v < 2; v = v + 1) begin
    assert property (i != 3 || outside == v);
    assert property (i != 3 || word[0] == v);
    assert property (s < 3 || part[0] == v);
    assert property (i < 2 || chosen == v);
  end
endmodule
`))
	if n := len(d.Properties()); n != 8 {
		t.Fatalf("there are %d properties, want 8", n)
	}
	for _, p := range d.Properties() {
		if outcome, _ := verdictOf(t, d, p.Name); outcome != cert.Refuted {
			t.Errorf("%s is %v", p.Name, outcome)
		}
	}
}

// TestMutatedMaps holds that a damaged map is refused, or gives the names that the whole one gives.
func TestMutatedMaps(t *testing.T) {
	file := wordsFile(t)
	out := yosysOf(t, file)
	whole, err := NewSynthesis([]Source{file}, out, "")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{}
	for _, x := range whole.Model().Symbols {
		want[fmt.Sprint(x)] = true
	}
	r := rand.New(rand.NewPCG(3, 1))
	refused := 0
	for range 300 {
		damaged, m := *out, *out.Map
		sections := []*[]yosys.Entry{&m.Inputs, &m.Latches, &m.Wires}
		section := sections[r.IntN(len(sections))]
		*section = slices.Clone(*section)
		e, other := &(*section)[r.IntN(len(*section))], (*section)[r.IntN(len(*section))]
		switch r.IntN(6) {
		case 0:
			e.Index = other.Index
		case 1:
			e.Index += r.IntN(7) - 3
		case 2:
			e.Bit.Index += r.IntN(7) - 3
		case 3:
			e.Bit.Name = other.Bit.Name
		case 4:
			e.Bit = other.Bit
		case 5:
			*section = (*section)[:r.IntN(len(*section))]
		}
		damaged.Map = &m
		s, err := NewSynthesis([]Source{file}, &damaged, "")
		if err != nil {
			refused++
			continue
		}
		for _, x := range s.Model().Symbols {
			if !want[fmt.Sprint(x)] {
				t.Errorf("a damaged map names %v", x)
			}
		}
	}
	if refused < 100 {
		t.Errorf("%d maps are refused", refused)
	}
}

// TestOpenTexts holds that a text in an editor that differs from what Yosys has read keeps its
// properties, at their places, without a circuit, and so does one of whose design another text does.
func TestOpenTexts(t *testing.T) {
	file := wordsFile(t)
	s, err := NewSynthesis([]Source{file}, yosysOf(t, file), "")
	if err != nil {
		t.Fatal(err)
	}
	const address = "file:///w/words.sv"
	options := func(isCurrent bool) design.Options {
		return design.Options{}.With(Format, Option{Open: &Outcomes{address: {Synthesis: s, Path: file.Path, IsCurrent: isCurrent}}})
	}
	d := design.New(address, Format, 1, file.Text, options(true))
	n := len(d.Properties())
	if n == 0 || d.Circuit().NumVars() < 2 {
		t.Fatalf("%d properties", n)
	}
	first := strings.Index(file.Text.Content(), "assert (q < 6)")
	edited := d.Successor(2, file.Text.Replace(source.Span{Start: first - 1}, "\n\n"))
	for what, after := range map[string]*design.Design{"after an edit": edited, "of older texts": d.WithOptions(options(false))} {
		if len(after.Properties()) != n || after.Circuit().NumVars() > 1 {
			t.Errorf("%s: %d properties, want %d, and %d variables", what, len(after.Properties()), n, after.Circuit().NumVars())
		}
		if _, err := after.Sound(t.Context()); err == nil || SynthesisOf(after) != nil {
			t.Errorf("%s: %v", what, err)
		}
		for i, p := range after.Properties() {
			if before := d.Properties()[i]; p.ID != before.ID || after.Text.Slice(p.Row) != d.Text.Slice(before.Row) {
				t.Errorf("%s: %s stands at %s", what, p.Name, placed(after.Text, p.Row))
			}
		}
	}
	if back := edited.Successor(3, file.Text); SynthesisOf(back) == nil || back.Circuit().NumVars() != d.Circuit().NumVars() {
		t.Error("the text of the synthesis has no circuit again")
	}
	alone := design.New("file:///w/other.sv", Format, 1, file.Text, options(true))
	if why := alone.NoProperties().Why; why != "" || len(alone.Properties()) > 0 || len(alone.Diagnostics()) > 0 {
		t.Errorf("something is said of a text that no user has asked about: %s", why)
	}
}

// TestOpenTextAfterTwoSyntheses holds that a text which two syntheses have read before, in other versions, has the
// properties of the later one alone: the earlier one gives their numbers to other statements.
func TestOpenTextAfterTwoSyntheses(t *testing.T) {
	const address = "file:///w/two.sv"
	textOf := func(statements string) string {
		return "module two(input clk, output reg [2:0] q);\n  always @(posedge clk) q <= q + 1;\n  always @* begin\n" + statements + "  end\nendmodule\n"
	}
	optionsOf := func(text string) design.Options {
		file := sourceOf("two.sv", text)
		s, err := NewSynthesis([]Source{file}, yosysOf(t, file), "")
		if err != nil {
			t.Fatal(err)
		}
		return design.Options{}.With(Format, Option{Open: &Outcomes{address: {Synthesis: s, Path: file.Path, IsCurrent: true}}})
	}
	const first, second, third = "    first: assert (q < 6);\n", "    second: assert (q < 7);\n", "    third: assert (q < 5);\n"
	before, later := textOf(first+second), textOf(third+second+first)
	d := design.New(address, Format, 1, source.NewText(before), optionsOf(before))
	edited := d.Successor(2, source.NewText(textOf(third+second)))
	if len(edited.Properties()) == 0 {
		t.Fatal("the text has no property of the version before")
	}
	options := optionsOf(later)
	read := design.New(address, Format, 1, source.NewText(later), options)
	want := map[string]circuit.Property{}
	for _, p := range read.Properties() {
		want[p.Name] = p.ID
	}
	after := edited.WithOptions(options).Successor(3, source.NewText(textOf(third+second+first+"\n")))
	if len(after.Properties()) != len(want) || len(want) != 3 {
		t.Errorf("%d properties, want %d", len(after.Properties()), len(want))
	}
	for _, p := range after.Properties() {
		if p.ID != want[p.Name] || !strings.Contains(after.Text.Slice(p.Row), p.Name) {
			t.Errorf("%s is %s at %s, want %s", p.Name, p.ID, placed(after.Text, p.Row), want[p.Name])
		}
	}
}

// TestCoversOfNewerVersions holds that covers are no asserts where Yosys writes both as cells of one
// type, as 0.37 and newer do.
func TestCoversOfNewerVersions(t *testing.T) {
	file := wordsFile(t)
	out := *yosysOf(t, file)
	flat := *out.Flat
	flat.Cells = slices.Clone(flat.Cells)
	for i, c := range flat.Cells {
		if c.Type == "$assert" || c.Type == "$cover" {
			flat.Cells[i].Type = "$check"
		}
	}
	out.Flat = &flat
	s, err := NewSynthesis([]Source{file}, &out, "")
	if err != nil {
		t.Fatal(err)
	}
	want, got := designOf(t, file).Properties(), New(s, file.Path, false).Properties()
	if !slices.EqualFunc(want, got, func(a, b design.Property) bool { return a.ID == b.ID && a.Name == b.Name }) {
		t.Errorf("the properties are %v, want %v", got, want)
	}
}

// TestResetOfSeveralClocks holds that a reset is active until registers of each clock were reset, and
// that this is no assumption which no run meets.
func TestResetOfSeveralClocks(t *testing.T) {
	file := sourceOf("t.sv", `module t(input ca, input cb, input rst);
  reg [3:0] x, y;
  reg [1:0] slow;
  reg z = 0;
  always @(negedge rst) z <= 1;
  always @(posedge ca) if (rst) x <= 0; else x <= x == 9 ? 0 : x + 1;
  always @(negedge cb) if (rst) y <= 0; else y <= y == 9 ? 0 : y + 1;
  always @(posedge x[0]) if (rst) slow <= 0; else slow <= slow + 1;
  always @(posedge ca) if (!rst) a_x: assert (x < 10);
  always @(negedge cb) if (!rst) a_y: assert (y < 10);
  always @(posedge ca) a_most: assert (rst || x != 2);
  always @* a_rst: assert (rst);
endmodule
`)
	out := yosysOf(t, file)
	if out.Clocked {
		t.Fatal("the design has one clock")
	}
	s, err := NewSynthesis([]Source{file}, out, "rst")
	if err != nil {
		t.Fatal(err)
	}
	d := New(s, file.Path, false)
	for name, want := range map[string]cert.Outcome{"a_x": cert.Proved, "a_y": cert.Proved, "a_most": cert.Refuted, "a_rst": cert.Refuted} {
		if outcome, at := verdictOf(t, d, name); outcome != want || name == "a_rst" && at < 2 {
			t.Errorf("%s is %v at step %d, want %v", name, outcome, at, want)
		}
	}
	derived := sourceOf("t.sv", "module t(input rst, input a);\n wire c = a & rst;\n reg q;\n always @(posedge c) q <= !rst;\n assert property (!q);\nendmodule\n")
	if _, err := NewSynthesis([]Source{derived}, yosysOf(t, derived), "rst"); err == nil || !strings.Contains(err.Error(), "no clock is an input") {
		t.Errorf("a reset without a clock that is an input: %v", err)
	}
}

// TestIncluded holds that statements and errors of an included file stand at the line that includes it.
func TestIncluded(t *testing.T) {
	folder := t.TempDir()
	included := filepath.Join(folder, "part.vh")
	if err := os.WriteFile(included, []byte("\nalways @* a_x: assert (x);\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	file := sourceOf(filepath.Join(folder, "t.sv"), "// `include \"part.vh\"\nmodule t(input x);\n`include \"part.vh\"\nendmodule\n")
	const want = "3: `include \"part.vh\""
	properties := designOf(t, file).Properties()
	if len(properties) != 1 || properties[0].Name != "a_x" || placed(file.Text, properties[0].Row) != want {
		t.Errorf("the properties are %+v", properties)
	}
	s := Failed([]Source{file}, &synthesis.Failure{Reason: "no", Said: []synthesis.Message{{Path: included, Line: 2, IsError: true, Text: "syntax error"}}})
	said := New(s, file.Path, false).Diagnostics()
	if len(said) != 1 || said[0].Message != "part.vh:2: syntax error" || placed(file.Text, said[0].Span) != want {
		t.Errorf("the diagnostics are %+v", said)
	}
}

// TestInputsGoByTheirPorts: a wire that is the same as an input, and comes first in the alphabet, does
// not give it its name.
func TestInputsGoByTheirPorts(t *testing.T) {
	d := designOf(t, sourceOf("/m.sv", `module m(input clk, input push, output reg q);
  wire alias = push;
  initial q = 0;
  always @(posedge clk) q <= alias;
  always @(posedge clk) a: assert (!q);
endmodule
`))
	var names []string
	for i := range d.Circuit().Inputs() {
		names = append(names, d.Names().InputName(i))
	}
	if !slices.Contains(names, "push") || slices.Contains(names, "alias") {
		t.Errorf("%q", names)
	}
}
