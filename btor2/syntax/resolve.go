package syntax

import (
	"slices"

	"aiglens/internal/findings"
	"aiglens/internal/source"
)

// resolution is what the rows of a file mean together. It is worked out for all of the file at once, in one pass.
type resolution struct {
	ids   idTable
	ops   []Op     // by row
	sorts []span32 // by row: of the value, of a sort row the sort itself
	sound []bool   // by row
	// refs are the arguments of all rows: those of chunk k start at args[k]. Numbers have NoRef.
	refs []Ref
	args []int
	// init and next are the first such rows of states, by row, plus 1; 0 for none.
	init, next []int32
	usesInput  []bool // by row: an input is in the cone, without what init and next say
	diags      []*source.Diagnostic
	// faults has the first error of each row that is not sound because of an error of its own.
	faults     map[int]*source.Diagnostic
	structural *source.Diagnostic
	f          *File
}

// span32 is a Sort in little room.
type span32 struct{ width, index int32 }

func (s span32) sort() Sort    { return Sort{int(s.width), int(s.index)} }
func (s span32) isArray() bool { return s.index > 0 }
func (s span32) known() bool   { return s.width > 0 }

// resolver goes over the rows of a file.
type resolver struct {
	finder
	symbols symbolTable // rows with a symbol
	late    []int       // init rows whose value stands after the state
}

// finder notes what is wrong with the row at which it is. The fields of the second part are those of this row.
type finder struct {
	*resolution
	list    findings.List
	top     int64          // the largest number so far
	sortRow map[span32]int // the first row of each sort

	n     int // the row
	chunk *chunk
	row   *row
	args  []int64
	refs  []Ref

	written   scan // the row taken apart again, once something is wrong
	start     int  // of its line
	writtenOf int  // its row, or -1
}

// resolve works out what the rows mean together.
func (f *File) resolve() *resolution {
	rows := f.NumRows()
	res := &resolution{
		f:   f,
		ops: make([]Op, rows), sorts: make([]span32, rows), sound: make([]bool, rows), usesInput: make([]bool, rows),
		args: make([]int, len(f.chunks)+1), init: make([]int32, rows), next: make([]int32, rows),
		faults: map[int]*source.Diagnostic{},
	}
	for k, c := range f.chunks {
		res.args[k+1] = res.args[k] + len(c.args)
		for i := range c.rows {
			res.ops[f.rows[k]+i] = c.rows[i].op
		}
	}
	res.refs = make([]Ref, res.args[len(f.chunks)])
	res.ids = newIDTable(f)
	r := resolver{finder: finder{resolution: res, list: findings.NewList(Catalogue), sortRow: map[span32]int{}, writtenOf: -1}}
	r.symbols.init(f)
	if r.wholeText() {
		r.rows()
		r.initCycles()
		r.states()
	}
	res.diags = r.list.Finish()
	return res
}

// rows goes over all rows.
func (r *resolver) rows() {
	for k, c := range r.f.chunks {
		at := r.resolution.args[k]
		for i := range c.rows {
			args := c.argsOf(i)
			r.n, r.chunk, r.row, r.args = r.f.rows[k]+i, c, &c.rows[i], args
			r.refs = r.resolution.refs[at : at+len(args)]
			at += len(args)
			r.readRow()
		}
	}
}

// readRow reads one row.
func (r *resolver) readRow() {
	for i := range r.refs {
		r.refs[i] = NoRef
	}
	r.sound[r.n] = true
	if r.row.odd != 0 {
		r.writing()
	}
	r.number()
	if r.row.name != 0 {
		r.symbol()
	}
	if r.row.op == NoOp {
		return
	}
	r.meaning()
	if !r.sound[r.n] && r.structural == nil {
		r.open()
	}
}

// open notes an error that leaves the meaning of the whole text open: a constraint, or what a state that is not
// known starts with or goes to.
func (r *resolver) open() {
	switch r.row.op {
	case Constraint:
		r.structural = r.fault(r.n)
	case Init, Next:
		if len(r.refs) < 2 || r.refs[1] == NoRef {
			r.structural = r.fault(r.n)
		}
	}
}

// fault returns an error because of which a row is not sound, or nil.
func (res *resolution) fault(row int) *source.Diagnostic {
	if row < 0 || row >= len(res.sound) || res.sound[row] {
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
			if ref != NoRef && !res.sound[ref.Node()] {
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
	from := res.args[k] + int(c.rows[i].first)
	return res.refs[from : from+len(c.argsOf(i))]
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

func newIDTable(f *File) idTable {
	largest := int64(0)
	for _, c := range f.chunks {
		for i := range c.rows {
			largest = max(largest, c.rows[i].id)
		}
	}
	var t idTable
	if largest <= 8*int64(f.NumRows())+1<<12 {
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

// symbolTable finds the first row with a symbol. It is an open hash table of rows, plus 1.
type symbolTable struct {
	f       *File
	entries []int32
	hashes  []uint64
}

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
	t.f, t.entries, t.hashes = f, make([]int32, size), make([]uint64, size)
}

// add notes a row with a symbol. It returns an earlier row whose symbol has the same hash, or -1.
func (t *symbolTable) add(row int, h uint64) int {
	mask := uint64(len(t.entries) - 1)
	for at := (h ^ h>>32) & mask; ; at = (at + 1) & mask {
		switch {
		case t.entries[at] == 0:
			t.entries[at], t.hashes[at] = int32(row)+1, h
			return -1
		case t.hashes[at] == h:
			return int(t.entries[at]) - 1
		}
	}
}
