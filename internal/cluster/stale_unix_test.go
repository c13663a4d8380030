//go:build linux || darwin

package cluster

import (
	"os"
	"path/filepath"
	"testing"
)

// TestStale: the next local server removes what a killed one has left, and neither what one at
// work has, nor what only looks like it.
func TestStale(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	s, err := StartLocal()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	folder := func(name string, mode os.FileMode, files ...string) string {
		dir := filepath.Join(temp, "aiglens-cluster-"+name)
		if err := os.Mkdir(dir, mode); err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if err := os.WriteFile(filepath.Join(dir, file), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		return dir
	}
	stale := folder("stale", 0o700, lockFile, "data")
	young := folder("young", 0o700, lockFile)
	kept := []string{s.dir, folder("open", 0o755, lockFile), folder("without", 0o700, "data")}
	elsewhere := t.TempDir()
	if err := os.WriteFile(filepath.Join(elsewhere, lockFile), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(temp, "aiglens-cluster-link")
	if err := os.Symlink(elsewhere, link); err != nil {
		t.Fatal(err)
	}
	kept = append(kept, link, filepath.Join(elsewhere, lockFile))

	removeStale(temp, lockedWithin)
	if _, err := os.Stat(young); err != nil {
		t.Errorf("a new folder: %v", err)
	}
	removeStale(temp, 0)
	if _, err := os.Stat(stale); err == nil {
		t.Error("the stale folder is there")
	}
	for _, path := range kept {
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	}
}
