package btor2test

import "math/big"

// Operators are the tags of all operators on bit-vectors whose operands have the width of the result, or whose result is
// one bit, by their number of operands.
var Operators = map[string]int{
	"not": 1, "inc": 1, "dec": 1, "neg": 1, "redand": 1, "redor": 1, "redxor": 1,
	"and": 2, "nand": 2, "or": 2, "nor": 2, "xor": 2, "xnor": 2, "add": 2, "sub": 2, "mul": 2,
	"udiv": 2, "urem": 2, "sdiv": 2, "srem": 2, "smod": 2, "sll": 2, "srl": 2, "sra": 2, "rol": 2, "ror": 2,
	"eq": 2, "neq": 2, "ult": 2, "ulte": 2, "ugt": 2, "ugte": 2, "slt": 2, "slte": 2, "sgt": 2, "sgte": 2,
	"uaddo": 2, "umulo": 2, "usubo": 2, "saddo": 2, "smulo": 2, "ssubo": 2, "sdivo": 2,
}

// IsPredicate reports whether an operator of Operators has one bit for a result, whatever the width of its operands.
func IsPredicate(tag string) bool {
	_, ok := predicates[tag]
	return ok || tag == "redand" || tag == "redor" || tag == "redxor"
}

// predicates say what an operator with two operands and a result of one bit is.
var predicates = map[string]func(x, y Value) bool{
	"eq":    func(x, y Value) bool { return x.Equal(y) },
	"neq":   func(x, y Value) bool { return !x.Equal(y) },
	"ult":   func(x, y Value) bool { return x.Bits.Cmp(y.Bits) < 0 },
	"ulte":  func(x, y Value) bool { return x.Bits.Cmp(y.Bits) <= 0 },
	"ugt":   func(x, y Value) bool { return x.Bits.Cmp(y.Bits) > 0 },
	"ugte":  func(x, y Value) bool { return x.Bits.Cmp(y.Bits) >= 0 },
	"slt":   func(x, y Value) bool { return x.signed().Cmp(y.signed()) < 0 },
	"slte":  func(x, y Value) bool { return x.signed().Cmp(y.signed()) <= 0 },
	"sgt":   func(x, y Value) bool { return x.signed().Cmp(y.signed()) > 0 },
	"sgte":  func(x, y Value) bool { return x.signed().Cmp(y.signed()) >= 0 },
	"uaddo": func(x, y Value) bool { return !fitsUnsigned(new(big.Int).Add(x.Bits, y.Bits), x) },
	"umulo": func(x, y Value) bool { return !fitsUnsigned(new(big.Int).Mul(x.Bits, y.Bits), x) },
	"usubo": func(x, y Value) bool { return !fitsUnsigned(new(big.Int).Sub(x.Bits, y.Bits), x) },
	"saddo": func(x, y Value) bool { return !fitsSigned(new(big.Int).Add(x.signed(), y.signed()), x) },
	"smulo": func(x, y Value) bool { return !fitsSigned(new(big.Int).Mul(x.signed(), y.signed()), x) },
	"ssubo": func(x, y Value) bool { return !fitsSigned(new(big.Int).Sub(x.signed(), y.signed()), x) },
	"sdivo": func(x, y Value) bool {
		return y.Bits.Sign() != 0 && !fitsSigned(new(big.Int).Quo(x.signed(), y.signed()), x)
	},
	"iff":     func(x, y Value) bool { return x.IsTrue() == y.IsTrue() },
	"implies": func(x, y Value) bool { return !x.IsTrue() || y.IsTrue() },
}

// fitsUnsigned reports whether an exact result is a number of the width of an operand.
func fitsUnsigned(exact *big.Int, like Value) bool {
	return exact.Sign() >= 0 && exact.Cmp(power(like.Sort.Width)) < 0
}

// fitsSigned is that for two's complement.
func fitsSigned(exact *big.Int, like Value) bool {
	half := power(like.Sort.Width - 1)
	return exact.Cmp(new(big.Int).Neg(half)) >= 0 && exact.Cmp(half) < 0
}

// arithmetic has the operators whose result has the width of both operands; bits of the result above it are cut.
var arithmetic = map[string]func(x, y Value) *big.Int{
	"and":  func(x, y Value) *big.Int { return new(big.Int).And(x.Bits, y.Bits) },
	"nand": func(x, y Value) *big.Int { return new(big.Int).Not(new(big.Int).And(x.Bits, y.Bits)) },
	"or":   func(x, y Value) *big.Int { return new(big.Int).Or(x.Bits, y.Bits) },
	"nor":  func(x, y Value) *big.Int { return new(big.Int).Not(new(big.Int).Or(x.Bits, y.Bits)) },
	"xor":  func(x, y Value) *big.Int { return new(big.Int).Xor(x.Bits, y.Bits) },
	"xnor": func(x, y Value) *big.Int { return new(big.Int).Not(new(big.Int).Xor(x.Bits, y.Bits)) },
	"add":  func(x, y Value) *big.Int { return new(big.Int).Add(x.Bits, y.Bits) },
	"sub":  func(x, y Value) *big.Int { return new(big.Int).Sub(x.Bits, y.Bits) },
	"mul":  func(x, y Value) *big.Int { return new(big.Int).Mul(x.Bits, y.Bits) },
	"udiv": func(x, y Value) *big.Int {
		if y.Bits.Sign() == 0 {
			return big.NewInt(-1)
		}
		return new(big.Int).Quo(x.Bits, y.Bits)
	},
	"urem": func(x, y Value) *big.Int {
		if y.Bits.Sign() == 0 {
			return x.Bits
		}
		return new(big.Int).Rem(x.Bits, y.Bits)
	},
	"sdiv": func(x, y Value) *big.Int {
		switch {
		case y.Bits.Sign() != 0:
			return new(big.Int).Quo(x.signed(), y.signed())
		case x.signed().Sign() < 0:
			return big.NewInt(1)
		}
		return big.NewInt(-1)
	},
	"srem": func(x, y Value) *big.Int {
		if y.Bits.Sign() == 0 {
			return x.Bits
		}
		return new(big.Int).Rem(x.signed(), y.signed())
	},
	"smod": func(x, y Value) *big.Int {
		if y.Bits.Sign() == 0 {
			return x.Bits
		}
		rest := new(big.Int).Rem(x.signed(), y.signed())
		if rest.Sign()*y.signed().Sign() < 0 {
			rest.Add(rest, y.signed())
		}
		return rest
	},
	"sll": func(x, y Value) *big.Int {
		if n, ok := amount(x, y); ok {
			return new(big.Int).Lsh(x.Bits, n)
		}
		return new(big.Int)
	},
	"srl": func(x, y Value) *big.Int {
		if n, ok := amount(x, y); ok {
			return new(big.Int).Rsh(x.Bits, n)
		}
		return new(big.Int)
	},
	"sra": func(x, y Value) *big.Int {
		n, ok := amount(x, y)
		if !ok {
			n = uint(x.Sort.Width)
		}
		return new(big.Int).Rsh(x.signed(), n) // rounds downwards
	},
	"rol": func(x, y Value) *big.Int { return rotated(x, turn(x, y)) },
	"ror": func(x, y Value) *big.Int { return rotated(x, x.Sort.Width-turn(x, y)) },
}

// amount returns by how many bits y shifts x; ok is false when it shifts all out.
func amount(x, y Value) (n uint, ok bool) {
	if y.Bits.Cmp(big.NewInt(int64(x.Sort.Width))) >= 0 {
		return 0, false
	}
	return uint(y.Bits.Int64()), true
}

// turn returns y modulo the width of x.
func turn(x, y Value) int {
	return int(new(big.Int).Rem(y.Bits, big.NewInt(int64(x.Sort.Width))).Int64())
}

// rotated returns the bits of x, rotated to the left by n.
func rotated(x Value, n int) *big.Int {
	high := new(big.Int).Lsh(x.Bits, uint(n))
	return high.Or(high, new(big.Int).Rsh(x.Bits, uint(x.Sort.Width-n)))
}

// Apply returns the result of an operator. The numbers are those that follow the operands in a row.
func Apply(tag string, args []Value, numbers ...int) Value {
	x := args[0]
	width := x.Sort.Width
	if f, ok := predicates[tag]; ok {
		return truth(f(x, args[1]))
	}
	if f, ok := arithmetic[tag]; ok {
		return Vector(width, f(x, args[1]))
	}
	switch tag {
	case "not":
		return Vector(width, new(big.Int).Not(x.Bits))
	case "inc":
		return Vector(width, new(big.Int).Add(x.Bits, big.NewInt(1)))
	case "dec":
		return Vector(width, new(big.Int).Sub(x.Bits, big.NewInt(1)))
	case "neg":
		return Vector(width, new(big.Int).Neg(x.Bits))
	case "redand":
		return truth(x.Bits.Cmp(new(big.Int).Sub(power(width), big.NewInt(1))) == 0)
	case "redor":
		return truth(x.Bits.Sign() > 0)
	case "redxor":
		ones := 0
		for i := range width {
			ones += int(x.Bits.Bit(i))
		}
		return truth(ones%2 == 1)
	case "ite":
		if x.IsTrue() {
			return args[1]
		}
		return args[2]
	case "concat":
		low := args[1]
		high := new(big.Int).Lsh(x.Bits, uint(low.Sort.Width))
		return Vector(width+low.Sort.Width, high.Or(high, low.Bits))
	case "slice":
		return Vector(numbers[0]-numbers[1]+1, new(big.Int).Rsh(x.Bits, uint(numbers[1])))
	case "uext":
		return Vector(width+numbers[0], x.Bits)
	case "sext":
		return Vector(width+numbers[0], x.signed())
	case "read":
		return Vector(width, x.Element(args[1].Bits))
	case "write":
		return x.With(args[1].Bits, args[2].Bits)
	}
	panic("btor2test: no operator " + tag)
}
