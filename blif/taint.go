package blif

import (
	"fmt"
	"slices"

	"aiglens/circuit"
	"aiglens/internal/source"
)

// isCut reports whether a node has no driver that can be built, and notes why.
func (x *elaborator) isCut(node uint32, d *driver, in *instance) bool {
	f := in.model.File
	if d.id >= 0 {
		if diag := in.faults.faults[int(d.id)]; diag != nil {
			x.fault(node, *diag)
			return true
		}
	}
	if _, ok := x.e.aliasOf(node); ok && d.kind != driverFaulty {
		return false
	}
	name := f.Name(in.signal(node))
	switch d.kind {
	case driverNames, driverAlias, driverCell:
		return false
	case driverInput:
		if in.parent < 0 {
			return true // a clock that a faulty part reads
		}
		x.missingInput(node, in, name)
	case driverNone:
		x.undriven(node, in, name)
	case driverInstance, driverOpen:
		x.openCut(node, d, in, name)
	case driverFaulty:
		span := f.drivenSpan(f.firstDriver(in.signal(node)), f.resolved().names[in.signal(node)])
		x.fault(node, f.finding(CodeDriversMany, span, name+" has more than one driver"))
	}
	return true
}

// firstDriver returns the first statement that drives a signal.
func (f *File) firstDriver(s Signal) int { return int(f.resolved().driver[s]) - 1 }

// fault notes an error at a node.
func (x *elaborator) fault(node uint32, d source.Diagnostic) {
	if x.e.faults[node] == nil {
		x.e.faults[node] = &fault{&d}
	}
}

func (x *elaborator) missingInput(node uint32, in *instance, name string) {
	parent := &x.e.instances[in.parent]
	span := parent.model.File.directiveSpan(in.call)
	x.e.cuts[node] = parent.model.File.finding(CodeMissingInput, span,
		fmt.Sprintf("input %s of model %s is not connected: it is any value in each step", name, in.model.Name))
}

func (x *elaborator) undriven(node uint32, in *instance, name string) {
	f := in.model.File
	s := in.signal(node)
	span, code := in.model.NameSpan(), CodeUndrivenSignal
	for o := range f.Occurrences(s) {
		if o.Role.reads() {
			span = o.Span
			break
		}
	}
	switch {
	case f.options.CutUndriven || name == openNet:
		x.e.cuts[node] = f.finding(CodeUndrivenCut, span, "nothing drives "+name+": it is any value in each step")
	case len(in.model.tables) > 0:
		x.fault(node, f.finding(CodeKissNoLogic, f.directiveSpan(in.model.tables[0].from),
			"the state table of model "+in.model.Name+" has no latches and logic: encode it before checking"))
	default:
		x.fault(node, f.finding(code, span, "nothing drives "+name))
	}
}

// openCut notes a free input in the place of a black box or $undef, or an error
// where the text does not say that there is one.
func (x *elaborator) openCut(node uint32, d *driver, in *instance, name string) {
	f := in.model.File
	id := int(d.id)
	span := f.directiveSpan(id)
	if name == undefName {
		x.e.cuts[node] = f.finding(CodeUndefinedCut, span, "$undef is any value in each step; other readers take 0")
		return
	}
	if diag, ok := f.missingBody(id); ok {
		x.fault(node, diag)
		return
	}
	if k, i := f.at(id); f.chunks[k].stmts[i].kind.isInstance() {
		if cell := f.instanceOf(k, i).cell; cell != nil {
			if open := f.unconnected(k, i, cell); len(open) > 0 {
				x.e.cuts[node] = f.finding(CodeMissingInput, span, fmt.Sprintf("input %s of cell %s is not connected: %s is any value in each step",
					open[0], cell.Name, name))
				return
			}
		}
	}
	x.e.cuts[node] = f.finding(CodeBlackBoxCut, span,
		fmt.Sprintf("%s comes from the black box %s: it is any value in each step", name, f.InstanceName(id)))
}

// missingBody returns the error of an instance whose outputs nothing describes,
// and which is no black box: its model or cell is not known, or holds itself
// through other files. Options.CutUndriven allows the former.
func (f *File) missingBody(id int) (source.Diagnostic, bool) {
	k, i := f.at(id)
	c := f.chunks[k]
	if !c.stmts[i].kind.isInstance() {
		return source.Diagnostic{}, false
	}
	b := f.instanceOf(k, i)
	lo, _ := c.tokens(i)
	span, word := f.span(k, c.toks[lo+1]), f.word(k, c.toks[lo+1])
	switch {
	case b.model != nil && !b.model.isOpaque():
		return f.finding(CodeRecursion, span, "model "+word+" holds an instance of itself"), true
	case b.isKnown() || f.options.CutUndriven || f.isCell(word):
		return source.Diagnostic{}, false
	case c.stmts[i].kind == KindSubckt:
		return f.finding(CodeUnknownModel, span, "no model "+word+" is known"), true
	}
	return f.finding(CodeUnknownLibrary, span, "the cell library has no cell "+word), f.options.Cells != nil
}

// perhapsDriven notes the errors at nets that have a driver, and that a
// statement with an error may drive besides.
func (x *elaborator) perhapsDriven() {
	for i := range x.e.instances {
		in := &x.e.instances[i]
		for s, ids := range in.body.joined {
			switch in.body.drivers[s].kind {
			case driverNone, driverOpen, driverInput, driverFaulty:
				continue
			}
			for _, id := range ids {
				if diag := in.faults.faults[int(id)]; diag != nil {
					x.fault(in.base+s, *diag)
				} else if diag, ok := in.model.File.missingBody(int(id)); ok {
					x.fault(in.base+s, diag)
				}
			}
		}
	}
}

// cycle notes that the nodes on the stack from op on depend on each other.
func (x *elaborator) cycle(op uint32) {
	from := len(x.open) - 1
	for from > 0 && x.open[from] != op {
		from--
	}
	var nodes []uint32
	for _, node := range x.open[from:] {
		if x.busy[node] {
			nodes = append(nodes, node) // the others wait to be visited
		}
	}
	first := 0
	for i, node := range nodes {
		d, _ := x.e.driver(node)
		if e, _ := x.e.driver(nodes[first]); d.id >= 0 && d.id < e.id {
			first = i
		}
	}
	nodes = append(nodes[first:], nodes[:first]...)
	_, in := x.e.driver(nodes[0])
	x.fault(op, x.e.cycleDiagnostic(in.model.File, nodes))
}

// cycleDiagnostic describes a cycle: nodes[i] depends on nodes[i+1].
func (e *Elaboration) cycleDiagnostic(f *File, nodes []uint32) source.Diagnostic {
	var path string
	for i, node := range nodes {
		if i == 5 && len(nodes) > 6 {
			path += fmt.Sprintf(" (%d more)", len(nodes)-5)
			break
		}
		path += e.name(node) + " → "
	}
	path += e.name(nodes[0])
	d, in := e.driver(nodes[0])
	span := in.model.NameSpan()
	if d.id >= 0 {
		span = f.directiveSpan(int(d.id))
		next := nodes[1%len(nodes)]
		if _, other := e.driver(next); other == in {
			span = f.operandSpan(int(d.id), f.resolved().names[in.signal(next)])
		}
	}
	return f.finding(CodeCycle, span, "combinational cycle "+path)
}

// operandSpan returns the first place in a statement where a name is read;
// else that of the directive.
func (f *File) operandSpan(id int, n name) source.Span {
	k, i := f.at(id)
	for _, o := range f.occurrencesOfStatement(k, i) {
		if o.Role.reads() && f.chunks[k].ids[o.tok] == n {
			return o.Span
		}
	}
	return f.directiveSpan(id)
}

// Fault returns an error that forbids a verdict on p: one of the whole file,
// one in p's cone or in the cone of a constraint, or that the latches of the
// cone do not step together. It is nil when p may be checked. An error of
// another file stands at the instance through which it comes in.
//
// The cone is that of the text, not of the circuit, in which structural
// hashing may have folded an error away.
func (e *Elaboration) Fault(p circuit.Property) *source.Diagnostic {
	if s := e.file.checked().structural; s != nil {
		return s
	}
	if len(e.instances) == 0 {
		return nil
	}
	if e.structural != nil {
		return e.structural
	}
	return e.cone(p).fault
}

// Cuts returns the warnings that belong to a verdict on p: free inputs in p's
// cone for what the text does not describe. They can make a property fail that
// holds, never hold one that fails.
func (e *Elaboration) Cuts(p circuit.Property) []source.Diagnostic {
	if len(e.cuts) == 0 || len(e.instances) == 0 {
		return nil
	}
	return e.cone(p).cuts
}

// cone walks from the nodes of a property and of the constraints to all that
// they depend on.
func (e *Elaboration) cone(p circuit.Property) *coneSearch {
	c := e.newCone()
	if p.Kind == circuit.PropertyJustice {
		for _, node := range e.fairness {
			c.visit(node)
		}
	}
	if f := e.rootFaults[p]; f != nil {
		c.keep(*f)
	}
	for _, node := range e.rootsOf(p) {
		c.visit(node)
	}
	c.run()
	return c
}

// newCone returns a search that begins with the constraints.
func (e *Elaboration) newCone() *coneSearch {
	c := &coneSearch{e: e, seen: make([]bool, len(e.lits)), clocks: map[uint32]bool{}}
	if e.commonFault != nil {
		c.keep(*e.commonFault)
	}
	for _, node := range e.common {
		c.visit(node)
	}
	return c
}

// Whole returns the first error in what the circuit is made of, whether a
// property depends on it or not, and the warnings on its free inputs: all that
// stands between the text and the circuit written in another format.
func (e *Elaboration) Whole() (fault *source.Diagnostic, cuts []source.Diagnostic) {
	if s := e.file.checked().structural; s != nil || len(e.instances) == 0 {
		return s, nil
	}
	if e.structural != nil {
		return e.structural, nil
	}
	c := e.newCone()
	for _, p := range e.properties {
		if f := e.rootFaults[p.ID]; f != nil {
			c.keep(*f)
		}
	}
	for _, list := range append(slices.Clone(e.roots), e.fairness, e.latchOf, e.inputOf, e.instances[0].body.outputs) {
		for _, node := range list {
			c.visit(node)
		}
	}
	c.run()
	return c.fault, c.cuts
}

// rootsOf returns the nodes of a property.
func (e *Elaboration) rootsOf(p circuit.Property) []uint32 {
	for i, q := range e.properties {
		if q.ID == p {
			return e.roots[i]
		}
	}
	if outputs := e.instances[0].body.outputs; p.Kind == circuit.PropertyOutput && p.Index >= 0 && p.Index < len(outputs) {
		return outputs[p.Index : p.Index+1]
	}
	return nil
}

type coneSearch struct {
	e      *Elaboration
	seen   []bool // by node
	todo   []uint32
	fault  *source.Diagnostic
	cuts   []source.Diagnostic
	clock  domain          // of the first latch that has one
	latch  uint32          // that latch
	clocks map[uint32]bool // nodes that clocks come through
}

func (c *coneSearch) visit(node uint32) {
	if !c.seen[node] {
		c.seen[node] = true
		c.todo = append(c.todo, node)
	}
}

func (c *coneSearch) run() {
	e := c.e
	for len(c.todo) > 0 {
		node := c.todo[len(c.todo)-1]
		c.todo = c.todo[:len(c.todo)-1]
		d, in := e.driver(node)
		if f := e.faults[node]; f != nil {
			c.note(in, *f.diag)
		}
		if s := in.faults.structural; s != nil {
			c.note(in, *s)
		}
		if cut, ok := e.cuts[node]; ok && !c.clocks[node] {
			c.cuts = append(c.cuts, e.anchor(in, cut))
		}
		if to, ok := e.aliasOf(node); ok {
			if d.id >= 0 && in.faults.faults[int(d.id)] != nil {
				c.note(in, *in.faults.faults[int(d.id)])
			}
			c.visit(to)
			continue
		}
		if d.kind == driverLatch {
			c.step(node, in)
		}
		for _, op := range in.body.ops[d.from:d.to] {
			c.visit(in.base + op)
		}
	}
}

// note keeps an error of the file of an instance.
func (c *coneSearch) note(in *instance, d source.Diagnostic) { c.keep(c.e.anchor(in, d)) }

// keep keeps the first error in text order.
func (c *coneSearch) keep(d source.Diagnostic) {
	if c.fault == nil || d.Span.Start < c.fault.Span.Start {
		c.fault = &d
	}
}

// anchor returns a diagnostic of the file of an instance as one of the top
// file: it stands at the instance through which the other file comes in.
func (e *Elaboration) anchor(in *instance, d source.Diagnostic) source.Diagnostic {
	if in.model.File == e.file {
		return d
	}
	line, _ := in.model.File.text.LineColumn(d.Span.Start)
	d.Message = fmt.Sprintf("model %s, %s line %d: %s", in.model.Name, in.model.File.fileName(), line, d.Message)
	for in.model.File != e.file {
		parent := &e.instances[in.parent]
		if parent.model.File == e.file {
			d.Span = e.file.directiveSpan(in.call)
		}
		in = parent
	}
	d.Related, d.Fixes = nil, nil
	return d
}

func (f *File) fileName() string {
	if f.options.FileName == "" {
		return "another file"
	}
	return f.options.FileName
}
