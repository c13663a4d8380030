package lsp

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.lsp.dev/uri"

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
