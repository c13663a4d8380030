package syntax

import (
	"sort"
	"sync"
	"sync/atomic"

	"aiglens/internal/findings"
	"aiglens/internal/source"
)

// File is a BTOR2 file. It is immutable and safe for concurrent use.
//
// A row is a line that is neither blank nor a comment; rows are numbered from 0, and each is the node of its number
// in the model.
type File struct {
	text   source.Text
	chunks []*chunk
	rows   []int // rows[k] is the first row of chunk k; one more entry than chunks
	lines  []int // lines[k] is the first line of chunk k

	resolved func() *resolution
	model    func() *Model

	// known is what the rows mean together once that is worked out. before is that of an earlier version until then.
	known, before atomic.Pointer[resolution]
}

// Parse reads a text. What before, an earlier version, has in common with it is not taken apart again; before may
// be nil.
func Parse(text source.Text, before *File) *File {
	f := &File{text: text}
	var old []*chunk
	if before != nil {
		old = before.chunks
	}
	f.chunks = readChunks(text, old)
	f.rows, f.lines = make([]int, len(f.chunks)+1), make([]int, len(f.chunks)+1)
	for k, c := range f.chunks {
		f.rows[k+1], f.lines[k+1] = f.rows[k]+len(c.rows), f.lines[k]+c.lines
	}
	if before != nil {
		f.before.Store(before.latest())
	}
	f.resolved = sync.OnceValue(f.resolve)
	f.model = sync.OnceValue(f.newModel)
	return f
}

// latest returns what the rows of the version mean together, or those of one before it; nil where none is known.
func (f *File) latest() *resolution {
	before := f.before.Load() // first, since known is there before it goes
	if known := f.known.Load(); known != nil {
		return known
	}
	return before
}

// Reparse reads another version of the text.
func (f *File) Reparse(text source.Text) *File { return Parse(text, f) }

// Text returns the text that was read, unchanged.
func (f *File) Text() source.Text { return f.text }

// NumRows returns the number of rows.
func (f *File) NumRows() int { return f.rows[len(f.chunks)] }

// Diagnostics returns what is wrong with each row and with what it refers to, sorted by place. Of each code there
// are at most a thousand.
func (f *File) Diagnostics() []source.Diagnostic { return findings.Values(f.resolved().diags) }

// Model returns what the text says.
func (f *File) Model() *Model { return f.model() }

// Structural returns the first error that leaves the meaning of the whole text open, or nil.
func (f *File) Structural() *source.Diagnostic { return f.resolved().structural }

// Fault returns an error because of which a node is not sound: one of its row or else one of a row that it uses.
// It returns nil for a sound node.
func (f *File) Fault(node int) *source.Diagnostic { return f.resolved().fault(node) }

// RowFault returns the first error of the row of a node itself, or nil.
func (f *File) RowFault(node int) *source.Diagnostic { return f.resolved().faults[node] }

// RowAt returns the row on a line (from 0).
func (f *File) RowAt(line int) (row int, ok bool) {
	row = f.rowFrom(line)
	return row, row < f.NumRows() && f.LineOf(row) == line
}

// rowFrom returns the first row on a line (from 0) or after it.
func (f *File) rowFrom(line int) int {
	k := max(0, sort.SearchInts(f.lines[1:], line+1))
	if k >= len(f.chunks) {
		if k = len(f.chunks) - 1; k < 0 {
			return 0
		}
	}
	rows := f.chunks[k].rows
	return f.rows[k] + sort.Search(len(rows), func(i int) bool { return f.lines[k]+int(rows[i].line) >= line })
}

// LineOf returns the line (from 0) of a row.
func (f *File) LineOf(row int) int {
	k, i := f.placeOf(row)
	return f.lines[k] + int(f.chunks[k].rows[i].line)
}

// placeOf returns the chunk of a row, and where it stands there.
func (f *File) placeOf(row int) (chunk, index int) {
	k := sort.SearchInts(f.rows, row+1) - 1
	return k, row - f.rows[k]
}

// scan takes the line of a row apart again.
func (f *File) scan(row int) (s scan, start int) {
	line := f.LineOf(row)
	s.read(f.text.Line(line))
	return s, f.text.LineStart(line)
}

// NodeOf returns the node that has an id; the first when there are several.
func (f *File) NodeOf(id int64) (node int, ok bool) { return f.resolved().ids.find(id) }
