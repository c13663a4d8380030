package diagnose

import (
	"context"

	"aiglens/aiger/syntax"
)

// folding simplifies a net: it finds gates that are constant, equal a literal
// or repeat another gate, by structural hashing (Kuehlmann, Krohm, DAC 1997).
type folding struct {
	*net
	// value gives for each gate, by position among the ANDs, the literal that
	// it equals: its own when it is the first of its kind; noLit when an
	// operand is not defined or depends on itself.
	value []nodeLit
	// fixed are latches that are known to be constant, by position among the
	// latches: 0, 1 or noLit.
	fixed                []nodeLit
	firstLatch, endLatch int     // the latch rows
	slots                []int32 // of the hash table: 1 + position of a gate, or 0
}

// newFolding prepares to fold. fixed is nil when no latch is constant.
func newFolding(n *net, fixed []nodeLit) *folding {
	size := 16
	for size < 2*len(n.ops) {
		size *= 2
	}
	f := &folding{net: n, value: make([]nodeLit, len(n.ops)), fixed: fixed, slots: make([]int32, size)}
	f.firstLatch, f.endLatch = n.f.RowsOf(syntax.SectionLatches)
	for i := range f.value {
		f.value[i] = noLit
	}
	return f
}

func (f *folding) run(ctx context.Context) error {
	return f.gates(ctx, func(g int) { f.value[g] = f.fold(g) })
}

// of returns what a literal equals.
func (f *folding) of(l nodeLit) nodeLit {
	if l == noLit {
		return noLit
	}
	v := l &^ 1
	if g, ok := f.gate(l); ok {
		v = f.value[g]
	} else if r := l.node() - 1; f.fixed != nil && f.firstLatch <= r && r < f.endLatch && f.fixed[r-f.firstLatch] != noLit {
		v = f.fixed[r-f.firstLatch]
	}
	if v == noLit {
		return noLit
	}
	return v ^ l&1
}

func (f *folding) fold(g int) nodeLit {
	a, b := f.of(f.ops[g][0]), f.of(f.ops[g][1])
	if a > b {
		a, b = b, a
	}
	switch {
	case a == 0 || a^1 == b && b != noLit:
		return 0
	case b == noLit:
		return noLit
	case a == 1 || a == b:
		return b
	}
	h := uint64(a)<<32 | uint64(b)
	h *= 0x9e3779b97f4a7c15
	for i := int(h >> 20); ; i++ {
		slot := &f.slots[i&(len(f.slots)-1)]
		if *slot == 0 {
			*slot = int32(g) + 1
			return f.own(g)
		}
		other := int(*slot) - 1
		c, d := f.of(f.ops[other][0]), f.of(f.ops[other][1])
		if c == a && d == b || c == b && d == a {
			return f.own(other)
		}
	}
}

// own returns the literal of a gate.
func (f *folding) own(g int) nodeLit { return nodeLit(f.lo+g+1) << 1 }

// lit returns the literal of the file that a gate equals; ok is false when it
// is the first of its kind, or not known.
func (f *folding) lit(g int) (lit uint32, ok bool) {
	value := f.value[g]
	switch {
	case value == noLit || value == f.own(g):
		return 0, false
	case value <= 1:
		return uint32(value), true
	}
	return f.net.f.Numbers(value.node() - 1).Num[0] ^ uint32(value&1), true
}
