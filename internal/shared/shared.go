// Package shared finds the read-only test material that lies beside the
// repository.
package shared

import (
	"os"
	"path/filepath"
	"runtime"
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

// place returns where the material is looked for.
func place() string {
	if dir := os.Getenv("AIGLENS_SHARED"); dir != "" {
		return dir
	}
	_, file, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(file), "..", "..", "..", "shared")
}
