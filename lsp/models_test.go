package lsp

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/uri"

	"aiglens/lsp/lsptest"
	"aiglens/lsp/wire"
)

const stage = ".model stage\n.inputs in\n.outputs q\n.latch in q 0\n.end\n"

// modelBench is a folder with a top file that is open.
type modelBench struct {
	*bench
	folder string
	top    string // address
}

func openHierarchy(t *testing.T, top string, files map[string]string) modelBench {
	t.Helper()
	h := modelBench{newBench(t, explicit), t.TempDir(), ""}
	for name, content := range files {
		writeFile(t, filepath.Join(h.folder, name), content)
	}
	h.Initialize(capable, nil)
	h.top = h.address("top.blif")
	h.openAs("blif", h.top, top)
	return h
}

func (h modelBench) address(name string) string {
	return string(uri.File(filepath.Join(h.folder, name)))
}

// expect waits for the lens of the only property.
func (h modelBench) expect(what string) {
	h.t.Helper()
	h.awaitTitles(h.top, what, func(titles []string) bool {
		return len(titles) == 1 && strings.HasPrefix(titles[0], what)
	})
}

func (h modelBench) changedOnDisk(name string) {
	h.Notify("workspace/didChangeWatchedFiles", map[string]any{
		"changes": []any{map[string]any{"uri": h.address(name), "type": 2}}})
}

// TestStatusNamesTheCircuit: where a model changes between texts whose verdicts are known, the
// property stays proved and fresh, and its circuit tells whether a proof is the present one.
func TestStatusNamesTheCircuit(t *testing.T) {
	const top = ".model top\n.inputs x\n.outputs bad\n.names zero\n.subckt stage in=zero q=bad\n.end\n"
	const other = ".model stage\n.inputs in\n.outputs q\n.latch in r 0\n.latch r s 0\n.names r s q\n11 1\n.end\n"
	h := openHierarchy(t, top, map[string]string{"stage.blif": stage})
	circuit := func() string {
		t.Helper()
		var all []wire.PropertyStatus
		h.MustCall("workspace/executeCommand", command(wire.CommandProperties.Name, wire.FileParams{URI: uri.URI(h.top)}), &all)
		if all[0].Freshness != wire.FreshnessFresh {
			return all[0].Circuit
		}
		var proof wire.Answer
		h.MustCall("workspace/executeCommand", command(wire.CommandProof.Name, wire.PropertyParams{URI: uri.URI(h.top), Property: all[0].Property}), &proof)
		if proof.Circuit != all[0].Circuit || proof.Circuit == "" {
			t.Errorf("the proof is about %q, the status about %q", proof.Circuit, all[0].Circuit)
		}
		return all[0].Circuit
	}
	h.expect("check")
	h.save(h.top)
	h.expect("proved")
	first := circuit()
	model := h.address("stage.blif")
	h.openAs("blif", model, stage)
	h.replace(model, 2, other)
	h.expect("stale · proved")
	if c := circuit(); c != "" {
		t.Errorf("a verdict about an earlier text names the circuit %q of the present one", c)
	}
	h.save(h.top)
	h.expect("proved")
	if circuit() == first {
		t.Error("another model, and the same circuit")
	}
	h.replace(model, 3, strings.Replace(stage, "q 0", "q 2", 1)) // so that the lens changes once more
	h.expect("stale · proved")
	h.replace(model, 4, stage)
	h.expect("proved")
	if c := circuit(); c != first {
		t.Errorf("the model of before, and the circuit %s instead of %s", c, first)
	}
}

// TestModelsOfOtherFiles follows a verdict through changes of the file that holds
// the instantiated model: in the editor, on disk, closed without saving, and gone.
// A change that leaves the cone alone leaves the verdict fresh.
func TestModelsOfOtherFiles(t *testing.T) {
	const top = ".model top\n.inputs x\n.outputs bad\n.names zero\n.subckt stage in=zero q=bad\n.end\n"
	h := openHierarchy(t, top, map[string]string{"stage.blif": stage})
	h.expect("check")
	h.save(h.top)
	h.expect("proved")

	other := h.address("stage.blif")
	h.openAs("blif", other, stage)
	h.replace(other, 2, "# one more line\n"+stage)
	h.expect("proved")
	h.replace(other, 3, strings.Replace(stage, "q 0", "q 1", 1))
	h.expect("stale · proved")
	h.save(h.top)
	h.expect("refuted at step 0")
	h.close(other)
	h.expect("proved") // that of the file on disk is known

	writeFile(t, filepath.Join(h.folder, "stage.blif"), strings.Replace(stage, ".outputs q\n.latch in q 0", ".outputs q\n.latch in q 1", 1))
	h.changedOnDisk("stage.blif")
	h.expect("refuted at step 0")
	if err := os.Remove(filepath.Join(h.folder, "stage.blif")); err != nil {
		t.Fatal(err)
	}
	h.changedOnDisk("stage.blif")
	h.expect("unknown: error on line 5: no model stage is known") // no verdict rests on a model that is not there
	writeFile(t, filepath.Join(h.folder, "box.blif"), ".model stage\n.inputs in\n.outputs q\n.blackbox\n.end\n")
	h.changedOnDisk("box.blif")
	h.save(h.top)
	h.expect("refuted at step 0 · parts are left open") // what the instance drives is any value
	if err := os.Remove(filepath.Join(h.folder, "box.blif")); err != nil {
		t.Fatal(err)
	}
	h.changedOnDisk("box.blif")
	writeFile(t, filepath.Join(h.folder, "another name.blif"), stage)
	h.changedOnDisk("another name.blif")
	h.expect("proved")
	writeFile(t, filepath.Join(h.folder, "two.blif"), stage)
	h.changedOnDisk("two.blif") // which one is meant is not known any more
	h.expect("unknown: error on line 5: no model stage is known")
}

// TestSearchedFiles reads a model from a .search line and goes to it, to its port
// and to the file.
func TestSearchedFiles(t *testing.T) {
	const top = ".search lib/stages.blif\n.model top\n.inputs x\n.outputs bad\n.subckt stage in=x q=bad\n.end\n"
	h := openHierarchy(t, top, map[string]string{"lib/stages.blif": "# stages\n" + stage, "stage.blif": stage})
	h.save(h.top)
	h.expect("refuted at step 1")
	definition := func(line, character int) location {
		var l location
		h.MustCall("textDocument/definition", map[string]any{
			"textDocument": map[string]any{"uri": h.top}, "position": lsptest.Position{Line: line, Character: character}}, &l)
		return l
	}
	for _, want := range []struct{ line, character, to, toCharacter int }{{0, 10, 0, 0}, {4, 9, 1, 7}, {4, 15, 2, 8}} {
		l := definition(want.line, want.character)
		if l.URI != h.address("lib/stages.blif") || l.Range.Start != (lsptest.Position{Line: want.to, Character: want.toCharacter}) {
			t.Errorf("%d:%d leads to %v", want.line, want.character, l)
		}
	}
	for _, want := range []struct {
		character int
		hover     string
	}{
		{9, "**model** `stage`\n\n`in` → `q`\n\n`stages.blif`, line 2"},
		{15, "**input** `in` of `stage`\n\n`stages.blif`, line 3"},
		{20, "**output** `q` of `stage`\n\n`stages.blif`, line 5"},
	} {
		var hover struct {
			Contents struct{ Value string }
			Range    lsptest.Range
		}
		h.MustCall("textDocument/hover", map[string]any{
			"textDocument": map[string]any{"uri": h.top}, "position": lsptest.Position{Line: 4, Character: want.character}}, &hover)
		if hover.Contents.Value != want.hover || hover.Range.Start.Line != 4 || hover.Range.Start.Character > want.character || hover.Range.End.Character < want.character {
			t.Errorf("hover over column %d at %v: %q, expected %q", want.character, hover.Range, hover.Contents.Value, want.hover)
		}
	}
	var links []struct{ Target string }
	h.MustCall("textDocument/documentLink", map[string]any{"textDocument": map[string]any{"uri": h.top}}, &links)
	if len(links) != 1 || links[0].Target != h.address("lib/stages.blif") {
		t.Errorf("links %v", links)
	}
	var latches []struct {
		Name     string
		Location location
	}
	h.MustCall("workspace/executeCommand", command(wire.CommandLatches.Name, map[string]any{"uri": h.top}), &latches)
	inFile := location{URI: h.address("lib/stages.blif"), Range: lsptest.Range{
		Start: lsptest.Position{Line: 4, Character: 10}, End: lsptest.Position{Line: 4, Character: 11}}}
	if len(latches) != 1 || latches[0].Name != "bad/q" || latches[0].Location != inFile {
		t.Errorf("latches %+v, expected that of the other file", latches)
	}
	var went location
	h.MustCall("workspace/executeCommand", command(wire.CommandGoToLatch.Name, map[string]any{"uri": h.top}), &went)
	if went != inFile {
		t.Errorf("the way to the latch leads to %v", went)
	}
	if names := h.symbols("stage"); !slices.Equal(names, nil) {
		t.Errorf("symbols %q of files that are not in the workspace", names)
	}
}

// TestModelsToComplete offers the models of other files, and the ports of one.
func TestModelsToComplete(t *testing.T) {
	const top = ".search lib/more.blif\n.model top\n.inputs x\n.outputs y\n.subckt \n.subckt stage in=x \n.end\n.model own\n.end\n"
	h := openHierarchy(t, top, map[string]string{
		"stage.blif": stage, "top.blif": top, "lib/more.blif": ".model more\n.inputs a b\n.outputs y\n.end\n", "lib/not.blif": ".model not\n.end\n"})
	complete := func(line, character int, want ...string) {
		t.Helper()
		var list struct{ Items []struct{ Label string } }
		h.MustCall("textDocument/completion", map[string]any{
			"textDocument": map[string]any{"uri": h.top}, "position": lsptest.Position{Line: line, Character: character}}, &list)
		var got []string
		for _, item := range list.Items {
			got = append(got, item.Label)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d:%d offers %q, expected %q", line, character, got, want)
		}
	}
	complete(4, 8, "own", "more", "stage")
	complete(5, 19, "q=")
}

// TestFilesThatUseEachOther changes a model that comes back through another file.
func TestFilesThatUseEachOther(t *testing.T) {
	top := func(reset string) string {
		return ".search b.blif\n.model top\n.inputs x\n.outputs bad\n.subckt b in=x q=bad\n.end\n" +
			".model leaf\n.inputs in\n.outputs q\n.names zero\n.latch zero q " + reset + "\n.end\n"
	}
	h := openHierarchy(t, top("0"), map[string]string{
		"b.blif": ".search top.blif\n.model b\n.inputs in\n.outputs q\n.subckt leaf in=in q=q\n.end\n", "top.blif": top("0")})
	h.save(h.top)
	h.expect("proved")
	h.replace(h.top, 2, top("1"))
	h.expect("stale · proved")
	h.save(h.top)
	h.expect("refuted at step 0")
}

// TestPropertySettings says which outputs are properties, and that the limit 0
// means none of those whose name says nothing.
func TestPropertySettings(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(capable, nil)
	b.openAs("blif", doc, ".model m\n.inputs x\n.outputs alarm ready\n.latch x alarm 0\n.latch x ready 1\n.end\n")
	check := func(settings map[string]any, want ...string) {
		t.Helper()
		b.Notify("workspace/didChangeConfiguration", map[string]any{"settings": map[string]any{
			"aiglens": map[string]any{"blif": settings}}})
		var got []string
		for _, l := range b.lenses(doc) {
			got = append(got, l.property())
		}
		if !slices.Equal(got, want) {
			t.Errorf("%v: properties %q, expected %q", settings, got, want)
		}
	}
	check(map[string]any{}, "output:0", "output:1")
	check(map[string]any{"badOutputs": []string{"al*"}}, "bad:0")
	check(map[string]any{"badOutputs": []string{"al*"}, "assertOutputs": []string{"ready"}}, "bad:0", "bad:1")
	b.replace(doc, 2, ".model m\n.inputs x\n.outputs bad\n.latch x bad 0\n.end\n")
	check(map[string]any{}, "bad:0")
	check(map[string]any{"badOutputs": []string{}, "assertOutputs": []string{}, "assumeOutputs": []string{}}, "output:0")
	b.replace(doc, 3, ".model m\n.inputs x\n.outputs alarm ready\n.latch x alarm 0\n.latch x ready 1\n.end\n")
	check(map[string]any{"outputLimit": 1})
	check(map[string]any{"outputLimit": 0})
}

// TestCellLibrary gives the cells of .gate their functions by a setting.
func TestCellLibrary(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "cells.genlib")
	writeFile(t, path, "GATE inv 1 O=!a; PIN * INV 1 999 1 0 1 0\nGATE and2 2 O=a*b; PIN * NONINV 1 999 1 0 1 0\n")
	b := newBench(t, explicit)
	b.Initialize(capable, nil)
	b.openAs("blif", doc, ".model m\n.inputs x\n.outputs bad\n.gate inv a=q O=n\n.gate and2 a=q b=n O=bad\n.latch x q 0\n.end\n")
	check := func(genlib, want string) {
		t.Helper()
		b.Notify("workspace/didChangeConfiguration", map[string]any{"settings": map[string]any{
			"aiglens": map[string]any{"blif": map[string]any{"genlib": genlib}}}})
		b.checkAll()
		if titles := b.titles(doc); len(titles) != 1 || !strings.HasPrefix(titles[0], want) {
			t.Errorf("with library %q: %q, expected %q", genlib, titles, want)
		}
	}
	check("", "refuted at step 0 · parts are left open")
	check(path, "proved")
	check(filepath.Join(folder, "missing.genlib"), "refuted at step 0 · parts are left open")
}

// TestGoToLatchOfInstance follows the action of a latch that two instances have.
func TestGoToLatchOfInstance(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(capable, nil)
	b.openAs("blif", doc, ".model top\n.inputs x\n.outputs bad\n.subckt stage in=x q=first\n.subckt stage in=first q=bad\n.end\n"+stage)
	b.checkAll()
	at := lsptest.Position{Line: 2, Character: 10}
	var actions []struct {
		Title   string
		Command struct {
			Command   string
			Arguments []json.RawMessage
		}
	}
	b.MustCall("textDocument/codeAction", map[string]any{
		"textDocument": map[string]any{"uri": doc}, "range": lsptest.Range{Start: at, End: at},
		"context": map[string]any{"diagnostics": []any{}}}, &actions)
	seen := 0
	for _, a := range actions {
		if !strings.HasPrefix(a.Title, "Go to latch ") {
			continue
		}
		seen++
		var l location
		b.MustCall("workspace/executeCommand", map[string]any{"command": a.Command.Command, "arguments": a.Command.Arguments}, &l)
		if l.URI != doc || l.Range.Start != (lsptest.Position{Line: 9, Character: 10}) {
			t.Errorf("%s leads to %v", a.Title, l)
		}
	}
	if seen != 2 {
		t.Errorf("%d latches, expected those of two instances: %v", seen, actions)
	}
}
