// Package bits builds the operators of bit-vectors as gates: a word is a list of literals, the least significant bit
// first, and the words of one operation have the same length unless the function says otherwise.
//
// What the operators mean follows SMT-LIB (theory of fixed-size bit-vectors), division by zero included. Few gates come
// first, since what follows are model checkers: adders ripple, division is one restoring divider whose gates quotient and
// remainder share by structural hashing, constants fold, and digits that are equal make one row of a product.
//
// The package knows no text and no tags.
package bits

import "aiglens/circuit"

func constant(value bool) circuit.Lit { return circuit.False.NotIf(value) }

// majority returns whether two of three literals hold.
func majority(b *circuit.Builder, x, y, z circuit.Lit) circuit.Lit {
	return b.Or(b.And(x, y), b.And(b.Or(x, y), z))
}

// add3 returns the sum of three bits. A constant is put last, and two literals of one variable are put first.
func add3(b *circuit.Builder, x, y, carry circuit.Lit) (sum, out circuit.Lit) {
	switch {
	case x <= circuit.True:
		x, carry = carry, x
	case y <= circuit.True:
		y, carry = carry, y
	}
	switch {
	case carry == circuit.True:
		return xor(b, x, y).Not(), b.Or(x, y)
	case carry == circuit.False:
		return xor(b, x, y), b.And(x, y)
	case x.Var() == carry.Var():
		y, carry = carry, y
	case y.Var() == carry.Var():
		x, carry = carry, x
	}
	if x.Var() == y.Var() {
		return carry.NotIf(x != y), plainMux(b, constant(x == y), x, carry)
	}
	either := xor(b, x, y)
	return xor(b, either, carry), b.Or(b.And(x, y), b.And(either, carry))
}
