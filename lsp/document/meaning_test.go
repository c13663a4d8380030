package document

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"aiglens/circuit"
	"aiglens/internal/source"
)

// checkMeanings tests that what a text calls a literal of its circuit stands for that
// literal, and that every latch and input has a meaning which is found by its name.
func checkMeanings(t *testing.T, d *Document) (meanings int) {
	t.Helper()
	c := d.Circuit()
	for v := range circuit.Var(c.NumVars()) {
		m, ok := d.Meaning(v.Lit())
		if kind := c.Kind(v); !ok {
			if kind == circuit.KindLatch {
				t.Errorf("%s: latch %d has no meaning", d.URI, v)
			}
			continue
		}
		meanings++
		if m.Name == "" {
			t.Errorf("%s: variable %d has a meaning without a name", d.URI, v)
		}
		if m.Lit == 0 {
			continue // of another file, or cut
		}
		found := false
		for _, copied := range d.Copies(m.Lit, 1<<20) {
			found = found || copied.Lit == v.Lit().NotIf(m.Negated)
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
	return meanings
}

func TestMeanings(t *testing.T) {
	files, err := filepath.Glob("../../examples/*.*")
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, path := range files {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		kind := KindOf("", path, string(content))
		if kind != AIGER && kind != BLIF {
			continue
		}
		total += checkMeanings(t, New("file:///w/"+filepath.Base(path), kind, 1, source.NewText(string(content)), Options{}))
	}
	corpusBLIF(t, 30_000, func(_ string, d *Document) { total += checkMeanings(t, d) })
	if total < 1000 {
		t.Errorf("%d meanings", total)
	}
}
