package codes_test

import (
	"context"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"aiglens/blif"
	"aiglens/blif/bliftest"
	"aiglens/blif/cells"
	"aiglens/blif/codes"
	"aiglens/blif/diagnose"
	"aiglens/blif/flat"
	"aiglens/internal/source"
)

// entry matches the part of the manual on one code: what it means, perhaps an
// example, a way out.
var entry = regexp.MustCompile(`(?s)^([a-z-]+)\n\n(.+?)\n\n(?:` + "```" + `([a-z-]+)\n(.*?)\n` + "```" + `\n\n)?Way out: (.+?)\n`)

// TestManual checks that every code has its entry in the manual and that the
// example of the entry has the diagnostic.
func TestManual(t *testing.T) {
	manual, err := os.ReadFile("../../docs/blif-diagnostics.md")
	if err != nil {
		t.Fatal(err)
	}
	examples := map[source.Code][]string{}
	for _, part := range strings.Split(string(manual), "\n### ")[1:] {
		m := entry.FindStringSubmatch(part)
		if m == nil {
			t.Errorf("no entry: %.60q", part)
			continue
		}
		examples[source.Code(m[1])] = m[3:5]
	}
	for _, info := range codes.Catalogue.Kinds() {
		example, ok := examples[info.Code]
		switch {
		case !ok:
			t.Errorf("no entry for %s", info.Code)
		case example[0] == "" && info.Code != codes.TooLarge:
			t.Errorf("no example of %s", info.Code)
		case example[0] != "" && !slices.Contains(codesOf(t, example[0], example[1]), info.Code):
			t.Errorf("the example of %s has %v", info.Code, codesOf(t, example[0], example[1]))
		}
	}
	if len(examples) != len(codes.Catalogue.Kinds()) {
		t.Errorf("%d entries for %d codes", len(examples), len(codes.Catalogue.Kinds()))
	}
}

// codesOf reads an example in the way that its language says: the codes of the
// file and of what belongs to verdicts on its properties.
func codesOf(t *testing.T, language, example string) []source.Code {
	o := blif.Options{Library: bliftest.NoFiles{}}
	switch language {
	case "blif-cut":
		o.CutUndriven = true
	case "blif-cells":
		o.Cells = cells.ReadGenlib("GATE inv 1 O=!a;\n")
	}
	text := example + "\n"
	switch language {
	case "blif-cr":
		text = strings.ReplaceAll(text, "\n", "\r")
	case "blif-nul":
		text = strings.ReplaceAll(text, "@", "\x00")
	case "blif-one-output":
		o.Properties.OutputLimit = 1
	}
	f := o.Parse(source.NewText(text))
	linted, err := diagnose.Lint(context.Background(), f)
	if err != nil {
		t.Fatal(err)
	}
	all := append(slices.Clone(diagnose.Diagnostics(f)), linted...)
	e := flat.Elaborate(f)
	for _, p := range f.Properties() {
		if fault := e.Fault(p.ID); fault != nil {
			all = append(all, *fault)
		}
		all = append(all, e.LeftOpen(p.ID).Cuts...)
	}
	var codes []source.Code
	for _, d := range all {
		codes = append(codes, d.Code)
	}
	return codes
}

// TestCodes checks that every code is in the table once.
func TestCodes(t *testing.T) {
	seen := map[source.Code]bool{}
	for _, info := range codes.Catalogue.Kinds() {
		if seen[info.Code] || info.Severity == 0 || info.Meaning == "" {
			t.Errorf("entry %+v", info)
		}
		seen[info.Code] = true
	}
}
