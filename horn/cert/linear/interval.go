package linear

import "math/big"

// between gives v a value between its bounds in the rows, for the values of the others.
func (s *search) between(rows []*row, v int) error {
	value := s.pick(rows, v)
	if value == nil {
		return errIncomplete
	}
	s.values[v] = value
	return nil
}

// interval holds the bounds of a variable; nil is none.
type interval struct {
	low, high             *big.Rat
	lowStrict, highStrict bool
}

// boundsOf returns the bounds of v in the rows, for the values of the others.
func (s *search) boundsOf(rows []*row, v int) (in interval) {
	for _, r := range rows {
		c := r.coef(v)
		if c == nil {
			continue
		}
		bound := r.rest(v, s.values)
		bound.Quo(bound.Neg(bound), new(big.Rat).SetInt(c))
		strict := r.rel == Below
		if c.Sign() > 0 {
			if order := cmpOrNil(in.high, bound); order > 0 || order == 0 && strict {
				in.high, in.highStrict = bound, strict
			}
		} else if order := cmpOrNil(bound, in.low); order > 0 || order == 0 && strict {
			in.low, in.lowStrict = bound, strict
		}
	}
	return in
}

// cmpOrNil compares two numbers; one that is missing makes the first the greater one.
func cmpOrNil(a, b *big.Rat) int {
	if a == nil || b == nil {
		return 1
	}
	return a.Cmp(b)
}

// pick returns a value of v between its bounds, an integer if there is one; nil when there
// is none.
func (s *search) pick(rows []*row, v int) *big.Rat {
	in := s.boundsOf(rows, v)
	value := new(big.Rat)
	switch one := big.NewRat(1, 1); {
	case in.low != nil:
		value.SetInt(ceil(in.low))
		if in.lowStrict && value.Cmp(in.low) == 0 {
			value.Add(value, one)
		}
	case in.high != nil:
		value.SetInt(floor(in.high))
		if in.highStrict && value.Cmp(in.high) == 0 {
			value.Sub(value, one)
		}
	}
	if in.contains(value) {
		return value
	}
	if s.integer[v] || in.low == nil || in.high == nil {
		return nil
	}
	value.Add(in.low, in.high)
	value.Quo(value, big.NewRat(2, 1))
	if in.contains(value) {
		return value
	}
	return nil
}

func (in interval) contains(x *big.Rat) bool {
	if in.low != nil {
		if order := in.low.Cmp(x); order > 0 || order == 0 && in.lowStrict {
			return false
		}
	}
	if in.high != nil {
		if order := in.high.Cmp(x); order < 0 || order == 0 && in.highStrict {
			return false
		}
	}
	return true
}
