package btor2design_test

import (
	"strings"
	"testing"

	"aiglens/design"
	"aiglens/internal/source"
)

const edited = "1 sort bitvec 1\n2 sort bitvec 8\n3 input 2 data \n4  uext 2 3 0 word\n5 redor 1 4\n6 not 1 5\n7 or 1 5 6\n8 bad 7 p\n"

// TestEditing asks a design for what package edit works out.
func TestEditing(t *testing.T) {
	d := open(t, edited)
	check := func(what string, edits []source.Edit, err error, want string) {
		t.Helper()
		if err != nil {
			t.Errorf("%s: %v", what, err)
			return
		}
		text, err := d.Text.Apply(edits)
		if err != nil || !strings.Contains(text.Content(), want) {
			t.Errorf("%s: %v\n%s", what, err, text.Content())
		}
	}
	edits, err := d.Format(t.Context())
	check("format", edits, err, "3 input 2 data\n4 uext 2 3 0 word\n")
	edits, err = d.FixAll(t.Context())
	check("fix all", edits, err, "3 input 2 data\n4 uext 2 3 0 word\n")
	at := strings.Index(edited, "word")
	if span, text, ok := d.RenameTarget(at); !ok || text != "word" || span.Start != at {
		t.Errorf("%q at %v", text, span)
	}
	edits, err = d.Rename(at, "w")
	check("rename", edits, err, "0 w\n")
	for _, f := range d.TextDiagnostics() {
		if len(d.Fixes(f)) == 0 && f.Severity == source.Error {
			t.Errorf("no fix of %s", f.Code)
		}
	}
	split := false
	for _, c := range d.Changes(t.Context(), source.Span{Start: strings.Index(edited, "8 bad")}, true) {
		if c.ID == "split-bad" {
			split = true
			edits, err := c.Edits()
			check(c.Title, edits, err, "8 bad 5 p_1\n9 bad -5 p_2\n")
		}
	}
	if !split {
		t.Error("the bad is not split")
	}
	c := d.Complete(strings.Index(edited, "4\n6"))
	if len(c.Items) == 0 || c.Items[0].Kind != design.CompletionLiteral || d.Name(c.Items[0].Lit.Signal()) != "word" {
		t.Errorf("%+v", c)
	}
}
