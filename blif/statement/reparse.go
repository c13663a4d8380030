package statement

import (
	"sort"

	"aiglens/internal/source"
)

// Parse reads a text from scratch.
func Parse(text source.Text) Tree {
	names := newInterner(text.Len() / 40)
	chunks, _ := names.lex(text.Content())
	return newTree(text, names, chunks)
}

// lex reads the statements of a text. cut says that its last line is continued
// after it.
func (t *interner) lex(s string) (chunks []*Chunk, cut bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	l := lexer{s: s, names: t}
	l.run()
	return l.out, l.cut
}

func newTree(text source.Text, names *interner, chunks []*Chunk) Tree {
	if len(chunks) == 0 { // an empty text
		chunks = []*Chunk{{Stmts: []Stmt{{Kind: KindText}}, Marks: []uint32{0}}}
	}
	t := Tree{text: text, names: names, Chunks: chunks}
	names.mu.Lock()
	t.words = names.list
	names.mu.Unlock()
	t.Starts = make([]uint32, len(chunks)+1)
	t.Firsts = make([]uint32, len(chunks)+1)
	for i, c := range chunks {
		t.Starts[i+1] = t.Starts[i] + uint32(len(c.Text))
		t.Firsts[i+1] = t.Firsts[i] + uint32(len(c.Stmts))
	}
	return t
}

// Replacement says which chunks of a version went and what came in their place.
type Replacement struct {
	First, Last int // the chunks that went: first ≤ k < last
	Read        int // how many came, from first on
}

// Reparse returns the tree of another version of the text, which differs in what
// lies between its first head and its last tail bytes. The chunks before and
// behind stay, unless the words of earlier versions have become too many: then
// the text is read from scratch and ok is false. The tree is that of a text read
// from scratch, but for the numbers of the words.
func (f *Tree) Reparse(text source.Text, head, tail int) (next Tree, r Replacement, ok bool) {
	if f.names.isWasteful(text.Len()) {
		return Parse(text), r, false
	}
	// The line of the first difference may lose or get a directive, and so may
	// belong to the statement before.
	first := f.chunkAt(head)
	for first > 0 && f.text.LineAt(head) <= f.text.LineAt(int(f.Starts[first])) {
		first--
	}
	from, shift := int(f.Starts[first]), text.Len()-f.text.Len()
	last := first + 1 // the first chunk after the difference
	for last < len(f.Chunks) && int(f.Starts[last]) < f.text.Len()-tail {
		last++
	}
	for ; ; last++ {
		region := text.Slice(source.SpanFromTo(from, int(f.Starts[last])+shift))
		if last < len(f.Chunks) && region != "" && region[len(region)-1] != '\n' {
			continue // what was a line of its own is one no more
		}
		read, cut := f.names.lex(region)
		if cut && last < len(f.Chunks) {
			continue // a '\' joins the next statement
		}
		chunks := make([]*Chunk, 0, first+len(read)+len(f.Chunks)-last)
		chunks = append(append(append(chunks, f.Chunks[:first]...), read...), f.Chunks[last:]...)
		next = newTree(text, f.names, chunks)
		// An empty text has a chunk that was not read.
		return next, Replacement{first, last, len(read)}, len(next.Chunks) == len(chunks)
	}
}

// isWasteful reports whether most words are those of texts long gone.
func (t *interner) isWasteful(size int) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.list.bytes) > 2*size+1<<16
}

// chunkAt returns the chunk that holds offset.
func (f *Tree) chunkAt(offset int) int {
	i := sort.Search(len(f.Chunks), func(i int) bool { return int(f.Starts[i]) > offset })
	return max(0, i-1)
}
