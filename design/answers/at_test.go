package answers

import (
	"testing"
)

func TestCode(t *testing.T) {
	for text, want := range map[string]string{"a": "`a`", "a`b": "`` a`b ``", "``": "``` `` ```"} {
		if got := Code(text); got != want {
			t.Errorf("%q is %q, expected %q", text, got, want)
		}
	}
}
