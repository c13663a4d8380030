package formats_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/design/blifdesign"
	"aiglens/design/formats"
	"aiglens/internal/shared"
	"aiglens/internal/source"
)

// checkSources tests that what a text calls a literal of its circuit stands for that
// literal, and that every latch and input has a source which is found by its name.
func checkSources(t *testing.T, d *design.Design) (sources int) {
	t.Helper()
	c := d.Circuit()
	for v := range circuit.Var(c.NumVars()) {
		m, ok := d.SourceOf(v.Lit())
		if kind := c.Kind(v); !ok {
			if kind == circuit.KindLatch {
				t.Errorf("%s: latch %d has no source", d.URI, v)
			}
			continue
		}
		sources++
		if m.Name == "" {
			t.Errorf("%s: variable %d has a source without a name", d.URI, v)
		}
		if m.Lit == 0 {
			continue // of another file, or cut
		}
		found := false
		for _, copied := range d.Copies(m.Lit, 1<<20) {
			found = found || copied.Lit == v.Lit().NotIf(m.Negated)
		}
		if word, ok := design.WordOf(d, m.Lit.Signal()); ok { // of which it is a bit
			found = slices.ContainsFunc(word.Bits, func(b design.Bit) bool { return b.Lit == v.Lit().NotIf(m.Negated) })
		} else if !found && strings.HasSuffix(m.Name, "]") { // of an array, which is no word
			found = strings.HasPrefix(m.Name, d.Name(m.Lit.Signal())+"[")
		}
		if !found {
			t.Errorf("%s: variable %d is called %s, which it is not", d.URI, v, m.Name)
		}
	}
	latches, inputs := d.ElementNames()
	names := map[string]int{}
	for _, name := range append(latches, inputs...) {
		names[name]++
	}
	for i, name := range latches {
		if m, ok := d.ElementNamed(name); names[name] == 1 && (!ok || m.Name != name && m.Name != fmt.Sprint(m.Lit)) {
			t.Errorf("%s: latch %d is not found by its name %s", d.URI, i, name)
		}
	}
	return sources
}

func TestSources(t *testing.T) {
	total := 0
	corpus := filepath.Join(shared.Dir(t), "corpus", "blif")
	for _, pattern := range []string{"../../examples/*.*", filepath.Join(corpus, "*.blif"), filepath.Join(corpus, "*", "*.blif")} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(files), err)
		}
		for _, path := range files {
			content, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			f := formats.All().Recognise("", path, string(content))
			if f == nil || strings.HasPrefix(pattern, corpus) && len(content) > 30_000 {
				continue
			}
			opts := design.Options{}
			if strings.HasPrefix(pattern, corpus) {
				opts = opts.With(blifdesign.Format, blifdesign.Option{CutUndriven: true, OneStep: true, Combinational: true})
			}
			total += checkSources(t, design.New("file:///w/"+filepath.Base(path), f, 1, source.NewText(string(content)), opts))
		}
	}
	if total < 1000 {
		t.Errorf("%d sources", total)
	}
}
