package statement_test

import (
	"testing"

	"aiglens/blif/statement"
)

// TestNearestDirective checks that of directives equally near the usual one is
// proposed.
func TestNearestDirective(t *testing.T) {
	for word, want := range map[string]string{".name": ".names", ".laetch": ".latch", ".inpus": ".inputs", ".modle": ".model", ".cnam": ".cname"} {
		if got := statement.NearestDirective(word); got != want {
			t.Errorf("%s: %s, expected %s", word, got, want)
		}
	}
}
