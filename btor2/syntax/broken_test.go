package syntax

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"aiglens/internal/source"
)

const brokenDir = "../testdata/broken"

// TestBroken reads files with one fault each and expects that fault, at its place, and no other error or warning;
// and that each fix on offer repairs it.
func TestBroken(t *testing.T) {
	file, err := os.Open(filepath.Join(brokenDir, "MANIFEST.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	records, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, record := range records[1:] {
		t.Run(record[0], func(t *testing.T) { checkBroken(t, record) })
	}
}

func checkBroken(t *testing.T, record []string) {
	data, err := os.ReadFile(filepath.Join(brokenDir, record[0]))
	if err != nil {
		t.Fatal(err)
	}
	line, _ := strconv.Atoi(record[1])
	column, _ := strconv.Atoi(record[2])
	code, f := source.Code(record[3]), Parse(source.NewText(string(data)), nil)
	before := errorsOf(f)
	found := false
	for _, d := range f.Diagnostics() {
		l, c := f.Text().LineColumn(d.Span.Start)
		switch {
		case d.Code != code && d.Severity > source.Warning:
			continue
		case d.Code != code:
			t.Errorf("%d:%d: %s: %s", l, c, d.Code, d.Message)
			continue
		case found:
			continue
		}
		found = true
		if l != line || c != column || d.Severity.String() != record[4] {
			t.Errorf("%d:%d: %s %s (%s), want %d:%d and %s", l, c, d.Severity, d.Code, d.Message, line, column, record[4])
		}
		checkFixes(t, f, d, before)
	}
	if !found {
		t.Errorf("no %s", code)
	}
	checkNames(t, f)
}

// checkFixes makes each fix and expects that less is wrong.
func checkFixes(t *testing.T, f *File, d source.Diagnostic, before int) {
	t.Helper()
	preferred := 0
	for _, fix := range d.Fixes {
		if fix.Preferred {
			preferred++
		}
		text, err := f.Text().Apply(fix.AllEdits())
		if err != nil {
			t.Errorf("%s: %v", fix.Title, err)
			continue
		}
		fixed := Parse(text, f)
		if n := errorsOf(fixed); before > 0 && n >= before {
			t.Errorf("after %q: %q", fix.Title, text.Content())
		}
		for _, left := range fixed.Diagnostics() {
			if left.Code == d.Code {
				t.Errorf("still there after %q: %s", fix.Title, left.Message)
			}
		}
	}
	if preferred > 1 {
		t.Errorf("%d fixes are preferred", preferred)
	}
}

func errorsOf(f *File) (n int) {
	for _, d := range f.Diagnostics() {
		if d.Severity <= source.Warning {
			n++
		}
	}
	return n
}

// checkNames checks that each node that is not sound has a reason.
func checkNames(t *testing.T, f *File) {
	t.Helper()
	for i, n := range f.Model().Nodes {
		if !n.Sound && f.Fault(i) == nil && f.Structural() == nil {
			t.Errorf("row %d is not sound, and no error says why", i)
		}
	}
}
