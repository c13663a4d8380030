package main

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"

	"aiglens/ic3/engines"
)

// TestManualPage: groff sets the page without a complaint, and it has every command and flag
// that --help has.
func TestManualPage(t *testing.T) {
	if _, err := exec.LookPath("groff"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("groff is not installed")
		}
		t.Skip("groff is not installed")
	}
	var page bytes.Buffer
	if code := run(t.Context(), env{stdout: &page, stderr: os.Stderr}, []string{"man"}); code != exitOK {
		t.Fatalf("man ends with %d", code)
	}
	cmd := exec.Command("groff", "-man", "-ww", "-Kutf8", "-Tutf8", "-P-bcou", "-rHY=0", "-rLL=200n")
	cmd.Stdin = &page
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	set, err := cmd.Output()
	if err != nil || complaints.Len() > 0 {
		t.Fatalf("groff: %v\n%s", err, complaints.String())
	}
	text := strings.Join(strings.Fields(string(set)), " ")
	for _, c := range describeCommands() {
		for _, want := range append(c.forms(), "aiglens "+c.name, c.summary[1:]) {
			if !strings.Contains(text, want) {
				t.Errorf("the page does not say %q", want)
			}
		}
		for _, f := range c.flags {
			if !strings.Contains(text, f.name) {
				t.Errorf("the page does not have %s of %s", f.name, c.name)
			}
		}
	}
}

// TestChoices: the values that completion offers are those that the flags take, and no flag
// with a list of values is forgotten.
func TestChoices(t *testing.T) {
	offered := map[string][]string{}
	for _, c := range describeCommands() {
		for _, f := range c.flags {
			if f.choices != nil {
				offered[c.name+" "+f.name] = f.choices
			} else if f.value == "format" {
				t.Errorf("%s %s: its text lists no formats", c.name, f.name)
			}
		}
	}
	for flag, want := range map[string]string{
		"check --format": "text json hwmcc sarif junit", "lint --format": "text json sarif", "check --solver": "core gini",
		"check --engine": "auto ic3 bmc kind bdd lasso l2s k-liveness rlive portfolio", "serve --log": "debug info warn error",
		"convert --to": "aag aig blif btor2", "replay --to": "aiger btor2 yw verilog vcd json wavedrom markdown", "reduce --while-verdict": "refuted proved unknown",
	} {
		if got := strings.Join(offered[flag], " "); got != want {
			t.Errorf("%s: %q, want %q", flag, got, want)
		}
	}
	if got, want := strings.Join(offered["check --variant"], " "), strings.Join(engines.Variants(), " "); got != want {
		t.Errorf("check --variant: %q, want %q", got, want)
	}
}
