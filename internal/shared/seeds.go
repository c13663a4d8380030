package shared

import (
	"os"
	"path/filepath"
	"testing"
)

// maxSeed bounds the files that Seeds adds: larger ones are slow to mutate.
const maxSeed = 8 << 10

// Seeds adds the small files of the test material that match any pattern below its
// folder to a fuzz test. Without the material it adds none: a fuzz test has seeds of its
// own.
func Seeds(f *testing.F, add func(data []byte), patterns ...string) {
	f.Helper()
	for _, p := range patterns {
		names, err := filepath.Glob(filepath.Join(place(), "corpus", p))
		if err != nil {
			f.Fatal(err)
		}
		for _, name := range names {
			if data, err := os.ReadFile(name); err == nil && len(data) <= maxSeed {
				add(data)
			}
		}
	}
}
