package bench

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	provedLine = `{"verdict":"proved","depth":3,"clauses":6,"checked":true,` +
		`"stats":{"frames":3,"learnt":2,"literals_per_clause":1.5,"queries":10,"queries_sat":4,"queries_unsat":6,"ctis":1,"ctgs":2,"generalizations":3,"rebuilds":4,"conflicts":5}}` + "\n"
	provedAlso    = `{"verdict":"proved","depth":5,"clauses":1,"checked":true,"stats":{"learnt":6,"literals_per_clause":3.5,"queries":1}}` + "\n"
	refutedLine   = `{"verdict":"refuted","depth":2,"steps":4,"checked":true}` + "\n"
	uncheckedLine = `{"verdict":"proved","checked":false}` + "\n"
	unknownLine   = `{"verdict":"unknown","reason":"CPU limit","depth":7}` + "\n"
	internalLine  = `{"verdict":"unknown","reason":"internal error, certificate rejected"}` + "\n"
)

func TestParseAiglens(t *testing.T) {
	for _, test := range []struct {
		name, stdout, stderr         string
		exit                         int
		ended, signal                string
		verdict, certificate, reason string
	}{
		{name: "proved", stdout: provedLine, verdict: Proved, certificate: Checked},
		{name: "refuted", stdout: refutedLine, exit: 1, verdict: Refuted, certificate: Checked},
		{name: "unknown", stdout: unknownLine, exit: 3, verdict: Unknown, reason: "CPU limit"},
		{name: "all proved", stdout: provedLine + provedAlso, verdict: Proved, certificate: Checked},
		{name: "one refuted", stdout: provedLine + unknownLine + refutedLine, exit: 1, verdict: Refuted, certificate: Checked},
		{name: "one unknown", stdout: unknownLine + provedLine, exit: 3, verdict: Unknown, certificate: Checked, reason: "CPU limit"},
		{name: "unchecked", stdout: provedLine + uncheckedLine, verdict: Proved, certificate: Unchecked},
		{name: "rejected", stdout: provedLine + internalLine + uncheckedLine, exit: 3, verdict: Unknown, certificate: Rejected, reason: "internal error, certificate rejected"},
		{name: "ended", stdout: refutedLine, ended: endedCPU, exit: -1, verdict: Unknown, certificate: Checked, reason: "CPU limit"},
		{name: "cut short", stdout: provedLine + provedAlso[:20], ended: endedMemory, exit: -1, verdict: Unknown, certificate: Checked, reason: "memory limit"},
		{name: "killed", signal: "signal: killed", exit: -1, verdict: Unknown, reason: "crash: signal: killed"},
		{name: "unreadable", stderr: "f:1:1: error\naiglens: f: no header\n", exit: 2, verdict: Unknown, reason: "error: aiglens: f: no header"},
		{name: "panic", stderr: "panic: oh\n\ngoroutine 1\n", exit: 66, verdict: Unknown, reason: "crash: exit code 66: panic: oh"},
		{name: "silent", verdict: Unknown, reason: "crash: no answer"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := Row{Verdict: Unknown}
			o := outcome{stdout: []byte(test.stdout), stderr: []byte(test.stderr), exit: test.exit, ended: test.ended, signal: test.signal}
			r.measure(o)
			if err := r.parseAiglens(o); err != nil {
				t.Fatal(err)
			}
			if r.Verdict != test.verdict || r.Certificate != test.certificate || r.Reason != test.reason {
				t.Errorf("%s, certificate %q, reason %q", r.Verdict, r.Certificate, r.Reason)
			}
		})
	}
	var r Row
	err := r.parseAiglens(outcome{stdout: []byte(`{"verdict":"unknown","reason":"cancelled"}`), exit: 3})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled run counts: %v", err)
	}
}

func TestParseAiglensCounts(t *testing.T) {
	var r Row
	if err := r.parseAiglens(outcome{stdout: []byte(provedLine + provedAlso)}); err != nil {
		t.Fatal(err)
	}
	want := Row{
		Verdict: Proved, Certificate: Checked, Properties: 2, Frames: 5, Clauses: 7,
		Queries: 11, Sat: 4, Unsat: 6, CTIs: 1, CTGs: 2, Generalizations: 3, Rebuilds: 4,
		Lemmas: 8, LemmaSize: (2*1.5 + 6*3.5) / 8, Stats: "conflicts=5",
	}
	if r != want {
		t.Errorf("got %+v\nwant %+v", r, want)
	}
}

func TestParseABC(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       Row
	}{
		{"proved", "Warning: The network has no constraints.\nInvariant F[4] : 12 clauses with 2 flops (out of 4) (cex = 0, ave = 4.00)\n" +
			"Verification of invariant with 12 clauses was successful.  Time =     0.00 sec\nProperty proved.  Time =     0.02 sec\n",
			Row{Verdict: Proved, Certificate: Unchecked, Properties: 1, Frames: 4, Clauses: 12}},
		{"refuted", "Output 0 of miter \"model\" was asserted in frame 4.  Time =     4.12 sec\n",
			Row{Verdict: Refuted, Certificate: Unchecked, Properties: 1, Frames: 4, Steps: 5}},
		{"refused", "Reading AIG from file has failed.\nError: Empty network.\n",
			Row{Verdict: Unknown, Reason: "error: Error: Empty network."}},
		{"silent", "", Row{Verdict: Unknown, Reason: "error: "}},
	} {
		r := Row{Verdict: Unknown}
		r.parseABC(test.text)
		if r != test.want {
			t.Errorf("%s: got %+v\nwant %+v", test.name, r, test.want)
		}
	}
	r := Row{Verdict: Unknown, Reason: endedCPU}
	if r.parseABC(""); r.Reason != endedCPU {
		t.Errorf("the reason became %q", r.Reason)
	}
}

// TestUnfitForABC: ABC is asked only what it answers.
func TestUnfitForABC(t *testing.T) {
	path := filepath.Join(t.TempDir(), modelName)
	for _, test := range []struct {
		header string
		one    bool
		want   string
	}{
		{"aig 1 1 0 1 0", true, ""},
		{"aig 1 1 0 2 0", false, ""},
		{"aig 1 1 0 2 0", true, "together"},
		{"aig 1 1 0 0 0 1 3", true, ""},
		{"aig 1 1 0 0 0 2", true, "together"},
		{"aig 1 1 0 1 0 1", false, "outputs"},
		{"aig 1 1 0 0 0 0 0 1", false, "justice"},
		{"aag 1 1 0 1 0", false, "no header"},
		{"", false, "no header"},
	} {
		if err := os.WriteFile(path, []byte(test.header+"\n2\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		got, err := unfitForABC(path, test.one)
		if err != nil || !strings.Contains(got, test.want) || (got == "") != (test.want == "") {
			t.Errorf("%q, one property %v: %q, %v, want %q", test.header, test.one, got, err, test.want)
		}
	}
}
