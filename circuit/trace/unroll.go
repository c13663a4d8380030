package trace

import (
	"context"
	"fmt"
	"slices"

	"aiglens/circuit"
	"aiglens/circuit/cert"
)

// Bounds of Unroll: steps, and values of inputs and latches in them.
const (
	maxUnrolledSteps  = 1_000_000
	maxUnrolledValues = 64 << 20
)

// OpenLoopError says that the state of the whole circuit does not come back soon enough.
type OpenLoopError struct{ Steps int }

func (e *OpenLoopError) Error() string {
	return fmt.Sprintf("the loop closes for what the property depends on, but the state of the whole circuit does not recur within %s; a witness file must show that it does", cert.Count(e.Steps, "step", "steps"))
}

// Unroll returns a lasso without x whose loop is as many rounds as it takes until all
// latches of the circuit have their values again, those as well on which the property does
// not depend. That is what a witness of AIGER shows, in which the loop is not marked. Every
// x is taken as 0. The lasso must be one of the circuit; then the goals are 1 in each round.
// Errors are ErrForm, an *OpenLoopError, or that of ctx.
func Unroll(ctx context.Context, c *circuit.Circuit, l cert.Lasso) (cert.Lasso, error) {
	t, err := fit(c, l.Trace)
	if err != nil {
		return l, fmt.Errorf("%w: %w", ErrForm, err)
	}
	if l.Loop < 0 || l.Loop >= l.Steps() {
		return l, fmt.Errorf("%w: a loop from step %d on in a run of %s", ErrForm, l.Loop, cert.Count(l.Steps(), "step", "steps"))
	}
	t = withZeros(c, t)
	begun := map[string]int{} // by state: the step with the round that it begins
	sim := start(c, t)
	most := min(maxUnrolledSteps, maxUnrolledValues/(len(c.Latches())+len(c.Inputs())+1))
	most = max(most, t.Steps())
	length := t.Steps() - l.Loop
	for step := range most + 1 {
		if err := ctx.Err(); err != nil {
			return l, err
		}
		if step >= t.Steps() {
			t.Inputs = append(t.Inputs, t.Inputs[step-length])
		}
		sim.Eval(t.Inputs[step])
		if step == 0 {
			t.Initial = slices.Clone(t.Initial)
			for i, latch := range c.Latches() {
				t.Initial[i] = sim.Value(latch.Lit)
			}
		}
		if step >= l.Loop && (step-l.Loop)%length == 0 {
			state := stateOf(c, sim)
			if first, ok := begun[state]; ok {
				t.Inputs = t.Inputs[:step]
				return cert.Lasso{Trace: t, Loop: first}, nil
			}
			begun[state] = step
		}
		sim.Advance()
	}
	return l, &OpenLoopError{most}
}
