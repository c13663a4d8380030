package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"aiglens/lsp/lsptest"
	"aiglens/lsp/wire"
)

// counting is a counter of two bits, with names, that is bad at 3.
const counting = `aag 5 0 2 0 3 1
2 3
4 10
6
6 4 2
8 5 3
10 9 7
l0 low
l1 high
b0 full
`

// values returns the value hints of a file.
func (b *bench) values() []string {
	b.t.Helper()
	var hints []struct{ Label string }
	b.MustCall("textDocument/inlayHint", map[string]any{
		"textDocument": map[string]any{"uri": doc},
		"range":        map[string]any{"start": map[string]any{"line": 0, "character": 0}, "end": map[string]any{"line": 100, "character": 0}},
	}, &hints)
	var all []string
	for _, h := range hints {
		all = append(all, strings.TrimLeft(h.Label, " "))
	}
	return all
}

func (b *bench) step(to wire.Move, at *protocol.Position) (a wire.ShownStep) {
	b.t.Helper()
	b.MustCall("workspace/executeCommand", command(wire.CommandStep.Name, wire.StepParams{PropertyParams: wire.PropertyParams{URI: doc, Position: at}, To: to}), &a)
	return a
}

func TestSteps(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(toldClient(), map[string]any{"inlayHints": map[string]any{"enabled": false}})
	b.open(doc, counting)
	if err := b.Call("workspace/executeCommand", command(wire.CommandStep.Name, wire.StepParams{PropertyParams: wire.PropertyParams{URI: doc}, To: "first"}), nil); err == nil {
		t.Error("a step without a counterexample")
	}
	b.save(doc)
	b.expectTitles("refuted at step 3")
	if a := b.step(wire.MoveLast, nil); a.Step != 3 || a.Steps != 4 || a.Name != "full" || a.Property != "bad:0" {
		t.Errorf("%+v", a)
	}
	if got, want := b.values(), []string{"│0→1│", "│  1│", "│0→1│ step 3 of 3: fails", "│0→1│", "│  0│", "│1→0│"}; !slices.Equal(got, want) {
		t.Errorf("values %q, expected %q", got, want)
	}
	for _, move := range []struct {
		to   wire.Move
		line uint32 // of the signal
		step int
	}{
		{wire.MoveNext, 0, 3}, {wire.MovePrevious, 0, 2}, {wire.MoveFirst, 0, 0}, {wire.MovePrevious, 0, 0},
		{wire.MoveNextChange, 2, 2}, {wire.MoveNextChange, 2, 2}, {wire.MoveNextChange, 1, 3}, {wire.MovePreviousChange, 2, 2},
		{"1", 0, 1}, {"77", 0, 3},
	} {
		if a := b.step(move.to, &protocol.Position{Line: move.line}); a.Step != move.step {
			t.Errorf("%s leads to %d, expected %d", move.to, a.Step, move.step)
		}
	}
	if err := b.Call("workspace/executeCommand", command(wire.CommandStep.Name, wire.StepParams{PropertyParams: wire.PropertyParams{URI: doc}, To: "sideways"}), nil); err == nil {
		t.Error("sideways is not a step")
	}

	// Values follow the text, disappear with the counterexample, and come back with it.
	b.replace(doc, 2, "aag 5 0 2 0 3 1\n2 2\n4 10\n6\n6 4 2\n8 5 3\n10 9 7\n")
	b.settled(doc)
	if got := b.values(); len(got) > 0 {
		t.Errorf("values of another circuit: %q", got)
	}
	b.replace(doc, 3, counting+"c\nmore\n")
	b.settled(doc)
	if got := b.values(); len(got) != 6 {
		t.Errorf("values %q", got)
	}
	b.step(wire.MoveHide, nil)
	if got := b.values(); len(got) > 0 {
		t.Errorf("hidden values: %q", got)
	}
	_, mark := b.Await("the step", 0, func(m lsptest.Message) bool { return m.Method == wire.NotificationStepShown.Name })
	if mark == 0 {
		t.Error("no news of the step")
	}
}

// TestChangesOfWords: on a bit the next change is that of its word, as are the values at row ends.
func TestChangesOfWords(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(toldClient(), map[string]any{"inlayHints": map[string]any{"enabled": false}})
	b.open(doc, strings.NewReplacer("low", "count[0]", "high", "count[1]").Replace(counting))
	b.save(doc)
	b.expectTitles("refuted at step 3")
	b.step(wire.MoveFirst, nil)
	high := &protocol.Position{Line: 2}
	for _, want := range []int{1, 2, 3, 3} { // the bit itself changes in step 2 alone
		if a := b.step(wire.MoveNextChange, high); a.Step != want {
			t.Errorf("the next change is in step %d, expected %d", a.Step, want)
		}
	}
	if a := b.step(wire.MovePreviousChange, high); a.Step != 2 {
		t.Errorf("the change before is in step %d", a.Step)
	}
	if got := b.values(); !slices.Contains(got, "count 1→2 ›3") {
		t.Errorf("values %q", got)
	}
	var actions []protocol.CodeAction
	b.MustCall("textDocument/codeAction", map[string]any{
		"textDocument": map[string]any{"uri": doc}, "range": protocol.Range{Start: *high, End: *high}, "context": map[string]any{"diagnostics": []any{}},
	}, &actions)
	if !slices.ContainsFunc(actions, func(a protocol.CodeAction) bool { return a.Title == "Values: next change of count" }) {
		t.Errorf("%+v", actions)
	}
}

func TestWhyAndTrace(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(toldClient(), nil)
	b.open(doc, counting)
	b.save(doc)
	b.expectTitles("refuted at step 3")
	ask := func(name string, arg, answer any) {
		t.Helper()
		b.MustCall("workspace/executeCommand", command(name, arg), answer)
	}
	var root wire.Cause
	ask(wire.CommandWhy.Name, wire.WhyParams{PropertyParams: wire.PropertyParams{URI: doc}}, &root)
	if root.Name != "full" || root.Step != 3 || len(root.Causes) != 2 || root.Causes[0].Name != "low" || root.Causes[0].Location.Range.Start.Line != 1 {
		t.Errorf("%+v", root)
	}
	var high wire.Cause
	ask(wire.CommandWhy.Name, wire.WhyParams{PropertyParams: wire.PropertyParams{URI: doc, Position: &protocol.Position{Line: 2}}, Step: new(int)}, &high)
	if high.Name != "high" || high.Value != "0" || high.Reason != "reset" {
		t.Errorf("%+v", high)
	}
	step := 2
	cause := root.Causes[1]
	var location protocol.Location
	ask(wire.CommandGoToCause.Name, wire.GoToCauseParams{PropertyParams: wire.PropertyParams{URI: doc}, Signal: cause.Signal, Step: step}, &location)
	if location.Range.Start.Line != 2 {
		t.Errorf("%s is at %v", cause.Name, location)
	}
	signals := func(a wire.Trace) (all []string) {
		for _, s := range a.Signals {
			line := -1
			if s.Location != nil {
				line = int(s.Location.Range.Start.Line)
			}
			all = append(all, fmt.Sprintf("%s %s %s %d", s.Group, s.Name, s.Values, line))
		}
		return all
	}
	var fresh wire.Trace
	ask(wire.CommandTrace.Name, wire.TraceParams{PropertyParams: wire.PropertyParams{URI: doc}, Positions: []protocol.Position{{Line: 5}}}, &fresh)
	if got, want := signals(fresh), []string{"property full 0001 3", "latches low 0101 1", "latches high 0011 2", "gates 8 1000 5"}; !slices.Equal(got, want) || fresh.Step == nil || *fresh.Step != 2 {
		t.Errorf("trace %q, expected %q", got, want)
	}

	var typed wire.Trace
	ask(wire.CommandTrace.Name, wire.TraceParams{PropertyParams: wire.PropertyParams{URI: doc}, Expressions: []string{"low & !high", "prev(high)", "low &", "absent", "8 | x"}}, &typed)
	got := []string{}
	for _, s := range typed.Signals {
		if s.Group == wire.GroupExpressions {
			got = append(got, fmt.Sprintf("%s: %s%s", s.Name, s.Values, s.Error))
		}
	}
	want := []string{
		"low & !high: 0100", "prev(high): x001", "low &: column 6: expected a name, found the end",
		"absent: column 1: there is no signal named absent; names with spaces and operators stand in backticks", "8 | x: 1xxx",
	}
	if !slices.Equal(got, want) {
		t.Errorf("expressions %q, expected %q", got, want)
	}

	// The text changes: places move, and what is gone is nowhere.
	b.replace(doc, 2, "aag 6 1 2 0 3 1\n12\n2 12\n4 10\n6\n6 4 2\n8 5 3\n10 9 7\nl0 lowest\nl1 high\nb0 full\n")
	b.settled(doc)
	var stale wire.Trace
	ask(wire.CommandTrace.Name, wire.TraceParams{PropertyParams: wire.PropertyParams{URI: doc}}, &stale)
	if got, want := signals(stale), []string{"property full 0001 4", "latches low 0101 -1", "latches high 0011 3"}; !slices.Equal(got, want) || !stale.Stale {
		t.Errorf("trace %q, expected %q", got, want)
	}
}

func TestExportTrace(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(toldClient(), nil)
	b.open(doc, counting)
	b.save(doc)
	b.expectTitles("refuted at step 3")
	export := func(arg wire.ExportParams) (a wire.ExportedTrace, err error) {
		arg.URI = doc
		return a, b.Call("workspace/executeCommand", command(wire.CommandExportTrace.Name, arg), &a)
	}
	for format, part := range map[string]string{
		"witness": "1\nb0\n00\n\n\n\n\n.\n", "vcd": "$var wire 1 ", "json": `"low"`, "wavedrom": `"wave"`, "markdown": "| `low` |",
	} {
		a, err := export(wire.ExportParams{Format: wire.TraceFormat(format)})
		if err != nil || !strings.Contains(a.Text, part) || !strings.HasPrefix(a.Name, "a.bad0.") {
			t.Errorf("%s: %v, %+v", format, err, a)
		}
	}
	if _, err := export(wire.ExportParams{Format: "pdf"}); err == nil {
		t.Error("an unknown format")
	}
	path := filepath.Join(t.TempDir(), "x.vcd")
	for i, arg := range []wire.ExportParams{{Path: path}, {Path: path}, {Path: path, Overwrite: true}, {Path: "x.vcd"}} {
		arg.Format = "vcd"
		if _, err := export(arg); (err == nil) != (i%2 == 0) {
			t.Errorf("export %d: %v", i, err)
		}
	}
	if data, err := os.ReadFile(path); err != nil || !strings.Contains(string(data), "$enddefinitions") {
		t.Errorf("the file: %v", err)
	}
}

func TestImportWitness(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(toldClient(), map[string]any{"check": map[string]any{"trigger": "manual"}})
	w := newBoard(b)
	b.open(doc, counting)
	w.expect(doc, "none stale")
	take := func(text string) error {
		return b.Call("workspace/executeCommand", command(wire.CommandImportWitness.Name, wire.ImportParams{PropertyParams: wire.PropertyParams{URI: doc}, Text: text}), nil)
	}
	for text, want := range map[string]string{
		"1\nb0\n00\n\n\n.\n": "last step, 1", "1\nb0\n10\n\n\n\n\n.\n": "latch 0", "1\nb7\n00\n\n\n\n\n.\n": "names no property",
		"0\nb0\n.\n": "no counterexample", "nonsense\n": "cannot be read",
	} {
		if err := take(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, expected %q", text, err, want)
		}
	}
	w.expect(doc, "none stale")
	if err := take("1\nb0\n00\n\n\n\n\n\n\n.\n"); err != nil {
		t.Fatal(err)
	}
	w.expect(doc, "refuted fresh")
	b.expectTitlesNow("refuted at step 3")
	b.expectRuns(0)
	if a := b.step(wire.MovePrevious, nil); a.Step != 2 {
		t.Errorf("%+v", a)
	}
}

// TestImportNoFile names what is not a file, which may have no end.
func TestImportNoFile(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(toldClient(), nil)
	b.open(doc, counting)
	err := b.Call("workspace/executeCommand", command(wire.CommandImportWitness.Name, wire.ImportParams{PropertyParams: wire.PropertyParams{URI: doc}, Path: t.TempDir()}), nil)
	if err == nil || !strings.Contains(err.Error(), "is not a file") {
		t.Errorf("%v", err)
	}
}

// TestStepFollowsRow puts a property before the one whose step is shown, and has that
// one fail earlier.
func TestStepFollowsRow(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(toldClient(), map[string]any{"inlayHints": map[string]any{"enabled": false}})
	text := strings.ReplaceAll(counting, "b0 full\n", "")
	b.open(doc, text)
	b.save(doc)
	b.expectTitles("refuted at step 3")
	b.step(wire.MoveLast, nil)
	text = strings.Replace(strings.Replace(text, " 3 1", " 3 2", 1), "\n6\n", "\n4\n6\n", 1)
	b.replace(doc, 2, text)
	b.save(doc)
	b.expectTitles("refuted at step 2", "refuted at step 3")
	if got := b.values(); !slices.Contains(got, "│0→1│ step 3 of 3: fails") {
		t.Errorf("values %q", got)
	}
	if a := b.step(wire.MovePrevious, nil); a.Property != "bad:1" || a.Step != 2 {
		t.Errorf("%+v", a)
	}
	b.step(wire.MoveLast, nil)
	b.replace(doc, 3, strings.Replace(text, "\n4\n6\n", "\n5\n6\n", 1)) // another cone for bad 0 alone
	b.replace(doc, 4, strings.Replace(text, "\n2 3\n", "\n2 3 1\n", 1))
	b.settled(doc)
	var stale wire.Trace
	b.MustCall("workspace/executeCommand", command(wire.CommandTrace.Name, wire.TraceParams{PropertyParams: wire.PropertyParams{URI: doc, Property: "bad:1"}}), &stale)
	if !stale.Stale || stale.Property != "bad:1" || stale.Steps != 4 || stale.Signals[0].Location == nil || stale.Signals[0].Location.Range.Start.Line != 4 {
		t.Errorf("%+v", stale)
	}
	b.save(doc)
	b.expectTitles("refuted at step 1", "refuted at step 2")
	if a := b.step(wire.MovePrevious, nil); a.Property != "bad:1" || a.Step != 1 || a.Steps != 3 {
		t.Errorf("%+v", a)
	}
}

// TestNegatedAndConstant asks about a literal that the text negates, and about gates
// that the circuit has merged with a constant.
func TestNegatedAndConstant(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(toldClient(), nil)
	b.open(doc, "aag 4 0 2 0 2 1\n2 7\n4 3\n2\n6 1 0\n8 3 3\n")
	b.save(doc)
	b.expectTitles("refuted at step 1")
	var a wire.Trace
	at := []protocol.Position{{Line: 2, Character: 2}, {Line: 1}, {Line: 4, Character: 2}}
	b.MustCall("workspace/executeCommand", command(wire.CommandTrace.Name, wire.TraceParams{PropertyParams: wire.PropertyParams{URI: doc}, Positions: at}), &a)
	var gates []string
	for _, s := range a.Signals {
		if s.Group == wire.GroupGates {
			gates = append(gates, s.Name+" "+s.Values)
		}
	}
	if !slices.Equal(gates, []string{"2 01", "2 01"}) {
		t.Errorf("gates %q", gates)
	}
	var root wire.Cause
	b.MustCall("workspace/executeCommand", command(wire.CommandWhy.Name, wire.WhyParams{PropertyParams: wire.PropertyParams{URI: doc}}), &root)
	if root.Name != "2" || root.Value != "1" || len(root.Causes) > 0 || root.Reason != "constant" {
		t.Errorf("%+v", root)
	}
	b.MustCall("workspace/executeCommand", command(wire.CommandWhy.Name, wire.WhyParams{PropertyParams: wire.PropertyParams{URI: doc, Position: &protocol.Position{Line: 4}}}), &root)
	if root.Name != "constant" || root.Value != "0" || root.Location != nil {
		t.Errorf("%+v", root)
	}
}

// TestWitnessBesideErrors writes and reads a witness of a file with an error that the
// property does not depend on: it has no values for what stands in its place.
func TestWitnessBesideErrors(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(toldClient(), nil)
	b.open(doc, "aag 5 1 1 0 2 2\n10\n2 3\n2\n8\n8 12 4\n6 10 4\n")
	b.save(doc)
	b.expectTitles("refuted at step 1", "unknown: error on line 6: operand 12 exceeds 2M+1 = 11")
	var a wire.ExportedTrace
	b.MustCall("workspace/executeCommand", command(wire.CommandExportTrace.Name, wire.ExportParams{PropertyParams: wire.PropertyParams{URI: doc}, Format: "witness"}), &a)
	if want := "1\nb0\n0\nx\nx\n.\n"; a.Text != want {
		t.Errorf("witness %q, expected %q", a.Text, want)
	}
	var taken wire.ImportedWitness
	b.MustCall("workspace/executeCommand", command(wire.CommandImportWitness.Name, wire.ImportParams{PropertyParams: wire.PropertyParams{URI: doc}, Text: a.Text}), &taken)
	if taken.Steps != 2 {
		t.Errorf("%+v", taken)
	}
}

// TestNoWitnessOfAsides: a witness has no name for a lemma or a cover, and b0 would be another
// property, which may be proved. Other formats have their runs.
func TestNoWitnessOfAsides(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(toldClient(), nil)
	b.open(doc, commented("prop: lemma stuck", "prop: cover flip"))
	b.save(doc)
	b.expectTitles(refutedAt1, provedT, "refuted at step 0: not used", "reached at step 1")
	for _, property := range []wire.PropertyID{"lemma:0", "cover:0"} {
		arg := wire.ExportParams{PropertyParams: wire.PropertyParams{URI: doc, Property: property}, Format: wire.FormatWitness}
		var a wire.ExportedTrace
		err := b.Call("workspace/executeCommand", command(wire.CommandExportTrace.Name, arg), &a)
		want := "a witness cannot name " + string(property) + ": choose another format, such as VCD"
		if err == nil || !strings.Contains(err.Error(), want) || a.Text != "" {
			t.Errorf("%s: %v, witness %q", property, err, a.Text)
		}
		arg.Format = wire.FormatVCD
		b.MustCall("workspace/executeCommand", command(wire.CommandExportTrace.Name, arg), &a)
		if !strings.Contains(a.Text, "$enddefinitions") {
			t.Errorf("%s as VCD: %s", property, a.Text)
		}
	}
}

// TestStepOfInstances shows values in a model with two instances, of which the property
// depends on the second, and then on both.
func TestStepOfInstances(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(toldClient(), nil)
	text := ".model top\n.inputs a\n.outputs bad\n.subckt cell d=a q=x\n.subckt cell d=x q=y\n# prop: bad bad\n.names KEY bad\n1 1\n.end\n" +
		".model cell\n.inputs d\n.outputs q\n.latch n q 0\n.names d n\n0 1\n.end\n"
	b.openAs("blif", doc, strings.Replace(text, "KEY", "x", 1))
	b.save(doc)
	b.expectTitles("refuted at step 1")
	b.step(wire.MoveLast, nil)
	if got := b.values(); !slices.Contains(got, "0 → 1 in x") {
		t.Errorf("values %q", got)
	}
	text = strings.Replace(strings.Replace(text, "KEY", "y", 1), "d=x", "d=a", 1)
	b.replace(doc, 2, text)
	b.save(doc)
	b.expectTitles("refuted at step 1")
	if got := b.values(); !slices.Contains(got, "0 → 1 in y") {
		t.Errorf("values %q", got)
	}
	var root wire.Cause
	b.MustCall("workspace/executeCommand", command(wire.CommandWhy.Name, wire.WhyParams{PropertyParams: wire.PropertyParams{URI: doc, Position: &protocol.Position{Line: 12, Character: 9}}}), &root)
	if root.Name != "y/q" && root.Name != "y" && root.Name != "bad" {
		t.Errorf("%+v", root)
	}
}

// TestScopesOfExport: a sign between instances may be part of a name.
func TestScopesOfExport(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(toldClient(), nil)
	b.openAs("blif", doc, ".model top\n.inputs a/b /x c/\n.outputs bad\n.subckt cell d=a/b q=u/v\n# prop: bad bad\n.names u/v /x c/ bad\n111 1\n.end\n"+
		".model cell\n.inputs d\n.outputs q\n.latch d w/q 0\n.names w/q q\n1 1\n.end\n")
	b.save(doc)
	b.expectTitles("refuted at step 1")
	var a wire.ExportedTrace
	b.MustCall("workspace/executeCommand", command(wire.CommandExportTrace.Name, wire.ExportParams{PropertyParams: wire.PropertyParams{URI: doc}, Format: "json"}), &a)
	var w struct {
		Signals []struct {
			Path []string
			Name string
		}
	}
	if err := json.Unmarshal([]byte(a.Text), &w); err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(w.Signals), "[{[] a/b} {[] /x} {[] c/} {[u/v] w/q} {[] bad}]"; got != want {
		t.Errorf("signals %s, expected %s", got, want)
	}
}

// TestPlacesOfUnnamedSignals: a latch without a name is found where the text around it
// is the same, and never taken for another one.
func TestPlacesOfUnnamedSignals(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(toldClient(), nil)
	unnamed := strings.NewReplacer("l0 low\n", "", "l1 high\n", "").Replace(counting)
	b.open(doc, unnamed)
	b.save(doc)
	b.expectTitles("refuted at step 3")
	for version, text := range []string{
		strings.Replace(unnamed, "8 5 3", "8 5 2", 1),                                           // after the latches
		"aag 6 0 3 0 3 1\n2 2\n4 5\n6 13\n8\n8 6 4\n10 7 5\n12 11 9\nb0 full\n",                 // another latch before
		strings.Replace(strings.Replace(unnamed, "aag 5 0", "aag 7 1", 1), "2 3", "14\n2 3", 1), // an input before
	} {
		b.replace(doc, version+2, text)
		b.settled(doc)
		var a wire.Trace
		b.MustCall("workspace/executeCommand", command(wire.CommandTrace.Name, wire.TraceParams{PropertyParams: wire.PropertyParams{URI: doc}}), &a)
		if !a.Stale { // the same cone at other places
			continue
		}
		lines := strings.Split(text, "\n")
		for _, s := range a.Signals {
			row := map[string]string{"2": "2 3", "4": "4 10"}[s.Name]
			if s.Group == "latches" && s.Location != nil && lines[s.Location.Range.Start.Line] != row {
				t.Errorf("%q: latch %s is said to be on line %d", text, s.Name, s.Location.Range.Start.Line)
			}
			if s.Group == "latches" && s.Location == nil && version == 0 {
				t.Errorf("latch %s is not found", s.Name)
			}
		}
	}
}

// TestWitnessForANewFile imports a counterexample before the file that was just opened has
// been analysed.
func TestWitnessForANewFile(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(toldClient(), nil)
	for i := range 20 {
		u := fmt.Sprintf("file:///w/new%d.aag", i)
		b.open(u, "aag 1 1 0 0 0 1\n2\n2\n")
		var taken wire.ImportedWitness
		b.MustCall("workspace/executeCommand", command(wire.CommandImportWitness.Name,
			wire.ImportParams{PropertyParams: wire.PropertyParams{URI: uri.URI(u)}, Text: "1\nb0\n\n1\n.\n"}), &taken)
		if taken.Steps != 1 {
			t.Fatalf("%s: %+v", u, taken)
		}
	}
}

// TestNotes: a client that draws notes gets the same as one with hints, in parts.
func TestNotes(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(toldClient(), nil)
	b.open(doc, counting)
	b.save(doc)
	b.expectTitles("refuted at step 3")
	b.step("1", nil)
	params := map[string]any{
		"textDocument": map[string]any{"uri": doc}, "uri": doc,
		"range": lsptest.Range{Start: lsptest.Position{Line: 1}, End: lsptest.Position{Line: 6}},
	}
	var hints []struct {
		Position protocol.Position
		Label    string
		Data     string
	}
	b.MustCall("textDocument/inlayHint", params, &hints)
	var got wire.Notes
	b.MustCall(wire.RequestNotes.Name, params, &got)
	if got.Version != 1 || len(got.Notes) != 6 || len(hints) != 6 {
		t.Fatalf("%+v, hints %+v", got, hints)
	}
	for i, n := range got.Notes {
		text := ""
		for _, p := range n.Value {
			text += p.Text
		}
		if len(n.Value) > 0 && len(n.Words) > 0 {
			text += " "
		}
		for _, p := range n.Words {
			text += p.Text
		}
		h := hints[i]
		if gap := n.Column - int(h.Position.Character); h.Label != strings.Repeat(" ", gap)+text || h.Data != "note" || h.Position.Line != n.Line {
			t.Errorf("%+v is not %+v", n, h)
		}
	}
	if first := got.Notes[0]; !slices.Equal(first.Value, []wire.NotePart{{Text: "│0→1│", Look: wire.LookChanged}, {Text: "›0", Look: wire.LookNext}}) {
		t.Errorf("%+v", first)
	}
}

// TestCommandsOfAnEarlierCounterexample: the commands that need a counterexample of the present text say of one
// of an earlier text that it is one, and which property has it; aiglens.trace shows it.
func TestCommandsOfAnEarlierCounterexample(t *testing.T) {
	b := newBench(t, explicit, func(o *Options) {
		o.Reduce = func(context.Context, Reduction) (r Reduced, err error) { return r, errors.New("reduced") }
	})
	b.Initialize(toldClient(), nil)
	b.open(doc, counting)
	b.save(doc)
	b.awaitTitles(doc, "a counterexample", func(titles []string) bool { return strings.HasPrefix(titles[0], "refuted") })
	b.replace(doc, 2, strings.Replace(counting, "4 10", "4 11", 1))
	b.awaitAnalysis(doc)
	about := wire.PropertyParams{URI: doc, Property: "bad:0"}
	for name, params := range map[string]any{
		wire.CommandStep.Name:        wire.StepParams{PropertyParams: about, To: wire.MoveFirst},
		wire.CommandWhy.Name:         wire.WhyParams{PropertyParams: about},
		wire.CommandExportTrace.Name: wire.ExportParams{PropertyParams: about, Format: wire.FormatVCD},
		wire.CommandReduce.Name:      wire.ReduceParams{PropertyParams: about},
		wire.CommandAnother.Name:     wire.AnotherParams{PropertyParams: about, Find: wire.SoughtAnother},
		wire.CommandLatches.Name:     about,
		wire.CommandGoToLatch.Name:   wire.GoToLatchParams{PropertyParams: about},
		wire.CommandGoToCause.Name:   wire.GoToCauseParams{PropertyParams: about},
		wire.CommandPlay.Name:        wire.PlayParams{URI: doc, Property: "bad:0"},
	} {
		m := b.Answer(b.Send("workspace/executeCommand", command(name, params)))
		var why wire.RefusalData
		if m.Error == nil || !strings.Contains(m.Error.Message, "the counterexample of full is about an earlier text") {
			t.Errorf("%s: %s, %v", name, m.Result, m.Error)
		} else if err := json.Unmarshal(m.Error.Data, &why); err != nil || why.Earlier == nil || *why.Earlier != about {
			t.Errorf("%s: the data are %s, %v", name, m.Error.Data, err)
		}
	}
	var trace wire.Trace
	b.MustCall("workspace/executeCommand", command(wire.CommandTrace.Name, wire.TraceParams{PropertyParams: about}), &trace)
	if !trace.Stale || trace.Steps != 4 {
		t.Errorf("the trace is of %d steps, stale %t", trace.Steps, trace.Stale)
	}
}

// TestInstanceOfStep: a code action chooses the instance whose values a model shows, which stays
// while steps change.
func TestInstanceOfStep(t *testing.T) {
	const text = `.model top
.inputs a
.outputs bad
.subckt reg d=a q=left
.subckt reg d=left q=right
.names left right bad
11 1
.end
.model reg
.inputs d
.outputs q
.latch d q 0
.end
`
	const file = "file:///instances.blif"
	b := newBench(t, explicit)
	b.Initialize(toldClient(), map[string]any{"inlayHints": map[string]any{"enabled": false}})
	b.openAs("blif", file, text)
	b.save(file)
	b.awaitTitles(file, "refuted at step 2", func(titles []string) bool {
		return slices.ContainsFunc(titles, func(title string) bool { return strings.HasPrefix(title, "refuted at step 2") })
	})
	stepTo := func(params wire.StepParams) (a wire.ShownStep) {
		params.URI = file
		b.MustCall("workspace/executeCommand", command(wire.CommandStep.Name, params), &a)
		return a
	}
	stepTo(wire.StepParams{To: wire.MoveLast})
	at := protocol.Range{Start: protocol.Position{Line: 11, Character: 9}, End: protocol.Position{Line: 11, Character: 9}}
	var actions []struct {
		Title   string
		Command struct{ Arguments []wire.StepParams }
	}
	b.MustCall("textDocument/codeAction", map[string]any{"textDocument": map[string]any{"uri": file}, "range": at, "context": map[string]any{"diagnostics": []any{}}}, &actions)
	var chosen *wire.StepParams
	for _, a := range actions {
		if a.Title == "Values: in right" && len(a.Command.Arguments) == 1 {
			chosen = &a.Command.Arguments[0]
		}
	}
	if chosen == nil {
		t.Fatalf("no action for the other instance: %+v", actions)
	}
	if a := stepTo(*chosen); a.Instance != "right" || a.Step != 2 {
		t.Errorf("%+v", a)
	}
	if a := stepTo(wire.StepParams{To: wire.MovePrevious}); a.Instance != "right" || a.Step != 1 {
		t.Errorf("%+v", a)
	}

	// A change is looked for in the instance that is asked for, not in the one that was shown.
	change := wire.StepParams{PropertyParams: wire.PropertyParams{Position: &at.Start}, To: wire.MoveNextChange}
	for _, x := range []struct {
		instance string
		step     int
	}{{"left", 1}, {"right", 2}, {"left", 1}} {
		stepTo(wire.StepParams{To: wire.MoveFirst})
		change.Instance = x.instance
		if a := stepTo(change); a.Instance != x.instance || a.Step != x.step {
			t.Errorf("the next change in %s: %+v, want step %d", x.instance, a, x.step)
		}
	}
}
