package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"aiglens/horn/syntax"
	"aiglens/internal/peers"
	"aiglens/internal/source"
)

// TestCertifyClauses: certify takes what horn writes, and says what is wrong with what is not that.
func TestCertifyClauses(t *testing.T) {
	safe, reached, broken := clauseFiles(t)
	model, _, _ := runOn(nil, "horn", "--model", safe)
	proof, _, _ := runOn(nil, "horn", "--proof", reached)
	of := func(text []byte) func(old, next string) string {
		return func(old, next string) string { return strings.Replace(string(text), old, next, 1) }
	}
	inModel, inProof := of(model), of(proof)
	for _, test := range []struct {
		file, certificate, out, said string
		code                         int
	}{
		{safe, inModel("", ""), "model      form       ok\nmodel      clause     ok\n-: certificate of SAFE: valid\n", "", exitOK},
		{reached, inProof("", ""), "derivation form       ok\nderivation step       ok\n-: certificate of REACHED: valid\n", "", exitOK},
		{safe, inModel("sat\n", ""), "model      form       ok\n", "", exitOK},
		{safe, inModel("(\n", "(model\n"), "model      form       ok\n", "", exitOK},
		{reached, inModel("", ""), "model      form       ok\nmodel      clause     fails: line 7: clause ", "", exitInvalid},
		{safe, inProof("", ""), "derivation form       ok\nderivation step       fails: line 15 is no instance of a clause\n", "", exitInvalid},
		{safe, "(\n)", "", "-: the model does not define Loop with the sorts (Int Int Int Bool)", exitUsage},
		{safe, inModel("(x3 Bool)", "(x3 Bool) (x4 Int)"), "", "-: line 3, column 3: the model defines Loop as (Int Int Int Bool Int) Bool, and the clauses declare it as (Int Int Int Bool) Bool", exitUsage},
		{safe, inModel("(x3 Bool)", "(x3 Int)"), "", "-: line 4, column 75: expected Bool, found", exitUsage},
		{safe, "((declare-fun Loop (Int Int Int Bool) Bool) (declare-fun |a step| (Int Int Int) Bool))", "", "-: line 1, column 3: a model has no declare-fun: expected define-fun", exitUsage},
		{safe, "unknown\n", "", "-: line 1, column 1: ", exitUsage},
		{safe, "", "", "-: line 1, column 1: the file holds no command", exitUsage},
		{reached, strings.Replace(string(proof), "false))", "true))", 1), "derivation form       fails: no step derives false\n", "", exitInvalid},
		{reached, inProof("(assert", "(assert (forall ((x Int)) (=> (Loop x x x true) (Loop x 0 0 true)))) (assert"), "", "", exitUsage},
		{reached, inProof("unsat", "sat"), "model      form       fails: a derivation stands after sat\n", "", exitInvalid},
		{safe, inModel("sat", "unsat"), "derivation form       fails: a model stands after unsat\n", "", exitInvalid},
		{broken, inModel("", ""), "", `"ghost" is not declared`, exitUsage},
	} {
		out, said, code := runOn([]byte(test.certificate), "certify", test.file, "-")
		named := strings.NewReplacer(safe, "SAFE", reached, "REACHED")
		if code != test.code || !strings.HasPrefix(named.Replace(string(out)), test.out) || !strings.Contains(string(said), test.said) {
			t.Errorf("%s: exit code %d, not %d\n%s%s", test.certificate, code, test.code, out, said)
		}
	}
	path := filepath.Join(t.TempDir(), "m")
	if err := os.WriteFile(path, model, 0o600); err != nil {
		t.Fatal(err)
	}
	out, _, _ := runOn(nil, "certify", "--format", "json", safe, path)
	if want := `"valid":true,"obligations":[{"group":"model","name":"form","holds":true},{"group":"model","name":"clause","holds":true}],`; !strings.Contains(string(out), want) {
		t.Errorf("%s", out)
	}
}

var numberWord = regexp.MustCompile(`\b[0-9]+\b`)

// changedNumbers returns a text with each of its numbers outside of names and comments one larger, one at a time.
func changedNumbers(text string) (all []string) {
	for _, at := range numberWord.FindAllStringIndex(text, -1) {
		line := text[strings.LastIndexByte(text[:at[0]], '\n')+1 : at[0]]
		if strings.HasPrefix(line, ";") || strings.HasSuffix(line, ".") { // a comment, or the name of a let
			continue
		}
		n, _ := strconv.Atoi(text[at[0]:at[1]])
		all = append(all, text[:at[0]]+strconv.Itoa(n+1)+text[at[1]:])
	}
	return all
}

// TestCertifyChangedClauses changes each number of a model and of a derivation: certify and z3 agree about each model, and no
// changed derivation is taken, whose every number stands twice.
func TestCertifyChangedClauses(t *testing.T) {
	safe, reached, _ := clauseFiles(t)
	proof, _, _ := runOn(nil, "horn", "--proof", reached)
	for _, changed := range changedNumbers(string(proof)) {
		if _, _, code := runOn([]byte(changed), "certify", reached, "-"); code != exitInvalid {
			t.Errorf("exit code %d for\n%s", code, changed)
		}
	}
	model, _, _ := runOn(nil, "horn", "--model", safe)
	z3 := peers.Program(t, "z3")
	text, err := os.ReadFile(safe)
	if err != nil {
		t.Fatal(err)
	}
	system := syntax.Parse(source.NewText(string(text)), nil).System()
	counts := map[int]int{}
	for _, changed := range changedNumbers(string(model)) {
		asked := strings.TrimSuffix(strings.TrimPrefix(changed, "sat\n(\n"), ")\n")
		for i := range system.Clauses {
			asked += fmt.Sprintf("(push)\n(assert (not %s))\n(check-sat)\n(pop)\n", system.ClauseSMT(&system.Clauses[i]))
		}
		cmd := exec.Command(z3, "-in")
		cmd.Stdin = strings.NewReader(asked)
		said, _ := cmd.CombinedOutput()
		want := exitOK
		if words := strings.Fields(string(said)); len(words) != len(system.Clauses) {
			t.Fatalf("z3 says %s", said)
		} else if strings.Contains(" "+strings.Join(words, " "), " sat") {
			want = exitInvalid
		}
		_, _, code := runOn([]byte(changed), "certify", safe, "-")
		if counts[code]++; code != want {
			t.Errorf("exit code %d, z3 says %s of\n%s", code, said, changed)
		}
	}
	if counts[exitInvalid] == 0 {
		t.Errorf("no changed model is wrong: %v", counts)
	}
}
