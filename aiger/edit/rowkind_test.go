package edit

import (
	"strings"
	"testing"

	"aiglens/aiger/syntax"
	"aiglens/internal/source"
)

// TestRowKinds applies the fixes by which a row is counted for something else; the
// rows stay as they are.
func TestRowKinds(t *testing.T) {
	for _, test := range []struct {
		name, text, code, title string
		want                    string // the header and the symbols
	}{
		{"a delay that was counted as an AND", "aag 2 1 0 0 1\n2\n4 2 0\n", "and-trivial", "This row is a latch", "aag 2 1 1 0 0"},
		{"an input that is defined again", "aag 3 3 0 0 0\n2\n4\n2\n", "definition-twice", "This row is an output", "aag 3 2 0 1 0"},
		{"an output before its AND", "aag 3 3 0 0 1\n2\n4\n6\n6 4 2\n", "definition-twice", "The row on line 4 is an output", "aag 3 2 0 1 1"},
		{"an output that is not defined", "aag 2 1 0 1 0\n2\n4\n", "undefined-literal", "This row is an input", "aag 2 2 0 0 0"},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := syntax.Parse(source.NewText(test.text))
			got := ""
			for _, d := range f.Diagnostics() {
				for _, fix := range Fixes(f, d) {
					if string(d.Code) == test.code && fix.Title == test.title {
						got = changedAround(t, f, fix.AllEdits())
					}
				}
			}
			if got != test.want {
				t.Errorf("the header became %q, want %q\n%v", got, test.want, f.Diagnostics())
			}
		})
	}
}

// TestPropertyKinds counts the last output for a bad, and its name goes along.
func TestPropertyKinds(t *testing.T) {
	text := "aag 2 2 0 2 0 1\n2\n4\n4\n2\n3\nb0 lost\no0 first\no1 second\n"
	if got, want := countedAs(t, text, 4, "This row is a bad"), "aag 2 2 0 1 0 2\nb1 lost\no0 first\nb0 second"; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// TestLatchThatIsAnAND: a latch with a reset function may have been meant to be an AND,
// but none that has a name.
func TestLatchThatIsAnAND(t *testing.T) {
	for text, want := range map[string]string{
		"aag 3 2 1 0 0\n2\n4\n6 4 2\n":       "aag 3 2 0 0 1",
		"aag 3 2 1 0 0\n2\n4\n6 4 2\nl0 q\n": "",
		"aag 3 2 1 0 0\n2\n4\n6 4 1\n":       "",
	} {
		if got := countedAs(t, text, 3, "This row is an AND"); got != want {
			t.Errorf("%q: the header became %q, want %q", text, got, want)
		}
	}
}

// countedAs returns the header and the symbols after a change of a line (from 0), or
// nothing when it is not offered.
func countedAs(t *testing.T, text string, line int, title string) string {
	t.Helper()
	f := syntax.Parse(source.NewText(text))
	for _, c := range Changes(t.Context(), f, f.Text().LineSpan(line), false) {
		if c.Title != title {
			continue
		}
		edits, err := c.Edits()
		if err != nil {
			t.Fatal(err)
		}
		return changedAround(t, f, edits)
	}
	return ""
}

// changedAround applies edits, which must leave the rows alone, and returns the
// header and the symbols that come of them.
func changedAround(t *testing.T, f *syntax.File, edits []source.Edit) string {
	t.Helper()
	text, err := f.Text().Apply(edits)
	if err != nil {
		t.Fatal(err)
	}
	rows := f.Text().Content()[f.Text().LineStart(1):f.Text().LineStart(f.RowsEnd())]
	header, rest, _ := strings.Cut(text.Content(), "\n")
	if !strings.HasPrefix(rest, rows) {
		t.Fatalf("the rows became %q", rest)
	}
	return strings.TrimSuffix(header+"\n"+rest[len(rows):], "\n")
}
