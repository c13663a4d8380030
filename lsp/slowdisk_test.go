package lsp

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"aiglens/lsp/lsptest"
	"aiglens/lsp/wire"
	"aiglens/lsp/workspace"
)

// slowFiles is the file system of the machine behind a network that takes its time.
type slowFiles struct {
	workspace.OS
	delay atomic.Int64 // of each call
	calls atomic.Int32 // begun
	stuck sync.RWMutex // locked while no call returns
}

func (s *slowFiles) wait() {
	s.calls.Add(1)
	time.Sleep(time.Duration(s.delay.Load()))
	s.stuck.RLock()
	defer s.stuck.RUnlock()
}

func (s *slowFiles) Stat(path string) (fs.FileInfo, error)      { s.wait(); return s.OS.Stat(path) }
func (s *slowFiles) ReadFile(path string) ([]byte, error)       { s.wait(); return s.OS.ReadFile(path) }
func (s *slowFiles) ReadDir(path string) ([]fs.DirEntry, error) { s.wait(); return s.OS.ReadDir(path) }

// slowBench is a client of a server whose disk is slow.
type slowBench struct {
	*board
	disk     *slowFiles
	folder   string
	versions map[string]int
}

// newSlowBench has a disk that is stuck.
func newSlowBench(t *testing.T, files map[string]string) *slowBench {
	w := &slowBench{disk: &slowFiles{}, folder: t.TempDir(), versions: map[string]int{}}
	for name, text := range files {
		writeFile(t, filepath.Join(w.folder, name), text)
	}
	w.disk.stuck.Lock()
	b := newBench(t, explicit, func(o *Options) { o.Files, o.LensWait = w.disk, 50*time.Millisecond })
	b.MustCall("initialize", map[string]any{
		"processId": nil, "rootUri": nil, "capabilities": toldClient(),
		"workspaceFolders":      []any{map[string]any{"uri": uri.File(w.folder), "name": "w"}},
		"initializationOptions": map[string]any{"blif": map[string]any{"genlib": filepath.Join(w.folder, "cells.genlib")}},
	}, nil)
	b.Notify("initialized", map[string]any{})
	w.board = newBoard(b)
	return w
}

func (w *slowBench) address(name string) string {
	return string(uri.File(filepath.Join(w.folder, name)))
}

// typeInto replaces the text of a file, asks for a hover and waits for the diagnostics.
func (w *slowBench) typeInto(u, text string, wantsDiagnostics bool) {
	w.t.Helper()
	mark := w.Mark()
	w.versions[u]++
	version := 1 + w.versions[u]
	w.replace(u, version, text)
	w.MustCall("textDocument/hover", map[string]any{
		"textDocument": map[string]any{"uri": u}, "position": lsptest.Position{Line: 2}}, nil)
	if wantsDiagnostics {
		w.awaitDiagnostics("diagnostics of the keystroke", mark, func(p published) bool { return p.URI == u && p.Version == version })
	}
}

// expect is that of the board, with time to wait.
func (w *slowBench) expect(u string, want ...string) {
	w.t.Helper()
	var got []string
	for begin := time.Now(); time.Since(begin) < time.Minute; time.Sleep(20 * time.Millisecond) {
		w.read()
		got = nil
		for _, p := range w.files[u] {
			got = append(got, string(p.Verdict)+" "+string(p.Freshness))
		}
		if slices.Equal(got, want) {
			return
		}
	}
	w.t.Fatalf("%s: %q, expected %q", u, got, want)
}

// TestSlowDisk types while no call of the file system returns: at first when nothing
// has been read, then while everything is read that can be, and at last while files of
// others change. Verdicts come right, and none is shown as fresh that is not.
func TestSlowDisk(t *testing.T) {
	t.Parallel()
	const top = ".model top\n.inputs x\n.outputs bad\n.names zero\n.subckt stage in=zero q=n\n.gate inv a=n O=i\n.gate inv a=i O=bad\n.end\n"
	w := newSlowBench(t, map[string]string{
		"cells.genlib": inverters, "stage.blif": stage, "closed.aag": toggle, "other.blif": ".model other\n.inputs a\n.outputs bad\n.names a bad\n1 1\n.end\n",
	})
	typed, model, other := w.address("typed.aag"), w.address("top.blif"), w.address("other.blif")
	w.open(typed, toggle)
	w.openAs("blif", model, top)
	w.save(model) // and the check waits for the models
	for i := range 20 {
		w.typeInto(typed, fmt.Sprintf("aag 1 0 1 0 0 1\n2 9\n2\nc\n%d\n", i), true)
	}
	w.Notify(wire.NotificationCursor.Name, map[string]any{"uri": model, "position": lsptest.Position{Line: 2}})
	w.typeInto(typed, toggle, false)
	w.expect(typed, "none stale", "none stale")
	w.disk.stuck.Unlock()
	w.expect(model, "proved fresh")

	// Everything that asks the disk, at once.
	w.disk.stuck.Lock()
	w.Send("workspace/executeCommand", command(wire.CommandCheckWorkspace.Name, map[string]any{}))
	w.openAs("blif", other, ".model other\n.end\n")
	for i := range 20 {
		w.save(model)
		w.Notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []any{
			map[string]any{"uri": w.address("cells.genlib"), "type": 2}, map[string]any{"uri": w.address("closed.aag"), "type": 2}}})
		if i == 10 {
			w.close(other)
		}
		w.typeInto(typed, fmt.Sprintf("aag 1 0 1 0 0 1\n2 9\n2\nc\n%d\n", i), true)
		w.typeInto(model, fmt.Sprintf("%s.end%d\n", top, i), true)
	}
	w.disk.stuck.Unlock()
	w.typeInto(model, top, false)
	w.expect(model, "proved fresh")
	w.MustCall("workspace/executeCommand", command(wire.CommandCheckWorkspace.Name, map[string]any{}), nil)
	w.await(func() bool { // or it reads the file as it is written below
		time.Sleep(5 * time.Millisecond)
		isDone := false
		w.server.session.queue.Do(func() { isDone = w.server.session.checking.workspace.current == nil })
		return isDone && w.server.session.isLetGo(w.address("closed.aag"))
	})
	w.expect(w.address("closed.aag"), "refuted fresh", "proved fresh")

	// A model and a file that is not open change.
	w.disk.stuck.Lock()
	writeFile(t, filepath.Join(w.folder, "stage.blif"), strings.Replace(stage, "q 0", "q 1", 1))
	writeFile(t, filepath.Join(w.folder, "closed.aag"), edited(2, "2 2"))
	w.Notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []any{
		map[string]any{"uri": w.address("stage.blif"), "type": 2}, map[string]any{"uri": w.address("closed.aag"), "type": 2}}})
	w.sync()
	w.server.session.queue.Do(func() {})
	mark := w.Mark()
	w.expect(w.address("closed.aag"), "refuted stale", "proved stale")
	w.expect(model, "proved stale")
	for i := range 20 {
		w.typeInto(model, fmt.Sprintf("%s.end%d\n", top, i), true)
	}
	w.typeInto(model, top, false)
	w.disk.stuck.Unlock()
	w.save(model)
	w.expect(model, "refuted fresh")
	for _, m := range w.Received(mark) {
		var p wire.StatusParams
		if m.Method != wire.NotificationStatus.Name || json.Unmarshal(m.Params, &p) != nil || string(p.URI) != model {
			continue
		}
		for _, property := range p.Properties {
			if property.Verdict == "proved" && property.Freshness == "fresh" {
				t.Errorf("shown as fresh: %s", m.Params)
			}
		}
	}
}

// TestStopWhileTheDiskIsAsked: what is stopped does not begin, although it had to wait for
// the disk when it was stopped: the check of a saved file, and that of one which is read.
func TestStopWhileTheDiskIsAsked(t *testing.T) {
	disk := &slowFiles{}
	w, address := inFolder(t, explicit, map[string]string{"stage.blif": stage, "closed.aag": toggle}, func(o *Options) { o.Files = disk })
	top, closed := address("top.blif"), address("closed.aag")
	w.openAs("blif", top, ".model top\n.inputs x\n.outputs bad\n.subckt stage in=x q=bad\n.end\n")
	w.expect(top, "none stale")
	disk.delay.Store(int64(200 * time.Millisecond))
	calls := disk.calls.Load()
	w.save(top)
	s := w.server.session
	answered := make(chan error, 1)
	go func() { // its answer waits for the disk
		answered <- w.Call("workspace/executeCommand", command(wire.CommandCheck.Name, wire.PropertyParams{URI: uri.URI(closed)}), nil)
	}()
	defer func() { <-answered }()
	w.await(func() (begun bool) {
		s.queue.Do(func() { begun = s.checking.workspace.current != nil })
		return begun
	})
	w.MustCall("workspace/executeCommand", command(wire.CommandStop.Name, wire.StopParams{URI: uri.URI(top)}), nil)
	w.MustCall("workspace/executeCommand", command(wire.CommandStop.Name, wire.StopParams{URI: uri.URI(closed)}), nil)
	w.await(func() bool {
		time.Sleep(time.Millisecond)
		idle := false
		s.queue.Do(func() {
			idle = disk.calls.Load() > calls && s.texts.doubt.running == nil && s.checking.workspace.current == nil && !s.texts.files[uri.URI(top)].isBusy()
		})
		return idle
	})
	w.expectRuns(0)
}

// farFiles is a file system on which one file is far away.
type farFiles struct {
	workspace.OS
	far  string
	slow slowFiles
	read atomic.Int32 // files that are near
}

func (f *farFiles) ReadFile(path string) ([]byte, error) {
	defer f.read.Add(1)
	return f.OS.ReadFile(path)
}

func (f *farFiles) Stat(path string) (fs.FileInfo, error) {
	if filepath.Base(path) == f.far {
		return f.slow.Stat(path)
	}
	return f.OS.Stat(path)
}

// hungFiles is a file system on which nothing of some folders comes before the gate opens.
type hungFiles struct {
	workspace.OS
	folder string // the name of each of them
	gate   chan struct{}
}

func (h *hungFiles) wait(path string) {
	if filepath.Base(path) == h.folder || filepath.Base(filepath.Dir(path)) == h.folder {
		<-h.gate
	}
}

func (h *hungFiles) Stat(path string) (fs.FileInfo, error) { h.wait(path); return h.OS.Stat(path) }
func (h *hungFiles) ReadFile(path string) ([]byte, error)  { h.wait(path); return h.OS.ReadFile(path) }
func (h *hungFiles) ReadDir(path string) ([]fs.DirEntry, error) {
	h.wait(path)
	return h.OS.ReadDir(path)
}

// TestRequestsOnADeadDisk: what waits for a disk delays no other request, can be
// cancelled while it waits, and never more than one text of a file waits there.
func TestRequestsOnADeadDisk(t *testing.T) {
	disk := &hungFiles{folder: "dead", gate: make(chan struct{})}
	b := newBench(t, explicit, func(o *Options) { o.Files, o.LensWait = disk, time.Millisecond })
	defer close(disk.gate)
	b.Initialize(capable, nil)
	dead := string(uri.File(filepath.Join(t.TempDir(), "dead", "top.blif")))
	b.openAs("blif", dead, ".model top\n.inputs x\n.outputs bad\n.subckt stage in=x q=bad\n.end\n")
	b.open(doc, toggle)
	b.settled(doc)
	about := func(u string) map[string]any {
		return map[string]any{"textDocument": map[string]any{"uri": u}, "position": lsptest.Position{Line: 3, Character: 9}}
	}
	var ids []int
	before := runtime.NumGoroutine()
	for range 40 {
		for _, method := range []string{"hover", "codeLens", "documentSymbol", "definition", "semanticTokens/full", "completion", "documentLink"} {
			ids = append(ids, b.Send("textDocument/"+method, about(dead)))
		}
		ids = append(ids, b.Send("workspace/symbol", map[string]any{"query": "x"}),
			b.Send("workspace/executeCommand", command(wire.CommandProperties.Name, wire.FileParams{URI: uri.URI(dead)})))
		b.replace(dead, 2+len(ids), fmt.Sprintf(".model top\n.inputs x\n.outputs bad\n.subckt stage in=x q=bad\n.end\n#%d\n", len(ids)))
	}
	for range 70 { // nothing ends these but the disk
		b.Send("aiglens/decoded", wire.FileParams{URI: uri.URI(dead)})
	}
	b.MustCall("textDocument/hover", about(doc), nil)
	b.MustCall("textDocument/formatting", about(doc), nil)
	b.MustCall("workspace/executeCommand", command(wire.CommandStop.Name, wire.StopParams{URI: doc}), nil)
	for _, id := range ids {
		b.Notify("$/cancelRequest", map[string]any{"id": id})
	}
	for _, id := range ids {
		if m := b.Answer(id); m.Error == nil || m.Error.Code != int(protocol.CodeRequestCancelled) {
			t.Errorf("answer %+v to a cancelled request", m)
		}
	}
	b.await(func() bool { return runtime.NumGoroutine() < before+70+30 })
}

// TestRenameOnASlowDisk: while a rename waits for one file, nothing is shown as fresh that
// rests on what was in another, which the rename has seen to have changed.
func TestRenameOnASlowDisk(t *testing.T) {
	disk := &farFiles{far: "far.blif"}
	h := modelBench{newBench(t, explicit, func(o *Options) { o.Files = disk }), t.TempDir(), ""}
	writeFile(t, filepath.Join(h.folder, "stage.blif"), stage)
	writeFile(t, filepath.Join(h.folder, "far.blif"), "# nothing\n")
	h.Initialize(capable, nil)
	h.top = h.address("top.blif")
	h.openAs("blif", h.top, ".search far.blif\n.model top\n.inputs x\n.outputs bad\n.names zero\n.subckt stage in=zero q=bad\n.end\n")
	h.save(h.top)
	h.expect("proved")
	disk.slow.stuck.Lock()
	calls, read := disk.slow.calls.Load(), disk.read.Load()
	writeFile(t, filepath.Join(h.folder, "stage.blif"), "# longer\n"+strings.Replace(stage, "q 0", "q 1", 1))
	h.Send("textDocument/rename", map[string]any{
		"textDocument": map[string]any{"uri": h.top}, "position": lsptest.Position{Line: 5, Character: 9}, "newName": "part"})
	h.await(func() bool { return disk.slow.calls.Load() > calls && disk.read.Load() > read })
	h.changedOnDisk("stage.blif")
	h.sync()
	disk.slow.stuck.Unlock()
	s, u := h.server.session, uri.URI(h.top)
	h.await(func() bool {
		time.Sleep(time.Millisecond)
		known := false
		s.queue.Do(func() { known = s.texts.doubt.running == nil && s.texts.files[u].checks.IsAnalysed() })
		return known
	})
	s.queue.Do(func() {
		f := s.texts.files[u]
		if got := f.status(f.doc.Properties()[0].ID).String(); !strings.HasPrefix(got, "stale · proved") {
			t.Errorf("%q, expected a verdict that is stale", got)
		}
	})
}
