package flat

import (
	"fmt"

	"aiglens/blif"
	"aiglens/blif/cells"
	"aiglens/blif/codes"
	"aiglens/blif/diagnose"
	"aiglens/blif/netlist"
	"aiglens/blif/statement"
	"aiglens/internal/source"
)

// unconnected returns the inputs of a cell that an instance leaves open or does
// not name. The old value of a flip-flop with enable, its own output, is none.
func unconnected(f *blif.File, k, i int, cell *cells.Cell) []string {
	c := f.Chunks[k]
	lo, hi := c.TokensOf(i)
	var open []string
	for _, pin := range cell.Pins() {
		joined := pin == cell.Output
		for t := lo + 2; t+1 < hi && !joined; t += 2 {
			joined = c.Word(c.Tokens[t]) == pin && c.Tokens[t+1].Length > 0
		}
		if !joined {
			open = append(open, pin)
		}
	}
	return open
}

// isCut reports whether a node has no driver that can be built, and notes why.
func (x *elaborator) isCut(node uint32, d *netlist.Driver, in *instance) bool {
	f := in.model.File
	if d.Statement >= 0 {
		if diag := in.faults.Faults[int(d.Statement)]; diag != nil {
			x.fault(node, *diag)
			return true
		}
	}
	if _, ok := x.e.aliasOf(node); ok && d.Kind != netlist.DriverFaulty {
		return false
	}
	name := f.Name(in.signal(node))
	switch d.Kind {
	case netlist.DriverNames, netlist.DriverAlias, netlist.DriverCell, netlist.DriverFalse, netlist.DriverTrue:
		return false
	case netlist.DriverInput:
		if in.parent < 0 {
			return true // a clock that a faulty part reads
		}
		x.missingInput(node, in, name)
	case netlist.DriverFree: // the text says so
	case netlist.DriverNone:
		x.undriven(node, in, name)
	case netlist.DriverInstance, netlist.DriverOpen:
		x.openCut(node, d, in, name)
	case netlist.DriverFaulty:
		x.fault(node, x.manyDrivers(f, in.signal(node)))
	}
	return true
}

// firstDriver returns the first statement that drives a signal.
func firstDriver(f *blif.File, s blif.Signal) int { return int(f.Resolved().Driver[s]) - 1 }

// manyDrivers is the first error that the text of the model has about the drivers of a
// signal.
func (x *elaborator) manyDrivers(f *blif.File, s blif.Signal) source.Diagnostic {
	r := f.Resolved()
	if x.second == nil {
		x.second = map[*blif.File]map[blif.Signal]int{}
	}
	second, known := x.second[f]
	if !known {
		second = make(map[blif.Signal]int, len(r.Extra))
		for _, e := range r.Extra {
			if _, had := second[e.Signal]; !had {
				second[e.Signal] = e.Statement
			}
		}
		x.second[f] = second
	}
	id, ok := second[s]
	if r.Facts[s]&(blif.FactInput|blif.FactClock) != 0 {
		if !ok {
			id = firstDriver(f, s)
		}
		return diagnose.InputDriven(f, s, f.DrivenSpan(id, r.Names[s]))
	}
	if ok {
		return codes.Finding(codes.DriversMany, f.DrivenSpan(id, r.Names[s]), f.Name(s)+" has another driver already")
	}
	return codes.Finding(codes.DriversMany, f.DrivenSpan(firstDriver(f, s), r.Names[s]), f.Name(s)+" has more than one driver")
}

// fault notes an error at a node.
func (x *elaborator) fault(node uint32, d source.Diagnostic) {
	if x.e.faults[node] == nil {
		x.e.faults[node] = &fault{&d}
	}
}

func (x *elaborator) missingInput(node uint32, in *instance, name string) {
	parent := &x.e.instances[in.parent]
	span := parent.model.File.DirectiveSpan(in.call)
	x.e.cuts[node] = codes.Finding(codes.MissingInput, span,
		fmt.Sprintf("input %s of model %s is not connected: it may have any value in each step", name, in.model.Name))
}

func (x *elaborator) undriven(node uint32, in *instance, name string) {
	f := in.model.File
	s := in.signal(node)
	span := x.firstRead(in, s)
	switch {
	case f.Options().CutUndriven || name == blif.OpenNet:
		x.e.cuts[node] = codes.Finding(codes.UndrivenCut, span, "nothing drives "+name+": it may have any value in each step")
	case len(in.model.Tables) > 0:
		x.fault(node, codes.Finding(codes.KissNoLogic, f.DirectiveSpan(in.model.Tables[0].From),
			"the state table of model "+in.model.Name+" has no latches and logic: encode it before checking"))
	default:
		x.fault(node, codes.Finding(codes.UndrivenSignal, span, "nothing drives "+name))
	}
}

// firstRead returns the first place that reads a signal, else the name of its model.
func (x *elaborator) firstRead(in *instance, s blif.Signal) source.Span {
	for o := range in.model.File.Occurrences(s) {
		if o.Role.Reads() {
			return o.Span
		}
	}
	return in.model.NameSpan()
}

// openCut notes a free input in the place of a black box or $undef, or an error
// where the text does not say that there is one.
func (x *elaborator) openCut(node uint32, d *netlist.Driver, in *instance, name string) {
	f := in.model.File
	id := int(d.Statement)
	if name == blif.UndefNet {
		span := x.firstRead(in, in.signal(node))
		if id >= 0 {
			span = f.DirectiveSpan(id)
		}
		x.e.cuts[node] = codes.Finding(codes.UndefinedCut, span, "$undef may have any value in each step; other readers take 0")
		return
	}
	span := f.DirectiveSpan(id)
	if diag, ok := missingBody(f, id); ok {
		x.fault(node, diag)
		return
	}
	if k, i := f.Locate(id); f.Chunks[k].Stmts[i].Kind.IsInstance() {
		if cell := f.InstanceOf(k, i).Cell; cell != nil {
			if open := unconnected(f, k, i, cell); len(open) > 0 {
				x.e.cuts[node] = codes.Finding(codes.MissingInput, span, fmt.Sprintf("input %s of cell %s is not connected: %s may have any value in each step",
					open[0], cell.Name, name))
				return
			}
		}
	}
	x.e.cuts[node] = codes.Finding(codes.BlackBoxCut, span,
		fmt.Sprintf("%s comes from the black box %s: it may have any value in each step", name, boxName(f, id)))
}

// boxName names the black box of a statement: its model, and the instance if that
// has a name of its own.
func boxName(f *blif.File, id int) string {
	k, i := f.Locate(id)
	c := f.Chunks[k]
	lo, hi := c.TokensOf(i)
	if !c.Stmts[i].Kind.IsInstance() || hi-lo < 2 {
		return f.InstanceName(id)
	}
	box := f.WordOf(k, c.Tokens[lo+1])
	if name, ok := f.Cname(id); ok {
		box += " (" + name + ")"
	}
	return box
}

// missingBody returns the error of an instance whose outputs nothing describes,
// and which is not a black box: its model or cell is not known, or holds itself
// through other files. Options.CutUndriven allows the former.
func missingBody(f *blif.File, id int) (source.Diagnostic, bool) {
	k, i := f.Locate(id)
	c := f.Chunks[k]
	if !c.Stmts[i].Kind.IsInstance() {
		return source.Diagnostic{}, false
	}
	b := f.InstanceOf(k, i)
	lo, _ := c.TokensOf(i)
	span, word := f.TokenSpan(k, c.Tokens[lo+1]), f.WordOf(k, c.Tokens[lo+1])
	switch {
	case b.Model != nil && !b.Model.BlackBox:
		return codes.Finding(codes.Recursion, span, diagnose.HoldsItself(f.ModelAt(id), b.Model)), true
	case b.IsKnown() || f.Options().CutUndriven || f.IsCell(word):
		return source.Diagnostic{}, false
	case c.Stmts[i].Kind == statement.KindSubckt:
		return codes.Finding(codes.UnknownModel, span, "no model "+word+" is known"), true
	}
	return codes.Finding(codes.UnknownLibrary, span, "the cell library has no cell "+word), f.Options().Cells != nil
}

// perhapsDriven notes the errors at nets that have a driver, and that a
// statement with an error may drive besides.
func (x *elaborator) perhapsDriven() {
	for i := range x.e.instances {
		in := &x.e.instances[i]
		for s, ids := range in.body.Joined {
			switch in.body.Drivers[s].Kind {
			case netlist.DriverNone, netlist.DriverOpen, netlist.DriverInput, netlist.DriverFaulty:
				continue
			}
			for _, id := range ids {
				if diag := in.faults.Faults[int(id)]; diag != nil {
					x.fault(in.base+s, *diag)
				} else if diag, ok := missingBody(in.model.File, int(id)); ok {
					x.fault(in.base+s, diag)
				}
			}
		}
	}
}

// maxCycles is how many cycles are described by the nodes on them: to look for those of
// very many takes longer than anybody waits.
const maxCycles = 100

// cycle notes that the nodes on the stack from op on depend on each other.
func (x *elaborator) cycle(op uint32) {
	if x.cycles++; x.cycles > maxCycles {
		d, in := x.e.driver(op)
		span := in.model.NameSpan()
		if d.Statement >= 0 {
			span = in.model.File.DirectiveSpan(int(d.Statement))
		}
		x.fault(op, codes.Finding(codes.Cycle, span, "combinational cycle through "+x.e.label(op)))
		return
	}
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
		if e, _ := x.e.driver(nodes[first]); d.Statement >= 0 && d.Statement < e.Statement {
			first = i
		}
	}
	nodes = append(nodes[first:], nodes[:first]...)
	_, in := x.e.driver(nodes[0])
	x.fault(op, x.e.cycleDiagnostic(in.model.File, nodes))
}

// cycleDiagnostic describes a cycle: nodes[i] depends on nodes[i+1].
func (e *Elaboration) cycleDiagnostic(f *blif.File, nodes []uint32) source.Diagnostic {
	var path string
	for i, node := range nodes {
		if i == 5 && len(nodes) > 6 {
			path += fmt.Sprintf(" (%d more)", len(nodes)-5)
			break
		}
		path += e.label(node) + " → "
	}
	path += e.label(nodes[0])
	d, in := e.driver(nodes[0])
	span := in.model.NameSpan()
	if d.Statement >= 0 {
		span = f.DirectiveSpan(int(d.Statement))
		next := nodes[1%len(nodes)]
		if _, other := e.driver(next); other == in {
			span = f.OperandSpan(int(d.Statement), f.Resolved().Names[in.signal(next)])
		}
	}
	return codes.Finding(codes.Cycle, span, "combinational cycle "+path)
}
