package ide_test

import (
	"fmt"
	"strings"
	"testing"

	"aiglens/design"
	"aiglens/design/formats"
	"aiglens/lsp/ide"
)

// TestManyHighlights: of a signal that stands in very many places those about the cursor are marked.
func TestManyHighlights(t *testing.T) {
	var b strings.Builder
	b.WriteString("1 sort bitvec 4\n")
	for id := 2; id < 10_000; id++ {
		fmt.Fprintf(&b, "%d input 1\n", id)
	}
	text := b.String()
	d, err := formats.All().Open(t.Context(), "a.btor2", []byte(text), design.Opening{})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []string{"\n2 input", "\n5000 input", "\n9999 input"} {
		at := strings.Index(text, row) + len(row) + 1
		all := ide.Highlights(d, at)
		found := 0
		for i, o := range all {
			if o.Span.Start == at {
				found++
			}
			if i > 0 && o.Span.Start <= all[i-1].Span.Start {
				t.Fatalf("%s: not in text order", row[1:])
			}
		}
		if len(all) != 2000 || found != 1 {
			t.Errorf("%s: %d places, %d of them that of the cursor", row[1:], len(all), found)
		}
	}
}
