package blif_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"aiglens/blif"
	"aiglens/blif/bliftest"
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

// TestDefinitionIsFirst: the place that defines a signal, which is looked for where its driver stands, is the first
// that drives it of all its places; and these are all words that name it.
func TestDefinitionIsFirst(t *testing.T) {
	drives := map[blif.Role]bool{blif.RoleLatch: true, blif.RolePinOutput: true}
	one := blif.Options{}.Parse(source.NewText(".model m\n.inputs a\n.clock c\n.names y\n.end\n"))
	for _, name := range []string{"a", "c", "y"} {
		for o := range one.Occurrences(one.Top().Signal(name)) {
			drives[o.Role] = true
		}
	}
	signals := 0
	check := func(name, text string) {
		if len(text) > 50_000 {
			return
		}
		f := blif.Options{}.Parse(source.NewText(text))
		places := map[blif.Signal][]blif.Occurrence{}
		for o := range f.OccurrencesIn(source.Span{Length: len(text)}) {
			if o.Signal != 0 && o.Role.IsSignal() {
				places[o.Signal] = append(places[o.Signal], o)
			}
		}
		for s, all := range places {
			signals++
			var found []blif.Occurrence
			for o := range f.Occurrences(s) {
				found = append(found, o)
			}
			first := slices.IndexFunc(found, func(o blif.Occurrence) bool { return drives[o.Role] })
			got, ok := f.Definition(s)
			if first >= 0 && (!ok || got != found[first]) {
				t.Fatalf("%s: %s is defined at %v, expected %v", name, f.Name(s), got, found[first])
			}
			for _, o := range all {
				if !slices.Contains(found, o) {
					t.Fatalf("%s: %s has no place %v among %v", name, f.Name(s), o, found)
				}
			}
		}
	}
	for _, path := range bliftest.Corpus(t) {
		check(path, bliftest.Read(t, path))
	}
	for i := range 300 {
		check(fmt.Sprint("random ", i), bliftest.Random(uint64(i), bliftest.Dialect(i%3), i%2 == 0))
	}
	t.Logf("%d signals", signals)
}
