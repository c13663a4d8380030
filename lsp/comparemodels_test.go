package lsp

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.lsp.dev/uri"

	"aiglens/lsp/wire"
)

// TestCompareEarlierModels compares a text with an earlier one whose models came from other files:
// these count as the client says that they were, and what it has not told of is asked for.
func TestCompareEarlierModels(t *testing.T) {
	const (
		top  = ".model top\n.search lib/inv.blif\n.inputs a b\n.outputs y z\n.subckt inv i=a o=y\n.subckt also i=b o=z\n.end\n"
		inv  = ".model inv\n.inputs i\n.outputs o\n.names i o\n0 1\n.end\n"
		also = ".model also\n.inputs i\n.outputs o\n.names i o\n0 1\n.end\n"
	)
	folder := t.TempDir()
	path := func(name string) string { return filepath.Join(folder, filepath.FromSlash(name)) }
	if err := os.Mkdir(path("lib"), 0o700); err != nil {
		t.Fatal(err)
	}
	buffer := func(text string) string { return strings.Replace(text, "0 1", "1 1", 1) }
	for name, text := range map[string]string{"top.blif": top, "lib/inv.blif": inv, "also.blif": buffer(also)} {
		if err := os.WriteFile(path(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	b := newBench(t, explicit)
	b.Initialize(capable, nil)
	u := string(uri.File(path("top.blif")))
	b.openAs("blif", u, top)

	ask := func(earlier *wire.EarlierFiles) wire.Comparison {
		t.Helper()
		params := map[string]any{"uri": u, "text": top}
		if earlier != nil {
			params["earlier"] = earlier
		}
		answer, err := b.compared(params)
		if err != nil {
			t.Fatal(err)
		}
		return answer
	}
	if answer := ask(nil); answer.Verdict != wire.SamenessEqual || answer.Needs != nil {
		t.Errorf("with the models that there are now: %+v", answer)
	}
	earlier := &wire.EarlierFiles{Files: []wire.EarlierFile{}, Folders: []string{}}
	answer := ask(earlier)
	if answer.Verdict != wire.SamenessUnknown || answer.Needs == nil || len(answer.Pairs) > 0 ||
		strings.Join(answer.Needs.Files, " ") != path("lib/inv.blif") {
		t.Fatalf("without what other files were: %+v", answer)
	}
	text := inv
	earlier.Files = append(earlier.Files, wire.EarlierFile{Path: path("lib/inv.blif"), Text: &text})
	if answer = ask(earlier); answer.Needs == nil || strings.Join(answer.Needs.Folders, " ") != folder {
		t.Fatalf("without what the folder was: %+v", answer)
	}
	before, itself := also, top
	earlier.Folders = []string{folder}
	earlier.Files = append(earlier.Files, wire.EarlierFile{Path: path("top.blif"), Text: &itself}, wire.EarlierFile{Path: path("also.blif"), Text: &before})
	answer = ask(earlier)
	if answer.Verdict != wire.SamenessDifferent || answer.Needs != nil || answer.Message != "differs at step 0 in z" {
		t.Errorf("a model that was another one: %+v", answer)
	}
	earlier.Files[2] = wire.EarlierFile{Path: path("also.blif"), Now: true}
	if answer = ask(earlier); answer.Verdict != wire.SamenessEqual {
		t.Errorf("a model that counts as it is now: %+v", answer)
	}
	earlier.Files[2] = wire.EarlierFile{Path: path("also.blif")}
	_, err := b.compared(map[string]any{"uri": u, "text": top, "earlier": earlier})
	if err == nil || !strings.Contains(err.Error(), "the other circuit cannot be compared") || !strings.Contains(err.Error(), "also") {
		t.Errorf("a model that was not there: %v", err)
	}
	if _, err := b.compared(map[string]any{"uri": u, "path": path("also.blif"), "earlier": earlier}); err == nil || !strings.Contains(err.Error(), "earlier files only with a text") {
		t.Errorf("a file with earlier files: %v", err)
	}
}

// TestCompareLooks: a model that another program has written since counts, reported or not.
func TestCompareLooks(t *testing.T) {
	const (
		top = ".model top\n.search inv.lib\n.inputs a\n.outputs y\n.subckt inv i=a o=y\n.end\n"
		inv = ".model inv\n.inputs i\n.outputs o\n.names i o\n0 1\n.end\n"
	)
	folder := t.TempDir()
	model := filepath.Join(folder, "inv.lib")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(model, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(inv)
	b := newBench(t, explicit)
	b.Initialize(capable, nil)
	u := string(uri.File(filepath.Join(folder, "top.blif")))
	b.openAs("blif", u, top)
	was := inv
	earlier := &wire.EarlierFiles{Files: []wire.EarlierFile{{Path: model, Text: &was}}, Folders: []string{folder}}
	for _, step := range []struct {
		text string
		want wire.Sameness
	}{{inv, wire.SamenessEqual}, {strings.Replace(inv, "0 1", "1 1", 1), wire.SamenessDifferent}, {inv, wire.SamenessEqual}} {
		write(step.text)
		answer, err := b.compared(map[string]any{"uri": u, "text": top, "earlier": earlier})
		if err != nil || answer.Verdict != step.want {
			t.Errorf("with\n%s%+v, %v, expected %s", step.text, answer, err, step.want)
		}
	}
}

// TestCompareEarlierKnown: a text that takes nothing from other files is known again, whatever these
// were.
func TestCompareEarlierKnown(t *testing.T) {
	const text = ".model m\n.inputs a\n.outputs y\n.names a y\n1 1\n.end\n"
	b := newBench(t, explicit)
	b.Initialize(capable, nil)
	u := string(uri.File(filepath.Join(t.TempDir(), "m.blif")))
	b.openAs("blif", u, text)
	var before int32
	for i := range 3 {
		answer, err := b.compared(map[string]any{"uri": u, "text": strings.Replace(text, "1 1", "0 1", 1), "earlier": wire.EarlierFiles{Files: []wire.EarlierFile{}, Folders: []string{}}})
		if err != nil || answer.Verdict != wire.SamenessDifferent || answer.Needs != nil {
			t.Fatalf("%+v, %v", answer, err)
		}
		if runs := b.runs.Load(); i > 0 && runs != before || runs == 0 {
			t.Errorf("comparison %d: %d runs of the engine, %d before", i, runs, before)
		}
		before = b.runs.Load()
	}
}

// TestExportDifference writes a difference with both sides, and as a witness of either.
func TestExportDifference(t *testing.T) {
	const (
		circuit = "aag 3 2 1 1 0\n2\n4\n6 2\n6\ni0 a\ni1 b\nl0 q\no0 y\n"
		changed = "aag 3 2 1 1 0\n2\n4\n6 3\n6\ni0 a\ni1 b\nl0 q\no0 y\n"
	)
	b := newBench(t, explicit)
	b.Initialize(capable, nil)
	folder := t.TempDir()
	u := string(uri.File(filepath.Join(folder, "circuit.aag")))
	b.open(u, circuit)
	export := func(params map[string]any) (answer wire.ExportedTrace, err error) {
		params["uri"] = u
		if params["text"] == nil && params["path"] == nil {
			params["text"] = changed
		}
		err = b.Call("workspace/executeCommand", map[string]any{"command": wire.CommandExportDifference.Name, "arguments": []any{params}}, &answer)
		return answer, err
	}
	vcd, err := export(map[string]any{"format": "vcd", "name": "HEAD"})
	if err != nil || vcd.Name != "circuit.differs.output0.vcd" {
		t.Fatalf("%+v, %v", vcd, err)
	}
	for _, want := range []string{"$scope module circuit.aag $end", "$scope module HEAD $end", " a $end", " q $end", " y $end"} {
		if !strings.Contains(vcd.Text, want) {
			t.Errorf("%q is not in\n%s", want, vcd.Text)
		}
	}
	// Input b has no part in it, and a has one in the first step only.
	for side, name := range map[string]string{"here": "circuit.differs.output0.a.wit", "there": "circuit.differs.output0.b.wit"} {
		witness, err := export(map[string]any{"format": "witness", "side": side})
		if err != nil || witness.Name != name || !strings.HasPrefix(witness.Text, "1\nb0\n0\n0x\nxx\n.\nc y differs at step 1") {
			t.Errorf("%s: %+v, %v", side, witness, err)
		}
	}
	table, err := export(map[string]any{"format": "markdown"})
	if err != nil || !strings.Contains(table.Text, "q") || strings.Contains(table.Text, "`b`") {
		t.Errorf("a table of what tells: %+v, %v", table, err)
	}
	path := filepath.Join(folder, "out.vcd")
	if _, err := export(map[string]any{"format": "vcd", "name": "HEAD", "write": path}); err != nil {
		t.Error(err)
	}
	if written, err := os.ReadFile(path); err != nil || string(written) != vcd.Text {
		t.Errorf("written: %q, %v", written, err)
	}
	for want, params := range map[string]map[string]any{
		`"overwrite": true`:                     {"format": "vcd", "write": path},
		`is not a format`:                       {"format": "png"},
		`is not a side`:                         {"format": "witness", "side": "left"},
		`there is no difference to write: same`: {"format": "vcd", "text": circuit},
		`exactly one of`:                        {"format": "vcd", "path": path, "text": changed},
	} {
		if answer, err := export(params); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, %+v", params, err, answer)
		}
	}
	if _, err := export(map[string]any{"format": "vcd", "write": path, "overwrite": true}); err != nil {
		t.Error(err)
	}
}
