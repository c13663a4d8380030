package syntax

import (
	"slices"

	"aiglens/internal/findings"
	"aiglens/internal/source"
)

// resolution is what the rows of a file mean together. It is worked out for all of the file at once, in one pass, and
// never changed after that; that of the next version shares with it what stays the same.
type resolution struct {
	f    *File
	ids  idTable
	rows []meaning
	// refs are the arguments of the rows of each chunk. Numbers have NoRef.
	refs [][]Ref
	// init and next are the first such rows of states, by row, plus 1; 0 for none.
	init, next []int32
	sorts      sortTable
	symbols    symbolTable // rows with a symbol
	diags      []*source.Diagnostic
	// faults has the first error of each row that is not sound because of an error of its own.
	faults     map[int]*source.Diagnostic
	structural *source.Diagnostic

	forNext
}

// forNext is what only the next version asks.
type forNext struct {
	// isLoud says of each chunk that something was found in it, that a row has the symbol of an earlier one, or that it uses
	// one that has lost its sort: it is read again in each version, since what was found has another place then.
	isLoud []bool
	// isTangled says that a row changes what one before it means: the next version shares no table.
	isTangled bool
	spoiled   []int // sound rows that a later one, or a cycle, made unsound
	// lost has the sorts of rows that have no known sort in this version, as while a word of them is typed, and had one in
	// an earlier version, after which only chunks that are loud were read again: no other row that uses one has to be
	// checked again once it has that sort again.
	lost map[int]span32
	// sharable is the number of rows at the start of which the next version may take what they mean.
	sharable int
}

// meaning is what other rows need to know of a row.
type meaning struct {
	sort      span32 // of the value; of a sort row the sort itself
	op        Op
	sound     bool
	usesInput bool // an input is in the cone, without what init and next say
}

// span32 is a Sort in little room.
type span32 struct{ width, index int32 }

func (s span32) sort() Sort    { return Sort{int(s.width), int(s.index)} }
func (s span32) isArray() bool { return s.index > 0 }
func (s span32) known() bool   { return s.width > 0 }

// sortTable has the first row of each sort.
type sortTable struct {
	rowOf map[span32]int
	rows  []int // in text order
}

func (t *sortTable) add(sort span32, row int) {
	t.rowOf[sort] = row
	t.rows = append(t.rows, row)
}

// resolver goes over the rows of a file.
type resolver struct {
	finder
	late []int // init rows whose value stands after the state
	*sharing
}

// finder notes what is wrong with the row at which it is. The fields of the second part are those of this row.
type finder struct {
	*resolution
	list findings.List
	top  int64 // the largest number so far

	n     int // the row
	chunk *chunk
	row   *row
	args  []int64
	refs  []Ref
	now   meaning
	loud  bool // something was found in the chunk

	written   scan // the row taken apart again, once something is wrong
	start     int  // of its line
	writtenOf int  // its row, or -1
}

// resolve works out what the rows mean together.
func (f *File) resolve() *resolution {
	s := newSharing(f, f.before.Load())
	res := f.resolveSame(s)
	if res == nil {
		res = f.resolveAfter(s)
	}
	f.known.Store(res)
	f.before.Store(nil)
	return res
}

// resolveAfter works it out after the rows at the start that are known.
func (f *File) resolveAfter(s *sharing) *resolution {
	s = &sharing{old: s.old, head: s.head}
	rows := f.NumRows()
	res := &resolution{
		f: f, ids: newIDTable(f), rows: make([]meaning, rows), refs: make([][]Ref, len(f.chunks)), init: make([]int32, rows), next: make([]int32, rows),
		sorts: sortTable{rowOf: map[span32]int{}}, faults: map[int]*source.Diagnostic{}, forNext: forNext{isLoud: make([]bool, len(f.chunks)), sharable: rows},
	}
	res.symbols.init(f)
	r := res.newResolver(s)
	if !r.wholeText() {
		for k, c := range f.chunks {
			res.refs[k] = slices.Repeat([]Ref{NoRef}, len(c.args))
		}
		res.isTangled, res.sharable = true, 0
	} else {
		res.keepHead(s)
		r.readRows()
		r.initCycles()
		r.states()
	}
	res.diags = r.list.Finish()
	return res
}

func (res *resolution) newResolver(s *sharing) *resolver {
	return &resolver{finder: finder{resolution: res, list: findings.NewList(Catalogue), writtenOf: -1}, sharing: s}
}

// readRows goes over all rows that are not known from the version before.
func (r *resolver) readRows() {
	for k := range r.f.chunks {
		if r.isKnown(k) {
			r.top = max(r.top, r.f.chunks[k].top)
			continue
		}
		r.readChunk(k)
		if r.isTangled && r.hasRows {
			return
		}
	}
}

// readChunk reads the rows of a chunk.
func (r *resolver) readChunk(k int) {
	c := r.f.chunks[k]
	refs := make([]Ref, len(c.args))
	for i := range refs {
		refs[i] = NoRef
	}
	r.resolution.refs[k] = refs
	r.chunk, r.loud = c, false
	for i := range c.rows {
		r.n, r.row, r.args = r.f.rows[k]+i, &c.rows[i], c.argsOf(i)
		r.refs, refs = refs[:len(r.args):len(r.args)], refs[len(r.args):]
		r.readRow()
	}
	r.isLoud[k] = r.loud
}

// readRow reads one row.
func (r *resolver) readRow() {
	r.now = meaning{op: r.row.op, sound: true}
	if r.row.odd != 0 {
		r.writing()
	}
	r.number()
	if r.row.name != 0 {
		r.symbol()
	}
	r.rowMeans()
}

// rowMeans works out what the row means, apart from how it is written.
func (r *resolver) rowMeans() {
	if r.row.op != NoOp {
		r.meaning()
	}
	if !r.hasRows {
		r.rows[r.n] = r.now
	} else {
		r.compare()
	}
	if !r.now.sound && r.leavesOpen() {
		r.loud = true
		if r.structural == nil {
			r.structural = r.fault(r.n)
		}
	}
}

// leavesOpen reports whether an error of the row leaves the meaning of the whole text open: that of a constraint, or of
// what a state that is not known starts with or goes to.
func (r *resolver) leavesOpen() bool {
	switch r.row.op {
	case Constraint:
		return true
	case Init, Next:
		return len(r.refs) < 2 || r.refs[1] == NoRef
	}
	return false
}

// makeUnsound changes what a row means that has been read.
func (res *resolution) makeUnsound(row int) {
	if res.rows[row].sound {
		res.rows[row].sound, res.spoiled = false, append(res.spoiled, row)
	}
}

// spoil makes a row before this one unsound because of it.
func (r *resolver) spoil(row int) {
	now := r.rows[row]
	if now.sound {
		r.spoiled = append(r.spoiled, row)
	}
	now.sound = false
	if r.hasRows {
		r.note(row, now)
	} else {
		r.rows[row] = now
	}
	if r.faults[row] == nil {
		r.faults[row] = r.faults[r.n]
	}
}

// fault returns an error because of which a row is not sound, or nil.
func (res *resolution) fault(row int) *source.Diagnostic {
	if row < 0 || row >= len(res.rows) || res.rows[row].sound {
		return nil
	}
	seen := map[int]bool{}
	for stack := []int{row}; len(stack) > 0; {
		last := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if d := res.faults[last]; d != nil {
			return d
		}
		if seen[last] {
			continue
		}
		seen[last] = true
		for _, ref := range res.f.refsOf(res, last) {
			if ref != NoRef && !res.rows[ref.Node()].sound {
				stack = append(stack, ref.Node())
			}
		}
	}
	return nil
}

// refsOf returns the arguments of a row.
func (f *File) refsOf(res *resolution, row int) []Ref {
	k, i := f.placeOf(row)
	c := f.chunks[k]
	from := int(c.rows[i].first)
	return res.refs[k][from : from+len(c.argsOf(i))]
}

// idTable finds the first row that has a number.
type idTable struct {
	dense  []int32 // by number: the row, plus 1
	sorted []idRow // where the numbers are too large for that
}

type idRow struct {
	id  int64
	row int32
}

// maxDense bounds the size of a table by number.
func maxDense(f *File) int64 { return 8*int64(f.NumRows()) + 1<<12 + 1 }

func newIDTable(f *File) idTable {
	largest := int64(0)
	for _, c := range f.chunks {
		largest = max(largest, c.top)
	}
	var t idTable
	if largest < maxDense(f) {
		t.dense = make([]int32, largest+1)
		for k, c := range f.chunks {
			for i := range c.rows {
				if id := c.rows[i].id; id > 0 && t.dense[id] == 0 {
					t.dense[id] = int32(f.rows[k]+i) + 1
				}
			}
		}
		return t
	}
	for k, c := range f.chunks {
		for i := range c.rows {
			if id := c.rows[i].id; id > 0 {
				t.sorted = append(t.sorted, idRow{id, int32(f.rows[k] + i)})
			}
		}
	}
	slices.SortStableFunc(t.sorted, byID)
	return t
}

func byID(a, b idRow) int {
	switch {
	case a.id < b.id:
		return -1
	case a.id > b.id:
		return 1
	}
	return 0
}

// find returns the first row with a number.
func (t *idTable) find(id int64) (row int, ok bool) {
	if t.dense != nil {
		if id <= 0 || id >= int64(len(t.dense)) || t.dense[id] == 0 {
			return 0, false
		}
		return int(t.dense[id]) - 1, true
	}
	at, ok := slices.BinarySearchFunc(t.sorted, idRow{id: id}, byID)
	if !ok {
		return 0, false
	}
	return int(t.sorted[at].row), true
}

// symbolTable finds the first row with a symbol. It is an open hash table of rows, plus 1; of a row that has gone, removed.
type symbolTable struct {
	entries []int32
	hashes  []uint64
	used    int // entries that are not 0
}

const removed = -1

func (t *symbolTable) init(f *File) {
	n := 0
	for _, c := range f.chunks {
		for i := range c.rows {
			if c.rows[i].name != 0 {
				n++
			}
		}
	}
	size := 16
	for size < 2*n {
		size *= 2
	}
	t.entries, t.hashes = make([]int32, size), make([]uint64, size)
}

// hasRoom reports whether so many symbols can be added without a table that is too full.
func (t *symbolTable) hasRoom(n int) bool { return t.used+n < len(t.entries)/4*3 }

// placeOf returns where the row with a symbol stands, or an empty place.
func (t *symbolTable) placeOf(h uint64) int {
	mask := uint64(len(t.entries) - 1)
	at := (h ^ h>>32) & mask
	for t.entries[at] != 0 && (t.hashes[at] != h || t.entries[at] == removed) {
		at = (at + 1) & mask
	}
	return int(at)
}

// find returns the row with a symbol, or -1.
func (t *symbolTable) find(h uint64) int { return int(t.entries[t.placeOf(h)]) - 1 }

// add notes a row with a symbol, unless it is there. It returns an earlier row whose symbol has the same hash, or -1.
func (t *symbolTable) add(row int, h uint64) int {
	at := t.placeOf(h)
	switch first := int(t.entries[at]) - 1; first {
	case -1:
		t.entries[at], t.hashes[at] = int32(row)+1, h
		t.used++
		return -1
	case row:
		return -1
	default:
		return first
	}
}

// remove forgets a row with a symbol.
func (t *symbolTable) remove(row int, h uint64) {
	if at := t.placeOf(h); int(t.entries[at]) == row+1 {
		t.entries[at] = removed
	}
}
