package syntax

import "slices"

// rowNumbers gives each row a number that it keeps while rows before it come and
// go. Rows and numbers run in parallel in pieces; an edit splits one or two of
// them and numbers the rows that came from next on.
//
//	rows      0 ──── 5 6 7 ────── 19
//	numbers   0 ──── 5 14  6 ──── 18     two rows came behind row 5
type rowNumbers struct {
	byRow    []numberRun // ascending, without gap
	byNumber []numberRun // the same, ascending by number
	next     uint32      // above every number
}

// numberRun says that n rows from row on have the numbers from number on.
type numberRun struct{ row, number, n uint32 }

// maxRuns bounds the pieces: rows are numbered anew when there are more, which
// costs a look at every row.
const maxRuns = 128

func newRowNumbers(rows int) rowNumbers {
	runs := []numberRun{{0, 0, uint32(rows)}}
	return rowNumbers{runs, runs, uint32(rows)}
}

// isFragmented reports whether rows should be numbered anew.
func (t *rowNumbers) isFragmented() bool { return len(t.byRow) > maxRuns || t.next > 1<<31 }

// row returns the row with a number that is in use.
func (t *rowNumbers) row(number uint32) int {
	lo, hi := 1, len(t.byNumber)
	for lo < hi {
		if mid := (lo + hi) / 2; t.byNumber[mid].number <= number {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	run := &t.byNumber[lo-1]
	return int(run.row + number - run.number)
}

// number returns the number of a row.
func (t *rowNumbers) number(r int) uint32 {
	lo, hi := 1, len(t.byRow)
	for lo < hi {
		if mid := (lo + hi) / 2; int(t.byRow[mid].row) <= r {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	run := &t.byRow[lo-1]
	return run.number + uint32(r) - run.row
}

// edited returns the numbers after the rows from lo to hi have made room for
// others, so that those behind have moved by shift. Rows that come in place of
// as many others take over their numbers.
func (t *rowNumbers) edited(lo, hi, shift int) rowNumbers {
	if shift == 0 {
		return *t
	}
	e := rowNumbers{byRow: make([]numberRun, 0, len(t.byRow)+3), next: t.next}
	for _, run := range t.byRow {
		run.n = min(run.n, max(uint32(lo), run.row)-run.row)
		e.add(run)
	}
	came := uint32(hi - lo + shift)
	e.add(numberRun{uint32(lo), e.next, came})
	e.next += came
	for _, run := range t.byRow {
		gone := min(run.n, max(uint32(hi), run.row)-run.row)
		e.add(numberRun{uint32(int(run.row+gone) + shift), run.number + gone, run.n - gone})
	}
	e.byNumber = slices.Clone(e.byRow)
	slices.SortFunc(e.byNumber, func(a, b numberRun) int { return int(a.number) - int(b.number) })
	return e
}

// add appends a run, unless it is empty, to the one before if it goes on there.
func (t *rowNumbers) add(run numberRun) {
	if run.n == 0 {
		return
	}
	if last := len(t.byRow) - 1; last >= 0 && t.byRow[last].number+t.byRow[last].n == run.number {
		t.byRow[last].n += run.n
		return
	}
	t.byRow = append(t.byRow, run)
}
