package syntax

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"aiglens/aiger/aigertest"
	"aiglens/internal/findings"
	"aiglens/internal/source"
)

// plainGates returns a file of n ANDs with nothing wrong.
func plainGates(n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "aag %d 2 0 0 %d 1\n2\n4\n%d\n", n+2, n, 2*(n+2))
	for v := 3; v < n+3; v++ {
		fmt.Fprintf(&b, "%d %d %d\n", 2*v, 2*v-2, 2*v-4)
	}
	return b.String()
}

// TestNewCheckRuns adds a check of rows that are otherwise plainly in order. It
// must be made on every row, in a file just opened and after edits.
func TestNewCheckRuns(t *testing.T) {
	const code source.Code = "throw-away"
	divides := func(r *Numbers) bool { return r.Num[1]%100 == 0 }
	checks := newCheckSet(append(rowChecks[:len(rowChecks):len(rowChecks)], rowCheck{
		finds:    []findings.Kind{findings.NewKind(code, source.Hint, findings.ReachNone, "an operand divides by 100")},
		sections: []SectionKind{SectionAnds},
		also:     func(_ *File, _ SectionKind, _ int, r *Numbers) bool { return divides(r) },
		run: func(p *parser, _ SectionKind, r int) {
			if divides(p.file.rows.at(r)) {
				p.Add(code, p.file.NumberSpan(r, 1), "divides by 100")
			}
		},
	}))
	lines := func(f *File) (found []int) {
		for _, d := range f.Diagnostics() {
			if d.Code != code {
				t.Fatalf("diagnostic %+v in a plain file", d)
			}
			found = append(found, f.text.LineAt(d.Span.Start))
		}
		return found
	}
	expected := func(f *File) (want []int) {
		for r := range f.rows.len() {
			if k, _, _ := f.Place(r); k == SectionAnds && divides(f.rows.at(r)) {
				want = append(want, f.LineOf(r))
			}
		}
		return want
	}
	f := parseWith(source.NewText(plainGates(3000)), checks)
	if got := lines(f); len(got) < 50 || !reflect.DeepEqual(got, expected(f)) {
		t.Fatalf("found on the lines %v, want %v", got, expected(f))
	}
	for _, row := range []int{0, 1500, 2998} {
		line := f.text.LineSpan(f.LineOf(f.counts.start(SectionAnds) + row))
		words := strings.Fields(f.text.Slice(line))
		f = f.Edit(source.Edit{Span: line, NewText: words[0] + " 0 4"}) // a trivial one
		f = f.Edit(source.Edit{Span: f.text.LineSpan(f.text.LineAt(line.Start)), NewText: strings.Join(words, " ")})
		if got := lines(f); !reflect.DeepEqual(got, expected(f)) {
			t.Fatalf("after edits of row %d: found on the lines %v, want %v", row, got, expected(f))
		}
	}
}

// TestChecksSayWhatIsSuspect makes every check on every row. What that finds
// must be what is found on the suspects alone: else the entry of a check leaves
// out rows that the check has something to say about.
func TestChecksSayWhatIsSuspect(t *testing.T) {
	everywhere := append([]rowCheck(nil), rowChecks...)
	for i := range everywhere {
		c := &everywhere[i]
		if c.when == 0 && c.also == nil {
			t.Errorf("the check that finds %v does not say on which rows", c.finds)
		}
		c.also = func(*File, SectionKind, int, *Numbers) bool { return true }
	}
	checks := newCheckSet(everywhere)
	for name, content := range checkedTexts(t) {
		text := source.NewText(content)
		got, want := parseWith(text, standardChecks), parseWith(text, checks)
		if !reflect.DeepEqual(got.Diagnostics(), want.Diagnostics()) {
			t.Errorf("%s: the diagnostics are\n%v\nwith every row looked at\n%v", name, got.Diagnostics(), want.Diagnostics())
		}
	}
}

// TestPlainGates checks that what isPlainGate says of a gate is true.
func TestPlainGates(t *testing.T) {
	plain := 0
	for name, content := range checkedTexts(t) {
		f := Parse(source.NewText(content))
		if !f.isUnique {
			continue
		}
		lo, hi := f.RowsOf(SectionAnds)
		for r := lo; r < hi; r++ {
			if row := f.rows.at(r); row.isPlainGate(min(2*f.defs.all+1, f.maxLit)) {
				plain++
				if traits := f.traitsOf(SectionAnds, r, row); traits != 0 {
					t.Errorf("%s: the plain row %v has the traits %b", name, row.Num, traits)
				}
			}
		}
	}
	if plain < 100 {
		t.Errorf("only %d plain gates", plain)
	}
}

// checkedTexts returns the files made for this project, damaged further.
func checkedTexts(t *testing.T) map[string]string {
	texts := map[string]string{"plain": plainGates(200)}
	names, err := filepath.Glob(filepath.Join(aigertest.BrokenDir(t), "*.aag"))
	if err != nil || len(names) == 0 {
		t.Fatal(err, len(names))
	}
	for i, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		content := string(data)
		texts[name] = content
		for k := range 20 {
			at := (i*31 + k*97) % max(len(content), 1)
			for _, with := range []string{"", "0", "1 ", "x", "\n", "99999999999"} {
				texts[fmt.Sprintf("%s, %q at %d", name, with, at)] = content[:at] + with + content[min(at+1, len(content)):]
			}
		}
	}
	return texts
}

// TestUnfinished counts the problems of texts that are being written: one for each
// thing that is missing.
func TestUnfinished(t *testing.T) {
	for text, want := range map[string][]source.Code{
		"aag 1":                                    {codeHeaderFields},
		"aag 1 ":                                   {codeHeaderFields},
		"aag 3 1 1 1 1\n2\n4 6\n6\n6 4 2":          {CodeFinalNewline},
		"aag 3 1 1 1 1\n2\n4 6\n6\n6 4 ":           {CodeAndOperandMissing},
		"aag 3 1 1 1 1\n2\n4 6\n6\n6 4 2\nl":       {codeSymbolSyntax},
		"aag 3 1 1 1 1\n2\n4 6\n6\n6 4 2\nl0 ":     {CodeSymbolEmptyName},
		"aag 3 1 1 1 1\n2\n4 6\n6\n6 4 2\nl0 q":    {CodeFinalNewline},
		"aag 3 1 1 0 1\n2\n4 2\n6 4 2\n8 6 4":      {codeCountMismatch},
		"aag 3 1 1 2 0\n2\n4 6\n6\n7\n":            {CodeUndefinedLiteral},
		"aag 2 1 1 2 0\n2\n4 6\n6\n7\n":            {CodeLiteralOutOfRange},
		"aag 4 1 1 2 0\n2\n4 6\n6\n8\n":            {CodeUndefinedLiteral, CodeUndefinedLiteral},
		"aag 3 1 1 0 1 2\n2\n4 6\n6\n7\n6 4 2 \nc": {CodeTrailingSpace, CodeFinalNewline},
	} {
		var got []source.Code
		for _, d := range Parse(source.NewText(text)).Diagnostics() {
			if d.Severity <= source.Warning {
				got = append(got, d.Code)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
