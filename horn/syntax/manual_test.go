package syntax

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"aiglens/internal/source"
)

// entry matches the part of the manual on one code: what it means, an example, a way out.
var entry = regexp.MustCompile(`(?s)^([a-z0-9-]+)\n\n(.+?)\n\n` + "```" + `([a-z0-9-]+)\n(.*?)\n` + "```" + `\n\nWay out: (.+?)\n`)

// TestManual checks that every code has its entry in the manual, and that the example of the entry has the
// diagnostic: but for examples that are parts of files too large to show.
func TestManual(t *testing.T) {
	manual, err := os.ReadFile("../../docs/horn-diagnostics.md")
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
		found := Parse(source.NewText(m[4]+"\n"), nil).Diagnostics()
		if m[3] == "smt2" && !slices.ContainsFunc(found, func(d source.Diagnostic) bool { return d.Code == code }) {
			t.Errorf("the example of %s has %v", code, found)
		}
	}
	for _, kind := range Catalogue.Kinds() {
		if !seen[kind.Code] {
			t.Errorf("no entry for %s", kind.Code)
		}
	}
	if len(seen) != len(Catalogue.Kinds()) {
		t.Errorf("%d entries for %d codes", len(seen), len(Catalogue.Kinds()))
	}
}
