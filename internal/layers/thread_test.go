package layers_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestThread: what may work for long makes its contexts by internal/thread, so that a browser gets its turn, and from one
// that it is given, so that it gets no more turns than one.
func TestThread(t *testing.T) {
	p, _ := load(t)
	working := regexp.MustCompile(`^(ic3|lsp|design|internal/debug)(/|$)`)
	other := regexp.MustCompile(`\bcontext\.With(Cancel|Timeout|Deadline)(Cause)?\(`)
	first := regexp.MustCompile(`\bthread\.\w+\(context\.(Background|TODO)\(`)
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
			if found := first.Find(text); found != nil && !strings.HasPrefix(path, module+"lsp/lsptest") {
				t.Errorf("%s/%s: %s)…): derive it from the context of the caller", path, name, found)
			}
		}
	}
}
