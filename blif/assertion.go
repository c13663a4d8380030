package blif

import (
	"slices"

	"aiglens/blif/cells"
	"aiglens/internal/source"
)

// PropertyCell is an instance of $assert or $assume: its signals, 0 for an open pin.
type PropertyCell struct {
	Statement int
	A, EN     Signal
}

// Signals returns the signals that are connected.
func (c PropertyCell) Signals() []Signal {
	return slices.DeleteFunc([]Signal{c.A, c.EN}, func(s Signal) bool { return s == 0 })
}

// PropertyCells returns the instances of $assert or of $assume in a model.
func (f *File) PropertyCells(m *Model, cell string) []PropertyCell {
	var all []PropertyCell
	r := f.Resolved()
	wanted := cells.Builtin(cell)
	for _, call := range r.Calls[m.Index] {
		if call.Block.Cell != wanted {
			continue
		}
		k, i := f.Locate(call.Statement)
		c := f.Chunks[k]
		lo, hi := c.TokensOf(i)
		q := PropertyCell{Statement: call.Statement}
		for t := lo + 2; t+1 < hi; t += 2 {
			if c.Tokens[t+1].Length == 0 {
				continue
			}
			switch s := r.Lookup(m.Index, c.Names[t+1]); f.NameText(c.Names[t]) {
			case "A":
				q.A = s
			case "EN":
				q.EN = s
			}
		}
		all = append(all, q)
	}
	return all
}

// PlacedCell is an $assert cell at its place in the hierarchy.
type PlacedCell struct {
	PropertyCell
	Path []int // from the top model down: positions among the instances of each model
}

// MaxPropertyCells bounds the $assert cells that are found in instances: models
// that each hold two of the next multiply them.
const MaxPropertyCells = 10_000

// cellProperties returns the $assert cells of the top model and of all instances,
// in the order of the text and of the instances in it.
func (f *File) cellProperties(top *Model) []Property {
	w := assertWalk{f: f, holds: map[*Model]bool{}}
	w.visit(top, nil, "", -1)
	return w.found
}

// assertWalk goes down the hierarchy to the $assert cells.
type assertWalk struct {
	f     *File
	found []Property
	open  []*Model        // being visited: each is instantiated in the one before
	holds map[*Model]bool // whether there is one in a model or in its instances
}

// visit takes the instances of a model in text order. via is the instance in the
// top model through which they are reached, or -1 in that model.
func (w *assertWalk) visit(m *Model, path []int, name string, via int) {
	f := m.File
	asserts := f.PropertyCells(m, "$assert")
	w.open = append(w.open, m)
	for i, call := range f.Resolved().Calls[m.Index] {
		if len(w.found) > MaxPropertyCells {
			break
		}
		if len(asserts) > 0 && asserts[0].Statement == call.Statement {
			w.add(f, PlacedCell{asserts[0], slices.Clone(path)}, name, via)
			asserts = asserts[1:]
			continue
		}
		other := call.Block.Model
		if other == nil || other.BlackBox || slices.Contains(w.open, other) || !w.holdsAssert(other) {
			continue
		}
		from := via
		if from < 0 {
			from = call.Statement
		}
		w.visit(other, append(slices.Clip(path), i), name+f.InstanceName(call.Statement)+"/", from)
	}
	w.open = w.open[:len(w.open)-1]
}

func (w *assertWalk) add(f *File, cell PlacedCell, name string, via int) {
	own := f.InstanceName(cell.Statement)
	if own == "$assert" && cell.A != 0 {
		own = f.Name(cell.A)
	}
	p := Property{Rule: RuleCell, Kind: "assert", Name: name + own, Negated: true, Cell: cell}
	at := w.f.lineOf(via)
	if f == w.f {
		p.Signals, at = cell.Signals(), f.lineOf(cell.Statement)
	}
	p.Span = at
	w.found = append(w.found, p)
}

// lineOf returns the line of a directive; an empty span for statement -1.
func (f *File) lineOf(id int) source.Span {
	if id < 0 {
		return source.Span{}
	}
	return f.Text().LineSpan(f.Text().LineAt(f.DirectiveSpan(id).Start))
}

// holdsAssert reports whether a model or one below it holds an $assert.
func (w *assertWalk) holdsAssert(m *Model) bool {
	found, known := w.holds[m]
	if known {
		return found
	}
	w.holds[m] = false // it may hold itself
	assert := cells.Builtin("$assert")
	for _, call := range m.File.Resolved().Calls[m.Index] {
		other := call.Block.Model
		if call.Block.Cell == assert || other != nil && !other.BlackBox && w.holdsAssert(other) {
			w.holds[m] = true
			return true
		}
	}
	return false
}
