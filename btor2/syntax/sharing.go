package syntax

import (
	"maps"
	"slices"

	"aiglens/internal/source"
)

// sharing is how a version is read after an earlier one. A chunk that both have is read again only where something was
// found in it, or where a row that it uses now means something else.
type sharing struct {
	old        *resolution
	head, tail int // how many chunks both have at the start, and at the end
	// hasRows says that the rows are those of before, apart from few. Otherwise only chunks at the start are known.
	hasRows bool
	move
	stale   []bool // chunks that have to be read again because of rows that have come or gone; nil for none
	isOwn   bool   // the tables of the resolution are its own from the start
	changed rowSet // rows that mean something else; nil for none
	retyped rowSet // those of them because of which operators have to be checked again

	refsAgain []Ref // room for the arguments of a row that is checked again
}

// rowSet is a set of rows: a bit for each; nil is the empty one.
type rowSet []uint64

func newRowSet(rows int) rowSet { return make(rowSet, rows/64+1) }

func (s rowSet) add(row int) { s[uint(row)/64] |= 1 << (uint(row) % 64) }

func (s rowSet) has(row int) bool { return s[uint(row)/64]>>(uint(row)%64)&1 == 1 }

// newSharing compares a file with an earlier version, which may be nil.
func newSharing(f *File, old *resolution) *sharing {
	s := &sharing{old: old}
	if old == nil {
		return s
	}
	a, b := f.chunks, old.f.chunks
	least := min(len(a), len(b))
	for s.head < least && a[s.head] == b[s.head] && f.rows[s.head+1] <= old.sharable {
		s.head++
	}
	if old.isTangled {
		return s
	}
	for s.tail < least-s.head && a[len(a)-1-s.tail] == b[len(b)-1-s.tail] {
		s.tail++
	}
	s.move, s.hasRows = newMove(f, old.f, s.head, s.tail)
	return s
}

// resolveSame works out what the rows mean with the tables of the version before. It returns nil where that does not go:
// where many rows have come or gone, or have another number, and where the sorts, or the rows of a state, are not those of
// before.
func (f *File) resolveSame(s *sharing) *resolution {
	if !s.hasRows {
		return nil
	}
	old := s.old
	res := &resolution{
		f: f, ids: old.ids, rows: old.rows, refs: make([][]Ref, len(f.chunks)), init: old.init, next: old.next,
		sorts: old.sorts, symbols: old.symbols, faults: map[int]*source.Diagnostic{},
		forNext: forNext{isLoud: make([]bool, len(f.chunks)), lost: old.lost, sharable: f.NumRows()},
	}
	r := res.newResolver(s)
	if !r.wholeText() || !r.moveTables() {
		return nil
	}
	for _, row := range old.spoiled { // they are made unsound again where that is found again
		if row := s.after(row); row >= 0 {
			now := r.rows[row]
			now.sound = true
			r.note(row, now)
		}
	}
	if r.readRows(); r.isTangled {
		return nil
	}
	r.states()
	res.diags = r.list.Finish()
	return res
}

// keepHead enters what the rows of the chunks at the start mean, which are those of the version before, in tables that
// are new.
func (res *resolution) keepHead(s *sharing) {
	if s.head == 0 {
		return
	}
	rows := res.f.rows[s.head]
	copy(res.rows, s.old.rows[:rows])
	for _, row := range s.old.spoiled { // they are made unsound again where that is found again
		if row < rows {
			res.rows[row].sound = true
		}
	}
	for _, t := range []struct{ to, from []int32 }{{res.init, s.old.init}, {res.next, s.old.next}} {
		for state, row := range t.from[:rows] {
			if int(row) <= rows { // it is the number of the row, plus 1
				t.to[state] = row
			}
		}
	}
	for _, row := range s.old.sorts.rows {
		if row < rows {
			res.sorts.add(res.rows[row].sort, row)
		}
	}
	for k, c := range res.f.chunks[:s.head] {
		for i := range c.rows {
			if h := c.rows[i].name; h != 0 {
				res.symbols.add(res.f.rows[k]+i, h)
			}
		}
	}
}

// rowAt returns a row.
func (f *File) rowAt(row int) *row {
	k, i := f.placeOf(row)
	return &f.chunks[k].rows[i]
}

// isKnown reports whether the rows of a chunk are known from the version before, with what has changed in rows that they
// use, and notes what they mean.
func (r *resolver) isKnown(k int) bool {
	s := r.sharing
	before := k
	if k >= s.head {
		if k < len(r.resolution.refs)-s.tail || !s.hasRows {
			return false
		}
		before += len(s.old.refs) - len(r.resolution.refs)
	}
	if s.old.isLoud[before] || s.stale != nil && s.stale[k] || r.top >= r.f.chunks[k].bottom {
		return false
	}
	if r.resolution.refs[k] == nil { // no row that it uses has moved
		r.resolution.refs[k] = s.old.refs[before]
	}
	if s.changed != nil && slices.ContainsFunc(r.resolution.refs[k], s.hasChanged) {
		r.update(k)
	}
	return true
}

// update works out again what those rows of a chunk mean that use rows which have changed. Nothing was wrong with any row of
// the chunk, and so an operator is sound if all that it uses is, unless the sort of an operand is another one.
func (r *resolver) update(k int) {
	r.chunk, r.loud = r.f.chunks[k], false
	all, rows := r.resolution.refs[k], r.rows // no table of the version before, since a row has changed
	for i := range r.chunk.rows {
		row, from, args := &r.chunk.rows[i], int(r.chunk.rows[i].first), r.chunk.argsOf(i)
		refs := all[from : from+len(args)]
		changed, retyped, sound, usesInput := false, false, true, false
		for _, ref := range refs {
			if ref != NoRef { // a number
				n := ref.Node()
				changed, retyped = changed || r.changed.has(n), retyped || r.retyped.has(n)
				sound, usesInput = sound && rows[n].sound, usesInput || rows[n].usesInput
			}
		}
		if !changed {
			continue
		}
		if retyped || !row.op.IsOperator() && (row.op != Next || r.hasChanged(stateOf(refs))) {
			r.n, r.row, r.args = r.f.rows[k]+i, row, args
			r.readAgain(k, from, refs)
			continue
		}
		usesInput = usesInput && row.op != Next
		if now := &rows[r.f.rows[k]+i]; now.sound != sound || now.usesInput != usesInput {
			now.sound, now.usesInput = sound, usesInput
			r.changed.add(r.f.rows[k] + i)
		}
	}
	r.isLoud[k] = r.loud
}

// readAgain checks the row at which r is, whose arguments were found before, from one of its chunk on.
func (r *resolver) readAgain(k, from int, refs []Ref) {
	r.refsAgain = append(r.refsAgain[:0], refs...)
	r.refs = r.refsAgain
	r.now = meaning{op: r.row.op, sound: true}
	if r.rowMeans(); !slices.Equal(r.refs, refs) {
		all := slices.Clone(r.resolution.refs[k])
		copy(all[from:], r.refs)
		r.resolution.refs[k] = all
	}
}

func (s *sharing) hasChanged(ref Ref) bool { return ref != NoRef && s.changed.has(ref.Node()) }

// compare notes what the row means, and whether that is something else than before.
func (r *resolver) compare() {
	s, was := r.sharing, r.rows[r.n]
	switch {
	case (was.op == SortRow || r.now.op == SortRow) && (was.op != r.now.op || was.sort != r.now.sort),
		(was.op.isOfState() || r.now.op.isOfState()) && (was.op != r.now.op || s.stateBefore(r.n) != stateOf(r.refs)):
		r.isTangled = true
	}
	r.note(r.n, r.now)
}

// note notes what a row means.
func (r *resolver) note(row int, now meaning) {
	s, was := r.sharing, r.rows[row]
	if was == now {
		return
	}
	if s.changed == nil {
		s.changed, s.retyped = newRowSet(len(r.rows)), newRowSet(len(r.rows))
		if !s.isOwn {
			r.rows, r.lost = slices.Clone(r.rows), maps.Clone(r.lost)
		}
	}
	r.rows[row] = now
	s.changed.add(row)
	if r.isRetyped(row, was, now) {
		s.retyped.add(row)
	}
}

// isRetyped reports whether operators that use a row have to be checked again, and notes the sort that a row has lost.
func (n *forNext) isRetyped(row int, was, now meaning) bool {
	lost, isLost := n.lost[row]
	switch {
	case now.isOpen() && was.isOpen():
		return false
	case now.isOpen() && was.op.HasValue():
		if n.lost == nil {
			n.lost = map[int]span32{}
		}
		n.lost[row] = was.sort
		return false
	case isLost:
		delete(n.lost, row)
		return lost != now.sort || !now.op.HasValue()
	}
	return was.sort != now.sort || was.op.HasValue() != now.op.HasValue()
}

// isOpen reports whether nothing is known of the value, so that no row that uses it is checked.
func (m meaning) isOpen() bool { return !m.sort.known() && (m.op == NoOp || m.op.HasValue()) }

// stateBefore returns the state of which a row was the init or next before.
func (s *sharing) stateBefore(row int) Ref {
	if row = s.before(row); row < 0 {
		return NoRef
	}
	state := stateOf(s.old.f.refsOf(s.old, row))
	if state == NoRef || s.after(state.Node()) < 0 {
		return NoRef - 1
	}
	return state + Ref(2*(s.after(state.Node())-state.Node()))
}

// isOfState reports whether the row says what a state starts with or goes to.
func (o Op) isOfState() bool { return o == Init || o == Next }

// stateOf returns the state of an init or next by its arguments, or NoRef.
func stateOf(refs []Ref) Ref {
	if len(refs) < 2 {
		return NoRef
	}
	return refs[1]
}
