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
	sets := b.inputsOf()
	var outputs []bitset
	for _, s := range b.outputs {
		outputs = append(outputs, sets[s])
	}
	known[m] = outputs
	return outputs
}

// inputsOf returns, by signal, the inputs that it depends on in the same step. On
// a cycle that is less than all of them.
func (b *body) inputsOf() []bitset {
	words := (len(b.inputs) + 63) / 64
	sets := make([]bitset, len(b.drivers))
	for i, s := range b.inputs {
		if sets[s] == nil {
			sets[s] = make(bitset, words)
		}
		sets[s].add(i)
	}
	seen := make([]bool, len(b.drivers)) // its operands are on the stack, or done
	var stack []uint32
	for s := range b.drivers {
		stack = append(stack, uint32(s))
		for len(stack) > 0 {
			s := stack[len(stack)-1]
			d := &b.drivers[s]
			if d.isCombinational() && !seen[s] {
				seen[s] = true
				for _, op := range b.ops[d.from:d.to] {
					if !seen[op] && sets[op] == nil {
						stack = append(stack, op)
					}
				}
				continue
			}
			stack = stack[:len(stack)-1]
			if sets[s] != nil {
				continue
			}
			sets[s] = make(bitset, words)
			if d.isCombinational() { // its operands are done
				for _, op := range b.ops[d.from:d.to] {
					sets[s].union(sets[op])
				}
			}
		}
	}
	return sets
}

// bitset is a set of small numbers.
type bitset []uint64

func (s bitset) has(i int) bool { return s[i/64]>>(i%64)&1 == 1 }
func (s bitset) add(i int)      { s[i/64] |= 1 << (i % 64) }

// union adds the members of another set; nil is the empty one.
func (s bitset) union(other bitset) {
	for i, w := range other {
		s[i] |= w
	}
}
