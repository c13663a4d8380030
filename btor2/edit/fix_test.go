package edit_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aiglens/btor2/btor2test"
	"aiglens/btor2/edit"
	"aiglens/btor2/syntax"
	"aiglens/internal/source"
)

// TestOrderFixes: rows that use later ones, and states that stand before what they start with, move.
func TestOrderFixes(t *testing.T) {
	check := func(text string, code source.Code, want string) {
		t.Helper()
		f := parse(text)
		for _, d := range f.Diagnostics() {
			if d.Code != code {
				continue
			}
			fixes := edit.Fixes(f, d)
			got := ""
			if n := len(fixes); n > 0 {
				fixed, err := f.Text().Apply(fixes[n-1].AllEdits())
				if err != nil {
					t.Fatal(err)
				}
				got = fixed.Content()
			}
			if got != want {
				t.Errorf("%s:\n%s\nwant\n%s", code, got, want)
			}
			return
		}
		t.Errorf("no %s", code)
	}
	check("1 sort bitvec 1\n2 input 1\n; c\n3 not 1 4\n4 not 1 2 x\n5 bad 3\n", syntax.CodeForwardReference,
		"1 sort bitvec 1\n2 input 1\n3 not 1 2 x\n; c\n4 not 1 3\n5 bad 4\n")
	check("1 sort bitvec 1\n2 state 1 s\n3 zero 1\n4 init 1 2 -3\n5 next 1 2 2\n", syntax.CodeInitOrder,
		"1 sort bitvec 1\n2 zero 1\n3 state 1 s\n4 init 1 3 -2\n5 next 1 3 3\n")
	check("1 sort bitvec 1\n2 not 1 2\n", syntax.CodeForwardReference, "")
	const cycle = "1 sort bitvec 1\n2 not 1 3\n3 not 1 2\n"
	check(cycle, syntax.CodeForwardReference, cycle)
}

// TestWidthFixes: a row is added that makes an operand fit, and no error is left.
func TestWidthFixes(t *testing.T) {
	check := func(row string, want ...string) {
		t.Helper()
		f := parse("1 sort bitvec 1\n2 sort bitvec 8\n3 sort array 2 1\n4 input 1\n5 input 2\n6 input 3\n; c\n" + row + "\n9 sort bitvec 3\n")
		var got []string
		for _, d := range f.Diagnostics() {
			for _, fix := range edit.Fixes(f, d) {
				if d.Severity > source.Warning {
					continue
				}
				text, err := f.Text().Apply(fix.AllEdits())
				if err != nil {
					t.Fatal(err)
				}
				if errors := errorsOf(f.Reparse(text)); len(errors) > 0 {
					t.Errorf("%s: %q\n%s", fix.Title, errors, text.Content())
				}
				lines := strings.Split(text.Content(), "\n")
				got = append(got, strings.Join(lines[6:9], ", "))
			}
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("%s: %q", row, got)
		}
	}
	check("7 bad -5", "7 redor 1 -5, ; c, 8 bad 7", "7 slice 1 -5 0 0, ; c, 8 bad 7")
	check("8 constraint 5", "7 redor 1 5, ; c, 8 constraint 7", "7 slice 1 5 0 0, ; c, 8 constraint 7")
	check("7 add 2 5 4", "7 uext 2 4 7, ; c, 8 add 2 5 7", "7 sext 2 4 7, ; c, 8 add 2 5 7")
	check("7 ult 1 4 5", "7 redor 1 5, ; c, 8 ult 1 4 7", "7 slice 1 5 0 0, ; c, 8 ult 1 4 7")
	check("7 read 1 6 4", "7 uext 2 4 7, ; c, 8 read 1 6 7", "7 sext 2 4 7, ; c, 8 read 1 6 7")
	check("7 write 3 6 5 5", "7 redor 1 5, ; c, 8 write 3 6 5 7", "7 slice 1 5 0 0, ; c, 8 write 3 6 5 7")
}

// TestBroken makes each fix of the broken files, and all preferred ones: nothing is worse after them.
func TestBroken(t *testing.T) {
	files, err := filepath.Glob("../testdata/broken/*.btor*")
	if err != nil || len(files) < 50 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		f := parse(string(data))
		fixable := false
		for _, d := range f.Diagnostics() {
			fixes := edit.Fixes(f, d)
			for _, fix := range fixes {
				applied(t, f, fix.AllEdits())
			}
			if len(fixes) < len(d.Fixes) {
				t.Errorf("%s: a fix of %s is missing", name, d.Code)
			}
			fixable = fixable || len(fixes) > 0 && fixes[0].Preferred
		}
		edits := edit.FixAll(f)
		if fixable != (len(edits) > 0) {
			t.Errorf("%s: edits %v", name, edits)
		}
		if g := applied(t, f, edits); len(edit.FixAll(g)) > 0 {
			t.Errorf("%s: fixed again", name)
		}
	}
}

// TestOrderOfRandomTexts moves rows of random texts up or down: the fix brings them back in an order with the same
// meaning.
func TestOrderOfRandomTexts(t *testing.T) {
	repaired := 0
	for _, text := range randomTexts {
		lines := strings.SplitAfter(text, "\n")
		f := parse(text)
		for row := range f.NumRows() {
			n := f.Model().Nodes[row]
			if !n.Op.IsOperator() {
				continue
			}
			moved := strings.Join(lines[:n.Line], "") + strings.Join(lines[n.Line+1:], "") + lines[n.Line]
			g := parse(moved)
			for _, d := range g.Diagnostics() {
				if d.Code != syntax.CodeForwardReference {
					continue
				}
				fixes := edit.Fixes(g, d)
				fixed, err := g.Text().Apply(fixes[len(fixes)-1].AllEdits())
				if err != nil {
					t.Fatal(err)
				}
				h := g.Reparse(fixed)
				if errors := errorsOf(h); len(errors) > 0 {
					t.Fatalf("%q\n%s", errors, fixed.Content())
				}
				sameMeaning(t, f, h, one)
				repaired++
				break
			}
		}
	}
	if repaired < 50 {
		t.Errorf("%d repaired", repaired)
	}
}

// FuzzFixes: the fixes and the changes of any text can be made.
func FuzzFixes(f *testing.F) {
	for seed := range uint64(10) {
		f.Add(btor2test.Random(seed, btor2test.Tiny), uint(seed))
	}
	f.Add("1 sort bitvec 8\n3 not 1 4 x\n4 uext 1 -3 0 y\n2 bad 9", uint(20))
	f.Fuzz(func(t *testing.T, text string, at uint) {
		g := parse(text)
		try := func(what string, edits []source.Edit) {
			if _, err := g.Text().Apply(edits); err != nil {
				t.Fatalf("%s: %v", what, err)
			}
		}
		for _, d := range g.Diagnostics() {
			for _, fix := range edit.Fixes(g, d) {
				try(fix.Title, fix.AllEdits())
			}
		}
		try("all", edit.FixAll(g))
		offset := int(at % uint(len(text)+1))
		for _, c := range edit.Changes(t.Context(), g, offset, true) {
			if edits, err := c.Edits(); err == nil {
				try(c.Title, edits)
			}
		}
		for _, to := range []string{"name", "7"} {
			if edits, err := edit.Rename(g, offset, to); err == nil {
				try("rename", edits)
			}
		}
		c := edit.Complete(g, offset)
		try("complete", []source.Edit{{Span: c.Span}})
	})
}
