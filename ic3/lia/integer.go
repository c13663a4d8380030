package lia

import (
	"cmp"
	"context"
	"errors"

	"aiglens/horn/rational"
)

// Limits bound the search for integers, which need not end by itself. A limit that is reached makes
// the answer unknown. 0 is the default.
type Limits struct {
	Splits     int // of one search
	Depth      int // of splits below each other
	Implicants int // that an interpolant is made from
}

const (
	defaultSplits     = 2000
	defaultDepth      = 60
	defaultImplicants = 2000
)

func (l Limits) orDefault() Limits {
	return Limits{
		Splits: cmp.Or(l.Splits, defaultSplits), Depth: cmp.Or(l.Depth, defaultDepth),
		Implicants: cmp.Or(l.Implicants, defaultImplicants),
	}
}

// ErrLimit says that a search for integers reached a limit.
var ErrLimit = errors.New("lia: the search for integers reached its limit")

// brancher searches values that are integers where they must be, by branching and bounding. It branches on
// the disjunction of a mixed integer cut of Gomory (Karamanov and Cornuéjols, "Branching on General
// Disjunctions", 2011). So a cut and a branch are the same step, and a refutation needs one rule for
// both. Where such splits lead deep, it branches on single variables.
type brancher struct {
	*simplex
	limits Limits
	splits int
}

// integers returns nil when the values are now a solution, or a refutation, in which a premise
// is the number that index gives for a weight. An error is that of ctx, or ErrLimit.
func (s *simplex) integers(ctx context.Context, limits Limits, index func(weight) Weight) (*Refutation, error) {
	b := &brancher{simplex: s, limits: limits.orDefault()}
	return b.solve(ctx, 0, index)
}

func (b *brancher) solve(ctx context.Context, depth int, index func(weight) Weight) (*Refutation, error) {
	conflict, err := b.check(ctx)
	if err != nil {
		return nil, err
	}
	if conflict != nil {
		return conflict.refutation(index), nil
	}
	v, ok := b.fractional()
	if !ok {
		return nil, nil
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if b.splits++; b.splits > b.limits.Splits || depth >= b.limits.Depth {
		return nil, ErrLimit
	}
	return b.branch(ctx, b.splitAt(v, depth), depth, index)
}

// branch solves one side of a split and, unless that suffices, the other.
func (b *brancher) branch(ctx context.Context, p *Split, depth int, index func(weight) Weight) (*Refutation, error) {
	sides := [2]Atom{p.low(), p.high()}
	first := 0
	// The nearer side first.
	value := b.evaluate(p.Term)
	if value.sub(delta{real: p.Bound}).cmp(delta{real: rational.Frac(1, 2)}) > 0 {
		first = 1
	}
	r := &Refutation{Split: p}
	parts := [2]**Refutation{&r.Low, &r.High}
	var limit error
	for _, i := range [2]int{first, 1 - first} {
		part, err := b.solveSide(ctx, sides[i], reason(p.Name), depth, index)
		switch {
		case err == ErrLimit && b.splits <= b.limits.Splits:
			limit = err // too deep; the other side may have a solution
			continue
		case err != nil:
			return nil, err
		case part == nil:
			return nil, nil
		case !part.uses(p.Name):
			return part, nil
		}
		*parts[i] = part
	}
	if limit != nil {
		return nil, limit
	}
	return r, nil
}

func (b *brancher) solveSide(ctx context.Context, a Atom, name reason, depth int, index func(weight) Weight) (*Refutation, error) {
	mark := len(b.trail)
	// Values outlive the bounds, so that a solution stays.
	defer func() { b.backtrack(mark) }()
	if conflict := b.assert(b.sideOf(a), name); conflict != nil {
		return conflict.refutation(index), nil
	}
	return b.solve(ctx, depth+1, index)
}

// refutation returns weights as a refutation.
func (f farkas) refutation(index func(weight) Weight) *Refutation {
	r := &Refutation{}
	for _, w := range f {
		if w.reason < 0 {
			r.Sum = append(r.Sum, Weight{int(w.reason), w.coef})
		} else {
			r.Sum = append(r.Sum, index(w))
		}
	}
	return r
}

// fractional returns the first variable that must be an integer and is none; with bounds, if there
// is one.
func (s *simplex) fractional() (v Var, ok bool) {
	for i := range s.columns {
		c := &s.columns[i]
		if !c.isInt || c.term != nil || c.value.isInt() {
			continue
		}
		if c.lower.reason != noReason && c.upper.reason != noReason {
			return Var(i), true
		}
		if !ok {
			v, ok = Var(i), true
		}
	}
	return v, ok
}

func (s *simplex) evaluate(t Term) delta {
	sum := delta{}
	for _, m := range t {
		sum = sum.add(s.columns[m.Var].value.scale(m.Coef))
	}
	return sum
}

// generalSplits is how many splits below each other are those of cuts.
const generalSplits = 12

// splitAt returns a split that excludes the present values, in which v is not an integer.
func (b *brancher) splitAt(v Var, depth int) *Split {
	t := Term{{v, rational.One}}
	if depth < generalSplits {
		t = b.cut(v)
	}
	k := t.content()
	if t[0].Coef.Sign() < 0 {
		k = k.Neg()
	}
	t = t.Scale(k.Inv())
	return &Split{Name: -b.splits, Term: t, Bound: b.evaluate(t).floor()}
}

// cut returns the term on whose two sides the mixed integer cut of the row of v holds: v less an
// integer multiple of each integer variable of the row, all of which have integer values now.
// A variable whose bounds are equal is a constant and is left out.
func (b *brancher) cut(v Var) Term {
	t := Term{{v, rational.One}}
	c := &b.columns[v]
	if c.row == 0 {
		return t
	}
	fraction := modulo(c.value.real, rational.One)
	for _, m := range b.rows[c.row-1].sum {
		n := &b.columns[m.Var]
		isFixed := n.lower.reason != noReason && n.upper.reason != noReason && n.lower.value.cmp(n.upper.value) == 0
		if !n.isInt || isFixed {
			continue
		}
		// Over the distance y ≥ 0 from its bound the row is v + a·y = constant.
		atUpper := n.upper.reason != noReason && n.value.cmp(n.upper.value) == 0
		a := m.Coef.Neg()
		if atUpper {
			a = m.Coef
		}
		k := a.Floor()
		if a.Sub(k).Cmp(fraction) > 0 {
			k = a.Ceil()
		}
		if atUpper {
			k = k.Neg()
		}
		if k.IsZero() {
			continue
		}
		if n.term != nil {
			t = t.Plus(k, n.term)
		} else {
			t = t.Plus(k, Term{{m.Var, rational.One}})
		}
	}
	return t
}
