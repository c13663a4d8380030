package aiger

import (
	"iter"
	"slices"
)

// CountUses returns how often variable v is used as it stands and negated;
// definitions do not count. In a file of a million lines it takes some
// milliseconds the first time, then a tenth of that.
func (f *File) CountUses(v uint32) (positive, negated int) {
	if v == 0 {
		return 0, 0
	}
	var n [2]int
	lo := 0
	for k, size := range f.counts {
		from, to := usesOf(SectionKind(k))
		for _, rows := range f.rows.runsWith(lo, lo+size, v) {
			for i := range rows {
				num := &rows[i].num
				if num[0]>>1 != v && num[1]>>1 != v && num[2]>>1 != v {
					continue
				}
				for j := from; j < min(to, rows[i].n); j++ {
					if num[j]>>1 == v {
						n[num[j]&1]++
					}
				}
			}
		}
		lo += size
	}
	return n[0], n[1]
}

// maxSought is for how many variables at once the filters of chunks are of use.
const maxSought = 16

// runsWith yields the runs of the rows lo to hi that may hold one of some
// variables. In most files a gate has a larger number than its operands, so that
// the runs before a variable drop out; of those behind, the filters of the chunks
// leave the ones that hold it and one in ten of the others.
func (t *rowTable) runsWith(lo, hi int, vs ...uint32) iter.Seq2[int, []row] {
	return func(yield func(int, []row) bool) {
		c, least := t.chunkOf(lo), slices.Min(vs)
		for first, rows := range t.runs(lo, hi) {
			if t.chunks[c].mayHold(least, vs) && !yield(first, rows) {
				return
			}
			c++
		}
	}
}

// mayHold reports whether the rows may hold one of some variables.
func (c *rowChunk) mayHold(least uint32, vs []uint32) bool {
	switch {
	case c.flags&rowHuge != 0: // largest leaves out rows with such numbers
		return true
	case c.largest>>1 < least:
		return false
	case len(vs) > maxSought:
		return true
	}
	filter := c.numbers.Load()
	if filter == nil {
		filter = newNumberFilter(c.rows)
		c.numbers.Store(filter) // another goroutine may have stored the same
	}
	return slices.ContainsFunc(vs, filter.has)
}

// numberFilter is a Bloom filter (Communications of the ACM, 1970) of two hash
// functions for the variables in the rows of a chunk. It is made when a chunk is
// first searched.
type numberFilter [1 << 14 / 64]uint64

func newNumberFilter(rows []row) *numberFilter {
	var f numberFilter
	for i := range rows {
		for _, lit := range rows[i].num {
			h, g := hashVar(lit >> 1)
			f[h/64] |= 1 << (h % 64)
			f[g/64] |= 1 << (g % 64)
		}
	}
	return &f
}

func (f *numberFilter) has(v uint32) bool {
	h, g := hashVar(v)
	return f[h/64]>>(h%64)&1 != 0 && f[g/64]>>(g%64)&1 != 0
}

// hashVar returns two numbers below 2^14.
func hashVar(v uint32) (h, g uint32) {
	x := v * 0x9e3779b1 // 2^32 by the golden ratio
	return x >> 18, x >> 4 & (1<<14 - 1)
}

// usesOf returns which numbers of a row of a section use a literal.
func usesOf(k SectionKind) (from, to uint8) {
	switch k {
	case SectionInputs, SectionJustice:
		return 0, 0
	case SectionLatches, SectionAnds:
		return 1, 3
	}
	return 0, 1
}

// DefiningRow returns the row that defines variable v, the first one when there
// are several. It is cheaper than Definition, for it looks at no text.
func (f *File) DefiningRow(v uint32) (Row, bool) {
	r, ok := f.defs.row(v)
	if !ok {
		return Row{}, false
	}
	kind, index, ok := f.place(r)
	row := f.rows.at(r)
	return Row{Kind: kind, Index: index, Line: f.lineOf(r), Numbers: row.num, Count: int(row.n)}, ok
}

// LargestVar returns the largest variable of the rows.
func (f *File) LargestVar() uint32 { return uint32(f.largestUsed()) }

// JusticeOf returns the justice property that a row of SectionJusticeLits
// belongs to.
func (f *File) JusticeOf(literal int) int { return f.justiceOf(literal) }
