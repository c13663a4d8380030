package ide

import "aiglens/lsp/document"

// maxCone is the number of signals at which the search of a cone is cut.
const maxCone = 100_000

// ConeSize is what a signal depends on, through latches, itself included.
type ConeSize struct {
	Inputs, Latches, Gates int
	// Level is the number of gates on the longest way from the signal back to an
	// input or latch.
	Level int
	// Cut says that there is more: of the cone, or of the gates that Level
	// counts.
	Cut, LevelCut bool
}

// coneSearch walks from a signal towards what drives it, depth first, so that
// the level of a gate is known when the search leaves it. Latches wait until
// the gates are done: what is behind them does not count for the level.
type coneSearch struct {
	d       *document.Document
	seen    signalTable // level of each signal met
	latches []document.Signal
	size    ConeSize
	path    []coneStep
}

// coneStep is a gate on the path with the operands still to be looked at.
type coneStep struct {
	signal  document.Signal
	level   uint32 // 1 + that of the highest operand so far
	pending []document.Lit
	buf     [2]document.Lit // backs pending, mostly
}

// Cone measures the cone of a signal.
func Cone(d *document.Document, s document.Signal) ConeSize {
	c := coneSearch{d: d, seen: newSignalTable(1 << 10)}
	c.walk(s)
	if level, ok := c.seen.get(s); ok {
		c.size.Level = int(level)
	}
	c.size.LevelCut = c.size.Cut
	for len(c.latches) > 0 && !c.size.Cut {
		latch := c.latches[len(c.latches)-1]
		c.latches = c.latches[:len(c.latches)-1]
		var buf [4]document.Lit
		_, _, next := d.Drivers(latch, buf[:0])
		for _, l := range next {
			c.walk(l.Signal())
		}
	}
	return c.size
}

func (c *coneSearch) walk(root document.Signal) {
	c.enter(root)
	for len(c.path) > 0 && !c.size.Cut {
		top := &c.path[len(c.path)-1]
		if len(top.pending) > 0 {
			operand := top.pending[len(top.pending)-1].Signal()
			if level, ok := c.seen.get(operand); ok {
				top.level = max(top.level, level+1)
				top.pending = top.pending[:len(top.pending)-1]
				continue
			}
			c.enter(operand)
			continue
		}
		c.seen.put(top.signal, top.level)
		c.path = c.path[:len(c.path)-1]
	}
	c.path = c.path[:0]
}

// enter counts a signal that has not been met. A gate is put on the path with
// level 0, which ends the search on a circle of gates.
func (c *coneSearch) enter(s document.Signal) {
	if _, ok := c.seen.get(s); ok {
		return
	}
	if c.seen.len == maxCone {
		c.size.Cut = true
		return
	}
	c.seen.put(s, 0)
	c.path = append(c.path, coneStep{signal: s, level: 1})
	top := &c.path[len(c.path)-1]
	kind, _, drivers := c.d.Drivers(s, top.buf[:0])
	switch kind {
	case document.Gate:
		c.size.Gates++
		top.pending = drivers
		return
	case document.Latch:
		c.size.Latches++
		c.latches = append(c.latches, s)
	case document.Input:
		c.size.Inputs++
	}
	c.path = c.path[:len(c.path)-1]
}

// signalTable is a hash table with open addressing: a hover has a few
// milliseconds for a hundred thousand signals, which a map takes alone.
type signalTable struct {
	keys   []document.Signal // plus 1; 0 is free
	values []uint32
	len    int
	shift  uint
}

func newSignalTable(size int) signalTable {
	t := signalTable{keys: make([]document.Signal, size), values: make([]uint32, size), shift: 32}
	for ; size > 1; size >>= 1 {
		t.shift--
	}
	return t
}

// slot returns where a signal stands, or where it would.
func (t *signalTable) slot(s document.Signal) int {
	i := int(uint32(s) * 2654435769 >> t.shift) // Fibonacci hashing
	for t.keys[i] != 0 && t.keys[i] != s+1 {
		i = (i + 1) & (len(t.keys) - 1)
	}
	return i
}

func (t *signalTable) get(s document.Signal) (value uint32, ok bool) {
	i := t.slot(s)
	return t.values[i], t.keys[i] != 0
}

func (t *signalTable) put(s document.Signal, value uint32) {
	i := t.slot(s)
	if t.keys[i] == 0 {
		if 2*t.len >= len(t.keys) {
			t.grow()
			i = t.slot(s)
		}
		t.keys[i] = s + 1
		t.len++
	}
	t.values[i] = value
}

func (t *signalTable) grow() {
	old := *t
	*t = newSignalTable(4 * len(old.keys))
	for i, k := range old.keys {
		if k != 0 {
			t.put(k-1, old.values[i])
		}
	}
}
