package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRewriteChanged leaves a file alone that has changed since it was
// read, and leaves nothing beside it.
func TestRewriteChanged(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a.aag")
	if err := os.WriteFile(name, []byte("newer"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := (env{}).rewrite(name, []byte("old"), []byte("formatted")); err == nil || !strings.Contains(err.Error(), "changed") {
		t.Errorf("%v", err)
	}
	if data, err := os.ReadFile(name); err != nil || string(data) != "newer" {
		t.Errorf("%q, %v", data, err)
	}
	if err := (env{}).rewrite(name, []byte("newer"), []byte("formatted")); err != nil {
		t.Error(err)
	}
	info, err := os.Stat(name)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if all, err := os.ReadDir(dir); err != nil || len(all) != 1 {
		t.Errorf("%v, %v", all, err)
	}
}

// TestPacked converts and formats a packed file.
func TestPacked(t *testing.T) {
	const text = "aag 1 1 0 1 0\n2\n2\n"
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write([]byte(text)); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "a.aag.gz")
	if err := os.WriteFile(name, packed.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"fmt", name}, {"convert", "--to", "aag", name}} {
		var stdout, stderr bytes.Buffer
		if code := run(context.Background(), env{stdout: &stdout, stderr: &stderr}, args); code != exitOK || stdout.String() != text {
			t.Errorf("%v: %d, %q, %s", args, code, stdout.String(), stderr.String())
		}
	}
	if code := run(context.Background(), env{stdout: &bytes.Buffer{}, stderr: &bytes.Buffer{}}, []string{"fmt", "-w", name}); code != exitUsage {
		t.Errorf("fmt -w of a packed file: %d", code)
	}
}
