package edit_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aiglens/btor2/edit"
	"aiglens/internal/shared"
	"aiglens/internal/source"
)

// largest is how many bytes a file has at most that the test reads.
const largest = 200_000

// TestCorpus formats real files, numbers their rows and sorts them: that adds no error, and the first two leave the circuit
// as it is.
func TestCorpus(t *testing.T) {
	files := 0
	dir := filepath.Join(shared.Dir(t), "benchmarks", "btor2")
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || !strings.HasPrefix(filepath.Ext(path), ".btor") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil || len(data) > largest {
			return err
		}
		if files++; files%4 != 0 && os.Getenv("AIGLENS_LONG") == "" {
			return nil
		}
		f := parse(string(data))
		edits, err := edit.Format(t.Context(), f)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		sameCircuit(t, f, applied(t, f, edits))
		for _, c := range edit.Changes(t.Context(), f, 0, true) {
			if c.Kind != source.ChangeFile {
				continue
			}
			edits, err := c.Edits()
			if err != nil {
				t.Fatalf("%s: %s: %v", path, c.Title, err)
			}
			if g := applied(t, f, edits); c.ID == "renumber-rows" {
				sameCircuit(t, f, g)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d files", files)
}
