package lsp

import (
	"strings"
	"testing"

	"aiglens/lsp/wire"
)

// TestStats: the size of a circuit is that of the text in the editor, errors or not.
func TestStats(t *testing.T) {
	b := newBench(t, explicit)
	b.Initialize(capable, nil)
	b.open(doc, toggle)
	var stats wire.CircuitStats
	b.MustCall("workspace/executeCommand", command(wire.CommandStats.Name, wire.FileParams{URI: doc}), &stats)
	if len(stats.Cones) != 2 || stats.Cones[1].Property != "bad:1" || stats.Latches != 2 || !strings.Contains(stats.Text, "\n  latches      2 (2 start with 0)\n") {
		t.Errorf("%+v", stats)
	}
	b.open("file:///w/faulty.aag", "aag 1 1 0 0 0 1\n2\n9\n")
	b.MustCall("workspace/executeCommand", command(wire.CommandStats.Name, wire.FileParams{URI: "file:///w/faulty.aag"}), &stats)
	if !strings.Contains(stats.Text, "The text has 1 error. ") {
		t.Errorf("%+v", stats)
	}
	if err := b.Call("workspace/executeCommand", command(wire.CommandStats.Name, wire.FileParams{URI: "file:///not/open.aag"}), nil); err == nil || !strings.Contains(err.Error(), "is not open") {
		t.Errorf("a file that is not open: %v", err)
	}
}
