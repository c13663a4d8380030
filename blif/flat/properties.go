package flat

import (
	"cmp"

	"aiglens/blif"
	"aiglens/blif/statement"
	"aiglens/circuit"
	"aiglens/internal/source"
)

// properties adds outputs, properties and constraints to the circuit.
func (x *elaborator) properties() {
	top := x.e.instances[0].model
	x.f.Outputs(top, func(i int, _ string, s blif.Signal, span source.Span) {
		x.b.Output(x.lit(local(x.f, s)), x.place(x.f, span))
	})
	for _, p := range x.e.properties {
		if x.hasEnded() {
			return
		}
		x.e.roots = append(x.e.roots, x.property(p))
		if p.Rule == blif.RuleCell {
			if fault := x.e.rootFault(p.Cell); fault != nil {
				x.e.rootFaults[p.ID] = fault
			}
		}
	}
	for i := range x.e.instances {
		if x.hasEnded() {
			return
		}
		x.constraints(i)
	}
	if blif.NamesCount(x.e.properties) {
		assumed := x.f.AssumedOutput()
		x.f.Outputs(top, func(_ int, name string, s blif.Signal, span source.Span) {
			if assumed(name) {
				x.constraint(local(x.f, s), false, x.f, span)
			}
		})
	}
}

// property adds one property and returns its nodes.
func (x *elaborator) property(p blif.Property) []uint32 {
	nodes := x.nodesOf(p)
	var lits []circuit.Lit
	for _, node := range nodes {
		lits = append(lits, x.lit(node))
	}
	o := x.place(x.f, p.Span)
	switch {
	case p.ID.Kind == circuit.PropertyOutput: // an output already
	case p.Rule == blif.RuleCell:
		x.cellProperty(p, lits, o)
	case p.Kind == "live":
		x.b.Justice([]circuit.Lit{x.e.monitors.staysZero(x, x.e.name(nodes[0]), lits[0], circuit.True, o)}, o)
	case p.ID.Kind == circuit.PropertyJustice:
		x.b.Justice(lits, o)
	case p.ID.Kind == circuit.PropertyLemma:
		x.b.Lemma(lits[0], o)
	case p.ID.Kind == circuit.PropertyCover:
		x.b.Cover(lits[0], o)
	default:
		x.b.Bad(lits[0].NotIf(p.Negated), o)
	}
	return nodes
}

// cellProperty adds the property of a formal cell, whose A counts where EN is 1. One with an
// open pin, of which there is no verdict, is a property all the same.
func (x *elaborator) cellProperty(p blif.Property, lits []circuit.Lit, o circuit.Origin) {
	a, en := circuit.True, circuit.False
	if len(lits) == 2 {
		a, en = lits[0], lits[1]
	}
	switch p.Kind {
	case "cover":
		x.b.Cover(x.b.And(en, a), o)
	case "live":
		x.b.Justice([]circuit.Lit{x.e.monitors.staysZero(x, p.Name, a, en, o)}, o)
	default:
		x.b.Bad(x.b.And(en, a.Not()), o)
	}
}

// nodesOf returns the nodes of the signals of a property.
func (x *elaborator) nodesOf(p blif.Property) []uint32 {
	var nodes []uint32
	if p.Rule == blif.RuleCell {
		in := x.e.along(p.Cell.Path)
		if in == nil {
			return nil
		}
		for _, s := range p.Cell.Signals() {
			nodes = append(nodes, in.base+uint32(s-in.model.File.Resolved().Bases[in.model.Index]))
		}
		return nodes
	}
	for _, s := range p.Signals {
		nodes = append(nodes, local(x.f, s))
	}
	return nodes
}

// constraint adds a signal that must be 1, or 0 when negated, in every step.
func (x *elaborator) constraint(node uint32, negated bool, f *blif.File, span source.Span) {
	x.e.common = append(x.e.common, node)
	x.e.conditions = append(x.e.conditions, condition{node: node, negated: negated, in: -1})
	x.b.Constraint(x.lit(node).NotIf(negated), x.place(f, span))
}

// constraints adds those of an instance: "# prop: assume", $assume and $fair cells, and
// ABC's .constraint, which is assumed to be 0. "# prop: fair" counts in the top.
func (x *elaborator) constraints(i int) {
	in := &x.e.instances[i]
	f, m := in.model.File, in.model
	r := f.Resolved()
	base := r.Bases[m.Index]
	before := len(x.e.common)
	for _, p := range f.PragmasOf(m) {
		lo, hi := p.Signals(f)
		if lo == hi {
			continue
		}
		node := in.base + uint32(r.Lookup(m.Index, p.Pragma.Names[lo])-base)
		span := f.Text().LineSpan(f.Text().LineAt(f.TokenSpan(p.Chunk, p.Pragma.Tokens[0]).Start))
		switch statement.PragmaKindOf(f.WordOf(p.Chunk, p.Pragma.Tokens[0])) {
		case statement.PragmaAssume:
			x.constraint(node, false, f, span)
		case statement.PragmaFair:
			if i == 0 {
				x.e.fairness = append(x.e.fairness, node)
				x.e.fairWhen = append(x.e.fairWhen, condition{node: node, in: -1})
				x.b.Fairness(x.lit(node), x.place(f, span))
			}
		}
	}
	fairBefore := len(x.e.fairness)
	for _, call := range f.PropertyCells(m, "assume", "fair") {
		kept := &x.e.commonFault
		if call.Kind == "fair" {
			kept = &x.e.fairnessFault
		}
		if diag := in.faults.Faults[call.Statement]; diag != nil || call.A == 0 || call.EN == 0 {
			x.e.blame(kept, in, diag)
			continue
		}
		a, en := in.base+uint32(call.A-base), in.base+uint32(call.EN-base)
		when := condition{cell: f.InstanceName(call.Statement), in: i}
		if when.cell == "$"+call.Kind { // its only name is that of the cell
			when.cell = ""
		}
		o := x.place(f, f.DirectiveSpan(call.Statement))
		if call.Kind == "fair" {
			x.e.fairness, x.e.fairWhen = append(x.e.fairness, a, en), append(x.e.fairWhen, when)
			x.b.Fairness(x.e.monitors.isAnswered(x, x.e.path(i)+cmp.Or(when.cell, f.Name(call.A)), x.lit(a), x.lit(en), o), o)
			continue
		}
		x.e.common, x.e.conditions = append(x.e.common, a, en), append(x.e.conditions, when)
		x.b.Constraint(x.b.Or(x.lit(en).Not(), x.lit(a)), o)
	}
	x.spreadFault(i, x.e.fairness[fairBefore:])
	for id := m.From; id < m.BodyEnd; id++ {
		k, s := f.Locate(id)
		c := f.Chunks[k]
		if next, ok := nextMark(c, s); !ok {
			id = int(f.Firsts[k+1]) - 1
			continue
		} else if next > s {
			id = int(f.Firsts[k]) + next - 1
			continue
		}
		if c.Stmts[s].Kind != statement.KindConstraint {
			continue
		}
		lo, hi := c.TokensOf(s)
		for t := lo + 1; t < hi; t++ {
			x.constraint(in.base+uint32(r.Lookup(m.Index, c.Names[t])-base), true, f, f.TokenSpan(k, c.Tokens[t]))
		}
	}
	x.spreadFault(i, x.e.common[before:])
}

// nextMark returns the first statement of a chunk from s on that is not logic.
func nextMark(c *statement.Chunk, s int) (int, bool) {
	for _, mark := range c.Marks {
		if int(mark) >= s {
			return int(mark), true
		}
	}
	return 0, false
}

// spreadFault spreads an error of an instance statement to the
// constraints and fairness constraints inside it, whose inputs it may have joined wrongly.
func (x *elaborator) spreadFault(i int, nodes []uint32) {
	if diag := x.e.instances[i].around; diag != nil {
		for _, node := range nodes {
			x.fault(node, *diag)
		}
	}
}
