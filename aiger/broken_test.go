package aiger

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"aiglens/aiger/aigertest"
	"aiglens/aiger/syntax"
	"aiglens/internal/source"
)

// betterPlace lists files for which a diagnostic stands elsewhere than the
// manifest says, and why.
var betterPlace = map[string]struct {
	line, column int
	why          string
}{
	"aag-and-too-few.aag":          {1, 13, "the header count is wrong, and setting it is the fix; the place where rows run out is related"},
	"aag-and-too-many.aag":         {1, 13, "as above; the surplus row is related"},
	"aag-truncated-in-inputs.aag":  {1, 7, "as above; the end of the file is related"},
	"aag-justice-size-missing.aag": {4, 1, "the size is what is wrong; the end of the literals is related"},
}

// TestBroken reads files with one fault each and expects that fault, at its
// place, and no other error.
func TestBroken(t *testing.T) {
	file, err := os.Open("testdata/broken/MANIFEST.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	records, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, record := range records[1:] {
		name := record[0]
		line, _ := strconv.Atoi(record[1])
		column, _ := strconv.Atoi(record[2])
		if place, ok := betterPlace[name]; ok {
			line, column = place.line, place.column
		}
		t.Run(name, func(t *testing.T) { checkBroken(t, name, line, column, record[4]) })
	}
	if len(records)-1 != len(aigertest.BrokenCodes) {
		t.Errorf("%d files in the manifest, %d codes expected", len(records)-1, len(aigertest.BrokenCodes))
	}
}

func checkBroken(t *testing.T, name string, line, column int, severity string) {
	data, err := os.ReadFile(filepath.Join(aigertest.BrokenDir(t), name))
	if err != nil {
		t.Fatal(err)
	}
	in, err := Read(name, data)
	if err != nil {
		t.Fatal(err)
	}
	text := source.NewText(string(data))
	found := false
	for _, diag := range in.Diagnostics {
		if diag.Severity > source.Warning {
			continue
		}
		l, c := text.LineColumn(diag.Span.Start)
		switch {
		case diag.Code != aigertest.BrokenCodes[name]:
			t.Errorf("%d:%d: unexpected %s %s: %s", l, c, diag.Severity, diag.Code, diag.Message)
		case found:
			t.Errorf("%d:%d: %s a second time: %s", l, c, diag.Code, diag.Message)
		case l != line || c != column:
			t.Errorf("%s at %d:%d, want %d:%d", diag.Code, l, c, line, column)
		case diag.Severity.String() != severity:
			t.Errorf("%s is of severity %s, want %s", diag.Code, diag.Severity, severity)
		}
		found = found || diag.Code == aigertest.BrokenCodes[name]
	}
	if !found {
		t.Errorf("no %s", aigertest.BrokenCodes[name])
	}
}

// TestBrokenFixes applies the preferred fix of every fault and expects a file
// without it.
func TestBrokenFixes(t *testing.T) {
	for name, code := range aigertest.BrokenCodes {
		data, err := os.ReadFile(filepath.Join(aigertest.BrokenDir(t), name))
		if err != nil {
			t.Fatal(err)
		}
		f := syntax.Parse(source.NewText(string(data)))
		for _, diag := range f.Diagnostics() {
			if diag.Code != code || len(diag.Fixes) == 0 || !diag.Fixes[0].Preferred {
				continue
			}
			text, err := f.Text().Apply(diag.Fixes[0].Edits)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			for _, left := range syntax.Parse(text).Diagnostics() {
				if left.Code == code {
					t.Errorf("%s: still %s after %q: %s", name, code, diag.Fixes[0].Title, left.Message)
				}
			}
		}
	}
}
