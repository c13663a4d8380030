package lsp

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"go.lsp.dev/uri"

	"aiglens/lsp/lsptest"
	"aiglens/lsp/wire"
)

// TestSizeOfFiles: a file that is too large, or unpacks to too much, is refused with
// the setting that lets it be read, and read once that is raised.
func TestSizeOfFiles(t *testing.T) {
	folder := t.TempDir()
	text := "aag 1 1 0 1 0\n2\n2\nc\n" + strings.Repeat("comment\n", 300_000) // 2.4 MB
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(folder, "a.aag.gz"), packed.String())
	writeFile(t, filepath.Join(folder, "a.aag"), text)
	b := newBench(t, explicit)
	b.Initialize(capable, map[string]any{"files": map[string]any{"maxSize": 1}})
	decode := func(name string) error {
		return b.Call(wire.RequestDecoded.Name, map[string]any{"uri": uri.File(filepath.Join(folder, name))}, nil)
	}
	for _, name := range []string{"a.aag.gz", "a.aag"} {
		if err := decode(name); err == nil || !strings.Contains(err.Error(), "limit of 1 MB") || !strings.Contains(err.Error(), "aiglens.files.maxSize") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := os.Stat("/dev/zero"); err == nil {
		if err := b.Call(wire.RequestDecoded.Name, map[string]any{"uri": "file:///dev/zero"}, nil); err == nil {
			t.Error("a device is read")
		}
	}
	b.Notify("workspace/didChangeConfiguration", map[string]any{"settings": map[string]any{
		"aiglens": map[string]any{"files": map[string]any{"maxSize": 3}}}})
	for _, name := range []string{"a.aag.gz", "a.aag"} {
		if err := decode(name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestSizeOfMessages: a message beyond the limit is skipped and said to be. What it was
// about is out of step until its whole text comes, and nothing else is.
func TestSizeOfMessages(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(capable, map[string]any{"files": map[string]any{"maxSize": 1}})
	const other = "file:///w/other.aag"
	b.open(doc, toggle)
	b.open(other, toggle)
	before := b.diagnostics(doc)
	long := strings.Repeat("c\n", 2<<20)
	for what, send := range map[string]func(version int){
		"didChange": func(version int) { b.replace(doc, version, long) },
		"didOpen":   func(int) { b.open(doc, long) },
	} {
		mark := b.Mark()
		send(2)
		b.Await("a word on "+what, mark, func(m lsptest.Message) bool {
			return m.Method == "window/showMessage" && strings.Contains(string(m.Params), "aiglens.files.maxSize")
		})
		if found := b.diagnostics(doc); len(found) != 1 || found[0].Code != "out-of-step" {
			t.Errorf("%s: %+v", what, found)
		}
		if found := b.diagnostics(other); !reflect.DeepEqual(found, before) {
			t.Errorf("%s, the other file: %+v", what, found)
		}
		b.replace(doc, 3, toggle)
		if found := b.diagnostics(doc); !reflect.DeepEqual(found, before) {
			t.Errorf("%s, mended: %+v", what, found)
		}
	}
	// Where not even the address can be read, every file may be meant.
	text := strings.Repeat("x", 2<<20)
	b.Frame(`{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"contentChanges":[{"text":"` + text + `"}],"textDocument":{"uri":"` + doc + `","name":"` + text + `"}}}`)
	for _, u := range []string{doc, other} {
		if found := b.diagnostics(u); len(found) != 1 || found[0].Code != "out-of-step" {
			t.Errorf("%s: %+v", u, found)
		}
	}
}
