// Package aigertest holds what the tests of package aiger and of those below it
// share: files of the test material, made-up ones, and comparisons.
package aigertest

import (
	"os"
	"path/filepath"
	"testing"

	"aiglens/internal/shared"
	"aiglens/internal/source"
)

// Globs returns the files of the test material that match any pattern.
func Globs(t testing.TB, patterns ...string) []string {
	t.Helper()
	dir := shared.Dir(t)
	var names []string
	for _, p := range patterns {
		matches, err := filepath.Glob(filepath.Join(dir, p))
		if err != nil || len(matches) == 0 {
			t.Fatalf("no files match %s: %v", p, err)
		}
		names = append(names, matches...)
	}
	return names
}

func Read(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// ErrorCodes returns the codes of the errors, each once.
func ErrorCodes(diags []source.Diagnostic) []source.Code {
	var codes []source.Code
	seen := map[source.Code]bool{}
	for _, diag := range diags {
		if diag.Severity == source.Error && !seen[diag.Code] {
			seen[diag.Code] = true
			codes = append(codes, diag.Code)
		}
	}
	return codes
}

// BrokenDir returns the folder of the files with one fault each, seen from this
// package or one below it.
func BrokenDir(t testing.TB) string {
	t.Helper()
	for _, dir := range []string{"testdata/broken", "../testdata/broken"} {
		if _, err := os.Stat(dir); err == nil {
			return dir
		}
	}
	t.Fatal("there is no testdata/broken")
	return ""
}

// SeedFiles adds the files made for this project to a fuzz target.
func SeedFiles(f *testing.F, pattern string) {
	names, err := filepath.Glob(filepath.Join(BrokenDir(f), pattern))
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	shared.Seeds(f, func(data []byte) { f.Add(data) }, "aiger/own/"+pattern, "aiger/gen-"+pattern, "fuzz/"+pattern, "broken/aag-"+pattern, "broken/aig-"+pattern)
}
