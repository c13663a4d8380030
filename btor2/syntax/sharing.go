package syntax

import (
	"slices"

	"aiglens/internal/source"
)

// sharing is how a version is read after an earlier one. A chunk that both have is read again only where something was
// found in it, or where a row that it uses now means something else.
type sharing struct {
	old        *resolution
	head, tail int // how many chunks both have at the start, and at the end of a text with the same rows
	// hasRows says that the rows have the same numbers and symbols in the same order. Otherwise only chunks at the
	// start are known.
	hasRows bool
	isOwn   bool     // the rows of the resolution are its own, no longer those of old
	changed []uint64 // a bit for each row that means something else; nil for none
}

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
	if old.isTangled || f.NumRows() != old.f.NumRows() {
		return s
	}
	for s.tail < least-s.head && a[len(a)-1-s.tail] == b[len(b)-1-s.tail] {
		s.tail++
	}
	for row := f.rows[s.head]; row < f.rows[len(a)-s.tail]; row++ {
		if x, y := f.rowAt(row), old.f.rowAt(row); x.id != y.id || x.name != y.name {
			return s
		}
	}
	s.hasRows = true
	return s
}

// resolveSame works out what the rows mean with the tables of the version before. It returns nil where that does not go:
// where rows have come or gone, or have another number or symbol, and where the sorts, or the rows of a state,
// are not those of before.
func (f *File) resolveSame(s *sharing) *resolution {
	if !s.hasRows {
		return nil
	}
	old := s.old
	res := &resolution{
		f: f, ids: old.ids, rows: old.rows, refs: make([][]Ref, len(f.chunks)), init: old.init, next: old.next,
		sorts: old.sorts, symbols: old.symbols, faults: map[int]*source.Diagnostic{}, isLoud: make([]bool, len(f.chunks)), sharable: old.sharable,
	}
	r := res.newResolver(s)
	if !r.wholeText() {
		return nil
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

// isKnown reports whether the rows of a chunk mean what they did in the version before, and notes their arguments.
func (r *resolver) isKnown(k int) bool {
	s := r.sharing
	before := k
	if k >= s.head {
		if k < len(r.resolution.refs)-s.tail || !s.hasRows {
			return false
		}
		before += len(s.old.refs) - len(r.resolution.refs)
	}
	refs := s.old.refs[before]
	if s.old.isLoud[before] || s.changed != nil && slices.ContainsFunc(refs, s.hasChanged) {
		return false
	}
	r.resolution.refs[k] = refs
	return true
}

func (s *sharing) hasChanged(ref Ref) bool {
	return ref != NoRef && s.changed[ref.Node()/64]>>(ref.Node()%64)&1 == 1
}

// compare notes what the row means, and whether that is something else than before.
func (r *resolver) compare() {
	s, was := r.sharing, r.rows[r.n]
	switch {
	case (was.op == SortRow || r.now.op == SortRow) && (was.op != r.now.op || was.sort != r.now.sort),
		(was.op.isOfState() || r.now.op.isOfState()) && (was.op != r.now.op || stateOf(s.old.f.refsOf(s.old, r.n)) != stateOf(r.refs)):
		r.isTangled = true
	}
	if was == r.now {
		return
	}
	if !s.isOwn {
		s.isOwn, r.rows = true, slices.Clone(r.rows)
		s.changed = make([]uint64, len(r.rows)/64+1)
	}
	r.rows[r.n] = r.now
	s.changed[r.n/64] |= 1 << (r.n % 64)
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
