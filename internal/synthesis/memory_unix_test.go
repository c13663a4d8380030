//go:build unix

package synthesis

import (
	"path/filepath"
	"syscall"
	"testing"
)

// TestPipeAsMemory holds that a pipe which a source names does not keep a run from its end.
func TestPipeAsMemory(t *testing.T) {
	folder := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(folder, "m.hex"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, failure := synthesise(t, one(filepath.Join(folder, "t.v"), `module t(input a, output q);
  reg m[0:1];
  initial $readmemh("m.hex", m);
  assign q = m[a];
endmodule`))
	if failure == nil {
		t.Error("a pipe is read")
	}
}
