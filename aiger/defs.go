package aiger

import (
	"maps"
	"slices"
)

// defTable finds the row that defines a variable. Variables that are small
// compared with the number of rows, all of them in ordinary files, stand in a
// slice, the others in a map: a file with one variable of number 2^31−1 must
// cost nothing.
type defTable struct {
	dense  []uint32 // by variable: row + 1, or 0
	sparse map[uint32]uint32
	n      int // number of variables that are defined
}

func (t *defTable) row(v uint32) (r int, ok bool) {
	if int(v) < len(t.dense) {
		r := t.dense[v]
		return int(r) - 1, r > 0
	}
	r32, ok := t.sparse[v]
	return int(r32), ok
}

// set makes row r the definition of v unless an earlier row is. It returns the
// row that was.
func (t *defTable) set(v uint32, r int) (first int, isNew bool) {
	first, ok := t.row(v)
	switch {
	case !ok:
		t.n++
	case first <= r:
		return first, false
	}
	switch {
	case int(v) < len(t.dense):
		t.dense[v] = uint32(r + 1)
	case t.sparse == nil:
		t.sparse = map[uint32]uint32{v: uint32(r)}
	default:
		t.sparse[v] = uint32(r)
	}
	return first, !ok
}

// clear forgets the definition of v if it is row r.
func (t *defTable) clear(v uint32, r int) (cleared bool) {
	if first, ok := t.row(v); !ok || first != r {
		return false
	}
	if int(v) < len(t.dense) {
		t.dense[v] = 0
	} else {
		delete(t.sparse, v)
	}
	t.n--
	return true
}

// maxSparse is how many variables may stand in the map before an edit looks
// whether the slice has become too short for the file.
const maxSparse = 1000

// clone copies the table for a file of so many rows and adds d to the rows
// from lo on.
func (t *defTable) clone(rows, lo, d int) defTable {
	size := len(t.dense)
	if len(t.sparse) > maxSparse {
		size = max(size, denseSize(rows))
	}
	c := defTable{dense: slices.Grow(slices.Clone(t.dense), size-len(t.dense))[:size], sparse: maps.Clone(t.sparse), n: t.n}
	clear(c.dense[len(t.dense):])
	if d != 0 {
		for v, r := range c.dense[:len(t.dense)] {
			if r > uint32(lo) {
				c.dense[v] = r + uint32(d)
			}
		}
		for v, r := range c.sparse {
			if r >= uint32(lo) {
				c.sparse[v] = r + uint32(d)
			}
		}
	}
	for v := len(t.dense); v < size; v++ {
		if r, ok := c.sparse[uint32(v)]; ok {
			c.dense[v] = r + 1
			delete(c.sparse, uint32(v))
		}
	}
	return c
}

// denseSize bounds the slice of definitions for a number of rows.
func denseSize(rows int) int { return 2*rows + 64 }

// largest returns the largest variable that is defined.
func (t *defTable) largest() int {
	largest := uint32(0)
	for v := range t.sparse {
		largest = max(largest, v)
	}
	for v := len(t.dense) - 1; v > int(largest); v-- {
		if t.dense[v] > 0 {
			return v
		}
	}
	return int(largest)
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
	largest := f.largestUsed()
	t := defTable{dense: make([]uint32, min(largest+largest/8+maxSparse, denseSize(f.rows.len())))}
	for _, k := range definingSections {
		lo, hi := f.rowsOf(k)
		for base, rows := range f.rows.runs(lo, hi) {
			for i := range rows {
				v, ok := rows[i].defines()
				switch {
				case !ok:
				case int(v) < len(t.dense) && t.dense[v] == 0:
					t.dense[v] = uint32(base + i + 1)
					t.n++
				default:
					t.set(v, base+i)
				}
			}
		}
	}
	return t
}

// largestUsed returns the largest variable of the file.
func (f *File) largestUsed() int {
	sizes := f.counts.start(SectionJustice)
	lits := f.counts.start(SectionJusticeLits)
	before, behind := f.rows.summary(0, sizes), f.rows.summary(lits, f.rows.len())
	return int(max(before.largest, behind.largest) >> 1)
}
