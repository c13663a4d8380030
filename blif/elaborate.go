package blif

import (
	"sort"
	"strings"

	"aiglens/circuit"
	"aiglens/internal/source"
)

// Elaboration is the circuit of the top model of a File, its hierarchy
// flattened. What is faulty is cut: a signal without a sound driver becomes an
// additional input behind those of the model, so that there is always a
// circuit. Fault says which properties that affects.
//
// The circuit has the inputs of the top model in order, but for clocks that
// only control latches; the latches of the top model and then those of its
// instances, level by level; all outputs of the top model in order; and the
// properties of File.Properties.
type Elaboration struct {
	Circuit *circuit.Circuit

	file       *File
	instances  []instance
	lits       []circuit.Lit // by node
	alias      []uint32      // by node: 1 + the node that it is joined to, or 0
	faults     map[uint32]*fault
	cuts       map[uint32]source.Diagnostic // by node: free inputs that the text does not call so
	places     []Place                      // by Origin-1
	domains    map[uint32]domain            // by node of a latch
	roots      [][]uint32                   // by property of File.Properties: its nodes
	common     []uint32                     // nodes of the constraints
	fairness   []uint32
	latchOf    []uint32 // by latch of the circuit: its node
	inputOf    []uint32 // by input of the circuit: its node
	properties []Property
	structural *source.Diagnostic
}

// Place is where an element of a circuit is written.
type Place struct {
	File *File
	Span source.Span
}

// fault is why a node has no sound driver.
type fault struct{ diag *source.Diagnostic }

// instance is a model at its place in the flattened hierarchy. Its signal s,
// counted from 0, is node base+s.
type instance struct {
	model    *Model
	body     *body
	parent   int // -1 for the top
	call     int // the statement in the parent's file
	base     uint32
	children []int // by instance statement of the model; -1 for none
	faults   *checkup
}

const unset = ^circuit.Lit(0)

// maxNodes bounds the flattened signals and instances: models that each hold
// two of the next grow exponentially.
const maxNodes = 1 << 25

// Elaborate builds the circuit. The result is not cached.
func (f *File) Elaborate() *Elaboration {
	e := &Elaboration{
		file: f, properties: f.Properties(), faults: map[uint32]*fault{}, cuts: map[uint32]source.Diagnostic{}, domains: map[uint32]domain{},
	}
	x := elaborator{e: e, f: f, bodies: map[*Model]*body{}, checkups: map[*File]*checkup{}}
	if top := f.Top(); top != nil {
		x.flatten(top)
		e.lits = make([]circuit.Lit, x.nodes)
		for i := range e.lits {
			e.lits[i] = unset
		}
		x.b = circuit.NewBuilder(int(x.nodes))
		x.g.b = x.b
		x.inputs()
		x.latches()
		x.functions()
		x.next()
		x.properties()
	} else {
		x.b = circuit.NewBuilder(0)
	}
	e.Circuit = x.b.Build()
	return e
}

// elaborator builds a circuit.
type elaborator struct {
	e        *Elaboration
	f        *File
	b        *circuit.Builder
	g        gates
	nodes    uint32
	bodies   map[*Model]*body
	checkups map[*File]*checkup
	used     []bool   // by node: read as data
	control  []bool   // by node: read as the control of a latch
	open     []uint32 // nodes being built
	busy     []bool   // by node; nil until a node has to wait
	ops      []uint32
	opLits   []circuit.Lit
}

// flatten lists the instances, those of a level before those of the next.
func (x *elaborator) flatten(top *Model) {
	x.instantiate(top, -1, -1)
	for i := 0; i < len(x.e.instances); i++ {
		in := &x.e.instances[i]
		f, m := in.model.File, in.model
		calls := f.resolved().calls[m.Index]
		if len(calls) == 0 {
			continue
		}
		children := make([]int, len(calls))
		for j, call := range calls {
			children[j] = -1
			other := call.block.model
			if other == nil || other.isOpaque() || x.holds(i, other) {
				continue
			}
			if int(x.nodes)+16*len(x.e.instances) > maxNodes {
				x.tooLarge()
				return
			}
			children[j] = x.instantiate(other, i, call.id)
		}
		x.e.instances[i].children = children
	}
	if len(x.e.instances) > 1 {
		x.e.alias = make([]uint32, x.nodes)
		for i := range x.e.instances {
			x.connect(i)
		}
	}
}

// tooLarge leaves only the top model, which then has no verdicts.
func (x *elaborator) tooLarge() {
	d := x.f.finding(CodeTooLarge, x.f.Top().NameSpan(),
		"the flattened hierarchy has more than 32 million signals, or 2 million instances")
	x.e.structural = &d
	x.e.instances = x.e.instances[:1]
	x.e.instances[0].children = nil
	x.nodes = uint32(len(x.e.instances[0].body.drivers))
}

// isOpaque reports whether a model has no logic of its own: a black box.
func (m *Model) isOpaque() bool { return m.blackbox }

// holds reports whether instance i lies in an instance of m.
func (x *elaborator) holds(i int, m *Model) bool {
	for ; i >= 0; i = x.e.instances[i].parent {
		if x.e.instances[i].model == m {
			return true
		}
	}
	return false
}

func (x *elaborator) instantiate(m *Model, parent, call int) int {
	b, ok := x.bodies[m]
	if !ok {
		b = m.compile()
		x.bodies[m] = b
	}
	c, ok := x.checkups[m.File]
	if !ok {
		c = m.File.checked()
		x.checkups[m.File] = c
	}
	x.e.instances = append(x.e.instances, instance{model: m, body: b, parent: parent, call: call, base: x.nodes, faults: c})
	x.nodes += uint32(len(b.drivers))
	return len(x.e.instances) - 1
}

// connect joins the ports of the children of an instance to its signals.
func (x *elaborator) connect(i int) {
	in := &x.e.instances[i]
	f := in.model.File
	r := f.resolved()
	for j, child := range in.children {
		if child < 0 {
			continue
		}
		ch := &x.e.instances[child]
		call := r.calls[in.model.Index][j]
		k, s := f.at(call.id)
		c := f.chunks[k]
		lo, hi := c.tokens(s)
		for t := lo + 2; t+1 < hi; t += 2 {
			if c.toks[t+1].length == 0 {
				continue
			}
			dir, index, ok := call.block.port(f.words.text(c.ids[t]))
			if !ok {
				continue
			}
			local := r.lookup(in.model.Index, c.ids[t+1])
			node := in.base + uint32(local-r.bases[in.model.Index])
			if dir == dirIn {
				if port := ch.base + ch.body.inputs[index]; x.e.alias[port] == 0 {
					x.e.alias[port] = node + 1
				}
			} else if d := in.body.drivers[node-in.base]; d.kind == driverInstance && int(d.id) == call.id && x.e.alias[node] == 0 {
				x.e.alias[node] = ch.base + ch.body.outputs[index] + 1
			}
		}
	}
}

// instanceOf returns the instance of a node.
func (e *Elaboration) instanceOf(node uint32) int {
	return sort.Search(len(e.instances), func(i int) bool { return e.instances[i].base > node }) - 1
}

// driver returns what drives a node, and its instance.
func (e *Elaboration) driver(node uint32) (*driver, *instance) {
	in := &e.instances[e.instanceOf(node)]
	return &in.body.drivers[node-in.base], in
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
	if d.id >= 0 {
		span = f.directiveSpan(int(d.id))
	} else if at, ok := f.portSpan(in.signal(node)); ok {
		span = at
	}
	return x.place(f, span)
}

func (x *elaborator) place(f *File, span source.Span) circuit.Origin {
	x.e.places = append(x.e.places, Place{f, span})
	return circuit.Origin(len(x.e.places))
}

// signal returns the signal of a node in the instance's file.
func (in *instance) signal(node uint32) Signal {
	return in.model.File.resolved().bases[in.model.Index] + Signal(node-in.base)
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
	for _, s := range top.body.inputs {
		if top.body.drivers[s].kind != driverInput || x.e.lits[s] != unset {
			continue
		}
		if isClock := x.control[s] || top.model.File.resolved().facts[top.signal(s)]&factClock != 0; isClock && !x.used[s] {
			continue
		}
		x.addInput(s)
	}
}

// readNodes finds the nodes that are read as data, and as the control of a
// latch. Instances stand behind those that hold them, so one pass from the
// last instance to the first carries the uses of a port outwards.
func (x *elaborator) readNodes() (used, control []bool) {
	used, control = make([]bool, x.nodes), make([]bool, x.nodes)
	for i := len(x.e.instances) - 1; i >= 0; i-- {
		in := &x.e.instances[i]
		for s := range in.body.drivers {
			d := &in.body.drivers[s]
			for _, op := range in.body.ops[d.from:d.to] {
				used[in.base+op] = true
			}
			if d.control > 0 {
				control[in.base+d.control-1] = true
			}
		}
		if i == 0 {
			for _, s := range in.body.outputs {
				used[s] = true
			}
		}
		for _, s := range in.body.inputs {
			if to, ok := x.e.aliasOf(in.base + s); ok && i > 0 {
				used[to] = used[to] || used[in.base+s]
				control[to] = control[to] || control[in.base+s]
			}
		}
	}
	for _, p := range x.e.properties {
		for _, s := range p.Signals {
			used[x.f.local(s)] = true
		}
	}
	return used, control
}

// local returns a signal of the top model counted from 0.
func (f *File) local(s Signal) uint32 { return uint32(s - f.resolved().bases[0]) }

// latches creates the latches with their initial values: 0, 1, or free for 2,
// 3 and none (section ".latch": don't care, unknown; the default is unknown).
func (x *elaborator) latches() {
	for i := range x.e.instances {
		in := &x.e.instances[i]
		for _, s := range in.body.latches {
			d := &in.body.drivers[s]
			node := in.base + s
			if d.kind != driverLatch {
				continue
			}
			l := x.b.Latch(x.origin(node))
			x.e.lits[node] = l
			x.e.latchOf = append(x.e.latchOf, node)
			switch in.model.File.initialValue(int(d.id)) {
			case "0":
			case "1":
				x.b.SetReset(l, circuit.True)
			default:
				x.b.SetReset(l, l)
			}
		}
	}
}

// initialValue returns the initial value that a latch statement gives, or "".
func (f *File) initialValue(id int) string {
	k, i := f.at(id)
	c := f.chunks[k]
	lo, hi := c.tokens(i)
	n := hi - lo - 1
	switch c.stmts[i].kind {
	case KindLatch:
		if n == 3 || n == 5 {
			return f.word(k, c.toks[hi-1])
		}
	case KindMlatch: // behind the control signal
		if hi-lo >= 4 && c.toks[hi-1].length == 0 && !f.chunks[k].isNamedPin(hi-2) {
			if word := f.word(k, c.toks[hi-2]); isInitialValue(word) {
				return word
			}
		}
	case KindFlop:
		for t := lo + 1; t+1 < hi; t += 2 {
			if f.words.text(c.ids[t]) == "init" {
				return f.word(k, c.toks[t+1])
			}
		}
	}
	return ""
}

// functions builds what drives each node, in text order as far as possible.
func (x *elaborator) functions() {
	for node := uint32(0); node < x.nodes; node++ {
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
	return d.kind == driverNames || d.kind == driverAlias || d.kind == driverCell
}

// lit returns the literal of a node, building it when needed.
func (x *elaborator) lit(node uint32) circuit.Lit {
	if x.e.lits[node] == unset {
		x.build(node)
	}
	return x.e.lits[node]
}

// build builds a node and all that it depends on.
func (x *elaborator) build(node uint32) {
	x.open = append(x.open[:0], node)
	for len(x.open) > 0 {
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
func (x *elaborator) operands(buf []uint32, node uint32, d *driver, in *instance) []uint32 {
	if to, ok := x.e.aliasOf(node); ok {
		return append(buf, to)
	}
	for _, op := range in.body.ops[d.from:d.to] {
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
func (x *elaborator) function(node uint32, d *driver, in *instance) circuit.Lit {
	if to, ok := x.e.aliasOf(node); ok {
		return x.e.lits[to]
	}
	f := in.model.File
	k, i := f.at(int(d.id))
	c := f.chunks[k]
	switch d.kind {
	case driverNames:
		return x.g.cover(c.text, c.rowsOf(i), func(i int) circuit.Lit { return x.e.lits[x.ops[i]] })
	case driverCell:
		return x.cell(f, k, i)
	}
	return x.e.lits[x.ops[0]]
}

// cell returns the function of a library cell over the current operands.
func (x *elaborator) cell(f *File, k, i int) circuit.Lit {
	x.opLits = x.opLits[:0]
	for _, op := range x.ops {
		x.opLits = append(x.opLits, x.e.lits[op])
	}
	return f.instanceOf(k, i).cell.build(x.b, x.opLits)
}

// next completes the latches.
func (x *elaborator) next() {
	for _, node := range x.e.latchOf {
		d, in := x.e.driver(node)
		f := in.model.File
		if in.faults.faults[int(d.id)] != nil {
			x.e.faults[node] = &fault{in.faults.faults[int(d.id)]}
		}
		var next circuit.Lit
		for _, op := range in.body.ops[d.from:d.to] {
			next = x.lit(in.base + op)
		}
		if k, i := f.at(int(d.id)); f.chunks[k].stmts[i].kind.isInstance() {
			x.ops = x.operands(x.ops[:0], node, d, in)
			next = x.cell(f, k, i)
		}
		x.b.SetNext(x.e.lits[node], next)
	}
}

// name returns the path of a node: instances, then its signal.
func (e *Elaboration) name(node uint32) string {
	i := e.instanceOf(node)
	in := &e.instances[i]
	return e.path(i) + in.model.File.Name(in.signal(node))
}

// path returns the names of the instances down to i, each with a '/' behind
// it. BLIF does not name instances: a .cname does, else the first net that the
// instance drives.
func (e *Elaboration) path(i int) string {
	var parts []string
	for ; e.instances[i].parent >= 0; i = e.instances[i].parent {
		in := &e.instances[i]
		parts = append(parts, e.instances[in.parent].model.File.InstanceName(in.call))
	}
	var b strings.Builder
	for j := len(parts) - 1; j >= 0; j-- {
		b.WriteString(parts[j])
		b.WriteByte('/')
	}
	return b.String()
}

// InstanceName returns the name of an instance statement: that of its .cname,
// else the first net that it drives, else its model.
func (f *File) InstanceName(id int) string {
	for next := id + 1; next < f.NumStatements(); next++ {
		k, i := f.at(next)
		c := f.chunks[k]
		kind := c.stmts[i].kind
		if lo, hi := c.tokens(i); kind == KindCname && hi-lo > 1 {
			return f.word(k, c.toks[lo+1])
		}
		if kind != KindAttr && kind != KindParam {
			break
		}
	}
	k, i := f.at(id)
	c := f.chunks[k]
	lo, hi := c.tokens(i)
	driven := ""
	f.roles(k, i, f.instanceOf(k, i), func(t uint32, role Role) {
		if role == RolePinOutput && driven == "" {
			driven = f.words.text(c.ids[t])
		}
	})
	if driven == "" && hi-lo > 1 {
		driven = f.words.text(c.ids[lo+1])
	}
	return driven
}

// LatchName returns the flattened name of a latch of the circuit.
func (e *Elaboration) LatchName(i int) string { return e.name(e.latchOf[i]) }

// InputName returns the flattened name of an input of the circuit; of an input
// behind those of the top model that of the signal that was cut.
func (e *Elaboration) InputName(i int) string { return e.name(e.inputOf[i]) }

// LitOf returns the circuit's literal for a signal of the top model. ok is
// false when the signal has no sound driver, or is only a clock.
func (e *Elaboration) LitOf(s Signal) (l circuit.Lit, ok bool) {
	if len(e.instances) == 0 || e.file.SignalModel(s) != e.instances[0].model {
		return 0, false
	}
	return e.litOf(e.file.local(s))
}

func (e *Elaboration) litOf(node uint32) (l circuit.Lit, ok bool) {
	if e.lits[node] == unset || e.faults[node] != nil {
		return 0, false
	}
	return e.lits[node], true
}

// Instance is a model in the flattened hierarchy.
type Instance struct {
	ID, Parent int    // Parent is -1 for the top
	Path       string // names of instances with '/' between them; "" for the top
	Model      *Model
	Statement  int // that of the instance in the parent's file; -1 for the top
}

// NumInstances returns the number of models in the flattened hierarchy.
func (e *Elaboration) NumInstances() int { return len(e.instances) }

// InstanceAt returns one of them; 0 is the top.
func (e *Elaboration) InstanceAt(id int) Instance {
	in := &e.instances[id]
	return Instance{id, in.parent, strings.TrimSuffix(e.path(id), "/"), in.model, in.call}
}

// LitIn returns the circuit's literal for a signal of the model of an instance.
func (e *Elaboration) LitIn(id int, s Signal) (l circuit.Lit, ok bool) {
	in := &e.instances[id]
	if in.model.File.SignalModel(s) != in.model {
		return 0, false
	}
	return e.litOf(in.base + uint32(s-in.model.File.resolved().bases[in.model.Index]))
}
