package diagnose

import (
	"context"

	"aiglens/btor2/syntax"
)

// values are what the structure of a text says about the values of its rows in every step.
//
// Invariant, for each sound row with a value: it equals that of same[row], and where it has at most 64 bits,
// within[row].low ≤ value ≤ within[row].high.
type values struct {
	m      *syntax.Model
	same   []syntax.Ref // a row with the same value: the first that is known, or the row itself
	within []span
	slots  []int32 // hash table of rows that are the first of their value, plus 1
}

// span is a range of numbers without sign.
type span struct{ low, high uint64 }

func (s span) isPoint() bool { return s.low == s.high }

func point(v uint64) span { return span{v, v} }

// truth is the range of one bit: both values, or the one that is certain.
func truth(yes, no bool) span {
	switch {
	case yes:
		return point(1)
	case no:
		return point(0)
	}
	return span{0, 1}
}

// mask returns the largest number of some bits, at most 64.
func mask(width int) uint64 { return ^uint64(0) >> (64 - width) }

// key is what rows have in common that have the same value.
type key struct {
	op     syntax.Op
	sort   syntax.Sort
	args   [3]syntax.Ref
	number [2]uint64 // of a slice or extension, or the value of a constant
}

// isNarrow reports whether values of a sort are numbers that are looked at.
func isNarrow(s syntax.Sort) bool { return !s.IsArray() && 0 < s.Width && s.Width <= 64 }

// checkEvery is how many rows are looked at before the context is.
const checkEvery = 4096

// newValues looks at all rows. Where atStart holds, a state is what it starts with, and the values are those of step 0.
func newValues(ctx context.Context, m *syntax.Model, atStart bool) (*values, error) {
	size := 16
	for size < 2*len(m.Nodes) {
		size *= 2
	}
	v := &values{m: m, same: make([]syntax.Ref, len(m.Nodes)), within: make([]span, len(m.Nodes)), slots: make([]int32, size)}
	for row := range m.Nodes {
		if row%checkEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		n := &m.Nodes[row]
		v.same[row] = syntax.Ref(2 * row)
		if isNarrow(n.Sort) {
			v.within[row].high = mask(n.Sort.Width)
		}
		switch {
		case !n.Sound:
		case n.Op.IsConstant():
			v.constant(row, n)
		case n.Op == syntax.State && atStart:
			if init, has := m.Init[row]; has && m.Nodes[init].Sound && m.Nodes[init].Args[1].Node() < row && m.Nodes[init].Sort == m.Nodes[m.Nodes[init].Args[1].Node()].Sort {
				v.equal(row, m.Nodes[init].Args[1])
			}
		case n.Op.IsOperator():
			v.operator(row, n)
		}
	}
	return v, nil
}

// of returns the range of an operand.
func (v *values) of(r syntax.Ref) span {
	s := v.within[r.Node()]
	if sort := v.m.Nodes[r.Node()].Sort; r.IsNegated() && isNarrow(sort) {
		return span{mask(sort.Width) - s.high, mask(sort.Width) - s.low}
	}
	return s
}

// sameAs returns the first row with the value of an operand.
func (v *values) sameAs(r syntax.Ref) syntax.Ref { return v.same[r.Node()] ^ r&1 }

// isConstant reports whether an operand always has one value, and which.
func (v *values) isConstant(r syntax.Ref) (value uint64, ok bool) {
	s := v.of(r)
	return s.low, isNarrow(v.m.Nodes[r.Node()].Sort) && s.isPoint()
}

// equal notes that a row has the value of another one.
func (v *values) equal(row int, r syntax.Ref) {
	v.same[row], v.within[row] = v.sameAs(r), v.of(r)
}

// constant notes the value of a constant, or that it is that of another one.
func (v *values) constant(row int, n *syntax.Node) {
	if !isNarrow(n.Sort) {
		return
	}
	v.within[row] = point(n.Value().Uint64())
	v.share(row)
}

// keyOf returns the key of a row, which is a constant or an operator that is none of its operands.
func (v *values) keyOf(row int) key {
	n := &v.m.Nodes[row]
	if isNarrow(n.Sort) && v.within[row].isPoint() {
		return key{op: syntax.Const, sort: n.Sort, number: [2]uint64{v.within[row].low}}
	}
	k := key{op: n.Op, sort: n.Sort, number: [2]uint64{uint64(n.Number[0]), uint64(n.Number[1])}}
	for i, r := range n.Args {
		k.args[i] = v.sameAs(r)
	}
	if isCommutative(n.Op) && k.args[0] > k.args[1] {
		k.args[0], k.args[1] = k.args[1], k.args[0]
	}
	return k
}

// hash spreads a key over the slots.
func (k *key) hash() uint64 {
	h := uint64(k.op)
	for _, x := range [...]uint64{
		uint64(k.sort.Width), uint64(k.sort.IndexWidth), uint64(k.args[0]), uint64(k.args[1]), uint64(k.args[2]), k.number[0], k.number[1],
	} {
		h = (h ^ x) * 0x9e3779b97f4a7c15
		h ^= h >> 32
	}
	return h
}

// share gives a row the value of an earlier row with the same key.
func (v *values) share(row int) {
	k := v.keyOf(row)
	for i := k.hash(); ; i++ {
		slot := &v.slots[i&uint64(len(v.slots)-1)]
		if *slot == 0 {
			*slot = int32(row) + 1
			return
		}
		if first := int(*slot) - 1; v.keyOf(first) == k {
			v.same[row] = syntax.Ref(2 * first)
			return
		}
	}
}

// operator works out what a row computes.
func (v *values) operator(row int, n *syntax.Node) {
	if r, ok := v.reduced(n); ok {
		v.equal(row, r)
		return
	}
	if isNarrow(n.Sort) {
		v.within[row] = v.rangeOf(n)
	}
	v.share(row)
}

func isCommutative(o syntax.Op) bool {
	switch o {
	case syntax.And, syntax.Nand, syntax.Or, syntax.Nor, syntax.Xor, syntax.Xnor, syntax.Add, syntax.Mul,
		syntax.Eq, syntax.Neq, syntax.Uaddo, syntax.Umulo, syntax.Saddo, syntax.Smulo, syntax.Iff:
		return true
	}
	return false
}

// reduced returns the operand that has the value of a row, as it stands or negated.
func (v *values) reduced(n *syntax.Node) (r syntax.Ref, ok bool) {
	a := n.Args[0]
	switch n.Op {
	case syntax.Not:
		return a ^ 1, true
	case syntax.Uext, syntax.Sext:
		return a, n.Number[0] == 0
	case syntax.Slice:
		return a, n.Sort == v.m.Nodes[a.Node()].Sort
	case syntax.Ite:
		switch c, isConstant := v.isConstant(a); {
		case isConstant && c == 1, v.sameAs(n.Args[1]) == v.sameAs(n.Args[2]):
			return n.Args[1], true
		case isConstant:
			return n.Args[2], true
		}
	case syntax.And, syntax.Or:
		b := n.Args[1]
		if v.sameAs(a) == v.sameAs(b) {
			return a, true
		}
		neutral := uint64(0)
		if n.Op == syntax.And && isNarrow(n.Sort) {
			neutral = mask(n.Sort.Width)
		}
		if c, isConstant := v.isConstant(a); isConstant && c == neutral {
			return b, true
		}
		if c, isConstant := v.isConstant(b); isConstant && c == neutral {
			return a, true
		}
	}
	return 0, false
}
