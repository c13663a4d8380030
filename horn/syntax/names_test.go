package syntax

import (
	"strings"
	"testing"

	"aiglens/internal/source"
)

// TestNamesOfCommands reads predicates that are called like commands, at the start of lines, and edits that declare
// them.
func TestNamesOfCommands(t *testing.T) {
	for _, name := range []string{"query", "rule", "exit", "|push|", "assert"} {
		word := strings.Trim(name, "|")
		const start = "(set-logic HORN)\n(declare-fun "
		text := start + name + " (Int) Bool)\n(assert (forall ((x Int)) (=> (= x 1)\n(" + word + " x))))\n(check-sat)\n"
		f := Parse(source.NewText(text), nil)
		if d := f.Structural(); d != nil || len(f.System().Clauses) != 1 {
			t.Errorf("%s: %v", name, d)
		}
		other := f.Reparse(f.Text().Replace(source.Span{Start: len(start), Length: len(name)}, "P"))
		if d := other.Structural(); d == nil || d.Code != codeParenMissing {
			t.Errorf("%s is not declared: %v", name, d)
		}
		checkSame(t, other, Parse(source.NewText(other.Text().Content()), nil))
		checkSame(t, other.Reparse(f.Text()), f)
	}
}
