package main

import (
	"context"
	"strings"
	"testing"
)

// TestBinaryStaysOffTerminals: a terminal gets binary AIGER only where the user says so.
func TestBinaryStaysOffTerminals(t *testing.T) {
	good := examplesFolder + "counter.aag"
	for call, isRefused := range map[string]bool{
		"convert " + good: true, "convert --to aig " + good: true, "cone --signal 2 --to aig " + good: true,
		"reduce --to aig --while-verdict refuted " + good: true,
		"convert --to aag " + good:                        false, "convert -o - " + good: false,
	} {
		var out, said strings.Builder
		code := run(context.Background(), env{stdout: &out, stderr: &said, onTerminal: true}, strings.Fields(call))
		if isRefused != (code == exitUsage) || isRefused != (out.Len() == 0) || isRefused != strings.Contains(said.String(), "-o - writes it all the same") {
			t.Errorf("%s: exit code %d, %d bytes, %s", call, code, out.Len(), &said)
		}
	}
}

// TestConvertOnTerminal: the program finds out whether it has a terminal.
func TestConvertOnTerminal(t *testing.T) {
	o := startOnTerminal(t, 100, []string{"TERM=dumb"}, "convert", examplesFolder+"counter.aag")
	o.read(func() bool { return false })
	if shown := strings.Join(o.lines(), "\n"); !strings.Contains(shown, "a terminal does not show binary AIGER") || strings.Contains(shown, "aig 23") {
		t.Errorf("shown is %s", shown)
	}
}
