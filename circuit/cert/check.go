package cert

import (
	"context"
	"errors"
	"fmt"

	"aiglens/circuit"
)

// RejectedError says why a certificate does not certify its verdict.
type RejectedError struct {
	// Obligation is what failed: "trace"; "original", of a run that is none of the design; "lasso"; "initiation",
	// "consecution" or "safety" of an invariant; "merge", of gates that are not shown to be equal; "start",
	// "closure", "decrease" or "monotone" of a ranking; or "form" for a certificate that does not fit the circuit
	// or the property.
	Obligation string
	Detail     string
}

func (e *RejectedError) Error() string {
	return fmt.Sprintf("certificate rejected: %s: %s", e.Obligation, e.Detail)
}

func reject(obligation, format string, args ...any) error {
	return &RejectedError{obligation, fmt.Sprintf(format, args...)}
}

// ErrNoProperty is returned for a property that the circuit does not have.
var ErrNoProperty = errors.New("the circuit has no such property")

// Check tests the certificate of a verdict on property p of c and returns the
// verdict as a Checked if it passes. The error is a *RejectedError when the
// certificate fails, and that of ctx when it ends first. An unknown verdict
// claims nothing and passes as it is.
func Check(ctx context.Context, c *circuit.Circuit, p circuit.Property, v Verdict) (Checked, error) {
	return CheckMerging(ctx, c, p, v, nil)
}

// CheckMerging is Check, except that a long check of an invariant merges gates that are equal. Merged tests
// what find finds; with nil nothing is merged.
func CheckMerging(ctx context.Context, c *circuit.Circuit, p circuit.Property, v Verdict, find FindMerges) (Checked, error) {
	if v.Outcome == Unknown {
		return CheckedUnknown(p, v.Reason, v.Depth), nil
	}
	var err error
	if p.Kind.Question() == circuit.Liveness {
		err = checkLiveness(ctx, c, p, v)
	} else {
		err = checkSafety(ctx, c, p, v, find)
	}
	if err != nil {
		return Checked{}, err
	}
	return Checked{verdict: v, property: p, certified: true}, nil
}

// checkSafety tests a verdict on a property with a bad-state literal.
func checkSafety(ctx context.Context, c *circuit.Circuit, p circuit.Property, v Verdict, find FindMerges) error {
	bad, ok := c.Bad(p)
	switch {
	case !ok:
		return ErrNoProperty
	case v.Ranking != nil || v.Lasso != nil:
		return reject("form", "a certificate for a justice property")
	case v.Outcome == Proved:
		if err := checkInvariant(ctx, c, bad, v.Invariant, find); err != nil {
			return err
		}
		return sampleOriginal(ctx, c, p)
	case v.Outcome == Refuted:
		if err := checkTrace(ctx, c, bad, v.Trace); err != nil {
			return err
		}
		return checkOriginal(ctx, c, p, v.Trace)
	}
	return reject("form", "no such outcome: %d", v.Outcome)
}

// checkLiveness tests a verdict on a justice property. What the verdict says beside its
// certificate nothing would test, so there must be nothing.
func checkLiveness(ctx context.Context, c *circuit.Circuit, p circuit.Property, v Verdict) error {
	switch {
	case p.Kind != circuit.PropertyJustice || p.Index < 0 || p.Index >= len(c.Justice()):
		return ErrNoProperty
	case v.Invariant != nil || v.Trace.Initial != nil || v.Trace.Inputs != nil:
		return reject("form", "a certificate for a safety property")
	case v.Outcome == Proved && v.Ranking != nil && v.Lasso == nil:
		if err := checkRanking(ctx, c, p, v.Ranking); err != nil {
			return err
		}
		return sampleOriginal(ctx, c, p)
	case v.Outcome == Refuted && circuit.OriginalOf(c, p) != nil:
		return reject("original", "a loop in an abstraction")
	case v.Outcome == Refuted && v.Lasso != nil && v.Ranking == nil:
		return checkLasso(ctx, c, p, v.Lasso)
	}
	return reject("form", "a justice property that is %s needs a ranking, one that is %s a lasso", Proved, Refuted)
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
	r, err := newRun(c, t, "trace")
	if err != nil {
		return err
	}
	for step := range t.Inputs {
		if step > 0 {
			r.sim.Advance()
		}
		if err := r.eval(ctx, step); err != nil {
			return err
		}
	}
	if v := r.sim.Value(bad); v != circuit.One {
		return reject("trace", "the bad literal is %s in the last step %d", v, t.Steps()-1)
	}
	return nil
}

// checkOriginal tests that a run of an abstraction is one of the design, which an evaluator of the design decides.
func checkOriginal(ctx context.Context, c *circuit.Circuit, p circuit.Property, t Trace) error {
	original := circuit.OriginalOf(c, p)
	if original == nil {
		return nil
	}
	err := original.Verify(ctx, p, t.Initial, t.Inputs)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return reject("original", "%s", err)
	}
	return nil
}

// sampleOriginal tests that an abstraction has some runs of the design: a proof about it holds for those that it has.
func sampleOriginal(ctx context.Context, c *circuit.Circuit, p circuit.Property) error {
	original := circuit.OriginalOf(c, p)
	if original == nil {
		return nil
	}
	err := original.Sample(ctx, p)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return reject("original", "the circuit lacks a run of the design: %s", err)
	}
	return nil
}

// run is the replay of a trace by three-valued simulation.
type run struct {
	c          *circuit.Circuit
	sim        *circuit.Ternary
	trace      Trace
	obligation string // what fails when the replay does
	started    bool   // step 0 was evaluated
}

// newRun returns a replay in front of step 0 of a trace that fits the circuit.
func newRun(c *circuit.Circuit, t Trace, obligation string) (*run, error) {
	if t.Steps() == 0 {
		return nil, reject(obligation, "it has no step")
	}
	if len(t.Initial) != len(c.Latches()) {
		return nil, reject("form", "%s for %s", Count(len(t.Initial), "initial value", "initial values"), Count(len(c.Latches()), "latch", "latches"))
	}
	for step, inputs := range t.Inputs {
		if len(inputs) != len(c.Inputs()) {
			return nil, reject("form", "step %d has %s for %s", step, Count(len(inputs), "value", "values"), Count(len(c.Inputs()), "input", "inputs"))
		}
	}
	r := &run{c: c, sim: circuit.NewTernary(c), trace: t, obligation: obligation}
	r.sim.Reset()
	for i, l := range c.Latches() {
		if l.IsFree() {
			r.sim.SetLatch(i, t.Initial[i])
		}
	}
	return r, nil
}

// eval evaluates a step, from the state that sim is in. The constraints must be 1.
func (r *run) eval(ctx context.Context, step int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	r.sim.Eval(r.trace.Inputs[step])
	if !r.started {
		r.started = true
		if err := r.checkStart(); err != nil {
			return err
		}
	}
	for i, s := range r.c.Constraints() {
		if v := r.sim.Value(s.Lit); v != circuit.One {
			return reject(r.obligation, "constraint %d is %s in step %d", i, v, step)
		}
	}
	return nil
}

// checkStart tests the initial values of the trace, the first step of which was
// evaluated. An x stands for the reset.
func (r *run) checkStart() error {
	for i, l := range r.c.Latches() {
		v := r.trace.Initial[i]
		if l.IsFree() || v == circuit.X {
			continue
		}
		if starts := r.sim.Value(l.Lit); v != starts {
			return reject(r.obligation, "latch %d starts with %s against its reset, which is %s", i, v, starts)
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
// Bad and constraints are evaluated under the inputs of the current step only.
//
// With reset functions, I refers to the inputs of step 0, too: a state may be bad under
// inputs with which it is not a start. So the invariant holds all states from step 1 on, and
// step 0 has obligations of its own:
//
//	initiation   I ∧ C ∧ T ⇒ Inv′
//	safety       I ∧ C ⇒ ¬bad
func checkInvariant(ctx context.Context, c *circuit.Circuit, bad circuit.Lit, inv Invariant, find FindMerges) error {
	if i, l, ok := notLatch(c, inv); !ok {
		return reject("form", "clause %d has literal %d, which is not a latch", i, l)
	}
	if err := checkInitiation(ctx, c, bad, inv); err != nil {
		return err
	}
	switch i, err := assume(c, bad, inv).firstViolated(ctx, find); {
	case err != nil:
		return err
	case i == len(inv):
		return reject("safety", "a state of the invariant is bad")
	case i >= 0:
		return reject("consecution", "a step leaves the invariant at clause %d", i)
	}
	return nil
}

// notLatch returns the first literal that is none of a latch, with its clause; ok when
// there is none.
func notLatch(c *circuit.Circuit, states Invariant) (clause int, l circuit.Lit, ok bool) {
	for i, clause := range states {
		for _, l := range clause {
			if int(l.Var()) >= c.NumVars() || c.Kind(l.Var()) != circuit.KindLatch {
				return i, l, false
			}
		}
	}
	return 0, 0, true
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
	return mapped(inv, func(l circuit.Lit) circuit.Lit {
		return c.Latches()[c.LatchIndex(l.Var())].Next.NotIf(l.IsNegated())
	})
}
