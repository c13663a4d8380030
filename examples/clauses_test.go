package examples

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"aiglens/design"
	"aiglens/design/formats"
	"aiglens/design/horndesign"
	"aiglens/horn/edit"
	"aiglens/horn/syntax"
	"aiglens/ic3/horn/auto"
	"aiglens/ic3/horn/verify"
	"aiglens/internal/source"
)

// TestClauses checks the queries of the files of Horn clauses, as they are and after the change that their comment
// suggests, which it quotes. They are formatted.
func TestClauses(t *testing.T) {
	checkClauses(t, "semaphore.smt2", []string{"sat", "sat"}, `(= waiting 0)`, `(>= waiting 0)`, []string{"sat", "unsat"})
	checkClauses(t, "crossing.smt2", []string{"sat"}, `(< light 4.0)`, `(<= light 4.0)`, []string{"unsat"})
	files, err := filepath.Glob("*.smt2")
	if err != nil || len(files) != 2 {
		t.Errorf("%q, %v: a file is not checked", files, err)
	}
}

func checkClauses(t *testing.T, name string, want []string, from, to string, changed []string) {
	t.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	text := string(content)
	comment := strings.Join(strings.Fields(strings.ReplaceAll(text, "\n;", "")), " ")
	if !strings.Contains(comment, `"`+from+`"`) || !strings.Contains(comment, `"`+to+`"`) {
		t.Errorf("%s does not suggest to write %s for %s", name, to, from)
	}
	head, clauses, _ := strings.Cut(text, "(set-logic")
	for _, version := range []struct {
		text string
		want []string
	}{{text, want}, {head + "(set-logic" + strings.Replace(clauses, from, to, 1), changed}} {
		d := design.New(name, formats.Edited().ByPath(name), 1, source.NewText(version.text), design.Options{})
		for _, x := range d.Diagnostics() {
			t.Errorf("%s: line %d: %s", name, d.Text.LineAt(x.Span.Start)+1, x.Message)
		}
		var got []string
		for _, q := range horndesign.Queries(d) {
			got = append(got, auto.Check(t.Context(), q.System(), verify.Options{}).Checked.Outcome().String())
		}
		if !slices.Equal(got, version.want) {
			t.Errorf("%s: %q, want %q", name, got, version.want)
		}
	}
	edits, err := edit.Format(t.Context(), syntax.Parse(source.NewText(text), nil))
	if err != nil || len(edits) > 0 {
		t.Errorf("%s is not formatted: %+v, %v", name, edits, err)
	}
}
