package edit_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"aiglens/btor2/edit"
	"aiglens/btor2/syntax"
	"aiglens/internal/source"
)

// TestRename gives what stands at each place of random texts a name, and the number of each row another one.
func TestRename(t *testing.T) {
	renamed, renumbered := 0, 0
	for seed, text := range randomTexts {
		f := parse(text)
		nodes := f.Model().Nodes
		for o := range f.OccurrencesIn(source.Span{Length: len(text)}) {
			offset := o.Span.End()
			span, word, ok := edit.RenameTarget(f, offset)
			if !ok || f.Text().Slice(span) != word || !o.Span.Contains(span.Start) {
				t.Fatalf("seed %d: %v is %q at %v", seed, o, word, span)
			}
			row := o.Ref.Node()
			edits, err := edit.Rename(f, offset, "a;b")
			if err == nil {
				t.Fatalf("seed %d: renamed by %v", seed, edits)
			}
			if edits, err = edit.Rename(f, offset, "other.name"); err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, text)
			}
			g := applied(t, f, edits)
			if got := g.Model().Nodes[row].Symbol; got != "other.name" {
				t.Fatalf("seed %d: row %d has the symbol %q", seed, nodes[row].ID, got)
			}
			if back, err := edit.Rename(g, g.Text().LineSpan(nodes[row].Line).End(), "x"); err == nil {
				applied(t, g, back)
			}
			renamed++
			if o.Role != syntax.RoleDefinition {
				continue
			}
			sameCircuit(t, f, g)
			id := nodes[row].ID + 1
			next, hasNext := f.Model().NumberFrom(row + 1)
			isFree := !hasNext || next > id
			edits, err = edit.Rename(f, offset, fmt.Sprint(id))
			if (err == nil) != isFree {
				t.Fatalf("seed %d: row %d becomes %d: %v\n%s", seed, nodes[row].ID, id, err, text)
			}
			if err == nil {
				g := applied(t, f, edits)
				sameCircuit(t, f, g)
				if g.Model().Nodes[row].ID != id {
					t.Fatalf("seed %d: row %d is %d, not %d", seed, nodes[row].ID, g.Model().Nodes[row].ID, id)
				}
				renumbered++
			}
		}
	}
	if renamed < 1000 || renumbered < 50 {
		t.Errorf("%d renamed, %d renumbered", renamed, renumbered)
	}
}

// TestRenameRefuses names the reason.
func TestRenameRefuses(t *testing.T) {
	f := parse("1 sort bitvec 1\n2 input 1 a\n4 input 1 b\n6 and 1 2 -9\n8 uext 1 2 0 a\n9 bad\n")
	check := func(line, column int, to, want string) {
		t.Helper()
		edits, err := edit.Rename(f, f.Text().LineStart(line)+column, to)
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			text, err := f.Text().Apply(edits)
			if err != nil {
				t.Fatal(err)
			}
			lines := strings.Split(text.Content(), "\n")
			before := strings.Split(f.Text().Content(), "\n")
			lines = slices.DeleteFunc(lines, func(l string) bool { return slices.Contains(before, l) })
			got = strings.Join(lines, ", ")
		}
		if got != want {
			t.Errorf("%s: %q, want %q", to, got, want)
		}
	}
	check(1, 10, "c", "2 input 1 c, 8 uext 1 2 0 c")
	check(1, 10, "b", `row 4 has the symbol "b" already`)
	check(1, 0, "3", "3 input 1 a, 6 and 1 3 -9, 8 uext 1 3 0 a")
	check(1, 0, "4", "row 4 is there already")
	check(1, 0, "5", "numbers of rows increase, and the row after is 4")
	check(1, 0, "0", `numbers of rows are from 1 to 2^40 - 1, and do not start with 0: found "0"`)
	check(3, 11, "7", "numbers of rows increase, and the row before is 8")
	check(3, 11, "10", "6 and 1 2 -10, 10 bad")
	check(3, 8, "c d", `a symbol is one word without white space, found "c d"`)
	check(3, 0, "c", "6 and 1 2 -9 c")
	check(5, 0, "c", "row 9 is not complete")
	check(0, 4, "c", "there is no name here")
}
