package edit

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"aiglens/aiger"
	"aiglens/aiger/aigertest"
	"aiglens/aiger/syntax"
	"aiglens/internal/source"
)

var update = flag.Bool("update", false, "write the golden files of the fixes")

// unfixed are the broken files for which the format's table has no fix, and
// why.
var unfixed = map[string]string{
	"aag-empty-file.aag":          "nothing is there",
	"aag-and-cycle.aag":           "which operand is wrong is not known",
	"aag-and-self-loop.aag":       "as above",
	"aag-and-one-operand.aag":     "the operand is not known",
	"aag-nul-byte.aag":            "whether the byte stands for a digit is not known",
	"aag-symbol-unknown-type.aag": "the kind is not known",
	"aig-truncated-delta.aig":     "the rest of the file is not known",
	"aig-delta-zero.aig":          "the operands are not known",
	"aig-delta-too-big.aig":       "as above",
	"aig-delta-overlong.aig":      "as above",
}

// remaining are the errors that the first fix of a broken file leaves.
var remaining = map[string][]source.Code{
	"aag-output-exceeds-max.aag":  {syntax.CodeUndefinedLiteral},
	"aag-justice-exceeds-max.aag": {syntax.CodeUndefinedLiteral},
	"aag-and-too-few.aag":         {syntax.CodeUndefinedLiteral},
}

// TestFixes applies the first fix of the fault of every broken file. What
// comes out stands beside the file, with .fixed after its name.
func TestFixes(t *testing.T) {
	for name, code := range aigertest.BrokenCodes {
		t.Run(name, func(t *testing.T) { checkFix(t, name, code) })
	}
}

func checkFix(t *testing.T, name string, code source.Code) {
	path := filepath.Join(aigertest.BrokenDir(t), name)
	text := source.NewText(string(aigertest.Read(t, path)))
	in, err := aiger.Read(name, []byte(text.Content()))
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(in.Diagnostics, func(d source.Diagnostic) bool { return d.Code == code })
	fixes := in.Diagnostics[at].Fixes
	if in.File != nil {
		fixes = Fixes(in.File, in.Diagnostics[at])
	}
	if len(fixes) == 0 {
		if unfixed[name] == "" {
			t.Errorf("no fix for %s", code)
		}
		return
	}
	if unfixed[name] != "" {
		t.Errorf("there is a fix after all: %q", fixes[0].Title)
	}
	for _, fix := range fixes {
		if _, err := text.Apply(fix.AllEdits()); err != nil {
			t.Errorf("%q: %v", fix.Title, err)
		}
	}
	fixed, err := text.Apply(fixes[0].AllEdits())
	if err != nil {
		t.Fatal(err)
	}
	golden := path + ".fixed"
	if *update {
		if err := os.WriteFile(golden, []byte(fixed.Content()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want := string(aigertest.Read(t, golden)); fixed.Content() != want {
		t.Errorf("%q gives\n%s\nwant\n%s", fixes[0].Title, fixed.Content(), want)
	}
	left, err := aiger.Read(name, []byte(fixed.Content()))
	if err != nil {
		t.Fatal(err)
	}
	if codes := aigertest.ErrorCodes(left.Diagnostics); !slices.Equal(codes, remaining[name]) {
		t.Errorf("after %q: errors %v, want %v", fixes[0].Title, codes, remaining[name])
	}
}

// TestFixAll checks that no preferred fix is left after FixAll, and nothing for
// it to do a second time.
func TestFixAll(t *testing.T) {
	for name := range aigertest.BrokenCodes {
		if !strings.HasSuffix(name, ".aag") {
			continue
		}
		checkFixAll(t, name, syntax.Parse(source.NewText(string(aigertest.Read(t, filepath.Join(aigertest.BrokenDir(t), name))))))
	}
	checkFixAll(t, "many faults", syntax.Parse(source.NewText(strings.Join([]string{"\ufeffaag  3 2 0 1 1 0 0 0 0 0", "02", "", "4 text", "# a note", "6", "6 2\t4 ", "i0  x", "i1", "c more"}, "\n")+"\n")))
}

func checkFixAll(t *testing.T, name string, f *syntax.File) {
	t.Helper()
	text, err := f.Text().Apply(FixAll(f))
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	fixed := syntax.Parse(text)
	for _, d := range fixed.Diagnostics() {
		if fixes := Fixes(fixed, d); len(fixes) > 0 && fixes[0].Preferred {
			t.Errorf("%s: %s is left after all fixes: %q", name, d.Code, text.Content())
		}
	}
	if again := FixAll(fixed); len(again) > 0 {
		t.Errorf("%s: a second time %v", name, again)
	}
}

// TestFixEach gives for each kind of finding a file, the title of a fix and
// what it makes of the file.
func TestFixEach(t *testing.T) {
	lines := func(s string) string { return strings.ReplaceAll(s, "/", "\n") + "\n" }
	for _, test := range []struct {
		code              source.Code
		text, title, want string
	}{
		{syntax.CodeUndefinedLiteral, "aag 2 1 0 1 0/2/4/i0 x", "Declare 4 as an input", "aag 2 2 0 1 0/2/4/4/i0 x"},
		{syntax.CodeUndefinedLiteral, "aag 2 1 0 1 0/2/4", "Replace by 0", "aag 2 1 0 1 0/2/0"},
		{syntax.CodeDefinitionOdd, "aag 3 2 0 2 1/2/4/6/7/7 2 4", "Replace by 6 and negate its uses", "aag 3 2 0 2 1/2/4/7/6/6 2 4"},
		{syntax.CodeDefinitionTwice, "aag 3 3 0 1 0/2/4/4/2/i0 a/i1 b/i2 c", "Remove this definition", "aag 3 2 0 1 0/2/4/2/i0 a/i1 b"},
		{syntax.CodeDefinitionTwice, "aag 3 3 0 1 0/2/4/4/2/i1 b", "Renumber this definition to 8", "aag 4 3 0 1 0/2/4/8/2/i1 b"},
		{syntax.CodeCommentMisplaced, "aag 1 1 0 1 0/2/# note/# more/2/c/text", "Move to the comment section", "aag 1 1 0 1 0/2/2/c/# note/# more/text"},
		{syntax.CodeSymbolMisplaced, "aag 1 1 0 1 0/2/i0 x/2/o0 y", "Move after the rows", "aag 1 1 0 1 0/2/2/i0 x/o0 y"},
		{syntax.CodeOutputsAsBads, "aag 1 1 0 2 0/2/2/3/o1 x/i0 y", "Make the outputs bads (AIGER 1.9)", "aag 1 1 0 0 0 2/2/2/3/b1 x/i0 y"},
		{syntax.CodeAndTrivial, "aag 3 2 0 2 1/2/4/6/7/6 2 1", "Use 2 instead of 6", "aag 3 2 0 2 1/2/4/2/3/6 2 1"},
		{syntax.CodeAndDuplicate, "aag 4 2 0 2 2/2/4/6/9/6 2 4/8 4 2", "Use 6 instead of 8", "aag 4 2 0 2 2/2/4/6/7/6 2 4/8 4 2"},
		{syntax.CodeAndConstant, "aag 4 2 0 2 2/2/4/6/9/6 2 4/8 7 6", "Use 0 instead of 8", ""},
		{syntax.CodeAndUnused, "aag 4 2 0 1 2/2/4/6/6 2 4/8 2 5", "Remove the AND", "aag 4 2 0 1 1/2/4/6/6 2 4"},
		{syntax.CodeAndUnused, "aag 6 2 1 1 3/2/4/8 10/6/6 2 4/10 12 5/12 2 5/l0 x", "Remove the AND and the 2 rows that depend on it", "aag 6 2 0 1 1/2/4/6/6 2 4"},
		{syntax.CodeInputUnused, "aag 3 2 0 1 1/2/4/2/6 4 4/i0 a/i1 b", "Remove the input and the AND that reads it", "aag 3 1 0 1 0/2/2/i0 a"},
		{syntax.CodeInputUnused, "aag 2 2 0 1 0/2/4/4/i0 a/i1 b", "Remove the input", "aag 2 1 0 1 0/4/4/i0 b"},
		{syntax.CodeConstantProperty, "aag 1 1 0 0 0 2/2/0/2/b0 a/b1 b", "Remove the bad", "aag 1 1 0 0 0 1/2/2/b0 b"},
		{syntax.CodeConstantConstraint, "aag 1 1 0 0 0 1 1/2/2/0", "Remove the constraint", "aag 1 1 0 0 0 1 0/2/2"},
		{syntax.CodeDuplicateProperty, "aag 1 1 0 0 0 2/2/2/2", "Remove the bad", "aag 1 1 0 0 0 1/2/2"},
		{syntax.CodeMaxTooLarge, "aag 9 1 0 1 0/2/2", "Set M to 1", "aag 1 1 0 1 0/2/2"},
		{syntax.CodeLatchNextMissing, "aag 1 0 1 1 0/2/2", "Let the latch keep its value", "aag 1 0 1 1 0/2 2/2"},
		{syntax.CodeSymbolOutOfRange, "aag 1 1 0 1 0/2/2/b0 x", "Name the output instead", "aag 1 1 0 1 0/2/2/o0 x"},
	} {
		in, err := aiger.Read("", []byte(lines(test.text)))
		if err != nil {
			t.Fatal(err)
		}
		got, titles := "", []string(nil)
		for _, d := range in.Diagnostics {
			if d.Code != test.code {
				continue
			}
			for _, fix := range Fixes(in.File, d) {
				titles = append(titles, fix.Title)
				if text, err := in.File.Text().Apply(fix.AllEdits()); err == nil && fix.Title == test.title && got == "" {
					got = text.Content()
				}
			}
		}
		if test.want == "" {
			if slices.Contains(titles, test.title) {
				t.Errorf("%s: %q offered", test.code, test.title)
			}
			continue
		}
		if got != lines(test.want) {
			t.Errorf("%s: %q gives %q, want %q; there are %q", test.code, test.title, got, lines(test.want), titles)
		}
	}
}
