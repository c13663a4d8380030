package life

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestHostileFiles: a folder has pipes without a writer, devices without end, cycles of
// links and folders with the names of files; they are opened, packed texts are requested,
// models are searched in them, and all are checked at once.
func TestHostileFiles(t *testing.T) {
	dir := folderWith(t, map[string]string{"good.aag": quick(), "sub/deep.aag": quick(), "vanishing.aag": quick()})
	path := func(name string) string { return filepath.Join(dir, name) }
	var odd []string
	for _, name := range []string{"pipe.aag", "pipe.blif", "pipe.aag.gz"} {
		odd = append(odd, name)
		if err := syscall.Mkfifo(path(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, target := range map[string]string{
		"zero.aag": "/dev/zero", "zero.blif": "/dev/zero", "full.aag": "/dev/full", "input.blif": "/dev/stdin", "memory.aag": "/proc/self/mem",
		"one.blif": "two.blif", "two.blif": "one.blif", "self.aag": "self.aag", "up.blif": "..", "sub/up": "..", "gone.aag": "nowhere.aag",
	} {
		odd = append(odd, name)
		if err := os.Symlink(target, path(name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"folder.aag", "folder.blif"} {
		odd = append(odd, name)
		if err := os.Mkdir(path(name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	var top strings.Builder
	top.WriteString(".model top\n.inputs a\n.outputs y\n")
	for _, name := range odd {
		top.WriteString(".subckt m_" + strings.TrimSuffix(filepath.Base(name), filepath.Ext(name)) + " i=a o=y\n")
	}
	top.WriteString(".end\n")
	for _, name := range odd {
		top.WriteString(".search " + name + "\n")
	}
	write(t, path("top.blif"), top.String())

	for _, watches := range []bool{true, false} {
		e := start(t, options{folders: []string{dir}, watches: watches})
		c, _ := plain(t) // holds no text against its circuit
		c.Initialize(map[string]any{"workspace": map[string]any{"workspaceFolders": true}}, nil)
		var changes []any
		for _, name := range append(odd, "top.blif") {
			uri := fileURI(path(name))
			item := map[string]any{"textDocument": map[string]any{"uri": uri}}
			_ = c.Call("aiglens/decoded", map[string]any{"uri": uri}, nil)
			c.Notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": uri, "languageId": "", "version": 1, "text": top.String()}})
			for _, method := range []string{"documentLink", "codeLens", "documentSymbol"} {
				if err := c.Call("textDocument/"+method, item, nil); err != nil {
					t.Errorf("%s of %s: %v", method, name, err)
				}
			}
			c.Notify("textDocument/didSave", item)
			_ = c.Call("workspace/executeCommand", map[string]any{"command": "aiglens.check", "arguments": []any{map[string]any{"uri": uri}}}, nil)
			changes = append(changes, map[string]any{"uri": uri, "type": 2})
		}
		_ = c.Call("workspace/symbol", map[string]any{"query": "m"}, nil)
		c.MustCall("shutdown", nil, nil)
		c.Notify("exit", nil)
		if err := c.Wait(); err != nil {
			t.Error(err)
		}

		good, vanishing := e.open(fileURI(path("good.aag")), quick()), e.open(fileURI(path("vanishing.aag")), quick())
		if err := os.Remove(path("vanishing.aag")); err != nil {
			t.Fatal(err)
		}
		e.Notify("workspace/didChangeWatchedFiles", map[string]any{"changes": append(changes, map[string]any{"uri": vanishing.uri, "type": 3})})
		e.execute("checkWorkspace", map[string]any{}, nil)
		e.save(good)
		e.save(vanishing)
		e.awaitTexts(good, "refuted at step 2", "proved…")
		e.awaitTexts(vanishing, "refuted at step 2", "proved…") // of the text in the editor
		e.agree(good)
		e.agree(vanishing)
		e.survives()
		write(t, path("vanishing.aag"), quick())
	}
}

// TestFullDisk: verdicts that cannot be kept are found and shown all the same.
func TestFullDisk(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	write(t, file, "no folder")
	for name, o := range map[string]options{
		"no byte fits":   {limits: "ulimit -f 0", cache: t.TempDir()},
		"a file above":   {cache: filepath.Join(file, "cache")},
		"not to be made": {cache: "/proc/none/cache"},
		"a full device":  {cache: "/dev/full/cache"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := start(t, o)
			f := e.open("file:///w/quick.aag", quick())
			for range 3 {
				e.save(f)
				e.awaitTexts(f, "refuted at step 2", "proved…")
				e.edit(f, hard())
				e.edit(f, quick())
			}
			e.survives()
			if o.limits == "" {
				return
			}
			_ = filepath.WalkDir(o.cache, func(path string, d fs.DirEntry, err error) error {
				if err == nil && d.Type().IsRegular() {
					if info, err := d.Info(); err == nil && info.Size() > 0 {
						t.Errorf("the disk is not full: %s", path)
					}
				}
				return nil
			})
		})
	}
}
