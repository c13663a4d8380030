package blif

import (
	"slices"
	"strings"

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

// maxPropertyCells bounds the $assert cells that are found in instances: models
// that each hold two of the next multiply them.
const maxPropertyCells = 10_000

// maxCellNames bounds the bytes of their names together: cells deep down in a hierarchy
// can have names that are longer than the file.
const maxCellNames = 4 << 20

// cellProperties returns the $assert cells of the top model and of all instances,
// in the order of the text and of the instances in it.
func (f *File) cellProperties(top *Model) []Property {
	w := assertWalk{f: f, open: map[*Model]bool{}, holds: map[*Model]bool{}}
	w.walk(top)
	return w.found
}

// CellsAreMany reports whether the $assert cells are more than are found, or lie too deep.
func (f *File) CellsAreMany() bool {
	ps := f.Properties()
	if len(ps) == 0 || ps[0].Rule != RuleCell {
		return false
	}
	total := 0
	for _, p := range ps {
		total += len(p.Name)
	}
	return len(ps) > maxPropertyCells || total > maxCellNames
}

// assertWalk goes down the hierarchy to the $assert cells. Its stack is its own, for
// hierarchies of any depth.
type assertWalk struct {
	f     *File
	found []Property
	total int             // bytes of their names
	stack []assertVisit   // each is instantiated in the one before
	path  []int           // the instances between them, by position in their models
	names []string        // of these instances
	open  map[*Model]bool // the models in stack
	holds map[*Model]bool // whether there is one in a model or in its instances
}

// assertVisit is a model whose instances are being looked at.
type assertVisit struct {
	model   *Model
	asserts []PropertyCell // those still to come
	next    int            // the instance to look at
	// via is the instance in the top model through which it is reached, or -1 in that
	// model.
	via int
}

// walk takes the instances of a model, and of those below it, in text order.
func (w *assertWalk) walk(top *Model) {
	w.enter(top, -1)
	for len(w.stack) > 0 && len(w.found) <= maxPropertyCells && w.total <= maxCellNames {
		at := &w.stack[len(w.stack)-1]
		f := at.model.File
		calls := f.Resolved().Calls[at.model.Index]
		if at.next == len(calls) {
			w.leave()
			continue
		}
		i, call := at.next, calls[at.next]
		at.next++
		if len(at.asserts) > 0 && at.asserts[0].Statement == call.Statement {
			w.add(f, PlacedCell{at.asserts[0], slices.Clone(w.path)}, at.via)
			at.asserts = at.asserts[1:]
			continue
		}
		other := call.Block.Model
		if other == nil || other.BlackBox || w.open[other] || !w.holdsAssert(other) {
			continue
		}
		via := at.via
		if via < 0 {
			via = call.Statement
		}
		w.path, w.names = append(w.path, i), append(w.names, f.InstanceName(call.Statement))
		w.enter(other, via)
	}
}

func (w *assertWalk) enter(m *Model, via int) {
	w.open[m] = true
	w.stack = append(w.stack, assertVisit{m, m.File.PropertyCells(m, "$assert"), 0, via})
}

func (w *assertWalk) leave() {
	n := len(w.stack) - 1
	delete(w.open, w.stack[n].model)
	w.stack = w.stack[:n]
	if n > 0 {
		w.path, w.names = w.path[:n-1], w.names[:n-1]
	}
}

func (w *assertWalk) add(f *File, cell PlacedCell, via int) {
	own := f.InstanceName(cell.Statement)
	if own == "$assert" && cell.A != 0 {
		own = f.Name(cell.A)
	}
	p := Property{Rule: RuleCell, Kind: "assert", Name: strings.Join(append(w.names, own), "/"), Negated: true, Cell: cell}
	at := w.f.lineOf(via)
	if f == w.f {
		p.Signals, at = cell.Signals(), f.lineOf(cell.Statement)
	}
	p.Span = at
	w.found = append(w.found, p)
	w.total += len(p.Name)
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
	if found, known := w.holds[m]; known {
		return found
	}
	type step struct {
		model *Model
		next  int // the instance to look at
	}
	w.holds[m] = false // it may hold itself
	assert := cells.Builtin("$assert")
	for path := []step{{m, 0}}; len(path) > 0; {
		at := &path[len(path)-1]
		calls := at.model.File.Resolved().Calls[at.model.Index]
		if at.next == len(calls) {
			path = path[:len(path)-1]
			continue
		}
		call := calls[at.next]
		at.next++
		other := call.Block.Model
		if call.Block.Cell == assert || other != nil && w.holds[other] {
			for _, s := range path {
				w.holds[s.model] = true
			}
			return true
		}
		if other == nil || other.BlackBox {
			continue
		}
		if _, known := w.holds[other]; !known {
			w.holds[other] = false
			path = append(path, step{other, 0})
		}
	}
	return false
}
