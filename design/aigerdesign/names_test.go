package aigerdesign_test

import (
	"testing"

	"aiglens/design"
	"aiglens/design/aigerdesign"
	"aiglens/internal/source"
)

// TestPropertyNames tests that a gate has the name of the row that holds it, of
// several the first in the text, and that a blank name is none.
func TestPropertyNames(t *testing.T) {
	check := func(symbols, want string) {
		t.Helper()
		text := source.NewText("aag 3 2 0 1 1 1\n2\n4\n6\n6\n6 2 4\n" + symbols)
		if got := design.New("file:///w/a.aag", aigerdesign.Format, 1, text, design.Options{}).Name(3); got != want {
			t.Errorf("%q: the gate is %q, expected %q", symbols, got, want)
		}
	}
	check("", "")
	check("i0 in\no0 out\n", "out")
	check("o0 out\nb0 bad\n", "out")
	check("b0 bad\no0 out\n", "bad")
	check("b0  \no0 out\n", "out")
	check("i0 in\ni1 other\n", "")
}
