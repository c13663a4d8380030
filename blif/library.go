package blif

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

// block is what an instance is made of: a model, or a cell of the library, or
// neither when it is unknown.
type block struct {
	model *Model
	cell  *Cell
}

func (b block) isKnown() bool { return b.model != nil || b.cell != nil }

// direction says what an instance does with a pin.
type direction uint8

const (
	dirUnknown direction = iota
	dirIn
	dirOut
	dirClock // the control of a latch cell
)

// port finds a formal. index counts inputs or outputs.
func (b block) port(formal string) (dir direction, index int, ok bool) {
	switch {
	case b.model != nil:
		p, ok := b.model.portMap()[formal]
		if !ok {
			return dirUnknown, 0, false
		}
		return p.dir, p.index, true
	case b.cell != nil:
		return b.cell.port(formal)
	}
	return dirUnknown, 0, true
}

// block finds the model or cell with a name, as an instance of kind k means it.
func (f *File) block(k Kind, name string) block {
	if k != KindSubckt {
		if cell := f.options.Cells.cell(name); cell != nil && cell.isLatch() == (k == KindMlatch) {
			return block{cell: cell}
		}
	}
	if k == KindMlatch {
		return block{}
	}
	if m := f.findModel(name); m != nil {
		return block{model: m}
	}
	return block{cell: builtinCell(name)}
}

// findModel finds a model: in the file, in those of its .search lines, in the
// library.
func (f *File) findModel(name string) *Model {
	if m := f.Model(name); m != nil {
		return m
	}
	lib := f.options.Library
	if lib == nil {
		return nil
	}
	for _, path := range f.structure().searches {
		if other := lib.Search(f.text.Slice(f.refSpan(path))); other != nil {
			if m := other.Model(name); m != nil {
				return m
			}
		}
	}
	return lib.Model(name)
}
