package main

import (
	"strings"
	"testing"
)

// TestFactsBehindResetFunctions looks at the proof about a latch that starts with an input and
// is 0 afterwards: the fact must not claim the first step.
func TestFactsBehindResetFunctions(t *testing.T) {
	const text = "aag 5 1 3 0 1 1\n2\n4 0 2\n6 1 0\n8 10 0\n10\n10 4 6\n"
	var stdout, stderr strings.Builder
	e := env{stdin: strings.NewReader(text), stdout: &stdout, stderr: &stderr}
	if code := check(t.Context(), e, []string{"--facts", "--no-cache", "-"}); code != exitOK {
		t.Fatalf("ends with %d: %s%s", code, stdout.String(), stderr.String())
	}
	if want := "4 is always 0 from step 1 on\n"; !strings.Contains(stdout.String(), want) {
		t.Errorf("said %q, expected %q", stdout.String(), want)
	}
}
