package syntax

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aiglens/internal/shared"
	"aiglens/internal/source"
)

// TestCorpus reads real files and expects no error and no warning.
func TestCorpus(t *testing.T) {
	files := 0
	dir := filepath.Join(shared.Dir(t), "benchmarks", "btor2")
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".btor2") && !strings.HasSuffix(path, ".btor") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		files++
		f := Parse(source.NewText(string(data)), nil)
		for _, d := range f.Diagnostics() {
			if d.Severity <= source.Warning {
				line, column := f.Text().LineColumn(d.Span.Start)
				t.Errorf("%s:%d:%d: %s %s: %s", filepath.Base(path), line, column, d.Severity, d.Code, d.Message)
			}
		}
		for i, n := range f.Model().Nodes {
			if !n.Sound {
				t.Fatalf("%s: row %d (%d %s) is not sound", path, i, n.ID, n.Op)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d files", files)
}
