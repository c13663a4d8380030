package cert

import (
	"context"

	"aiglens/circuit"
)

// Equal says that a latch or gate is equal to a literal of a lower variable, in each step
// of each run that meets the constraints. A list of them is shown by induction over the
// steps, all at once; the proofs are as that of a Merge.
type Equal struct {
	Var circuit.Var
	To  circuit.Lit
	// First is the proof for step 0, and Later that for the step after one in which all
	// are equal.
	First, Later [][]circuit.Lit
}

// Corresponding returns c with variables replaced by what they are equal to, in ascending
// order of the variables, as far as the proofs show that. A property that is proved of the
// result is so of c: each run of c that meets the constraints is one of the result, with the same
// values. A counterexample of the result need not be one of c.
//
// It is signal correspondence, van Eijk, "Sequential Equivalence Checking Based on Structural
// Similarities" (TCAD 2000). The proofs speak of circuits that are made so:
//
//	first  the inputs, the free latches; the other latches are their resets, which must be
//	       constants. The constraints; then all gates, by the rules of Merged, with those that
//	       are equal merged on the way.
//	later  a step: the inputs, the latches, the gates, with all that are equal merged, since
//	       that is assumed, and so are the constraints. Then the step after it: the inputs;
//	       each latch is its next state; the constraints, and the gates, as in the first.
//
// Constraints are assumed as they are, made of gates that are not merged in that step.
//
// The error is a *RejectedError when a proof shows nothing, or that of ctx.
func Corresponding(ctx context.Context, c *circuit.Circuit, equals []Equal) (*circuit.Circuit, error) {
	replaced := make(map[circuit.Var]circuit.Lit, len(equals))
	last := circuit.Var(0)
	for _, e := range equals {
		if e.Var <= last || int(e.Var) >= c.NumVars() || c.Kind(e.Var) == circuit.KindInput || e.To.Var() >= e.Var {
			return nil, reject("form", "variable %d is equal to literal %d", e.Var, e.To)
		}
		last = e.Var
		replaced[e.Var] = e.To
	}
	if c.HasResetFunctions() {
		return nil, reject("form", "a latch has a reset function")
	}
	g := newGround(c.NumVars())
	f := g.frame(c, func(l circuit.Latch) circuit.Lit {
		if l.IsFree() {
			return g.free(g.b.Latch(0))
		}
		return l.Reset
	})
	f.constrain()
	if err := f.prove(ctx, equals, func(e Equal) [][]circuit.Lit { return e.First }); err != nil {
		return nil, err
	}
	g = newGround(2 * c.NumVars())
	before := g.frame(c, func(circuit.Latch) circuit.Lit { return g.free(g.b.Latch(0)) })
	before.assume(equals)
	for _, s := range c.Constraints() {
		g.known.add(before.lit(s.Lit))
	}
	f = g.frame(c, func(l circuit.Latch) circuit.Lit { return before.lit(l.Next) })
	f.constrain()
	if err := f.prove(ctx, equals, func(e Equal) [][]circuit.Lit { return e.Later }); err != nil {
		return nil, err
	}
	return trimmed(copied(c, func(circuit.Var) bool { return true }, replaced)), nil
}

// stepFrame is a circuit in one step, in a ground.
type stepFrame struct {
	g  *ground
	c  *circuit.Circuit
	to []circuit.Lit // by variable
}

// frame adds a step, with its latches, and no gates yet.
func (g *ground) frame(c *circuit.Circuit, latch func(circuit.Latch) circuit.Lit) *stepFrame {
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
	needed := make([]bool, f.c.NumVars())
	for _, s := range f.c.Constraints() {
		needed[s.Lit.Var()] = true
	}
	for i := len(needed) - 1; i > 0; i-- {
		if left, right, isGate := f.c.Operands(circuit.Var(i)); isGate && needed[i] {
			needed[left.Var()], needed[right.Var()] = true, true
		}
	}
	for i := range needed {
		if left, right, isGate := f.c.Operands(circuit.Var(i)); isGate && needed[i] {
			f.to[i] = f.g.and(f.lit(left), f.lit(right))
		}
	}
	for _, s := range f.c.Constraints() {
		f.g.known.add(f.lit(s.Lit))
	}
}

// gates adds the gates, and calls each for those that are equal to others.
func (f *stepFrame) gates(equals []Equal, each func(e Equal, l, m circuit.Lit) error) error {
	for i := range f.c.NumVars() {
		v := circuit.Var(i)
		if left, right, isGate := f.c.Operands(v); isGate {
			f.to[v] = f.g.and(f.lit(left), f.lit(right))
		}
		if len(equals) > 0 && equals[0].Var == v {
			e := equals[0]
			equals = equals[1:]
			if err := each(e, f.lit(v.Lit()), f.lit(e.To)); err != nil {
				return err
			}
		}
	}
	return nil
}

// assume adds the gates and merges all that are equal.
func (f *stepFrame) assume(equals []Equal) {
	_ = f.gates(equals, func(_ Equal, l, m circuit.Lit) error {
		f.g.equate(l, m)
		return nil
	})
}

// prove adds the gates and merges those that are equal by their proofs.
func (f *stepFrame) prove(ctx context.Context, equals []Equal, proof func(Equal) [][]circuit.Lit) error {
	return f.gates(equals, func(e Equal, l, m circuit.Lit) error { return f.g.merge(ctx, l, m, proof(e)) })
}
