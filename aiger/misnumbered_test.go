package aiger

import (
	"testing"

	"aiglens/aiger/aigertest"
	"aiglens/aiger/syntax"
	"aiglens/circuit"
	"aiglens/internal/source"
)

// TestMisnumbered tests that a definition beyond 2M+1 and the uses of what it
// should define are one finding, and that it forbids verdicts on all of them.
func TestMisnumbered(t *testing.T) {
	check := func(content string, faulty []int, codes ...source.Code) *syntax.File {
		t.Helper()
		f := syntax.Parse(source.NewText(content))
		var got []source.Code
		for _, d := range f.Diagnostics() {
			if d.Severity == source.Error {
				got = append(got, d.Code)
			}
		}
		if len(got) != len(codes) {
			t.Fatalf("%q: %v, want %v", content, got, codes)
		}
		for i := range codes {
			if got[i] != codes[i] {
				t.Fatalf("%q: %v, want %v", content, got, codes)
			}
		}
		e := Elaborate(f)
		for _, i := range faulty {
			if e.Fault(circuit.Property{Kind: circuit.PropertyOutput, Index: i}) == nil {
				t.Errorf("%q: output %d may be checked", content, i)
			}
		}
		return f
	}
	f := check("aag 4 2 0 2 2\n2\n4\n6\n8\n60 2 4\n8 7 2\n", []int{0, 1}, syntax.CodeLiteralOutOfRange)
	d := f.Diagnostics()[1]
	if d.Code != syntax.CodeLiteralOutOfRange || len(d.Related) != 2 || f.Text().Slice(d.Related[0].Span) != "6" || f.Text().Slice(d.Related[1].Span) != "7" {
		t.Fatalf("%+v", d)
	}
	for _, fix := range d.Fixes {
		if fix.Title != "Write 6, which is used and not defined" {
			continue
		}
		text, err := f.Text().Apply(fix.AllEdits())
		if err != nil || len(aigertest.ErrorCodes(syntax.Parse(text).Diagnostics())) > 0 {
			t.Errorf("%v: %q", err, text.Content())
		}
		fix.Title = ""
		d.Fixes = nil
	}
	if d.Fixes != nil {
		t.Errorf("no fix writes 6: %+v", d.Fixes)
	}

	// Two are out of range, and two are undefined.
	check("aag 4 2 0 2 2\n2\n4\n6\n8\n60 2 4\n80 7 2\n", []int{0, 1}, syntax.CodeLiteralOutOfRange, syntax.CodeLiteralOutOfRange)
	// One is out of range, and two are undefined: there is another cause.
	check("aag 4 2 0 2 1\n2\n4\n6\n8\n60 2 4\n", []int{0, 1}, syntax.CodeUndefinedLiteral, syntax.CodeUndefinedLiteral, syntax.CodeLiteralOutOfRange)
	// Without the definition that is too large it is as ever.
	check("aag 4 2 0 2 1\n2\n4\n6\n8\n8 2 4\n", []int{0}, syntax.CodeUndefinedLiteral)
}
