package compare

import (
	"context"
	"slices"

	"aiglens/circuit"
)

// Change is a signal that differs: its first step, with its values on either side.
type Change struct {
	Signal int // position in what Trail was asked about
	Step   int
	Values [2]circuit.Value
}

// Trail returns which of some signals, which should have the same values on both sides,
// differ up to the step of a difference, of those that it depends on: on the way from the
// inputs to what differs, by the first step in which they do, within a step each after
// what it depends on. The error is that of ctx.
func (m *Matching) Trail(ctx context.Context, d *Difference, signals [][2]circuit.Lit) ([]Change, error) {
	var cones [2][]bool
	var sims [2]*circuit.Ternary
	for side := range cones {
		cones[side] = m.Sides[side].cone(m.seenAt(side, d))
		sims[side] = m.Sides[side].start(d.Traces[side])
	}
	seen := make([]bool, len(signals))
	for i, s := range signals {
		seen[i] = !cones[0][s[0].Var()] && !cones[1][s[1].Var()]
	}
	var changes []Change
	for step := range d.Step + 1 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for side, sim := range sims {
			if step > 0 {
				sim.Advance()
			}
			sim.Eval(d.Traces[side].Inputs[step])
		}
		for i, s := range signals {
			if a, b := sims[0].Value(s[0]), sims[1].Value(s[1]); !seen[i] && differ(a, b) {
				seen[i] = true
				changes = append(changes, Change{Signal: i, Step: step, Values: [2]circuit.Value{a, b}})
			}
		}
	}
	slices.SortStableFunc(changes, func(x, y Change) int {
		if x.Step != y.Step {
			return x.Step - y.Step
		}
		return int(signals[x.Signal][0].Var()) - int(signals[y.Signal][0].Var())
	})
	return changes, nil
}

// Cone returns which variables of a side a difference depends on.
func (m *Matching) Cone(side int, d *Difference) []bool { return m.Sides[side].cone(m.seenAt(side, d)) }

// seenAt returns the literals of a side in which a difference shows.
func (m *Matching) seenAt(side int, d *Difference) (lits []circuit.Lit) {
	if d.Pair >= 0 {
		return []circuit.Lit{m.Sides[side].Lit(m.Observed[d.Pair].On(side))}
	}
	for _, s := range m.Sides[side].Circuit.Constraints() {
		lits = append(lits, s.Lit)
	}
	return lits
}

// cone returns, by variable, what literals depend on over all steps.
func (s *Side) cone(lits []circuit.Lit) []bool {
	c := s.Circuit
	in := make([]bool, c.NumVars())
	var todo []circuit.Var
	add := func(l circuit.Lit) {
		if v := l.Var(); !in[v] {
			in[v] = true
			todo = append(todo, v)
		}
	}
	for _, l := range lits {
		add(l)
	}
	for len(todo) > 0 {
		v := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if left, right, ok := c.Operands(v); ok {
			add(left)
			add(right)
		} else if i := c.LatchIndex(v); i >= 0 {
			add(c.Latches()[i].Next)
			add(c.Latches()[i].Reset)
		}
	}
	return in
}
