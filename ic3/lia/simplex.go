package lia

import (
	"context"
	"slices"

	"aiglens/horn/rational"
)

// simplex decides whether bounds of variables and of terms can hold together over the rationals
// (Dutertre and de Moura, "A Fast Linear-Arithmetic Solver for DPLL(T)", CAV 2006). A term with a bound
// gets a slack variable, which shares the numbers of the variables. Its row enters the tableau with
// its first bound. This differs from the paper, whose rows are all there at first.
//
// Between the calls:
//   - each row says that its basic variable equals a sum of nonbasic variables, and value agrees;
//   - the value of each nonbasic variable is within its bounds;
//   - a basic variable whose value is outside its bounds is among the suspects.
type simplex struct {
	columns []column
	slacks  map[string]Var // by key of a term
	rows    []row
	trail   []undo

	suspects []Var // basic variables to look at, in any order
	bland    int   // pivots of a check before the least variable enters
	spare    Term  // memory for the next row
}

// column is what is known about one variable.
type column struct {
	isInt        bool
	isSuspect    bool
	term         Term // of a slack variable
	value        delta
	lower, upper bound
	row          int32   // its row + 1 while it is basic
	occurs       []int32 // the rows whose sums it is in, while it is nonbasic
}

type row struct {
	basic Var
	sum   Term
}

// bound has the reason for which it was asserted; noReason is no bound.
type bound struct {
	value  delta
	reason reason
}

// reason names a constraint of the caller, or below 0 a split.
type reason int32

const noReason reason = -1 << 31

// undo is a bound as it was.
type undo struct {
	v     Var
	upper bool
	old   bound
}

// weight is a constraint and what it is multiplied by so that the sum of all is a contradiction.
type weight struct {
	reason reason
	upper  bool // the constraint is used as upper bound
	coef   Rat
}

// farkas are weights that add up to 0 ≤ c with c < 0. It is not nil for a contradiction.
type farkas []weight

const (
	blandAfter = 60
	pollPivots = 64 // pivots between two looks at the context
)

func newSimplex() *simplex { return &simplex{slacks: map[string]Var{}, bland: blandAfter} }

func (s *simplex) newVar(isInt bool, term Term) Var {
	none := bound{reason: noReason}
	s.columns = append(s.columns, column{isInt: isInt, term: term, lower: none, upper: none})
	return Var(len(s.columns) - 1)
}

func (s *simplex) isInt(v Var) bool { return s.columns[v].isInt }

// column returns the variable for a term with coprime integer coefficients, the first positive.
func (s *simplex) column(t Term) Var {
	if len(t) == 1 {
		return t[0].Var
	}
	key := t.key()
	v, ok := s.slacks[key]
	if !ok {
		v = s.newVar(t.allInt(s.isInt), t)
		s.slacks[key] = v
	}
	return v
}

// side is a bound of a variable that says the same as an inequality.
type side struct {
	v     Var
	upper bool
	value delta
}

// sideOf returns the bound that a normal inequality with a term is.
func (s *simplex) sideOf(a Atom) side {
	value := delta{real: a.Const}
	if a.Rel == Less {
		value.inf = rational.MinusOne
	}
	if a.Term[0].Coef.Sign() > 0 {
		return side{s.column(a.Term), true, value}
	}
	return side{s.column(a.Term.Scale(rational.MinusOne)), false, value.scale(rational.MinusOne)}
}

// load brings the row of a slack variable into the tableau. A nonbasic slack variable is in a row,
// since its own equation follows from the rows.
func (s *simplex) load(v Var) {
	c := &s.columns[v]
	if c.term == nil || c.row != 0 || len(c.occurs) > 0 {
		return
	}
	var sum Term
	for _, m := range c.term {
		if r := s.columns[m.Var].row; r != 0 {
			sum = sum.Plus(m.Coef, s.rows[r-1].sum)
		} else {
			sum = sum.Plus(m.Coef, Term{{m.Var, rational.One}})
		}
	}
	s.rows = append(s.rows, row{v, sum})
	c.row, c.value = int32(len(s.rows)), delta{}
	for _, m := range sum {
		s.columns[m.Var].occurs = append(s.columns[m.Var].occurs, c.row-1)
		c.value = c.value.add(s.columns[m.Var].value.scale(m.Coef))
	}
}

// unload empties the tableau; there must be no bounds. Values of variables stay, as a start.
func (s *simplex) unload() {
	s.rows, s.suspects = s.rows[:0], s.suspects[:0]
	for i := range s.columns {
		c := &s.columns[i]
		c.row, c.occurs, c.isSuspect = 0, c.occurs[:0], false
		c.value.inf = Rat{}
		if c.isInt {
			c.value.real = c.value.real.Floor()
		}
	}
}

// assert adds a bound, or returns why it contradicts the opposite one.
func (s *simplex) assert(b side, why reason) farkas {
	s.load(b.v)
	c := &s.columns[b.v]
	own, other, sign := &c.lower, &c.upper, -1
	if b.upper {
		own, other, sign = &c.upper, &c.lower, 1
	}
	if own.reason != noReason && b.value.cmp(own.value)*sign >= 0 {
		return nil
	}
	if other.reason != noReason && b.value.cmp(other.value)*sign < 0 {
		return farkas{{why, b.upper, rational.One}, {other.reason, !b.upper, rational.One}}
	}
	s.trail = append(s.trail, undo{b.v, b.upper, *own})
	*own = bound{b.value, why}
	if c.value.cmp(b.value)*sign > 0 {
		if c.row != 0 {
			s.suspect(b.v)
		} else {
			s.update(b.v, b.value)
		}
	}
	return nil
}

// backtrack drops all bounds but the first n.
func (s *simplex) backtrack(n int) {
	for i := len(s.trail) - 1; i >= n; i-- {
		u := s.trail[i]
		if u.upper {
			s.columns[u.v].upper = u.old
		} else {
			s.columns[u.v].lower = u.old
		}
	}
	s.trail = s.trail[:n]
}

func (s *simplex) suspect(v Var) {
	if c := &s.columns[v]; !c.isSuspect {
		c.isSuspect = true
		s.suspects = append(s.suspects, v)
	}
}

// update gives a nonbasic variable a value.
func (s *simplex) update(v Var, value delta) {
	c := &s.columns[v]
	diff := value.sub(c.value)
	c.value = value
	for _, r := range c.occurs {
		basic := s.rows[r].basic
		b := &s.columns[basic]
		b.value = b.value.add(diff.scale(s.rows[r].sum.Coef(v)))
		s.suspect(basic)
	}
}

// violated returns how a value lies: −1 below its lower bound, 1 above its upper one, else 0.
func (c *column) violated() int {
	switch {
	case c.lower.reason != noReason && c.value.cmp(c.lower.value) < 0:
		return -1
	case c.upper.reason != noReason && c.value.cmp(c.upper.value) > 0:
		return 1
	}
	return 0
}

// leaving returns the least variable that is outside its bounds.
func (s *simplex) leaving() (v Var, ok bool) {
	kept := s.suspects[:0]
	for _, w := range s.suspects {
		c := &s.columns[w]
		if c.row == 0 || c.violated() == 0 {
			c.isSuspect = false
			continue
		}
		kept = append(kept, w)
		if !ok || w < v {
			v, ok = w, true
		}
	}
	s.suspects = kept
	return v, ok
}

// entering returns a nonbasic variable that can move the sum of a row up (direction 1) or down: the
// one in the fewest rows, or the least when Bland's rule must end the search.
func (s *simplex) entering(sum Term, direction int, least bool) (m Monomial, ok bool) {
	for _, n := range sum {
		c := &s.columns[n.Var]
		if n.Coef.Sign() == direction {
			if c.upper.reason != noReason && c.value.cmp(c.upper.value) >= 0 {
				continue
			}
		} else if c.lower.reason != noReason && c.value.cmp(c.lower.value) <= 0 {
			continue
		}
		if least {
			return n, true
		}
		if !ok || len(c.occurs) < len(s.columns[m.Var].occurs) {
			m, ok = n, true
		}
	}
	return m, ok
}

// check finds values within all bounds, or weights that show that there are none. An error is that
// of ctx.
func (s *simplex) check(ctx context.Context) (farkas, error) {
	for pivots := 1; ; pivots++ {
		if pivots%pollPivots == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		v, ok := s.leaving()
		if !ok {
			return nil, nil
		}
		c := &s.columns[v]
		direction, target := 1, c.lower
		if c.violated() > 0 {
			direction, target = -1, c.upper
		}
		m, ok := s.entering(s.rows[c.row-1].sum, direction, pivots > s.bland)
		if !ok {
			return s.explain(v, direction, target.reason), nil
		}
		step := target.value.sub(c.value).scale(m.Coef.Inv())
		r := c.row - 1
		s.update(m.Var, s.columns[m.Var].value.add(step))
		s.pivot(r, m)
	}
}

// explain returns the weights of a row whose sum cannot reach the bound of its basic variable.
func (s *simplex) explain(v Var, direction int, why reason) farkas {
	weights := farkas{{why, direction < 0, rational.One}}
	for _, m := range s.rows[s.columns[v].row-1].sum {
		c := &s.columns[m.Var]
		if m.Coef.Sign() == direction {
			weights = append(weights, weight{c.upper.reason, true, m.Coef.Abs()})
		} else {
			weights = append(weights, weight{c.lower.reason, false, m.Coef.Abs()})
		}
	}
	return weights
}

// pivot makes the variable of m, which is in row r, basic there.
func (s *simplex) pivot(r int32, m Monomial) {
	leaves := s.rows[r].basic
	inverse := m.Coef.Inv()
	rest := s.rows[r].sum.Without(m.Var).Scale(inverse.Neg())
	sum := rest.Plus(inverse, Term{{leaves, rational.One}})
	enters, left := &s.columns[m.Var], &s.columns[leaves]
	s.rows[r] = row{m.Var, sum}
	enters.row, left.row = r+1, 0
	left.occurs = append(left.occurs[:0], r)
	others := enters.occurs
	enters.occurs = nil
	for _, q := range others {
		if q != r {
			s.substitute(q, m.Var, sum)
		}
	}
	enters.occurs = others[:0]
	s.suspect(m.Var)
}

// substitute replaces v in row q by a sum.
func (s *simplex) substitute(q int32, v Var, sum Term) {
	old := s.rows[q].sum
	k := old.Coef(v)
	to := s.spare[:0]
	for i, j := 0, 0; i < len(old) || j < len(sum); {
		switch {
		case i < len(old) && old[i].Var == v:
			i++
		case j == len(sum) || i < len(old) && old[i].Var < sum[j].Var:
			to = append(to, old[i])
			i++
		case i == len(old) || old[i].Var > sum[j].Var:
			c := &s.columns[sum[j].Var]
			c.occurs = append(c.occurs, q)
			to = append(to, Monomial{sum[j].Var, k.Mul(sum[j].Coef)})
			j++
		default:
			if coef := old[i].Coef.Add(k.Mul(sum[j].Coef)); !coef.IsZero() {
				to = append(to, Monomial{old[i].Var, coef})
			} else {
				c := &s.columns[old[i].Var]
				at := slices.Index(c.occurs, q)
				c.occurs = append(c.occurs[:at], c.occurs[at+1:]...)
			}
			i, j = i+1, j+1
		}
	}
	s.rows[q].sum, s.spare = to, old[:0]
}

// epsilon returns a value of ε with which all values are within their bounds.
func (s *simplex) epsilon() Rat {
	epsilon := rational.One
	limit := func(low, high delta) {
		if gap := high.real.Sub(low.real); gap.Sign() > 0 && low.inf.Cmp(high.inf) > 0 {
			if e := gap.Div(low.inf.Sub(high.inf)); e.Cmp(epsilon) < 0 {
				epsilon = e
			}
		}
	}
	for i := range s.columns {
		c := &s.columns[i]
		if c.lower.reason != noReason {
			limit(c.lower.value, c.value)
		}
		if c.upper.reason != noReason {
			limit(c.value, c.upper.value)
		}
	}
	return epsilon
}
