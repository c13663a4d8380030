package blif

import (
	"os"
	"path/filepath"
	"testing"

	"aiglens/internal/shared"
	"aiglens/internal/source"
)

// corpus returns the paths of the BLIF files of the test material.
func corpus(t testing.TB) []string {
	t.Helper()
	var files []string
	for _, pattern := range []string{"*.blif", "*/*.blif", "*/*/*.blif"} {
		found, err := filepath.Glob(filepath.Join(shared.Dir(t), "corpus", "blif", pattern))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	return files
}

func read(t testing.TB, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestDump(t *testing.T) {
	for _, path := range corpus(t) {
		f := Options{FileName: filepath.Base(path)}.Parse(source.NewText(read(t, path)))
		for _, d := range f.Diagnostics() {
			l, c := f.Text().LineColumn(d.Span.Start)
			t.Logf("%s:%d:%d: %s %s: %s", filepath.Base(path), l, c, d.Severity, d.Code, d.Message)
		}
	}
	broken, _ := filepath.Glob(filepath.Join(shared.Dir(t), "corpus", "broken", "*.blif"))
	for _, path := range broken {
		f := Options{FileName: filepath.Base(path)}.Parse(source.NewText(read(t, path)))
		for _, d := range f.Diagnostics() {
			l, c := f.Text().LineColumn(d.Span.Start)
			t.Logf("%s:%d:%d: %s %s: %s", filepath.Base(path), l, c, d.Severity, d.Code, d.Message)
		}
	}
}
