package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"aiglens/horn/syntax"
	"aiglens/internal/peers"
	"aiglens/internal/source"
)

// clauseText counts down and up, with a query in the place of %s.
const clauseText = `(set-logic HORN)
(declare-fun Loop (Int Int Int Bool) Bool)
(declare-fun |a step| (Int Int Int) Bool)
(assert (forall ((n Int)) (=> (>= n 0) (Loop n 0 n true))))
(assert (forall ((x Int) (y Int) (n Int)) (=> (and (Loop x y n true) (> x 0)) (|a step| x y n))))
(assert (forall ((x Int) (y Int) (n Int)) (=> (|a step| x y n) (Loop (- x 1) (+ y 1) n true))))
(assert (forall ((x Int) (y Int) (n Int) (b Bool)) (=> (and (Loop x y n b) %s) false)))
(check-sat)
`

// clauseFiles writes a satisfiable system, one that is not, and one with an error.
func clauseFiles(t *testing.T) (safe, reached, broken string) {
	t.Helper()
	dir := t.TempDir()
	write := func(name, query string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, fmt.Appendf(nil, clauseText, query), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	return write("safe.smt2", "(or (< y 0) (not b))"), write("reached.chc", "(= y 2)"), write("broken.horn", "(ghost y)")
}

// TestHornClauses: every command that reads files says the answer, or that it is about circuits.
func TestHornClauses(t *testing.T) {
	safe, reached, broken := clauseFiles(t)
	for _, test := range []struct {
		call, out, said string
		code            int
	}{
		{"check SAFE", "SAFE:7:1: query 0: safe · ", "", exitOK},
		{"check REACHED", "REACHED:7:1: query 0: reached in 6 steps\n", "", exitRefuted},
		{"check SAFE REACHED", "SAFE:7:1: query 0: safe · ", "", exitRefuted},
		{"check BROKEN", "", `BROKEN:7:77: error[undeclared]: "ghost" is not declared`, exitUsage},
		{"check BROKEN REACHED", "REACHED:7:1: query 0: reached in 6 steps\n", "BROKEN: line 7, column 77", exitRefuted},
		{"check --format json REACHED", `{"file":"REACHED","property":{"kind":"bad","index":0,"name":"query 0","statement":"query","line":7,"column":1},"verdict":"refuted","reason":"","engine":"spacer",`, "", exitRefuted},
		{"check --format hwmcc SAFE", "", "SAFE: --format hwmcc is about circuits, and the file has Horn clauses", exitUsage},
		{"check --engine bmc SAFE", "", "SAFE: --engine is about circuits, and the file has Horn clauses", exitUsage},
		{"check --index bad:0 SAFE", "SAFE:7:1: query 0: safe · ", "", exitOK},
		{"check --index bad:1 SAFE", "", "SAFE: there is no property bad:1", exitUsage},
		{"check --deadline 1ns SAFE", "SAFE: unknown: not read before the deadline\n", "the deadline of 1ns has passed", exitUnknown},
		{"horn SAFE REACHED", "sat\nunsat\n", "", exitOK},
		{"horn --timeout 1ns SAFE", "unknown\n", "SAFE: unknown: timeout of 1e-09 s", exitOK},
		{"horn BROKEN SAFE", "sat\n", `"ghost" is not declared`, exitUsage},
		{"horn --variant fast SAFE", "", `there is no variant "fast"`, exitUsage},
		{"horn --stats REACHED", "unsat\n; clauses ", "", exitOK},
		{"horn", "", "horn needs a file", exitUsage},
		{"lint SAFE", "", "", exitOK},
		{"lint BROKEN", `BROKEN:7:77: error[undeclared]: "ghost" is not declared`, "", exitErrors},
		{"stats SAFE", "SAFE\n  predicates   2 (4 arguments at most)\n  functions    0\n  clauses      4 (1 fact)\n  queries      1\n", "", exitOK},
		{"stats BROKEN", "", `"ghost" is not declared`, exitUsage},
		{"fmt -d SAFE", "--- SAFE\n+++ SAFE (formatted)\n", "", exitDiffers},
	} {
		names := strings.NewReplacer("SAFE", safe, "REACHED", reached, "BROKEN", broken)
		out, said, code := runOn(nil, strings.Fields(names.Replace(test.call))...)
		if code != test.code || !strings.HasPrefix(string(out), names.Replace(test.out)) || test.out == "" && len(out) > 0 ||
			!strings.Contains(string(said), names.Replace(test.said)) || test.said == "" && len(said) > 0 {
			t.Errorf("%s: exit code %d, not %d\n%s%s", test.call, code, test.code, out, said)
		}
	}
	text, err := os.ReadFile(reached)
	if err != nil {
		t.Fatal(err)
	}
	if out, _, code := runOn(text, "check", "-"); code != exitRefuted || !strings.HasSuffix(string(out), "reached in 6 steps\n") {
		t.Errorf("standard input: exit code %d\n%s", code, out)
	}
}

// TestCertificatesOfClauses gives the models and derivations that horn prints to z3: under the definitions no clause
// is false, and the instances contradict each other.
func TestCertificatesOfClauses(t *testing.T) {
	safe, reached, _ := clauseFiles(t)
	model, _, _ := runOn(nil, "horn", "--model", safe)
	proof, _, _ := runOn(nil, "horn", "--proof", reached)
	definitions, starts := strings.CutPrefix(string(model), "sat\n(\n")
	definitions, ends := strings.CutSuffix(definitions, ")\n")
	if !starts || !ends || strings.Count(definitions, "(define-fun ") != 2 {
		t.Fatalf("the model is\n%s", model)
	}
	steps, ok := strings.CutPrefix(string(proof), "unsat\n")
	if !ok || strings.Count(steps, "(assert ") != 6 {
		t.Fatalf("the derivation is\n%s", proof)
	}
	z3 := peers.Program(t, "z3")
	text, err := os.ReadFile(safe)
	if err != nil {
		t.Fatal(err)
	}
	system := syntax.Parse(source.NewText(string(text)), nil).System()
	asked := definitions
	for i := range system.Clauses {
		asked += fmt.Sprintf("(push)\n(assert (not %s))\n(check-sat)\n(pop)\n", system.ClauseSMT(&system.Clauses[i]))
	}
	for _, script := range []string{asked, steps} {
		cmd := exec.Command(z3, "-in")
		cmd.Stdin = strings.NewReader(script)
		out, err := cmd.CombinedOutput()
		if err != nil || strings.Trim(string(out), "unsat\n") != "" || len(out) == 0 {
			t.Errorf("z3 says %s, %v of\n%s", out, err, script)
		}
	}
}
