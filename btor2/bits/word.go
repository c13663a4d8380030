package bits

import (
	"math/big"
	"slices"

	"aiglens/circuit"
)

// Constant returns a number, which is not negative, as width bits.
func Constant(value *big.Int, width int) []circuit.Lit {
	word := make([]circuit.Lit, width)
	for i := range min(width, value.BitLen()) {
		word[i] = constant(value.Bit(i) == 1)
	}
	return word
}

// Repeat returns a literal width times.
func Repeat(l circuit.Lit, width int) []circuit.Lit {
	return slices.Repeat([]circuit.Lit{l}, width)
}

// one returns the number 1.
func one(width int) []circuit.Lit {
	word := make([]circuit.Lit, width)
	word[0] = circuit.True
	return word
}

// Sext returns a word with copies of its highest bit in front.
func Sext(x []circuit.Lit, by int) []circuit.Lit {
	return slices.Concat(x, Repeat(x[len(x)-1], by))
}

// Uext returns a word with zeros in front.
func Uext(x []circuit.Lit, by int) []circuit.Lit {
	return slices.Concat(x, make([]circuit.Lit, by))
}

// map2 applies a gate to each pair of bits.
func map2(x, y []circuit.Lit, gate func(x, y circuit.Lit) circuit.Lit) []circuit.Lit {
	word := make([]circuit.Lit, len(x))
	for i := range x {
		word[i] = gate(x[i], y[i])
	}
	return word
}

// Not returns the negation of each bit.
func Not(x []circuit.Lit) []circuit.Lit {
	word := make([]circuit.Lit, len(x))
	for i, l := range x {
		word[i] = l.Not()
	}
	return word
}

// And returns x ∧ y, bit by bit.
func And(b *circuit.Builder, x, y []circuit.Lit) []circuit.Lit { return map2(x, y, b.And) }

// Or returns x ∨ y, bit by bit.
func Or(b *circuit.Builder, x, y []circuit.Lit) []circuit.Lit { return map2(x, y, b.Or) }

// Xor returns x ⊕ y, bit by bit.
func Xor(b *circuit.Builder, x, y []circuit.Lit) []circuit.Lit {
	return map2(x, y, func(x, y circuit.Lit) circuit.Lit { return xor(b, x, y.Not()).Not() })
}

// Ite returns x where a bit holds, else y.
func Ite(b *circuit.Builder, cond circuit.Lit, x, y []circuit.Lit) []circuit.Lit {
	return map2(x, y, func(x, y circuit.Lit) circuit.Lit { return mux(b, cond, x, y) })
}

// plainIte is Ite for words that are no choices.
func plainIte(b *circuit.Builder, cond circuit.Lit, x, y []circuit.Lit) []circuit.Lit {
	return map2(x, y, func(x, y circuit.Lit) circuit.Lit { return plainMux(b, cond, x, y) })
}

// tree combines the literals of a list as a balanced tree.
func tree(list []circuit.Lit, empty circuit.Lit, gate func(x, y circuit.Lit) circuit.Lit) circuit.Lit {
	if len(list) == 0 {
		return empty
	}
	for list = slices.Clone(list); len(list) > 1; {
		half := list[:0]
		for i := 0; i < len(list); i += 2 {
			if i+1 == len(list) {
				half = append(half, list[i])
			} else {
				half = append(half, gate(list[i], list[i+1]))
			}
		}
		list = half
	}
	return list[0]
}

// Redand returns whether all bits are 1.
func Redand(b *circuit.Builder, x []circuit.Lit) circuit.Lit { return tree(x, circuit.True, b.And) }

// Redor returns whether some bit is 1.
func Redor(b *circuit.Builder, x []circuit.Lit) circuit.Lit { return tree(x, circuit.False, b.Or) }

// Redxor returns whether an odd number of bits is 1.
func Redxor(b *circuit.Builder, x []circuit.Lit) circuit.Lit {
	return tree(x, circuit.False, func(x, y circuit.Lit) circuit.Lit { return xor(b, x, y) })
}

// Eq returns whether two words are equal. Its gates are those of the difference and of Ult too. Where the words can only
// differ under a condition, that is asked once.
func Eq(b *circuit.Builder, x, y []circuit.Lit) circuit.Lit {
	differs := circuit.True // what it takes that they do
	for range maxNested {
		cond, u, v, ok := differUnder(b, x, y)
		if !ok {
			break
		}
		differs, x, y = both(b, differs, cond), u, v
	}
	equal := Redand(b, map2(x, y, func(x, y circuit.Lit) circuit.Lit { return xor(b, x, y.Not()) }))
	return b.And(differs, equal.Not()).Not()
}

// Ult returns whether x < y as numbers without sign.
func Ult(b *circuit.Builder, x, y []circuit.Lit) circuit.Lit {
	less := circuit.False
	for i := range x {
		less = majority(b, x[i].Not(), y[i], less)
	}
	return less
}

// Slt returns whether x < y as numbers with a sign.
func Slt(b *circuit.Builder, x, y []circuit.Lit) circuit.Lit {
	top := len(x) - 1
	return majority(b, x[top], y[top].Not(), Ult(b, x[:top], y[:top]))
}

// shifted returns x moved up by a number of bits, with others coming in from below.
func shifted(x []circuit.Lit, by int, in circuit.Lit) []circuit.Lit {
	word := Repeat(in, len(x))
	if by < len(x) {
		copy(word[by:], x)
	}
	return word
}

// reversed returns the bits in the opposite order.
func reversed(x []circuit.Lit) []circuit.Lit {
	word := slices.Clone(x)
	slices.Reverse(word)
	return word
}

// Sll returns x moved up by as many bits as the number y says; there are zeros below.
func Sll(b *circuit.Builder, x, y []circuit.Lit) []circuit.Lit { return shift(b, x, y, circuit.False) }

// Srl returns x moved down; there are zeros above.
func Srl(b *circuit.Builder, x, y []circuit.Lit) []circuit.Lit {
	return reversed(shift(b, reversed(x), y, circuit.False))
}

// Sra returns x moved down; copies of its highest bit are above.
func Sra(b *circuit.Builder, x, y []circuit.Lit) []circuit.Lit {
	return reversed(shift(b, reversed(x), y, x[len(x)-1]))
}

// shift is a barrel shifter: a row of multiplexers for each bit of the amount that is less than the width. The bits
// above these say that nothing of x is left.
func shift(b *circuit.Builder, x, y []circuit.Lit, in circuit.Lit) []circuit.Lit {
	stages := 0
	for ; stages < len(y) && 1<<stages < len(x); stages++ {
		x = plainIte(b, y[stages], shifted(x, 1<<stages, in), x)
	}
	return plainIte(b, Redor(b, y[stages:]), Repeat(in, len(x)), x)
}

// Rol returns x with its bits moved up in a ring by the number y, modulo the width.
func Rol(b *circuit.Builder, x, y []circuit.Lit) []circuit.Lit {
	y = modulo(b, y, len(x))
	for i := 0; i < len(y) && 1<<i < len(x); i++ {
		by := len(x) - 1<<i
		x = plainIte(b, y[i], slices.Concat(x[by:], x[:by]), x)
	}
	return x
}

// Ror returns x with its bits moved down in a ring.
func Ror(b *circuit.Builder, x, y []circuit.Lit) []circuit.Lit {
	return reversed(Rol(b, reversed(x), y))
}

// modulo returns the remainder of y by its width n, in which bits from 2^i ≥ n on are not read. A width that is a power
// of 2 leaves these as they are.
func modulo(b *circuit.Builder, y []circuit.Lit, n int) []circuit.Lit {
	if n&(n-1) == 0 {
		return y
	}
	_, rest := Udivrem(b, y, Constant(big.NewInt(int64(n)), len(y)))
	return rest
}
