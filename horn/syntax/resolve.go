package syntax

import (
	"slices"

	"aiglens/horn"
	"aiglens/internal/findings"
	"aiglens/internal/source"
)

// resolution is what the forms mean together.
type resolution struct {
	file       *File
	readings   []*reading // of each form; nil where a text is not read any more: after exit, or after too much
	globals    map[string]global
	declared   []int // the forms that declare the names of globals, ascending
	preds      []*declaration
	numbers    map[*declaration]horn.Pred
	symbols    []int // symbols[k] are declared in forms before form k; one more entry than forms
	clauses    []horn.Shape
	status     string
	hasRules   bool
	diags      []*source.Diagnostic
	structural *source.Diagnostic
}

// pass makes a resolution of the readings of the forms, most of which are those of an earlier version.
type pass struct {
	*resolution
	list   findings.List
	bodies []horn.Pred // those of all clauses, in one piece
	growth int
	likely likely
	// The first forms of their kind, the last one of statusAt; -1 for none.
	exit, statusAt, logic, started, asserted, question int
	asks, rules                                        int // the first assertion or (check-sat), and the first rule or query
}

// global is a declared name, with the form that declares it first.
type global struct {
	*declaration
	form int
}

// find makes a pass the scope of the form that it reads next.
func (r *pass) find(name string) *declaration { return r.globals[name].declaration }

// resolve works out what the text means. before is the resolution of an earlier version, or nil.
func (f *File) resolve(before *resolution) *resolution {
	n := len(f.forms)
	r := &pass{
		resolution: &resolution{
			file: f, readings: make([]*reading, n), symbols: make([]int, n+1),
			globals: map[string]global{}, numbers: map[*declaration]horn.Pred{},
		},
		list: findings.NewList(Catalogue), exit: -1, statusAt: -1, logic: -1, started: -1, asserted: -1, question: -1, asks: -1, rules: -1,
	}
	if before != nil { // about as much as there was
		r.globals, r.clauses = make(map[string]global, len(before.globals)), make([]horn.Shape, 0, len(before.clauses)+1)
		r.bodies = make([]horn.Pred, 0, 2*len(before.clauses))
	}
	old := newRenewal(before, f.forms)
	for k, form := range f.forms {
		if r.exit < 0 && r.growth <= maxGrowth {
			r.readings[k] = old.reading(r, k)
			r.characters(form, f.starts[k])
			r.add(k, r.readings[k])
		}
		r.symbols[k+1] = r.symbols[k] + r.readings[k].numSymbols()
	}
	r.whole()
	r.diags = r.list.Finish()
	if i := slices.IndexFunc(r.diags, func(d *source.Diagnostic) bool { return d.Severity == source.Error }); i >= 0 {
		r.structural = r.diags[i]
	}
	return r.resolution
}

// renewal says which readings of an earlier version still hold.
type renewal struct {
	before     *resolution
	head, tail int // forms that both versions have, at the start and at the end
	shift      int // by how much the numbers of those at the end differ
	// gone are the declarations of forms that are no more. changed are names whose declarations before the present form
	// can differ from those of the earlier version.
	gone    map[string]*declaration
	changed map[string]bool
}

func newRenewal(before *resolution, forms []*form) *renewal {
	w := &renewal{before: before, gone: map[string]*declaration{}, changed: map[string]bool{}}
	if before == nil {
		return w
	}
	most := min(len(forms), len(before.file.forms))
	for w.head < most && forms[w.head] == before.file.forms[w.head] {
		w.head++
	}
	for w.tail < most-w.head && forms[len(forms)-1-w.tail] == before.file.forms[len(before.file.forms)-1-w.tail] {
		w.tail++
	}
	w.shift = len(forms) - len(before.file.forms)
	for _, x := range before.readings[w.head : len(before.file.forms)-w.tail] {
		if x != nil && x.declares != nil && w.gone[x.declares.name] == nil {
			w.gone[x.declares.name] = x.declares
			w.changed[x.declares.name] = true
		}
	}
	return w
}

// reading returns the reading of form k after the declarations of r: that of the earlier version if it holds.
func (w *renewal) reading(r *pass, k int) *reading {
	var old *reading
	switch {
	case k < w.head:
		if old = w.before.readings[k]; old != nil {
			return old
		}
	case k >= len(r.file.forms)-w.tail:
		old = w.before.readings[k-w.shift]
		if old != nil && (len(w.changed) == 0 || w.holds(r, old)) {
			return old
		}
	}
	x := readForm(r.file.forms[k], r)
	if x.declares == nil {
		return x
	}
	name := x.declares.name
	said := w.gone[name]
	if old != nil {
		said = old.declares
	}
	if said != nil && said.says(x.declares) {
		x.declares = said
	}
	switch {
	case said != x.declares:
		w.changed[name] = true
	case old == nil && r.find(name) == nil: // those after it found the same before
		delete(w.changed, name)
	}
	return x
}

// holds reports whether a reading finds the same declarations after those of r.
func (w *renewal) holds(r *pass, x *reading) bool {
	return !slices.ContainsFunc(x.uses, func(u use) bool { return w.changed[u.name] && r.find(u.name) != u.declaration })
}

// numSymbols returns how many symbols a form declares: nil none.
func (x *reading) numSymbols() int {
	switch {
	case x == nil:
		return 0
	case x.declares != nil:
		return len(x.locals) + 1
	}
	return len(x.locals)
}
