package diagnose

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"aiglens/btor2/syntax"
	"aiglens/internal/source"
)

// entry matches the part of the manual on one code: what it means, an example, a way out.
var entry = regexp.MustCompile(`(?s)^([a-z0-9-]+)\n\n(.+?)\n\n` + "```" + `([a-z0-9-]+)\n(.*?)\n` + "```" + `\n\nWay out: (.+?)\n`)

// TestManual checks that every code has its entry in the manual and that the example of the entry has the
// diagnostic.
func TestManual(t *testing.T) {
	manual, err := os.ReadFile("../../docs/btor2-diagnostics.md")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[source.Code]bool{}
	for _, part := range strings.Split(string(manual), "\n### ")[1:] {
		m := entry.FindStringSubmatch(part)
		if m == nil {
			t.Errorf("no entry: %.60q", part)
			continue
		}
		code := source.Code(m[1])
		if seen[code] {
			t.Errorf("two entries of %s", code)
		}
		seen[code] = true
		if found := codesOf(t, m[3], m[4]); !slices.Contains(found, code) {
			t.Errorf("the example of %s has %v", code, found)
		}
	}
	for _, kind := range syntax.Catalogue.Kinds() {
		if !seen[kind.Code] {
			t.Errorf("no entry for %s", kind.Code)
		}
	}
	if len(seen) != len(syntax.Catalogue.Kinds()) {
		t.Errorf("%d entries for %d codes", len(seen), len(syntax.Catalogue.Kinds()))
	}
}

// codesOf reads an example in the way that its language says.
func codesOf(t *testing.T, language, example string) (codes []source.Code) {
	t.Helper()
	text := strings.ReplaceAll(example, `\t`, "\t") + "\n"
	switch language {
	case "btor2-cr":
		text = strings.ReplaceAll(text, "\n", "\r")
	case "btor2-crlf":
		text = strings.ReplaceAll(text, "\n", "\r\n")
	case "btor2-open":
		text = strings.TrimSuffix(text, "\n")
	case "btor2-bom":
		text = "\ufeff" + text
	}
	f := parse(text)
	for _, d := range append(f.Diagnostics(), run(t, f)...) {
		codes = append(codes, d.Code)
	}
	return codes
}
