package expression

import (
	"math/big"
	"strconv"
	"strings"

	"aiglens/circuit"
)

// Bounds of vectors.
const (
	maxLowest = 64   // where the indices of a vector may begin
	maxWidth  = 4096 // bits
)

// forms are how the bits of a vector are named, by the index.
var forms = [...][2]string{{"[", "]"}, {"<", ">"}, {"", ""}}

// vector returns the bits that a name stands for, the most significant first: those of
// q are q[1] and q[0], q<1> and q<0>, or q1 and q0, for as long as indices follow each
// other; q[1:0] are these two. A vector has two bits or more.
func vector(signal func(name string) (circuit.Lit, bool), name string) (bits []circuit.Lit, ok bool) {
	base, high, low, isRange := rangeOf(name)
	for _, form := range forms {
		bit := func(i int) (circuit.Lit, bool) { return signal(base + form[0] + strconv.Itoa(i) + form[1]) }
		first := low
		if !isRange {
			for first = 0; first < maxLowest; first++ {
				if _, found := bit(first); found || form[0] == "" { // without brackets the indices begin at 0
					break
				}
			}
		}
		bits = bits[:0]
		for i := first; len(bits) < maxWidth && (!isRange || i <= high); i++ {
			l, found := bit(i)
			if !found {
				break
			}
			bits = append(bits, l)
		}
		if len(bits) >= 2 && (!isRange || len(bits) == high-low+1) {
			reverse(bits)
			return bits, true
		}
	}
	return nil, false
}

func reverse(bits []circuit.Lit) {
	for i, j := 0, len(bits)-1; i < j; i, j = i+1, j-1 {
		bits[i], bits[j] = bits[j], bits[i]
	}
}

// rangeOf splits q[3:0]; other names are their own base.
func rangeOf(name string) (base string, high, low int, ok bool) {
	at := strings.LastIndexByte(name, '[')
	if at <= 0 || !strings.HasSuffix(name, "]") {
		return name, 0, 0, false
	}
	first, last, _ := strings.Cut(name[at+1:len(name)-1], ":")
	high, err1 := strconv.Atoi(first)
	low, err2 := strconv.Atoi(last)
	if err1 != nil || err2 != nil || low < 0 || high < low || high-low >= maxWidth {
		return name, 0, 0, false
	}
	return name[:at], high, low, true
}

// number is a vector at a step, or a constant.
type number struct {
	name  string
	bits  []circuit.Lit // the most significant first
	value *big.Int      // nil for a vector
}

func (n number) width() int {
	if n.value != nil {
		return n.value.BitLen()
	}
	return len(n.bits)
}

// bit returns a bit at a step, 0 the least significant.
func (n number) bit(r Run, i, step int) circuit.Value {
	switch {
	case i >= n.width():
		return circuit.Zero
	case n.value != nil:
		return circuit.ValueOf(n.value.Bit(i) == 1)
	}
	return r.Value(n.bits[len(n.bits)-1-i], step)
}

// text returns the value at a step: in decimal, or the bits where one of them is x.
func (n number) text(r Run, step int) string {
	var b strings.Builder
	for i := n.width() - 1; i >= 0; i-- {
		b.WriteString(n.bit(r, i, step).String())
	}
	if value, ok := new(big.Int).SetString(b.String(), 2); ok {
		return value.String()
	}
	return b.String()
}

// compareNumbers compares without signs. The value is x where that depends on an x.
func compareNumbers(r Run, sides [2]number, sign string, step int) circuit.Value {
	a, b := sides[0], sides[1]
	switch sign {
	case "!=":
		return equal(r, a, b, step).Not()
	case "<":
		return less(r, a, b, step)
	case ">":
		return less(r, b, a, step)
	case "<=":
		return less(r, b, a, step).Not()
	case ">=":
		return less(r, a, b, step).Not()
	}
	return equal(r, a, b, step)
}

func equal(r Run, a, b number, step int) circuit.Value {
	v := circuit.One
	for i := range max(a.width(), b.width()) {
		v = and(v, xor(a.bit(r, i, step), b.bit(r, i, step)).Not())
	}
	return v
}

// less is 1 where the largest value of a is below the smallest of b, and 0 where the
// smallest of a is not below the largest of b.
func less(r Run, a, b number, step int) circuit.Value {
	below := func(x, y circuit.Value) bool { // with x of a and y of b in the place of each x
		for i := max(a.width(), b.width()) - 1; i >= 0; i-- {
			p, q := a.bit(r, i, step), b.bit(r, i, step)
			if p == circuit.X {
				p = x
			}
			if q == circuit.X {
				q = y
			}
			if p != q {
				return q == circuit.One
			}
		}
		return false
	}
	switch {
	case below(circuit.One, circuit.Zero):
		return circuit.One
	case !below(circuit.Zero, circuit.One):
		return circuit.Zero
	}
	return circuit.X
}

// numbers reads what a vector is compared with: a number or another vector.
func (p *parser) numbers(left *Expr, sign token) (*Expr, error) {
	e := &Expr{op: opNumbers, name: sign.text, sides: [2]number{left.sides[0]}}
	if value, ok := p.constant(); ok {
		e.sides[1] = number{value: value}
		p.next()
	} else {
		t := p.token
		right, err := p.prefix()
		switch {
		case err != nil:
			return nil, err
		case right.op != opVector:
			return nil, p.failAt(t.at, "expected a number or a vector after %s, found %s", sign.text, t)
		}
		e.sides[1] = right.sides[0]
	}
	e.cost = max(e.sides[0].width(), e.sides[1].width())
	if e.cost > maxExprCost {
		return nil, p.fail("the expression is too large")
	}
	return e, nil
}

// constant returns the number that the next token is: decimal, or as 0x1f and 0b101.
func (p *parser) constant() (*big.Int, bool) {
	text := p.token.text
	if p.token.kind != tokenName || text[0] < '0' || text[0] > '9' {
		return nil, false
	}
	base := 10
	switch strings.ToLower(text[:min(2, len(text))]) {
	case "0x":
		text, base = text[2:], 16
	case "0b":
		text, base = text[2:], 2
	}
	return new(big.Int).SetString(text, base)
}
