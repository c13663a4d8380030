package edit

import (
	"strings"
	"testing"

	"aiglens/aiger/syntax"
	"aiglens/internal/source"
)

// TestNextFreeVariable offers a variable that no row defines, whatever the header says.
func TestNextFreeVariable(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"aag 3 2 0 0 1\n2\n4\n6 4 2\n", "8"},
		{"aag x 2 0 0 1\n2\n4\n6 4 2\n", "8"},
		{"aag 1 2 0 0 1\n2\n4\n6 4 2\n", "8"},
		{"aag 7 2 0 0 1\n2\n4\n6 4 2\n", "16"},
		{"aag 2147483647 2 0 0 1\n2\n4\n6 4 2\n", ""},
	} {
		f := syntax.Parse(source.NewText(test.text))
		got := ""
		for _, item := range Complete(f, strings.Index(test.text, "6 4 2")).Items {
			if item.Detail == "the next free variable" {
				got = item.Insert
			}
		}
		if got != test.want {
			t.Errorf("%q: %q is offered, not %q", test.text, got, test.want)
		}
	}
}
