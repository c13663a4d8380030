// Package bmc looks for counterexamples of bounded length: Biere, Cimatti,
// Clarke and Zhu, "Symbolic Model Checking without BDDs" (TACAS 1999). The steps
// of a run are unrolled into one circuit without latches, which folds constants
// from the initial state on. A counterexample of a justice property is a run that comes
// back to one of its states, a lasso.
//
// It takes turns with IC3 and shortens counterexamples. It knows no clock, no file and no name,
// and its counterexamples are not to be trusted: its callers have them checked.
package bmc

import (
	"context"
	"slices"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/encode"
	"aiglens/ic3/sat"
)

// Unrolling is a circuit over a number of steps: its inputs are the free
// latches of the first step and the inputs of all steps.
type Unrolling struct {
	c       *circuit.Circuit
	b       *circuit.Builder
	initial []circuit.Lit   // by latch: its value in step 0
	inputs  [][]circuit.Lit // by step and input
	state   []circuit.Lit   // by latch: its value in the next step to be added
	back    *back           // nil but for lassos
	// Bads[i] is bad 0 in step i, or says that a lasso has come back there; Allowed[i]
	// says that the constraints hold in all steps up to i.
	Bads, Allowed []circuit.Lit
}

// NewUnrolling returns an unrolling of no steps.
func NewUnrolling(c *circuit.Circuit) *Unrolling {
	u := &Unrolling{c: c, b: circuit.NewBuilder(c.NumVars())}
	for _, l := range c.Latches() {
		value := l.Reset
		switch {
		case l.IsFree():
			value = u.b.Input(0)
		case l.HasFunction():
			value = circuit.False // until the first step has the inputs
		}
		u.initial = append(u.initial, value)
	}
	u.state = append([]circuit.Lit(nil), u.initial...)
	return u
}

// pollEvery is the number of variables between two looks at the context.
const pollEvery = 1 << 12

// Step adds a step. An error is that of ctx; the unrolling then has no more steps
// than before, but inputs and gates that none uses.
func (u *Unrolling) Step(ctx context.Context) error {
	to := make([]circuit.Lit, u.c.NumVars())
	lit := func(l circuit.Lit) circuit.Lit { return to[l.Var()].NotIf(l.IsNegated()) }
	inputs := make([]circuit.Lit, len(u.c.Inputs()))
	for i, in := range u.c.Inputs() {
		inputs[i] = u.b.Input(0)
		to[in.Lit.Var()] = inputs[i]
	}
	for i, l := range u.c.Latches() {
		to[l.Lit.Var()] = u.state[i]
	}
	if len(u.inputs) == 0 {
		u.start(to, lit)
	}
	for v := range to {
		if v%pollEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if left, right, ok := u.c.Operands(circuit.Var(v)); ok {
			to[v] = u.b.And(lit(left), lit(right))
		}
	}
	bad := circuit.False
	if u.back != nil {
		bad = u.back.step(u, lit)
	} else {
		bad = lit(u.c.Bads()[0].Lit)
	}
	for i, l := range u.c.Latches() {
		u.state[i] = lit(l.Next)
	}
	allowed := circuit.True
	if n := len(u.Allowed); n > 0 {
		allowed = u.Allowed[n-1]
	}
	for _, s := range u.c.Constraints() {
		allowed = u.b.And(allowed, lit(s.Lit))
	}
	u.inputs = append(u.inputs, inputs)
	u.Bads = append(u.Bads, bad)
	u.Allowed = append(u.Allowed, allowed)
	return nil
}

// start sets the latches with a reset function in step 0.
func (u *Unrolling) start(to []circuit.Lit, lit func(circuit.Lit) circuit.Lit) {
	for _, v := range u.c.StartOrder() {
		if left, right, ok := u.c.Operands(v); ok {
			to[v] = u.b.And(lit(left), lit(right))
			continue
		}
		at := u.c.LatchIndex(v)
		to[v] = lit(u.c.Latches()[at].Reset)
		u.initial[at] = to[v]
	}
}

// Shorten looks for a counterexample of fewer steps than t, where none of fewer
// than least is known to exist, and returns the shortest that it finds within
// the given number of conflicts for each length; else t itself. The error is
// that of ctx, with the shortest trace known by then.
func Shorten(ctx context.Context, c *circuit.Circuit, t cert.Trace, least int, conflicts int64) (cert.Trace, error) {
	if t.Steps() <= least {
		return t, nil
	}
	u := NewUnrolling(c)
	for range t.Steps() - 1 {
		if err := u.Step(ctx); err != nil {
			return t, err
		}
	}
	defs, err := encode.EliminatedContext(ctx, u.b.Build(), slices.Concat(u.Bads, u.Allowed)...)
	if err != nil {
		return t, err
	}
	solver := sat.NewCore(defs)
	for i := max(0, least-1); i < t.Steps()-1; i++ {
		r, err := solver.Solve(ctx, sat.Query{Assumptions: []circuit.Lit{u.Bads[i], u.Allowed[i]}, MaxConflicts: conflicts})
		if err != nil {
			return t, err
		}
		if r == sat.Sat {
			return u.trace(solver, i), nil
		}
	}
	return t, nil
}

// trace reads the run up to a step from a model. What took no part is 0.
func (u *Unrolling) trace(s sat.Solver, last int) cert.Trace {
	value := func(l circuit.Lit) circuit.Value {
		if l.Var() == 0 {
			return circuit.ValueOf(l == circuit.True)
		}
		return circuit.ValueOf(s.Value(l) == circuit.One)
	}
	t := cert.Trace{Initial: make([]circuit.Value, len(u.initial)), Inputs: make([][]circuit.Value, last+1)}
	for i, l := range u.c.Latches() {
		t.Initial[i] = circuit.X // what the reset function gives
		if !l.HasFunction() {
			t.Initial[i] = value(u.initial[i])
		}
	}
	for i := range t.Inputs {
		t.Inputs[i] = make([]circuit.Value, len(u.inputs[i]))
		for j, l := range u.inputs[i] {
			t.Inputs[i][j] = value(l)
		}
	}
	return t
}
