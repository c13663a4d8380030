package blif

import (
	"sync"

	"aiglens/blif/cells"
	"aiglens/blif/statement"
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
	Cells *cells.Genlib
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

// Parse reads a text. It never fails: what is wrong is among the diagnostics.
func (o Options) Parse(text source.Text) *File {
	return newFile(o, statement.Parse(text))
}

// ParseAfter is Parse for a text of which an earlier version is known, unless that is
// nil: its statements are kept where the text is the same.
func (o Options) ParseAfter(before *statement.Tree, text source.Text) *File {
	if before == nil {
		return o.Parse(text)
	}
	head, tail := source.Common(before.Text(), text)
	if head == before.Text().Len() && head == text.Len() {
		return newFile(o, *before)
	}
	t, _, _ := before.Reparse(text, head, tail)
	return newFile(o, t)
}

// Options returns how the file was read.
func (f *File) Options() Options { return f.options }

// WithOptions returns the file read in another way, for example after a model
// of another file has changed. No text is read again.
func (f *File) WithOptions(o Options) *File { return newFile(o, f.Tree) }

func newFile(o Options, t statement.Tree) *File {
	f := &File{options: o}
	f.Tree = t
	f.readStructure = sync.OnceValue(f.structureOf)
	f.inferPorts = sync.OnceFunc(f.inferAllPorts)
	f.findSearched = sync.OnceValue(f.search)
	f.readNames = sync.OnceValue(func() *Resolution {
		r := f.resolve()
		f.known.Store(r)
		return r
	})
	return f
}

// Reparse returns the file of another version of the text. Chunks of
// statements before and after the difference are kept; the result is that of
// Parse.
func (f *File) Reparse(text source.Text) *File {
	head, tail := source.Common(f.Text(), text)
	if head == f.Text().Len() && head == text.Len() {
		return f
	}
	t, r, ok := f.Tree.Reparse(text, head, tail)
	next := newFile(f.options, t)
	if ok && f.known.Load() != nil {
		next.change = &change{f, r, false}
	}
	return next
}

// ReparseWith is Reparse for a version of which the library is another one, too,
// for example after a model of another file has changed. What the names mean is
// not worked out from scratch as long as the models that are instantiated keep
// their ports.
func (f *File) ReparseWith(text source.Text, lib Library) *File {
	next := f.Reparse(text)
	if next == f {
		next = newFile(f.options, f.Tree)
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
