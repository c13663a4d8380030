package play

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"aiglens/design"
	"aiglens/design/formats"
	"aiglens/internal/source"
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

// TestManyProperties: what is kept of each property and constraint in each step is bounded, too.
func TestManyProperties(t *testing.T) {
	const many = 50_000
	bad := "aag 1 1 0 0 0 50000\n2\n" + strings.Repeat("2\n", many)
	constraint := "aag 1 1 0 0 0 1 50000\n2\n2\n" + strings.Repeat("3\n", many)
	for _, text := range []string{bad, constraint} {
		d := design.New("c.aag", formats.All().Recognise("", "c.aag", text), 0, source.NewText(text), design.Options{})
		if err := d.Elaborate(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := MaxSteps(d.Circuit()); got > maxValues/many {
			t.Errorf("a run may have %d steps, with values of %d signals in each", got, many)
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
