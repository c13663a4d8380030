package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPanicCostsOneFile: a panic over a file is an error of that file, with a report that
// holds nothing of it.
func TestPanicCostsOneFile(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	f := &fileReport{name: "a.aag"}
	f.fill(func() error { panic("the text of a user") })
	if f.err == nil || !strings.Contains(f.err.Error(), "a.aag: internal error, please report it") || strings.Contains(f.err.Error(), "user") {
		t.Fatalf("got %v", f.err)
	}
	reports, _ := filepath.Glob(filepath.Join(faultFolder().Path, "*"))
	if len(reports) != 1 {
		t.Fatalf("%d reports", len(reports))
	}
	if text, err := os.ReadFile(reports[0]); err != nil || !strings.Contains(string(text), "fault_test.go") || strings.Contains(string(text), "user") {
		t.Errorf("%v: %s", err, text)
	}
	want := errors.New("unreadable")
	if f.fill(func() error { return want }); f.err != want {
		t.Errorf("got %v", f.err)
	}
}
