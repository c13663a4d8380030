package replay

import (
	"math/big"

	"aiglens/btor2/syntax"
)

var one = big.NewInt(1)

func power(n int) *big.Int { return new(big.Int).Lsh(one, uint(n)) }

// lowest returns the lower bits of a number; of a negative one those of its two's complement.
func lowest(x *big.Int, width int) *big.Int {
	if x.Sign() >= 0 && x.BitLen() <= width {
		return x
	}
	return new(big.Int).And(x, new(big.Int).Sub(power(width), one))
}

// signed returns the number that bits mean in two's complement.
func signed(x *big.Int, width int) *big.Int {
	if x.Bit(width-1) == 0 {
		return x
	}
	return new(big.Int).Sub(x, power(width))
}

func truth(is bool) *big.Int {
	if is {
		return one
	}
	return new(big.Int)
}

// unary returns the value of an operator with one operand of a width; ok is false for any other operator. Bits above the width
// of the row are to be cut, as with all functions here.
func unary(n *syntax.Node, x *big.Int, width int) (value *big.Int, ok bool) {
	switch n.Op {
	case syntax.Not:
		return new(big.Int).Not(x), true
	case syntax.Inc:
		return new(big.Int).Add(x, one), true
	case syntax.Dec:
		return new(big.Int).Sub(x, one), true
	case syntax.Neg:
		return new(big.Int).Neg(x), true
	case syntax.Redand:
		return truth(new(big.Int).Add(x, one).Cmp(power(width)) == 0), true
	case syntax.Redor:
		return truth(x.Sign() != 0), true
	case syntax.Redxor:
		odd := false
		for i := range x.BitLen() {
			odd = odd != (x.Bit(i) == 1)
		}
		return truth(odd), true
	case syntax.Slice:
		return new(big.Int).Rsh(x, uint(n.Number[1])), true
	case syntax.Uext:
		return x, true
	case syntax.Sext:
		return signed(x, width), true
	}
	return nil, false
}

// binary returns the value of an operator with two operands, of which the second one has a width; that of the first one is the
// same but for concat.
func binary(op syntax.Op, x, y *big.Int, width int) (value *big.Int, ok bool) {
	switch op {
	case syntax.And:
		return new(big.Int).And(x, y), true
	case syntax.Nand:
		value = new(big.Int).And(x, y)
		return value.Not(value), true
	case syntax.Or:
		return new(big.Int).Or(x, y), true
	case syntax.Nor:
		value = new(big.Int).Or(x, y)
		return value.Not(value), true
	case syntax.Xor:
		return new(big.Int).Xor(x, y), true
	case syntax.Xnor:
		value = new(big.Int).Xor(x, y)
		return value.Not(value), true
	case syntax.Concat:
		value = new(big.Int).Lsh(x, uint(width))
		return value.Or(value, y), true
	case syntax.Add:
		return new(big.Int).Add(x, y), true
	case syntax.Sub:
		return new(big.Int).Sub(x, y), true
	case syntax.Mul:
		return new(big.Int).Mul(x, y), true
	case syntax.Sll, syntax.Srl, syntax.Sra, syntax.Rol, syntax.Ror:
		return shifted(op, x, y, width), true
	}
	if value, ok = divided(op, x, y, width); ok {
		return value, true
	}
	is, ok := compared(op, x, y, width)
	return truth(is), ok
}

// shifted returns a word that is moved by another one.
func shifted(op syntax.Op, x, y *big.Int, width int) *big.Int {
	isOut := y.Cmp(big.NewInt(int64(width))) >= 0 // all bits leave the word
	switch op {
	case syntax.Sll:
		if isOut {
			return new(big.Int)
		}
		return new(big.Int).Lsh(x, uint(y.Uint64()))
	case syntax.Srl:
		if isOut {
			return new(big.Int)
		}
		return new(big.Int).Rsh(x, uint(y.Uint64()))
	case syntax.Sra:
		if isOut {
			y = big.NewInt(int64(width))
		}
		return new(big.Int).Rsh(signed(x, width), uint(y.Uint64())) // towards minus infinity
	}
	left := uint(new(big.Int).Mod(y, big.NewInt(int64(width))).Uint64())
	if op == syntax.Ror {
		left = uint(width) - left
	}
	value := new(big.Int).Lsh(x, left)
	return value.Or(value, new(big.Int).Rsh(x, uint(width)-left))
}

// divided returns a quotient or remainder.
func divided(op syntax.Op, x, y *big.Int, width int) (value *big.Int, ok bool) {
	byZero := y.Sign() == 0
	a, b := signed(x, width), signed(y, width)
	switch op {
	case syntax.Udiv:
		if byZero {
			return big.NewInt(-1), true
		}
		return new(big.Int).Quo(x, y), true
	case syntax.Sdiv:
		switch {
		case byZero && a.Sign() < 0:
			return one, true
		case byZero:
			return big.NewInt(-1), true
		}
		return new(big.Int).Quo(a, b), true // towards 0
	case syntax.Urem, syntax.Srem, syntax.Smod:
		switch {
		case byZero:
			return x, true
		case op == syntax.Urem:
			return new(big.Int).Rem(x, y), true
		}
		value = new(big.Int).Rem(a, b) // has the sign of a
		if op == syntax.Smod && value.Sign()*b.Sign() < 0 {
			value.Add(value, b)
		}
		return value, true
	}
	return nil, false
}

// compared returns what an operator says about two words.
func compared(op syntax.Op, x, y *big.Int, width int) (is, ok bool) {
	a, b := signed(x, width), signed(y, width)
	switch op {
	case syntax.Eq, syntax.Iff:
		return x.Cmp(y) == 0, true
	case syntax.Neq:
		return x.Cmp(y) != 0, true
	case syntax.Implies:
		return x.Sign() == 0 || y.Sign() != 0, true
	case syntax.Ult:
		return x.Cmp(y) < 0, true
	case syntax.Ulte:
		return x.Cmp(y) <= 0, true
	case syntax.Ugt:
		return x.Cmp(y) > 0, true
	case syntax.Ugte:
		return x.Cmp(y) >= 0, true
	case syntax.Slt:
		return a.Cmp(b) < 0, true
	case syntax.Slte:
		return a.Cmp(b) <= 0, true
	case syntax.Sgt:
		return a.Cmp(b) > 0, true
	case syntax.Sgte:
		return a.Cmp(b) >= 0, true
	case syntax.Uaddo:
		return new(big.Int).Add(x, y).BitLen() > width, true
	case syntax.Usubo:
		return x.Cmp(y) < 0, true
	case syntax.Umulo:
		return new(big.Int).Mul(x, y).BitLen() > width, true
	case syntax.Saddo:
		return leaves(new(big.Int).Add(a, b), width), true
	case syntax.Ssubo:
		return leaves(new(big.Int).Sub(a, b), width), true
	case syntax.Smulo:
		return leaves(new(big.Int).Mul(a, b), width), true
	case syntax.Sdivo:
		return b.Sign() != 0 && leaves(new(big.Int).Quo(a, b), width), true
	}
	return false, false
}

// leaves reports whether a number has no two's complement of a width.
func leaves(exact *big.Int, width int) bool {
	half := power(width - 1)
	return exact.Cmp(half) >= 0 || exact.Cmp(new(big.Int).Neg(half)) < 0
}
