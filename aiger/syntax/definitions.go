package syntax

import (
	"maps"
	"slices"
)

// defTable finds the row that defines a variable. It is immutable, and versions
// of a file share what they have in common:
//
//	variable ── pages ──▶ number of the row ── numbers ──▶ row
//
// Rows are named by numbers that stay when other rows come and go, so that an
// edit changes only the pages of the variables that it defines or leaves
// undefined. Variables that are small compared with the number of rows, all of
// them in ordinary files, stand in pages, the others in a map: a file with one
// variable of number 2^31−1 must cost nothing.
type defTable struct {
	pages   []*defPage        // by variable >> pageBits
	sparse  map[uint32]uint32 // number by variable
	n       int               // number of variables that are defined
	all     uint32            // every variable from 1 to all is defined
	numbers rowNumbers
}

// defPage holds 1 + number for a run of variables, 0 where there is none.
type defPage [1 << pageBits]uint32

const pageBits = 10

// noDefs is the page of variables that are not defined. It is never written.
var noDefs defPage

// entry returns 1 + the number of the row that defines v, or 0.
func (t *defTable) entry(v uint32) uint32 {
	if p := v >> pageBits; int(p) < len(t.pages) {
		return t.pages[p][v&(1<<pageBits-1)]
	}
	if number, ok := t.sparse[v]; ok {
		return number + 1
	}
	return 0
}

func (t *defTable) row(v uint32) (r int, ok bool) {
	e := t.entry(v)
	if e == 0 {
		return 0, false
	}
	return t.numbers.row(e - 1), true
}

// largest returns the largest variable that is defined.
func (t *defTable) largest() int {
	largest := uint32(0)
	for v := range t.sparse {
		largest = max(largest, v)
	}
	if largest > 0 {
		return int(largest)
	}
	for p := len(t.pages) - 1; p >= 0; p-- {
		if t.pages[p] == &noDefs {
			continue
		}
		for i := len(t.pages[p]) - 1; i >= 0; i-- {
			if t.pages[p][i] > 0 {
				return p<<pageBits + i
			}
		}
	}
	return 0
}

// isFragmented reports whether the table of a file should be rebuilt: the numbers
// have come into many pieces, or too many variables stand in the map.
func (t *defTable) isFragmented(f *File) bool {
	if t.numbers.isFragmented() {
		return true
	}
	if len(t.sparse) <= maxSparse {
		return false
	}
	size := len(t.pages)
	return numPages(f) > size+size/8
}

// maxSparse is how many variables may stand in the map before an edit looks
// whether there are too few pages for the file.
const maxSparse = 1000

// numPages returns how many pages a table of a file has, used or not.
func numPages(f *File) int {
	largest := f.largestUsed()
	return min(largest+largest/8+maxSparse, 16*f.rows.len()+64)>>pageBits + 1
}

// defEdit makes a table out of another one, whose pages it does not change.
type defEdit struct {
	defTable
	base      []*defPage // shared
	ownSparse bool
}

// edit returns the table of a file in which the rows from lo to hi have made
// room for others, so that those after them have moved by shift. What the rows that
// went define is still to be cleared.
func (t *defTable) edit(lo, hi, shift int) defEdit {
	e := defEdit{*t, t.pages, false}
	e.pages = append([]*defPage(nil), t.pages...)
	e.numbers = t.numbers.edited(lo, hi, shift)
	return e
}

// put sets the entry of a variable.
func (e *defEdit) put(v, entry uint32) {
	if p := v >> pageBits; int(p) < len(e.pages) {
		page := e.pages[p]
		if page == &noDefs || int(p) < len(e.base) && page == e.base[p] {
			copied := *page
			page = &copied
			e.pages[p] = page
		}
		page[v&(1<<pageBits-1)] = entry
		return
	}
	if !e.ownSparse {
		e.ownSparse = true
		if e.sparse = maps.Clone(e.sparse); e.sparse == nil {
			e.sparse = map[uint32]uint32{}
		}
	}
	if entry == 0 {
		delete(e.sparse, v)
	} else {
		e.sparse[v] = entry - 1
	}
}

// set makes row r the definition of v unless an earlier row is. It returns the
// row that was.
func (e *defEdit) set(v uint32, r int) (first int, isNew bool) {
	first, ok := e.row(v)
	switch {
	case !ok:
		e.n++
	case first <= r:
		return first, false
	}
	e.put(v, e.numbers.number(r)+1)
	return first, !ok
}

// clear forgets the definition of v.
func (e *defEdit) clear(v uint32) {
	e.put(v, 0)
	e.n--
	e.all = min(e.all, v-1)
}

// definingSections are the sections whose rows start with a definition.
var definingSections = [...]SectionKind{SectionInputs, SectionLatches, SectionAnds}

// defines reports whether the rows of a section start with a definition.
func (k SectionKind) defines() bool {
	return k == SectionInputs || k == SectionLatches || k == SectionAnds
}

// defined makes the table of definitions. Of repeated ones it has the first;
// the others are reported by checkRows, which sees that the table has another
// row for them.
func defined(f *File) defTable {
	t := defEdit{defTable: defTable{pages: make([]*defPage, numPages(f)), numbers: newRowNumbers(f.rows.len())}}
	for i := range t.pages {
		t.pages[i] = &noDefs
	}
	for _, k := range definingSections {
		lo, hi := f.RowsOf(k)
		for base, rows := range f.rows.runs(lo, hi) {
			for i := range rows {
				v, ok := rows[i].defines()
				if !ok {
					continue
				}
				if p := v >> pageBits; int(p) < len(t.pages) {
					if page, at := t.pages[p], v&(1<<pageBits-1); page != &noDefs && page[at] == 0 {
						page[at] = uint32(base + i + 1)
						t.n++
						continue
					}
				}
				t.set(v, base+i)
			}
		}
	}
	for t.entry(t.all+1) != 0 {
		t.all++
	}
	return t.defTable
}

// largestUsed returns the largest variable of the file.
func (f *File) largestUsed() int {
	sizes := f.counts.start(SectionJustice)
	lits := f.counts.start(SectionJusticeLits)
	before, behind := f.rows.summary(0, sizes), f.rows.summary(lits, f.rows.len())
	return int(max(before.largest, behind.largest) >> 1)
}

// IsFirst reports whether row r is the sound and only definition of lit, or
// the first of several.
func (f *File) IsFirst(lit uint32, r int) bool {
	v := lit >> 1
	if lit&1 == 1 || v == 0 || lit > f.maxLit {
		return false
	}
	if f.isUnique {
		return true
	}
	first, ok := f.defs.row(v)
	return ok && first == r
}

// isDefined reports whether lit may be used.
func (f *File) isDefined(lit uint32) bool {
	v := lit >> 1
	return (v <= f.defs.all || f.defs.entry(v) != 0) && lit <= f.maxLit
}

// rowNumbers gives each row a number that it keeps while rows before it come and
// go. Rows and numbers run in parallel in pieces; an edit splits one or two of
// them and numbers the rows that came from next on.
//
//	rows      0 ──── 5 6 7 ────── 19
//	numbers   0 ──── 5 14  6 ──── 18     two rows came after row 5
type rowNumbers struct {
	byRow    []numberRun // ascending, without gap
	byNumber []numberRun // the same, ascending by number
	next     uint32      // above every number
}

// numberRun says that n rows from row on have the numbers from number on.
type numberRun struct{ row, number, n uint32 }

// maxRuns bounds the pieces: rows are renumbered when there are more, which
// costs a look at every row.
const maxRuns = 128

func newRowNumbers(rows int) rowNumbers {
	runs := []numberRun{{0, 0, uint32(rows)}}
	return rowNumbers{runs, runs, uint32(rows)}
}

// isFragmented reports whether rows should be renumbered.
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
// others, so that those after them have moved by shift. Rows that come in place of
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
