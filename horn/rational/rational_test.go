package rational

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// random returns a number of some size, small ones and those at the ends of a machine word more often.
func random(r *rand.Rand) *big.Rat {
	part := func() int64 {
		switch r.IntN(5) {
		case 0:
			return math.MaxInt64 - r.Int64N(3)
		case 1:
			return r.Int64()
		case 2:
			return 1 << r.IntN(63)
		}
		return r.Int64N(12)
	}
	x := new(big.Rat).SetFrac(big.NewInt(part()), new(big.Int).Add(big.NewInt(part()), big.NewInt(1)))
	if r.IntN(8) == 0 {
		x.Mul(x, x)
	}
	if r.IntN(2) == 0 {
		x.Neg(x)
	}
	if r.IntN(50) == 0 {
		x.SetInt64(math.MinInt64)
	}
	return x
}

// TestArithmetic compares each operation with that of math/big, and the form of the result with that of the same
// number made from scratch.
func TestArithmetic(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		x, y := random(r), random(r)
		a, b := FromBig(x), FromBig(y)
		check := func(op string, got Rat, want *big.Rat) {
			t.Helper()
			if got.Big().Cmp(want) != 0 || got.Key() != FromBig(want).Key() || got.String() != want.RatString() {
				t.Fatalf("%v %s %v = %v, want %v", x, op, y, got, want)
			}
		}
		check("+", a.Add(b), new(big.Rat).Add(x, y))
		check("-", a.Sub(b), new(big.Rat).Sub(x, y))
		check("*", a.Mul(b), new(big.Rat).Mul(x, y))
		check("negated", a.Neg(), new(big.Rat).Neg(x))
		check("absolute", a.Abs(), new(big.Rat).Abs(x))
		if y.Sign() != 0 {
			check("/", a.Div(b), new(big.Rat).Quo(x, y))
			check("inverse", b.Inv(), new(big.Rat).Inv(y))
		}
		floor := new(big.Int).Div(x.Num(), x.Denom())
		check("floor", a.Floor(), new(big.Rat).SetInt(floor))
		if !x.IsInt() {
			floor.Add(floor, big.NewInt(1))
		}
		check("ceil", a.Ceil(), new(big.Rat).SetInt(floor))
		check("num", a.Num(), new(big.Rat).SetInt(x.Num()))
		check("den", a.Den(), new(big.Rat).SetInt(x.Denom()))
		n, m := new(big.Int).Abs(x.Num()), new(big.Int).Abs(y.Num())
		check("gcd", GCD(a.Num(), b.Num()), new(big.Rat).SetInt(new(big.Int).GCD(nil, nil, n, m)))
		if a.Cmp(b) != x.Cmp(y) || a.Equal(b) != (x.Cmp(y) == 0) || a.Less(b) != (x.Cmp(y) < 0) {
			t.Fatalf("%v and %v: compared %d", x, y, a.Cmp(b))
		}
		if a.Sign() != x.Sign() || a.IsInt() != x.IsInt() || a.IsZero() != (x.Sign() == 0) || a.IsOne() != (x.Cmp(big.NewRat(1, 1)) == 0) {
			t.Fatalf("%v: sign %d", x, a.Sign())
		}
		if n, ok := a.Int64(); ok && Int(n).Cmp(a) != 0 || !ok && x.IsInt() && x.Num().IsInt64() && x.Num().Int64() != math.MinInt64 {
			t.Fatalf("%v is %d (%t)", x, n, ok)
		}
	}
}

func TestParse(t *testing.T) {
	for s, want := range map[string]string{"0": "0", "12": "12", "1.50": "3/2", "-2.0": "-2", "3/9": "1/3", "010/3": "10/3", "007": "7", "010.50": "21/2", "9223372036854775808": "9223372036854775808"} {
		if got, ok := Parse(s); !ok || got.String() != want {
			t.Errorf("%s is %v, want %s", s, got, want)
		}
	}
	for _, s := range []string{"", "-", "1e3", "x", "1/0", "0x1", "1_0", "--1"} {
		if got, ok := Parse(s); ok {
			t.Errorf("%q is read as %v", s, got)
		}
	}
}
