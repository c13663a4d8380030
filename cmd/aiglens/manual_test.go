package main

import (
	"os"
	"strings"
	"testing"

	"aiglens/aiger/syntax"
	"aiglens/blif/codes"
	"aiglens/internal/source"
)

// TestManual finds every code at its heading in the file that was written.
func TestManual(t *testing.T) {
	folder := t.TempDir()
	explain, err := manual(folder)
	if err != nil {
		t.Fatal(err)
	}
	var all []source.Code
	for _, info := range syntax.Codes() {
		all = append(all, info.Code)
	}
	for _, info := range codes.Catalogue.Kinds() {
		all = append(all, info.Code)
	}
	for _, code := range all {
		path, line, ok := explain(string(code))
		if !ok {
			t.Errorf("%s is not explained", code)
			continue
		}
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Split(string(content), "\n")[line-1]; got != "### "+string(code) {
			t.Errorf("%s is said to be at line %d, which is %q", code, line, got)
		}
	}
	if _, err := manual(folder); err != nil {
		t.Errorf("the second time: %v", err)
	}
	if files, err := os.ReadDir(folder); err != nil || len(files) != 2 {
		t.Errorf("files %v, %v", files, err)
	}
}
