package syntax

import (
	"iter"
	"slices"
	"sync/atomic"
)

// rowTable is an immutable sequence of rows in chunks. An edit makes a new
// table that shares every chunk it does not touch:
//
//	chunks   ┌──────┐┌────────┐┌─────┐┌──────┐
//	         └──────┘└────────┘└─────┘└──────┘
//	starts   0       s1        s2     s3      n
//	index    0     0     1     1    2     3      by r >> indexShift
type rowTable struct {
	chunks []*rowChunk
	starts []uint32 // of the chunks, and the number of rows
	// index[i] is the chunk that holds row i<<indexShift.
	index []uint32
}

// Chunks have at most chunkRows rows; small ones are joined with their
// neighbour when an edit comes near.
const (
	chunkRows  = 1024
	indexShift = 9
	indexSize  = 1 << indexShift
)

// rowChunk is a run of rows with what they have in common.
type rowChunk struct {
	rows []Numbers
	rowSummary
	numbers atomic.Pointer[numberFilter]
}

// rowSummary describes rows without regard to their section.
type rowSummary struct {
	sizes   [5]uint32 // how many rows have 0, 1, 2, 3 and more numbers
	flags   rowFlags  // of any row
	crOnly  uint32    // rows whose white space is wrong only in that they end in CR LF
	largest uint32    // the largest number that fits
}

func (s *rowSummary) add(r *Numbers) {
	s.sizes[r.N]++
	s.flags |= r.flags
	if r.flags&(rowSpace|rowCR) == rowCR {
		s.crOnly++
	}
	if r.flags&rowHuge == 0 {
		s.largest = max(s.largest, r.Num[0], r.Num[1], r.Num[2])
	}
}

// haveOnly reports whether all rows have a size that ok accepts.
func (s *rowSummary) haveOnly(ok func(n uint8) bool) bool {
	for n, rows := range s.sizes {
		if rows > 0 && !ok(uint8(n)) {
			return false
		}
	}
	return true
}

func newChunk(rows []Numbers) *rowChunk {
	c := &rowChunk{rows: rows}
	for i := range rows {
		c.add(&rows[i])
	}
	return c
}

// newRowTable indexes chunks, none of which is empty.
func newRowTable(chunks []*rowChunk) rowTable {
	t := rowTable{chunks: chunks, starts: make([]uint32, 1, len(chunks)+1)}
	n := uint32(0)
	for i, c := range chunks {
		for uint32(len(t.index))<<indexShift < n+uint32(len(c.rows)) {
			t.index = append(t.index, uint32(i))
		}
		n += uint32(len(c.rows))
		t.starts = append(t.starts, n)
	}
	return t
}

func (t *rowTable) len() int {
	if len(t.starts) == 0 {
		return 0
	}
	return int(t.starts[len(t.starts)-1])
}

// at returns row r, which must not be changed.
func (t *rowTable) at(r int) *Numbers {
	c := t.index[r>>indexShift]
	for uint32(r) >= t.starts[c+1] {
		c++
	}
	return &t.chunks[c].rows[uint32(r)-t.starts[c]]
}

// chunkOf returns the chunk that holds row r; r may be the number of rows.
func (t *rowTable) chunkOf(r int) int {
	if r >= t.len() {
		return len(t.chunks)
	}
	c := int(t.index[r>>indexShift])
	for uint32(r) >= t.starts[c+1] {
		c++
	}
	return c
}

// runs yields the rows lo to hi, hi excluded, in slices with the number of
// their first row.
func (t *rowTable) runs(lo, hi int) iter.Seq2[int, []Numbers] {
	return func(yield func(int, []Numbers) bool) {
		for c := t.chunkOf(lo); lo < hi; c++ {
			start := int(t.starts[c])
			rows := t.chunks[c].rows[lo-start:]
			rows = rows[:min(len(rows), hi-lo)]
			if !yield(lo, rows) {
				return
			}
			lo += len(rows)
		}
	}
}

// summary describes the rows lo to hi, hi excluded. Its cost is that of two
// chunks and the number of chunks between.
func (t *rowTable) summary(lo, hi int) rowSummary {
	var sum rowSummary
	c := t.chunkOf(lo)
	for _, rows := range t.runs(lo, hi) {
		chunk := t.chunks[c]
		c++
		if len(rows) < len(chunk.rows) {
			for i := range rows {
				sum.add(&rows[i])
			}
			continue
		}
		for i, n := range chunk.sizes {
			sum.sizes[i] += n
		}
		sum.flags |= chunk.flags
		sum.crOnly += chunk.crOnly
		sum.largest = max(sum.largest, chunk.largest)
	}
	return sum
}

// run returns how many rows from lo on have a size that ok accepts.
func (t *rowTable) run(lo int, ok func(n uint8) bool) int {
	r := lo
	for c := t.chunkOf(lo); c < len(t.chunks); c++ {
		chunk := t.chunks[c]
		if chunk.haveOnly(ok) {
			r = int(t.starts[c+1])
			continue
		}
		for ; r < int(t.starts[c+1]); r++ {
			if !ok(t.at(r).N) {
				return r - lo
			}
		}
	}
	return r - lo
}

// find returns the first row from lo on that has one of the flags, or the
// number of rows.
func (t *rowTable) find(lo int, flags rowFlags) int {
	for c := t.chunkOf(lo); c < len(t.chunks); c++ {
		if t.chunks[c].flags&flags == 0 {
			continue
		}
		for r := max(lo, int(t.starts[c])); r < int(t.starts[c+1]); r++ {
			if t.at(r).flags&flags != 0 {
				return r
			}
		}
	}
	return t.len()
}

// rowBuilder makes a table out of rows and of parts of other tables, whose
// chunks it takes over where it can.
type rowBuilder struct {
	chunks []*rowChunk
	open   []Numbers // rows of no chunk yet
	sealed int       // rows in chunks
}

func (b *rowBuilder) len() int { return b.sealed + len(b.open) }

func (b *rowBuilder) append(r Numbers) {
	b.room()[0] = r
	b.extend(1)
}

// room returns place for further rows, which are zero; extend appends the first n
// of them.
func (b *rowBuilder) room() []Numbers {
	if len(b.open) >= chunkRows {
		b.seal()
	}
	if len(b.open) == cap(b.open) {
		b.open = append(make([]Numbers, 0, chunkRows), b.open...)
	}
	return b.open[len(b.open):min(cap(b.open), chunkRows)]
}

func (b *rowBuilder) extend(n int) { b.open = b.open[:len(b.open)+n] }

// appendTable appends the first n rows of a table.
func (b *rowBuilder) appendTable(t *rowTable, n int) { b.appendRange(t, 0, n) }

// appendRest appends the rows of a table from lo on.
func (b *rowBuilder) appendRest(t *rowTable, lo int) { b.appendRange(t, lo, t.len()) }

// appendRange appends the rows lo to hi of a table, hi excluded. A chunk that
// lies between is taken over, or joined as a whole with few rows before it, so
// that the chunks after an edit stay what they are.
func (b *rowBuilder) appendRange(t *rowTable, lo, hi int) {
	c := t.chunkOf(lo)
	for _, rows := range t.runs(lo, hi) {
		chunk := t.chunks[c]
		c++
		switch isWhole := len(rows) == len(chunk.rows); {
		case isWhole && 0 < len(b.open) && len(b.open) < chunkRows/4 && len(rows) <= chunkRows:
			b.open = append(b.open, rows...)
			b.seal()
		case isWhole && len(rows) >= chunkRows/4:
			b.seal()
			b.chunks = append(b.chunks, chunk)
			b.sealed += len(rows)
		default:
			for _, r := range rows {
				b.append(r)
			}
		}
	}
}

// seal makes a chunk of the open rows.
func (b *rowBuilder) seal() {
	if len(b.open) == 0 {
		return
	}
	if len(b.open) < cap(b.open)/2 {
		b.open = slices.Clone(b.open)
	}
	b.chunks = append(b.chunks, newChunk(b.open))
	b.sealed += len(b.open)
	b.open = nil
}

// table returns the rows appended so far.
func (b *rowBuilder) table() *rowTable {
	b.seal()
	t := newRowTable(slices.Clip(b.chunks))
	return &t
}

// samePrefix returns how many rows at the start of both tables are the same.
func (t *rowTable) samePrefix(u *rowTable) int {
	c := 0
	for c < min(len(t.chunks), len(u.chunks)) && t.chunks[c] == u.chunks[c] {
		c++
	}
	if c == len(t.chunks) || c == len(u.chunks) {
		return min(t.len(), u.len())
	}
	r := int(t.starts[c])
	for most := min(t.len(), u.len()); r < most; {
		a, b := t.from(r), u.from(r)
		n := min(len(a), len(b))
		if &a[0] != &b[0] {
			for i := range n {
				if a[i] != b[i] {
					return r + i
				}
			}
		}
		r += n
	}
	return r
}

// from returns the rows from row r on in its chunk.
func (t *rowTable) from(r int) []Numbers {
	c := t.chunkOf(r)
	return t.chunks[c].rows[r-int(t.starts[c]):]
}

// sameSuffix returns how many rows at the end of both tables are the same, at
// most as many as limit.
func (t *rowTable) sameSuffix(u *rowTable, limit int) int {
	n := 0
	for n < limit {
		a, b := t.until(t.len()-n), u.until(u.len()-n)
		m := min(len(a), len(b), limit-n)
		if a, b = a[len(a)-m:], b[len(b)-m:]; &a[0] != &b[0] {
			for i := range m {
				if a[m-1-i] != b[m-1-i] {
					return n + i
				}
			}
		}
		n += m
	}
	return n
}

// until returns the rows before row r in the chunk of the last of them.
func (t *rowTable) until(r int) []Numbers {
	c := t.chunkOf(r - 1)
	return t.chunks[c].rows[:r-int(t.starts[c])]
}
