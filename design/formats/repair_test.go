package formats_test

import (
	"fmt"
	"strings"
	"testing"

	"aiglens/design"
	"aiglens/design/formats"
	"aiglens/internal/source"
)

// harmful is a text of which a preferred fix, of the header, would uncover more errors than it has,
// and with others, which would not, in many rows.
func harmful(rows int) *design.Design {
	var b strings.Builder
	fmt.Fprintf(&b, "aag %d 1 0 0 %d\n2\n", rows+2, rows+3)
	for i := range rows {
		fmt.Fprintf(&b, "%d %d 0%d\n", 2*i+4, 2*i+2, 2)
	}
	fmt.Fprintf(&b, "%d %d %d\n", 2*rows+4, 2*rows+101, 2*rows+103)
	return design.New("c.aag", formats.All().Recognise("", "c.aag", b.String()), 0, source.NewText(b.String()), design.Options{})
}

// TestFixAllBesideHarm: one fix that would do harm keeps none of the others from being made.
func TestFixAllBesideHarm(t *testing.T) {
	const rows = 2000
	d := harmful(rows)
	edits, err := d.FixAll(t.Context())
	if err != nil || len(edits) != rows {
		t.Errorf("%d edits, %v", len(edits), err)
	}
	if err := design.Harm(t.Context(), d, edits); err != nil {
		t.Error(err)
	}
	text, err := d.Text.Apply(edits)
	if left := strings.Count(text.Content(), " 02\n"); err != nil || left > 0 {
		t.Errorf("%d rows are as they were, %v", left, err)
	}
	if !strings.HasPrefix(text.Content(), "aag 2002 1 0 0 2003\n") {
		t.Errorf("the header is %q", text.Slice(text.LineSpan(0)))
	}
}

// BenchmarkFixAll repairs 2,000 broken rows beside a fix that would do harm.
func BenchmarkFixAll(b *testing.B) {
	for b.Loop() {
		if _, err := harmful(2000).FixAll(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}
