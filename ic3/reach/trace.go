package reach

import (
	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/bdd"
	"aiglens/ic3/encode"
	"aiglens/ic3/sat"
)

// trace returns a run that ends in a bad state of the last ring. It goes back: each ring
// holds a state that leads into the one after it.
func (r *run) trace() (cert.Trace, error) {
	m, last := r.model, len(r.rings)-1
	solver := sat.NewCore(encode.Gates(r.c))
	t := cert.Trace{Inputs: make([][]circuit.Value, last+1)}
	var state bdd.Cube // of the step after
	for step := last; step >= 0; step-- {
		relation, into := m.step, m.anything()
		query := []circuit.Lit{}
		if step == last {
			relation = m.violation
			query = append(query, r.c.Bads()[0].Lit)
		}
		for _, s := range r.c.Constraints() {
			query = append(query, s.Lit)
		}
		for i, value := range state {
			into[m.then(i)] = value
			query = append(query, r.c.Latches()[i].Next.NotIf(value == 0))
		}
		if err := m.Try(func() {
			r.tidy() // of what the step after has left
			state = m.within(r.rings[step], relation, into)
		}); err != nil {
			return t, err
		}
		for i, l := range r.c.Latches() {
			query = append(query, l.Lit.NotIf(state[i] == 0))
		}
		result, err := solver.Solve(r.ctx, sat.Query{Assumptions: query})
		if err != nil {
			return t, err
		}
		if result != sat.Sat {
			panic("reach: a state that leads to the next one does not")
		}
		for _, in := range r.c.Inputs() {
			t.Inputs[step] = append(t.Inputs[step], solver.Value(in.Lit))
		}
	}
	for _, value := range state {
		t.Initial = append(t.Initial, circuit.ValueOf(value == 1))
	}
	return t, nil
}

// within returns a state of a set that is in relation to another one.
func (m *model) within(states bdd.Ref, relation []cluster, into bdd.Cube) bdd.Cube {
	for _, k := range relation {
		states = m.And(states, m.Cofactor(k.relation, into))
	}
	state := make(bdd.Cube, len(m.now))
	m.Pick(states, state)
	return state[:len(m.c.Latches())]
}

// anything returns a cube without literals.
func (m *model) anything() bdd.Cube {
	c := make(bdd.Cube, len(m.now))
	for i := range c {
		c[i] = bdd.Any
	}
	return c
}

// then returns the variable of a latch in the next step.
func (m *model) then(latch int) int { return len(m.c.Latches()) + latch }
