package aiger

import "iter"

// CountUses returns how often variable v is used as it stands and negated;
// definitions do not count. It looks at every row and at nothing else, which
// takes some two milliseconds in a file of a million lines.
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

// runsWith yields the runs of the rows lo to hi that may hold variable v. In most
// files a gate has a larger number than its operands, so that the runs before v
// drop out.
func (t *rowTable) runsWith(lo, hi int, v uint32) iter.Seq2[int, []row] {
	return func(yield func(int, []row) bool) {
		c := t.chunkOf(lo)
		for first, rows := range t.runs(lo, hi) {
			if t.chunks[c].largest>>1 >= v && !yield(first, rows) {
				return
			}
			c++
		}
	}
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
