package netlist

import (
	"slices"

	"aiglens/blif"
	"aiglens/blif/cells"
	"aiglens/internal/findings"
)

// cycle is a list of signals of a model: each depends on the next one, the last on the first.
type cycle []blif.Signal

var cycles = blif.NewDerived(findCycles)

// CyclesOf returns the combinational cycles of the models of a file, of each edge
// that closes one the first that is found. They are worked out once for each
// version.
func CyclesOf(f *blif.File) []cycle { return cycles.Of(f) }

// findCycles finds one cycle for each edge that closes one, by a depth-first
// search over the drivers of each model.
func findCycles(f *blif.File) []cycle {
	var all []cycle
	known := reaches{}
	for _, m := range f.Models() {
		b := Compile(m)
		// Few models have a cycle even if every output of an instance depends on
		// all of its inputs. Only then it matters on which ones it does.
		joined := joinInstances(m, b, nil)
		found := b.cycles(findings.MaxPerCode - len(all))
		if joined && len(found) > 0 {
			b = Compile(m)
			joinInstances(m, b, known)
			found = b.cycles(findings.MaxPerCode - len(all))
		}
		base := f.Resolved().Bases[m.Index]
		for _, c := range found {
			signals := make(cycle, len(c))
			first := 0
			for i, s := range c {
				signals[i] = base + blif.Signal(s)
				if b.Drivers[s].Statement < b.Drivers[c[first]].Statement {
					first = i
				}
			}
			all = append(all, slices.Concat(signals[first:], signals[:first]))
			if len(all) >= findings.MaxPerCode {
				return all
			}
		}
	}
	return all
}

// cycles returns cycles of signals that drive each other in the same step, at most limit
// of them.
func (b *Body) cycles(limit int) [][]uint32 {
	const fresh, open, done = 0, 1, 2
	state := make([]uint8, len(b.Drivers))
	var found [][]uint32
	type frame struct{ signal, next uint32 }
	var stack []frame
	for s := range b.Drivers {
		if state[s] != fresh {
			continue
		}
		stack = append(stack[:0], frame{uint32(s), b.Drivers[s].From})
		state[s] = open
		for len(stack) > 0 {
			top := &stack[len(stack)-1]
			d := &b.Drivers[top.signal]
			if !d.isCombinational() || top.next == d.To {
				state[top.signal] = done
				stack = stack[:len(stack)-1]
				continue
			}
			op := b.Operands[top.next]
			top.next++
			switch state[op] {
			case fresh:
				state[op] = open
				stack = append(stack, frame{op, b.Drivers[op].From})
			case open:
				from := len(stack) - 1
				for stack[from].signal != op {
					from--
				}
				var cycle []uint32
				for _, fr := range stack[from:] {
					cycle = append(cycle, fr.signal)
				}
				if found = append(found, cycle); len(found) == limit {
					return found
				}
			}
		}
	}
	return found
}

// isCombinational reports whether a signal depends on its operands in the same
// step. An instance has operands only after joinInstances.
func (d *Driver) isCombinational() bool {
	switch d.Kind {
	case DriverNames, DriverAlias, DriverCell, DriverInstance:
		return true
	}
	return false
}

// reaches holds, by model, for each output the inputs that it depends on in the
// same step. While that of a model is being found out it is empty: a model that
// holds itself is an error of its own.
type reaches map[*blif.Model][]bitset

// joinInstances gives the outputs of instances operands: the nets at those inputs
// of the instance that the output depends on, or all of its inputs when known is
// nil. It reports whether there are any.
func joinInstances(m *blif.Model, b *Body, known reaches) bool {
	f, r := m.File, m.File.Resolved()
	base, joined := r.Bases[m.Index], false
	for _, call := range r.Calls[m.Index] {
		other := call.Block.Model
		if other == nil || other.BlackBox || m == other {
			continue
		}
		k, i := f.Locate(call.Statement)
		c := f.Chunks[k]
		lo, hi := c.TokensOf(i)
		nets := make([]uint32, len(other.PortNames(cells.Input))) // by input: 1 + the net
		for t := lo + 2; t+1 < hi; t += 2 {
			if dir, index, ok := call.Block.Port(f.NameText(c.Names[t])); ok && dir == cells.Input && c.Tokens[t+1].Length > 0 {
				nets[index] = uint32(r.Lookup(m.Index, c.Names[t+1])-base) + 1
			}
		}
		all := b.join(nets, nil)
		for t := lo + 2; t+1 < hi; t += 2 {
			dir, index, ok := call.Block.Port(f.NameText(c.Names[t]))
			if !ok || dir != cells.Output || c.Tokens[t+1].Length == 0 {
				continue
			}
			d := &b.Drivers[r.Lookup(m.Index, c.Names[t+1])-base]
			if d.Kind != DriverInstance || int(d.Statement) != call.Statement {
				continue
			}
			if joined = true; known == nil {
				d.From, d.To = all.From, all.To
				continue
			}
			if outputs := known.of(other); index < len(outputs) {
				ops := b.join(nets, outputs[index])
				d.From, d.To = ops.From, ops.To
			}
		}
	}
	return joined
}

// join adds the nets of those inputs that are in a set, or of all, and
// returns a driver with them.
func (b *Body) join(nets []uint32, inputs bitset) Driver {
	d := Driver{From: uint32(len(b.Operands))}
	for i, net := range nets {
		if net > 0 && (inputs == nil || inputs.has(i)) {
			b.Operands = append(b.Operands, net-1)
		}
	}
	d.To = uint32(len(b.Operands))
	return d
}

// of returns the inputs that each output of a model depends on. The models below are
// worked out first, on a stack of its own: a file may nest models as deep as it likes.
func (known reaches) of(m *blif.Model) []bitset {
	if sets, ok := known[m]; ok {
		return sets
	}
	type step struct {
		model *blif.Model
		next  int // the instance to look at
	}
	known[m] = nil
	for path := []step{{m, 0}}; len(path) > 0; {
		at := &path[len(path)-1]
		calls := at.model.File.Resolved().Calls[at.model.Index]
		if at.next == len(calls) {
			b := Compile(at.model)
			joinInstances(at.model, b, known)
			known[at.model] = b.inputsOf(b.Outputs)
			path = path[:len(path)-1]
			continue
		}
		other := calls[at.next].Block.Model
		at.next++
		if other == nil || other.BlackBox {
			continue
		}
		if _, begun := known[other]; !begun {
			known[other] = nil
			path = append(path, step{other, 0})
		}
	}
	return known[m]
}

// inputsOf returns, by output, the inputs that it depends on in the same step. On
// a cycle that is less than all of them. It goes over the signals once for 64
// inputs: a set of all inputs for each signal would be more than fits into memory.
func (b *Body) inputsOf(outputs []uint32) []bitset {
	order := b.order(outputs)
	sets := make([]bitset, len(outputs))
	for i := range sets {
		sets[i] = make(bitset, (len(b.Inputs)+63)/64)
	}
	depends := make([]uint64, len(b.Drivers)) // by signal: those of 64 inputs that it depends on
	for w := range (len(b.Inputs) + 63) / 64 {
		clear(depends)
		for i, s := range b.Inputs[64*w : min(64*w+64, len(b.Inputs))] {
			depends[s] |= 1 << i
		}
		for _, s := range order {
			d := &b.Drivers[s]
			for _, op := range b.Operands[d.From:d.To] {
				depends[s] |= depends[op]
			}
		}
		for i, s := range outputs {
			sets[i][w] = depends[s]
		}
	}
	return sets
}

// order returns the signals that some outputs depend on in the same step and that
// have operands, each after its operands but on a cycle.
func (b *Body) order(outputs []uint32) []uint32 {
	const fresh, open, done = 0, 1, 2
	state := make([]uint8, len(b.Drivers))
	for _, s := range b.Inputs {
		state[s] = done
	}
	var order, stack []uint32
	for _, s := range outputs {
		stack = append(stack, s)
		for len(stack) > 0 {
			s := stack[len(stack)-1]
			d := &b.Drivers[s]
			if state[s] == fresh && d.isCombinational() {
				state[s] = open
				for _, op := range b.Operands[d.From:d.To] {
					if state[op] == fresh {
						stack = append(stack, op)
					}
				}
				continue
			}
			stack = stack[:len(stack)-1]
			if state[s] == open {
				order = append(order, s)
			}
			state[s] = done
		}
	}
	return order
}

// bitset is a set of small numbers.
type bitset []uint64

func (s bitset) has(i int) bool { return s[i/64]>>(i%64)&1 == 1 }
