package lsp

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.lsp.dev/uri"

	"aiglens/lsp/lsptest"
)

const inverters = "GATE inv 1 O=!a; PIN * INV 1 999 1 0 1 0\n"

// watching is a client that can be asked to watch files anywhere.
func watching(relative bool) map[string]any {
	return map[string]any{
		"textDocument": capable["textDocument"], "window": capable["window"],
		"workspace": map[string]any{
			"codeLens":              map[string]any{"refreshSupport": true},
			"didChangeWatchedFiles": map[string]any{"dynamicRegistration": true, "relativePatternSupport": relative},
		},
	}
}

func (b *bench) configureBLIF(settings map[string]any) {
	b.t.Helper()
	b.Notify("workspace/didChangeConfiguration", map[string]any{"settings": map[string]any{
		"aiglens": map[string]any{"blif": settings}}})
}

// TestSettingsInOtherFiles tests that the cell library and the settings count in
// the files of the hierarchy too.
func TestSettingsInOtherFiles(t *testing.T) {
	h := openHierarchy(t, ".model top\n.inputs a\n.outputs bad\n.subckt sub a=a y=z\n.names a z bad\n11 1\n.end\n", map[string]string{
		"sub.blif":     ".model sub\n.inputs a\n.outputs y\n.gate inv a=a O=n\n.conn n y\n.end\n",
		"cells.genlib": inverters,
	})
	h.save(h.top)
	h.expect("refuted at step 0 · parts are left open")
	h.configureBLIF(map[string]any{"genlib": filepath.Join(h.folder, "cells.genlib")})
	h.save(h.top)
	h.expect("proved")
	h.configureBLIF(map[string]any{})
	h.expect("refuted at step 0 · parts are left open")

	writeFile(t, filepath.Join(h.folder, "sub.blif"), ".model sub\n.inputs a\n.outputs y\n.names a u y\n11 1\n.end\n")
	h.changedOnDisk("sub.blif")
	h.expect("unknown: error on line 4: model sub, sub.blif line 4: nothing drives u")
	h.configureBLIF(map[string]any{"freeUndriven": true})
	h.save(h.top)
	h.expect("refuted at step 0 · parts are left open")
}

// TestCellLibraryChanges edits the cell library on disk.
func TestCellLibraryChanges(t *testing.T) {
	h := openHierarchy(t, ".model top\n.inputs a\n.outputs bad\n.gate inv a=a O=n\n.names a n bad\n11 1\n.end\n", nil)
	path := filepath.Join(h.folder, "cells.genlib")
	h.configureBLIF(map[string]any{"genlib": path}) // not there yet
	h.save(h.top)
	h.expect("refuted at step 0 · parts are left open")
	writeFile(t, path, inverters)
	h.changedOnDisk("cells.genlib")
	h.expect("stale · refuted")
	h.save(h.top)
	h.expect("proved")
	writeFile(t, path, strings.Replace(inverters, "!a", "a", 1))
	h.changedOnDisk("cells.genlib")
	h.save(h.top)
	h.expect("refuted at step 0")
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	h.save(h.top) // without a report
	h.expect("refuted at step 0 · parts are left open")
}

// TestSearchedFileOfAnyName changes a file that a .search line names, whose name is
// not that of a BLIF file: on disk, and in the editor that calls it something else.
func TestSearchedFileOfAnyName(t *testing.T) {
	const top = ".search lib.mod\n.model top\n.inputs x\n.outputs bad\n.names zero\n.subckt stage in=zero q=bad\n.end\n"
	const commented = "# a library\n" + stage
	h := openHierarchy(t, top, map[string]string{"lib.mod": commented})
	h.save(h.top)
	h.expect("proved")
	one := strings.Replace(commented, "q 0", "q 1", 1)
	writeFile(t, filepath.Join(h.folder, "lib.mod"), one)
	h.changedOnDisk("lib.mod")
	h.expect("stale · proved")
	h.save(h.top)
	h.expect("refuted at step 0")
	lib := h.address("lib.mod")
	h.openAs("plaintext", lib, commented)
	h.expect("proved")
	h.replace(lib, 2, one)
	h.expect("refuted at step 0")
	h.replace(lib, 3, commented)
	h.expect("proved")
	h.close(lib)
	h.expect("refuted at step 0")
}

// TestWatchedFiles asks which files outside of the workspace the client watches.
func TestWatchedFiles(t *testing.T) {
	for _, relative := range []bool{true, false} {
		b := newBench(t, explicit)
		folder := t.TempDir()
		writeFile(t, filepath.Join(folder, "lib", "a[0].mod"), stage)
		b.Initialize(watching(relative), nil)
		top := string(uri.File(filepath.Join(folder, "top.blif")))
		type key struct {
			ID              string
			RegisterOptions struct{ Watchers []struct{ GlobPattern any } }
		}
		mark := 0
		awaitWatched := func(want ...pattern) (id string) {
			t.Helper()
			_, mark = b.Await("registration", mark, func(m lsptest.Message) bool {
				var p struct{ Registrations []key }
				if m.Method != "client/registerCapability" || json.Unmarshal(m.Params, &p) != nil || len(p.Registrations) != 1 {
					return false
				}
				id = p.Registrations[0].ID
				watchers := p.Registrations[0].RegisterOptions.Watchers
				if len(watchers) != len(want) {
					return false
				}
				for i, w := range watchers {
					if relative {
						glob, _ := w.GlobPattern.(map[string]any)
						if glob["baseUri"] != string(uri.File(want[i].folder)) || glob["pattern"] != want[i].glob {
							return false
						}
					} else if w.GlobPattern != filepath.ToSlash(want[i].folder)+"/"+want[i].glob {
						return false
					}
				}
				return true
			})
			return id
		}
		b.openAs("blif", top, ".search lib/a[0].mod\n.model top\n.inputs x\n.outputs bad\n.subckt stage in=x q=bad\n.end\n")
		library := pattern{filepath.Join(folder, "lib"), "a?0?.mod"}
		first := awaitWatched(library)
		b.configureBLIF(map[string]any{"genlib": filepath.Join(folder, "c.genlib")})
		awaitWatched(pattern{folder, "c.genlib"}, library)
		_, mark = b.Await("the end of the first registration", mark, func(m lsptest.Message) bool {
			return m.Method == "client/unregisterCapability" && strings.Contains(string(m.Params), first)
		})
		b.replace(top, 2, ".model top\n.inputs x\n.outputs bad\n.subckt other in=x q=bad\n.end\n")
		awaitWatched(pattern{folder, "c.genlib"}, pattern{folder, "*.{blif,eblif}"}, library)
	}
}

// TestUnwatchedFiles: a check looks at the disk, and without a client that watches
// files the server looks itself.
func TestUnwatchedFiles(t *testing.T) {
	t.Parallel()
	const top = ".search lib.mod\n.model top\n.inputs x\n.outputs bad\n.names zero\n.subckt stage in=zero q=bad\n.end\n"
	const commented = "# a library\n" + stage
	h := openHierarchy(t, top, map[string]string{"lib.mod": commented})
	h.save(h.top)
	h.expect("proved")
	one := strings.Replace(commented, "q 0", "q 1", 1)
	writeFile(t, filepath.Join(h.folder, "lib.mod"), one)
	h.checkFile(h.top)
	h.expect("refuted at step 0")
	writeFile(t, filepath.Join(h.folder, "lib.mod"), commented+"# again\n")
	h.expect("proved") // known from before, once the disk was read
}

func (b *bench) checkFile(u string) {
	b.t.Helper()
	b.MustCall("workspace/executeCommand", map[string]any{"command": "aiglens.check", "arguments": []any{map[string]any{"uri": u}}}, nil)
}

// TestCheckOfUnreadableFile says that there is nothing to check.
func TestCheckOfUnreadableFile(t *testing.T) {
	b := newBench(t, explicit)
	folder := t.TempDir()
	b.MustCall("initialize", map[string]any{
		"processId": nil, "rootUri": nil, "capabilities": capable,
		"workspaceFolders": []any{map[string]any{"uri": uri.File(folder), "name": "w"}},
	}, nil)
	b.Notify("initialized", map[string]any{})
	u := string(uri.File(filepath.Join(folder, "gone.aag")))
	err := b.Call("workspace/executeCommand", map[string]any{"command": "aiglens.check", "arguments": []any{map[string]any{"uri": u}}}, nil)
	if err == nil || !strings.Contains(err.Error(), "gone.aag") {
		t.Errorf("answer %v", err)
	}
}

// TestClientThatNeverTells: some clients register for changes of files and tell of none. Until one
// has told of a change, the files are looked at as for a client that watches none.
func TestClientThatNeverTells(t *testing.T) {
	b := newBench(t, explicit)
	h := modelBench{b, t.TempDir(), ""}
	writeFile(t, filepath.Join(h.folder, "sub.blif"), ".model sub\n.inputs a\n.outputs y\n.names y\n.end\n")
	h.Initialize(watching(false), nil)
	h.top = h.address("top.blif")
	h.openAs("blif", h.top, ".model top\n.inputs a\n.outputs bad\n.subckt sub a=a y=bad\n.end\n")
	h.save(h.top)
	h.expect("proved")
	writeFile(t, filepath.Join(h.folder, "sub.blif"), ".model sub\n.inputs a\n.outputs y\n.names y\n1\n.end\n.names\n")
	s := b.server.session
	s.queue.Do(s.texts.rereadUnwatched)
	h.awaitTitles(h.top, "a verdict that is stale", func(titles []string) bool {
		return len(titles) > 0 && !strings.HasPrefix(titles[0], "proved")
	})
}
