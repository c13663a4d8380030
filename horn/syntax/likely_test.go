package syntax

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"aiglens/internal/findings"
	"aiglens/internal/source"
)

// without returns a text of n predicates, and n clauses that use one which is not declared.
func without(n int) string {
	var b strings.Builder
	b.WriteString("(set-logic HORN)\n(declare-fun Stort (Int) Bool)\n")
	for i := range n {
		fmt.Fprintf(&b, "(declare-fun P%d (Int) Bool)\n", i)
	}
	for i := range n {
		fmt.Fprintf(&b, "(assert (forall ((x Int)) (=> (Start x) (P%d x))))\n", i)
	}
	return b.String() + "(check-sat)\n"
}

// fixOf returns the title of the fix of the first diagnostic of a code; "" for none.
func fixOf(f *File, code source.Code) string {
	all := f.Diagnostics()
	i := slices.IndexFunc(all, func(d source.Diagnostic) bool { return d.Code == code })
	if i < 0 || len(all[i].Fixes) == 0 {
		return ""
	}
	return all[i].Fixes[0].Title
}

// TestUndeclaredStays: other declarations change which name was meant, and have no form read again.
func TestUndeclaredStays(t *testing.T) {
	f := Parse(source.NewText(without(300)), nil)
	for _, edit := range []struct{ from, to, fix string }{
		{"Stort", "Sto", "Write Stort"},
		{"P17 ", "Stirt ", ""},
		{"Stirt ", "start ", "Write Stirt"},
		{"start ", "P17 ", "Write start"},
		{"", "", ""},
	} {
		if fix := fixOf(f, codeUndeclared); fix != edit.fix {
			t.Errorf("%q, want %q", fix, edit.fix)
		}
		at := strings.Index(f.Text().Content(), edit.from)
		next := f.Reparse(f.Text().Replace(source.Span{Start: at, Length: len(edit.from)}, edit.to))
		read := 0
		for _, x := range next.resolved().readings {
			if !slices.Contains(f.resolved().readings, x) {
				read++
			}
		}
		if read > 5 { // with its neighbours, and the clause of P17
			t.Errorf("%q for %q: %d forms are read again", edit.to, edit.from, read)
		}
		checkSame(t, next, Parse(source.NewText(next.Text().Content()), nil))
		f = next
	}
}

// TestLikely counts the names that are compared: each declaration once for each name, however often that is used, and
// however many findings there are.
func TestLikely(t *testing.T) {
	r := Parse(source.NewText(without(300)), nil).resolved()
	var l likely
	for i := range 3 * findings.MaxPerCode {
		want := ""
		if i%50 == 0 {
			want = "Stort"
		}
		if got := l.name([]string{"Start", fmt.Sprint("unlike", i)}[min(1, i%50)], "", r); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if s := l["Start"]; len(l) != maxLikely || s.declared != len(r.declared) {
		t.Errorf("%d names are compared with %d declarations", len(l), s.declared)
	}
	if got := l.name("Start", "Stary", r); got != "Stort" {
		t.Errorf("%q", got)
	}
	if got := l.name("another", "anoter", r); got != "anoter" {
		t.Errorf("%q", got)
	}
}
