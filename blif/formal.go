package blif

import (
	"slices"

	"aiglens/internal/source"
)

// formalCall is an instance of $assert or $assume: its signals, 0 for an open pin.
type formalCall struct {
	id    int
	a, en Signal
}

// signals returns the signals that are connected.
func (c formalCall) signals() []Signal {
	return slices.DeleteFunc([]Signal{c.a, c.en}, func(s Signal) bool { return s == 0 })
}

// formalCalls returns the instances of a formal cell in a model.
func (f *File) formalCalls(m *Model, cell string) []formalCall {
	var all []formalCall
	r := f.resolved()
	wanted := builtinCell(cell)
	for _, call := range r.calls[m.Index] {
		if call.block.cell != wanted {
			continue
		}
		k, i := f.at(call.id)
		c := f.chunks[k]
		lo, hi := c.tokens(i)
		q := formalCall{id: call.id}
		for t := lo + 2; t+1 < hi; t += 2 {
			if c.toks[t+1].length == 0 {
				continue
			}
			switch s := r.lookup(m.Index, c.ids[t+1]); f.words.text(c.ids[t]) {
			case "A":
				q.a = s
			case "EN":
				q.en = s
			}
		}
		all = append(all, q)
	}
	return all
}

// cellProperty is an $assert cell at its place in the hierarchy.
type cellProperty struct {
	formalCall
	path []int // from the top model down: positions among the instances of each model
}

// maxCellProperties bounds the $assert cells that are found in instances: models
// that each hold two of the next multiply them.
const maxCellProperties = 10_000

// tooManyCells leaves a circuit without verdicts where not all $assert cells are
// listed.
func (x *elaborator) tooManyCells() {
	if len(x.e.properties) <= maxCellProperties || x.e.rule() != RuleCell {
		return
	}
	d := x.f.finding(CodeTooLarge, x.f.Top().NameSpan(), "the flattened hierarchy has more than 10,000 $assert cells")
	x.e.structural = &d
}

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
	open  []*Model        // being visited
	holds map[*Model]bool // whether there is one in a model or in its instances
}

// visit takes the instances of a model in text order. via is the instance in the
// top model through which they are reached, or -1 in that model.
func (w *assertWalk) visit(m *Model, path []int, name string, via int) {
	f := m.File
	asserts := f.formalCalls(m, "$assert")
	w.open = append(w.open, m)
	for i, call := range f.resolved().calls[m.Index] {
		if len(w.found) > maxCellProperties {
			break
		}
		if len(asserts) > 0 && asserts[0].id == call.id {
			w.add(f, cellProperty{asserts[0], slices.Clone(path)}, name, via)
			asserts = asserts[1:]
			continue
		}
		other := call.block.model
		if other == nil || other.isOpaque() || slices.Contains(w.open, other) || !w.anyIn(other) {
			continue
		}
		from := via
		if from < 0 {
			from = call.id
		}
		w.visit(other, append(slices.Clip(path), i), name+f.InstanceName(call.id)+"/", from)
	}
	w.open = w.open[:len(w.open)-1]
}

func (w *assertWalk) add(f *File, cell cellProperty, name string, via int) {
	own := f.InstanceName(cell.id)
	if own == "$assert" && cell.a != 0 {
		own = f.Name(cell.a)
	}
	p := Property{Rule: RuleCell, Kind: "assert", Name: name + own, Negated: true, cell: cell}
	at := w.f.lineOf(via)
	if f == w.f {
		p.Signals, at = cell.signals(), f.lineOf(cell.id)
	}
	p.Span = at
	w.found = append(w.found, p)
}

// lineOf returns the line of a directive; an empty span for statement -1.
func (f *File) lineOf(id int) source.Span {
	if id < 0 {
		return source.Span{}
	}
	return f.text.LineSpan(f.text.LineAt(f.directiveSpan(id).Start))
}

// anyIn reports whether a model or one below it holds an $assert.
func (w *assertWalk) anyIn(m *Model) bool {
	any, known := w.holds[m]
	if known {
		return any
	}
	w.holds[m] = false // it may hold itself
	assert := builtinCell("$assert")
	for _, call := range m.File.resolved().calls[m.Index] {
		other := call.block.model
		if call.block.cell == assert || other != nil && !other.isOpaque() && w.anyIn(other) {
			w.holds[m] = true
			return true
		}
	}
	return false
}

// along returns the instance at a path; nil for one that is not there, in a
// hierarchy that is too large.
func (e *Elaboration) along(path []int) *instance {
	at := 0
	for _, i := range path {
		children := e.instances[at].children
		if i >= len(children) || children[i] < 0 {
			return nil
		}
		at = children[i]
	}
	return &e.instances[at]
}

// rootFault returns the error that an $assert cell, or an instance around it, has
// by itself, or nil.
func (e *Elaboration) rootFault(cell cellProperty) *source.Diagnostic {
	var fault *source.Diagnostic
	if in := e.along(cell.path); in != nil {
		e.blame(&fault, in, in.faults.faults[cell.id])
		for ; in.parent >= 0; in = &e.instances[in.parent] {
			parent := &e.instances[in.parent]
			e.blame(&fault, parent, parent.faults.faults[in.call])
		}
	}
	return fault
}

// blame keeps the first error that a formal cell has by itself.
func (e *Elaboration) blame(kept **source.Diagnostic, in *instance, d *source.Diagnostic) {
	if *kept == nil && d != nil {
		anchored := e.anchor(in, *d)
		*kept = &anchored
	}
}
