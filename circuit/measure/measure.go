// Package measure says how large a circuit is and how it is made: its elements, depth,
// fan-out, the cones of its properties, cycles of latches, resets, and the exclusive ors
// and multiplexers that its gates make up. All of it takes linear time; cones take 64
// properties at a time. It knows no names.
package measure

import (
	"context"

	"aiglens/circuit"
)

// Stats are the measures of a circuit. Gates with the same operands are one, as in every
// Circuit.
type Stats struct {
	Inputs, Latches, Outputs, Bads, Constraints, Justice, Fairness int
	Gates                                                          int
	// Unused is how many gates no output, property, constraint and latch depends on.
	Unused int
	// Levels is the largest number of gates on a way through the logic of one step to
	// something that is used; the others are not counted.
	Levels     int
	FanOut     FanOut
	Components Components
	Resets     Resets
	Shapes     Shapes
	Cones      []Cone // of the properties that were asked for
}

// FanOut is by how many elements signals are used: gates, latches as next state and reset,
// outputs, properties and constraints, each use counted.
type FanOut struct {
	Max int
	Of  circuit.Var // the first with Max; the constant, which is not counted, when there is none
	// Mean is over all inputs, latches and gates.
	Mean float64
}

// Resets counts the latches by how they start.
type Resets struct{ Zero, One, Free, Function int }

// Cone is the size of what one property depends on, as circuit.Cone has it: with the
// constraints and, of a justice property, the fairness conditions.
type Cone struct {
	Property               circuit.Property
	Inputs, Latches, Gates int
}

// Of measures a circuit, and of the properties their cones. Inputs and latches for which isLeftOut holds are not counted. The error
// is that of ctx, or that there is no such property.
func Of(ctx context.Context, c *circuit.Circuit, properties []circuit.Property, isLeftOut func(circuit.Lit) bool) (*Stats, error) {
	s := &Stats{
		Gates:   c.NumGates(),
		Outputs: len(c.Outputs()), Bads: len(c.Bads()), Constraints: len(c.Constraints()),
		Justice: len(c.Justice()), Fairness: len(c.Fairness()),
	}
	for _, in := range c.Inputs() {
		if !isLeftOut(in.Lit) {
			s.Inputs++
		}
	}
	for _, l := range c.Latches() {
		if isLeftOut(l.Lit) {
			continue
		}
		s.Latches++
		switch {
		case l.Reset == circuit.False:
			s.Resets.Zero++
		case l.Reset == circuit.True:
			s.Resets.One++
		case l.IsFree():
			s.Resets.Free++
		default:
			s.Resets.Function++
		}
	}
	s.FanOut = fanOut(c, isLeftOut)
	used := usedVars(c)
	s.Levels = depth(c, used)
	for v, isUsed := range used {
		if !isUsed && c.Kind(circuit.Var(v)) == circuit.KindAnd {
			s.Unused++
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s.Shapes = shapes(c, used)
	order, err := findComponents(ctx, c, false)
	if err != nil {
		return nil, err
	}
	s.Components = order.latches(c, isLeftOut)
	s.Cones, err = cones(ctx, c, properties, order, isLeftOut)
	return s, err
}

// roots calls f with every literal that an element other than a gate uses.
func roots(c *circuit.Circuit, f func(circuit.Lit)) {
	for _, l := range c.Latches() {
		f(l.Next)
		if !l.IsFree() {
			f(l.Reset)
		}
	}
	for _, list := range [][]circuit.Signal{c.Outputs(), c.Bads(), c.Constraints(), c.Fairness(), c.Lemmas(), c.Covers()} {
		for _, s := range list {
			f(s.Lit)
		}
	}
	for _, j := range c.Justice() {
		for _, l := range j.Lits {
			f(l)
		}
	}
}

func fanOut(c *circuit.Circuit, isLeftOut func(circuit.Lit) bool) FanOut {
	uses := make([]int, c.NumVars())
	use := func(l circuit.Lit) { uses[l.Var()]++ }
	roots(c, use)
	for v := range circuit.Var(c.NumVars()) {
		if left, right, ok := c.Operands(v); ok {
			use(left)
			use(right)
		}
	}
	out, sum := FanOut{}, 0
	for v, n := range uses[1:] {
		sum += n
		if n > out.Max && !isLeftOut(circuit.Var(v+1).Lit()) {
			out.Max, out.Of = n, circuit.Var(v+1)
		}
	}
	if n := len(uses) - 1; n > 0 {
		out.Mean = float64(sum) / float64(n)
	}
	return out
}

// usedVars returns which variables something depends on: a latch, an output, a property or
// a constraint.
func usedVars(c *circuit.Circuit) []bool {
	used := make([]bool, c.NumVars())
	roots(c, func(l circuit.Lit) { used[l.Var()] = true })
	for v := c.NumVars() - 1; v > 0; v-- { // operands have lower numbers
		if left, right, ok := c.Operands(circuit.Var(v)); ok && used[v] {
			used[left.Var()], used[right.Var()] = true, true
		}
	}
	return used
}

// depth returns the levels of the gates that are used.
func depth(c *circuit.Circuit, used []bool) (levels int) {
	level := make([]int, c.NumVars())
	for v := range level {
		if left, right, ok := c.Operands(circuit.Var(v)); ok && used[v] {
			level[v] = 1 + max(level[left.Var()], level[right.Var()])
			levels = max(levels, level[v])
		}
	}
	return levels
}
