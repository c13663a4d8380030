// Package shared is what tests of several packages share: the read-only material that lies beside
// the repository, seeds of fuzz tests made of it, and a context that counts looks at it.
package shared

import (
	"os"
	"path/filepath"
	"testing"
)

// Dir returns the folder with the test material: $AIGLENS_SHARED, or ../shared
// as seen from the root of the repository. Without it the test is skipped; on
// a build server (CI is set) it fails, because there a skipped test would
// count as passed.
func Dir(t testing.TB) string {
	t.Helper()
	dir := place()
	if _, err := os.Stat(filepath.Join(dir, "corpus")); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatalf("no test material: set AIGLENS_SHARED: %v", err)
		}
		t.Skipf("no test material, set AIGLENS_SHARED to its folder: %v", err)
	}
	return dir
}

// place returns where the material is looked for. A test runs in the folder of its package,
// and -trimpath leaves no other trace of where the repository is.
func place() string {
	if dir := os.Getenv("AIGLENS_SHARED"); dir != "" {
		return dir
	}
	root, _ := os.Getwd()
	for ; root != filepath.Dir(root); root = filepath.Dir(root) {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			break
		}
	}
	return filepath.Join(root, "..", "shared")
}
