package trace

import (
	"context"

	"aiglens/circuit"
	"aiglens/circuit/cert"
)

// Concrete returns a run in which each x of an input or free latch is 0, and which leaves the
// other latches to their resets: x. It shares nothing with t, so that its values can be changed.
func Concrete(c *circuit.Circuit, t cert.Trace) cert.Trace {
	concrete := withZeros(c, t)
	for i, l := range c.Latches() {
		if !l.IsFree() {
			concrete.Initial[i] = circuit.X // what the reset gives may be another value once an input is
		}
	}
	return concrete
}

// Departure returns the first step in which latches have other values than in the run before,
// and the positions of these latches; what was x before differs from nothing. step is −1 when
// there is none within the steps that both have. The error is that of New.
func Departure(ctx context.Context, c *circuit.Circuit, before, after cert.Trace) (step int, latches []int, err error) {
	first, err := Simulate(ctx, c, before)
	if err != nil {
		return -1, nil, err
	}
	second, err := first.Changed(ctx, after)
	if err != nil {
		return -1, nil, err
	}
	for step := range min(before.Steps(), after.Steps()) {
		for i, old := range first.states[step] {
			if old != circuit.X && old != second.states[step][i] {
				latches = append(latches, i)
			}
		}
		if len(latches) > 0 {
			return step, latches, nil
		}
	}
	return -1, nil, nil
}

// Allowed tests whether a run of unknown origin is one of the circuit: its start agrees with the
// resets, and the constraints hold in all steps. The error is a *Refusal, or that of ctx.
func Allowed(ctx context.Context, c *circuit.Circuit, t cert.Trace) error {
	t, err := fit(c, t)
	if err != nil {
		return err
	}
	sim := start(c, t)
	for step := range t.Inputs {
		if err := allowed(ctx, c, sim, t, step); err != nil {
			return err
		}
		sim.Advance()
	}
	return nil
}

// How often the inputs of a step are drawn until all constraints hold is bounded by maxDraws,
// and for all steps of a run by redrawWork, gates and inputs looked at.
const (
	maxDraws   = 100
	redrawWork = 20_000_000
)

// Extend returns a run that goes on for some steps, at most so many, up to the first of them in
// which until is 1; False is a literal that never is, and no goal. draw gives the value of an input.
// Inputs that break a constraint are drawn again, some times. blocked is the first step, of the
// old ones too, whose inputs do not meet all constraints, −1 for none: a run with a goal ends
// before it, for after it nothing is met; one without goes on with the inputs drawn last.
// The run shares its old steps with t. The error is that of ctx.
func Extend(ctx context.Context, c *circuit.Circuit, t cert.Trace, steps int, draw func(input int) circuit.Value, until circuit.Lit) (longer cert.Trace, met bool, blocked int, err error) {
	sim, blocked := start(c, t), -1
	for step, row := range t.Inputs {
		if err := ctx.Err(); err != nil {
			return t, false, blocked, err
		}
		sim.Eval(row)
		if blocked < 0 && !holds(c, sim) {
			blocked = step
		}
		sim.Advance()
	}
	t.Inputs = t.Inputs[:len(t.Inputs):len(t.Inputs)]
	redraws := redrawWork / c.NumVars()
	if blocked >= 0 && until != circuit.False {
		return t, false, blocked, nil
	}
	for range steps {
		row := make([]circuit.Value, len(c.Inputs()))
		for n := range maxDraws {
			if err := ctx.Err(); err != nil {
				return t, false, blocked, err
			}
			for i := range row {
				row[i] = draw(i)
			}
			sim.Eval(row)
			if blocked >= 0 || holds(c, sim) {
				break
			}
			if redraws--; redraws < 0 || n == maxDraws-1 {
				blocked = t.Steps()
				break
			}
		}
		if blocked >= 0 && until != circuit.False {
			return t, false, blocked, nil
		}
		t.Inputs = append(t.Inputs, row)
		if sim.Value(until) == circuit.One {
			return t, true, blocked, nil
		}
		sim.Advance()
	}
	return t, false, blocked, nil
}

// holds reports whether all constraints are 1.
func holds(c *circuit.Circuit, sim *circuit.Ternary) bool {
	for _, s := range c.Constraints() {
		if sim.Value(s.Lit) != circuit.One {
			return false
		}
	}
	return true
}
