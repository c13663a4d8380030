package verilogdesign

import (
	"fmt"

	"aiglens/aiger/syntax"
	"aiglens/circuit"
	"aiglens/design"
	"aiglens/internal/yosys"
)

// storedBit is a bit of a signal in a latch that is not the signal itself. What the latch holds is
//
//   - $past(x): the value of x in the step before. So registers are kept where all clocks are sampled.
//   - $stored(q): the value of the register q unless its asynchronous reset, or the enable of a latch, acts.
//   - $next(q): what the register q takes over if its clock, which is sampled, has an edge in this step.
type storedBit struct {
	signal *signal
	bit    int
	word   *storedWord
}

// storedWord is the latches of a signal.
type storedWord struct {
	name string
	bits []uint32 // literals of the model; 0 where there is none
}

func (b storedBit) name() string {
	if b.signal.bitName(b.bit) == b.signal.name {
		return b.word.name
	}
	return fmt.Sprintf("%s[%d]", b.word.name, b.signal.index(b.bit))
}

// bitOf returns the bit of the signal itself.
func (b storedBit) bitOf() bitOf { return bitOf{signal: b.signal, bit: b.bit} }

// stored is what latches hold that are no signal.
type stored struct {
	bits      map[uint32]storedBit // by literals of the model
	words     []storedBit          // one of each
	registers map[uint32]uint32    // literals of the registers whose state latches keep
}

// findStored finds what the latches hold that no signal is, and which of them keep the state of a
// register.
func (s *Synthesis) findStored() {
	s.stored = stored{bits: map[uint32]storedBit{}, registers: map[uint32]uint32{}}
	f := storedFinder{
		s: s, named: map[uint32]bool{}, firsts: map[uint32]storedBit{}, words: map[storedKey][]*storedWord{},
		gates: map[uint32]syntax.And{}, nexts: map[uint32]uint32{},
	}
	for _, g := range s.model.Ands {
		f.gates[g.LHS] = g
	}
	for _, l := range s.model.Latches {
		f.nexts[l.Lit] = l.Next
	}
	for _, x := range s.signals {
		for i, lit := range x.lits {
			if !x.known[i] || lit < 2 {
				continue
			}
			if lit&1 == 0 { // what is the negation of a latch does not give it its name
				f.named[lit] = true
			}
			if _, has := f.firsts[lit]; !has {
				f.firsts[lit] = storedBit{signal: x, bit: i}
			}
		}
	}
	kept, sampled := f.beforeAsync(), f.dataInputs()
	var others []syntax.Latch
	for _, l := range s.model.Latches {
		if f.named[l.Lit] {
			continue
		}
		if b, ok := f.firsts[l.Next]; ok && f.isSampled(b, l) {
			f.add(b, "$past", l.Lit)
			s.stored.registers[l.Lit] = l.Next
		} else if b, isKept := kept[l.Lit]; isKept {
			f.add(b, "$stored", l.Lit)
			s.stored.registers[l.Lit] = b.signal.lits[b.bit]
		} else {
			others = append(others, l)
		}
	}
	for _, l := range others {
		if b, ok := f.firsts[l.Next]; ok {
			f.add(b, "$past", l.Lit)
		} else if b, ok := sampled[l.Next]; ok {
			f.add(b, "$next", l.Lit)
		}
	}
}

type storedKey struct {
	signal *signal
	kind   string
}

// storedFinder is the work of findStored.
type storedFinder struct {
	s      *Synthesis
	named  map[uint32]bool      // variables that have names
	firsts map[uint32]storedBit // of what goes by several names the first, by literal
	words  map[storedKey][]*storedWord
	gates  map[uint32]syntax.And
	nexts  map[uint32]uint32 // of latches
}

// add names a latch. Of several that hold the same bit the later ones are numbered.
func (f *storedFinder) add(b storedBit, kind string, lit uint32) {
	key := storedKey{b.signal, kind}
	for _, w := range f.words[key] {
		if w.bits[b.bit] == 0 {
			b.word = w
			break
		}
	}
	if b.word == nil {
		b.word = &storedWord{fmt.Sprintf("%s(%s)", kind, b.signal.name), make([]uint32, len(b.signal.lits))}
		if n := len(f.words[key]); n > 0 {
			b.word.name = fmt.Sprintf("%s_%d", b.word.name, n+1)
		}
		f.words[key] = append(f.words[key], b.word)
		f.s.stored.words = append(f.s.stored.words, storedBit{signal: b.signal, word: b.word})
	}
	b.word.bits[b.bit] = lit
	f.s.stored.bits[lit] = b
}

// beforeAsync returns which bits the latches keep behind an asynchronous reset, or an enable: async2sync
// leaves the flip-flops their names, and has each drive a wire of its own.
func (f *storedFinder) beforeAsync() map[uint32]storedBit {
	out := f.s.output
	if out.Stepped == nil {
		return nil
	}
	before, after, last := map[string][]yosys.NetBit{}, map[yosys.NetBit][]yosys.NetBit{}, f.lastWires()
	for i := range out.Flat.Cells {
		c := &out.Flat.Cells[i]
		before[c.Name] = c.Ports["Q"]
	}
	for _, w := range out.Stepped.Wires {
		if own := last[w.Name]; own != nil && w.Private && len(own.Bits) == len(w.Bits) {
			for i, b := range w.Bits {
				after[b] = append(after[b], own.Bits[i])
			}
		}
	}
	of := f.driven()
	kept := map[uint32]storedBit{}
	for i := range out.Stepped.Cells {
		c := &out.Stepped.Cells[i]
		q, old := c.Ports["Q"], before[c.Name]
		for k := range min(len(q), len(old)) {
			b, ok := of[old[k]]
			if !ok || !q[k].IsNet() {
				continue
			}
			for _, net := range after[q[k]] {
				if lit, ok := f.s.litOf(net); ok && lit&1 == 0 && lit > 1 && b.signal.known[b.bit] && b.signal.lits[b.bit]&^1 != lit {
					kept[lit] = b
				}
			}
		}
	}
	return kept
}

// dataInputs returns which registers take over a literal at an edge of their clocks, where all clocks are
// sampled: a latch then has what was there in the step before.
func (f *storedFinder) dataInputs() map[uint32]storedBit {
	if f.s.output.Clocked {
		return nil
	}
	flat := map[yosys.NetBit][]uint32{}
	last := f.lastWires()
	for _, w := range f.s.output.Flat.Wires {
		own := last[w.Name]
		if own == nil || len(own.Bits) != len(w.Bits) {
			continue
		}
		for i, b := range w.Bits {
			if lit, ok := f.s.litOf(own.Bits[i]); ok && lit > 1 {
				flat[b] = append(flat[b], lit)
			}
		}
	}
	of, found := f.driven(), map[uint32]storedBit{}
	for i := range f.s.output.Flat.Cells {
		c := &f.s.output.Flat.Cells[i]
		d, q := c.Ports["D"], c.Ports["Q"]
		for k := range min(len(d), len(q)) {
			b, ok := of[q[k]]
			for _, lit := range flat[d[k]] {
				if _, has := found[lit]; ok && !has {
					found[lit] = b
				}
			}
		}
	}
	return found
}

// lastWires returns the wires of the netlist that the circuit was written from, by their names.
func (f *storedFinder) lastWires() map[string]*yosys.Wire {
	last := map[string]*yosys.Wire{}
	for i := range f.s.output.Netlist.Wires {
		last[f.s.output.Netlist.Wires[i].Name] = &f.s.output.Netlist.Wires[i]
	}
	return last
}

// driven returns the bits of registers by their nets before the clocks were taken away.
func (f *storedFinder) driven() map[yosys.NetBit]storedBit {
	wires := map[string]*yosys.Wire{}
	for i := range f.s.output.Flat.Wires {
		wires[f.s.output.Flat.Wires[i].Name] = &f.s.output.Flat.Wires[i]
	}
	of := map[yosys.NetBit]storedBit{}
	for _, x := range f.s.signals {
		w := wires[x.wire.Name]
		if w == nil || !x.isReg || len(w.Bits) != len(x.lits) {
			continue
		}
		for i, b := range w.Bits {
			if _, has := of[b]; !has && b.IsNet() {
				of[b] = storedBit{signal: x, bit: i}
			}
		}
	}
	return of
}

// mostSampled bounds the gates between a register whose clock is sampled and its latch.
const mostSampled = 200

// isSampled reports whether a latch, which has the value that a signal had in the step before, is where a
// register keeps it while no clock changes it: the nearest such latch before the register.
func (f *storedFinder) isSampled(b storedBit, l syntax.Latch) bool {
	if _, isGate := f.gates[l.Next&^1]; !isGate || !b.signal.isReg {
		return false
	}
	todo, seen := []uint32{l.Next &^ 1}, map[uint32]bool{}
	for i := 0; i < len(todo) && i < mostSampled; i++ {
		g, isGate := f.gates[todo[i]]
		if next, isLatch := f.nexts[todo[i]]; isLatch && next == l.Next && !f.named[todo[i]] {
			return todo[i] == l.Lit
		}
		for _, operand := range []uint32{g.RHS0 &^ 1, g.RHS1 &^ 1} {
			if isGate && operand != 0 && !seen[operand] {
				seen[operand] = true
				todo = append(todo, operand)
			}
		}
	}
	return false
}

// wordOfStored returns the latches of a signal as a word.
func wordOfStored(b storedBit, lit func(uint32) (circuit.Lit, bool)) design.Word {
	x := b.signal
	w := x.word(func(uint32) (circuit.Lit, bool) { return 0, false })
	w.Name, w.Path, w.Local, w.Origin = b.word.name, nil, b.word.name, design.FromNames
	for i, l := range b.word.bits {
		if at, ok := lit(l); ok && l != 0 {
			w.Bits[i] = design.Bit{Lit: at}
		}
	}
	return w
}
