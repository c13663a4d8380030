package linear

import (
	"math/big"
	"slices"
	"strconv"
)

// row is a constraint that is given or derived: sum + constant rel 0. The coefficients are
// integers without a common divisor.
type row struct {
	sum      []term // by ascending variable, none with the coefficient 0
	constant *big.Rat
	rel      Relation
	from     set // the given constraints that it follows from
}

type term struct {
	v    int
	coef *big.Int
}

// newRow returns a constraint as a row.
func newRow(c Constraint, from set) *row {
	sums := map[int]*big.Rat{}
	var vars []int
	for _, m := range c.Sum {
		if sums[m.Var] == nil {
			sums[m.Var] = new(big.Rat)
			vars = append(vars, m.Var)
		}
		sums[m.Var].Add(sums[m.Var], m.Coef)
	}
	slices.Sort(vars)
	common := big.NewInt(1) // a multiple of all denominators
	for _, v := range vars {
		d := sums[v].Denom()
		gcd := new(big.Int).GCD(nil, nil, common, d)
		common.Mul(common, new(big.Int).Quo(d, gcd))
	}
	r := &row{constant: new(big.Rat).Mul(c.Constant, new(big.Rat).SetInt(common)), rel: c.Rel, from: from}
	for _, v := range vars {
		if sum := sums[v]; sum.Sign() != 0 {
			coef := new(big.Int).Mul(sum.Num(), new(big.Int).Quo(common, sum.Denom()))
			r.sum = append(r.sum, term{v, coef})
		}
	}
	r.divide()
	return r
}

// divide removes the common divisor of the coefficients.
func (r *row) divide() {
	if len(r.sum) == 0 {
		return
	}
	gcd := new(big.Int)
	for _, t := range r.sum {
		gcd.GCD(nil, nil, gcd, new(big.Int).Abs(t.coef))
		if gcd.IsInt64() && gcd.Int64() == 1 {
			return
		}
	}
	for i, t := range r.sum {
		r.sum[i].coef = new(big.Int).Quo(t.coef, gcd)
	}
	r.constant = new(big.Rat).Quo(r.constant, new(big.Rat).SetInt(gcd))
}

// round uses that the sum is an integer.
func (r *row) round() (possible bool) {
	switch r.rel {
	case Below: // sum < −constant
		r.rel = AtMost
		if r.constant.IsInt() {
			r.constant = new(big.Rat).Add(r.constant, big.NewRat(1, 1))
			return true
		}
		fallthrough
	case AtMost:
		r.constant = new(big.Rat).SetInt(ceil(r.constant))
		return true
	default:
		return r.constant.IsInt()
	}
}

// coef returns the coefficient of a variable; nil when the row does not have it.
func (r *row) coef(v int) *big.Int {
	if i, ok := slices.BinarySearchFunc(r.sum, v, func(t term, v int) int { return t.v - v }); ok {
		return r.sum[i].coef
	}
	return nil
}

// add returns p·a + q·b. The factor of what is no equation must be positive.
func add(p *big.Int, a *row, q *big.Int, b *row) *row {
	r := addUp(p, a, q, b)
	r.divide()
	return r
}

// addUp is add with coefficients that may have a common divisor.
func addUp(p *big.Int, a *row, q *big.Int, b *row) *row {
	r := &row{rel: a.rel, from: a.from.union(b.from)}
	if b.rel == Below || r.rel == Equal {
		r.rel = b.rel
	}
	r.sum = make([]term, 0, len(a.sum)+len(b.sum))
	for i, j := 0, 0; i < len(a.sum) || j < len(b.sum); {
		var t term
		switch {
		case j == len(b.sum) || i < len(a.sum) && a.sum[i].v < b.sum[j].v:
			t = term{a.sum[i].v, new(big.Int).Mul(p, a.sum[i].coef)}
			i++
		case i == len(a.sum) || b.sum[j].v < a.sum[i].v:
			t = term{b.sum[j].v, new(big.Int).Mul(q, b.sum[j].coef)}
			j++
		default:
			t = term{a.sum[i].v, new(big.Int).Mul(p, a.sum[i].coef)}
			t.coef.Add(t.coef, new(big.Int).Mul(q, b.sum[j].coef))
			i, j = i+1, j+1
		}
		if t.coef.Sign() != 0 {
			r.sum = append(r.sum, t)
		}
	}
	r.constant = new(big.Rat).Mul(new(big.Rat).SetInt(p), a.constant)
	r.constant.Add(r.constant, new(big.Rat).Mul(new(big.Rat).SetInt(q), b.constant))
	return r
}

// rest returns sum + constant without variable v, for the values of the others.
func (r *row) rest(v int, values []*big.Rat) *big.Rat {
	sum := new(big.Rat).Set(r.constant)
	for _, t := range r.sum {
		if t.v != v {
			sum.Add(sum, new(big.Rat).Mul(new(big.Rat).SetInt(t.coef), values[t.v]))
		}
	}
	return sum
}

// direction names the coefficients up to their sign; negative says that the first of them
// is.
func (r *row) direction() (name string, negative bool) {
	negative = r.sum[0].coef.Sign() < 0
	var b []byte
	for _, t := range r.sum {
		b = append(strconv.AppendInt(b, int64(t.v), 10), ' ')
		c := t.coef
		if negative {
			c = new(big.Int).Neg(c)
		}
		if c.IsInt64() { // much faster than Text
			b = strconv.AppendInt(b, c.Int64(), 10)
		} else {
			b = append(b, c.Text(10)...)
		}
		b = append(b, ' ')
	}
	return string(b), negative
}

// floor and ceil round to an integer.
func floor(x *big.Rat) *big.Int {
	// Div rounds down for a positive divisor.
	return new(big.Int).Div(x.Num(), x.Denom())
}

func ceil(x *big.Rat) *big.Int {
	down := floor(new(big.Rat).Neg(x))
	return down.Neg(down)
}

// set is a set of small numbers, which never changes.
type set []uint64

func newSet(size, member int) set {
	s := make(set, (size+63)/64)
	s[member/64] = 1 << (member % 64)
	return s
}

func (s set) union(other set) set {
	if len(s) < len(other) {
		s, other = other, s
	}
	all := slices.Clone(s)
	for i, word := range other {
		all[i] |= word
	}
	return all
}

func (s set) members() []int {
	all := []int{}
	for i := range len(s) * 64 {
		if s[i/64]>>(i%64)&1 != 0 {
			all = append(all, i)
		}
	}
	return all
}
