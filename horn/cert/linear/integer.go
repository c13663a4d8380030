package linear

import "math/big"

// eliminateInteger decides rows over integers, by the Omega test on variable v. There are
// only bounds left, with integer coefficients and constants.
//
//	shadow         what each solution fulfils
//	dark shadow    what is enough for one
//	splinters      a solution outside the dark shadow is close to a lower bound b·v ≥ L:
//	               b·v = L + i with 0 ≤ i ≤ (a·b − a − b) / a, where a is the greatest
//	               coefficient of an upper bound a·v ≤ U
func (s *search) eliminateInteger(rows []*row, v int, exact bool) (found bool, core set, err error) {
	found, core, err = s.solve(shadow(rows, v, false))
	if err != nil || !found {
		return false, core, err
	}
	if exact {
		return true, nil, s.between(rows, v)
	}
	if value := s.pick(rows, v); value != nil { // for the values that the shadow gives
		s.values[v] = value
		return true, nil, nil
	}
	found, core, err = s.solve(shadow(rows, v, true))
	if err != nil {
		return false, nil, err
	}
	if found {
		return true, nil, s.between(rows, v)
	}
	return s.splinters(rows, v, core)
}

// splinters decides the cases that the dark shadow leaves out; core is why nothing is in
// the shadow itself.
func (s *search) splinters(rows []*row, v int, core set) (found bool, all set, err error) {
	greatest := new(big.Int)
	for _, r := range rows {
		if c := r.coef(v); c != nil && c.Cmp(greatest) > 0 {
			greatest = c
		}
	}
	all = core
	for _, r := range rows {
		c := r.coef(v)
		if c == nil || c.Sign() > 0 {
			continue
		}
		b := new(big.Int).Neg(c)
		last := new(big.Int).Mul(greatest, b)
		last.Sub(last, greatest).Sub(last, b)
		last.Div(last, greatest)
		for i := new(big.Int); i.Cmp(last) <= 0; i.Add(i, big.NewInt(1)) {
			// The row is −b·v + L ≤ 0; this is −b·v + L + i = 0.
			e := &row{sum: r.sum, rel: Equal, from: r.from}
			e.constant = new(big.Rat).Add(r.constant, new(big.Rat).SetInt(i))
			split := append([]*row{e}, rows...)
			found, core, err = s.solve(split)
			if err != nil || found {
				return found, nil, err
			}
			all = all.union(core)
		}
	}
	return false, all, nil
}
