package lsp

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"go.lsp.dev/uri"

	"aiglens/design"
	"aiglens/lsp/lsptest"
	"aiglens/lsp/wire"
)

// liveHeap returns how many bytes are reachable, without what the client remembers.
func (b *bench) liveHeap() int {
	b.sync()
	b.Forget()
	var stats runtime.MemStats
	runtime.GC()
	runtime.GC() // for what the first one has found in pools
	runtime.ReadMemStats(&stats)
	return int(stats.HeapAlloc)
}

// TestEditsLeaveNothingBehind makes many edits and compares what is
// reachable then, and after the file has been closed, with what was at first.
func TestEditsLeaveNothingBehind(t *testing.T) {
	edits := everyDay(500, 2000)
	most := 100 * edits // bytes
	const caller = ".model top\n.inputs x\n.outputs bad\n.names x y\n1 1\n.subckt %s in=y q=bad\n.end\n"
	alone := ".model top\n.inputs x\n.outputs bad\n.names x y\n1 1\n.latch y bad 0\n.end\n"
	for _, test := range []struct {
		name, file, text string
		row, column      int  // of the digit that is typed over
		edited           bool // it is the model's file that is edited, which is open beside
	}{
		{"AIGER", "top.aag", "aag 2 1 1 0 0 1\n2\n4 2 0\n4\nc\n1\n", 5, 0, false},
		{"BTOR2", "top.btor2", "1 sort bitvec 1\n2 input 1\n3 state 1\n4 next 1 3 2\n5 bad 3\n; 1\n", 5, 2, false},
		{"BLIF that stands alone", "top.blif", alone, 4, 0, false},
		{"a model of another file", "top.blif", fmt.Sprintf(caller, "stage"), 4, 0, false},
		{"a model of a file of a .search line", "top.blif", ".search stage.blif\n" + fmt.Sprintf(caller, "stage"), 5, 0, false},
		{"a model of an open file", "top.blif", fmt.Sprintf(caller, "stage"), 3, 12, true},
		{"a model that is nowhere", "top.blif", fmt.Sprintf(caller, "none"), 4, 0, false},
		{"a file of a .search line that is nowhere", "top.blif", ".search none.blif\n" + fmt.Sprintf(caller, "none"), 5, 0, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			folder := t.TempDir()
			writeFile(t, filepath.Join(folder, "stage.blif"), stage)
			writeFile(t, filepath.Join(folder, test.file), test.text)
			b := newBench(t, explicit)
			b.Initialize(capable, nil)
			u, version := string(uri.File(filepath.Join(folder, test.file))), 1
			language := languageOf(test.file)
			hover := map[string]any{"textDocument": map[string]any{"uri": u}, "position": lsptest.Position{Line: test.row}}
			edit := func(times int) {
				for range times {
					version++
					b.change(u, version, map[string]any{"text": fmt.Sprint(version % 2), "range": lsptest.Range{
						Start: lsptest.Position{Line: test.row, Character: test.column},
						End:   lsptest.Position{Line: test.row, Character: test.column + 1}}})
					b.MustCall("textDocument/hover", hover, nil)
					b.MustCall("textDocument/codeLens", hover, nil)
				}
			}
			closed := b.liveHeap()
			b.openAs(language, u, test.text)
			if test.edited {
				u = string(uri.File(filepath.Join(folder, "stage.blif")))
				b.openAs(language, u, stage)
			}
			edit(edits / 5)
			before := b.liveHeap()
			edit(edits)
			after := b.liveHeap()
			b.close(u)
			if test.edited {
				b.close(string(uri.File(filepath.Join(folder, test.file))))
			}
			again := b.liveHeap()
			t.Logf("%d KB closed, %d open, %d after the edits, %d closed again", closed>>10, before>>10, after>>10, again>>10)
			if after-before > most {
				t.Errorf("%d KB are left of %d edits", (after-before)>>10, edits)
			}
			if again-closed > 200<<10 {
				t.Errorf("%d KB are left of a file that is closed", (again-closed)>>10)
			}
		})
	}
}

// TestNothingKeepsTheTextOfAFile: what outlives a file that has been closed, or checked
// without being opened, is not a part of its text.
func TestNothingKeepsTheTextOfAFile(t *testing.T) {
	const comment = 4 << 20
	folder := t.TempDir()
	path := filepath.Join(folder, "long.aag")
	text := "aag 1 0 1 0 0 1\n2 2\n2\nl0 a_latch\nb0 a_name\nc\n" + strings.Repeat(strings.Repeat("x", 63)+"\n", comment/64)
	// A timer that has been stopped stays with the runtime, and what it holds with it, for
	// as long as there are many others.
	b := newBench(t, explicit, func(o *Options) {
		o.onView = func(*design.Design) {
			for range 100 {
				timer := time.AfterFunc(time.Hour, func() {})
				t.Cleanup(func() { timer.Stop() })
			}
		}
	})
	b.MustCall("initialize", map[string]any{
		"processId": nil, "rootUri": nil,
		"capabilities":     map[string]any{"experimental": map[string]any{"aiglens": map[string]any{"status": true}}},
		"workspaceFolders": []any{map[string]any{"uri": string(uri.File(folder)), "name": "w"}},
	}, nil)
	b.Notify("initialized", map[string]any{})
	before := b.liveHeap()
	expect := func(what string, most int) {
		t.Helper()
		n := b.liveHeap() - before
		for begin := time.Now(); n > most && time.Since(begin) < 20*time.Second; n = b.liveHeap() - before {
			time.Sleep(10 * time.Millisecond) // what is under way may still hold the text
		}
		if n > most {
			t.Errorf("%s: %d KB are left of a text of %d KB", what, n>>10, len(text)>>10)
		}
	}
	writeFile(t, path, text)
	u := string(uri.File(path))
	b.Notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []any{map[string]any{"uri": u, "type": 1}}})
	b.await(func() bool { return len(b.symbols("a_latch")) == 1 })
	expect("indexed", comment/2)
	b.MustCall("workspace/executeCommand", command(wire.CommandCheckWorkspace.Name, wire.WorkspaceParams{}), nil)
	b.await(func() bool { return b.server.session.isLetGo(u) })
	expect("checked in the background", comment/2)
	b.open(u, text)
	b.save(u)
	b.settled(u)
	b.close(u)
	expect("closed", comment*3/2) // the connection has a buffer for its longest message
	runtime.KeepAlive(text)
}
