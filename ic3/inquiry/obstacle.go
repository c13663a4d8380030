package inquiry

import (
	"context"
	"errors"
	"fmt"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/trace"
	"aiglens/ic3/bmc"
)

// Obstacle is a counterexample to induction: a step that stands in the way of a proof.
type Obstacle struct {
	// Clause is the one that is false after the step; nil when the property fails there.
	Clause []circuit.Lit
	// Circuit is the circuit that was asked about, but for its latches, which may start with
	// any value, and its properties: bad 0 is what fails after the step. It has the latches
	// and inputs of the circuit that was asked about, in their order.
	Circuit *circuit.Circuit
	// Trace is a run of Circuit of two steps, or of one when the clauses allow a state in
	// which bad p is 0 under some inputs and 1 under others. What is x does not matter:
	// whatever it is, the last step fails; but the clauses need not allow every such state.
	Trace cert.Trace
}

// ErrTooLarge says that the circuit is too large for the search.
var ErrTooLarge = errors.New("the circuit is too large to look for a counterexample to induction")

// FindObstacle returns a step from a state in which all clauses hold, and in which bad p of c is
// 0, to one in which it is 1. When there is none, it returns one to a state in which a clause is
// false; nil when there is no such step either. Constraints hold in both steps. Where a run of
// IC3 has ended without an answer, such a step is what it would have to exclude next: Bradley,
// "SAT-Based Model Checking without Unrolling" (VMCAI 2011), section 3.
//
// The step says why the clauses are not a proof yet. It says nothing about the property: its first
// state may be unreachable.
//
// Clauses are over latches of c. Other errors than ErrTooLarge are that of ctx and
// cert.ErrNoProperty, or say that a clause is of another circuit.
func FindObstacle(ctx context.Context, c *circuit.Circuit, p circuit.Property, clauses cert.Invariant) (*Obstacle, error) {
	bad, ok := c.Bad(p)
	if !ok {
		return nil, cert.ErrNoProperty
	}
	for _, clause := range clauses {
		for _, l := range clause {
			if int(l.Var()) >= c.NumVars() || c.LatchIndex(l.Var()) < 0 {
				return nil, fmt.Errorf("literal %d of a clause is not a latch", l)
			}
		}
	}
	t, err := searchStep(ctx, c, bad, clauses, func(*circuit.Builder, func(circuit.Lit) circuit.Lit) circuit.Lit { return circuit.False })
	if err != nil {
		return nil, err
	}
	if t != nil {
		return minimalStep(ctx, c, nil, *t, func(_ *circuit.Builder, to func(circuit.Lit) circuit.Lit) circuit.Lit { return to(bad) })
	}
	t, err = searchStep(ctx, c, circuit.False, clauses, func(b *circuit.Builder, to func(circuit.Lit) circuit.Lit) circuit.Lit {
		return b.Clauses(clauses, to).Not()
	})
	if t == nil || err != nil {
		return nil, err
	}
	broken, err := firstFalse(ctx, c, *t, clauses)
	if err != nil {
		return nil, err
	}
	return minimalStep(ctx, c, broken, *t, func(b *circuit.Builder, to func(circuit.Lit) circuit.Lit) circuit.Lit {
		return b.Clauses(cert.Invariant{broken}, to).Not()
	})
}

// anyStart copies a circuit with its constraints and lets its latches start with any value.
func anyStart(c *circuit.Circuit) (*circuit.Builder, func(circuit.Lit) circuit.Lit) {
	b := circuit.NewBuilder(c.NumVars())
	to := circuit.CopyConstrained(c, b)
	for _, l := range c.Latches() {
		b.SetReset(to(l.Lit), to(l.Lit))
	}
	return b, to
}

// searchStep looks for a run of two steps from a state that meets the clauses, and in which bad is
// 0, to one in which bad or broken is 1; nil when there is none.
func searchStep(ctx context.Context, c *circuit.Circuit, bad circuit.Lit, clauses cert.Invariant, broken func(*circuit.Builder, func(circuit.Lit) circuit.Lit) circuit.Lit) (*cert.Trace, error) {
	b, to := anyStart(c)
	first := b.Latch(0)
	b.SetReset(first, circuit.True)
	b.SetNext(first, circuit.False)
	b.Constraint(b.Or(first.Not(), b.And(b.Clauses(clauses, to), to(bad).Not())), 0)
	b.Bad(b.And(first.Not(), b.Or(to(bad), broken(b, to))), 0)
	whole := b.Build()
	cone, err := whole.ConeContext(ctx, circuit.Property{Kind: circuit.PropertyBad})
	if err != nil {
		return nil, err
	}
	t, err := twoSteps(ctx, cone.Circuit)
	if t == nil || err != nil {
		return nil, err
	}
	run := cert.Trace{Initial: make([]circuit.Value, len(c.Latches())), Inputs: make([][]circuit.Value, t.Steps())}
	for i, at := range cone.Latches {
		if at < len(run.Initial) { // but for the one that tells the steps apart
			run.Initial[at] = t.Initial[i]
		}
	}
	for step, row := range t.Inputs {
		run.Inputs[step] = make([]circuit.Value, len(c.Inputs()))
		for i, at := range cone.Inputs {
			run.Inputs[step][at] = row[i]
		}
	}
	return &run, nil
}

// twoSteps returns a run of at most two steps to bad 0 of a circuit.
func twoSteps(ctx context.Context, c *circuit.Circuit) (*cert.Trace, error) {
	s := bmc.NewSearch(c)
	for effort := int64(1); s.Depth() < 2; effort *= 2 {
		if s.Exhausted() {
			return nil, ErrTooLarge
		}
		t, err := s.Advance(ctx, effort)
		if err != nil {
			return nil, err
		}
		if t != nil && t.Steps() <= 2 {
			return t, nil
		}
	}
	return nil, ctx.Err()
}

// firstFalse returns the shortest clause that is false in the last step of a run.
func firstFalse(ctx context.Context, c *circuit.Circuit, t cert.Trace, clauses cert.Invariant) ([]circuit.Lit, error) {
	b, to := anyStart(c)
	r, err := trace.New(ctx, b.Build(), t)
	if err != nil {
		return nil, err
	}
	var found []circuit.Lit
	for _, clause := range clauses {
		isFalse := true
		for _, l := range clause {
			isFalse = isFalse && r.Value(to(l), t.Steps()-1) == circuit.Zero
		}
		if isFalse && (found == nil || len(clause) < len(found)) {
			found = clause
		}
	}
	if found == nil {
		return nil, errors.New("internal error: no clause is false after the step")
	}
	return found, nil
}

// minimalStep keeps of a run what its second step needs to fail, and checks it.
func minimalStep(ctx context.Context, c *circuit.Circuit, clause []circuit.Lit, t cert.Trace, fails func(*circuit.Builder, func(circuit.Lit) circuit.Lit) circuit.Lit) (*Obstacle, error) {
	b, to := anyStart(c)
	bad := fails(b, to)
	b.Bad(bad, 0)
	s := &Obstacle{Clause: clause, Circuit: b.Build()}
	var err error
	if s.Trace, _, err = trace.Minimize(ctx, s.Circuit, bad, t, minimizeWork); err != nil {
		return nil, err
	}
	verdict := cert.Verdict{Outcome: cert.Refuted, Trace: s.Trace}
	if _, err := cert.Check(ctx, s.Circuit, circuit.Property{Kind: circuit.PropertyBad}, verdict); err != nil {
		return nil, err
	}
	return s, nil
}

// minimizeWork bounds what is spent to find out which values matter.
const minimizeWork = 50_000_000
