package syntax

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"aiglens/aiger/aigertest"
	"aiglens/internal/source"
)

// editOf returns the edit that replaces a piece of a file.
func editOf(f *File, old, piece string) source.Edit {
	return source.Edit{Span: source.Span{Start: strings.Index(f.text.Content(), old), Length: len(old)}, NewText: piece}
}

// TestRowNumbers edits a sequence of rows and a plain list of their numbers side
// by side: a row keeps its number, and no number is used twice.
func TestRowNumbers(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		numbers := newRowNumbers(100)
		var want []uint32
		for r := range 100 {
			want = append(want, uint32(r))
		}
		used := len(want)
		for range 200 {
			lo := random.IntN(len(want) + 1)
			hi := lo + random.IntN(min(4, len(want)-lo+1))
			came := random.IntN(4)
			next := numbers.edited(lo, hi, came-(hi-lo))
			fresh := make([]uint32, came)
			for i := range fresh {
				if came == hi-lo {
					fresh[i] = want[lo+i]
				} else {
					fresh[i] = uint32(used)
					used++
				}
			}
			for r, number := range want { // the numbers before stay what they were
				if numbers.number(r) != number || numbers.row(number) != r {
					t.Fatalf("row %d has number %d, which is row %d; want number %d", r, numbers.number(r), numbers.row(number), number)
				}
			}
			numbers, want = next, slices.Concat(want[:lo], fresh, want[hi:])
		}
	}
	whole := newRowNumbers(1000)
	there := whole.edited(500, 500, 3)
	if back := there.edited(500, 503, -3); len(back.byRow) != 1 || back.isFragmented() {
		t.Errorf("rows that came and went leave the pieces %v", back.byRow)
	}
}

// TestEditWorn inserts and deletes rows in so many places that the rows are
// renumbered.
func TestEditWorn(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	f := Parse(source.NewText(aigertest.Generated(3000, 1)))
	renumbered := 0
	for i := range 3 * maxRuns {
		kind := keystrokes[1+i%2] // row-inserted, row-deleted
		before := len(f.defs.numbers.byRow)
		f = f.Edit(kind.edit(f, random))
		if len(f.defs.numbers.byRow) < before-2 {
			renumbered++
			checkSame(t, f)
		} else if i%25 == 0 {
			checkSame(t, f)
		}
	}
	if renumbered == 0 {
		t.Errorf("%d pieces", len(f.defs.numbers.byRow))
	}
	checkSame(t, f)
}

// TestEditSparse edits definitions of variables far above the number of rows,
// which stand in no page, few and then very many of them.
func TestEditSparse(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	f := Parse(source.NewText("aag 2000000000 3 0 1 1\n2\n4\n4000000000\n6\n6 4 4000000000\n"))
	before := f
	f = f.Edit(editOf(f, "4000000000\n6\n", "3999999998\n6\n"))
	checkSame(t, f)
	checkSame(t, before)
	for range 40 {
		rows := ""
		for range 100 {
			rows += string(AppendRow(nil, 2*(1000+random.Uint32N(1<<20)), 2, 4))
		}
		f = f.Edit(editOf(f, "6 4 ", rows+"6 4 "))
		checkSame(t, f)
	}
	if len(f.defs.pages) < 10 || len(f.defs.sparse) == 0 {
		t.Errorf("%d pages, %d variables beside them", len(f.defs.pages), len(f.defs.sparse))
	}
}
