package lsp

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"go.lsp.dev/uri"
)

func (b *bench) symbols(query string) []string {
	b.t.Helper()
	var all []struct {
		Name, ContainerName string
		Location            location
	}
	b.MustCall("workspace/symbol", map[string]any{"query": query}, &all)
	var names []string
	for _, s := range all {
		names = append(names, s.ContainerName+" "+s.Name)
	}
	return names
}

func writeFile(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestWorkspaceSymbols looks for names in files that are open, on disk, changed
// on disk, gone, and in folders that come and go.
func TestWorkspaceSymbols(t *testing.T) {
	folder, other := t.TempDir(), t.TempDir()
	file := func(name string) string { return filepath.Join(folder, name) }
	writeFile(t, file("a.aag"), "aag 1 1 0 1 0\n2\n2\ni0 grant\no0 busy\n")
	writeFile(t, file("sub/b.aag"), "aag 1 1 0 0 0\n2\ni0 gradient\n")
	writeFile(t, file(".git/c.aag"), "aag 1 1 0 0 0\n2\ni0 grave\n")
	writeFile(t, file("notes.txt"), "aag 1 1 0 0 0\n2\ni0 grape\n")
	writeFile(t, filepath.Join(other, "d.aag"), "aag 1 1 0 0 0\n2\ni0 grid\n")
	b := newBench(t, nil)
	b.MustCall("initialize", map[string]any{
		"processId": nil, "rootUri": nil, "capabilities": map[string]any{},
		"workspaceFolders": []any{map[string]any{"uri": uri.File(folder), "name": "w"}},
	}, nil)
	b.Notify("initialized", map[string]any{})
	expect := func(query string, want ...string) {
		t.Helper()
		if got := b.symbols(query); !slices.Equal(got, want) {
			t.Errorf("%q finds %q, expected %q", query, got, want)
		}
	}
	expect("gr", "b.aag gradient", "a.aag grant")
	expect("BSY", "a.aag busy")
	expect("ra", "b.aag gradient", "a.aag grant")
	expect("", "a.aag busy", "b.aag gradient", "a.aag grant")
	expect("none")

	changed := func(kind int, name string) {
		b.Notify("workspace/didChangeWatchedFiles", map[string]any{
			"changes": []any{map[string]any{"uri": uri.File(file(name)), "type": kind}}})
	}
	open := string(uri.File(file("a.aag")))
	b.open(open, "aag 1 1 0 0 0\n2\ni0 granted\n")
	expect("gran", "a.aag granted", "b.aag gradient")
	b.close(open)
	expect("gran", "a.aag grant", "b.aag gradient")
	writeFile(t, file("a.aag"), "aag 1 1 0 0 0\n2\ni0 grown\n")
	changed(2, "a.aag")
	expect("gr", "b.aag gradient", "a.aag grown")
	if err := os.Remove(file("sub/b.aag")); err != nil {
		t.Fatal(err)
	}
	changed(3, "sub/b.aag")
	expect("gr", "a.aag grown")

	b.Notify("workspace/didChangeWorkspaceFolders", map[string]any{"event": map[string]any{
		"added": []any{map[string]any{"uri": uri.File(other), "name": "x"}}, "removed": []any{}}})
	expect("gr", "d.aag grid", "a.aag grown")
	b.Notify("workspace/didChangeWorkspaceFolders", map[string]any{"event": map[string]any{
		"added": []any{}, "removed": []any{map[string]any{"uri": uri.File(folder), "name": "w"}}}})
	expect("gr", "d.aag grid")
}

// TestLinks links to files that exist beside the document, and to nothing else.
func TestLinks(t *testing.T) {
	folder := t.TempDir()
	writeFile(t, filepath.Join(folder, "model.v"), "")
	writeFile(t, filepath.Join(folder, "sub/x.txt"), "")
	b := newBench(t, nil)
	b.Initialize(map[string]any{}, nil)
	u := string(uri.File(filepath.Join(folder, "a.aag")))
	b.open(u, "aag 0 0 0 0 0\nc\nfrom model.v, sub/x.txt, missing.v and "+filepath.ToSlash(filepath.Join(folder, "model.v"))+".\nhttp://a.b/model.v\n")
	var all []struct{ Target string }
	b.MustCall("textDocument/documentLink", map[string]any{"textDocument": map[string]any{"uri": u}}, &all)
	var got []string
	for _, l := range all {
		got = append(got, l.Target)
	}
	want := []string{"http://a.b/model.v", string(uri.File(filepath.Join(folder, "model.v"))), string(uri.File(filepath.Join(folder, "sub/x.txt")))}
	if !slices.Equal(got, want) {
		t.Errorf("links %q, expected %q", got, want)
	}
}
