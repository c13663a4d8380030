package aiger

import (
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"aiglens/aiger/syntax"
	"aiglens/internal/source"
)

// entry matches the part of the manual on one code: what it means, perhaps an
// example, a way out.
var entry = regexp.MustCompile(`(?s)^([a-z-]+)\n\n(.+?)\n\n(?:` + "```" + `([a-z-]+)\n(.*?)\n` + "```" + `\n\n)?Way out: (.+?)\n`)

// TestManual checks that every code has its entry in docs/diagnostics.md, under
// its own anchor, and that the example of the entry has the diagnostic.
func TestManual(t *testing.T) {
	manual, err := os.ReadFile("../docs/diagnostics.md")
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
	for _, info := range syntax.Codes() {
		example, ok := examples[info.Code]
		switch {
		case !ok:
			t.Errorf("no entry for %s", info.Code)
		case info.Code == syntax.CodeMap: // about a file beside the text, which package aigerdesign tests
		case example[0] != "" && !slices.Contains(codesOf(t, example[0], example[1]), info.Code):
			t.Errorf("the example of %s has %v", info.Code, codesOf(t, example[0], example[1]))
		case example[0] == "":
			t.Errorf("no example of %s", info.Code)
		}
	}
	if len(examples) != len(syntax.Codes()) {
		t.Errorf("%d entries for %d codes", len(examples), len(syntax.Codes()))
	}
}

// codesOf reads an example in the way that its language says.
func codesOf(t *testing.T, language, example string) []source.Code {
	content := example + "\n"
	if language != "aag" {
		var err error
		if content, err = strconv.Unquote(example); err != nil {
			t.Fatalf("%s: %v", example, err)
		}
	}
	var diags []source.Diagnostic
	switch language {
	case "witness":
		_, diags = ReadWitnesses([]byte(content))
	case "text-of-binary":
		diags = syntax.Parse(source.NewText(content)).Diagnostics()
	default:
		in, err := Read("", []byte(content))
		if err != nil {
			t.Fatal(err)
		}
		diags = in.Diagnostics
	}
	var codes []source.Code
	for _, d := range diags {
		codes = append(codes, d.Code)
	}
	return codes
}

// TestCodes checks that every code is in the table once.
func TestCodes(t *testing.T) {
	seen := map[source.Code]bool{}
	for _, info := range syntax.Codes() {
		if seen[info.Code] || info.Severity == 0 || info.Meaning == "" {
			t.Errorf("entry %+v", info)
		}
		seen[info.Code] = true
	}
}
