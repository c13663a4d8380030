package findings

import (
	"fmt"
	"strings"
	"testing"

	"aiglens/internal/source"
)

var testCatalogue = NewCatalogue(
	NewKind("loud", source.Error, ReachFile, "a capital letter"),
	NewKind("space", source.Warning, ReachNone, "two spaces"),
)

// TestListIsBounded checks that of each code so many are kept, that the last one
// says how many are not and stands in for them, and that the order is that of
// the text.
func TestListIsBounded(t *testing.T) {
	l := NewList(testCatalogue)
	for i := range MaxPerCode + 5 {
		d := l.Add("loud", source.Span{Start: 2 * (MaxPerCode + 5 - i)}, "finding %d", i)
		last := l.StandIn("loud", d)
		if i < MaxPerCode != (last == d) || i >= MaxPerCode-1 && last.Message != fmt.Sprintf("finding %d", MaxPerCode-1) {
			t.Fatalf("finding %d: %q stands in", i, last.Message)
		}
		if l.IsFull("loud") != (i >= MaxPerCode-1) {
			t.Fatalf("full after %d", i)
		}
	}
	l.Keep(source.Diagnostic{Code: "space", Span: source.Span{Start: 1 << 20}})
	list := Values(l.Finish())
	if len(list) != MaxPerCode+1 {
		t.Fatalf("%d diagnostics", len(list))
	}
	if got := list[0].Message; got != fmt.Sprintf("finding %d (and 5 more like this)", MaxPerCode-1) {
		t.Errorf("the last one kept says %q", got)
	}
	for i := 1; i < len(list); i++ {
		if list[i-1].Span.Start > list[i].Span.Start {
			t.Fatalf("diagnostic %d is out of order", i)
		}
	}
}

func TestCatalogue(t *testing.T) {
	d := testCatalogue.Diagnostic("space", source.Span{Start: 1, Length: 2}, "found %d", 2)
	if d.Severity != source.Warning || d.Message != "found 2" || testCatalogue.Reach("loud") != ReachFile {
		t.Errorf("diagnostic %+v", d)
	}
	defer func() {
		if recover() == nil {
			t.Error("two entries of one code")
		}
	}()
	NewCatalogue(append(testCatalogue.Kinds(), testCatalogue.Kinds()[0])...)
}

// lower is a file in which capital letters and double spaces are wrong.
type lower struct{ text source.Text }

func (f lower) Text() source.Text              { return f.text }
func (f lower) Reparse(text source.Text) lower { return lower{text} }

func (f lower) preferred() []source.Edit {
	var list []source.Diagnostic
	content := f.text.Content()
	for i := range len(content) {
		if c := content[i : i+1]; c != strings.ToLower(c) {
			list = append(list, source.Diagnostic{Code: "loud", Span: source.Span{Start: i, Length: 1}})
		}
		if strings.HasPrefix(content[i:], "  ") {
			list = append(list, source.Diagnostic{Code: "space", Span: source.Span{Start: i, Length: 2}})
		}
	}
	return PreferredEdits(list, func(d source.Diagnostic) []source.Fix {
		to := strings.ToLower(f.text.Slice(d.Span))
		if d.Code == "space" {
			to = " "
		}
		return PreferredFirst([]source.Fix{
			{Title: "Delete it", Edits: []source.Edit{{Span: d.Span}}},
			{Title: "Write it properly", Edits: []source.Edit{{Span: d.Span, NewText: to}}, Preferred: true},
		})
	})
}

// TestFixAll checks that fixes which overlap are made in rounds, and that what
// is right is left alone.
func TestFixAll(t *testing.T) {
	for from, want := range map[string]string{
		"":                     "",
		"a b":                  "a b",
		"A b":                  "a b",
		"a    B  C":            "a b c",
		"X" + "        " + "Y": "x y",
	} {
		f := lower{source.NewText(from)}
		edits := FixAll(f, lower.preferred)
		fixed, err := f.text.Apply(edits)
		if err != nil {
			t.Fatal(err)
		}
		if got := fixed.Content(); got != want {
			t.Errorf("%q becomes %q, want %q", from, got, want)
		}
		if more := (lower{fixed}).preferred(); len(more) > 0 {
			t.Errorf("%q: %d edits are left", from, len(more))
		}
	}
}

// TestFolded: many that say the same are one with the number of all and their places; a
// handful, hints and what is faded stay.
func TestFolded(t *testing.T) {
	var found []source.Diagnostic
	text := source.NewText(strings.Repeat("\n", 89) + "xyzxx")
	add := func(n int, d source.Diagnostic) {
		for range n {
			d.Span = source.Span{Start: len(found), Length: 1}
			found = append(found, d)
		}
	}
	add(60, source.Diagnostic{Code: "a", Severity: source.Error, Message: "same"})
	add(5, source.Diagnostic{Code: "b", Severity: source.Error, Message: "same"})
	add(9, source.Diagnostic{Code: "a", Severity: source.Hint, Message: "hint"})
	add(9, source.Diagnostic{Code: "a", Severity: source.Warning, Message: "faded", Unnecessary: true})
	for _, name := range []string{"x", "y", "z", "x", "y", "z"} {
		add(1, source.Diagnostic{Code: "a", Severity: source.Warning, Message: name + " is idle", Several: "idle signals"})
	}
	folded := Folded(text, found)
	if len(folded) != 1+5+9+9+1 || len(found) != 89 || found[0].Message != "same" || found[0].Related != nil {
		t.Fatalf("%d of %d: %+v", len(folded), len(found), folded)
	}
	if one := folded[0]; one.Message != "same; the same at 59 more places" || len(one.Related) != maxPlaces || one.Related[0].Span.Start != 1 {
		t.Errorf("%+v", one)
	}
	if one := folded[len(folded)-1]; one.Message != "6 idle signals" || len(one.Related) != 6 || one.Related[0].Message != "x is idle" || one.Related[5].Span.Start != 88 {
		t.Errorf("%+v", one)
	}

	// Each line is named once.
	found = nil
	for i, name := range []string{"x", "y", "z", "x", "y", "z", "x"} {
		at := 89 + i%4 // on the last line
		if i == 5 {
			at = 3
		}
		found = append(found, source.Diagnostic{Code: "a", Severity: source.Warning, Message: name + " is idle", Several: "idle signals", Span: source.Span{Start: at, Length: 1}})
	}
	if one := Folded(text, found)[0]; one.Message != "7 idle signals" || len(one.Related) != 2 || one.Related[0].Message != "x is idle; y is idle; z is idle" || one.Related[1].Span.Start != 3 {
		t.Errorf("%+v", one)
	}
	for i := range found {
		found[i].Several, found[i].Message = "", "same"
	}
	if one := Folded(text, found)[0]; one.Message != "same; the same at 6 more places" || len(one.Related) != 1 || one.Related[0].Span.Start != 3 {
		t.Errorf("%+v", one)
	}
}
