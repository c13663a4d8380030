package netlist

import (
	"aiglens/blif"
	"aiglens/blif/cells"
	"aiglens/blif/statement"
)

// Body is a model ready to be elaborated: what drives each of its signals.
// Signals are counted from 0 within the model.
type Body struct {
	Drivers       []Driver
	Operands      []uint32
	Latches       []uint32 // signals that are latches, in text order
	Inputs        []uint32 // the port signals, in port order; so are outputs
	Outputs       []uint32
	Joined        map[uint32][]int32 // to statements that may drive it, where it is not known what they do
	InitialValues map[uint32]string  // of flip-flops that are cells (.gateinit of Yosys)
}

// Driver says what gives a signal its value.
type Driver struct {
	Kind      driverKind
	Statement int32 // the statement, or -1
	From, To  uint32
	Control   uint32 // of a latch: 1 + the control signal, 0 for the global clock
}

type driverKind uint8

const (
	DriverNone     driverKind = iota
	DriverInput               // the port of the model
	DriverNames               // a cover over the operands
	DriverAlias               // the one operand
	DriverLatch               // the operand in the last step
	DriverCell                // a library cell over the operands
	DriverInstance            // an output of an instance of a model
	DriverOpen                // an output of something unknown, or $undef
	DriverFree                // a value that is free in each step, as the text says
	DriverFalse               // nothing, but the name stands for 0
	DriverTrue                // nothing, but the name stands for 1
	DriverFaulty              // a statement with an error
)

// Compile reads the body of a model.
func Compile(m *blif.Model) *Body {
	f, r := m.File, m.File.Resolved()
	base, end := r.Bases[m.Index], r.Bases[m.Index+1]
	x := compiler{f: f, m: m, b: &Body{Drivers: make([]Driver, end-base), Joined: map[uint32][]int32{}, InitialValues: map[uint32]string{}}, local: make(map[statement.Name]uint32)}
	if s := m.Signal(blif.OpenNet); s != 0 && r.Facts[s]&blif.FactMany != 0 {
		if id, ok := f.OpenNetDriver(s); ok {
			x.open, x.openDriver = s, id
		}
	}
	if len(f.Structure().Models) == 1 {
		x.dense = make([]uint32, len(r.Last))
	}
	for s := base; s < end; s++ {
		x.b.Drivers[s-base].Statement = -1
		x.define(r.Names[s], uint32(s-base))
	}
	for k, _ := f.Locate(m.From); k < len(f.Chunks) && int(f.Firsts[k]) < m.BodyEnd; k++ {
		c := f.Chunks[k]
		from, to := max(0, m.From-int(f.Firsts[k])), min(len(c.Stmts), m.BodyEnd-int(f.Firsts[k]))
		for i := from; i < to; i++ {
			x.statement(k, c, i)
		}
	}
	x.inputs()
	for name, kind := range map[string]driverKind{blif.TrueNet: DriverTrue, blif.FalseNet: DriverFalse, blif.UndefNet: DriverOpen} {
		if s := m.Signal(name); blif.IsImplied(f, s) {
			x.b.Drivers[s-base] = Driver{Kind: kind, Statement: -1}
		}
	}
	for _, id := range m.PortNames(cells.Output) {
		x.b.Outputs = append(x.b.Outputs, x.of(id))
	}
	for s := range x.b.Drivers {
		if r.Facts[base+blif.Signal(s)]&blif.FactMany == 0 {
			continue
		}
		if base+blif.Signal(s) != x.open {
			x.b.Drivers[s].Kind = DriverFaulty
		} else if x.openDriver < 0 {
			x.b.Drivers[s] = Driver{Statement: -1}
		}
	}
	return x.b
}

// compiler fills a body.
type compiler struct {
	f     *blif.File
	m     *blif.Model
	b     *Body
	dense []uint32                  // by name, in a file of one model
	local map[statement.Name]uint32 // in others
	calls int                       // instances seen
	// open is the open net when it has several drivers, and openDriver the one
	// that counts, or -1.
	open       blif.Signal
	openDriver int
}

func (x *compiler) define(id statement.Name, s uint32) {
	if x.dense != nil {
		x.dense[id] = s
	} else {
		x.local[id] = s
	}
}

func (x *compiler) of(id statement.Name) uint32 {
	if x.dense != nil {
		return x.dense[id]
	}
	return x.local[id]
}

// drive sets what drives a signal, unless something does already.
func (x *compiler) drive(s uint32, kind driverKind, id int) *Driver {
	d := &x.b.Drivers[s]
	if d.Kind != DriverNone && d.Kind != DriverOpen || d.Kind == DriverOpen && kind == DriverOpen {
		return nil
	}
	*d = Driver{Kind: kind, Statement: int32(id), From: uint32(len(x.b.Operands)), To: uint32(len(x.b.Operands))}
	return d
}

func (x *compiler) statement(k int, c *statement.Chunk, i int) {
	id := int(x.f.Firsts[k]) + i
	lo, hi := c.TokensOf(i)
	switch kind := c.Stmts[i].Kind; kind {
	case statement.KindNames, statement.KindConn, statement.KindShort:
		if hi-lo < 2 {
			return
		}
		as := DriverNames
		if kind != statement.KindNames {
			as = DriverAlias
		}
		if x.f.NameText(c.Names[hi-1]) == blif.UndefNet && hi-lo == 2 {
			as = DriverOpen
		}
		if d := x.drive(x.of(c.Names[hi-1]), as, id); d != nil {
			for _, n := range c.Names[lo+1 : hi-1] {
				x.b.Operands = append(x.b.Operands, x.of(n))
			}
			d.To = uint32(len(x.b.Operands))
		}
	case statement.KindLatch, statement.KindFlop:
		x.latch(k, i, id)
	case statement.KindSubckt, statement.KindGate, statement.KindMlatch:
		if hi-lo >= 2 {
			x.instance(k, i, id)
		}
	case statement.KindUnknown:
		for _, n := range c.Names[lo+1 : hi] {
			x.join(x.of(n), id)
		}
	case statement.KindGateInit:
		for t := lo + 1; t+1 < hi; t += 2 {
			if s := x.f.Resolved().Lookup(x.m.Index, c.Names[t]); s != 0 {
				x.b.InitialValues[uint32(s-x.f.Resolved().Bases[x.m.Index])] = x.f.WordOf(k, c.Tokens[t+1])
			}
		}
	}
}

// join notes a statement that may drive a signal.
func (x *compiler) join(s uint32, id int) {
	x.drive(s, DriverOpen, id)
	x.b.Joined[s] = append(x.b.Joined[s], int32(id))
}

// latch reads a .latch or a .flop.
func (x *compiler) latch(k, i, id int) {
	ids := x.f.Chunks[k].Names
	next, control, other, out := -1, -1, false, -1
	x.f.Roles(k, i, blif.Block{}, func(t uint32, role blif.Role) {
		switch role {
		case blif.RoleNext:
			next = int(t)
		case blif.RoleLatch:
			out = int(t)
		case blif.RoleControl:
			control = int(t)
			other = other || x.f.Chunks[k].Stmts[i].Kind == statement.KindFlop && x.f.NameText(ids[t-1]) != "C"
		}
	})
	if out < 0 {
		return
	}
	kind := DriverLatch
	if next < 0 || other {
		kind = DriverOpen // a set, reset or enable whose meaning is not written down
	}
	s := x.of(ids[out])
	d := x.drive(s, kind, id)
	if d == nil || kind == DriverOpen {
		return
	}
	x.b.Operands = append(x.b.Operands, x.of(ids[next]))
	d.To = uint32(len(x.b.Operands))
	if control >= 0 {
		d.Control = 1 + x.of(ids[control])
	}
	x.b.Latches = append(x.b.Latches, s)
}

// instance reads an instance: its outputs, and the operands of a cell.
func (x *compiler) instance(k, i, id int) {
	f, c := x.f, x.f.Chunks[k]
	call := f.Resolved().Calls[x.m.Index][x.calls]
	x.calls++
	if call.Block.Cell != nil {
		x.cell(k, i, id, call.Block.Cell)
		return
	}
	f.Roles(k, i, call.Block, func(t uint32, role blif.Role) {
		switch role {
		case blif.RolePinOutput:
			if s := x.of(c.Names[t]); !x.isOpenPin(s, id) {
				x.drive(s, DriverInstance, id)
			}
		case blif.RolePin:
			x.join(x.of(c.Names[t]), id)
		}
	})
}

// cell reads an instance of a library cell. Operands that are not connected
// make it faulty.
func (x *compiler) cell(k, i, id int, cell *cells.Cell) {
	c := x.f.Chunks[k]
	lo, hi := c.TokensOf(i)
	ops := make([]int, len(cell.Inputs))
	var outs []int
	control := -1
	for t := lo + 2; t+1 < hi; t += 2 {
		if c.Tokens[t+1].Length == 0 {
			if word := x.f.WordOf(k, c.Tokens[t]); cell.IsLatch() && !x.f.Chunks[k].IsNamedPin(t) && word != "NIL" && !statement.IsInitialValue(word) {
				control = int(t)
			}
			continue
		}
		switch dir, index, ok := cell.Port(x.f.NameText(c.Names[t])); {
		case ok && dir == cells.Output:
			if !cell.IsVector() {
				outs = outs[:0]
			}
			outs = append(outs, int(t)+1)
		case ok && dir == cells.Clock:
			control = int(t) + 1
		case ok:
			ops[index] = int(t) + 1
		}
	}
	for _, out := range outs {
		x.output(k, id, cell, out, ops, control)
	}
}

// output reads an output of an instance of a library cell, whose operands and control are known by
// their tokens.
func (x *compiler) output(k, id int, cell *cells.Cell, out int, ops []int, control int) {
	c := x.f.Chunks[k]
	kind := DriverCell
	switch {
	case cell.IsLatch():
		kind = DriverLatch
	case cell.IsFree():
		kind = DriverFree
	}
	s := x.of(c.Names[out])
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
			d.Kind = DriverOpen
			return
		}
		x.b.Operands = append(x.b.Operands, x.of(c.Names[t]))
	}
	d.To = uint32(len(x.b.Operands))
	if control >= 0 {
		d.Control = 1 + x.of(c.Names[control])
	}
	if cell.IsLatch() {
		x.b.Latches = append(x.b.Latches, s)
	}
}

// inputs marks the ports. One that something drives is faulty.
func (x *compiler) inputs() {
	for _, id := range x.m.PortNames(cells.Input) {
		s := x.of(id)
		x.b.Inputs = append(x.b.Inputs, s)
		switch d := &x.b.Drivers[s]; d.Kind {
		case DriverNone, DriverOpen:
			d.Kind = DriverInput
		case DriverInput: // listed twice
		default:
			d.Kind = DriverFaulty
		}
	}
}

// isOpenPin reports whether the output of an instance at a signal is open.
func (x *compiler) isOpenPin(s uint32, id int) bool {
	return x.open != 0 && x.f.Resolved().Bases[x.m.Index]+blif.Signal(s) == x.open && id != x.openDriver
}
