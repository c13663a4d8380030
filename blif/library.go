package blif

import (
	"slices"
	"strings"

	"aiglens/blif/cells"
	"aiglens/blif/statement"
)

// Library finds what lies in other files. Its answers must not change while a
// File uses it: after a change the caller makes a new File with WithOptions.
type Library interface {
	// Search returns the file that a .search line names, or nil when there is
	// none. Paths are relative to the folder of the file that holds the line.
	Search(path string) *File
	// Model returns a model that neither the file nor those of its .search
	// lines define, or nil.
	Model(name string) *Model
}

// Reasons is what a Library has besides that can say why it has no file.
type Reasons interface {
	// WhyNot says why Search has no file; "" when there is none of that name.
	WhyNot(path string) string
	// Unread returns the file that is named after a model but cannot be read, and why;
	// "" when there is no such file.
	Unread(model string) (file, why string)
}

// Block is what an instance is made of: a model, or a cell of the library, or
// neither when it is unknown.
type Block struct {
	Model *Model
	Cell  *cells.Cell
}

// IsKnown reports whether there is a model or a cell.
func (b Block) IsKnown() bool { return b.Model != nil || b.Cell != nil }

// Port finds a formal. index counts inputs or outputs.
func (b Block) Port(formal string) (dir cells.Direction, index int, ok bool) {
	switch {
	case b.Model != nil:
		p, ok := b.Model.PortMap()[formal]
		if !ok {
			return cells.Unknown, 0, false
		}
		return p.dir, p.index, true
	case b.Cell != nil:
		return b.Cell.Port(formal)
	}
	return cells.Unknown, 0, true
}

// Name describes a known block in a message.
func (b Block) Name() string {
	if b.Model != nil {
		return "model " + b.Model.Name
	}
	return "cell " + b.Cell.Name
}

// Inputs returns the inputs, the clock of a cell among them; of something unknown
// there are none.
func (b Block) Inputs() []string {
	if b.Model != nil {
		return b.Model.Inputs()
	}
	if b.Cell != nil {
		return b.Cell.Pins()
	}
	return nil
}

// Ports returns the inputs, then the outputs.
func (b Block) Ports() []string {
	switch {
	case b.Model != nil:
		return append(b.Model.Inputs(), b.Model.Outputs()...)
	case b.Cell != nil:
		return append(slices.Clone(b.Cell.Pins()), b.Cell.Output)
	}
	return nil
}

// block finds the model or cell with a name, as an instance of kind k means it.
func (f *File) block(k statement.Kind, name string) Block {
	if k != statement.KindSubckt {
		if cell := f.options.Cells.Cell(name); cell != nil && cell.IsLatch() == (k == statement.KindMlatch) {
			return Block{Cell: cell}
		}
	}
	if k == statement.KindMlatch {
		return Block{}
	}
	if m := f.FindModel(name); m != nil {
		return Block{Model: m}
	}
	return Block{Cell: cells.Builtin(name)}
}

// FindModel finds a model: in the file, in those of its .search lines, in the
// library.
func (f *File) FindModel(name string) *Model {
	if m := f.Model(name); m != nil {
		return m
	}
	lib := f.options.Library
	if lib == nil {
		return nil
	}
	for _, other := range f.findSearched().files {
		if m := other.Model(name); m != nil {
			return m
		}
	}
	return lib.Model(name)
}

// searched is what the .search lines of a file name.
type searched struct {
	files   []*File // each once
	missing bool    // a line names no file
}

// MissesSearch reports whether a .search line names a file that the library has not.
func (f *File) MissesSearch() bool { return f.findSearched().missing }

func (f *File) search() searched {
	var s searched
	if f.options.Library == nil {
		return s
	}
	seen := map[string]bool{}
	for _, ref := range f.Structure().Searches {
		path := f.Text().Slice(f.RefSpan(ref))
		if seen[path] {
			continue
		}
		seen[path] = true
		switch other := f.options.Library.Search(path); {
		case other == nil:
			s.missing = true
		case !slices.Contains(s.files, other):
			s.files = append(s.files, other)
		}
	}
	return s
}

// IsCell reports whether an instance of an unknown model is a black box on
// purpose: a cell of Yosys, or a model that may be in a file that cannot be read.
func (f *File) IsCell(word string) bool {
	return strings.HasPrefix(word, "$") || len(f.Structure().Searches) > 0 && f.options.Library == nil
}
