package bits

import (
	"slices"

	"aiglens/circuit"
)

// sum returns x + y + carry, and what is carried out of it where that is asked for.
func sum(b *circuit.Builder, x, y []circuit.Lit, carry circuit.Lit, asked bool) ([]circuit.Lit, circuit.Lit) {
	word := make([]circuit.Lit, len(x))
	for i := range x {
		if i == len(x)-1 && !asked {
			word[i] = xor(b, xor(b, x[i], y[i]), carry)
			break
		}
		word[i], carry = add3(b, x[i], y[i], carry)
	}
	return word, carry
}

// Add returns x + y.
func Add(b *circuit.Builder, x, y []circuit.Lit) []circuit.Lit {
	word, _ := sum(b, x, y, circuit.False, false)
	return word
}

// Sub returns x − y.
func Sub(b *circuit.Builder, x, y []circuit.Lit) []circuit.Lit {
	word, _ := sum(b, x, Not(y), circuit.True, false)
	return word
}

// Inc returns x + 1.
func Inc(b *circuit.Builder, x []circuit.Lit) []circuit.Lit { return Add(b, x, one(len(x))) }

// Dec returns x − 1.
func Dec(b *circuit.Builder, x []circuit.Lit) []circuit.Lit {
	return Add(b, x, Repeat(circuit.True, len(x)))
}

// Neg returns −x.
func Neg(b *circuit.Builder, x []circuit.Lit) []circuit.Lit { return negatedIf(b, circuit.True, x) }

// negatedIf returns −x where cond holds, else x: the bits above the lowest 1 are negated.
func negatedIf(b *circuit.Builder, cond circuit.Lit, x []circuit.Lit) []circuit.Lit {
	word := make([]circuit.Lit, len(x))
	seen := circuit.False // a 1 below
	for i, l := range x {
		word[i] = xor(b, l, b.And(cond, seen))
		if i < len(x)-1 {
			seen = b.Or(l, seen)
		}
	}
	return word
}

// Uaddo returns whether x + y without sign needs another bit.
func Uaddo(b *circuit.Builder, x, y []circuit.Lit) circuit.Lit {
	_, carry := sum(b, x, y, circuit.False, true)
	return carry
}

// Saddo returns whether x + y with a sign needs another bit: it has the sign of neither.
func Saddo(b *circuit.Builder, x, y []circuit.Lit) circuit.Lit {
	top := len(x) - 1
	total := Add(b, x, y)[top]
	return b.Or(b.And(b.And(x[top], y[top]), total.Not()), b.And(b.And(x[top].Not(), y[top].Not()), total))
}

// Ssubo returns whether x − y with a sign needs another bit: the signs differ, and its own is that of y.
func Ssubo(b *circuit.Builder, x, y []circuit.Lit) circuit.Lit {
	top := len(x) - 1
	difference := Sub(b, x, y)[top]
	return b.Or(b.And(b.And(x[top], y[top].Not()), difference.Not()), b.And(b.And(x[top].Not(), y[top]), difference))
}

// row is a summand of a product: the other factor where a literal holds, moved up by a number of bits, and subtracted
// if it is negative.
type row struct {
	by       int
	lit      circuit.Lit
	negative bool
}

// rowsOf returns the summands of a product by y. A run of equal bits is the difference of two powers of 2, of which the
// upper one drops out at the top of the word.
func rowsOf(y []circuit.Lit) []row {
	var rows []row
	for from := 0; from < len(y); {
		to := from + 1
		for to < len(y) && y[to] == y[from] {
			to++
		}
		switch l := y[from]; {
		case l == circuit.False:
		case to == len(y) && to-from > 1:
			rows = append(rows, row{from, l, true})
		case to-from > 2:
			rows = append(rows, row{from, l, true}, row{to, l, false})
		default:
			for i := from; i < to; i++ {
				rows = append(rows, row{i, l, false})
			}
		}
		from = to
	}
	return rows
}

// factors returns the factors of a product with the rows of the one that gives fewer bits to add.
func factors(x, y []circuit.Lit) (factor []circuit.Lit, rows []row) {
	byX, byY := rowsOf(x), rowsOf(y)
	size := func(rows []row) (bits int) {
		for _, r := range rows {
			bits += len(x) - r.by
		}
		return bits
	}
	if size(byX) < size(byY) {
		return y, byX
	}
	return x, byY
}

// Mul returns x · y.
func Mul(b *circuit.Builder, x, y []circuit.Lit) []circuit.Lit {
	x, rows := factors(x, y)
	product := make([]circuit.Lit, len(x))
	for _, r := range rows {
		summand := make([]circuit.Lit, len(x)-r.by)
		for i := range summand {
			summand[i] = b.And(x[i], r.lit).NotIf(r.negative)
		}
		upper, _ := sum(b, product[r.by:], summand, constant(r.negative), false)
		copy(product[r.by:], upper)
	}
	return product
}

// MulSize returns a bound on the gates of a product of two words.
func MulSize(x, y []circuit.Lit) int {
	_, rows := factors(x, y)
	return 8 * len(rows) * len(x)
}

// Umulo returns whether x · y without sign needs more bits. Two bits whose product is too high suffice for that; without
// such a pair the product has at most one bit more (Schulte, Balzola, Akkas and Brocato, "Integer Multiplication with
// Overflow Detection or Saturation", IEEE Transactions on Computers 2000).
func Umulo(b *circuit.Builder, x, y []circuit.Lit) circuit.Lit {
	n := len(x)
	return b.Or(pairFrom(b, x, y, n), Mul(b, Uext(x, 1), Uext(y, 1))[n])
}

// Smulo returns whether x · y with a sign needs more bits. Bits count here that differ from the sign.
func Smulo(b *circuit.Builder, x, y []circuit.Lit) circuit.Lit {
	n := len(x)
	unsigned := func(x []circuit.Lit) []circuit.Lit { return Xor(b, x[:n-1], Repeat(x[n-1], n-1)) }
	product := Mul(b, Sext(x, 1), Sext(y, 1))
	return b.Or(pairFrom(b, unsigned(x), unsigned(y), n-1), xor(b, product[n], product[n-1]))
}

// pairFrom returns whether x_i ∧ y_j for some i + j ≥ from.
func pairFrom(b *circuit.Builder, x, y []circuit.Lit, from int) circuit.Lit {
	found, above := circuit.False, circuit.False // above: some x_i with i ≥ from − j
	for j := 1; j < len(y); j++ {
		above = b.Or(above, x[from-j])
		found = b.Or(found, b.And(above, y[j]))
	}
	return found
}

// Length returns the number of bits without constant zeros in front.
func Length(x []circuit.Lit) int {
	n := len(x)
	for n > 0 && x[n-1] == circuit.False {
		n--
	}
	return n
}

// Udivrem returns quotient and remainder of numbers without sign. That of 0 are all ones and x.
//
// A restoring divider: the remainder so far, with the next bit of x behind it, is compared with y in the bits that it may
// have; the bits of y above these must be 0.
func Udivrem(b *circuit.Builder, x, y []circuit.Lit) (quotient, remainder []circuit.Lit) {
	width := Length(y)
	zeroFrom := Repeat(circuit.True, len(y)+1) // whether y is 0 from a bit on
	for i := width - 1; i >= 0; i-- {
		zeroFrom[i] = b.And(zeroFrom[i+1], y[i].Not())
	}
	quotient = make([]circuit.Lit, len(x))
	var rest []circuit.Lit
	for i := len(x) - 1; i >= 0; i-- {
		rest = slices.Insert(rest, 0, x[i])
		rest = rest[:Length(rest)]
		divisor := y[:min(len(rest), width)]
		for len(divisor) < len(rest) {
			divisor = append(divisor[:len(divisor):len(divisor)], circuit.False)
		}
		difference, fits := sum(b, rest, Not(divisor), circuit.True, true)
		quotient[i] = b.And(fits, zeroFrom[len(rest)])
		rest = plainIte(b, quotient[i], difference, rest)
		rest = rest[:min(len(rest), width)]
	}
	remainder = Uext(rest, len(x)-len(rest))
	if zeroFrom[0] != circuit.False && width < len(x) {
		remainder = plainIte(b, zeroFrom[0], x, remainder)
	}
	return quotient, remainder
}

// DivSize returns a bound on the gates of quotient and remainder of a word by one of some Length.
func DivSize(width, divisor int) int { return 11*width*(divisor+2) + 20*width }

// magnitudes returns the absolute values and the signs of two numbers.
func magnitudes(b *circuit.Builder, x, y []circuit.Lit) (absX, absY []circuit.Lit, signX, signY circuit.Lit) {
	signX, signY = x[len(x)-1], y[len(y)-1]
	return negatedIf(b, signX, x), negatedIf(b, signY, y), signX, signY
}

// Sdiv returns the quotient of numbers with a sign, rounded towards 0. That by 0 is −1, and 1 of a negative number.
func Sdiv(b *circuit.Builder, x, y []circuit.Lit) []circuit.Lit {
	absX, absY, signX, signY := magnitudes(b, x, y)
	quotient, _ := Udivrem(b, absX, absY)
	return negatedIf(b, xor(b, signX, signY), quotient)
}

// Srem returns the remainder with the sign of x. That by 0 is x.
func Srem(b *circuit.Builder, x, y []circuit.Lit) []circuit.Lit {
	absX, absY, signX, _ := magnitudes(b, x, y)
	_, remainder := Udivrem(b, absX, absY)
	return negatedIf(b, signX, remainder)
}

// Smod returns the remainder with the sign of y. That by 0 is x.
func Smod(b *circuit.Builder, x, y []circuit.Lit) []circuit.Lit {
	absX, absY, signX, signY := magnitudes(b, x, y)
	_, remainder := Udivrem(b, absX, absY)
	moved := b.And(xor(b, signX, signY), Redor(b, remainder))
	return Add(b, negatedIf(b, signX, remainder), And(b, y, Repeat(moved, len(y))))
}

// Sdivo returns whether the quotient of numbers with a sign needs another bit: that of the smallest by −1 does.
func Sdivo(b *circuit.Builder, x, y []circuit.Lit) circuit.Lit {
	smallest := make([]circuit.Lit, len(x))
	smallest[len(x)-1] = circuit.True
	return b.And(Eq(b, x, smallest), Redand(b, y))
}
