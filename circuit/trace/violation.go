package trace

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"

	"aiglens/circuit"
	"aiglens/circuit/cert"
)

// Refusal says why a run shows no violation, and where.
type Refusal struct {
	Step   int // −1: the initial state
	Reason string
}

func (e *Refusal) Error() string { return e.Reason }

func refuse(step int, format string, args ...any) error {
	return &Refusal{step, fmt.Sprintf(format, args...)}
}

// Violation replays a run of unknown origin, such as the witness of another checker,
// and returns the part of it up to the first step in which bad is 1. That is a trace
// for cert.Check. It follows the rules of the hardware model checking competitions:
// the initial state agrees with the resets, the constraints hold up to that step. An
// x stands for either value; where three-valued simulation cannot say so, all are
// taken as 0, as the competitions do, and zeroed says that they were.
//
// The error is a *Refusal, or that of ctx.
func Violation(ctx context.Context, c *circuit.Circuit, bad circuit.Lit, t cert.Trace) (kept cert.Trace, zeroed bool, err error) {
	if t, err = fit(c, t); err != nil {
		return t, false, err
	}
	steps, err := firstBad(ctx, c, bad, t)
	if err != nil && ctx.Err() == nil && hasX(c, t) {
		zeroed = true
		t = withZeros(c, t)
		steps, err = firstBad(ctx, c, bad, t)
	}
	if err != nil {
		return t, zeroed, err
	}
	t.Inputs = t.Inputs[:steps]
	return t, zeroed, nil
}

// fit tests the form of a run and its initial state, but for reset functions, which
// depend on the inputs: see allowed.
func fit(c *circuit.Circuit, t cert.Trace) (cert.Trace, error) {
	if got, want := len(t.Initial), len(c.Latches()); got != want {
		return t, refuse(-1, "the initial state has %s for %s", cert.Count(got, "value", "values"), cert.Count(want, "latch", "latches"))
	}
	if t.Steps() == 0 {
		return t, refuse(-1, "there is no step")
	}
	for step, row := range t.Inputs {
		if got, want := len(row), len(c.Inputs()); got != want {
			return t, refuse(step, "step %d has %s for %s", step, cert.Count(got, "value", "values"), cert.Count(want, "input", "inputs"))
		}
	}
	for i, l := range c.Latches() {
		if v := t.Initial[i]; l.Reset <= circuit.True && v != circuit.X && v != circuit.ValueOf(l.Reset == circuit.True) {
			return t, refuse(-1, "latch %d starts with %s, but its reset is %s", i, v, v.Not())
		}
	}
	return t, nil
}

// start returns a simulator in the initial state.
func start(c *circuit.Circuit, t cert.Trace) *circuit.Ternary {
	sim := circuit.NewTernary(c)
	sim.Reset()
	for i, l := range c.Latches() {
		if l.IsFree() {
			sim.SetLatch(i, t.Initial[i])
		}
	}
	return sim
}

// firstBad returns the number of steps up to the first in which bad is 1.
func firstBad(ctx context.Context, c *circuit.Circuit, bad circuit.Lit, t cert.Trace) (steps int, err error) {
	sim := start(c, t)
	for step := range t.Inputs {
		if err := allowed(ctx, c, sim, t, step); err != nil {
			return 0, err
		}
		if sim.Value(bad) == circuit.One {
			return step + 1, nil
		}
		if step < t.Steps()-1 {
			sim.Advance()
		}
	}
	return 0, refuse(t.Steps()-1, "the bad literal is never 1; it is %s in the last step, %d", sim.Value(bad), t.Steps()-1)
}

// allowed evaluates a step and tests the constraints, and in step 0 that latches start
// with what their reset functions give.
func allowed(ctx context.Context, c *circuit.Circuit, sim *circuit.Ternary, t cert.Trace, step int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	sim.Eval(t.Inputs[step])
	for i, l := range c.Latches() {
		if step > 0 {
			break
		}
		if v := t.Initial[i]; l.HasFunction() && v != circuit.X && v != sim.Value(l.Lit) {
			return refuse(-1, "latch %d starts with %s, but its reset is %s", i, v, sim.Value(l.Lit))
		}
	}
	for i, s := range c.Constraints() {
		if v := sim.Value(s.Lit); v != circuit.One {
			return refuse(step, "constraint %d is %s in step %d", i, v, step)
		}
	}
	return nil
}

func hasX(c *circuit.Circuit, t cert.Trace) bool {
	for i, l := range c.Latches() {
		if l.IsFree() && t.Initial[i] == circuit.X {
			return true
		}
	}
	return slices.ContainsFunc(t.Inputs, func(row []circuit.Value) bool { return slices.Contains(row, circuit.X) })
}

// withZeros returns a copy of t with 0 for each x that the run may choose.
func withZeros(c *circuit.Circuit, t cert.Trace) cert.Trace {
	zero := func(v *circuit.Value) {
		if *v == circuit.X {
			*v = circuit.Zero
		}
	}
	t.Initial, t.Inputs = slices.Clone(t.Initial), slices.Clone(t.Inputs)
	for i, l := range c.Latches() {
		if l.IsFree() {
			zero(&t.Initial[i])
		}
	}
	for step, row := range t.Inputs {
		t.Inputs[step] = slices.Clone(row)
		for i := range row {
			zero(&t.Inputs[step][i])
		}
	}
	return t
}

// Lasso replays a run against a justice property: the state after its last step is
// that of an earlier step, from where on the steps are a loop; in the loop each literal
// of the property and each fairness condition is 1 at some step; the constraints hold
// in all steps. Every x is taken as 0. It returns the run without x and the first step
// of the loop, the shortest one. The error is a *Refusal, or that of ctx.
func Lasso(ctx context.Context, c *circuit.Circuit, property int, t cert.Trace) (kept cert.Trace, loop int, err error) {
	if property < 0 || property >= len(c.Justice()) {
		return t, 0, refuse(-1, "there is no justice property %d", property)
	}
	if t, err = fit(c, t); err != nil {
		return t, 0, err
	}
	t = withZeros(c, t)
	goals := c.Goals(property)
	last := make([]int, len(goals)) // by goal: the last step in which it is 1
	for i := range last {
		last[i] = -1
	}
	var states []string
	sim := start(c, t)
	for step := range t.Inputs {
		if err := allowed(ctx, c, sim, t, step); err != nil {
			return t, 0, err
		}
		states = append(states, stateOf(c, sim))
		for i, l := range goals {
			if sim.Value(l) == circuit.One {
				last[i] = step
			}
		}
		sim.Advance()
	}
	final := stateOf(c, sim)
	loop = slices.Index(states, final)
	if loop < 0 {
		return t, 0, refuse(t.Steps()-1, "the state after the last step, %d, is not the state of an earlier step: there is no loop", t.Steps()-1)
	}
	for i, step := range last {
		if step < loop {
			what := fmt.Sprintf("literal %d of the property", i)
			if own := len(c.Justice()[property].Lits); i >= own {
				what = fmt.Sprintf("fairness condition %d", i-own)
			}
			return t, 0, refuse(t.Steps()-1, "%s is never 1 in the loop, which begins at step %d", what, loop)
		}
	}
	for step := loop + 1; step < len(states); step++ {
		if states[step] == final && !slices.ContainsFunc(last, func(at int) bool { return at < step }) {
			loop = step
		}
	}
	return t, loop, nil
}

// stateOf returns what tells a state from others: its values, or of many a hash, because
// a run can be long.
func stateOf(c *circuit.Circuit, sim *circuit.Ternary) string {
	state := make([]byte, len(c.Latches()))
	for i, l := range c.Latches() {
		state[i] = byte(sim.Value(l.Lit))
	}
	if len(state) > sha256.Size {
		sum := sha256.Sum256(state)
		state = sum[:]
	}
	return string(state)
}
