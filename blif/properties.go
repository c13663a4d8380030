package blif

import (
	"slices"
	"strings"

	"aiglens/circuit"
	"aiglens/internal/source"
)

// Properties returns what there is to check, in text order of the rule that
// applies; see Rule. Lemmas alone leave the rule to the others and come last.
func (f *File) Properties() []Property {
	top := f.Top()
	if top == nil {
		return nil
	}
	said := f.pragmaProperties(top)
	if slices.ContainsFunc(said, func(p Property) bool { return p.Kind != "lemma" }) {
		return numbered(said)
	}
	for _, find := range []func(*Model) []Property{f.cellProperties, f.namedProperties} {
		if ps := find(top); len(ps) > 0 {
			return numbered(append(ps, said...))
		}
	}
	ps := f.outputProperties(top)
	if len(ps) < len(top.portIDs(dirOut)) || len(said) > 0 {
		return numbered(append(ps, said...)) // bads: AIGER would take the other outputs for properties, too
	}
	return ps
}

// numbered gives the properties their positions in the circuit.
func numbered(ps []Property) []Property {
	counts := map[circuit.PropertyKind]int{}
	for i := range ps {
		kind := circuit.PropertyBad
		if ps[i].Kind == "justice" {
			kind = circuit.PropertyJustice
		}
		ps[i].ID = circuit.Property{Kind: kind, Index: counts[kind]}
		counts[kind]++
	}
	return ps
}

func (f *File) pragmaProperties(top *Model) []Property {
	var all []Property
	for _, p := range f.pragmasOf(top) {
		lo, hi := p.signals(f)
		if lo == hi {
			continue
		}
		word := f.word(p.chunk, p.p.toks[0])
		kind := pragmaKinds[word]
		switch kind {
		case pragmaBad, pragmaAssert, pragmaLemma, pragmaJustice:
		default:
			continue
		}
		q := Property{
			Rule: RulePragma, Kind: word, Negated: kind == pragmaAssert || kind == pragmaLemma,
			Span: f.text.LineSpan(f.text.LineAt(f.span(p.chunk, p.p.toks[0]).Start)),
		}
		var names []string
		for i := lo; i < hi; i++ {
			q.Signals = append(q.Signals, f.resolved().lookup(top.Index, p.p.ids[i]))
			names = append(names, f.words.text(p.p.ids[i]))
		}
		q.Name = strings.Join(names, " ")
		if n := len(p.p.toks); hi < n && n > hi {
			if label := strings.Trim(f.word(p.chunk, p.p.toks[n-1]), `"`); label != "" {
				q.Name = label
			}
		}
		all = append(all, q)
	}
	return all
}

// namedProperties returns the outputs whose names match a pattern for bad or
// good signals.
func (f *File) namedProperties(top *Model) []Property {
	o := f.options.Properties.withDefaults()
	var all []Property
	f.outputs(top, func(_ int, name string, s Signal, span source.Span) {
		switch {
		case matchesAny(o.Bad, name):
			all = append(all, Property{Rule: RuleName, Kind: "bad", Name: name, Signals: []Signal{s}, Span: span})
		case matchesAny(o.Assert, name):
			all = append(all, Property{Rule: RuleName, Kind: "assert", Name: name, Signals: []Signal{s}, Negated: true, Span: span})
		}
	})
	return all
}

func (f *File) outputProperties(top *Model) []Property {
	limit := f.options.Properties.OutputLimit
	if limit == 0 {
		limit = 25
	}
	if limit < 0 || !f.options.Properties.Combinational && !f.hasLatches() {
		return nil
	}
	assumed := f.assumedOutput()
	var all []Property
	f.outputs(top, func(i int, name string, s Signal, span source.Span) {
		if !assumed(name) {
			all = append(all, Property{
				ID:   circuit.Property{Kind: circuit.PropertyOutput, Index: i},
				Rule: RuleOutputs, Kind: "output", Name: name, Signals: []Signal{s}, Span: span,
			})
		}
	})
	if len(all) > limit {
		return nil
	}
	return all
}

// assumedOutput returns whether an output is a constraint by its name.
func (f *File) assumedOutput() func(name string) bool {
	o := f.options.Properties.withDefaults()
	return func(name string) bool {
		return matchesAny(o.Assume, name) && !matchesAny(o.Bad, name) && !matchesAny(o.Assert, name)
	}
}

// outputs calls visit for the outputs of a model, with the place of each in
// .outputs; of a model without that line the place of what drives it.
func (f *File) outputs(m *Model, visit func(i int, name string, s Signal, span source.Span)) {
	r := f.resolved()
	for i, id := range m.portIDs(dirOut) {
		s := r.lookup(m.Index, id)
		var span source.Span
		if m.hasPortLines {
			span = f.refSpan(m.outputs[i].ref)
		} else if r.driver[s] != 0 {
			span = f.drivenSpan(int(r.driver[s])-1, id)
		}
		visit(i, f.words.text(id), s, span)
	}
}

// hasLatches reports whether there is a latch in a model of the file, or
// perhaps one in another file.
func (f *File) hasLatches() bool {
	for _, c := range f.chunks {
		for _, st := range c.stmts {
			if st.kind == KindLatch || st.kind == KindMlatch || st.kind == KindFlop {
				return true
			}
		}
	}
	for _, calls := range f.resolved().calls {
		for _, call := range calls {
			if m := call.block.model; m != nil && m.File != f || call.block.cell != nil && call.block.cell.isLatch() {
				return true
			}
		}
	}
	return false
}

func (o PropertyOptions) withDefaults() PropertyOptions {
	if len(o.Bad) == 0 && len(o.Assert) == 0 && len(o.Assume) == 0 {
		o.Bad, o.Assert, o.Assume = DefaultPatterns.Bad, DefaultPatterns.Assert, DefaultPatterns.Assume
	}
	return o
}

func matchesAny(patterns []string, name string) bool {
	for _, p := range patterns {
		if matches(p, name) {
			return true
		}
	}
	return false
}

// matches reports whether a name fits a pattern, in which '*' stands for any
// characters.
func matches(pattern, name string) bool {
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return pattern == name
	}
	if !strings.HasPrefix(name, parts[0]) {
		return false
	}
	name = name[len(parts[0]):]
	for _, part := range parts[1 : len(parts)-1] {
		i := strings.Index(name, part)
		if i < 0 {
			return false
		}
		name = name[i+len(part):]
	}
	return strings.HasSuffix(name, parts[len(parts)-1])
}

// properties adds outputs, properties and constraints to the circuit.
func (x *elaborator) properties() {
	top := x.e.instances[0].model
	x.f.outputs(top, func(i int, _ string, s Signal, span source.Span) {
		x.b.Output(x.lit(x.f.local(s)), x.place(x.f, span))
	})
	for _, p := range x.e.properties {
		x.e.roots = append(x.e.roots, x.property(p))
		if p.Rule == RuleCell {
			if fault := x.e.rootFault(p.cell); fault != nil {
				x.e.rootFaults[p.ID] = fault
			}
		}
	}
	for i := range x.e.instances {
		x.constraints(i)
	}
	if rule := x.e.rule(); rule == RuleName || rule == RuleOutputs {
		assumed := x.f.assumedOutput()
		x.f.outputs(top, func(_ int, name string, s Signal, span source.Span) {
			if assumed(name) {
				x.constraint(x.f.local(s), false, x.f, span)
			}
		})
	}
}

// rule returns the rule that made the properties, 0 for none.
func (e *Elaboration) rule() Rule {
	if len(e.properties) == 0 {
		return 0
	}
	return e.properties[0].Rule
}

// property adds one property and returns its nodes.
func (x *elaborator) property(p Property) []uint32 {
	nodes := x.nodesOf(p)
	var lits []circuit.Lit
	for _, node := range nodes {
		lits = append(lits, x.lit(node))
	}
	o := x.place(x.f, p.Span)
	switch {
	case p.ID.Kind == circuit.PropertyOutput: // an output already
	case p.ID.Kind == circuit.PropertyJustice:
		x.b.Justice(lits, o)
	case len(lits) == 0: // a faulty $assert
		x.b.Bad(circuit.False, o)
	case p.Rule == RuleCell && len(lits) == 2:
		x.b.Bad(x.b.And(lits[1], lits[0].Not()), o)
	default:
		x.b.Bad(lits[0].NotIf(p.Negated), o)
	}
	return nodes
}

// nodesOf returns the nodes of the signals of a property.
func (x *elaborator) nodesOf(p Property) []uint32 {
	var nodes []uint32
	if p.Rule == RuleCell {
		in := x.e.along(p.cell.path)
		if in == nil {
			return nil
		}
		for _, s := range p.cell.signals() {
			nodes = append(nodes, in.base+uint32(s-in.model.File.resolved().bases[in.model.Index]))
		}
		return nodes
	}
	for _, s := range p.Signals {
		nodes = append(nodes, x.f.local(s))
	}
	return nodes
}

// constraint adds a signal that must be 1, or 0 when negated, in every step.
func (x *elaborator) constraint(node uint32, negated bool, f *File, span source.Span) {
	x.e.common = append(x.e.common, node)
	name := x.e.name(node)
	if negated {
		name = "not_" + name
	}
	x.e.conditions = append(x.e.conditions, name)
	x.b.Constraint(x.lit(node).NotIf(negated), x.place(f, span))
}

// constraints adds those of an instance: "# prop: assume", $assume cells and
// ABC's .constraint, which is assumed to be 0. Fairness counts in the top.
func (x *elaborator) constraints(i int) {
	in := &x.e.instances[i]
	f, m := in.model.File, in.model
	r := f.resolved()
	base := r.bases[m.Index]
	before := len(x.e.common)
	for _, p := range f.pragmasOf(m) {
		lo, hi := p.signals(f)
		if lo == hi {
			continue
		}
		node := in.base + uint32(r.lookup(m.Index, p.p.ids[lo])-base)
		span := f.text.LineSpan(f.text.LineAt(f.span(p.chunk, p.p.toks[0]).Start))
		switch pragmaKinds[f.word(p.chunk, p.p.toks[0])] {
		case pragmaAssume:
			x.constraint(node, false, f, span)
		case pragmaFair:
			if i == 0 {
				x.e.fairness = append(x.e.fairness, node)
				x.b.Fairness(x.lit(node), x.place(f, span))
			}
		}
	}
	for _, call := range f.formalCalls(m, "$assume") {
		if diag := in.faults.faults[call.id]; diag != nil || call.a == 0 || call.en == 0 {
			x.e.blame(&x.e.commonFault, in, diag)
			continue
		}
		a, en := in.base+uint32(call.a-base), in.base+uint32(call.en-base)
		x.e.common = append(x.e.common, a, en)
		name := f.InstanceName(call.id)
		if name == "$assume" { // its only name is that of the cell
			name = ""
		} else {
			name = x.e.path(i) + name
		}
		x.e.conditions = append(x.e.conditions, name)
		x.b.Constraint(x.b.Or(x.lit(en).Not(), x.lit(a)), x.place(f, f.directiveSpan(call.id)))
	}
	for id := m.from; id < m.bodyEnd; id++ {
		k, s := f.at(id)
		c := f.chunks[k]
		if next, ok := nextMark(c, s); !ok {
			id = int(f.stmts[k+1]) - 1
			continue
		} else if next > s {
			id = int(f.stmts[k]) + next - 1
			continue
		}
		if c.stmts[s].kind != KindConstraint {
			continue
		}
		lo, hi := c.tokens(s)
		for t := lo + 1; t < hi; t++ {
			x.constraint(in.base+uint32(r.lookup(m.Index, c.ids[t])-base), true, f, f.span(k, c.toks[t]))
		}
	}
	x.taintConstraints(i, x.e.common[before:])
}

// nextMark returns the first statement of a chunk from s on that is no logic.
func nextMark(c *chunk, s int) (int, bool) {
	for _, mark := range c.marks {
		if int(mark) >= s {
			return int(mark), true
		}
	}
	return 0, false
}

// taintConstraints spreads an error of an instance statement to the
// constraints inside it, whose inputs it may have joined wrongly.
func (x *elaborator) taintConstraints(i int, nodes []uint32) {
	for ; i > 0; i = x.e.instances[i].parent {
		in := &x.e.instances[i]
		diag := x.e.instances[in.parent].faults.faults[in.call]
		if diag == nil {
			continue
		}
		for _, node := range nodes {
			x.fault(node, *diag)
		}
	}
}
