package cert

import (
	"context"
	"errors"
	"fmt"

	"aiglens/circuit"
)

// RejectedError says why a certificate does not certify its verdict.
type RejectedError struct {
	// Obligation is what failed: "trace", "initiation", "consecution",
	// "safety", or "form" for a certificate that does not fit the circuit.
	Obligation string
	Detail     string
}

func (e *RejectedError) Error() string {
	return fmt.Sprintf("certificate rejected: %s: %s", e.Obligation, e.Detail)
}

func reject(obligation, format string, args ...any) error {
	return &RejectedError{obligation, fmt.Sprintf(format, args...)}
}

// ErrNoProperty is returned for a property without a bad-state literal.
var ErrNoProperty = errors.New("the circuit has no such safety property")

// Check tests the certificate of a verdict on property p of c and returns the
// verdict as a Checked if it passes. The error is a *RejectedError when the
// certificate fails, and that of ctx when it ends first. An unknown verdict
// claims nothing and passes as it is.
func Check(ctx context.Context, c *circuit.Circuit, p circuit.Property, v Verdict) (Checked, error) {
	if v.Outcome == Unknown {
		return CheckedUnknown(p, v.Reason, v.Depth), nil
	}
	if err := noCheckerYet(c, p, v); err != nil {
		return Checked{}, err
	}
	bad, ok := c.Bad(p)
	if !ok {
		return Checked{}, ErrNoProperty
	}
	var err error
	switch v.Outcome {
	case Proved:
		err = checkInvariant(ctx, c, bad, v.Invariant)
	case Refuted:
		err = checkTrace(ctx, c, bad, v.Trace)
	default:
		err = reject("form", "no such outcome: %d", v.Outcome)
	}
	if err != nil {
		return Checked{}, err
	}
	return Checked{verdict: v, property: p, certified: true}, nil
}

// noCheckerYet rejects certificates of a shape that no engine makes so far, and any on
// a justice property.
func noCheckerYet(c *circuit.Circuit, p circuit.Property, v Verdict) error {
	what := ""
	switch {
	case v.Lasso != nil:
		what = "a lasso"
	case v.Ranking != nil:
		what = "a ranking"
	case p.Kind == circuit.PropertyJustice && p.Index >= 0 && p.Index < len(c.Justice()):
		what = "a justice property"
	default:
		return nil
	}
	return reject("form", "there is no checker yet for %s", what)
}

// CheckedUnknown returns the verdict that claims nothing, with its reason and the
// depth that was reached.
func CheckedUnknown(p circuit.Property, reason string, depth int) Checked {
	return Checked{verdict: Verdict{Reason: reason, Depth: depth}, property: p}
}

// checkTrace replays the run by three-valued simulation: it must start in a
// reset state, meet the constraints in every step and end with the bad literal
// at 1. A value left open must not matter: x is not 1.
func checkTrace(ctx context.Context, c *circuit.Circuit, bad circuit.Lit, t Trace) error {
	if t.Steps() == 0 {
		return reject("trace", "it has no step")
	}
	if len(t.Initial) != len(c.Latches()) {
		return reject("form", "%d initial values for %d latches", len(t.Initial), len(c.Latches()))
	}
	sim := circuit.NewTernary(c)
	sim.Reset()
	for i, l := range c.Latches() {
		if l.IsFree() {
			sim.SetLatch(i, t.Initial[i])
		}
	}
	for step, inputs := range t.Inputs {
		if err := ctx.Err(); err != nil {
			return err
		}
		if len(inputs) != len(c.Inputs()) {
			return reject("form", "step %d has %d values for %d inputs", step, len(inputs), len(c.Inputs()))
		}
		sim.Eval(inputs)
		if step == 0 {
			if err := checkStart(c, sim, t.Initial); err != nil {
				return err
			}
		}
		for i, s := range c.Constraints() {
			if v := sim.Value(s.Lit); v != circuit.One {
				return reject("trace", "constraint %d is %s in step %d", i, v, step)
			}
		}
		if step < t.Steps()-1 {
			sim.Advance()
		}
	}
	if v := sim.Value(bad); v != circuit.One {
		return reject("trace", "the bad literal is %s in the last step %d", v, t.Steps()-1)
	}
	return nil
}

// checkStart tests the initial values of a trace, the first step of which sim has
// evaluated. An x stands for the reset.
func checkStart(c *circuit.Circuit, sim *circuit.Ternary, initial []circuit.Value) error {
	for i, l := range c.Latches() {
		v := initial[i]
		if l.IsFree() || v == circuit.X {
			continue
		}
		if starts := sim.Value(l.Lit); v != starts {
			return reject("trace", "latch %d starts with %s against its reset, which is %s", i, v, starts)
		}
	}
	return nil
}

// checkInvariant tests the three obligations, with I the reset states, C the
// constraints, T the transition relation:
//
//	initiation   I ∧ C ⇒ Inv
//	consecution  Inv ∧ C ∧ T ⇒ Inv′
//	safety       Inv ∧ C ⇒ ¬bad
//
// Bad and constraints are judged under the inputs of the current step only.
//
// With reset functions, I speaks of the inputs of step 0, too: a state may be bad under
// inputs with which it is no start. So the invariant holds all states from step 1 on, and
// step 0 has obligations of its own:
//
//	initiation   I ∧ C ∧ T ⇒ Inv′
//	safety       I ∧ C ⇒ ¬bad
func checkInvariant(ctx context.Context, c *circuit.Circuit, bad circuit.Lit, inv Invariant) error {
	for i, clause := range inv {
		for _, l := range clause {
			if int(l.Var()) >= c.NumVars() || c.Kind(l.Var()) != circuit.KindLatch {
				return reject("form", "clause %d has literal %d, which is no latch", i, l)
			}
		}
	}
	if err := checkInitiation(ctx, c, bad, inv); err != nil {
		return err
	}
	within, err := newChecker(ctx, c, inv)
	if err != nil {
		return err
	}
	if i, err := within.firstViolated(ctx, primed(c, inv)); err != nil {
		return err
	} else if i >= 0 {
		return reject("consecution", "a step leaves the invariant at clause %d", i)
	}
	if i, err := within.firstViolated(ctx, Invariant{{bad.Not()}}); err != nil {
		return err
	} else if i >= 0 {
		return reject("safety", "a state of the invariant is bad")
	}
	return nil
}

// checkInitiation tests what must hold of step 0. A clause with a literal that is 1 in every reset
// state holds there; so it is with nearly all, and gini is asked about the others only.
func checkInitiation(ctx context.Context, c *circuit.Circuit, bad circuit.Lit, inv Invariant) error {
	if c.HasResetFunctions() {
		return checkFirstStep(ctx, c, bad, inv)
	}
	var open Invariant
	var at []int // the positions in inv of the clauses that are open
	for i, clause := range inv {
		if !holdsAtReset(c, clause) {
			open, at = append(open, clause), append(at, i)
		}
	}
	if len(open) == 0 {
		return nil
	}
	initial, err := newChecker(ctx, c, resetStates(c))
	if err != nil {
		return err
	}
	if i, err := initial.firstViolated(ctx, open); err != nil {
		return err
	} else if i >= 0 {
		return reject("initiation", "an initial state violates clause %d", at[i])
	}
	return nil
}

// checkFirstStep tests the obligations of step 0 in a circuit with reset functions.
func checkFirstStep(ctx context.Context, c *circuit.Circuit, bad circuit.Lit, inv Invariant) error {
	initial, err := newChecker(ctx, c, resetStates(c))
	if err != nil {
		return err
	}
	if i, err := initial.firstViolated(ctx, primed(c, inv)); err != nil {
		return err
	} else if i >= 0 {
		return reject("initiation", "the first step violates clause %d", i)
	}
	if i, err := initial.firstViolated(ctx, Invariant{{bad.Not()}}); err != nil {
		return err
	} else if i >= 0 {
		return reject("safety", "an initial state is bad")
	}
	return nil
}

// holdsAtReset reports whether the reset of some latch makes a clause 1.
func holdsAtReset(c *circuit.Circuit, clause []circuit.Lit) bool {
	for _, l := range clause {
		reset := c.Latches()[c.LatchIndex(l.Var())].Reset
		if reset <= circuit.True && reset.NotIf(l.IsNegated()) == circuit.True {
			return true
		}
	}
	return false
}

// resetStates returns I as clauses: each latch that is not free equals its reset.
func resetStates(c *circuit.Circuit) Invariant {
	var states Invariant
	for _, l := range c.Latches() {
		switch {
		case l.Reset <= circuit.True:
			states = append(states, []circuit.Lit{l.Lit.NotIf(l.Reset == circuit.False)})
		case l.HasFunction():
			states = append(states, []circuit.Lit{l.Lit, l.Reset.Not()}, []circuit.Lit{l.Lit.Not(), l.Reset})
		}
	}
	return states
}

// primed returns Inv′ over the variables of the step before: a latch will be what its
// next-state literal is.
func primed(c *circuit.Circuit, inv Invariant) Invariant {
	next := make(Invariant, len(inv))
	for i, clause := range inv {
		next[i] = make([]circuit.Lit, len(clause))
		for j, l := range clause {
			next[i][j] = c.Latches()[c.LatchIndex(l.Var())].Next.NotIf(l.IsNegated())
		}
	}
	return next
}
