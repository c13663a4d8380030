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
	// CutUndriven makes free inputs of signals that nothing drives and of the
	// outputs of instances whose model or cell is not known, instead
	// of an error at the properties that depend on them.
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
	chunks, _ := names.lex(text.Content())
	return newFile(o, text, names, chunks)
}

// lex reads the statements of a text. cut says that its last line is continued
// behind it.
func (t *interner) lex(s string) (chunks []*chunk, cut bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	l := lexer{s: s, names: t}
	l.run()
	return l.out, l.cut
}

// WithOptions returns the file read in another way, for example after a model
// of another file has changed. No text is read again.
func (f *File) WithOptions(o Options) *File { return newFile(o, f.text, f.names, f.chunks) }

func newFile(o Options, text source.Text, names *interner, chunks []*chunk) *File {
	if len(chunks) == 0 { // an empty text
		chunks = []*chunk{{stmts: []stmt{{kind: KindText}}, marks: []uint32{0}}}
	}
	f := &File{options: o, text: text, names: names, chunks: chunks}
	names.mu.Lock()
	f.words = names.list
	names.mu.Unlock()
	f.starts = make([]uint32, len(chunks)+1)
	f.stmts = make([]uint32, len(chunks)+1)
	for i, c := range chunks {
		f.starts[i+1] = f.starts[i] + uint32(len(c.text))
		f.stmts[i+1] = f.stmts[i] + uint32(len(c.stmts))
	}
	f.structure = sync.OnceValue(f.readStructure)
	f.resolved = sync.OnceValue(func() *resolution {
		r := f.resolve()
		f.known.Store(r)
		return r
	})
	f.checked = sync.OnceValue(f.check)
	f.cycles = sync.OnceValue(f.findCycles)
	return f
}

// Reparse returns the file of another version of the text. Chunks of
// statements before and behind the difference are kept; the result is that of
// Parse.
func (f *File) Reparse(text source.Text) *File {
	head, tail := source.Common(f.text, text)
	if head == f.text.Len() && head == text.Len() {
		return f
	}
	if f.names.isWasteful(text.Len()) {
		return f.options.Parse(text)
	}
	// The line of the first difference may lose or get a directive, and so may
	// belong to the statement before.
	first := f.chunkAt(head)
	for first > 0 && f.text.LineAt(head) <= f.text.LineAt(int(f.starts[first])) {
		first--
	}
	from, shift := int(f.starts[first]), text.Len()-f.text.Len()
	last := first + 1 // the first chunk behind the difference
	for last < len(f.chunks) && int(f.starts[last]) < f.text.Len()-tail {
		last++
	}
	for ; ; last++ {
		region := text.Slice(source.SpanFromTo(from, int(f.starts[last])+shift))
		if last < len(f.chunks) && region != "" && region[len(region)-1] != '\n' {
			continue // what was a line of its own is one no more
		}
		read, cut := f.names.lex(region)
		if cut && last < len(f.chunks) {
			continue // a '\' joins the next statement
		}
		chunks := make([]*chunk, 0, first+len(read)+len(f.chunks)-last)
		chunks = append(append(append(chunks, f.chunks[:first]...), read...), f.chunks[last:]...)
		next := newFile(f.options, text, f.names, chunks)
		if f.known.Load() != nil && len(next.chunks) == first+len(read)+len(f.chunks)-last {
			next.change = &change{before: f, first: first, last: last, read: len(read)}
		}
		return next
	}
}

// ReparseWith is Reparse for a version of which the library is another one, too,
// for example after a model of another file has changed. What the names mean is
// not worked out from scratch as long as the models that are instantiated keep
// their ports.
func (f *File) ReparseWith(text source.Text, lib Library) *File {
	next := f.Reparse(text)
	if next == f {
		next = newFile(f.options, f.text, f.names, f.chunks)
		if f.known.Load() != nil {
			next.change = &change{before: f}
		}
	}
	next.options.Library = lib
	if next.change != nil {
		next.change.library = true
	}
	return next
}

// isWasteful reports whether most words are those of texts long gone.
func (t *interner) isWasteful(size int) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.list.bytes) > 2*size+1<<16
}

// chunkAt returns the chunk that holds offset.
func (f *File) chunkAt(offset int) int {
	i := sort.Search(len(f.chunks), func(i int) bool { return int(f.starts[i]) > offset })
	return max(0, i-1)
}
