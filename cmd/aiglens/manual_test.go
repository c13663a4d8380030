package main

import (
	"os"
	"strings"
	"testing"

	"aiglens/aiger"
)

// TestManual finds every code at its heading in the file that was written.
func TestManual(t *testing.T) {
	folder := t.TempDir()
	explain, err := manual(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, info := range aiger.Codes() {
		path, line, ok := explain(string(info.Code))
		if !ok {
			t.Errorf("%s is not explained", info.Code)
			continue
		}
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Split(string(content), "\n")[line-1]; got != "### "+string(info.Code) {
			t.Errorf("%s is said to be at line %d, which is %q", info.Code, line, got)
		}
	}
	if _, err := manual(folder); err != nil {
		t.Errorf("the second time: %v", err)
	}
	if files, err := os.ReadDir(folder); err != nil || len(files) != 1 {
		t.Errorf("files %v, %v", files, err)
	}
}
