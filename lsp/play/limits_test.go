package play

import (
	"os"
	"strconv"
	"strings"
	"testing"
)

// TestDocumentedLimits: clients read in docs/protocol.md how long a run may be.
func TestDocumentedLimits(t *testing.T) {
	text, err := os.ReadFile("../../docs/protocol.md")
	if err != nil {
		t.Fatal(err)
	}
	_, runs, found := strings.Cut(string(text), "\nA run has 1 to ")
	if !found {
		t.Fatal("docs/protocol.md does not say how long a run may be")
	}
	runs, _, _ = strings.Cut(runs, "\n\n")
	for _, limit := range []int{maxSteps, maxValues, maxWork} {
		if !strings.Contains(runs, grouped(limit)) {
			t.Errorf("%s is missing in %q", grouped(limit), runs)
		}
	}
}

// grouped writes a number with commas between thousands.
func grouped(n int) string {
	if n < 1000 {
		return strconv.Itoa(n)
	}
	rest := strconv.Itoa(n % 1000)
	return grouped(n/1000) + "," + strings.Repeat("0", 3-len(rest)) + rest
}
