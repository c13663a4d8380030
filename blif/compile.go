package blif

// body is a model ready to be elaborated: what drives each of its signals.
// Signals are counted from 0 within the model.
type body struct {
	drivers []driver
	ops     []uint32
	latches []uint32 // signals that are latches, in text order
	inputs  []uint32 // the port signals, in port order; so are outputs
	outputs []uint32
	joined  map[uint32][]int32 // to statements that may drive it, where it is not known what they do
	inits   map[uint32]string  // of flip-flops that are cells (.gateinit of Yosys)
}

// driver says what gives a signal its value.
type driver struct {
	kind     driverKind
	id       int32 // the statement, or -1
	from, to uint32
	control  uint32 // of a latch: 1 + the control signal, 0 for the global clock
}

type driverKind uint8

const (
	driverNone     driverKind = iota
	driverInput               // the port of the model
	driverNames               // a cover over the operands
	driverAlias               // the one operand
	driverLatch               // the operand in the last step
	driverCell                // a library cell over the operands
	driverInstance            // an output of an instance of a model
	driverOpen                // an output of something unknown, or $undef
	driverFaulty              // a statement with an error
)

// compile reads the body of a model.
func (m *Model) compile() *body {
	f, r := m.File, m.File.resolved()
	base, end := r.bases[m.Index], r.bases[m.Index+1]
	x := compiler{f: f, m: m, b: &body{drivers: make([]driver, end-base), joined: map[uint32][]int32{}, inits: map[uint32]string{}}, local: make(map[name]uint32)}
	if s := m.Signal(openNet); s != 0 && r.facts[s]&factMany != 0 {
		if id, ok := f.openNetDriver(s); ok {
			x.open, x.openDriver = s, id
		}
	}
	if len(f.structure().models) == 1 {
		x.dense = make([]uint32, len(r.last))
	}
	for s := base; s < end; s++ {
		x.b.drivers[s-base].id = -1
		x.define(r.names[s], uint32(s-base))
	}
	for k, _ := f.at(m.from); k < len(f.chunks) && int(f.stmts[k]) < m.bodyEnd; k++ {
		c := f.chunks[k]
		from, to := max(0, m.from-int(f.stmts[k])), min(len(c.stmts), m.bodyEnd-int(f.stmts[k]))
		for i := from; i < to; i++ {
			x.statement(k, c, i)
		}
	}
	x.inputs()
	for _, id := range m.portIDs(dirOut) {
		x.b.outputs = append(x.b.outputs, x.of(id))
	}
	for s := range x.b.drivers {
		if r.facts[base+Signal(s)]&factMany == 0 {
			continue
		}
		if base+Signal(s) != x.open {
			x.b.drivers[s].kind = driverFaulty
		} else if x.openDriver < 0 {
			x.b.drivers[s] = driver{id: -1}
		}
	}
	return x.b
}

// compiler fills a body.
type compiler struct {
	f     *File
	m     *Model
	b     *body
	dense []uint32        // by name, in a file of one model
	local map[name]uint32 // in others
	calls int             // instances seen
	// open is the open net when it has several drivers, and openDriver the one
	// that counts, or -1.
	open       Signal
	openDriver int
}

func (x *compiler) define(id name, s uint32) {
	if x.dense != nil {
		x.dense[id] = s
	} else {
		x.local[id] = s
	}
}

func (x *compiler) of(id name) uint32 {
	if x.dense != nil {
		return x.dense[id]
	}
	return x.local[id]
}

// drive sets what drives a signal, unless something does already.
func (x *compiler) drive(s uint32, kind driverKind, id int) *driver {
	d := &x.b.drivers[s]
	if d.kind != driverNone && d.kind != driverOpen || d.kind == driverOpen && kind == driverOpen {
		return nil
	}
	*d = driver{kind: kind, id: int32(id), from: uint32(len(x.b.ops)), to: uint32(len(x.b.ops))}
	return d
}

func (x *compiler) statement(k int, c *chunk, i int) {
	id := int(x.f.stmts[k]) + i
	lo, hi := c.tokens(i)
	switch kind := c.stmts[i].kind; kind {
	case KindNames, KindConn, KindShort:
		if hi-lo < 2 {
			return
		}
		as := driverNames
		if kind != KindNames {
			as = driverAlias
		}
		if x.f.words.text(c.ids[hi-1]) == undefName && hi-lo == 2 {
			as = driverOpen
		}
		if d := x.drive(x.of(c.ids[hi-1]), as, id); d != nil {
			for _, n := range c.ids[lo+1 : hi-1] {
				x.b.ops = append(x.b.ops, x.of(n))
			}
			d.to = uint32(len(x.b.ops))
		}
	case KindLatch, KindFlop:
		x.latch(k, i, id)
	case KindSubckt, KindGate, KindMlatch:
		if hi-lo >= 2 {
			x.instance(k, i, id)
		}
	case KindUnknown:
		for _, n := range c.ids[lo+1 : hi] {
			x.join(x.of(n), id)
		}
	case KindGateInit:
		for t := lo + 1; t+1 < hi; t += 2 {
			if s := x.f.resolved().lookup(x.m.Index, c.ids[t]); s != 0 {
				x.b.inits[uint32(s-x.f.resolved().bases[x.m.Index])] = x.f.word(k, c.toks[t+1])
			}
		}
	}
}

// join notes a statement that may drive a signal.
func (x *compiler) join(s uint32, id int) {
	x.drive(s, driverOpen, id)
	x.b.joined[s] = append(x.b.joined[s], int32(id))
}

// undefName is the net that Yosys gives no value.
const undefName = "$undef"

// latch reads a .latch or a .flop.
func (x *compiler) latch(k, i, id int) {
	ids := x.f.chunks[k].ids
	next, control, other, out := -1, -1, false, -1
	x.f.roles(k, i, block{}, func(t uint32, role Role) {
		switch role {
		case RoleNext:
			next = int(t)
		case RoleLatch:
			out = int(t)
		case RoleControl:
			control = int(t)
			other = other || x.f.chunks[k].stmts[i].kind == KindFlop && x.f.words.text(ids[t-1]) != "C"
		}
	})
	if out < 0 {
		return
	}
	kind := driverLatch
	if next < 0 || other {
		kind = driverOpen // a set, reset or enable whose meaning is not written down
	}
	s := x.of(ids[out])
	d := x.drive(s, kind, id)
	if d == nil || kind == driverOpen {
		return
	}
	x.b.ops = append(x.b.ops, x.of(ids[next]))
	d.to = uint32(len(x.b.ops))
	if control >= 0 {
		d.control = 1 + x.of(ids[control])
	}
	x.b.latches = append(x.b.latches, s)
}

// instance reads an instance: its outputs, and the operands of a cell.
func (x *compiler) instance(k, i, id int) {
	f, c := x.f, x.f.chunks[k]
	call := f.resolved().calls[x.m.Index][x.calls]
	x.calls++
	if call.block.cell != nil {
		x.cell(k, i, id, call.block.cell)
		return
	}
	f.roles(k, i, call.block, func(t uint32, role Role) {
		switch role {
		case RolePinOutput:
			if s := x.of(c.ids[t]); !x.isOpenPin(s, id) {
				x.drive(s, driverInstance, id)
			}
		case RolePin:
			x.join(x.of(c.ids[t]), id)
		}
	})
}

// cell reads an instance of a library cell. Operands that are not connected
// make it faulty.
func (x *compiler) cell(k, i, id int, cell *Cell) {
	c := x.f.chunks[k]
	lo, hi := c.tokens(i)
	ops := make([]int, len(cell.Inputs))
	out, control := -1, -1
	for t := lo + 2; t+1 < hi; t += 2 {
		if c.toks[t+1].length == 0 {
			if word := x.f.word(k, c.toks[t]); cell.isLatch() && !x.f.chunks[k].isNamedPin(t) && word != "NIL" && !isInitialValue(word) {
				control = int(t)
			}
			continue
		}
		switch dir, index, ok := cell.port(x.f.words.text(c.ids[t])); {
		case ok && dir == dirOut:
			out = int(t) + 1
		case ok && dir == dirClock:
			control = int(t) + 1
		case ok:
			ops[index] = int(t) + 1
		}
	}
	if out < 0 {
		return
	}
	kind := driverCell
	if cell.isLatch() {
		kind = driverLatch
	}
	s := x.of(c.ids[out])
	if x.isOpenPin(s, id) {
		return
	}
	d := x.drive(s, kind, id)
	if d == nil {
		return
	}
	for i, t := range ops {
		if cell.Inputs[i] == cell.Output {
			t = out // a flip-flop with enable keeps its value
		}
		if t == 0 {
			d.kind = driverOpen
			return
		}
		x.b.ops = append(x.b.ops, x.of(c.ids[t]))
	}
	d.to = uint32(len(x.b.ops))
	if control >= 0 {
		d.control = 1 + x.of(c.ids[control])
	}
	if cell.isLatch() {
		x.b.latches = append(x.b.latches, s)
	}
}

// inputs marks the ports. One that something drives is faulty.
func (x *compiler) inputs() {
	for _, id := range x.m.portIDs(dirIn) {
		s := x.of(id)
		x.b.inputs = append(x.b.inputs, s)
		switch d := &x.b.drivers[s]; d.kind {
		case driverNone, driverOpen:
			d.kind = driverInput
		case driverInput: // listed twice
		default:
			d.kind = driverFaulty
		}
	}
}
