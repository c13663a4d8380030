package diagnose

import (
	"aiglens/blif"
	"aiglens/blif/cells"
	"aiglens/blif/statement"
	"aiglens/internal/source"
)

// reach finds the signals on which a property or a constraint of the file may depend. It
// takes the hierarchy model by model and not instance by instance: an instance of which
// anything counts counts as a whole. So a signal that is left out is in no cone, and
// one that is found is in one at most.
type reach struct {
	f      *blif.File
	r      *blif.Resolution
	seen   []bool                // by signal
	done   map[int]bool          // by statement
	whole  []bool                // by model: its outputs and instances count
	extra  map[blif.Signal][]int // drivers but the first
	below  map[int]*blif.Model   // by statement: the model of an instance, where it is one of the file
	places map[*blif.Model][]int // the instances of these models
	todo   []blif.Signal
}

// reached returns by signal whether a property may depend on it. It is nil where a file has no property: then
// all that it says counts.
func reached(f *blif.File) []bool {
	properties := f.Properties()
	if len(properties) == 0 {
		return nil
	}
	r := f.Resolved()
	x := &reach{
		f: f, r: r, seen: make([]bool, len(r.Names)), done: map[int]bool{}, whole: make([]bool, len(f.Models())),
		extra: map[blif.Signal][]int{}, below: map[int]*blif.Model{}, places: map[*blif.Model][]int{},
	}
	for _, e := range r.Extra {
		x.extra[e.Signal] = append(x.extra[e.Signal], e.Statement)
	}
	for _, calls := range r.Calls {
		for _, call := range calls {
			if below := call.Block.Model; below != nil && below.File == f {
				x.below[call.Statement] = below
				x.places[below] = append(x.places[below], call.Statement)
			}
		}
	}
	x.roots(properties)
	for len(x.todo) > 0 {
		s := x.todo[len(x.todo)-1]
		x.todo = x.todo[:len(x.todo)-1]
		x.model(f.SignalModel(s))
		if id, ok := f.Driver(s); ok {
			x.statement(id)
		}
		for _, id := range x.extra[s] {
			x.statement(id)
		}
	}
	return x.seen
}

// roots visits what properties and constraints are made of. What another file holds may
// be any of these.
func (x *reach) roots(properties []blif.Property) {
	for _, p := range properties {
		if p.Rule != blif.RuleCell {
			x.signals(p.Signals...)
		}
	}
	top, isAssumed := x.f.Top(), x.f.AssumedOutput()
	x.f.Outputs(top, func(_ int, name string, s blif.Signal, _ source.Span) {
		if isAssumed(name) {
			x.signals(s)
		}
	})
	for k, c := range x.f.Chunks {
		for _, i := range c.Marks {
			if c.Stmts[i].Kind == statement.KindConstraint {
				x.statement(int(x.f.Firsts[k]) + int(i))
			}
		}
	}
	for _, m := range x.f.Models() {
		for _, p := range x.f.PragmasOf(m) {
			for _, n := range p.Pragma.Names {
				x.signals(x.r.Lookup(m.Index, n))
			}
		}
		for _, call := range x.r.Calls[m.Index] {
			block := call.Block
			if block.Cell != nil && block.Cell.IsProperty() || block.Model != nil && block.Model.File != x.f {
				x.statement(call.Statement)
			}
		}
		if m != top && len(x.places[m]) == 0 {
			x.model(m) // another file may use it
		}
	}
}

func (x *reach) signals(all ...blif.Signal) {
	for _, s := range all {
		if s != 0 && int(s) < len(x.seen) && !x.seen[s] {
			x.seen[s] = true
			x.todo = append(x.todo, s)
		}
	}
}

// model has a model count in all its instances. Of the top model, which has none, only what its properties read counts.
func (x *reach) model(m *blif.Model) {
	if m == nil || x.whole[m.Index] || m == x.f.Top() && len(x.places[m]) == 0 {
		return
	}
	x.whole[m.Index] = true
	for _, n := range m.PortNames(cells.Output) {
		x.signals(x.r.Lookup(m.Index, n))
	}
	for _, id := range x.places[m] {
		x.statement(id)
	}
}

// statement visits all that a statement names, and the model of an instance.
func (x *reach) statement(id int) {
	m := x.f.ModelAt(id)
	if m == nil || x.done[id] {
		return
	}
	x.done[id] = true
	k, i := x.f.Locate(id)
	c := x.f.Chunks[k]
	lo, hi := c.TokensOf(i)
	for _, n := range c.Names[lo:hi] {
		x.signals(x.r.Lookup(m.Index, n))
	}
	if below := x.below[id]; below != nil {
		x.model(below)
	}
	x.model(m)
}
