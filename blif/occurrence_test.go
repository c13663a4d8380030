package blif_test

import (
	"fmt"
	"strings"
	"testing"

	"aiglens/blif"
	"aiglens/internal/source"
)

// TestOccurrences finds all places of a signal, and what a place is.
func TestOccurrences(t *testing.T) {
	text := ".model m\n.inputs a clk\n.outputs y\n# prop: bad y\n.latch t y re clk 0\n.names a y t\n11 1\n.subckt n i=y o=z\n.end\n" +
		".model n\n.inputs i\n.outputs o\n.names i o\n1 1\n.end\n"
	f := blif.Options{}.Parse(source.NewText(text))
	y := f.Top().Signal("y")
	var got []string
	for o := range f.Occurrences(y) {
		line, _ := f.Text().LineColumn(o.Span.Start)
		got = append(got, fmt.Sprintf("%d:%d", line, o.Role))
		if f.Text().Slice(o.Span) != "y" || o.Signal != y {
			t.Errorf("occurrence %v", o)
		}
		at, ok := f.OccurrenceAt(o.Span.Start)
		if !ok || at != o {
			t.Errorf("at %d: %v, want %v", o.Span.Start, at, o)
		}
	}
	want := fmt.Sprintf("3:%d 4:%d 5:%d 6:%d 8:%d", blif.RoleOutput, blif.RoleProperty, blif.RoleLatch, blif.RoleOperand, blif.RolePinInput)
	if strings.Join(got, " ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
	if d, ok := f.Definition(y); !ok || d.Role != blif.RoleLatch {
		t.Errorf("definition %v", d)
	}
	if n := f.CountUses(y); n != 4 {
		t.Errorf("%d uses", n)
	}
}
