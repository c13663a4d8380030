package design_test

import (
	"testing"

	"aiglens/design"
)

// TestFileName: only a URI is escaped.
func TestFileName(t *testing.T) {
	for of, want := range map[string]string{
		"file:///w/a%20b.aag": "a b.aag", "/w/a%20b.aag": "a%20b.aag", "a b.aag": "a b.aag",
		"vscode-remote://host/w/100%25.aag": "100%.aag", "file:///w/100%.aag": "100%.aag",
	} {
		if got := design.FileName(of); got != want {
			t.Errorf("%s: %s, want %s", of, got, want)
		}
	}
}
