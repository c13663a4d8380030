package syntax

import "slices"

// move says which rows a version has in place of which rows of the one before: those from from on up to come in place of
// those up to gone. Numbers of rows after them differ by what has come or gone.
type move struct{ from, gone, come int }

// maxMoved is how many rows come and go at most: for more the text is read as a whole.
const maxMoved = 1000

// newMove compares the rows of two files that have chunks at the start and at the end in common. ok is false when too many
// differ.
func newMove(f, old *File, head, tail int) (m move, ok bool) {
	m = move{f.rows[head], old.rows[len(old.chunks)-tail], f.rows[len(f.chunks)-tail]}
	for m.from < min(m.gone, m.come) && f.idAt(m.from) == old.idAt(m.from) {
		m.from++
	}
	for m.from < min(m.gone, m.come) && f.idAt(m.come-1) == old.idAt(m.gone-1) {
		m.gone, m.come = m.gone-1, m.come-1
	}
	return m, m.gone-m.from+m.come-m.from <= maxMoved
}

// isNone reports whether all rows are those of before.
func (m move) isNone() bool { return m.from == m.gone && m.from == m.come }

// after returns the number of a row of the version before, or -1 when it has gone.
func (m move) after(row int) int {
	switch {
	case row < m.from:
		return row
	case row < m.gone:
		return -1
	}
	return row + m.come - m.gone
}

// before returns the number that a row had in the version before, or -1 when it has come.
func (m move) before(row int) int {
	return move{m.from, m.come, m.gone}.after(row)
}

// moveTables makes the tables those of the rows of this version. It returns false when the rows that have come or gone are such
// that the text has to be read as a whole.
func (r *resolver) moveTables() bool {
	if !r.moveSymbols() {
		return false
	}
	if r.isNone() {
		return true
	}
	old := r.old
	for row := r.from; row < r.gone; row++ {
		if op := old.rows[row].op; op == SortRow || op.isOfState() {
			return false
		}
	}
	r.stale = make([]bool, len(r.f.chunks))
	again := map[int]bool{} // rows of before whose users look for another row now, or none
	for row := r.from; row < r.gone; row++ {
		again[row] = true
	}
	if !r.moveIDs(again) {
		return false
	}
	r.isOwn = true
	r.rows = moved(r.move, old.rows)
	r.init, r.next = r.moveRows(moved(r.move, old.init)), r.moveRows(moved(r.move, old.next))
	r.sorts = sortTable{rowOf: make(map[span32]int, len(old.sorts.rowOf)), rows: slices.Clone(old.sorts.rows)}
	for sort, row := range old.sorts.rowOf {
		r.sorts.rowOf[sort] = r.after(row)
	}
	for i, row := range r.sorts.rows {
		r.sorts.rows[i] = r.after(row)
	}
	r.lost = map[int]span32{}
	for row, sort := range old.lost {
		if row := r.after(row); row >= 0 {
			r.lost[row] = sort
		}
	}
	r.moveRefs(r.resolution, again)
	return true
}

// moved returns a table by rows with room for those that have come in place of those that have gone.
func moved[T any](m move, of []T) []T {
	to := make([]T, len(of)+m.come-m.gone)
	copy(to, of[:m.from])
	copy(to[m.come:], of[m.gone:])
	return to
}

// moveRows changes entries that are numbers of rows, plus 1, none of which has gone.
func (m move) moveRows(entries []int32) []int32 {
	first, by := int32(m.gone), int32(m.come-m.gone)
	if by != 0 {
		for i, row := range entries {
			if row > first {
				entries[i] = row + by
			}
		}
	}
	return entries
}

// moveIDs makes the table of numbers that of this version. It adds rows of before whose number another row has now.
func (r *resolver) moveIDs(again map[int]bool) bool {
	old := r.old.ids.dense
	size := int64(len(old))
	for row := r.from; row < r.come; row++ {
		size = max(size, r.f.idAt(row)+1)
	}
	if old == nil || size > maxDense(r.f) {
		return false
	}
	ids := make([]int32, size)
	copy(ids, old)
	for row := r.from; row < r.gone; row++ {
		if id := r.old.f.idAt(row); id > 0 && int(ids[id]) == row+1 {
			ids[id] = r.nextOf(id, row)
		}
	}
	r.moveRows(ids)
	for row := r.come - 1; row >= r.from; row-- {
		id := r.f.idAt(row)
		if id <= 0 {
			continue
		}
		if other := int(ids[id]) - 1; other < 0 || other > row {
			if other >= r.come { // it is there already now
				again[r.before(other)] = true
				k, _ := r.f.placeOf(other)
				r.stale[k] = true
			}
			ids[id] = int32(row) + 1
		}
	}
	r.ids.dense = ids
	return true
}

// nextOf returns the first row of the version before, plus 1, that has a number and has stayed, though a row that has gone
// had it before; 0 for none.
func (s *sharing) nextOf(id int64, row int) int32 {
	for k, c := range s.old.f.chunks {
		if s.old.f.rows[k+1] <= row || id < c.bottom || c.top < id {
			continue
		}
		for i := range c.rows {
			if other := s.old.f.rows[k] + i; other >= s.gone && c.rows[i].id == id {
				return int32(other) + 1
			}
		}
	}
	return 0
}

// moveRefs enters what the rows of the chunks at the end use, and has those read again which use certain rows of before.
func (s *sharing) moveRefs(res *resolution, again map[int]bool) {
	isAgain := newRowSet(len(s.old.rows))
	for row := range again {
		isAgain.add(row)
	}
	first, by := Ref(2*s.gone), Ref(2*(s.come-s.gone))
	start := len(res.f.chunks) - s.tail
	size := 0
	for _, c := range res.f.chunks[start:] {
		size += len(c.args)
	}
	room := make([]Ref, size)
	for k := start; k < len(res.f.chunks); k++ {
		old := s.old.refs[k+len(s.old.f.chunks)-len(res.f.chunks)]
		refs := room[:len(old):len(old)]
		room = room[len(old):]
		for i, ref := range old {
			if ref != NoRef && isAgain.has(ref.Node()) {
				s.stale[k] = true
			}
			if ref >= first {
				ref += by
			}
			refs[i] = ref
		}
		res.refs[k] = refs
	}
}

// moveSymbols makes the table of symbols that of this version, but for rows that have come or have another symbol: these
// are added as they are read. It returns false when one of them has the symbol of a row after it.
func (r *resolver) moveSymbols() bool {
	f, old := r.f, r.old.f
	table := r.symbols
	isOwn := false
	own := func() {
		if !isOwn {
			isOwn, table.entries = true, slices.Clone(table.entries)
		}
	}
	for row := old.rows[r.head]; row < old.rows[len(old.chunks)-r.tail]; row++ {
		h, now := old.rowAt(row).name, r.after(row)
		if h != 0 && (now < 0 || f.rowAt(now).name != h) {
			own()
			table.remove(row, h)
		}
	}
	if r.come != r.gone {
		own()
		r.moveRows(table.entries)
	}
	added := 0
	for row := f.rows[r.head]; row < f.rows[len(f.chunks)-r.tail]; row++ {
		h, was := f.rowAt(row).name, r.before(row)
		if h == 0 || was >= 0 && old.rowAt(was).name == h {
			continue
		}
		if own(); added == 0 {
			table.hashes = slices.Clone(table.hashes)
		}
		if added++; table.find(h) > row || !table.hasRoom(added) {
			return false
		}
	}
	r.symbols = table
	return true
}
