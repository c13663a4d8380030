// Package rational computes with rational numbers exactly.
//
// A number is a fraction of two machine words while both fit, and one of math/big where they do not: most numbers
// of a solver are small, and those that are not must still be right. The package knows nothing about terms.
package rational

import (
	"math"
	"math/big"
	"math/bits"
	"strings"
)

// Rat is a rational number. It is immutable, and the zero Rat is 0.
//
// Two numbers are equal if and only if their Keys are. Rats are compared by Cmp or Equal, not by ==, which holds
// only for numbers that fit.
type Rat struct {
	// The number is num/(den+1), in lowest terms, with num > MinInt64 and den ≥ 0, unless big holds it.
	num, den int64
	big      *big.Rat // a number that does not fit the fields above, or nil; never written to
}

// The numbers that are needed most.
var (
	Zero     = Int(0)
	One      = Int(1)
	MinusOne = Int(-1)
)

// Int returns an integer.
func Int(n int64) Rat {
	if n == math.MinInt64 {
		return Rat{big: new(big.Rat).SetInt64(n)}
	}
	return Rat{num: n}
}

// Frac returns num/den; den is not 0.
func Frac(num, den int64) Rat {
	if num == math.MinInt64 || den == math.MinInt64 {
		return FromBig(big.NewRat(num, den))
	}
	if den < 0 {
		num, den = -num, -den
	}
	if g := gcd(abs(num), den); g > 1 {
		num, den = num/g, den/g
	}
	return Rat{num: num, den: den - 1}
}

// FromBig returns a number of math/big, which the caller may change afterwards.
func FromBig(x *big.Rat) Rat {
	if num, den := x.Num(), x.Denom(); num.IsInt64() && den.IsInt64() && num.Int64() != math.MinInt64 {
		return Rat{num: num.Int64(), den: den.Int64() - 1}
	}
	return Rat{big: new(big.Rat).Set(x)}
}

// Parse reads a numeral or decimal of SMT-LIB, or a fraction of two integers: "12", "-1.50", "3/8".
func Parse(s string) (Rat, bool) {
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && c != '.' && c != '/' && (c != '-' || i > 0) {
			return Rat{}, false // SetString reads exponents, too
		}
	}
	if num, den, ok := strings.Cut(s, "/"); ok { // of which SetString would read octal parts
		n, ok := new(big.Int).SetString(num, 10)
		m, ok2 := new(big.Int).SetString(den, 10)
		if !ok || !ok2 || m.Sign() == 0 {
			return Rat{}, false
		}
		return FromBig(new(big.Rat).SetFrac(n, m)), true
	}
	x, ok := new(big.Rat).SetString(s)
	if !ok {
		return Rat{}, false
	}
	return FromBig(x), true
}

// Big returns the number as one of math/big, which is the caller's.
func (a Rat) Big() *big.Rat {
	if a.big != nil {
		return new(big.Rat).Set(a.big)
	}
	return big.NewRat(a.num, a.den+1)
}

// Int64 returns an integer that fits a machine word; ok is false for other numbers.
func (a Rat) Int64() (n int64, ok bool) { return a.num, a.big == nil && a.den == 0 }

// IsZero reports whether the number is 0.
func (a Rat) IsZero() bool { return a.big == nil && a.num == 0 }

// IsOne reports whether the number is 1.
func (a Rat) IsOne() bool { return a.big == nil && a.num == 1 && a.den == 0 }

// IsInt reports whether the number is an integer.
func (a Rat) IsInt() bool {
	if a.big != nil {
		return a.big.IsInt()
	}
	return a.den == 0
}

// Sign returns -1, 0 or 1.
func (a Rat) Sign() int {
	if a.big != nil {
		return a.big.Sign()
	}
	return sign(a.num)
}

// Neg returns -a.
func (a Rat) Neg() Rat {
	if a.big != nil {
		return FromBig(new(big.Rat).Neg(a.big))
	}
	return Rat{num: -a.num, den: a.den}
}

// Abs returns the absolute value.
func (a Rat) Abs() Rat {
	if a.Sign() < 0 {
		return a.Neg()
	}
	return a
}

// Inv returns 1/a; a is not 0.
func (a Rat) Inv() Rat {
	if a.big != nil {
		return FromBig(new(big.Rat).Inv(a.big))
	}
	return fraction(a.den+1, a.num)
}

// fraction returns num/den in lowest terms, where both are and neither is MinInt64.
func fraction(num, den int64) Rat {
	switch {
	case den == 0:
		panic("division by zero")
	case den < 0:
		num, den = -num, -den
	}
	return Rat{num: num, den: den - 1}
}

// Add returns a+b.
func (a Rat) Add(b Rat) Rat {
	if a.big == nil && b.big == nil {
		if a.den == b.den && a.den == 0 {
			if n, ok := add(a.num, b.num); ok {
				return Rat{num: n}
			}
		} else if x, ok := mul(a.num, b.den+1); ok {
			if y, ok := mul(b.num, a.den+1); ok {
				if num, ok := add(x, y); ok {
					if den, ok := mul(a.den+1, b.den+1); ok {
						return Frac(num, den)
					}
				}
			}
		}
	}
	return FromBig(new(big.Rat).Add(a.asBig(), b.asBig()))
}

// Sub returns a-b.
func (a Rat) Sub(b Rat) Rat { return a.Add(b.Neg()) }

// Mul returns a·b.
func (a Rat) Mul(b Rat) Rat {
	if a.big == nil && b.big == nil {
		if num, ok := mul(a.num, b.num); ok {
			if a.den == 0 && b.den == 0 {
				return Rat{num: num}
			}
			if den, ok := mul(a.den+1, b.den+1); ok {
				return Frac(num, den)
			}
		}
	}
	return FromBig(new(big.Rat).Mul(a.asBig(), b.asBig()))
}

// Div returns a/b; b is not 0.
func (a Rat) Div(b Rat) Rat { return a.Mul(b.Inv()) }

// Cmp returns -1, 0 or 1 for a < b, a = b, a > b.
func (a Rat) Cmp(b Rat) int {
	if a.big == nil && b.big == nil {
		if a.den == b.den {
			switch {
			case a.num < b.num:
				return -1
			case a.num > b.num:
				return 1
			}
			return 0
		}
		if x, ok := mul(a.num, b.den+1); ok {
			if y, ok := mul(b.num, a.den+1); ok {
				return Int(x).Cmp(Int(y))
			}
		}
	}
	return a.asBig().Cmp(b.asBig())
}

// Equal reports whether a = b.
func (a Rat) Equal(b Rat) bool { return a.Cmp(b) == 0 }

// Less reports whether a < b.
func (a Rat) Less(b Rat) bool { return a.Cmp(b) < 0 }

// Floor returns the greatest integer that is not above the number.
func (a Rat) Floor() Rat {
	switch {
	case a.big != nil:
		q := new(big.Int).Div(a.big.Num(), a.big.Denom()) // rounds down, since the denominator is positive
		return FromBig(new(big.Rat).SetInt(q))
	case a.den == 0:
		return a
	}
	q := a.num / (a.den + 1)
	if a.num < 0 {
		q-- // no remainder is 0, as the fraction is in lowest terms
	}
	return Rat{num: q}
}

// Ceil returns the least integer that is not below the number.
func (a Rat) Ceil() Rat { return a.Neg().Floor().Neg() }

// Num returns the numerator of the fraction in lowest terms.
func (a Rat) Num() Rat {
	if a.big != nil {
		return FromBig(new(big.Rat).SetInt(a.big.Num()))
	}
	return Rat{num: a.num}
}

// Den returns the denominator of the fraction in lowest terms; it is positive.
func (a Rat) Den() Rat {
	if a.big != nil {
		return FromBig(new(big.Rat).SetInt(a.big.Denom()))
	}
	return Rat{num: a.den + 1}
}

// GCD returns the greatest common divisor of two integers; it is not negative, and 0 only if both are 0.
func GCD(a, b Rat) Rat {
	if a.big == nil && b.big == nil {
		return Rat{num: gcd(abs(a.num), abs(b.num))}
	}
	x, y := a.Big().Num(), b.Big().Num()
	return FromBig(new(big.Rat).SetInt(new(big.Int).GCD(nil, nil, x.Abs(x), y.Abs(y))))
}

// LCM returns the least common multiple of two integers that are not 0; it is positive.
func LCM(a, b Rat) Rat { return a.Div(GCD(a, b)).Mul(b).Abs() }

// Key returns a value that is equal for equal numbers, for use in maps.
func (a Rat) Key() Key {
	if a.big != nil {
		return Key{text: a.big.String()}
	}
	return Key{a.num, a.den, ""}
}

// Key stands for a number in a map.
type Key struct {
	num, den int64
	text     string
}

// String returns the number as an integer or a fraction: "-3", "1/2".
func (a Rat) String() string { return a.asBig().RatString() }

// asBig returns the number as one of math/big, which must not be changed.
func (a Rat) asBig() *big.Rat {
	if a.big != nil {
		return a.big
	}
	return big.NewRat(a.num, a.den+1)
}

// add returns a+b; ok is false if that is not above MinInt64 and at most MaxInt64.
func add(a, b int64) (sum int64, ok bool) {
	sum = a + b
	return sum, (sum > a) == (b > 0) && sum != math.MinInt64
}

// mul returns a·b; ok is false if that is not above MinInt64 and at most MaxInt64.
func mul(a, b int64) (product int64, ok bool) {
	hi, lo := bits.Mul64(uint64(abs(a)), uint64(abs(b)))
	if hi != 0 || lo > math.MaxInt64 {
		return 0, false
	}
	if (a < 0) != (b < 0) {
		return -int64(lo), true
	}
	return int64(lo), true
}

func abs(a int64) int64 {
	if a < 0 {
		return -a
	}
	return a
}

func sign(a int64) int {
	switch {
	case a < 0:
		return -1
	case a > 0:
		return 1
	}
	return 0
}

// gcd returns the greatest common divisor of two numbers that are not negative.
func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// Hash returns a number that is the same for equal numbers.
func (a Rat) Hash() uint64 {
	if a.big != nil {
		h := uint64(len(a.big.Num().Bits()))
		for _, w := range a.big.Num().Bits() {
			h = h*1099511628211 ^ uint64(w)
		}
		return h + uint64(a.Sign())
	}
	return uint64(a.num)*0x9e3779b97f4a7c15 ^ uint64(a.den)
}
