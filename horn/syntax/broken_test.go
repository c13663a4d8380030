package syntax

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
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
	covered := map[source.Code]bool{codeTooDeep: true, codeTooLarge: true} // which no short file has
	for _, record := range records[1:] {
		covered[source.Code(record[3])] = true
		t.Run(record[0], func(t *testing.T) { checkBroken(t, record) })
	}
	for _, k := range Catalogue.Kinds() {
		if !covered[k.Code] {
			t.Errorf("no file has %s", k.Code)
		}
	}
}

// TestQueryOfList asks about a list whose text is the name of a predicate: it is a formula.
func TestQueryOfList(t *testing.T) {
	f := Parse(source.NewText("(declare-rel p (Int))\n(declare-rel |(p x)| (Int))\n(declare-var x Int)\n(rule (p 1))\n(query (p x))\n"), nil)
	if f.Structural() != nil {
		t.Fatal(f.Diagnostics())
	}
	clauses := f.System().Clauses
	if body := clauses[len(clauses)-1].Body; len(body) != 1 || f.System().Preds[body[0].Pred].Name != "p" {
		t.Errorf("the query is about %v", body)
	}
}

// TestLimits reads texts beyond the limits: lists that are nested too deeply, and definitions that multiply.
func TestLimits(t *testing.T) {
	deep := strings.Repeat("(", maxDepth+10)
	growing := "(set-logic HORN)\n(define-fun f0 ((x Int) (y Int)) Int (ite (< x y) x (+ y 1)))\n"
	for i := range 40 {
		growing += fmt.Sprintf("(define-fun f%d ((x Int) (y Int)) Int (f%d (f%d x (+ y %d)) (f%d y (- x %d))))\n", i+1, i, i, i+1, i, i+1)
	}
	for code, text := range map[source.Code]string{
		codeTooDeep:  "(assert " + deep + strings.Repeat(")", len(deep)) + ")\n(check-sat)\n",
		codeTooLarge: growing,
	} {
		f := Parse(source.NewText(text), nil)
		if d := f.Structural(); d == nil || d.Code != code || len(f.Diagnostics()) != 1 {
			t.Errorf("%s: %+v", code, f.Diagnostics())
		}
		if n := f.NumForms(); code == codeTooDeep && n != 3 {
			t.Errorf("%d forms", n)
		}
		checkFile(t, f)
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
	checkFile(t, f)
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
