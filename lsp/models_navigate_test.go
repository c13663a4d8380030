package lsp

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"aiglens/lsp/lsptest"
)

// place writes an address within the folder and a position.
func (h modelBench) place(u string, at lsptest.Position) string {
	return fmt.Sprintf("%s:%d:%d", strings.TrimPrefix(u, h.address("")+"/"), at.Line, at.Character)
}

// openUsers opens a top file that uses the model of another one, which is used by
// a third and searched by a fourth in another folder.
func openUsers(t *testing.T) modelBench {
	t.Helper()
	return openHierarchy(t, ".model top\n.inputs x\n.outputs bad\n.subckt stage in=x q=bad\n.end\n", map[string]string{
		"stage.blif":     stage,
		"third.blif":     ".model third\n.inputs x\n.outputs y\n.subckt stage q=z in=x\n.subckt stage in=z q=y\n.end\n",
		"far/user.blif":  ".search ../stage.blif\n.model user\n.inputs x\n.outputs y\n.subckt stage in=x q=y\n.end\n",
		"far/other.blif": ".model stage\n.inputs in\n.outputs q\n.end\n.model uses\n.inputs x\n.outputs y\n.subckt stage in=x q=y\n.end\n",
	})
}

// TestReferencesInOtherFiles asks for the places of a model and of its ports, from
// the file that defines them and from one that uses them.
func TestReferencesInOtherFiles(t *testing.T) {
	h := openUsers(t)
	h.Notify("workspace/didChangeWorkspaceFolders", map[string]any{"event": map[string]any{
		"added": []any{map[string]any{"uri": h.address(""), "name": "w"}}, "removed": []any{}}})
	h.symbols("stage") // waits until the folder is read
	h.openAs("blif", h.address("stage.blif"), stage)
	check := func(file string, line, character int, declaration bool, want ...string) {
		t.Helper()
		var all []location
		h.MustCall("textDocument/references", map[string]any{
			"textDocument": map[string]any{"uri": h.address(file)}, "position": lsptest.Position{Line: line, Character: character},
			"context": map[string]any{"includeDeclaration": declaration}}, &all)
		var got []string
		for _, l := range all {
			got = append(got, h.place(l.URI, l.Range.Start))
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s:%d:%d: places %q, expected %q", file, line, character, got, want)
		}
	}
	instances := []string{"top.blif:3:8", "third.blif:3:8", "third.blif:4:8", "far/user.blif:4:8"}
	check("top.blif", 3, 9, false, instances...)
	check("stage.blif", 0, 9, true, append(instances, "stage.blif:0:7")...)
	formals := []string{"top.blif:3:14", "third.blif:3:18", "third.blif:4:14", "far/user.blif:4:14", "stage.blif:3:7"}
	check("top.blif", 3, 15, false, formals...)
	check("stage.blif", 1, 9, true, append(formals, "stage.blif:1:8")...)
	check("top.blif", 3, 17, true, "top.blif:1:8", "top.blif:3:17") // a net of its own
}

// TestCallsInOtherFiles walks the call hierarchy down into a file that is not open,
// and up from it.
func TestCallsInOtherFiles(t *testing.T) {
	h := openUsers(t)
	type item struct {
		Name           string        `json:"name"`
		URI            string        `json:"uri"`
		Kind           int           `json:"kind"`
		Detail         string        `json:"detail"`
		Range          lsptest.Range `json:"range"`
		SelectionRange lsptest.Range `json:"selectionRange"`
	}
	show := func(i item, ranges []lsptest.Range) string {
		text := i.Name + " " + h.place(i.URI, i.SelectionRange.Start) + " at"
		for _, r := range ranges {
			text += fmt.Sprintf(" %d:%d", r.Start.Line, r.Start.Character)
		}
		return text
	}
	root := func(line, character int) item {
		t.Helper()
		var items []item
		h.MustCall("textDocument/prepareCallHierarchy", map[string]any{
			"textDocument": map[string]any{"uri": h.top}, "position": lsptest.Position{Line: line, Character: character}}, &items)
		if len(items) != 1 {
			t.Fatalf("%d:%d: %d items", line, character, len(items))
		}
		return items[0]
	}
	incoming := func(of item, want ...string) {
		t.Helper()
		var calls []struct {
			From       item
			FromRanges []lsptest.Range
		}
		h.MustCall("callHierarchy/incomingCalls", map[string]any{"item": of}, &calls)
		var got []string
		for _, c := range calls {
			got = append(got, show(c.From, c.FromRanges))
		}
		if !slices.Equal(got, want) {
			t.Errorf("calls of %s: %q, expected %q", of.Name, got, want)
		}
	}
	model, port := root(3, 9), root(3, 15)
	if got := show(model, nil); got != "stage stage.blif:0:7 at" {
		t.Errorf("the model is %s", got)
	}
	incoming(model, "z third.blif:3:16 at 3:8", "y third.blif:4:21 at 4:8", "bad top.blif:3:21 at 3:8")
	incoming(port, "q stage.blif:3:10 at 3:7", "z third.blif:3:16 at 3:18", "y third.blif:4:21 at 4:14", "bad top.blif:3:21 at 3:14")
	var calls []struct {
		To         item
		FromRanges []lsptest.Range
	}
	h.MustCall("callHierarchy/outgoingCalls", map[string]any{"item": root(3, 22)}, &calls)
	var got []string
	for _, c := range calls {
		got = append(got, show(c.To, c.FromRanges))
	}
	if want := []string{"x top.blif:1:8 at 3:17", "stage stage.blif:0:7 at 3:8", "in stage.blif:1:8 at 3:14", "q stage.blif:3:10 at 3:19"}; !slices.Equal(got, want) {
		t.Errorf("the row of bad reads %q, expected %q", got, want)
	}
}
