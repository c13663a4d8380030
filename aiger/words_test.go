package aiger

import (
	"context"
	"testing"

	"aiglens/aiger/diagnose"
	"aiglens/aiger/syntax"
	"aiglens/internal/source"
)

// TestOneCauseOneFinding checks that what follows from an error is not said besides.
func TestOneCauseOneFinding(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"aag 3 2 0 1 1\r2\r4\r6\r6 2 4\r", "cr-line-ends"},
		{"aag 3 2 0 1 1\r2\r4\r6\r6 2 4\r\n", "cr-line-ends"},
		{"aag 3 2 0 1 1\n2\n4\n6\n6 2 9\n", "literal-out-of-range"},
	} {
		f := syntax.Parse(source.NewText(test.text))
		linted, err := diagnose.Run(context.Background(), f)
		if err != nil {
			t.Fatal(err)
		}
		var got []source.Code
		for _, d := range append(f.Diagnostics(), linted...) {
			if d.Severity != source.Information {
				got = append(got, d.Code)
			}
		}
		if len(got) != 1 || string(got[0]) != test.want {
			t.Errorf("%q: %v", test.text, got)
		}
	}
}
