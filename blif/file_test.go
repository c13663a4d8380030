package blif_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"aiglens/blif"
	"aiglens/blif/statement"
	"aiglens/internal/shared"
	"aiglens/internal/source"
)

// TestWalks compares the walks over a file with looking at each statement and
// each line.
func TestWalks(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(shared.Dir(t), "corpus", "blif", "*", "*.blif"))
	if err != nil || len(paths) == 0 {
		t.Fatal("no files", err)
	}
	texts := []string{"", "#", "\n# a\n#b", ".model m # c\n  # d\r\n\t#\n.names y # e\n# f\n1 # g\n#h"}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(data))
	}
	comments := 0
	for _, text := range texts {
		f := blif.Options{}.Parse(source.NewText(text))
		var want []source.Span
		for line, s := range f.Text().LinesFrom(0) {
			if strings.HasPrefix(strings.TrimLeft(s, " \t"), "#") {
				want = append(want, source.Span{Start: f.Text().LineStart(line), Length: len(s)})
			}
		}
		got := slices.Collect(f.CommentLines())
		if !slices.Equal(got, want) {
			t.Errorf("comments %v, expected %v\n%s", got, want, text)
		}
		comments += len(got)
		n := f.NumStatements()
		for _, r := range [][2]int{{0, n}, {n / 3, n / 2}, {n / 2, n}, {n, n}, {1, 0}} {
			var ids []statement.Statement
			for id := r[0]; id < r[1]; id++ {
				ids = append(ids, f.Statement(id))
			}
			if got := slices.Collect(f.Statements(r[0], r[1])); !slices.Equal(got, ids) {
				t.Errorf("%d statements from %d to %d", len(got), r[0], r[1])
			}
		}
	}
	if comments < 100 {
		t.Errorf("only %d comments", comments)
	}
}
