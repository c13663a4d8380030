package blif

import (
	"slices"
	"strings"

	"aiglens/internal/source"
)

// PropertyCell is an instance of a formal cell: its signals, 0 for an open pin.
type PropertyCell struct {
	Kind      string // the name of the cell without its $
	Statement int
	A, EN     Signal
}

// Signals returns the signals that are connected.
func (c PropertyCell) Signals() []Signal {
	return slices.DeleteFunc([]Signal{c.A, c.EN}, func(s Signal) bool { return s == 0 })
}

// checkedCells are the kinds of formal cells that are something to check. The others, assume
// and fair, say which runs there are.
var checkedCells = []string{"assert", "live", kindCover}

// cellKind returns the kind of formal cell that an instance is of, "" for another instance.
func cellKind(b Block) string {
	if b.Cell == nil || !b.Cell.IsProperty() {
		return ""
	}
	return b.Cell.Name[1:]
}

// PropertyCells returns the formal cells of some kinds in a model.
func (f *File) PropertyCells(m *Model, kinds ...string) []PropertyCell {
	var all []PropertyCell
	r := f.Resolved()
	for _, call := range r.Calls[m.Index] {
		kind := cellKind(call.Block)
		if !slices.Contains(kinds, kind) {
			continue
		}
		k, i := f.Locate(call.Statement)
		c := f.Chunks[k]
		lo, hi := c.TokensOf(i)
		q := PropertyCell{Kind: kind, Statement: call.Statement}
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

// PlacedCell is a formal cell at its place in the hierarchy.
type PlacedCell struct {
	PropertyCell
	Path []int // from the top model down: positions among the instances of each model
}

// maxPropertyCells bounds the formal cells that are found in instances: models
// that each hold two of the next multiply them.
const maxPropertyCells = 10_000

// maxCellNames bounds the bytes of their names together: cells deep down in a hierarchy
// can have names that are longer than the file.
const maxCellNames = 4 << 20

// cellProperties returns the formal cells to check of the top model and of all instances,
// in the order of the text and of the instances in it.
func (f *File) cellProperties(top *Model) []Property {
	w := cellWalk{f: f, open: map[*Model]bool{}, holds: map[*Model]bool{}}
	w.walk(top)
	return w.found
}

// CellsAreMany reports whether the formal cells are more than are found, or lie too deep.
func (f *File) CellsAreMany() bool {
	n, total := 0, 0
	for _, p := range f.Properties() {
		if p.Rule == RuleCell {
			n, total = n+1, total+len(p.Name)
		}
	}
	return n > maxPropertyCells || total > maxCellNames
}

// cellWalk goes down the hierarchy to the formal cells. Its stack is its own, for
// hierarchies of any depth.
type cellWalk struct {
	f     *File
	found []Property
	total int             // bytes of their names
	stack []cellVisit     // each is instantiated in the one before
	path  []int           // the instances between them, by position in their models
	names []string        // of these instances
	open  map[*Model]bool // the models in stack
	holds map[*Model]bool // whether there is a formal cell to check in a model or in its instances
}

// cellVisit is a model whose instances are being looked at.
type cellVisit struct {
	model *Model
	cells []PropertyCell // those still to come
	next  int            // the instance to look at
	// via is the instance in the top model through which it is reached, or -1 in that
	// model.
	via int
}

// walk takes the instances of a model, and of those below it, in text order.
func (w *cellWalk) walk(top *Model) {
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
		if len(at.cells) > 0 && at.cells[0].Statement == call.Statement {
			w.add(f, PlacedCell{at.cells[0], slices.Clone(w.path)}, at.via)
			at.cells = at.cells[1:]
			continue
		}
		other := call.Block.Model
		if other == nil || other.BlackBox || w.open[other] || !w.holdsCell(other) {
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

func (w *cellWalk) enter(m *Model, via int) {
	w.open[m] = true
	w.stack = append(w.stack, cellVisit{m, m.File.PropertyCells(m, checkedCells...), 0, via})
}

func (w *cellWalk) leave() {
	n := len(w.stack) - 1
	delete(w.open, w.stack[n].model)
	w.stack = w.stack[:n]
	if n > 0 {
		w.path, w.names = w.path[:n-1], w.names[:n-1]
	}
}

func (w *cellWalk) add(f *File, cell PlacedCell, via int) {
	own := f.InstanceName(cell.Statement)
	if own == "$"+cell.Kind && cell.A != 0 {
		own = f.Name(cell.A)
	}
	p := Property{Rule: RuleCell, Kind: cell.Kind, Name: strings.Join(append(w.names, own), "/"), Negated: cell.Kind == "assert", Cell: cell}
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

// holdsCell reports whether a model or one below it holds a formal cell to check.
func (w *cellWalk) holdsCell(m *Model) bool {
	if found, known := w.holds[m]; known {
		return found
	}
	type step struct {
		model *Model
		next  int // the instance to look at
	}
	w.holds[m] = false // it may hold itself
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
		if slices.Contains(checkedCells, cellKind(call.Block)) || other != nil && w.holds[other] {
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
