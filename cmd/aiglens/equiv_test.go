package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"aiglens/circuit/compare"
	"aiglens/design"
	"aiglens/ic3/engines"
	"aiglens/ic3/equiv"
	"aiglens/internal/source"
)

// compared compares two files as equiv does. The error says why they are not compared.
func compared(t *testing.T, a, b *design.Design, limit time.Duration) (*comparing, error) {
	t.Helper()
	c := &comparing{e: env{stderr: &strings.Builder{}}, flags: &equivFlags{engine: engines.Default()}}
	c.flags.limits.CPU = limit
	if err := c.match(t.Context(), [2]*design.Design{a, b}); err != nil {
		return nil, err
	}
	c.run(t.Context())
	if c.report.Internal != nil {
		t.Errorf("%s, %s: %v", a.URI, b.URI, c.report.Internal)
	}
	return c, nil
}

// mustBeEqual compares a file with what was made of it.
func mustBeEqual(t *testing.T, a, b *design.Design, how string) bool {
	t.Helper()
	c, err := compared(t, a, b, time.Minute)
	if err != nil {
		if nothing := strings.Contains(err.Error(), compare.ErrNothing.Error()); !nothing {
			t.Errorf("%s, %s: %v", a.URI, how, err)
		}
		return false
	}
	verdict, reason := c.report.Verdict()
	if how == "strip-inputs" && verdict == equiv.Unknown && len(c.matching.Unmatched[0]) > 0 {
		return false // which inputs are left, names do not say
	}
	if verdict != equiv.Equal && !c.report.Vacuous {
		t.Errorf("%s, %s: %s %s; alone %v", a.URI, how, verdict, reason, c.matching.Unmatched)
	}
	return true
}

// TestWhatWeWriteIsEqual compares files of the corpora with what fmt and convert write of
// them, and with what the changes make of them that the editor offers as another way to
// write the same.
func TestWhatWeWriteIsEqual(t *testing.T) {
	if testing.Short() {
		t.Skip("compares every file of the corpora several times")
	}
	dir := t.TempDir()
	counts := map[string]int{}
	for _, name := range append(corpusFiles(t, "aiger", ".a?g"), corpusFiles(t, "blif", ".blif")...) {
		in, err := read(t.Context(), env{}, name, withCells(t))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := in.Sound(t.Context()); err != nil {
			continue // a file with errors
		}
		for _, way := range encodings {
			w, err := write(t, in, way, dir)
			if err != nil {
				continue
			}
			if isBLIF(in) && way == "fmt" {
				w.in = inPlace(t, in, w.in.Text.Content())
			}
			if mustBeEqual(t, in, w.in, way) {
				counts[way]++
			}
		}
		for id, changed := range rewrittenFiles(t, in) {
			if mustBeEqual(t, in, changed, id) {
				counts[id]++
			}
		}
	}
	t.Log(counts)
	for _, way := range append(encodings, "reencode", "strip", "invert-latch", "outputs-to-bads") {
		if counts[way] == 0 {
			t.Errorf("nothing was compared with what %s makes of it", way)
		}
	}
}

// rewrittenFiles returns what the changes make of a text that say the same in another way,
// by their names: those of the whole file, and those of some places.
func rewrittenFiles(t *testing.T, in *design.Design) map[string]*design.Design {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 1))
	made := map[string]*design.Design{}
	if in.Text.Len() > 20_000 {
		return made
	}
	for range 12 {
		offset := random.IntN(in.Text.Len() + 1)
		changes := in.Changes(t.Context(), source.Span{Start: offset}, true)
		for _, change := range changes {
			if change.Kind == source.ChangeAdd || strings.HasPrefix(change.ID, "count-as") || made[change.ID] != nil {
				continue
			}
			edits, err := change.Edits()
			if err != nil || len(edits) == 0 {
				continue
			}
			text, err := in.Text.Apply(edits)
			if err != nil {
				t.Fatalf("%s, %s: %v", in.URI, change.ID, err)
			}
			made[change.ID] = inPlace(t, in, text.Content())
		}
	}
	return made
}

// inPlace reads another text of a file, with the models that lie beside the file.
func inPlace(t *testing.T, in *design.Design, text string) *design.Design {
	t.Helper()
	if !isBLIF(in) {
		return readText(t, text)
	}
	changed, err := open(t.Context(), in.URI, []byte(text), withCells(t))
	if err != nil {
		t.Fatal(err)
	}
	return changed
}

// TestNamesOfYosys matches names that Yosys writes with a backslash in front, and no others.
func TestNamesOfYosys(t *testing.T) {
	a := readText(t, "aag 4 4 0 4 0\n2\n4\n6\n8\n2\n4\n6\n8\ni0 1\ni1 $x\ni2 a\ni3 b\no0 o\no1 p\no2 q\no3 r\n")
	b := readText(t, "aag 4 4 0 4 0\n2\n4\n6\n8\n4\n2\n6\n8\ni0 \\$x\ni1 \\1\ni2 \\a\ni3 b\no0 o\no1 p\no2 q\no3 r\n")
	c, err := compared(t, a, b, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(c.matching.Inputs); len(c.matching.Inputs) != 3 || len(c.matching.Unmatched[0]) != 1 {
		t.Errorf("matched %s, alone %v", got, c.matching.Unmatched)
	}
	for i, pair := range c.report.Pairs {
		if isEqual := pair.Verdict == equiv.Equal; isEqual != (i != 2) {
			t.Errorf("output %d: %s %s", i, pair.Verdict, pair.Reason)
		}
	}
}
