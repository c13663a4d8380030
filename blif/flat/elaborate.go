package flat

import (
	"context"
	"sort"

	"aiglens/blif"
	"aiglens/blif/diagnose"
	"aiglens/blif/netlist"
	"aiglens/circuit"
	"aiglens/internal/source"
)

// Elaboration is the circuit of the top model of a File, its hierarchy
// flattened. What is faulty is cut: a signal without a sound driver becomes an
// additional input after those of the model, so that there is always a
// circuit. Fault says which properties that affects.
//
// The circuit has
//
//   - the inputs of the top model in order, without clocks that only control latches,
//   - the latches of the top model and then those of its instances, level by level,
//   - all outputs of the top model in order,
//   - the properties of File.Properties.
//
// Some inputs and latches stand for no net: see monitors.
type Elaboration struct {
	Circuit *circuit.Circuit

	file      *blif.File
	instances []instance
	lits      []circuit.Lit // by node
	alias     []uint32      // by node: 1 + the node that it is joined to, or 0
	faults    map[uint32]*fault
	cuts      map[uint32]source.Diagnostic // by node: free inputs that the text does not call so
	places    []Place                      // by Origin-1
	roots     [][]uint32                   // by property of File.Properties: its nodes
	common    []uint32                     // nodes of the constraints
	// commonFault is the error of an $assume cell, which is then no constraint of
	// the circuit, fairnessFault that of a $fair cell; rootFaults are the errors of cells
	// that are properties.
	commonFault   *source.Diagnostic
	fairnessFault *source.Diagnostic
	rootFaults    map[circuit.Property]*source.Diagnostic
	fairness      []uint32        // nodes of the fairness constraints
	conditions    []condition     // by constraint of the circuit
	fairWhen      []condition     // by fairness constraint of the circuit
	latchOf       []uint32        // by latch of the circuit: its node; further ones stand for none
	inputOf       []uint32        // by input of the circuit: its node, or noNode
	unstarted     map[uint32]bool // the latches without an initial value: whether they are cells
	monitors      *monitors
	properties    []blif.Property
	structural    *source.Diagnostic
}

// Place is where an element of a circuit is written.
type Place struct {
	File *blif.File
	Span source.Span
}

// noNode stands for the node of an input that is not a net.
const noNode = ^uint32(0)

// condition is what a constraint or fairness constraint of the circuit is called after: a
// node, or a formal cell.
type condition struct {
	node    uint32
	negated bool
	cell    string // the cell's own name; "" for one without, or for a node
	in      int    // the instance of the cell, or -1 for a node
}

// fault is why a node has no sound driver.
type fault struct{ diag *source.Diagnostic }

// instance is a model at its place in the flattened hierarchy. Its signal s,
// counted from 0, is node base+s.
type instance struct {
	model    *blif.Model
	body     *netlist.Body
	parent   int // -1 for the top
	call     int // the statement in the parent's file
	base     uint32
	children []int // by instance statement of the model; -1 for none
	faults   *diagnose.Checkup
	// around is the error of the innermost instance statement that has one, from the
	// instance's own outwards; nil for none.
	around *source.Diagnostic
	// entry is the instance statement of the top file through which the instance comes
	// in; of the top model -1.
	entry int
}

const unset = ^circuit.Lit(0)

// Elaborate builds the circuit. The result is not cached.
func Elaborate(f *blif.File) *Elaboration {
	e, _ := ElaborateWithin(context.Background(), f) // which does not end
	return e
}

// ElaborateWithin is Elaborate as long as a context lives: the error is that of ctx.
func ElaborateWithin(ctx context.Context, f *blif.File) (*Elaboration, error) {
	return elaborate(ctx, f, nil)
}

// repeatedIn returns the gates of the circuit of a File that more than one place in the text comes
// to, or one more than once: such a gate says what it does in one of them only. The error is that
// of ctx.
func repeatedIn(ctx context.Context, f *blif.File) (map[circuit.Var]bool, error) {
	repeated := map[circuit.Var]bool{}
	_, err := elaborate(ctx, f, func(v circuit.Var) { repeated[v] = true })
	return repeated, err
}

// elaborate is ElaborateWithin; found is called with gates as by circuit.Builder.OnFound.
func elaborate(ctx context.Context, f *blif.File, found func(circuit.Var)) (*Elaboration, error) {
	e := &Elaboration{
		file: f, properties: f.Properties(), faults: map[uint32]*fault{}, cuts: map[uint32]source.Diagnostic{},
		rootFaults: map[circuit.Property]*source.Diagnostic{}, monitors: newMonitors(), unstarted: map[uint32]bool{},
	}
	x := elaborator{ctx: ctx, e: e, f: f, bodies: map[*blif.Model]*netlist.Body{}, checkups: map[*blif.File]*diagnose.Checkup{}}
	if top := f.Top(); top != nil {
		x.flatten(top)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		x.tooManyCells()
		e.lits = make([]circuit.Lit, x.nodes)
		for i := range e.lits {
			e.lits[i] = unset
		}
		x.b = circuit.NewBuilder(int(x.nodes))
		x.b.OnFound(found)
		x.g.b = x.b
		for _, step := range []func(){x.inputs, x.latches, x.functions, x.next, x.properties, x.clocks, x.perhapsDriven} {
			step()
			if err := ctx.Err(); err != nil {
				return nil, err
			}
		}
	} else {
		x.b = circuit.NewBuilder(0)
	}
	e.Circuit = x.b.Build()
	return e, nil
}

// pollEvery is how many steps pass between two looks at a context, a power of 2.
const pollEvery = 4096

// hasEnded counts a step and reports whether the context has ended.
func (x *elaborator) hasEnded() bool {
	if x.steps++; x.steps%pollEvery == 0 {
		x.ended = x.ended || x.ctx.Err() != nil
	}
	return x.ended
}

// elaborator builds a circuit.
type elaborator struct {
	ctx       context.Context
	steps     int  // of the work
	ended     bool // ctx has, and whatever is built is dropped
	e         *Elaboration
	f         *blif.File
	b         *circuit.Builder
	g         gates
	nodes     uint32
	bodies    map[*blif.Model]*netlist.Body
	checkups  map[*blif.File]*diagnose.Checkup
	recursion map[*blif.Model]int                // models that hold instances of each other share a number above 0
	used      []bool                             // by node: read as data
	control   []bool                             // by node: read as the control of a latch
	open      []uint32                           // nodes being built
	busy      []bool                             // by node; nil until a node has to wait
	cycles    int                                // found so far
	second    map[*blif.File]map[blif.Signal]int // see manyDrivers: the second driver of a signal
	ops       []uint32
	opLits    []circuit.Lit
}

// instanceOf returns the instance of a node.
func (e *Elaboration) instanceOf(node uint32) int {
	return sort.Search(len(e.instances), func(i int) bool { return e.instances[i].base > node }) - 1
}

// driver returns what drives a node, and its instance.
func (e *Elaboration) driver(node uint32) (*netlist.Driver, *instance) {
	in := &e.instances[e.instanceOf(node)]
	return &in.body.Drivers[node-in.base], in
}

// aliasOf returns the node that a node is joined to across a port.
func (e *Elaboration) aliasOf(node uint32) (uint32, bool) {
	if e.alias == nil || e.alias[node] == 0 {
		return 0, false
	}
	return e.alias[node] - 1, true
}

// origin issues the number of a place.
func (x *elaborator) origin(node uint32) circuit.Origin {
	d, in := x.e.driver(node)
	f := in.model.File
	var span source.Span
	if d.Statement >= 0 {
		span = f.DirectiveSpan(int(d.Statement))
	} else if at, ok := f.PortSpan(in.signal(node)); ok {
		span = at
	}
	return x.place(f, span)
}

func (x *elaborator) place(f *blif.File, span source.Span) circuit.Origin {
	x.e.places = append(x.e.places, Place{f, span})
	return circuit.Origin(len(x.e.places))
}

// signal returns the signal of a node in the instance's file.
func (in *instance) signal(node uint32) blif.Signal {
	return in.model.File.Resolved().Bases[in.model.Index] + blif.Signal(node-in.base)
}

// Place returns where an element of the circuit is written; ok is false for
// one without a place.
func (e *Elaboration) Place(o circuit.Origin) (p Place, ok bool) {
	if o == 0 || int(o) > len(e.places) {
		return Place{}, false
	}
	return e.places[o-1], true
}

// addInput creates an input for a node.
func (x *elaborator) addInput(node uint32) circuit.Lit {
	l := x.b.Input(x.origin(node))
	x.e.inputOf = append(x.e.inputOf, node)
	x.e.lits[node] = l
	return l
}

// inputs creates the inputs of the top model that are more than clocks.
func (x *elaborator) inputs() {
	x.used, x.control = x.readNodes()
	top := &x.e.instances[0]
	for _, s := range top.body.Inputs {
		if top.body.Drivers[s].Kind != netlist.DriverInput || x.e.lits[s] != unset {
			continue
		}
		if isClock := x.control[s] || top.model.File.Resolved().Facts[top.signal(s)]&blif.FactClock != 0; isClock && !x.used[s] {
			continue
		}
		x.addInput(s)
	}
}

// readNodes finds the nodes that are read as data, and as the control of a
// latch. Instances stand after those that hold them, so one pass from the
// last instance to the first carries the uses of a port outwards.
func (x *elaborator) readNodes() (used, control []bool) {
	used, control = make([]bool, x.nodes), make([]bool, x.nodes)
	for _, p := range x.e.properties {
		for _, node := range x.nodesOf(p) {
			used[node] = true
		}
	}
	for i := len(x.e.instances) - 1; i >= 0; i-- {
		in := &x.e.instances[i]
		for s := range in.body.Drivers {
			if x.hasEnded() {
				return used, control
			}
			d := &in.body.Drivers[s]
			for _, op := range in.body.Operands[d.From:d.To] {
				used[in.base+op] = true
			}
			if d.Control > 0 {
				control[in.base+d.Control-1] = true
			}
		}
		if i == 0 {
			for _, s := range in.body.Outputs {
				used[s] = true
			}
		}
		for _, s := range in.body.Inputs {
			if to, ok := x.e.aliasOf(in.base + s); ok && i > 0 {
				used[to] = used[to] || used[in.base+s]
				control[to] = control[to] || control[in.base+s]
			}
		}
	}
	return used, control
}

// local returns a signal of the top model counted from 0.
func local(f *blif.File, s blif.Signal) uint32 { return uint32(s - f.Resolved().Bases[0]) }

// latches creates the latches with their initial values: 0, 1, or free for 2,
// 3 and none (section ".latch": don't care, unknown; the default is unknown).
func (x *elaborator) latches() {
	for i := range x.e.instances {
		in := &x.e.instances[i]
		for _, s := range in.body.Latches {
			if x.hasEnded() {
				return
			}
			d := &in.body.Drivers[s]
			node := in.base + s
			if d.Kind != netlist.DriverLatch {
				continue
			}
			l := x.b.Latch(x.origin(node))
			x.e.lits[node] = l
			x.e.latchOf = append(x.e.latchOf, node)
			switch in.initialValue(s) {
			case "0":
			case "1":
				x.b.SetReset(l, circuit.True)
			case "2", "3":
				x.b.SetReset(l, l)
			default:
				x.e.unstarted[node] = in.isCell(s)
				x.b.SetReset(l, l)
			}
		}
	}
}

// initialValue returns the initial value of a latch, or "".
func (in *instance) initialValue(s uint32) string {
	if in.isCell(s) {
		f := in.model.File
		if cell := f.InstanceOf(f.Locate(int(in.body.Drivers[s].Statement))).Cell; cell.Start != "" {
			return cell.Start
		}
		return in.body.InitialValues[s]
	}
	return in.model.File.InitialValue(int(in.body.Drivers[s].Statement))
}

// functions builds what drives each node, in text order as far as possible.
func (x *elaborator) functions() {
	for node := uint32(0); node < x.nodes && !x.hasEnded(); node++ {
		if x.e.lits[node] == unset && x.isWanted(node) {
			x.build(node)
		}
	}
}

// isWanted reports whether a node has something to build: one that is only a
// clock has not, nor has a signal that nothing drives.
func (x *elaborator) isWanted(node uint32) bool {
	if x.control[node] && !x.used[node] {
		return false
	}
	if _, ok := x.e.aliasOf(node); ok {
		return true
	}
	d, _ := x.e.driver(node)
	switch d.Kind {
	case netlist.DriverNames, netlist.DriverAlias, netlist.DriverCell, netlist.DriverFalse, netlist.DriverTrue:
		return true
	}
	return false
}

// lit returns the literal of a node, building it when needed.
func (x *elaborator) lit(node uint32) circuit.Lit {
	if x.e.lits[node] == unset {
		if x.build(node); x.ended {
			x.e.lits[node] = circuit.False // for what is dropped
		}
	}
	return x.e.lits[node]
}

// build builds a node and all that it depends on.
func (x *elaborator) build(node uint32) {
	x.open = append(x.open[:0], node)
	for len(x.open) > 0 && !x.hasEnded() {
		node := x.open[len(x.open)-1]
		if x.e.lits[node] != unset {
			x.close(node)
			continue
		}
		d, in := x.e.driver(node)
		if x.isCut(node, d, in) {
			x.addInput(node)
			x.close(node)
			continue
		}
		x.ops = x.operands(x.ops[:0], node, d, in)
		waiting := false
		for _, op := range x.ops {
			if x.e.lits[op] == unset {
				waiting = x.await(node, op) || waiting
			}
		}
		if !waiting && x.e.lits[node] == unset {
			x.e.lits[node] = x.function(node, d, in)
			x.close(node)
		}
	}
}

// operands appends the nodes that a node depends on in the same step.
func (x *elaborator) operands(buf []uint32, node uint32, d *netlist.Driver, in *instance) []uint32 {
	if to, ok := x.e.aliasOf(node); ok {
		return append(buf, to)
	}
	for _, op := range in.body.Operands[d.From:d.To] {
		buf = append(buf, in.base+op)
	}
	return buf
}

// await puts an operand on the stack. When it is there already there is a
// cycle, which is cut at the operand.
func (x *elaborator) await(node, op uint32) bool {
	if x.busy == nil {
		x.busy = make([]bool, x.nodes)
	}
	x.busy[node] = true
	if x.busy[op] {
		x.cycle(op)
		x.addInput(op)
		return false
	}
	x.open = append(x.open, op)
	return true
}

func (x *elaborator) close(node uint32) {
	x.open = x.open[:len(x.open)-1]
	if x.busy != nil {
		x.busy[node] = false
	}
}

// function returns the literal of a node whose operands are built.
func (x *elaborator) function(node uint32, d *netlist.Driver, in *instance) circuit.Lit {
	if to, ok := x.e.aliasOf(node); ok {
		return x.e.lits[to]
	}
	switch d.Kind {
	case netlist.DriverFalse:
		return circuit.False
	case netlist.DriverTrue:
		return circuit.True
	}
	f := in.model.File
	k, i := f.Locate(int(d.Statement))
	c := f.Chunks[k]
	switch d.Kind {
	case netlist.DriverNames:
		return x.g.cover(c.Text, c.RowsOf(i), func(i int) circuit.Lit { return x.e.lits[x.ops[i]] })
	case netlist.DriverCell:
		return x.cell(f, k, i)
	}
	return x.e.lits[x.ops[0]]
}

// cell returns the function of a library cell over the current operands.
func (x *elaborator) cell(f *blif.File, k, i int) circuit.Lit {
	x.opLits = x.opLits[:0]
	for _, op := range x.ops {
		x.opLits = append(x.opLits, x.e.lits[op])
	}
	return f.InstanceOf(k, i).Cell.Build(x.b, x.opLits)
}

// next completes the latches.
func (x *elaborator) next() {
	for _, node := range x.e.latchOf {
		if x.hasEnded() {
			return
		}
		d, in := x.e.driver(node)
		f := in.model.File
		if in.faults.Faults[int(d.Statement)] != nil {
			x.e.faults[node] = &fault{in.faults.Faults[int(d.Statement)]}
		}
		var next circuit.Lit
		for _, op := range in.body.Operands[d.From:d.To] {
			next = x.lit(in.base + op)
		}
		if k, i := f.Locate(int(d.Statement)); f.Chunks[k].Stmts[i].Kind.IsInstance() {
			x.ops = x.operands(x.ops[:0], node, d, in)
			next = x.cell(f, k, i)
		}
		x.b.SetNext(x.e.lits[node], next)
	}
}
