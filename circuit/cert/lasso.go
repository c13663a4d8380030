package cert

import (
	"context"

	"aiglens/circuit"
)

// checkLasso replays the run by three-valued simulation, and then its loop again and
// again, each time from a state in which every latch is x that the round before has left
// with another value than it began with. So that state stands for more and more states,
// until it stands for the one after the loop, too: then the loop can be repeated for
// ever. In each step the constraints must be 1, and in some step of the last round each
// literal of the property and each fairness condition. A value left open must not matter,
// and may be another one in each round.
//
// Latches that nothing of this depends on need not come back to their values.
func checkLasso(ctx context.Context, c *circuit.Circuit, p circuit.Property, l *Lasso) error {
	if l.Loop < 0 || l.Loop >= max(l.Steps(), 1) {
		return reject("form", "a loop from step %d of %d", l.Loop, l.Steps())
	}
	r, err := newRun(c, l.Trace, "lasso")
	if err != nil {
		return err
	}
	for step := range l.Loop + 1 {
		if step > 0 {
			r.sim.Advance()
		}
		if err := r.eval(ctx, step); err != nil {
			return err
		}
	}
	state := r.state()
	matters := readBy(c, p)
	for i, l := range c.Latches() {
		if !matters[l.Lit.Var()] {
			state[i] = circuit.X
		}
	}
	goals := c.Goals(p.Index)
	for {
		met, err := r.round(ctx, l.Loop, state, goals)
		if err != nil {
			return err
		}
		r.sim.Advance()
		closed := true
		for i, v := range r.state() {
			if state[i] != circuit.X && v != state[i] {
				state[i], closed = circuit.X, false
			}
		}
		if !closed {
			continue
		}
		for i, ok := range met {
			if !ok {
				return reject("lasso", "goal %d is never 1 in the loop", i)
			}
		}
		return nil
	}
}

// round replays the loop once, from a state, and returns which goals are 1 in one of its
// steps.
func (r *run) round(ctx context.Context, loop int, state []circuit.Value, goals []circuit.Lit) (met []bool, err error) {
	for i, v := range state {
		r.sim.SetLatch(i, v)
	}
	met = make([]bool, len(goals))
	for step := loop; step < r.trace.Steps(); step++ {
		if step > loop {
			r.sim.Advance()
		}
		if err := r.eval(ctx, step); err != nil {
			return nil, err
		}
		for i, l := range goals {
			met[i] = met[i] || r.sim.Value(l) == circuit.One
		}
	}
	return met, nil
}

// state returns the values of the latches.
func (r *run) state() []circuit.Value {
	state := make([]circuit.Value, len(r.c.Latches()))
	for i, l := range r.c.Latches() {
		state[i] = r.sim.Value(l.Lit)
	}
	return state
}

// readBy returns the variables that the goals and the constraints depend on in this step
// or later. It only spares rounds: a latch that is x for no reason can do no harm but to
// have a lasso rejected.
func readBy(c *circuit.Circuit, p circuit.Property) []bool {
	read := make([]bool, c.NumVars())
	todo := c.Goals(p.Index)
	for _, s := range c.Constraints() {
		todo = append(todo, s.Lit)
	}
	for len(todo) > 0 {
		v := todo[len(todo)-1].Var()
		todo = todo[:len(todo)-1]
		if read[v] {
			continue
		}
		read[v] = true
		if left, right, isGate := c.Operands(v); isGate {
			todo = append(todo, left, right)
		} else if i := c.LatchIndex(v); i >= 0 {
			todo = append(todo, c.Latches()[i].Next)
		}
	}
	return read
}
