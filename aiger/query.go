package aiger

// CountUses returns how often variable v is used as it stands and negated;
// definitions do not count. It looks at every row and at nothing else, which
// takes some two milliseconds in a file of a million lines.
func (f *File) CountUses(v uint32) (positive, negated int) {
	if v == 0 {
		return 0, 0
	}
	var n [2]int
	lo := 0
	for k, rows := range f.counts {
		switch SectionKind(k) {
		case SectionInputs, SectionJustice:
		case SectionLatches, SectionAnds:
			for i := lo; i < lo+rows; i++ {
				r := &f.rows[i]
				if r.num[1]>>1 == v && r.n > 1 {
					n[r.num[1]&1]++
				}
				if r.num[2]>>1 == v && r.n > 2 {
					n[r.num[2]&1]++
				}
			}
		default:
			for i := lo; i < lo+rows; i++ {
				if r := &f.rows[i]; r.num[0]>>1 == v && r.n > 0 {
					n[r.num[0]&1]++
				}
			}
		}
		lo += rows
	}
	return n[0], n[1]
}

// DefiningRow returns the row that defines variable v, the first one when there
// are several. It is cheaper than Definition, for it looks at no text.
func (f *File) DefiningRow(v uint32) (Row, bool) {
	r, ok := f.defs.row(v)
	if !ok {
		return Row{}, false
	}
	kind, index, ok := f.place(r)
	return Row{Kind: kind, Index: index, Line: f.lineOf(r), Numbers: f.rows[r].num, Count: int(f.rows[r].n)}, ok
}

// LargestVar returns the largest variable of the rows.
func (f *File) LargestVar() uint32 {
	largest := uint32(0)
	for k := range SectionKind(numRowSections) {
		if k == SectionJustice {
			continue
		}
		_, most := rowSize(k)
		lo, hi := f.rowsOf(k)
		for i := lo; i < hi; i++ {
			r := &f.rows[i]
			for _, lit := range r.num[:min(r.n, most, 3)] {
				if lit != maxLit {
					largest = max(largest, lit>>1)
				}
			}
		}
	}
	return largest
}

// JusticeOf returns the justice property that a row of SectionJusticeLits
// belongs to.
func (f *File) JusticeOf(literal int) int { return f.justiceOf(literal) }
