package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// TestVacuity checks circuits that were written for it: half of them hold vacuously, each
// for what its first line says; of the others nothing of the kind is said.
func TestVacuity(t *testing.T) {
	archive, err := txtar.ParseFile(filepath.Join("testdata", "vacuity.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	vacuous := 0
	for _, f := range archive.Files {
		name := filepath.Join(t.TempDir(), f.Name)
		if err := os.WriteFile(name, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
		first, _, _ := strings.Cut(string(f.Data), "\n")
		want := strings.TrimPrefix(first, "# expect: ")
		var out, said bytes.Buffer
		run(t.Context(), env{stdin: strings.NewReader(""), stdout: &out, stderr: &said}, []string{"check", "--no-cache", "--format", "json", name})
		var got struct {
			Verdict, Vacuity string
			Vacuous, Checked bool
		}
		if err := json.Unmarshal(out.Bytes(), &got); err != nil {
			t.Fatalf("%s: %v\n%s%s", f.Name, err, &out, &said)
		}
		words := got.Verdict
		if got.Vacuous && got.Checked {
			words = "vacuous: " + got.Vacuity
			vacuous++
		}
		if words != want {
			t.Errorf("%s: %s, want %s", f.Name, words, want)
		}
	}
	for _, f := range archive.Files { // and with --no-vacuity of none
		var out bytes.Buffer
		for _, format := range []string{"text", "json"} {
			run(t.Context(), env{stdin: bytes.NewReader(f.Data), stdout: &out, stderr: io.Discard}, []string{"check", "--no-cache", "--no-vacuity", "--format", format, "-"})
		}
		if said := strings.ReplaceAll(out.String(), `"vacuous":false`, ""); strings.Contains(said, "vacuous") || strings.Contains(said, "vacuity") {
			t.Errorf("%s, --no-vacuity: %s", f.Name, said)
		}
	}
	if len(archive.Files) != 33 || vacuous != 18 {
		t.Errorf("%d circuits, %d vacuous", len(archive.Files), vacuous)
	}
}
