package trace

import (
	"context"
	"slices"

	"aiglens/circuit"
	"aiglens/circuit/cert"
)

// Written returns a run as a witness file of AIGER has to hold it: with a concrete start,
// no x for a latch with a reset, and a lasso with a loop that shows. loop is the first step
// of the loop, −1 for a run that ends. Errors are those of Unroll.
func Written(ctx context.Context, c *circuit.Circuit, t cert.Trace, loop int) (cert.Trace, error) {
	if loop < 0 {
		t = ConcreteStart(c, t)
	} else {
		l, err := Unroll(ctx, c, cert.Lasso{Trace: t, Loop: loop})
		if err != nil {
			return cert.Trace{}, err
		}
		t = l.Trace
	}
	return withResets(c, t), nil
}

// ConcreteStart returns a trace in which latches with reset functions, and the inputs and
// free latches that these read in step 0, have values: an x among them becomes 0, and each
// latch gets what its function gives. That is what aigsim 1.9.26 wants of a witness: it
// takes x as 0, and compares each latch with its reset. The trace must fit the circuit.
func ConcreteStart(c *circuit.Circuit, t cert.Trace) cert.Trace {
	if !c.HasResetFunctions() || t.Steps() == 0 {
		return t
	}
	read := make([]bool, c.NumVars())
	for _, v := range c.StartOrder() {
		if left, right, isGate := c.Operands(v); isGate {
			read[left.Var()], read[right.Var()] = true, true
		} else {
			read[c.Latches()[c.LatchIndex(v)].Reset.Var()] = true
		}
	}
	first := slices.Clone(t.Inputs[0])
	for i, in := range c.Inputs() {
		if read[in.Lit.Var()] && first[i] == circuit.X {
			first[i] = circuit.Zero
		}
	}
	t.Inputs = slices.Clone(t.Inputs)
	t.Inputs[0] = first
	t.Initial = slices.Clone(t.Initial)
	for i, l := range c.Latches() {
		if l.IsFree() && read[l.Lit.Var()] && t.Initial[i] == circuit.X {
			t.Initial[i] = circuit.Zero
		}
	}
	sim := start(c, t)
	sim.Eval(first)
	for i, l := range c.Latches() {
		if l.HasFunction() {
			t.Initial[i] = sim.Value(l.Lit)
		}
	}
	return t
}

// withResets returns a trace in which latches have the constants with which they start. The
// file may have a gate for a constant, and a reader take x for 0.
func withResets(c *circuit.Circuit, t cert.Trace) cert.Trace {
	t.Initial = slices.Clone(t.Initial)
	for i, l := range c.Latches() {
		if t.Initial[i] == circuit.X && l.Reset <= circuit.True {
			t.Initial[i] = circuit.Value(l.Reset)
		}
	}
	return t
}
