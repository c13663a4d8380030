package fault

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func panicking(value any) (r Report) {
	defer func() { r = Of(recover(), "textDocument/hover", HashOf("secret text")) }()
	if value != nil {
		panic(value)
	}
	var none []int
	return Report{Where: string(rune(none[1]))}
}

// TestReport: a report holds where and which program, and nothing that a file said.
func TestReport(t *testing.T) {
	f := Folder{filepath.Join(t.TempDir(), "cache", "faults"), "v1.2.3"}
	for _, value := range []any{nil, "no signal secret_name", errors.New("secret_name is not there")} {
		path, err := f.Keep(panicking(value))
		if err != nil {
			t.Fatal(err)
		}
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"v1.2.3", "textDocument/hover", "fault.panicking", "sha256:"} {
			if !strings.Contains(string(content), want) {
				t.Errorf("%s is not in the report:\n%s", want, content)
			}
		}
		if strings.Contains(string(content), "secret") {
			t.Errorf("the report tells what the file said:\n%s", content)
		}
	}
	if got := panicking(nil).Kind; !strings.Contains(got, "index out of range [1]") {
		t.Errorf("an error of the runtime is %q", got)
	}
	if runtime.GOOS != "windows" {
		folder, _ := os.Stat(f.Path)
		entries, _ := os.ReadDir(f.Path)
		file, err := entries[0].Info()
		if err != nil || folder.Mode().Perm() != 0o700 || file.Mode().Perm() != 0o600 {
			t.Errorf("others can read it: %v, %v, %v", folder.Mode(), file.Mode(), err)
		}
	}
}

// TestManyFaults: the same fault has one report, and the folder does not fill up.
func TestManyFaults(t *testing.T) {
	f := Folder{t.TempDir(), "v1"}
	first, _ := f.Keep(panicking("a"))
	if second, err := f.Keep(panicking("a")); err != nil || second != first {
		t.Errorf("%s and %s, %v", first, second, err)
	}
	for i := range 2 * maxReports {
		r := panicking("a")
		r.Where = strings.Repeat("x", i+1)
		_, _ = f.Keep(r)
	}
	if entries, err := os.ReadDir(f.Path); err != nil || len(entries) != maxReports {
		t.Errorf("%d reports, %v", len(entries), err)
	}
	if path, err := (Folder{}).Keep(panicking("a")); path != "" || err != nil {
		t.Errorf("nowhere: %q, %v", path, err)
	}
}
