package syntax

import (
	"slices"
	"strings"
	"testing"

	"aiglens/aiger/aigertest"
	"aiglens/internal/source"
)

func parse(lines ...string) *File {
	return Parse(source.NewText(strings.Join(lines, "\n") + "\n"))
}

// TestAlignment gives files whose header is wrong: one diagnostic, on the
// count that is off, with a fix after which there is none.
func TestAlignment(t *testing.T) {
	body := []string{"2", "4", "6 8", "8", "9", "8 2 4"}
	tests := []struct {
		name   string
		header string
		body   []string
		column int
	}{
		{"one input too few", "aag 4 1 1 2 1", body, 7},
		{"one input too many", "aag 4 3 1 2 1", body, 7},
		{"one latch too few", "aag 4 2 0 2 1", body, 9},
		{"one output too few", "aag 4 2 1 1 1", body, 11},
		{"one output too many", "aag 4 2 1 3 1", body, 11},
		{"no gates announced", "aag 4 2 1 2 0", body, 13},
		{"gates announced, none there", "aag 4 2 1 2 4", body, 13},
		{"output counted as gate", "aag 4 2 1 3 0", body, 11},
		{"bads not announced", "aag 4 2 1 1 1 0", body, 11},
		{"input just typed, no latch", "aag 3 1 0 1 1", []string{"2", "4", "6", "6 2 4"}, 7},
		{"output just typed, no latch", "aag 3 2 0 1 1", []string{"2", "4", "6", "7", "6 2 4"}, 11},
		{"only the first rows typed", "aag 4 2 1 2 1", body[:2], 9},
	}
	for _, test := range tests {
		f := parse(append([]string{test.header}, test.body...)...)
		var errors []source.Diagnostic
		for _, diag := range f.Diagnostics() {
			if diag.Severity == source.Error {
				errors = append(errors, diag)
			}
		}
		if len(errors) != 1 || errors[0].Code != codeCountMismatch {
			t.Errorf("%s: %v", test.name, errors)
			continue
		}
		if _, column := f.Text().LineColumn(errors[0].Span.Start); column != test.column {
			t.Errorf("%s: column %d, want %d: %s", test.name, column, test.column, errors[0].Message)
		}
		fixed, err := f.Text().Apply(errors[0].Fixes[0].Edits)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
		} else if left := aigertest.ErrorCodes(Parse(fixed).Diagnostics()); len(left) > 0 && test.name != "only the first rows typed" {
			t.Errorf("%s: %v after the fix, header %s", test.name, left, fixed.Line(0))
		}
	}
}

// TestStrayLines checks that rows keep their lines when other lines stand
// between them.
func TestStrayLines(t *testing.T) {
	f := parse("aag 3 2 0 1 1", "2", "", "# text", "4", "6", "", "6 2 4")
	for line, want := range []int{-1, 0, -1, -1, 1, 2, -1, 3} {
		r, ok := f.rowOf(line)
		if !ok {
			r = -1
		}
		if r != want {
			t.Errorf("line %d holds row %d, want %d", line, r, want)
		}
		if want >= 0 && f.LineOf(want) != line {
			t.Errorf("row %d is on line %d, want %d", want, f.LineOf(want), line)
		}
	}
	if codes := aigertest.ErrorCodes(f.Diagnostics()); !slices.Equal(codes, []source.Code{CodeBlankLine, CodeCommentMisplaced}) {
		t.Errorf("errors %v", codes)
	}
}

func hasError(f *File) bool {
	return slices.ContainsFunc(f.Diagnostics(), func(d source.Diagnostic) bool { return d.Severity == source.Error })
}
