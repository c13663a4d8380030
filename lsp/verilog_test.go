package lsp

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"aiglens/design/verilogdesign"
	"aiglens/internal/peers"
	"aiglens/internal/source"
	"aiglens/internal/synthesis"
	"aiglens/lsp/lsptest"
	"aiglens/lsp/wire"
)

const queueText = `module queue(input clk, input push, input pop);
  reg [2:0] count = 0;
  wire full = count == 4;

  always @(posedge clk)
    if (push && !pop) count <= count + 1;
    else if (pop && !push && count != 0) count <= count - 1;

  always @(posedge clk) begin
    a_count: assert (count <= 4);
    a_small: assert (count <= 7);
    c_full: cover (full);
  end
endmodule
`

var repairedQueue = strings.Replace(queueText, "&& !pop) count", "&& !pop && !full) count", 1)

// verilogStatuses returns the properties of a file as lines of the text, with what is known of them.
func (b *bench) verilogStatuses(u string) (all []string) {
	var found []wire.PropertyStatus
	b.MustCall("workspace/executeCommand", command(wire.CommandProperties.Name, wire.FileParams{URI: uri.URI(u)}), &found)
	for _, p := range found {
		all = append(all, fmt.Sprintf("%d %s: %s %s", p.Range.Start.Line+1, p.Name, p.Verdict, p.Freshness))
	}
	return all
}

func (b *bench) awaitStatuses(u string, want ...string) {
	b.t.Helper()
	var last []string
	b.awaitOr(func() bool { last = b.verilogStatuses(u); return slices.Equal(last, want) }, func() {
		b.t.Errorf("%s is\n%s\nwant\n%s", filepath.Base(u), strings.Join(last, "\n"), strings.Join(want, "\n"))
	})
}

// verilogValues shows a step of the first property and returns the hints with their lines.
func (b *bench) verilogValues(u string, step int) (all []string) {
	b.MustCall("workspace/executeCommand", command(wire.CommandStep.Name, map[string]any{"uri": u, "property": "bad:0", "to": strconv.Itoa(step)}), nil)
	var hints []struct {
		Position lsptest.Position
		Label    string
	}
	b.MustCall("textDocument/inlayHint", map[string]any{"textDocument": map[string]any{"uri": u}, "range": lsptest.Range{End: lsptest.Position{Line: 100}}}, &hints)
	for _, h := range hints {
		all = append(all, fmt.Sprintf("%d: %s", h.Position.Line+1, strings.TrimSpace(h.Label)))
	}
	return all
}

func (b *bench) checkDesign(u string) (answer wire.CheckedDesign, err error) {
	err = b.Call("workspace/executeCommand", command(wire.CommandCheckDesign.Name, wire.FileParams{URI: uri.URI(u)}), &answer)
	return answer, err
}

// TestPlaceOfSharedRow: a statement of a module with two instances is two properties. The one that is asked for is
// answered, and both are named.
func TestPlaceOfSharedRow(t *testing.T) {
	peers.Program(t, "yosys")
	b := newBench(t, explicit)
	b.Initialize(offeringClient(), nil)
	u := string(uri.File(filepath.Join(t.TempDir(), "pair.sv")))
	b.openAs("systemverilog", u, `module pair(input clk, input a);
  cell one(clk, a);
  cell two(clk, 1'b0);
endmodule

module cell(input clk, input d);
  reg q = 0;
  always @(posedge clk) begin
    q <= d;
    a_low: assert (!q);
  end
endmodule
`)
	if _, err := b.checkDesign(u); err != nil {
		t.Fatal(err)
	}
	b.awaitStatuses(u, "10 one.a_low: refuted fresh", "10 two.a_low: proved fresh")
	for _, want := range []struct{ asked, name, verdict string }{
		{"", "one.a_low", "refuted"}, {"bad:0", "one.a_low", "refuted"}, {"bad:1", "two.a_low", "proved"}, {"bad:7", "one.a_low", "refuted"},
	} {
		params := wire.AtParams{URI: uri.URI(u), Position: protocol.Position{Line: 9, Character: 4}, Property: wire.PropertyID(want.asked)}
		var p wire.Place
		b.MustCall(wire.RequestAt.Name, params, &p)
		if p.Property == nil || p.Property.Name != want.name || string(p.Property.Verdict) != want.verdict || len(p.Property.Sharing) != 2 || !strings.Contains(p.Title, want.name) {
			t.Errorf("asked for %q: %q, %+v", want.asked, p.Title, p.Property)
		}
		var text wire.PlaceText
		b.MustCall("workspace/executeCommand", command(wire.CommandPlaceText.Name, params), &text)
		for _, line := range []string{"properties of this row:\n", "  - `one.a_low`: refuted", "  - `two.a_low`: proved"} {
			if !strings.Contains(text.Text, line) {
				t.Errorf("the text has no %q:\n%s", line, text.Text)
			}
		}
	}
}

func (b *bench) configureVerilog(settings map[string]any) {
	b.Notify("workspace/didChangeConfiguration", map[string]any{"settings": map[string]any{"aiglens": map[string]any{"verilog": settings}}})
}

// TestCheckDesign: the command has verdicts at the lines of the statements. An edit makes them stale at
// once and moves them, and an undo fresh again.
func TestCheckDesign(t *testing.T) {
	peers.Program(t, "yosys")
	b, folder := newBench(t, explicit), t.TempDir()
	b.Initialize(offeringClient(), nil)
	u := string(uri.File(filepath.Join(folder, "queue.sv")))
	b.openAs("systemverilog", u, queueText)
	b.save(u)
	if titles := b.titles(u); len(titles) > 0 || len(b.verilogStatuses(u)) > 0 {
		t.Errorf("something is said of a file that no user has asked about: %v", titles)
	}
	answer, err := b.checkDesign(u)
	if err != nil || !strings.HasPrefix(answer.Message, "module queue, as Yosys ") || answer.Problem != "" {
		t.Fatalf("%+v, %v", answer, err)
	}
	b.awaitStatuses(u, "10 a_count: refuted fresh", "11 a_small: proved fresh", "12 c_full: refuted fresh")
	b.awaitTitles(u, "verdicts", func(titles []string) bool {
		return len(titles) >= 4 && titles[0] == "3 properties: 1 refuted, 1 proved, 1 reached" && strings.HasPrefix(titles[1], "refuted at step 5") && slices.Contains(titles, "debug")
	})
	if found := b.diagnostics(u); len(found) == 0 || found[0].Range.Start.Line != 9 {
		t.Errorf("the diagnostics are %+v", found)
	}
	var trace wire.Trace
	b.MustCall("workspace/executeCommand", command(wire.CommandTrace.Name, wire.PropertyParams{URI: uri.URI(u), Property: "bad:0"}), &trace)
	if data := fmt.Sprintf("%+v", trace); !strings.Contains(data, "count") || !strings.Contains(data, "push") {
		t.Errorf("the trace has no names of the source: %s", data)
	}

	if got, want := b.verilogValues(u, 4), []string{"1: = 1", "1: = 0", "2: 3 → 4", "3: 0 → 1", "10: step 4 of 5"}; !slices.Equal(got, want) {
		t.Errorf("the values of step 4 are %q, want %q", got, want)
	}

	runs := b.runs.Load()
	b.replace(u, 2, "\n"+strings.Replace(queueText, "count + 1", "count + 3", 1))
	b.settled(u)
	if got, want := b.verilogStatuses(u), []string{"11 a_count: refuted stale", "12 a_small: proved stale", "13 c_full: refuted stale"}; !slices.Equal(got, want) {
		t.Errorf("after an edit: %v, want %v", got, want)
	}
	for _, params := range []wire.ReachParams{{Position: protocol.Position{Line: 2, Character: 14}}, {Expression: "count == 4"}, {Expression: "full"}} {
		params.URI = uri.URI(u)
		err := b.Call("workspace/executeCommand", command(wire.CommandReach.Name, params), nil)
		if err == nil || !strings.Contains(err.Error(), "the text has changed since Yosys has read it") {
			t.Errorf("a run to a signal of a text that Yosys has not read: %v", err)
		}
	}
	b.save(u)
	b.settled(u)
	b.replace(u, 3, queueText)
	b.awaitStatuses(u, "10 a_count: refuted fresh", "11 a_small: proved fresh", "12 c_full: refuted fresh")
	b.expectRuns(runs)

	b.replace(u, 4, repairedQueue)
	b.configureVerilog(map[string]any{"checkOnSave": true})
	b.save(u)
	b.awaitStatuses(u, "10 a_count: proved fresh", "11 a_small: proved fresh", "12 c_full: refuted fresh")

	b.replace(u, 5, repairedQueue+"module")
	mark := b.Mark()
	err = b.Call("workspace/executeCommand", command(wire.CommandCheck.Name, wire.CheckParams{PropertyParams: wire.PropertyParams{URI: uri.URI(u), Property: "bad:0"}}), nil)
	if err == nil || !strings.Contains(err.Error(), "syntax error") {
		t.Errorf("the check of a property of a text that Yosys cannot read: %v", err)
	}
	b.awaitDiagnostics("what Yosys says", mark, func(p published) bool {
		return slices.ContainsFunc(p.Diagnostics, func(d diagnostic) bool { return d.Code == "yosys-error" })
	})
	b.awaitStatuses(u, "10 a_count: proved stale", "11 a_small: proved stale", "12 c_full: refuted stale")
	b.awaitTitles(u, "the lens above the module", func(titles []string) bool {
		return len(titles) > 1 && titles[0] == "3 properties: stale"
	})
}

// TestGoToCircuit: a client that shows circuits is led from names and statements of Verilog to their rows
// in the circuit, and back as long as both are of one text.
func TestGoToCircuit(t *testing.T) {
	peers.Program(t, "yosys")
	b, folder := newBench(t, explicit), t.TempDir()
	client := maps.Clone(capable)
	client["experimental"] = wire.ExperimentalCapabilities{Aiglens: wire.ExtendedClient{Decoded: true}}
	b.Initialize(client, nil)
	u := string(uri.File(filepath.Join(folder, "queue of +1.sv")))
	b.openAs("systemverilog", u, queueText)
	places := func(method, u string, line, column int) (all []location) {
		b.MustCall("textDocument/"+method, map[string]any{"textDocument": map[string]any{"uri": u}, "position": lsptest.Position{Line: line, Character: column}}, &all)
		return all
	}
	var file wire.DecodedFile
	if err := b.Call(wire.RequestDecoded.Name, wire.FileParams{URI: uri.URI(u)}, &file); err == nil || !strings.Contains(err.Error(), "check it first") {
		t.Errorf("the circuit of a design that Yosys has not read: %v", err)
	}
	if found := places("implementation", u, 1, 12); len(found) > 0 {
		t.Errorf("a design that Yosys has not read leads to %v", found)
	}
	mark := b.Mark()
	if _, err := b.checkDesign(u); err != nil {
		t.Fatal(err)
	}
	b.Await("a new circuit", mark, func(m lsptest.Message) bool { return m.Method == wire.NotificationDecodedChanged.Name })
	b.MustCall(wire.RequestDecoded.Name, wire.FileParams{URI: uri.URI(u)}, &file)
	lines := strings.Split(file.Text, "\n")
	shown := places("implementation", u, 1, 12)
	if len(shown) != 1 || shownFile(shown[0].URI) != u {
		t.Fatalf("count leads to %v", shown)
	}
	for _, x := range []struct{ line, column, back int }{{1, 12, 1}, {4, 20, 0}, {5, 8, 0}, {6, 13, 0}, {4, 10, -1}, {9, 6, 9}, {11, 6, 11}} {
		found := places("implementation", u, x.line, x.column)
		if x.back < 0 {
			if len(found) > 0 {
				t.Errorf("line %d leads to %v", x.line, found)
			}
			continue
		}
		if len(found) != 1 {
			t.Fatalf("line %d leads to %v", x.line, found)
		}
		b.openAs("aiger", found[0].URI, file.Text)
		row := found[0].Range.Start
		back := places("declaration", found[0].URI, row.Line, row.Character)
		if len(back) != 1 || back[0].URI != u || back[0].Range.Start.Line != x.back {
			t.Errorf("line %d leads to %q, and that to %v", x.line, lines[row.Line], back)
		}
		b.close(found[0].URI)
	}
	b.openAs("aiger", shown[0].URI, file.Text)
	row := shown[0].Range.Start
	b.replace(u, 2, "\n"+queueText)
	if back := places("declaration", shown[0].URI, row.Line, row.Character); len(back) > 0 {
		t.Errorf("the circuit of an older text leads to %v", back)
	}
	b.replace(u, 3, queueText)
	b.replace(shown[0].URI, 2, strings.Replace(file.Text, "\n", "\n\n", 1))
	if back := places("declaration", shown[0].URI, row.Line+1, row.Character); len(back) > 0 {
		t.Errorf("another circuit leads to %v", back)
	}
}

// TestLatchesOfOtherSources: the diagnostic of a verdict refers to no line of its own text for a register
// that another source declares.
func TestLatchesOfOtherSources(t *testing.T) {
	peers.Program(t, "yosys")
	b, folder := newBench(t, explicit), t.TempDir()
	const top = "module top(input clk);\n  wire n;\n  reg m = 0;\n  always @(posedge clk) m <= n;\n  part c(clk, n);\n  always @* a_top: assert (!m);\nendmodule\n"
	writeFile(t, filepath.Join(folder, "part.sv"), "module part(input clk, output reg q);\n  initial q = 0;\n  always @(posedge clk) q <= 1;\nendmodule\n")
	writeFile(t, filepath.Join(folder, "top.sv"), top)
	writeFile(t, filepath.Join(folder, "aiglens.json"), `{"sources": ["top.sv", "part.sv"], "top": "top"}`)
	b.Initialize(capable, nil)
	at := string(uri.File(filepath.Join(folder, "top.sv")))
	b.openAs("systemverilog", at, top)
	if _, err := b.checkDesign(at); err != nil {
		t.Fatal(err)
	}
	b.awaitTitles(at, "a summary", func(titles []string) bool {
		return len(titles) > 1 && titles[0] == "1 property: refuted"
	})
	b.awaitDiagnostics("the verdict", 0, func(p published) bool {
		if p.URI != at || len(p.Diagnostics) != 1 {
			return false
		}
		related := p.Diagnostics[0].RelatedInformation
		if len(related) != 1 || related[0].Location.Range.Start.Line != 2 {
			t.Errorf("the verdict refers to %+v, want line 2 alone", related)
		}
		return true
	})
}

// TestSourcesOfDesign: verdicts rest on all files that Yosys has read. Each other text of one, in the
// editor or on disk, makes them stale.
func TestSourcesOfDesign(t *testing.T) {
	peers.Program(t, "yosys")
	b, folder := newBench(t, explicit), t.TempDir()
	const top = "`include \"limit.vh\"\nmodule top(input clk, input go);\n  wire [2:0] n;\n  count c(clk, go, n);\n  always @* a_top: assert (n < `LIMIT);\nendmodule\n"
	const count = "module count(input clk, input go, output reg [2:0] n);\n  initial n = 0;\n  always @(posedge clk) if (go && n < 3) n <= n + 1;\n  always @* a_count: assert (n != 3);\nendmodule\n"
	write := func(name, text string) { writeFile(t, filepath.Join(folder, name), text) }
	at := func(name string) string { return string(uri.File(filepath.Join(folder, name))) }
	write("top.sv", top)
	write("count.sv", count)
	write("limit.vh", "`define LIMIT 4\n")
	write("aiglens.json", `{"sources": ["top.sv", "count.sv"], "top": "top"}`)
	b.Initialize(capable, nil)
	b.openAs("systemverilog", at("top.sv"), top)
	if _, err := b.checkDesign(at("top.sv")); err != nil {
		t.Fatal(err)
	}
	const fresh, stale = "5 a_top: proved fresh", "5 a_top: proved stale"
	const refuted, outdated = "4 c.a_count: refuted fresh", "4 c.a_count: refuted stale"
	b.awaitStatuses(at("top.sv"), fresh)
	b.awaitStatuses(at("count.sv"), refuted) // which is not open
	b.awaitTitles(at("top.sv"), "a summary", func(titles []string) bool {
		return len(titles) > 1 && titles[0] == "2 properties: 1 refuted, 1 proved"
	})
	if lens := b.lenses(at("top.sv"))[0]; lens.Command.Command != wire.CommandCheckDesign.Name || lens.Range.Start.Line != 1 {
		t.Errorf("the lens of the design is %+v", lens)
	}
	runs := b.runs.Load()
	b.openAs("systemverilog", at("count.sv"), count)
	b.awaitStatuses(at("count.sv"), refuted)
	b.awaitStatuses(at("top.sv"), fresh)
	b.expectRuns(runs)

	b.replace(at("count.sv"), 2, count+"// other\n")
	if got := b.verilogStatuses(at("top.sv")); !slices.Equal(got, []string{stale}) {
		t.Errorf("after an edit of another source: %v", got)
	}
	b.awaitTitles(at("top.sv"), "a summary of what is stale", func(titles []string) bool {
		return len(titles) > 1 && titles[0] == "2 properties: stale"
	})
	b.replace(at("count.sv"), 3, count)
	b.awaitStatuses(at("top.sv"), fresh)

	for name, text := range map[string]string{"limit.vh": "`define LIMIT 2\n", "aiglens.json": `{"sources": ["top.sv", "count.sv"], "top": "top", "defines": {"A": "1"}}`} {
		before, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		told := func() {
			b.Notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []any{map[string]any{"uri": at(name), "type": 2}}})
		}
		write(name, text)
		told()
		if got := b.verilogStatuses(at("top.sv")); !slices.Equal(got, []string{stale}) {
			t.Errorf("after a change of %s: %v", name, got)
		}
		b.settled(at("top.sv"))
		b.awaitStatuses(at("top.sv"), stale)
		write(name, string(before))
		told()
		b.awaitStatuses(at("top.sv"), fresh)
	}

	// What was closed counts as it is on disk.
	b.replace(at("count.sv"), 4, count+"// other\n")
	b.awaitStatuses(at("count.sv"), outdated)
	b.close(at("count.sv"))
	b.awaitStatuses(at("top.sv"), fresh)
	b.awaitStatuses(at("count.sv"), refuted)
	mark := b.Mark()
	write("count.sv", count+"// other\n")
	b.save(at("top.sv")) // of which no client has told
	b.awaitStatuses(at("top.sv"), stale)
	b.awaitStatuses(at("count.sv"), outdated)
	write("count.sv", "\n"+count)
	if _, err := b.checkDesign(at("top.sv")); err != nil {
		t.Fatal(err)
	}
	b.awaitStatuses(at("count.sv"), "5 c.a_count: refuted fresh")
	b.awaitDiagnostics("what a source that is not open states", mark, func(p published) bool {
		return p.URI == at("count.sv") && len(p.Diagnostics) == 1 && p.Diagnostics[0].Range.Start.Line == 4
	})
	mark = b.Mark()
	write("count.sv", "module")
	if _, err := b.checkDesign(at("top.sv")); err != nil {
		t.Fatal(err)
	}
	b.awaitDiagnostics("an error in a source that is not open", mark, func(p published) bool {
		return p.URI == at("count.sv") && slices.ContainsFunc(p.Diagnostics, func(d diagnostic) bool {
			return d.Code == "yosys-error"
		})
	})
	mark = b.Mark()
	b.close(at("top.sv"))
	b.awaitDiagnostics("the end of the design", mark, func(p published) bool {
		return p.URI == at("count.sv") && len(p.Diagnostics) == 0
	})
}

// TestStopOfDesign: the command that stops the checks of a source stops those of all sources of the design,
// as the lens above the top module says.
func TestStopOfDesign(t *testing.T) {
	peers.Program(t, "yosys")
	b, folder := newBench(t, newGate().behind(explicit)), t.TempDir()
	at := func(name string) string { return string(uri.File(filepath.Join(folder, name))) }
	const top = "module top(input clk);\n  reg [1:0] m = 0;\n  always @(posedge clk) m <= m + 1;\n  count c(clk);\n  always @* assert (m != 2);\nendmodule\n"
	const count = "module count(input clk);\n  reg [2:0] n = 0;\n  always @(posedge clk) n <= n + 1;\n  always @* assert (n != 3);\nendmodule\n"
	writeFile(t, filepath.Join(folder, "top.sv"), top)
	writeFile(t, filepath.Join(folder, "count.sv"), count)
	writeFile(t, filepath.Join(folder, "aiglens.json"), `{"sources": ["top.sv", "count.sv"]}`)
	b.Initialize(capable, nil)
	b.openAs("systemverilog", at("top.sv"), top)
	if _, err := b.checkDesign(at("top.sv")); err != nil {
		t.Fatal(err)
	}
	b.awaitStatuses(at("count.sv"), "4 c.line4: none running")
	b.awaitTitles(at("top.sv"), "a summary", func(titles []string) bool { return len(titles) > 1 && titles[0] == "2 properties: being checked" })
	lens := b.lenses(at("top.sv"))[0].Command
	if lens.Command != wire.CommandStop.Name {
		t.Fatalf("the lens runs %s", lens.Command)
	}
	b.MustCall("workspace/executeCommand", map[string]any{"command": lens.Command, "arguments": lens.Arguments}, nil)
	b.awaitTitles(at("top.sv"), "the end", func(titles []string) bool { return len(titles) > 1 && titles[0] == "2 properties: not checked" })
	b.awaitStatuses(at("count.sv"), "4 c.line4: none stale")
}

// TestCloseGoesOn: the checks of a source that is closed go on as long as another source of the design is open.
func TestCloseGoesOn(t *testing.T) {
	peers.Program(t, "yosys")
	g := newGate()
	b, folder := newBench(t, g.behind(explicit)), t.TempDir()
	at := func(name string) string { return string(uri.File(filepath.Join(folder, name))) }
	const top = "module top(input clk);\n  count c(clk);\nendmodule\n"
	const count = "module count(input clk);\n  reg [2:0] n = 0;\n  always @(posedge clk) n <= n + 1;\n  always @* assert (n != 3);\nendmodule\n"
	writeFile(t, filepath.Join(folder, "top.sv"), top)
	writeFile(t, filepath.Join(folder, "count.sv"), count)
	writeFile(t, filepath.Join(folder, "aiglens.json"), `{"sources": ["top.sv", "count.sv"]}`)
	b.Initialize(capable, nil)
	b.openAs("systemverilog", at("top.sv"), top)
	b.openAs("systemverilog", at("count.sv"), count)
	if _, err := b.checkDesign(at("top.sv")); err != nil {
		t.Fatal(err)
	}
	<-g.started
	b.awaitStatuses(at("count.sv"), "4 c.line4: none running")
	b.close(at("count.sv"))
	<-g.started // once more, for the file on disk
	g.open <- struct{}{}
	b.awaitStatuses(at("count.sv"), "4 c.line4: refuted fresh")

	b.openAs("systemverilog", at("count.sv"), strings.Replace(count, "!= 3", "!= 4", 1))
	if _, err := b.checkDesign(at("top.sv")); err != nil {
		t.Fatal(err)
	}
	<-g.started
	b.close(at("count.sv")) // and on disk there is another text
	b.awaitStatuses(at("count.sv"), "4 c.line4: none stale")
	b.close(at("top.sv"))
	b.sync()
	if n := len(g.started); n > 0 {
		t.Errorf("%d checks of a text that is nowhere, or of a design that is closed", n)
	}
}

// TestVerilogFreshness: through random edits, undos, saves, closings and checks of two sources, a verdict
// is fresh only where both texts are those that it was found for, and it is the one that a simulation of
// the design has.
func TestVerilogFreshness(t *testing.T) {
	peers.Program(t, "yosys")
	b, folder := newBench(t, explicit), t.TempDir()
	texts := map[string][]string{}
	for n := range 3 {
		texts["top.sv"] = append(texts["top.sv"], fmt.Sprintf("module top(input clk);\n  wire [2:0] n;\n  count c(clk, n);\n  always @* assert (n < %d);\nendmodule\n", n+2))
		texts["count.sv"] = append(texts["count.sv"], fmt.Sprintf("module count(input clk, output reg [2:0] n);\n  initial n = 0;\n  always @(posedge clk) if (n < %d) n <= n + 1;\n  always @* assert (n < 2);\nendmodule\n", n+1))
	}
	const broken = 3 // a text that Yosys cannot read
	texts["top.sv"] = append(texts["top.sv"], texts["top.sv"][1]+"modul\n")
	texts["count.sv"] = append(texts["count.sv"], strings.Replace(texts["count.sv"][1], "initial", "initially", 1))
	names := []string{"top.sv", "count.sv"}
	isBroken := func(of map[string]int) bool { return of["top.sv"] == broken || of["count.sv"] == broken }
	at := func(name string) string { return string(uri.File(filepath.Join(folder, name))) }
	writeFile(t, filepath.Join(folder, "aiglens.json"), `{"sources": ["top.sv", "count.sv"], "top": "top"}`)
	now, disk, isOpen := map[string]int{}, map[string]int{}, map[string]bool{}
	save := func(name string) {
		writeFile(t, filepath.Join(folder, name), texts[name][now[name]])
		disk[name] = now[name]
	}
	open := func(name string) {
		b.openAs("systemverilog", at(name), texts[name][now[name]])
		isOpen[name] = true
	}
	b.Initialize(capable, nil)
	for _, name := range names {
		save(name)
		open(name)
	}
	r, version, fresh, failed := rand.New(rand.NewPCG(31, 5)), 1, 0, 0
	for range everyDay(90, 600) {
		name := names[r.IntN(2)]
		switch version++; r.IntN(6) {
		case 0, 1:
			if isOpen[name] {
				now[name] = r.IntN(4)
				b.replace(at(name), version, texts[name][now[name]])
			}
		case 2:
			if isOpen[name] {
				save(name)
				b.save(at(name))
			}
		case 3:
			if name != "count.sv" {
				break
			}
			if isOpen[name] {
				b.close(at(name))
				isOpen[name], now[name] = false, disk[name]
			} else {
				open(name)
			}
		default:
			answer, err := b.checkDesign(at("top.sv"))
			if err != nil || (answer.Problem != "") != isBroken(now) {
				t.Fatalf("with texts %v: %+v, %v", now, answer, err)
			}
			if isBroken(now) {
				failed++
				break
			}
			b.await(func() bool { return strings.HasSuffix(b.verilogStatuses(at("top.sv"))[0], "fresh") })
		}
		var found []wire.PropertyStatus
		_ = b.Call("workspace/executeCommand", command(wire.CommandProperties.Name, wire.FileParams{URI: uri.URI(at("count.sv"))}), &found)
		for _, p := range found { // also of the file that is not open
			if p.Freshness == "fresh" && p.Verdict != "none" && isBroken(now) {
				t.Fatalf("with texts %v: %+v", now, p)
			}
			if want := map[bool]wire.Verdict{true: "refuted", false: "proved"}[now["count.sv"] > 0]; p.Freshness == "fresh" && p.Verdict != "none" && p.Verdict != want {
				t.Fatalf("with texts %v: %+v, want %s", now, p, want)
			}
		}
		all := b.verilogStatuses(at("top.sv"))
		if fresh > 0 && len(all) != 1 {
			t.Fatalf("with texts %v: what is known of the assert is %q", now, all)
		}
		for _, status := range all {
			if isBroken(now) && strings.HasSuffix(status, "fresh") {
				t.Fatalf("with texts %v: %s", now, status)
			}
			if !strings.HasSuffix(status, "fresh") {
				continue
			}
			fresh++
			// The counter reaches now+1, and the assert holds below now+2.
			want := "4 line4: proved fresh"
			if now["count.sv"] > now["top.sv"] {
				want = "4 line4: refuted fresh"
			}
			if status != want {
				t.Fatalf("with texts %v: %s, want %s", now, status, want)
			}
		}
	}
	if fresh < 20 || failed < 3 {
		t.Errorf("%d verdicts are fresh, and %d texts could not be read", fresh, failed)
	}
}

// TestErrorOfYosys: what was known of a design stays when Yosys finds an error in a later text, as of an earlier text,
// wherever edits stand around it. An undo makes it fresh again.
func TestErrorOfYosys(t *testing.T) {
	peers.Program(t, "yosys")
	b, folder := newBench(t, explicit), t.TempDir()
	b.Initialize(offeringClient(), nil)
	u := string(uri.File(filepath.Join(folder, "queue.sv")))
	b.openAs("systemverilog", u, queueText)
	if _, err := b.checkDesign(u); err != nil {
		t.Fatal(err)
	}
	fresh := []string{"10 a_count: refuted fresh", "11 a_small: proved fresh", "12 c_full: refuted fresh"}
	stale := []string{"10 a_count: refuted stale", "11 a_small: proved stale", "12 c_full: refuted stale"}
	b.awaitStatuses(u, fresh...)
	runs, version := b.runs.Load(), 1
	for _, broken := range []string{
		queueText + "module",
		strings.Replace(queueText, "assert", "asert", 1),
		strings.Replace(queueText, "a_count:", "a_count", 1),
		strings.Replace(queueText, "endmodule", "endmodul", 1), // beside the undo of the one before, on both sides of all statements
	} {
		version++
		b.replace(u, version, broken)
		if answer, err := b.checkDesign(u); err != nil || answer.Problem == "" {
			t.Fatalf("%+v, %v", answer, err)
		}
		b.settled(u)
		if got := b.verilogStatuses(u); !slices.Equal(got, stale) {
			t.Errorf("after an error: %q, want %q, in\n%s", got, stale, broken)
		}
		if strings.Contains(broken, "endmodul\n") {
			version++
			b.replace(u, version, queueText)
			b.awaitStatuses(u, fresh...)
		}
	}
	b.expectRuns(runs)
}

// TestDesignRefused: nothing runs without trust, and without Yosys the message says how to get it.
func TestDesignRefused(t *testing.T) {
	b, folder := newBench(t, explicit), t.TempDir()
	b.Initialize(capable, map[string]any{"trusted": false})
	u := string(uri.File(filepath.Join(folder, "queue.sv")))
	b.openAs("systemverilog", u, queueText)
	b.configureVerilog(map[string]any{"yosys": filepath.Join(folder, "none")})
	if _, err := b.checkDesign(u); err == nil || !strings.Contains(err.Error(), "not trusted") {
		t.Errorf("without trust: %v", err)
	}
	b.setTrusted(true)
	b.configureVerilog(map[string]any{"yosys": filepath.Join(folder, "none")})
	if _, err := b.checkDesign(u); err == nil || !strings.Contains(err.Error(), "apt install yosys") || !strings.Contains(err.Error(), "aiglens.verilog.yosys") {
		t.Errorf("without Yosys: %v", err)
	}
	if _, err := b.checkDesign(doc); err == nil || !strings.Contains(err.Error(), "is not a Verilog file") {
		t.Errorf("of another file: %v", err)
	}
}

// TestVerilogIsAskedFor: a client that sends no Verilog is asked for it by the first check. What it
// sends then counts, also where Yosys has begun with the text on disk.
func TestVerilogIsAskedFor(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a script takes the place of Yosys")
	}
	yosys := peers.Program(t, "yosys")
	b, folder := newBench(t, explicit), t.TempDir()
	started, proceed := filepath.Join(folder, "started"), filepath.Join(folder, "proceed")
	program := filepath.Join(folder, "yosys")
	script := "#!/bin/sh\ncase $1 in -V) ;; *) echo >> " + started + "; test -e " + proceed + " || exec sleep 1000;; esac\nexec " + yosys + ` "$@"` + "\n"
	if err := os.WriteFile(program, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(folder, "queue.sv"), queueText)
	b.Initialize(map[string]any{"textDocument": map[string]any{"synchronization": map[string]any{"dynamicRegistration": true}}}, map[string]any{"verilog": map[string]any{"yosys": program}})
	u := string(uri.File(filepath.Join(folder, "queue.sv")))
	mark := b.Mark()
	id := b.Send("workspace/executeCommand", command(wire.CommandCheckDesign.Name, wire.FileParams{URI: uri.URI(u)}))
	m, _ := b.Await("a registration", mark, func(m lsptest.Message) bool { return m.Method == "client/registerCapability" })
	if data := string(m.Params); !strings.Contains(data, `"**/*.{v,sv}"`) || !strings.Contains(data, "textDocument/codeLens") {
		t.Errorf("the registration is %s", data)
	}
	b.await(func() bool { _, err := os.Stat(started); return err == nil })
	writeFile(t, proceed, "")
	b.openAs("systemverilog", u, repairedQueue)
	if m := b.Answer(id); m.Error != nil {
		t.Fatal(m.Error)
	}
	b.awaitStatuses(u, "10 a_count: proved fresh", "11 a_small: proved fresh", "12 c_full: refuted fresh")
}

// TestNewestDesign: of two checks of a design the newer one ends the other, and the user can end that.
func TestNewestDesign(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a script takes the place of Yosys")
	}
	b, folder := newBench(t, explicit), t.TempDir()
	program, started := filepath.Join(folder, "yosys"), filepath.Join(folder, "started")
	script := "#!/bin/sh\ncase $1 in -V) echo Yosys 0.23;; *) echo >> " + started + "; exec sleep 1000;; esac\n"
	if err := os.WriteFile(program, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	b.Initialize(capable, map[string]any{"verilog": map[string]any{"yosys": program}})
	u := string(uri.File(filepath.Join(folder, "queue.sv")))
	b.openAs("systemverilog", u, queueText)
	begin := func(n int) int {
		id := b.Send("workspace/executeCommand", command(wire.CommandCheckDesign.Name, wire.FileParams{URI: uri.URI(u)}))
		b.await(func() bool { data, _ := os.ReadFile(started); return len(data) >= n })
		return id
	}
	mark := b.Mark()
	first := begin(1)
	second := begin(2)
	if m := b.Answer(first); m.Error == nil || !strings.Contains(m.Error.Message, "a newer check") {
		t.Errorf("the first check: %+v", m)
	}
	var token json.RawMessage
	b.Await("the second progress", mark, func(m lsptest.Message) bool {
		var p struct {
			Token json.RawMessage
			Value struct{ Kind, Title string }
		}
		if m.Method == "$/progress" && json.Unmarshal(m.Params, &p) == nil && p.Value.Kind == "begin" && p.Value.Title == "Yosys reads queue.sv" && string(p.Token) != string(token) {
			first := token == nil
			token = p.Token
			return !first
		}
		return false
	})
	b.Notify("window/workDoneProgress/cancel", map[string]any{"token": token})
	if m := b.Answer(second); m.Error == nil || m.Error.Message != "cancelled" {
		t.Errorf("the second check: %+v", m)
	}
	third := begin(3)
	b.MustCall("workspace/executeCommand", command(wire.CommandStop.Name, wire.StopParams{URI: uri.URI(u)}), nil)
	if m := b.Answer(third); m.Error == nil || m.Error.Message != "cancelled" {
		t.Errorf("the third check: %+v", m)
	}
}

// TestNewestConfiguration: a check of other settings of aiglens.json ends one of the same sources, too.
func TestNewestConfiguration(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a script takes the place of Yosys")
	}
	b, folder := newBench(t, explicit), t.TempDir()
	program, started := filepath.Join(folder, "yosys"), filepath.Join(folder, "started")
	script := "#!/bin/sh\ncase $1 in -V) echo Yosys 0.23;; *) echo >> " + started + "; exec sleep 1000;; esac\n"
	if err := os.WriteFile(program, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	b.Initialize(capable, map[string]any{"verilog": map[string]any{"yosys": program}})
	u := string(uri.File(filepath.Join(folder, "queue.sv")))
	b.openAs("systemverilog", u, queueText)
	writeFile(t, filepath.Join(folder, "limit.sv"), "")
	before := 0
	for i, config := range []string{`{"top": "queue"}`, `{"top": "limit"}`, `{"top": "limit", "sources": ["queue.sv", "limit.sv"]}`} {
		writeFile(t, filepath.Join(folder, "aiglens.json"), config)
		id := b.Send("workspace/executeCommand", command(wire.CommandCheckDesign.Name, wire.FileParams{URI: uri.URI(u)}))
		b.await(func() bool { data, _ := os.ReadFile(started); return len(data) >= i+1 })
		if before > 0 {
			if m := b.Answer(before); m.Error == nil || !strings.Contains(m.Error.Message, "a newer check") {
				t.Errorf("the check before that with %s: %+v", config, m)
			}
		}
		before = id
	}
}

// TestOlderDesign: what an older check has found does not take the place of what a newer one has, and
// settings that have changed since they were read make it stale.
func TestOlderDesign(t *testing.T) {
	b, folder := newBench(t, explicit), t.TempDir()
	b.Initialize(capable, nil)
	path := filepath.Join(folder, "queue.sv")
	b.openAs("systemverilog", string(uri.File(path)), queueText)
	writeFile(t, filepath.Join(folder, "aiglens.json"), `{"top": "queue"}`)
	s := b.server.session
	b.sync()
	request, err := s.verilog.request(path)
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(folder, "aiglens.json"), `{"top": "other"}`)
	read, err := s.verilog.digests(request)
	if err != nil {
		t.Fatal(err)
	}
	if read[request.config] != digestOf(`{"top": "queue"}`) {
		t.Error("the settings that a run rests on are those that were written since")
	}
	outcome := verilogdesign.Failed(request.sources, &synthesis.Failure{Reason: "none", IsInstalled: true})
	for _, x := range []struct {
		check int64
		want  error
		known int64
	}{{2, nil, 2}, {1, errNewer, 2}, {3, nil, 3}} {
		s.queue.Do(func() {
			if _, err := s.verilog.adopt(&synthesised{outcome: outcome, check: x.check, read: read}); err != x.want {
				t.Errorf("check %d: %v, want %v", x.check, err, x.want)
			}
			if known := s.verilog.known; len(known) != 1 || known[0].check != x.known {
				t.Errorf("after check %d what is known is of another one than %d", x.check, x.known)
			}
		})
	}
}

// TestVerilogIsAskedForAgain: a client that has refused to send Verilog is asked by the next check again.
func TestVerilogIsAskedForAgain(t *testing.T) {
	b, folder := newBench(t, explicit), t.TempDir()
	b.Refuses = true
	b.Initialize(map[string]any{"textDocument": map[string]any{"synchronization": map[string]any{"dynamicRegistration": true}}}, map[string]any{"verilog": map[string]any{"yosys": filepath.Join(folder, "none")}})
	u := string(uri.File(filepath.Join(folder, "queue.sv")))
	writeFile(t, filepath.Join(folder, "queue.sv"), queueText)
	mark := 0
	for range 2 {
		if _, err := b.checkDesign(u); err == nil {
			t.Error("a check without Yosys")
		}
		_, mark = b.Await("a registration", mark, func(m lsptest.Message) bool { return m.Method == "client/registerCapability" })
	}
}

// TestKeystrokesInLargeDesigns: a keystroke compares the sources of a design as they are held, without
// a copy of each, and looks for each source once.
func TestKeystrokesInLargeDesigns(t *testing.T) {
	b, folder := newBench(t, explicit), t.TempDir()
	b.Initialize(capable, nil)
	s := b.server.session
	const n = 60
	var sources []verilogdesign.Source
	for i := range n {
		path := filepath.Join(folder, fmt.Sprintf("m%d.sv", i))
		b.openAs("systemverilog", string(uri.File(path)), queueText)
		sources = append(sources, verilogdesign.Source{Path: path, Text: source.NewText(queueText)})
	}
	for _, f := range sources {
		b.settled(string(uri.File(f.Path)))
	}
	s.queue.Do(func() {
		s.verilog.known = []*synthesised{{outcome: verilogdesign.Failed(sources, &synthesis.Failure{Reason: "none", IsInstalled: true})}}
		s.verilog.refresh(nil)
	})
	for _, f := range sources {
		b.settled(string(uri.File(f.Path)))
	}
	s.queue.Do(func() {
		if allocations := testing.AllocsPerRun(10, func() { s.verilog.refresh(nil) }); allocations > 20*n {
			t.Errorf("%v allocations for %d sources", allocations, n)
		}
	})
}

// TestHoverOfVector: the name of a vector stands for all its bits, so the values and changes in a counterexample are
// those of the number, not of its bit 0.
func TestHoverOfVector(t *testing.T) {
	peers.Program(t, "yosys")
	b := newBench(t, explicit)
	b.Initialize(offeringClient(), nil)
	u := string(uri.File(filepath.Join(t.TempDir(), "odd.sv")))
	b.openAs("systemverilog", u, `module odd(input clk);
  reg [2:0] q = 1;
  always @(posedge clk) q <= q + 2;
  always @* a_low: assert (q != 5);
endmodule
`)
	if _, err := b.checkDesign(u); err != nil {
		t.Fatal(err)
	}
	b.awaitStatuses(u, "4 a_low: refuted fresh")
	var hover struct{ Contents struct{ Value string } }
	b.MustCall("textDocument/hover", map[string]any{"textDocument": map[string]any{"uri": u}, "position": lsptest.Position{Line: 1, Character: 12}}, &hover)
	if got, want := hover.Contents.Value, "**bit 0 of register** `q`\n\nfan-out"; !strings.HasPrefix(got, want) {
		t.Errorf("the hover says %q, want %q first", got, want)
	}
	if got, want := hover.Contents.Value, "in the counterexample of `a_low`, `q`: `1 3 [5]` · changes at 1, 2"; !strings.Contains(got, want) || strings.Contains(got, "never changes") {
		t.Errorf("the hover says %q, want %q", got, want)
	}
}
