package reduce

import (
	"context"
	"errors"
	"slices"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/sat"
)

// Bounds of the search for proofs of what Signals has found.
const (
	equalsPortion   = int64(1_000_000) // effort between two looks at whether it is in vain
	equalsConflicts = 100              // of a query about the cone alone
	equalsGain      = 1 << 30          // as Options.SignalGain: any gain
)

// errInVain says that the search has found nothing that helps, or took too long.
var errInVain = errors.New("nothing was shown")

// Equals looks for latches and gates of c that are equal in all runs that meet the
// constraints, such that a bad is the constant 0 with them merged, within an effort for the
// search and as much for the proofs. It
// returns them, with their proofs for cert.Corresponding, and the effort that it took; nil when
// that does not come off: it wants a circuit without reset functions, with its inputs first, then
// its latches, then its gates. The error is that of ctx.
func Equals(ctx context.Context, c *circuit.Circuit, bad int, effort int64) (equals []cert.Equal, spent int64, err error) {
	b := circuit.NewBuilder(c.NumVars())
	to := c.CopyTo(b)
	isSame := true
	for i := range c.NumVars() {
		l := circuit.Var(i).Lit()
		isSame = isSame && to(l) == l
	}
	if !isSame || c.HasResetFunctions() || c.Bads()[bad].Lit == circuit.False {
		return nil, 0, nil
	}
	b.Bad(c.Bads()[bad].Lit, 0)
	for _, s := range c.Constraints() {
		b.Constraint(s.Lit, 0)
	}
	one := b.Build()
	r := &Reduced{Circuit: one, Property: circuit.Property{Kind: circuit.PropertyBad}, original: one,
		inputsOf: identity(len(one.Inputs())), latchesOf: identity(len(one.Latches()))}
	x := r.NewSignals(Options{SignalGain: equalsGain, NoRewriting: true}, 1)
	for granted := min(equalsPortion, effort); ; granted = min(granted+equalsPortion, effort) {
		merged, err := x.Advance(ctx, granted)
		switch {
		case err != nil:
			return nil, x.Effort(), err
		case merged != nil && merged.Circuit.Bads()[0].Lit == circuit.False:
			equals, proving, err := x.prove(ctx, effort)
			if errors.Is(err, errInVain) {
				err = nil
			}
			return equals, x.Effort() + proving, err
		case x.done || granted >= effort || x.runs > 0 && x.classes.rep[one.Bads()[0].Lit.Var()] != 0:
			return nil, x.Effort(), nil
		}
	}
}

// prove returns the classes with their proofs, and the effort that these took, which is
// bounded.
func (x *Signals) prove(ctx context.Context, effort int64) (equals []cert.Equal, spent int64, err error) {
	for _, v := range x.classes.members {
		equals = append(equals, cert.Equal{Var: v, To: x.classes.literal(v)})
	}
	var g grown
	g.init(ctx, 2*x.c.NumVars())
	first := g.frame(x.c, func(l circuit.Latch) circuit.Lit {
		if l.IsFree() {
			return g.free(g.b.Latch(0))
		}
		return l.Reset
	})
	first.constrain()
	err = first.gates(equals, func(i int, l, m circuit.Lit) (err error) {
		if equals[i].First, err = g.equal(l, m, nil); err == nil && g.spent() > effort {
			err = errInVain
		}
		return err
	})
	if err != nil {
		return nil, g.spent(), err
	}
	spent = g.spent()
	g.init(ctx, 4*x.c.NumVars())
	before := g.frame(x.c, func(circuit.Latch) circuit.Lit { return g.free(g.b.Latch(0)) })
	var assumed []circuit.Lit
	_ = before.gates(equals, func(_ int, l, m circuit.Lit) error {
		if l != m {
			assumed = append(assumed, l)
			g.equate(l, m)
		}
		return nil
	})
	for _, s := range x.c.Constraints() {
		g.solver.AddClause([]circuit.Lit{before.lit(s.Lit)})
	}
	later := g.frame(x.c, func(l circuit.Latch) circuit.Lit { return before.lit(l.Next) })
	later.constrain()
	err = later.gates(equals, func(i int, l, m circuit.Lit) (err error) {
		if equals[i].Later, err = g.equal(l, m, assumed); err == nil && spent+g.spent() > effort {
			err = errInVain
		}
		return err
	})
	spent += g.spent()
	if err != nil {
		return nil, spent, err
	}
	return equals, spent, nil
}

// equal merges two literals and returns the proof that they are equal. Where the cone of
// these is not enough that rests on what is assumed. The error is errInVain or that of the
// context.
func (g *grown) equal(l, m circuit.Lit, assumed []circuit.Lit) ([][]circuit.Lit, error) {
	if l == m {
		return nil, nil
	}
	result, err := g.differ(l, m, sat.Query{MaxConflicts: equalsConflicts})
	if err == nil && result != sat.Unsat {
		result, err = g.differ(l, m, sat.Query{MaxConflicts: strengthenConflicts, Roots: assumed})
	}
	switch {
	case err != nil:
		return nil, err
	case result != sat.Unsat:
		return nil, errInVain
	}
	g.equate(l, m)
	return g.proof(), nil
}

// stepFrame is a circuit in one step, in a circuit that grows.
type stepFrame struct {
	g  *grown
	c  *circuit.Circuit
	to []circuit.Lit // by variable
}

// frame adds a step, with its latches, and no gates yet.
func (g *grown) frame(c *circuit.Circuit, latch func(circuit.Latch) circuit.Lit) *stepFrame {
	f := &stepFrame{g: g, c: c, to: make([]circuit.Lit, c.NumVars())}
	for _, in := range c.Inputs() {
		f.to[in.Lit.Var()] = g.free(g.b.Input(0))
	}
	for _, l := range c.Latches() {
		f.to[l.Lit.Var()] = latch(l)
	}
	return f
}

func (f *stepFrame) lit(l circuit.Lit) circuit.Lit {
	return f.g.find(f.to[l.Var()].NotIf(l.IsNegated()))
}

// constrain assumes the constraints, of gates that are not merged with others of the step.
func (f *stepFrame) constrain() {
	var cone []circuit.Var
	for _, s := range f.c.Constraints() {
		gates, _ := f.c.Logic(s.Lit)
		cone = append(cone, gates...)
	}
	slices.Sort(cone)
	for _, v := range slices.Compact(cone) {
		left, right, _ := f.c.Operands(v)
		f.to[v] = f.g.and(f.lit(left), f.lit(right))
	}
	for _, s := range f.c.Constraints() {
		f.g.solver.AddClause([]circuit.Lit{f.lit(s.Lit)})
	}
}

// gates adds the gates, and calls each for those that are equal to others, by position.
func (f *stepFrame) gates(equals []cert.Equal, each func(i int, l, m circuit.Lit) error) error {
	next := 0
	for i := range f.c.NumVars() {
		if i%pollEvery == 0 && f.g.ctx.Err() != nil {
			return f.g.ctx.Err()
		}
		v := circuit.Var(i)
		if left, right, isGate := f.c.Operands(v); isGate {
			f.to[v] = f.g.and(f.lit(left), f.lit(right))
		}
		if next < len(equals) && equals[next].Var == v {
			if err := each(next, f.lit(v.Lit()), f.lit(equals[next].To)); err != nil {
				return err
			}
			next++
		}
	}
	return nil
}
