package blif

import (
	"sort"
	"sync"

	"aiglens/internal/source"
)

// Options say how a file is read. The zero Options are those of a file that
// stands alone.
type Options struct {
	// FileName is the base name of the file. A model without a name is called
	// after it.
	FileName string
	// Library finds models of other files; nil for none.
	Library Library
	// Cells is the cell library of .gate and .mlatch; nil for none.
	Cells *Genlib
	// Properties say which outputs are properties.
	Properties PropertyOptions
	// CutUndriven makes free inputs of signals that nothing drives, instead of
	// an error at the properties that depend on them.
	CutUndriven bool
	// OneStep lets all latches step together, whatever their clocks, edges and
	// types are, instead of an error.
	OneStep bool
}

// Parse reads a text with the zero Options.
func Parse(text source.Text) *File { return Options{}.Parse(text) }

// Parse reads a text. It never fails: what is wrong is among the diagnostics.
func (o Options) Parse(text source.Text) *File {
	names := newInterner(text.Len() / 40)
	names.mu.Lock()
	l := lexer{s: text.Content(), names: names}
	l.run(nil)
	names.mu.Unlock()
	return newFile(o, text, names, l.out)
}

// WithOptions returns the file read in another way, for example after a model
// of another file has changed. No text is read again.
func (f *File) WithOptions(o Options) *File { return newFile(o, f.text, f.names, f.chunks) }

func newFile(o Options, text source.Text, names *interner, chunks []*chunk) *File {
	f := &File{options: o, text: text, names: names, chunks: chunks}
	names.mu.Lock()
	f.words = names.list
	names.mu.Unlock()
	f.starts = make([]uint32, len(chunks)+1)
	f.stmts = make([]uint32, len(chunks)+1)
	for i, c := range chunks {
		f.starts[i+1] = f.starts[i] + c.length
		f.stmts[i+1] = f.stmts[i] + uint32(len(c.stmts))
	}
	f.structure = sync.OnceValue(f.readStructure)
	f.resolved = sync.OnceValue(f.resolve)
	f.checked = sync.OnceValue(f.check)
	f.cycles = sync.OnceValue(f.findCycles)
	return f
}

// Reparse returns the file of another version of the text. Chunks of
// statements before and behind the difference are kept; the result is that of
// Parse.
func (f *File) Reparse(text source.Text) *File {
	old, s := f.text.Content(), text.Content()
	head := commonPrefix(old, s)
	if head == len(old) && head == len(s) {
		return f
	}
	if f.names.wasteful(f) {
		return f.options.Parse(text)
	}
	tail := commonSuffix(old[head:], s[head:])
	// The line of the first difference may lose or get a directive, and so may
	// belong to the statement before.
	first := f.chunkAt(head)
	for first > 0 && f.text.LineAt(head) <= f.text.LineAt(int(f.starts[first])) {
		first--
	}
	f.names.mu.Lock()
	l := lexer{s: s, pos: int(f.starts[first]), names: f.names}
	shift := len(s) - len(old)
	next := first
	l.run(func(pos int) bool {
		for next < len(f.chunks) && (int(f.starts[next]) < len(old)-tail || int(f.starts[next])+shift < pos) {
			next++
		}
		return next < len(f.chunks) && next > first && int(f.starts[next])+shift == pos
	})
	if l.pos == len(s) {
		next = len(f.chunks)
	}
	f.names.mu.Unlock()
	chunks := make([]*chunk, 0, len(f.chunks)+len(l.out))
	chunks = append(append(append(chunks, f.chunks[:first]...), l.out...), f.chunks[next:]...)
	return newFile(f.options, text, f.names, chunks)
}

// wasteful reports whether most words are those of texts long gone.
func (t *interner) wasteful(f *File) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.list.bytes) > 2*f.text.Len()+1<<16
}

// chunkAt returns the chunk that holds offset.
func (f *File) chunkAt(offset int) int {
	i := sort.Search(len(f.chunks), func(i int) bool { return int(f.starts[i]) > offset })
	return max(0, i-1)
}

// compareBlock is how many bytes are compared at once.
const compareBlock = 4096

func commonPrefix(a, b string) int {
	n, i := min(len(a), len(b)), 0
	for i+compareBlock <= n && a[i:i+compareBlock] == b[i:i+compareBlock] {
		i += compareBlock
	}
	for i < n && a[i] == b[i] {
		i++
	}
	return i
}

func commonSuffix(a, b string) int {
	n, i := min(len(a), len(b)), 0
	for i+compareBlock <= n && a[len(a)-i-compareBlock:len(a)-i] == b[len(b)-i-compareBlock:len(b)-i] {
		i += compareBlock
	}
	for i < n && a[len(a)-1-i] == b[len(b)-1-i] {
		i++
	}
	return i
}
