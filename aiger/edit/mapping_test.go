package edit

import (
	"context"
	"strings"
	"testing"

	"aiglens/aiger"
	"aiglens/aiger/syntax"
	"aiglens/internal/source"
)

// FuzzMapping: a file whose comment maps its literals to those of another file keeps
// its numbers; any other is renumbered, its comment left as it is.
func FuzzMapping(f *testing.F) {
	for _, comment := range []string{"", "MAPPING 0\n", "made by x\nMAPPING 2\n0 1\n2 3\n", " MAPPING 1\n", "MAPPINGS\n", "mapping 1\n", "a MAPPING 1\n", "c\nMAPPING\n", "INTERVENTION 1\n18 16\n", "INTERVENTIONS 1\n"} {
		f.Add(comment)
	}
	f.Fuzz(func(t *testing.T, comment string) {
		file := syntax.Parse(source.NewText("aag 9 1 1 0 1 1\n2\n18 16\n16\n16 18 2\ni0 a\nc\n" + comment))
		maps := false
		for line := range strings.SplitSeq(comment, "\n") {
			maps = maps || strings.HasPrefix(line, "MAPPING ") || strings.HasPrefix(line, "INTERVENTION ")
		}
		if _, err := renumber(file, 18, 6); (err == aiger.ErrMapped) != maps {
			t.Fatalf("%q: renumbered: %v", comment, err)
		}
		edits, err := reencode(context.Background(), file)
		if (err != nil) != maps {
			t.Fatalf("%q: %v", comment, err)
		}
		if maps {
			return
		}
		text, err := file.Text().Apply(edits)
		if got := syntax.Parse(text); err != nil || !strings.HasSuffix(strings.TrimSuffix(text.Content(), "\n"), strings.TrimSuffix(comment, "\n")) || got.LargestVar() != 3 {
			t.Fatalf("%q became %q, %v", comment, text.Content(), err)
		}
	})
}

// TestSymbolsThatNameLiterals: a symbol refers to a literal of the file after <, and of one of
// another file after =.
func TestSymbolsThatNameLiterals(t *testing.T) {
	for name, maps := range map[string]bool{"< 16": true, "= 4 <16": true, "= 16": false, "a < 16": false, "<a": false} {
		file := syntax.Parse(source.NewText("aag 9 1 1 0 1 1\n2\n18 16\n16\n16 18 2\nl0 " + name + "\n"))
		if _, err := renumber(file, 18, 6); (err == aiger.ErrMapped) != maps {
			t.Errorf("%q: %v", name, err)
		}
		if _, err := reencode(context.Background(), file); (err == aiger.ErrMapped) != maps {
			t.Errorf("%q: %v when all are renumbered", name, err)
		}
	}
}
