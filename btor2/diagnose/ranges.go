package diagnose

import (
	"math/bits"

	"aiglens/btor2/syntax"
)

// rangeOf returns between which numbers the value of a row with at most 64 bits lies.
func (v *values) rangeOf(n *syntax.Node) span {
	all := span{0, mask(n.Sort.Width)}
	for _, r := range n.Args {
		if v.m.Nodes[r.Node()].Sort.IsArray() {
			return v.related(n, all)
		}
	}
	a := n.Args[0]
	width := v.m.Nodes[a.Node()].Sort.Width
	if width > 64 {
		return v.related(n, all)
	}
	x := v.of(a)
	if n.Op.Operands() == 1 {
		return unary(n, x, width)
	}
	if n.Op == syntax.Ite {
		y, z := v.of(n.Args[1]), v.of(n.Args[2])
		return span{min(y.low, z.low), max(y.high, z.high)}
	}
	y := v.of(n.Args[1])
	if n.Op == syntax.Concat {
		w := v.m.Nodes[n.Args[1].Node()].Sort.Width
		return span{x.low<<w | y.low, x.high<<w | y.high}
	}
	if s := v.related(n, all); s.isPoint() {
		return s
	}
	if n.Op >= syntax.Eq && n.Op <= syntax.Implies {
		return compared(n.Op, x, y, width)
	}
	return binary(n.Op, x, y, width)
}

// related is what follows where two operands are the same value, or one the negation of the other.
func (v *values) related(n *syntax.Node, all span) span {
	if len(n.Args) != 2 || n.Op == syntax.Concat || n.Op == syntax.Read {
		return all
	}
	switch v.sameAs(n.Args[0]) {
	case v.sameAs(n.Args[1]):
		switch n.Op {
		case syntax.Xor, syntax.Sub, syntax.Neq, syntax.Ult, syntax.Ugt, syntax.Slt, syntax.Sgt, syntax.Usubo, syntax.Ssubo:
			return point(0)
		case syntax.Xnor:
			return point(all.high)
		case syntax.Eq, syntax.Ulte, syntax.Ugte, syntax.Slte, syntax.Sgte, syntax.Iff, syntax.Implies:
			return point(1)
		}
	case v.sameAs(n.Args[1]) ^ 1:
		switch n.Op {
		case syntax.And, syntax.Nor, syntax.Xnor, syntax.Eq, syntax.Iff:
			return point(0)
		case syntax.Or, syntax.Nand, syntax.Xor, syntax.Add:
			return point(all.high)
		case syntax.Neq:
			return point(1)
		}
	}
	return all
}

// unary returns the range of a row with one operand, which has some bits.
func unary(n *syntax.Node, x span, width int) span {
	all, most := span{0, mask(n.Sort.Width)}, mask(width)
	switch n.Op {
	case syntax.Inc:
		return binary(syntax.Add, x, point(1), width)
	case syntax.Dec:
		return binary(syntax.Sub, x, point(1), width)
	case syntax.Neg:
		return binary(syntax.Sub, point(0), x, width)
	case syntax.Redand:
		return truth(x.low == most, x.high < most)
	case syntax.Redor:
		return truth(x.low > 0, x.high == 0)
	case syntax.Redxor:
		if x.isPoint() {
			return point(uint64(bits.OnesCount64(x.low) & 1))
		}
	case syntax.Slice:
		if above := n.Number[0] + 1; x.low>>above == x.high>>above {
			return span{x.low >> n.Number[1] & all.high, x.high >> n.Number[1] & all.high}
		}
	case syntax.Uext:
		return x
	case syntax.Sext:
		sign, ones := uint64(1)<<(width-1), all.high&^most
		switch {
		case x.high < sign:
			return x
		case x.low >= sign:
			return span{x.low | ones, x.high | ones}
		}
	}
	return all
}

// binary returns the range of an operator whose operands and value have the same width.
func binary(op syntax.Op, x, y span, width int) span {
	most := mask(width)
	all := span{0, most}
	switch op {
	case syntax.And, syntax.Nand:
		s := span{0, min(x.high, y.high)}
		if x.isPoint() && y.isPoint() {
			s = point(x.low & y.low)
		}
		return negatedIf(op == syntax.Nand, s, most)
	case syntax.Or, syntax.Nor:
		s := span{max(x.low, y.low), filled(x.high | y.high)}
		if x.isPoint() && y.isPoint() {
			s = point(x.low | y.low)
		}
		return negatedIf(op == syntax.Nor, s, most)
	case syntax.Xor, syntax.Xnor:
		s := span{0, filled(x.high | y.high)}
		if x.isPoint() && y.isPoint() {
			s = point(x.low ^ y.low)
		}
		return negatedIf(op == syntax.Xnor, s, most)
	case syntax.Add:
		if high, carry := bits.Add64(x.high, y.high, 0); carry == 0 && high <= most {
			return span{x.low + y.low, high}
		}
		if x.isPoint() && y.isPoint() {
			return point((x.low + y.low) & most)
		}
	case syntax.Sub:
		if x.low >= y.high {
			return span{x.low - y.high, x.high - y.low}
		}
		if x.high < y.low { // wraps in each case
			return span{(x.low - y.high) & most, (x.high - y.low) & most}
		}
	case syntax.Mul:
		if over, high := bits.Mul64(x.high, y.high); over == 0 && high <= most {
			return span{x.low * y.low, high}
		}
		if x.isPoint() && y.isPoint() {
			return point(x.low * y.low & most)
		}
	case syntax.Udiv:
		switch {
		case y.low > 0:
			return span{x.low / y.high, x.high / y.low}
		case y.high == 0:
			return point(most)
		}
	case syntax.Urem:
		switch {
		case y.high == 0, x.high < y.low:
			return x
		case y.low > 0:
			return span{0, min(x.high, y.high-1)}
		}
		return span{0, x.high}
	case syntax.Sll:
		switch {
		case y.low >= uint64(width):
			return point(0)
		case x.isPoint() && y.isPoint():
			return point(x.low << y.low & most)
		}
	case syntax.Srl:
		return span{x.low >> y.high, x.high >> y.low}
	}
	return all
}

func negatedIf(negated bool, s span, most uint64) span {
	if negated {
		return span{most - s.high, most - s.low}
	}
	return s
}

// filled returns the number with all bits up to the highest one of another.
func filled(v uint64) uint64 { return 1<<bits.Len64(v) - 1 }

// compared returns what a comparison or an overflow of two operands of some bits says.
func compared(op syntax.Op, x, y span, width int) span {
	less := func(x, y span) span { return truth(x.high < y.low, x.low >= y.high) }
	not := func(s span) span { return span{1 - s.high, 1 - s.low} }
	sx, sy := signed(x, width), signed(y, width)
	switch op {
	case syntax.Eq, syntax.Iff:
		return truth(x.isPoint() && x == y, x.high < y.low || y.high < x.low)
	case syntax.Neq:
		return not(compared(syntax.Eq, x, y, width))
	case syntax.Ult:
		return less(x, y)
	case syntax.Ugt:
		return less(y, x)
	case syntax.Ugte:
		return not(less(x, y))
	case syntax.Ulte:
		return not(less(y, x))
	case syntax.Slt:
		return less(sx, sy)
	case syntax.Sgt:
		return less(sy, sx)
	case syntax.Sgte:
		return not(less(sx, sy))
	case syntax.Slte:
		return not(less(sy, sx))
	case syntax.Usubo:
		return less(x, y)
	case syntax.Uaddo:
		return truth(sumOver(x.low, y.low, width), !sumOver(x.high, y.high, width))
	case syntax.Umulo:
		return truth(productOver(x.low, y.low, width), !productOver(x.high, y.high, width))
	case syntax.Implies:
		return truth(x.high == 0 || y.low == 1, x.low == 1 && y.high == 0)
	}
	return span{0, 1}
}

// signed returns the range of a number with a sign, moved up so that its lowest value is 0.
func signed(s span, width int) span {
	sign := uint64(1) << (width - 1)
	if s.low < sign && s.high >= sign {
		return span{0, mask(width)}
	}
	return span{s.low ^ sign, s.high ^ sign}
}

func sumOver(x, y uint64, width int) bool {
	sum, carry := bits.Add64(x, y, 0)
	return carry > 0 || sum > mask(width)
}

func productOver(x, y uint64, width int) bool {
	over, product := bits.Mul64(x, y)
	return over > 0 || product > mask(width)
}
