package edit

import (
	"context"
	"errors"
	"slices"
	"testing"

	"aiglens/aiger/diagnose"
	"aiglens/aiger/syntax"
	"aiglens/internal/source"
)

// edited returns a text after edits, which must go together.
func edited(t *testing.T, content string, change func(f *syntax.File) ([]source.Edit, error)) string {
	t.Helper()
	f := syntax.Parse(source.NewText(content))
	edits, err := change(f)
	if err != nil {
		t.Fatalf("%q: %v", content, err)
	}
	text, err := f.Text().Apply(edits)
	if err != nil {
		t.Fatalf("%q: %v: %v", content, edits, err)
	}
	return text.Content()
}

// TestFixesOfAsides makes the only fix of a line of the comment. No other line changes.
func TestFixesOfAsides(t *testing.T) {
	const head = "aag 1 0 1 0 0 1\n2 2\n2\nc\n"
	for _, test := range []struct {
		code        source.Code
		title       string
		comment     string
		want        string
		isPreferred bool
	}{
		{syntax.CodeDuplicateProperty, "Delete the line", "prop: lemma 3\nprop: lemma 3\ntext\n", "prop: lemma 3\ntext\n", false},
		{syntax.CodeDuplicateProperty, "Delete the line", "prop: lemma 3\n  prop: lemma 3 \"x\"", "prop: lemma 3\n", false},
		{syntax.CodeConstantProperty, "Delete the line", "prop: lemma 1\nprop: lemma 3\n", "prop: lemma 3\n", false},
		{syntax.CodePropLiteral, "Delete the line", "prop: lemma 9\nprop: lemma 3\n", "prop: lemma 3\n", false},
		{syntax.CodePropLiteral, "Delete the line", "prop: lemma ghost\nprop: lemma 3\n", "prop: lemma 3\n", false},
		{syntax.CodePropIgnored, "Delete the line", "prop: lemma 3\nprop: bad 9\nprop: cover 3\n", "prop: lemma 3\nprop: cover 3\n", false},
		{syntax.CodePropSyntax, "Make it a property", "# prop: lemma 3\nprop: cover 3\n", "prop: lemma 3\nprop: cover 3\n", false},
		{syntax.CodePropSyntax, "Close the quote", "prop: cover 3\nprop: lemma 3 \"x\n", "prop: cover 3\nprop: lemma 3 \"x\"\n", true},
	} {
		got := edited(t, head+test.comment, func(f *syntax.File) ([]source.Edit, error) {
			warnings, err := diagnose.Run(context.Background(), f)
			if err != nil {
				return nil, err
			}
			all := append(slices.Clip(f.Diagnostics()), warnings...)
			at := slices.IndexFunc(all, func(d source.Diagnostic) bool { return d.Code == test.code })
			if at < 0 {
				return nil, errors.New("nothing was found")
			}
			fixes := Fixes(f, all[at])
			if len(fixes) != 1 || fixes[0].Title != test.title || fixes[0].Preferred != test.isPreferred {
				t.Fatalf("%q: the fixes are %v", test.comment, fixes)
			}
			return fixes[0].AllEdits(), nil
		})
		if got != head+test.want {
			t.Errorf("%q became %q, expected %q", test.comment, got[len(head):], test.want)
		}
		want := test.comment
		if test.isPreferred {
			want = test.want
		} else if want[len(want)-1] != '\n' {
			want += "\n"
		}
		got = edited(t, head+test.comment, func(f *syntax.File) ([]source.Edit, error) { return FixAll(f), nil })
		if got != head+want {
			t.Errorf("%q became %q by all fixes, expected %q", test.comment, got[len(head):], want)
		}
	}
}

// TestNoPropertyByChange makes changes after which a name or a number of the comment would
// mean a literal: what was not a property becomes none.
func TestNoPropertyByChange(t *testing.T) {
	const twice = "aag 3 1 2 0 0 1\n2\n4 4\n6 2\n4\nl0 x\nl1 x\nb0 never\nc\nprop: cover x\n"
	for _, test := range []struct {
		name, from, want string
		change           func(f *syntax.File) ([]source.Edit, error)
	}{
		{"strip", twice, "aag 2 1 1 0 0 1\n2\n4 4\n4\nl0 x\nb0 never\nc\nundefined: prop: cover x\n",
			func(f *syntax.File) ([]source.Edit, error) { return strip(f, false) }},
		{"another name", twice, "aag 3 1 2 0 0 1\n2\n4 4\n6 2\n4\nl0 x\nl1 y\nb0 never\nc\nundefined: prop: cover x\n",
			func(f *syntax.File) ([]source.Edit, error) {
				return renameSymbol(f, nameable{syntax.SectionLatches, 1}, "y")
			}},
		{"the name", "aag 1 1 0 1 0\n2\n2\nc\nprop: cover x\n", "aag 1 1 0 1 0\n2\n2\ni0 x\nc\nprop: cover x\n",
			func(f *syntax.File) ([]source.Edit, error) {
				return renameSymbol(f, nameable{syntax.SectionInputs, 0}, "x")
			}},
		{"format", twice, twice, func(f *syntax.File) ([]source.Edit, error) { return Format(context.Background(), f) }},
		{"a free number", "aag 1 1 0 1 0\n2\n2\nc\nprop: cover 4294967294\nprop: cover 2000000\nprop: cover 5\n",
			"aag 3 2 0 1 0\n2\n6\n2\nc\nprop: cover 4294967294\nprop: cover 2000000\nprop: cover 5\n", addInput},
	} {
		if got := edited(t, test.from, test.change); got != test.want {
			t.Errorf("%s: became %q, expected %q", test.name, got, test.want)
		}
	}
}
