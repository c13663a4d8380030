package expression

import (
	"math/big"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/design/words"
)

// integer is what is known of a number at a step. Bits that are x may each be 0 or 1.
type integer struct {
	least, greatest *big.Int // equal where it is known
	// bits are those of a word, from the least significant on; nil for what is computed.
	bits     []circuit.Value
	isSigned bool // the last bit counts as negative
}

func known(n *big.Int) integer { return integer{least: n, greatest: n} }

// ofBits returns the number that bits are.
func ofBits(bits []circuit.Value, isSigned bool) integer {
	low, high := make([]byte, (len(bits)+7)/8), make([]byte, (len(bits)+7)/8) // from the most significant on
	for i, v := range bits {
		at, bit := len(low)-1-i/8, byte(1)<<(i%8)
		isSign := isSigned && i == len(bits)-1
		if v == circuit.One || v == circuit.X && !isSign {
			high[at] |= bit
		}
		if v == circuit.One || v == circuit.X && isSign {
			low[at] |= bit
		}
	}
	n := integer{new(big.Int).SetBytes(low), new(big.Int).SetBytes(high), bits, isSigned}
	if isSigned { // the last bit counts -2^i, not 2^i
		for _, bound := range []*big.Int{n.least, n.greatest} {
			if last := len(bits) - 1; bound.Bit(last) == 1 {
				bound.Sub(bound, new(big.Int).Lsh(big.NewInt(2), uint(last)))
			}
		}
	}
	return n
}

func (n *integer) isKnown() bool { return n.least.Cmp(n.greatest) == 0 }

// numberAt returns the value of a number at a step.
func (e *Expr) numberAt(r Run, step int) integer {
	switch e.op {
	case opNumber:
		return e.number
	case opWord:
		return ofBits(e.bitsAt(r, step), e.word.Signed)
	case opSum:
		a, b := e.args[0].numberAt(r, step), e.args[1].numberAt(r, step)
		return integer{least: new(big.Int).Add(a.least, b.least), greatest: new(big.Int).Add(a.greatest, b.greatest)}
	case opDifference:
		a, b := e.args[0].numberAt(r, step), e.args[1].numberAt(r, step)
		return integer{least: new(big.Int).Sub(a.least, b.greatest), greatest: new(big.Int).Sub(a.greatest, b.least)}
	}
	return e.args[0].numberAt(r, e.stepOf(step))
}

// stepOf returns the step in which the argument of prev, next and @ is looked at.
func (e *Expr) stepOf(step int) int {
	switch e.op {
	case opPrev:
		return step - 1
	case opNext:
		return step + 1
	case opAt:
		return e.step
	}
	return step
}

// bitsAt returns the bits of a word at a step.
func (e *Expr) bitsAt(r Run, step int) []circuit.Value {
	return words.Value(e.word, func(l circuit.Lit) circuit.Value { return r.Value(l, step) })
}

// numberText returns the value of a number as it is shown.
func (e *Expr) numberText(r Run, step int) string {
	switch e.op {
	case opWord:
		return words.Text(e.word, e.bitsAt(r, step))
	case opPrev, opNext, opAt:
		return e.args[0].numberText(r, e.stepOf(step))
	}
	if n := e.numberAt(r, step); n.isKnown() {
		return n.least.String()
	}
	return circuit.X.String()
}

// changed reports whether a word has another value than one step before.
func (e *Expr) changed(r Run, step int) bool {
	for _, b := range e.word.Bits {
		if !b.Missing && r.Value(b.Lit, step) != r.Value(b.Lit, step-1) {
			return true
		}
	}
	return false
}

// isKnownAt reports whether all bits that a word has are known.
func (e *Expr) isKnownAt(r Run, step int) bool {
	for _, b := range e.word.Bits {
		if !b.Missing && r.Value(b.Lit, step) == circuit.X {
			return false
		}
	}
	return true
}

// compareNumbers compares two numbers. The value is x where that depends on an x.
func compareNumbers(a, b integer, sign string) circuit.Value {
	switch sign {
	case "!=":
		return equal(&a, &b).Not()
	case "<":
		return less(&a, &b)
	case ">":
		return less(&b, &a)
	case "<=":
		return less(&b, &a).Not()
	case ">=":
		return less(&a, &b).Not()
	}
	return equal(&a, &b)
}

func less(a, b *integer) circuit.Value {
	switch {
	case a.greatest.Cmp(b.least) < 0:
		return circuit.One
	case a.least.Cmp(b.greatest) >= 0:
		return circuit.Zero
	}
	return circuit.X
}

func equal(a, b *integer) circuit.Value {
	switch {
	case a.greatest.Cmp(b.least) < 0 || b.greatest.Cmp(a.least) < 0 || !a.mayEqual(b):
		return circuit.Zero
	case a.isKnown() && b.isKnown():
		return circuit.One
	}
	return circuit.X
}

// mayEqual reports whether no bit tells two numbers apart. Of what is computed from an x the
// bits are not known.
func (n *integer) mayEqual(other *integer) bool {
	if n.bits == nil && !n.isKnown() || other.bits == nil && !other.isKnown() {
		return true
	}
	for _, s := range n.signs() {
	other:
		for _, t := range other.signs() {
			for i := range max(n.width(), other.width()) + 1 {
				if x, y := n.bit(i, s), other.bit(i, t); x != y && x != circuit.X && y != circuit.X {
					continue other
				}
			}
			return true
		}
	}
	return false
}

// signs are the values that the sign may have: it is a bit of the number more than once.
func (n *integer) signs() []circuit.Value {
	switch {
	case n.bits == nil:
		return []circuit.Value{circuit.ValueOf(n.least.Sign() < 0)}
	case !n.isSigned:
		return []circuit.Value{circuit.Zero}
	}
	if s := n.bits[len(n.bits)-1]; s != circuit.X {
		return []circuit.Value{s}
	}
	return []circuit.Value{circuit.Zero, circuit.One}
}

func (n *integer) width() int {
	if n.bits == nil {
		return n.least.BitLen()
	}
	return len(n.bits)
}

// bit returns a bit of the number in two's complement, of which the sign is known.
func (n *integer) bit(i int, sign circuit.Value) circuit.Value {
	switch {
	case n.bits == nil:
		return circuit.ValueOf(n.least.Bit(i) == 1)
	case i >= len(n.bits) || n.isSigned && i == len(n.bits)-1:
		return sign
	}
	return n.bits[i]
}

// wordOf returns the word of which an expression is the value at some step, or nil.
func (e *Expr) wordOf() *design.Word {
	switch e.op {
	case opWord:
		return e.word
	case opPrev, opNext, opAt:
		return e.args[0].wordOf()
	}
	return nil
}
