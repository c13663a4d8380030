package blif

import (
	"fmt"
	"slices"

	"aiglens/internal/source"
)

// cycle is a circle of signals of a model: each depends on the next one.
type cycle []Signal

// cycles reports combinational cycles of the models, those through instances
// too: what a cycle goes through inside of one is not said.
func (l *linter) cycles() {
	for _, c := range l.f.cycles() {
		f := l.f
		path, instances := "", ""
		for i, s := range c {
			if i == 5 && len(c) > 6 {
				path += fmt.Sprintf("(%d more) → ", len(c)-5)
				break
			}
			path += f.Name(s) + " → "
		}
		for _, s := range c {
			if k, i := f.at(int(l.r.driver[s]) - 1); f.chunks[k].stmts[i].kind.isInstance() && f.instanceOf(k, i).model != nil {
				instances = ", through instances"
			}
		}
		id := int(l.r.driver[c[0]]) - 1
		d := f.finding(CodeCycle, f.operandSpan(id, l.r.names[c[1%len(c)]]), "combinational cycle "+path+f.Name(c[0])+instances)
		for _, s := range c[1:min(len(c), 10)] {
			other := int(l.r.driver[s]) - 1
			d.Related = append(d.Related, source.Related{Span: f.drivenSpan(other, l.r.names[s]), Message: f.Name(s)})
		}
		l.report(d)
	}
}

// findCycles finds one cycle for each edge that closes one, by a depth-first
// search over the drivers of each model.
func (f *File) findCycles() []cycle {
	var all []cycle
	known := reaches{}
	for _, m := range f.Models() {
		b := m.compile()
		// Few models have a cycle even if every output of an instance depends on
		// all of its inputs. Only then it matters on which ones it does.
		joined := m.joinInstances(b, nil)
		found := b.cycles()
		if joined && len(found) > 0 {
			b = m.compile()
			m.joinInstances(b, known)
			found = b.cycles()
		}
		base := f.resolved().bases[m.Index]
		for _, c := range found {
			signals := make(cycle, len(c))
			first := 0
			for i, s := range c {
				signals[i] = base + Signal(s)
				if b.drivers[s].id < b.drivers[c[first]].id {
					first = i
				}
			}
			all = append(all, slices.Concat(signals[first:], signals[:first]))
			if len(all) >= maxFindings {
				return all
			}
		}
	}
	return all
}

// cycles returns circles of signals that drive each other in the same step.
func (b *body) cycles() [][]uint32 {
	const fresh, open, done = 0, 1, 2
	state := make([]uint8, len(b.drivers))
	var found [][]uint32
	type frame struct{ signal, next uint32 }
	var stack []frame
	for s := range b.drivers {
		if state[s] != fresh {
			continue
		}
		stack = append(stack[:0], frame{uint32(s), b.drivers[s].from})
		state[s] = open
		for len(stack) > 0 {
			top := &stack[len(stack)-1]
			d := &b.drivers[top.signal]
			if !d.isCombinational() || top.next == d.to {
				state[top.signal] = done
				stack = stack[:len(stack)-1]
				continue
			}
			op := b.ops[top.next]
			top.next++
			switch state[op] {
			case fresh:
				state[op] = open
				stack = append(stack, frame{op, b.drivers[op].from})
			case open:
				from := len(stack) - 1
				for stack[from].signal != op {
					from--
				}
				var circle []uint32
				for _, fr := range stack[from:] {
					circle = append(circle, fr.signal)
				}
				found = append(found, circle)
			}
		}
	}
	return found
}

// isCombinational reports whether a signal depends on its operands in the same
// step. An instance has operands only after joinInstances.
func (d *driver) isCombinational() bool {
	switch d.kind {
	case driverNames, driverAlias, driverCell, driverInstance:
		return true
	}
	return false
}

// reaches holds, by model, for each output the inputs that it depends on in the
// same step. While that of a model is being found out it is empty: a model that
// holds itself is an error of its own.
type reaches map[*Model][]bitset

// joinInstances gives the outputs of instances operands: the nets at those inputs
// of the instance that the output depends on, or all of its inputs when known is
// nil. It reports whether there are any.
func (m *Model) joinInstances(b *body, known reaches) bool {
	f, r := m.File, m.File.resolved()
	base, joined := r.bases[m.Index], false
	for _, call := range r.calls[m.Index] {
		other := call.block.model
		if other == nil || other.isOpaque() || m == other {
			continue
		}
		k, i := f.at(call.id)
		c := f.chunks[k]
		lo, hi := c.tokens(i)
		nets := make([]uint32, len(other.portIDs(dirIn))) // by input: 1 + the net
		for t := lo + 2; t+1 < hi; t += 2 {
			if dir, index, ok := call.block.port(f.words.text(c.ids[t])); ok && dir == dirIn && c.toks[t+1].length > 0 {
				nets[index] = uint32(r.lookup(m.Index, c.ids[t+1])-base) + 1
			}
		}
		all := b.operands(nets, nil)
		for t := lo + 2; t+1 < hi; t += 2 {
			dir, index, ok := call.block.port(f.words.text(c.ids[t]))
			if !ok || dir != dirOut || c.toks[t+1].length == 0 {
				continue
			}
			d := &b.drivers[r.lookup(m.Index, c.ids[t+1])-base]
			if d.kind != driverInstance || int(d.id) != call.id {
				continue
			}
			if joined = true; known == nil {
				d.from, d.to = all.from, all.to
				continue
			}
			if outputs := known.of(other); index < len(outputs) {
				ops := b.operands(nets, outputs[index])
				d.from, d.to = ops.from, ops.to
			}
		}
	}
	return joined
}

// operands adds the nets of those inputs that are in a set, or of all, and
// returns a driver with them.
func (b *body) operands(nets []uint32, inputs bitset) driver {
	d := driver{from: uint32(len(b.ops))}
	for i, net := range nets {
		if net > 0 && (inputs == nil || inputs.has(i)) {
			b.ops = append(b.ops, net-1)
		}
	}
	d.to = uint32(len(b.ops))
	return d
}

// of returns the inputs that each output of a model depends on.
func (known reaches) of(m *Model) []bitset {
	if sets, ok := known[m]; ok {
		return sets
	}
	known[m] = nil
	b := m.compile()
	m.joinInstances(b, known)
	known[m] = b.inputsOf(b.outputs)
	return known[m]
}

// inputsOf returns, by output, the inputs that it depends on in the same step. On
// a cycle that is less than all of them. It goes over the signals once for 64
// inputs: a set of all inputs for each signal would be more than fits into memory.
func (b *body) inputsOf(outputs []uint32) []bitset {
	order := b.order(outputs)
	sets := make([]bitset, len(outputs))
	for i := range sets {
		sets[i] = make(bitset, (len(b.inputs)+63)/64)
	}
	reached := make([]uint64, len(b.drivers)) // by signal: those of 64 inputs that it depends on
	for w := range (len(b.inputs) + 63) / 64 {
		clear(reached)
		for i, s := range b.inputs[64*w : min(64*w+64, len(b.inputs))] {
			reached[s] |= 1 << i
		}
		for _, s := range order {
			d := &b.drivers[s]
			for _, op := range b.ops[d.from:d.to] {
				reached[s] |= reached[op]
			}
		}
		for i, s := range outputs {
			sets[i][w] = reached[s]
		}
	}
	return sets
}

// order returns the signals that some outputs depend on in the same step and that
// have operands, each behind its operands but on a cycle.
func (b *body) order(outputs []uint32) []uint32 {
	const fresh, open, done = 0, 1, 2
	state := make([]uint8, len(b.drivers))
	for _, s := range b.inputs {
		state[s] = done
	}
	var order, stack []uint32
	for _, s := range outputs {
		stack = append(stack, s)
		for len(stack) > 0 {
			s := stack[len(stack)-1]
			d := &b.drivers[s]
			if state[s] == fresh && d.isCombinational() {
				state[s] = open
				for _, op := range b.ops[d.from:d.to] {
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
