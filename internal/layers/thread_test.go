package layers_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestThread: what runs checks makes its contexts by internal/thread, so that a browser hears of a cancellation.
func TestThread(t *testing.T) {
	p, _ := load(t)
	other := regexp.MustCompile(`\bcontext\.WithCancel(Cause)?\(`)
	for path, l := range p.packages {
		if !strings.HasPrefix(path, module+"ic3") {
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
