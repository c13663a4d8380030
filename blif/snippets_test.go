package blif_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"aiglens/blif"
	"aiglens/blif/codes"
	"aiglens/blif/diagnose"
	"aiglens/internal/source"
)

// TestSnippets expands the snippets of the VS Code extension as an editor does
// that is told nothing and reads them.
func TestSnippets(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "vscode-extension", "snippets", "blif.json"))
	if err != nil {
		t.Fatal(err)
	}
	var snippets map[string]struct{ Body any }
	if err := json.Unmarshal(data, &snippets); err != nil {
		t.Fatal(err)
	}
	choice := regexp.MustCompile(`\$\{\d+\|([^,|]*)[^}]*\}`)
	field := regexp.MustCompile(`\$\{\d+:([^}]*)\}`)
	for name, s := range snippets {
		var lines []string
		switch body := s.Body.(type) {
		case string:
			lines = []string{body}
		case []any:
			for _, line := range body {
				lines = append(lines, line.(string))
			}
		}
		text := strings.ReplaceAll(strings.Join(lines, "\n"), "$TM_FILENAME_BASE", "m")
		text = strings.ReplaceAll(field.ReplaceAllString(choice.ReplaceAllString(text, "$1"), "$1"), "$0", "") + "\n"
		if strings.ContainsAny(text, "${}|") {
			t.Errorf("%s: expanded to %q", name, text)
		}
		whole := strings.HasPrefix(text, ".model")
		if !whole {
			text = ".model m\n.inputs a b\n.outputs y\n" + text + ".end\n"
		}
		// What a part names is defined elsewhere, and the ports of an empty model
		// are still to be joined.
		for _, d := range diagnose.Diagnostics(blif.Options{}.Parse(source.NewText(text))) {
			switch d.Code {
			case codes.UndrivenSignal, codes.UndrivenOutput, codes.ControlUndriven, codes.PragmaSignal, codes.UnknownModel, codes.SearchMissing, codes.KissNoLogic:
				if name != "Checked model" {
					continue
				}
			}
			if d.Severity <= source.Warning {
				t.Errorf("%s: %s: %s\n%s", name, d.Code, d.Message, text)
			}
		}
	}
	if len(snippets) < 15 {
		t.Errorf("%d snippets", len(snippets))
	}
}
