package expression

import (
	"math/big"
	"slices"

	"aiglens/circuit"
)

// OneStep reads an expression whose value one step decides, in any circuit that has its signals:
// gates can compute it.
func (n Names) OneStep(text string) (*Expr, error) {
	e, err := n.Condition(text)
	if err != nil {
		return nil, err
	}
	if at, why := e.notGates(); why != "" {
		return nil, (&parser{text: text}).failAt(at, "%s", why)
	}
	return e, nil
}

// notGates says why, and of which part, the value of an expression is more than what gates
// compute of the signals of a step; "" where it is not.
func (e *Expr) notGates() (at int, why string) {
	switch e.op {
	case opPrev, opNext, opAt, opChanged, opRose, opFell:
		return e.at, "this is about another step: here an expression has the values of one step"
	case opCompare:
		return e.at, "the number of the step is none of the values of a circuit"
	case opKnown:
		return e.at, "each value of a circuit is 0 or 1: known belongs to runs"
	case opConstant:
		if e.value == circuit.X {
			return e.at, "each value of a circuit is 0 or 1, never x"
		}
	case opNumber:
		if !e.number.isKnown() {
			return e.at, "this value leaves bits open"
		}
	case opWord:
		for i, b := range e.word.Bits {
			if b.Missing {
				return e.at, missingBit(e.word, e.word.Index(i))
			}
		}
	}
	for _, a := range e.args {
		if at, why := a.notGates(); why != "" {
			return at, why
		}
	}
	return 0, ""
}

// Gates makes gates that compute an expression that OneStep has read, in a circuit in which its
// signals have the literals that they have for the expression.
func (e *Expr) Gates(b *circuit.Builder) circuit.Lit {
	arg := func(i int) circuit.Lit { return e.args[i].Gates(b) }
	switch e.op {
	case opConstant:
		return circuit.False.NotIf(e.value == circuit.One)
	case opSignal:
		return e.lit
	case opNot:
		return arg(0).Not()
	case opAnd:
		return b.And(arg(0), arg(1))
	case opOr:
		return b.Or(arg(0), arg(1))
	case opXor:
		return b.Xor(arg(0), arg(1))
	case opEqual:
		return b.Xor(arg(0), arg(1)).Not()
	case opCompareNumbers:
		return compareGates(b, e.args[0].numberGates(b), e.args[1].numberGates(b), e.name)
	}
	panic("expression: no gates compute this")
}

// vector is a number in two's complement, from the least significant bit on; the last one is the
// sign.
type vector []circuit.Lit

// numberGates makes gates that compute a number.
func (e *Expr) numberGates(b *circuit.Builder) (v vector) {
	switch e.op {
	case opNumber:
		return constantVector(e.number.least)
	case opWord:
		for _, bit := range e.word.Bits {
			v = append(v, bit.Lit)
		}
		if !e.word.Signed {
			v = append(v, circuit.False)
		}
		return v
	case opDifference: // -x is ¬x + 1
		right := slices.Clone(e.args[1].numberGates(b))
		for i := range right {
			right[i] = right[i].Not()
		}
		return addGates(b, e.args[0].numberGates(b), right, circuit.True)
	}
	return addGates(b, e.args[0].numberGates(b), e.args[1].numberGates(b), circuit.False)
}

func constantVector(n *big.Int) (v vector) {
	for i := range n.BitLen() + 1 {
		v = append(v, circuit.False.NotIf(n.Bit(i) == 1))
	}
	return v
}

// to returns the number with so many bits, which are as many as it has or more.
func (v vector) to(width int) vector {
	wide := slices.Clone(v)
	for len(wide) < width {
		wide = append(wide, v[len(v)-1])
	}
	return wide
}

// addGates adds two numbers and a carry, with a bit more than they have: nothing overflows.
func addGates(b *circuit.Builder, x, y vector, carry circuit.Lit) (sum vector) {
	width := max(len(x), len(y)) + 1
	x, y = x.to(width), y.to(width)
	for i := range width {
		differ := b.Xor(x[i], y[i])
		sum = append(sum, b.Xor(differ, carry))
		carry = b.Mux(differ, carry, x[i])
	}
	return sum
}

func compareGates(b *circuit.Builder, x, y vector, sign string) circuit.Lit {
	switch sign {
	case "!=":
		return equalGates(b, x, y).Not()
	case "<":
		return lessGates(b, x, y)
	case ">":
		return lessGates(b, y, x)
	case "<=":
		return lessGates(b, y, x).Not()
	case ">=":
		return lessGates(b, x, y).Not()
	}
	return equalGates(b, x, y)
}

func equalGates(b *circuit.Builder, x, y vector) circuit.Lit {
	width := max(len(x), len(y))
	x, y = x.to(width), y.to(width)
	all := circuit.True
	for i := range width {
		all = b.And(all, b.Xor(x[i], y[i]).Not())
	}
	return all
}

// lessGates compares from the least significant bit on: where two bits differ they decide, and
// the sign the other way round.
func lessGates(b *circuit.Builder, x, y vector) circuit.Lit {
	width := max(len(x), len(y))
	x, y = x.to(width), y.to(width)
	less := circuit.False
	for i := range width {
		decides := y[i]
		if i == width-1 {
			decides = x[i]
		}
		less = b.Mux(b.Xor(x[i], y[i]), decides, less)
	}
	return less
}
