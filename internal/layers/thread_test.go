package layers_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestThread: what may work for long makes its contexts by internal/thread, so that a browser gets its turn.
func TestThread(t *testing.T) {
	p, _ := load(t)
	working := regexp.MustCompile(`^(ic3|lsp|design|internal/debug)(/|$)`)
	other := regexp.MustCompile(`\bcontext\.With(Cancel|Timeout|Deadline)(Cause)?\(`)
	for path, l := range p.packages {
		if !working.MatchString(strings.TrimPrefix(path, module)) {
			continue
		}
		for _, name := range l.GoFiles {
			text, err := os.ReadFile(filepath.Join(l.Dir, name))
			if err != nil {
				t.Fatal(err)
			}
			if found := other.Find(text); found != nil {
				t.Errorf("%s/%s: %s…): use that of package thread", path, name, found)
			}
		}
	}
}
