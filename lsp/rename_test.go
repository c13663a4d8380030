package lsp

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aiglens/lsp/lsptest"
)

// renamedFiles are the texts of files after a rename, by name.
type renamedFiles map[string]string

// rename gives what stands at a place of a file, from 0, another name and applies
// the edits: to the editor's text of open files, which must have a version, and
// to the text on disk of others, which must have none.
func (h modelBench) rename(t *testing.T, name string, at lsptest.Position, to string, open map[string]string) (renamedFiles, error) {
	t.Helper()
	var w struct {
		DocumentChanges []struct {
			TextDocument struct {
				URI     string
				Version *int
			}
			Edits []textEdit
		}
	}
	if err := h.Call("textDocument/rename", map[string]any{
		"textDocument": map[string]any{"uri": h.address(name)}, "position": at, "newName": to}, &w); err != nil {
		return nil, err
	}
	all := renamedFiles{}
	for _, c := range w.DocumentChanges {
		file := ""
		err := filepath.WalkDir(h.folder, func(path string, _ os.DirEntry, _ error) error {
			rel, _ := filepath.Rel(h.folder, path)
			if h.address(rel) == c.TextDocument.URI {
				file = filepath.ToSlash(rel)
			}
			return nil
		})
		if err != nil || file == "" {
			t.Fatalf("edits of %s", c.TextDocument.URI)
		}
		text, isOpen := open[file]
		if isOpen != (c.TextDocument.Version != nil) {
			t.Errorf("%s: open %v, version %v", file, isOpen, c.TextDocument.Version)
		}
		if !isOpen {
			data, err := os.ReadFile(filepath.Join(h.folder, filepath.FromSlash(file)))
			if err != nil {
				t.Fatal(err)
			}
			text = string(data)
		}
		e := editing{bench: h.bench, buffer: lsptest.Buffer{Text: text, Encoding: "utf-16"}}
		all[file] = e.apply(c.Edits)
	}
	return all, nil
}

// TestRenameAcrossFiles renames a port and a model, from the file that defines
// them and from an instance: in open files, in files of the folder, and in those
// that .search lines and the workspace lead to.
func TestRenameAcrossFiles(t *testing.T) {
	const (
		stages = "# stages\n" + stage + ".model two\n.inputs in\n.outputs out\n.subckt stage in=in q=m\n.subckt stage in=m q=out\n.end\n"
		saved  = ".search lib/stages.blif\n.model top\n.inputs x\n.outputs bad\n.subckt stage in=x q=bad\n.end\n"
		edited = "# not saved\n" + saved
		other  = ".search stages.blif\n.model other\n.inputs in\n.outputs y\n.subckt stage q=y in=in\n.end\n"
		away   = ".search ../lib/stages.blif\n.model away\n.inputs a\n.outputs y\n.subckt stage in=a q=y\n.end\n"
		own    = ".model own\n.inputs in\n.outputs q\n.subckt stage in=in q=q\n.end\n.model stage\n.inputs in\n.outputs q\n.names in q\n1 1\n.end\n"
	)
	h := modelBench{newBench(t, explicit), t.TempDir(), ""}
	for name, content := range map[string]string{
		"top.blif": saved, "lib/stages.blif": stages, "lib/other.blif": other, "away/away.blif": away, "lib/own.blif": own,
	} {
		writeFile(t, filepath.Join(h.folder, filepath.FromSlash(name)), content)
	}
	h.MustCall("initialize", map[string]any{
		"processId": nil, "rootUri": nil, "capabilities": changing,
		"workspaceFolders": []any{map[string]any{"uri": h.address(""), "name": "w"}},
	}, nil)
	h.Notify("initialized", map[string]any{})
	h.symbols("away") // waits until the files of the workspace have been read
	h.openAs("blif", h.address("top.blif"), saved)
	h.replace(h.address("top.blif"), 2, edited)
	open := map[string]string{"top.blif": edited}
	port := func(s string) string { return strings.ReplaceAll(s, "stage in=", "stage d=") }
	wantPort := renamedFiles{
		"top.blif": port(edited), "lib/other.blif": strings.ReplaceAll(other, " in=", " d="), "away/away.blif": port(away),
		"lib/stages.blif": strings.Replace(port(stages), "stage\n.inputs in\n.outputs q\n.latch in", "stage\n.inputs d\n.outputs q\n.latch d", 1),
	}
	model := strings.NewReplacer("t stage ", "t step ", "l stage\n", "l step\n").Replace
	wantModel := renamedFiles{"top.blif": model(edited), "lib/other.blif": model(other), "away/away.blif": model(away), "lib/stages.blif": model(stages)}
	check := func(name string, at lsptest.Position, to string, want renamedFiles) {
		t.Helper()
		got, err := h.rename(t, name, at, to, open)
		if err != nil {
			t.Error(err)
			return
		}
		for file, text := range want {
			if got[file] != text {
				t.Errorf("%s after renaming in %s:\n%s\nexpected:\n%s", file, name, got[file], text)
			}
			delete(got, file)
		}
		for file, text := range got {
			t.Errorf("%s is edited:\n%s", file, text)
		}
	}
	refuse := func(name string, at lsptest.Position, to, why string) {
		t.Helper()
		if got, err := h.rename(t, name, at, to, open); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("error %v, expected %q; edits %v", err, why, got)
		}
	}
	formal, instance := lsptest.Position{Line: 5, Character: 15}, lsptest.Position{Line: 5, Character: 9}
	check("top.blif", formal, "d", wantPort)
	check("top.blif", instance, "step", wantModel)
	refuse("top.blif", formal, "q", "stages.blif: model stage has a signal q already")
	refuse("top.blif", instance, "two", "there is a model two already")
	refuse("top.blif", instance, "top", "top.blif has a model top already")
	h.openAs("blif", h.address("lib/stages.blif"), stages)
	open["lib/stages.blif"] = stages
	check("lib/stages.blif", lsptest.Position{Line: 2, Character: 8}, "d", wantPort)
	check("lib/stages.blif", lsptest.Position{Line: 4, Character: 8}, "d", wantPort)
	check("lib/stages.blif", lsptest.Position{Line: 1, Character: 8}, "step", wantModel)
	refuse("lib/stages.blif", lsptest.Position{Line: 1, Character: 8}, "own", "there is a model own already")
	inner := renamedFiles{"lib/stages.blif": strings.NewReplacer("q=m\n", "q=mid\n", "in=m ", "in=mid ").Replace(stages)}
	check("lib/stages.blif", lsptest.Position{Line: 9, Character: 22}, "mid", inner)
}

// TestVerdictsAfterRename: what a rename has seen to have changed on disk counts for
// verdicts, too, whichever part asks the disk after it.
func TestVerdictsAfterRename(t *testing.T) {
	const top = ".model top\n.inputs x\n.outputs bad\n.names zero\n.subckt stage in=zero q=bad\n.end\n"
	h := openHierarchy(t, top, map[string]string{"stage.blif": stage})
	h.save(h.top)
	h.expect("proved")
	writeFile(t, filepath.Join(h.folder, "stage.blif"), "# longer\n"+strings.Replace(stage, "q 0", "q 1", 1))
	h.MustCall("textDocument/rename", map[string]any{
		"textDocument": map[string]any{"uri": h.top}, "position": lsptest.Position{Line: 4, Character: 9}, "newName": "part"}, nil)
	h.changedOnDisk("stage.blif")
	h.save(h.top)
	h.expect("refuted at step 0")
}
