package main

import (
	"testing"

	"aiglens/blif"
	"aiglens/circuit"
	"aiglens/design"
	"aiglens/design/blifdesign"
)

// circuitIn returns the circuit of a file.
func circuitIn(t *testing.T, d *design.Design) *circuit.Circuit {
	t.Helper()
	c, err := circuitOf(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// isBLIF reports whether a file is BLIF, and blifOf returns that.
func isBLIF(d *design.Design) bool { return d.Kind == blifdesign.Format }

func blifOf(d *design.Design) *blif.File {
	f, _ := blifdesign.FileOf(d)
	return f
}
