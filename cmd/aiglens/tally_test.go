package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"aiglens/circuit"
	"aiglens/circuit/cert"
)

// TestTally: what a check of many files has come to, and which exit code that has.
func TestTally(t *testing.T) {
	const bad, lemma, cover = circuit.PropertyBad, circuit.PropertyLemma, circuit.PropertyCover
	type found struct {
		kind    circuit.PropertyKind
		outcome cert.Outcome
		times   int
	}
	fault := func(n int) (all []error) { return slices.Repeat([]error{errors.New("x")}, n) }
	for _, c := range []struct {
		found                  []found
		without, unread, fault int
		unwritten              bool
		code                   int
		want                   string
	}{
		{want: "0 proved, 0 refuted, 0 unknown in 12 s"},
		{found: []found{{bad, cert.Proved, 58}, {bad, cert.Refuted, 2}}, without: 3, code: 1, want: "58 proved, 2 refuted, 0 unknown in 12 s; 3 files without properties"},
		{found: []found{{bad, cert.Proved, 1200}, {bad, cert.Refuted, 1}}, fault: 1, code: 1, want: "1,200 proved, 1 refuted, 0 unknown in 12 s; 1 error"},
		{found: []found{{bad, cert.Refuted, 1}}, unwritten: true, code: 2, want: "0 proved, 1 refuted, 0 unknown in 12 s"},
		{found: []found{{bad, cert.Unknown, 1}}, fault: 2, code: 2, want: "0 proved, 0 refuted, 1 unknown in 12 s; 2 errors"},
		{found: []found{{bad, cert.Proved, 1}}, unread: 1, without: 1, code: 3, want: "1 proved, 0 refuted, 0 unknown in 12 s; 1 file without properties; 1 file not read"},
		{found: []found{{lemma, cert.Proved, 2}, {lemma, cert.Refuted, 1}, {lemma, cert.Unknown, 1}}, want: "0 proved, 0 refuted, 0 unknown in 12 s; 2 lemmas proved; 2 lemmas not proved"},
		{found: []found{{cover, cert.Refuted, 2}, {cover, cert.Unknown, 1}}, code: 3, want: "0 proved, 0 refuted, 1 unknown in 12 s; 2 covers reached"},
		{found: []found{{cover, cert.Proved, 1}, {cover, cert.Unknown, 1}}, code: 1, want: "0 proved, 0 refuted, 1 unknown in 12 s; 1 cover never reached"},
	} {
		tally := newTally(true)
		tally.unwritten, tally.faults = c.unwritten, fault(c.fault)
		for range c.without {
			tally.addFile(&fileReport{without: "none"})
		}
		for range c.unread {
			tally.addFile(&fileReport{unread: true})
		}
		for _, f := range c.found {
			for range f.times {
				tally.count(circuit.Property{Kind: f.kind}, f.outcome)
			}
		}
		if got := tally.summary(12 * time.Second); got != c.want || tally.code() != c.code {
			t.Errorf("%q, exits with %d; expected %q, %d", got, tally.code(), c.want, c.code)
		}
	}
	for took, want := range map[time.Duration]string{40 * time.Millisecond: "0.0 s", 2 * time.Second: "2.0 s", 9960 * time.Millisecond: "10 s", 75 * time.Second: "75 s"} {
		if got := shortTime(took); got != want {
			t.Errorf("%s is %q, expected %q", took, got, want)
		}
	}
}

// TestExportNames: files about inputs of the same name do not overwrite each other, and have the folders
// of the inputs.
func TestExportNames(t *testing.T) {
	flags := checkFlags{witnesses: "out"}
	for _, c := range []struct {
		inputs []input
		want   string // by input
	}{
		{[]input{{"-", ""}, {"x/a.aag", ""}, {"b.aig.gz", ""}}, "[stdin a b]"},
		{[]input{{"c/a.aag", "c"}, {"c/x/a.aag", "c"}, {"c/x/b.v1.aag", "c"}}, "[a x/a x/b.v1]"},
		{[]input{{"c/x/a.aag", "c"}, {"d/x/a.aag", "d"}, {"d/x/b.aag", "d"}}, "[c/x/a d/x/a x/b]"},
		{[]input{{"c/a.aag", "c"}, {"c/a.aig", "c"}, {"c/a.aig.gz", "c"}}, "[a.aag a.aig a.aig.gz]"},
		{[]input{{"c/a.aag", "c"}, {"d/a.aag", "d"}, {"d/a.blif", "d"}}, "[c/a.aag d/a.aag d/a.blif]"},
		{[]input{{"../c/a.aag", "../c"}, {"a.aag", ""}}, "[_/c/a a]"},
		{[]input{{"./a.aag", "."}, {"a.aag", "."}, {"a.aag", ""}}, "[a a a]"},
		{[]input{{"./a.aag", ""}, {"b/../a.aag", ""}, {"c/a.aag", ""}}, "[a a c/a]"},
		{[]input{{"-", ""}, {"./-", ""}}, "[stdin -]"},
		{[]input{{"a.aag", "."}, {"a.aag", ""}}, "[a a]"},
		{[]input{{"/c/a.aag", ""}, {"c/a.aag", ""}}, "error"},
	} {
		names, err := exportNames(c.inputs, &flags)
		var all []string
		for _, in := range c.inputs {
			all = append(all, names[in.path])
		}
		got := fmt.Sprint(all)
		if err != nil {
			got = "error"
		}
		if got != c.want {
			t.Errorf("%v are exported as %s, %v; expected %s", c.inputs, got, err, c.want)
		}
	}
}

// TestSummary: a terminal gets one after a check of several files or a folder, and others the number of
// files without properties alone.
func TestSummary(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"a.aag": stays0, "none.aag": "aag 1 1 0 0 0\n2\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	broken := filepath.Join(t.TempDir(), "broken.aag")
	if err := os.WriteFile(broken, []byte("aag 2 1 1 0 0 1\n2\n4 99\n4\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	check := func(want int, isTerminal bool, names ...string) string {
		var said bytes.Buffer
		e := env{stdin: strings.NewReader(""), stdout: io.Discard, stderr: &said}
		if isTerminal {
			e.terminal = &terminal{w: io.Discard, columns: func() int { return 80 }}
		}
		if code := run(t.Context(), e, append([]string{"check", "--no-cache"}, names...)); code != want {
			t.Errorf("%v exits with %d: %s", names, code, said.String())
		}
		return said.String()
	}
	for _, c := range []struct{ got, want string }{
		{check(exitOK, true, dir), `^1 proved, 0 refuted, 0 unknown in \d\.\d s; 1 file without properties\n$`},
		{check(exitOK, false, dir), `^aiglens: 1 file without properties; --require-properties makes that an error\n$`},
		{check(exitOK, true, filepath.Join(dir, "a.aag")), `^$`},
		{check(exitOK, true, filepath.Join(dir, "a.aag"), filepath.Join(dir, "a.aag")), `^2 proved, 0 refuted, 0 unknown in \d\.\d s\n$`},
		{check(exitUsage, true, filepath.Join(dir, "a.aag"), broken), `\n1 proved, 0 refuted, 0 unknown in \d\.\d s; 1 error\n$`},
	} {
		if !regexp.MustCompile(c.want).MatchString(c.got) {
			t.Errorf("%q is not %s", c.got, c.want)
		}
	}
}
