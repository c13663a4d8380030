package trace

import (
	"context"

	"aiglens/circuit"
	"aiglens/circuit/cert"
)

// A lasso goes on with the inputs of its loop. So do the latches: the simulation simply
// goes on. Those that the property depends on come back after the first round as a rule;
// others may be counters that take very many rounds. The steps are recorded until the
// state at the beginning of a round is that of an earlier round; all later steps repeat
// what lies between. After maxRounds the state is weakened to what holds in all later
// rounds: x for each latch that a round changes, until none does.

// maxRounds bounds the values that are computed of rounds after the first, to find the
// state that comes back: steps times variables.
//
// Only tests change it.
var maxRounds = 4_000_000

// Loop returns the first step of the loop; ok is false for a run that ends.
func (r *Replay) Loop() (first int, ok bool) { return r.loop, r.loop >= 0 }

// Recorded returns the step, of those that are recorded, that has the values of a step: it
// is the same one but for late steps of a lasso.
func (r *Replay) Recorded(step int) int {
	if r.loop < 0 || step < r.recorded {
		return step
	}
	return r.again + (step-r.again)%(r.recorded-r.again)
}

// Period returns the steps that a lasso repeats from a step on: those before end, from
// first on. That is its loop, or several rounds of it.
func (r *Replay) Period() (first, end int) { return r.again, r.recorded }

// given returns the step of the trace that has the inputs of a step.
func (r *Replay) given(step int) int {
	if step < r.steps {
		return step
	}
	return r.loop + (step-r.loop)%(r.steps-r.loop)
}

// goRound records rounds until the state at the beginning of one comes back. The states of
// the first Steps are recorded. The error is that of ctx.
func (r *Replay) goRound(ctx context.Context, e evaluation) error {
	begun := map[string]int{string(r.stateAt(r.loop)): r.loop} // by state: the round that it begins
	if err := r.advance(ctx, r.steps-1, e); err != nil {
		return err
	}
	length := r.steps - r.loop
	for values := 0; ; values += length * r.c.NumVars() {
		state := r.stateAt(r.recorded)
		if first, ok := begun[string(state)]; ok {
			r.again = first
			r.forgetFrom(r.recorded)
			return nil
		}
		begun[string(state)] = r.recorded
		if values >= maxRounds {
			return r.weaken(ctx, e)
		}
		for range length {
			if err := r.advance(ctx, r.recorded, e); err != nil {
				return err
			}
			r.recorded++
		}
	}
}

// weaken records a round that stands for all later ones. The state that begins it is
// recorded.
func (r *Replay) weaken(ctx context.Context, e evaluation) error {
	r.again = r.recorded
	if (r.steps-r.loop)*r.c.NumVars() <= valuesBytes {
		if err := r.weakenAtOnce(ctx); err != nil {
			return err
		}
	}
	for {
		for range r.steps - r.loop {
			if err := r.advance(ctx, r.recorded, e); err != nil {
				return err
			}
			r.recorded++
		}
		at, after := r.again*len(r.c.Latches()), r.stateAt(r.recorded)
		changed := false
		for i, v := range after {
			if before := &r.states[at+i]; *before != circuit.X && *before != circuit.Value(v) {
				*before, r.costs[at+i], changed = circuit.X, 0, true
			}
		}
		if !changed {
			r.forgetFrom(r.recorded)
			return nil
		}
		r.recorded = r.again
		r.forgetFrom(r.again + 1)
	}
}

// weakenAtOnce sets to x what weaken else takes many rounds for, as many as there are
// latches at worst. It holds all values of one round, and follows the changes alone.
func (r *Replay) weakenAtOnce(ctx context.Context) error {
	m := newMinimizer(r.c, cert.Trace{Inputs: r.inputs[r.loop:r.steps]}, nil, 0)
	m.loop = 0
	sim := circuit.NewTernary(r.c)
	at := r.again * len(r.c.Latches())
	for i := range r.c.Latches() {
		sim.SetLatch(i, r.states[at+i])
	}
	if err := m.record(ctx, sim, 0); err != nil {
		return err
	}
	if err := m.weaken(ctx, sim); err != nil {
		return err
	}
	for i, l := range r.c.Latches() {
		if m.values[l.Lit.Var()] == circuit.X && r.states[at+i] != circuit.X {
			r.states[at+i], r.costs[at+i] = circuit.X, 0
		}
	}
	return nil
}

// stateAt returns a recorded state as bytes of circuit.Value.
func (r *Replay) stateAt(step int) []byte {
	n := len(r.c.Latches())
	state := make([]byte, n)
	for i, v := range r.states[step*n : (step+1)*n] {
		state[i] = byte(v)
	}
	return state
}

// forgetFrom drops the states of a step and those after it.
func (r *Replay) forgetFrom(step int) {
	n := len(r.c.Latches())
	r.states, r.costs = r.states[:step*n], r.costs[:step*n]
}
