package syntax

import (
	"os"
	"path/filepath"
	"testing"

	"aiglens/internal/source"
)

func TestTmp(t *testing.T) {
	files, _ := filepath.Glob("/work/shared/benchmarks/horn/*/*.smt2")
	n := 0
	for _, file := range files {
		data, _ := os.ReadFile(file)
		f := Parse(source.NewText(string(data)), nil)
		for _, d := range f.Diagnostics() {
			l, c := f.Text().LineColumn(d.Span.Start)
			if n++; n < 30 {
				t.Logf("%s:%d:%d: %s %s: %s", file[len("/work/shared/benchmarks/horn/"):], l, c, d.Severity, d.Code, d.Message)
			}
		}
		if out := os.Getenv("HORN_OUT"); out != "" {
			w, _ := os.Create(filepath.Join(out, filepath.Base(filepath.Dir(file))+"+"+filepath.Base(file)))
			f.System().WriteSMT(w)
			w.Close()
		}
	}
	t.Log(len(files), n)
}
