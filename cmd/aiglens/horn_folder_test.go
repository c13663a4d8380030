package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// otherText is a text of SMT-LIB that is none of Horn clauses.
const otherText = "(set-logic QF_BV)\n(declare-const x (_ BitVec 8))\n(assert (= x x))\n(check-sat)\n"

// folderOfClauses writes a folder of clauses beside a circuit and a text in another logic, and makes it the current one.
func folderOfClauses(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"d/safe.smt2": fmt.Sprintf(clauseText, "(< y 0)"), "d/e/reached.chc": fmt.Sprintf(clauseText, "(= y 2)"),
		"d/bits.smt2": otherText, "d/circuit.aag": "aag 1 1 0 1 0\n2\n2\n",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestClausesBelowFolders: a folder stands for its clauses, too. A text in another logic is for other programs, which is
// no error.
func TestClausesBelowFolders(t *testing.T) {
	folderOfClauses(t)
	const other = "d/bits.smt2: aiglens reads Horn clauses, with the logic HORN; it leaves a text of QF_BV alone\n"
	const flags = "d/e/reached.chc: --%s is about circuits, and the file has Horn clauses\n" +
		"aiglens: 1 more file: --%[1]s is about circuits, and the file has Horn clauses\n"
	for _, test := range []struct {
		call, out, said string
		code            int
	}{
		{"check d", "d/e/reached.chc:7:1: query 0: reached in 6 steps\nd/safe.smt2:7:1: query 0: safe · 8 lemmas\n", other, exitRefuted},
		{"check --require-properties d", "d/safe.smt2:7:1: query 0: safe · 8 lemmas\n", other, exitRefuted},
		{"check --engine bmc d", "query 0: safe · 8 lemmas\n", fmt.Sprintf(flags, "engine"), exitRefuted},
		{"check d/bits.smt2", "", "aiglens: " + other, exitUsage},
		{"lint d", "d/bits.smt2:1:12: information[other-logic]: ", "", exitOK},
		{"fmt -d d", "", "", exitOK},
		{"stats d/bits.smt2", "", "aiglens: " + other, exitUsage},
	} {
		out, said, code := runOn(nil, strings.Fields(test.call)...)
		if code != test.code || !strings.Contains(string(out), test.out) || !strings.Contains(string(said), test.said) {
			t.Errorf("%s: exit code %d, not %d\n%s%s", test.call, code, test.code, out, said)
		}
	}
	_, said, _ := runOn(nil, "check", "d")
	if strings.Contains(string(said), "without properties") {
		t.Errorf("the text in another logic is counted: %s", said)
	}
}

// TestClausesInReports: a query is a property of the reports that others read.
func TestClausesInReports(t *testing.T) {
	folderOfClauses(t)
	for format, want := range map[string][]string{
		"sarif": {`"ruleId": "query",`, `"text": "query 0: reached in 6 steps"`, `"startLine": 7,`, `"text": "query 0: safe · 8 lemmas"`, `"level": "note",`},
		"junit": {`<testcase classname="d/e/reached.chc" name="query 0"`, `<failure message="reached in 6 steps">`, `<testcase classname="d/safe.smt2" name="query 0"`, `<skipped message="aiglens reads Horn clauses`},
		"json": {`{"file":"d/e/reached.chc","property":{"kind":"bad","index":0,"name":"query 0","statement":"query","line":7,"column":1},"verdict":"refuted","reason":"","engine":"spacer"`,
			`"clauses":8,"steps":0,`, `"checked":true`, `{"file":"d/bits.smt2","reason":"aiglens reads Horn clauses`},
	} {
		out, said, code := runOn(nil, "check", "--format", format, "d")
		for _, words := range want {
			if code != exitRefuted || !strings.Contains(string(out), words) {
				t.Errorf("%s: exit code %d, without %s\n%s%s", format, code, words, out, said)
			}
		}
	}
}

// clauseAnswers is what each command does with a file of Horn clauses: the beginning of what it prints, or of what it
// says where it takes only circuits.
var clauseAnswers = map[string]struct{ args, out, said string }{
	"check":   {"FILE", "FILE:7:1: query 0: safe · 8 lemmas\n", ""},
	"lint":    {"FILE", "", ""},
	"stats":   {"FILE", "FILE\n  predicates   2 (", ""},
	"fmt":     {"FILE", "(set-logic HORN)\n", ""},
	"horn":    {"FILE", "sat\n", ""},
	"another": {"FILE", "", noCircuit}, "proof": {"FILE", "", noCircuit}, "obstacle": {"FILE", "", noCircuit},
	"suggest": {"FILE", "", noCircuit}, "isolate": {"FILE", "", noCircuit}, "at": {"FILE:2:15", "**predicate** `", ""},
	"draw": {"FILE", "", noCircuit}, "replay": {"FILE FILE", "", noCircuit}, "convert": {"FILE", "", noCircuit},
	"simulate": {"FILE", "", noCircuit}, "cover": {"--signal x FILE", "", noCircuit}, "equiv": {"FILE FILE", "", noCircuit}, "cone": {"--signal x FILE", "", noCircuit},
	"reduce": {"--while-verdict proved FILE", "", noCircuit}, "certify": {"FILE FILE", "", "aiglens: FILE: line 4: a step of a derivation has no variables\n"},
	"hwmcc": {"FILE a b", "", noCircuit}, "sby": {"FILE", "", noCircuit},
}

const noCircuit = "aiglens: FILE: the file has Horn clauses, and no circuit; check, lint, stats, fmt, at, horn and certify read it\n"

// withoutFiles are the commands that take no file of this kind.
var withoutFiles = []string{"bench", "cache", "node", "cluster", "serve", "debug", "help", "completion", "man", "mcp", "worker", callName}

// TestEveryCommandOnClauses: each command answers about clauses, or says in one sentence that it is about circuits.
func TestEveryCommandOnClauses(t *testing.T) {
	safe, _, _ := clauseFiles(t)
	for _, c := range commands() {
		want, known := clauseAnswers[c.name]
		if known == slices.Contains(withoutFiles, c.name) {
			t.Errorf("what does %s do with a file of clauses?", c.name)
		}
		if !known {
			continue
		}
		fill := strings.NewReplacer("FILE", safe)
		out, said, _ := runOn(nil, append([]string{c.name}, strings.Fields(fill.Replace(want.args))...)...)
		if !strings.HasPrefix(string(out), fill.Replace(want.out)) || want.out == "" && len(out) > 0 || string(said) != fill.Replace(want.said) {
			t.Errorf("%s:\n%s%s", c.name, out, said)
		}
	}
	for name := range maps.Keys(clauseAnswers) {
		if _, ok := commandNamed(name); !ok {
			t.Errorf("there is no command %s", name)
		}
	}
}
