package lsp

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.lsp.dev/uri"

	"aiglens/lsp/workspace"
)

// noted is the file system of the machine; it keeps the paths that were asked for.
type noted struct {
	workspace.OS
	mu    sync.Mutex
	paths []string // guarded by mu
}

func (n *noted) note(path string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.paths = append(n.paths, path)
}

func (n *noted) touched(name string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.ContainsFunc(n.paths, func(path string) bool { return strings.HasSuffix(path, name) })
}

func (n *noted) Stat(path string) (fs.FileInfo, error) {
	n.note(path)
	return n.OS.Stat(path)
}

func (n *noted) ReadFile(path string) ([]byte, error) {
	n.note(path)
	return n.OS.ReadFile(path)
}

func (n *noted) ReadDir(path string) ([]fs.DirEntry, error) {
	n.note(path)
	return n.OS.ReadDir(path)
}

func (b *bench) setTrusted(trusted bool) {
	b.Notify("workspace/didChangeConfiguration", map[string]any{"settings": map[string]any{
		"aiglens": map[string]any{"trusted": trusted}}})
}

// TestUntrustedFolder: nothing is checked, neither after a save nor by any command, and
// no file is read because another one names it. Trust lets both happen, and without it
// nothing goes on.
func TestUntrustedFolder(t *testing.T) {
	const top = ".model top\n.inputs x\n.outputs bad\n.names zero\n.subckt stage in=zero q=bad\n.search elsewhere/stage.blif\n.end\n"
	folder, files := t.TempDir(), new(noted)
	if err := os.Mkdir(filepath.Join(folder, "elsewhere"), 0o777); err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(folder, "elsewhere", "stage.blif"), stage)
	writeFile(t, filepath.Join(folder, "beside.blif"), stage)
	b := newBench(t, explicit, func(o *Options) { o.Files = files })
	b.Initialize(capable, map[string]any{"trusted": false})
	circuit, whole := string(uri.File(filepath.Join(folder, "a.aag"))), string(uri.File(filepath.Join(folder, "top.blif")))
	b.open(circuit, "aag 1 0 1 0 0 1\n2 2\n2\n")
	b.openAs("blif", whole, top)

	b.Notify("workspace/didChangeConfiguration", map[string]any{"settings": map[string]any{"aiglens": map[string]any{"check": map[string]any{"trigger": "onType", "delay": 0}}}})
	b.replace(circuit, 2, "aag 1 0 1 0 0 1\n2 2\n2\nc\n") // settings without a word about trust are none
	for _, u := range []string{circuit, whole} {
		b.settled(u)
		b.save(u)
	}
	for command, params := range map[string]map[string]any{
		"aiglens.check": {"uri": circuit}, "aiglens.checkWorkspace": {}, "aiglens.recheckFailed": {},
		"aiglens.compare": {"uri": circuit, "text": ""},
	} {
		err := b.Call("workspace/executeCommand", map[string]any{"command": command, "arguments": []any{params}}, nil)
		if err == nil || !strings.Contains(err.Error(), "not trusted") {
			t.Errorf("%s: %v", command, err)
		}
	}
	b.call(t, "textDocument/documentLink", whole)
	b.call(t, "textDocument/documentSymbol", whole)
	b.settled(circuit)
	b.settled(whole)
	b.expectRuns(0)
	for _, name := range []string{"stage.blif", "beside.blif"} {
		if files.touched(name) {
			t.Errorf("%s has been looked at", name)
		}
	}

	b.setTrusted(true)
	b.save(circuit)
	b.save(whole)
	proved := func(titles []string) bool { return len(titles) == 1 && strings.HasPrefix(titles[0], "proved") }
	b.awaitTitles(circuit, "proved", proved)
	b.awaitTitles(whole, "proved", proved)
	if !files.touched("stage.blif") {
		t.Error("a folder that is trusted has its .search lines followed")
	}

	runs := b.runs.Load()
	b.setTrusted(false)
	b.replace(circuit, 3, "aag 1 0 1 0 0 1\n2 2 1\n2\n")
	b.save(circuit)
	b.settled(circuit)
	b.expectRuns(runs)
}

func (b *bench) call(t *testing.T, method, u string) {
	t.Helper()
	if err := b.Call(method, map[string]any{"textDocument": map[string]any{"uri": u}}, nil); err != nil {
		t.Errorf("%s: %v", method, err)
	}
}
