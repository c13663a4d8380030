package trace

import (
	"context"
	"fmt"
	"slices"

	"aiglens/circuit"
	"aiglens/circuit/cert"
)

// MinimizeLasso makes a lasso shorter and then sets values to x, inputs and initial values
// of free latches, as Minimize does with a trace: three-valued simulation still shows the
// constraints at 1 in every step and each goal at 1 in some step of the loop, whose first
// state may have x for what a round changes. Steps are left out where states come again,
// see shorter.
//
// work bounds both, in values that are looked at; 0 is no bound. Errors are ErrForm,
// ErrNoViolation or that of ctx, with the lasso as it was given.
func MinimizeLasso(ctx context.Context, c *circuit.Circuit, goals []circuit.Lit, l cert.Lasso, work int64) (cert.Lasso, Stats, error) {
	s := Stats{StepsBefore: l.Steps(), Steps: l.Steps()}
	if _, err := fit(c, l.Trace); err != nil {
		return l, s, fmt.Errorf("%w: %w", ErrForm, err)
	}
	if l.Loop < 0 || l.Loop >= l.Steps() {
		return l, s, fmt.Errorf("%w: a loop from step %d on in a run of %s", ErrForm, l.Loop, cert.Count(l.Steps(), "step", "steps"))
	}
	if l.Steps() > valuesBytes/c.NumVars() {
		s.Bounded = true
		return l, s, nil
	}
	count(c, l.Trace, &s, func(n *Count) *int { return &n.Before })
	kept := cert.Lasso{Trace: copied(l.Trace), Loop: l.Loop}
	for tried := false; ; {
		m, err := newLassoMinimizer(ctx, c, goals, kept, work)
		if err != nil {
			return l, s, err
		}
		m.work = s.Work
		if short := m.shorter(ctx); short.Steps() < kept.Steps() {
			kept, s.Work, tried = short, m.work, false
			continue
		}
		if tried {
			return kept, s, nil
		}
		m.keepNeeded()
		count(c, kept.Trace, &s, func(n *Count) *int { return &n.Justified })
		if err := m.simulate(ctx); err != nil {
			return l, s, err
		}
		if err := m.run(ctx); err != nil {
			return l, s, err
		}
		s.Steps, s.Work, s.Bounded = kept.Steps(), m.work, m.bounded
		count(c, kept.Trace, &s, func(n *Count) *int { return &n.After })
		tried = true // states with more x stand for more others
	}
}

// copied returns a trace that shares no rows with another.
func copied(t cert.Trace) cert.Trace {
	own := cert.Trace{Initial: slices.Clone(t.Initial), Inputs: make([][]circuit.Value, t.Steps())}
	for step, row := range t.Inputs {
		own.Inputs[step] = slices.Clone(row)
	}
	return own
}

// newLassoMinimizer returns one that has values and changes l in place.
func newLassoMinimizer(ctx context.Context, c *circuit.Circuit, goals []circuit.Lit, l cert.Lasso, work int64) (*minimizer, error) {
	own := make([]*goal, len(goals))
	for i, lit := range goals {
		own[i] = &goal{lit: lit, from: l.Loop}
	}
	m := newMinimizer(c, l.Trace, own, work)
	m.loop = l.Loop
	if err := m.simulate(ctx); err != nil {
		return nil, err
	}
	for _, g := range m.goals {
		if g.ones == 0 {
			return nil, ErrNoViolation
		}
	}
	for step := range l.Steps() {
		for _, s := range c.Constraints() {
			if m.value(s.Lit, step) != circuit.One {
				return nil, ErrNoViolation
			}
		}
	}
	return m, nil
}

func (m *minimizer) value(l circuit.Lit, step int) circuit.Value {
	return valueIn(m.values[step*m.c.NumVars():], l)
}

// weaken sets to x, at the beginning of the loop, each latch that the loop changes, with all
// that follows from it: at the end of the loop that can be other latches. sim is in the last
// step. The error is that of ctx.
func (m *minimizer) weaken(ctx context.Context, sim *circuit.Ternary) error {
	work := m.work
	defer func() { m.work = work }() // which is for what is tried
	sim.Advance()
	m.trail = m.trail[:0]
	for _, l := range m.c.Latches() {
		v := m.values[m.loop*m.c.NumVars()+int(l.Lit.Var())]
		if v != circuit.X && v != sim.Value(l.Lit) {
			m.set(l.Lit.Var(), m.loop)
		}
	}
	for len(m.trail) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		last := len(m.trail) - 1
		at := m.trail[last]
		m.trail = m.trail[:last]
		m.spreadFrom(at, false)
	}
	return nil
}

// keepNeeded sets to x what one justification of the goals, each in the first step of the
// loop in which it is met, and of the constraints does not need. What the loop needs of
// its first state both the stem and the loop itself have to give. The values of m are
// those of before then.
func (m *minimizer) keepNeeded() {
	n := m.c.NumVars()
	needed := make([]bool, len(m.values))
	var todo []int
	need := func(l circuit.Lit, step int) {
		if at := step*n + int(l.Var()); !needed[at] {
			needed[at] = true
			todo = append(todo, at)
		}
	}
	for step := range m.t.Steps() {
		for _, s := range m.c.Constraints() {
			need(s.Lit, step)
		}
	}
	for _, g := range m.goals {
		step := g.from
		for m.value(g.lit, step) != circuit.One {
			step++
		}
		need(g.lit, step)
	}
	for len(todo) > 0 {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		step, v := at/n, circuit.Var(at%n)
		m.work++
		if left, right, isGate := m.c.Operands(v); isGate {
			switch {
			case m.values[at] == circuit.One:
				need(left, step)
				need(right, step)
			case m.value(left, step) == circuit.Zero && (m.value(right, step) != circuit.Zero || !needed[step*n+int(right.Var())]):
				need(left, step)
			default:
				need(right, step)
			}
			continue
		}
		i := m.c.LatchIndex(v)
		if i < 0 {
			continue
		}
		l := m.c.Latches()[i]
		if step > 0 {
			need(l.Next, step-1)
		} else if l.HasFunction() {
			need(l.Reset, 0)
		}
		if step == m.loop {
			need(l.Next, m.t.Steps()-1)
		}
	}
	for step, row := range m.t.Inputs {
		for i, in := range m.c.Inputs() {
			if !needed[step*n+int(in.Lit.Var())] {
				row[i] = circuit.X
			}
		}
	}
	for i, l := range m.c.Latches() {
		if l.HasFunction() || l.IsFree() && !needed[l.Lit.Var()] {
			m.t.Initial[i] = circuit.X
		}
	}
}
