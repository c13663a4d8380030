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
//
// A latch with a reset function is taken to start with either value, which
// allows more runs than there are: what does not depend on it can be certified,
// and no wrong verdict passes.
func Check(ctx context.Context, c *circuit.Circuit, p circuit.Property, v Verdict) (Checked, error) {
	if v.Outcome == Unknown {
		return CheckedUnknown(p, v.Reason, v.Depth), nil
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
		err = checkTrace(c, bad, v.Trace)
	default:
		err = reject("form", "no such outcome: %d", v.Outcome)
	}
	if err != nil {
		return Checked{}, err
	}
	return Checked{verdict: v, property: p, certified: true}, nil
}

// CheckedUnknown returns the verdict that claims nothing, with its reason and the
// depth that was reached.
func CheckedUnknown(p circuit.Property, reason string, depth int) Checked {
	return Checked{verdict: Verdict{Reason: reason, Depth: depth}, property: p}
}

// checkTrace replays the run by three-valued simulation: it must start in a
// reset state, meet the constraints in every step and end with the bad literal
// at 1. A value left open must not matter: x is not 1.
func checkTrace(c *circuit.Circuit, bad circuit.Lit, t Trace) error {
	if t.Steps() == 0 {
		return reject("trace", "it has no step")
	}
	if len(t.Initial) != len(c.Latches()) {
		return reject("form", "%d initial values for %d latches", len(t.Initial), len(c.Latches()))
	}
	sim := circuit.NewTernary(c)
	sim.Reset()
	for i, l := range c.Latches() {
		v := t.Initial[i]
		switch {
		case l.IsFree():
			sim.SetLatch(i, v)
		case l.Reset > circuit.True && v != circuit.X:
			return reject("form", "latch %d starts with a reset function, which only x stands for", i)
		case v != circuit.X && v != circuit.ValueOf(l.Reset == circuit.True):
			return reject("trace", "latch %d starts with %s against its reset", i, v)
		}
	}
	for step, inputs := range t.Inputs {
		if len(inputs) != len(c.Inputs()) {
			return reject("form", "step %d has %d values for %d inputs", step, len(inputs), len(c.Inputs()))
		}
		sim.Eval(inputs)
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

// checkInvariant tests the three obligations, with I the reset states, C the
// constraints, T the transition relation:
//
//	initiation   I ∧ C ⇒ Inv
//	consecution  Inv ∧ C ∧ T ⇒ Inv′
//	safety       Inv ∧ C ⇒ ¬bad
//
// Bad and constraints are judged under the inputs of the current step only.
func checkInvariant(ctx context.Context, c *circuit.Circuit, bad circuit.Lit, inv Invariant) error {
	for i, clause := range inv {
		for _, l := range clause {
			if int(l.Var()) >= c.NumVars() || c.Kind(l.Var()) != circuit.KindLatch {
				return reject("form", "clause %d has literal %d, which is no latch", i, l)
			}
		}
	}
	k := newChecker(c)
	for i, clause := range inv {
		holds, err := k.initiation(ctx, clause)
		if err != nil {
			return err
		}
		if !holds {
			return reject("initiation", "an initial state violates clause %d", i)
		}
	}
	k.assumeInvariant(inv)
	for i, clause := range inv {
		holds, err := k.consecution(ctx, clause)
		if err != nil {
			return err
		}
		if !holds {
			return reject("consecution", "a step leaves the invariant at clause %d", i)
		}
	}
	holds, err := k.safety(ctx, bad)
	if err != nil {
		return err
	}
	if !holds {
		return reject("safety", "a state of the invariant is bad")
	}
	return nil
}
