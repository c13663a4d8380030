package compare

import (
	"context"
	"errors"
	"slices"

	"aiglens/circuit"
	"aiglens/circuit/cert"
)

// Difference is a step at which two runs under the same inputs differ. It has been seen by
// simulation of both circuits.
type Difference struct {
	// Pair is the position in Matching.Observed of the signals that differ; −1 when it is
	// the step itself, which one side allows and the other forbids.
	Pair int
	Step int
	// Values are those of the signals on either side; of the step 1 where it is allowed.
	Values [2]circuit.Value
	// Traces are the runs of the sides up to the step. Of X any value will do, the same
	// for inputs and free latches that are matched.
	Traces [2]cert.Trace
}

// Replayed is what shows when two circuits run side by side.
type Replayed struct {
	// Forbidden is a step that one side allows and the other forbids; nil for none. There
	// is nothing after it.
	Forbidden *Difference
	// Differences has the first step at which each pair that differs does so, in the order
	// of Matching.Observed.
	Differences []Difference
	// Latches are the pairs of latches that differ in some step, or after the last.
	Latches []int
}

// errForm is returned for runs that do not fit the circuits.
var errForm = errors.New("compare: the runs do not fit the circuits")

// Replay simulates two runs, each on its side, as long as both are allowed. What differs
// for each choice of what is X is found first, then what differs where all of that is 0.
// The error is that of ctx, or that the runs do not fit the circuits.
func (m *Matching) Replay(ctx context.Context, sides [2]cert.Trace) (*Replayed, error) {
	for side, t := range sides {
		c := m.Sides[side].Circuit
		if len(t.Initial) != len(c.Latches()) || t.Steps() != sides[0].Steps() {
			return nil, errForm
		}
		for _, row := range t.Inputs {
			if len(row) != len(c.Inputs()) {
				return nil, errForm
			}
		}
	}
	r, err := m.replay(ctx, sides)
	if err != nil {
		return nil, err
	}
	zeroed, err := m.replay(ctx, [2]cert.Trace{m.zeros(0, sides[0]), m.zeros(1, sides[1])})
	if err != nil {
		return nil, err
	}
	r.add(zeroed)
	return r, nil
}

// add takes over what another replay has shown beside.
func (r *Replayed) add(other *Replayed) {
	if r.Forbidden == nil {
		r.Forbidden = other.Forbidden
	}
	known := map[int]bool{}
	for _, d := range r.Differences {
		known[d.Pair] = true
	}
	for _, d := range other.Differences {
		if !known[d.Pair] {
			r.Differences = append(r.Differences, d)
		}
	}
	slices.SortFunc(r.Differences, func(a, b Difference) int { return a.Pair - b.Pair })
	r.Latches = append(r.Latches, other.Latches...)
	slices.Sort(r.Latches)
	r.Latches = slices.Compact(r.Latches)
}

// zeros returns a run with 0 in place of X, but for latches that have a reset.
func (m *Matching) zeros(side int, t cert.Trace) cert.Trace {
	concrete := func(row []circuit.Value, isChosen func(int) bool) []circuit.Value {
		values := make([]circuit.Value, len(row))
		for i, v := range row {
			if values[i] = v; v == circuit.X && isChosen(i) {
				values[i] = circuit.Zero
			}
		}
		return values
	}
	latches := m.Sides[side].Circuit.Latches()
	zeroed := cert.Trace{Initial: concrete(t.Initial, func(i int) bool { return latches[i].IsFree() })}
	for _, row := range t.Inputs {
		zeroed.Inputs = append(zeroed.Inputs, concrete(row, func(int) bool { return true }))
	}
	return zeroed
}

// start returns a simulator in the first state of a run.
func (s *Side) start(t cert.Trace) *circuit.Ternary {
	sim := circuit.NewTernary(s.Circuit)
	sim.Reset()
	for i, l := range s.Circuit.Latches() {
		if l.IsFree() {
			sim.SetLatch(i, t.Initial[i])
		}
	}
	return sim
}

// allows returns whether the constraints hold in the step that was evaluated.
func (s *Side) allows(sim *circuit.Ternary) circuit.Value {
	all := circuit.One
	for _, c := range s.Circuit.Constraints() {
		switch sim.Value(c.Lit) {
		case circuit.Zero:
			return circuit.Zero
		case circuit.X:
			all = circuit.X
		}
	}
	return all
}

func differ(a, b circuit.Value) bool { return a != b && a != circuit.X && b != circuit.X }

func (m *Matching) replay(ctx context.Context, sides [2]cert.Trace) (*Replayed, error) {
	r := &Replayed{}
	sims := [2]*circuit.Ternary{m.Sides[0].start(sides[0]), m.Sides[1].start(sides[1])}
	first := make([]*Difference, len(m.Observed))
	latches := make([]bool, len(m.Latches))
	difference := func(pair, step int, a, b circuit.Value) *Difference {
		d := &Difference{Pair: pair, Step: step, Values: [2]circuit.Value{a, b}}
		for side, t := range sides {
			d.Traces[side] = cert.Trace{Initial: t.Initial, Inputs: t.Inputs[:step+1]}
		}
		return d
	}
	for step := range sides[0].Steps() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for side, sim := range sims {
			if step > 0 {
				sim.Advance()
			}
			sim.Eval(sides[side].Inputs[step])
		}
		a, b := m.Sides[0].allows(sims[0]), m.Sides[1].allows(sims[1])
		if differ(a, b) {
			r.Forbidden = difference(-1, step, a, b)
		}
		if a != circuit.One || b != circuit.One {
			break
		}
		for i, p := range m.Observed {
			x, y := sims[0].Value(m.Sides[0].Lit(p.A)), sims[1].Value(m.Sides[1].Lit(p.B))
			if first[i] == nil && differ(x, y.NotIf(p.Negated)) {
				first[i] = difference(i, step, x, y)
			}
		}
		for i, p := range m.Latches {
			x, y := m.Sides[0].Circuit.Latches()[p.A.Index], m.Sides[1].Circuit.Latches()[p.B.Index]
			latches[i] = latches[i] || differ(sims[0].Value(x.Lit), sims[1].Value(y.Lit)) ||
				differ(sims[0].Value(x.Next), sims[1].Value(y.Next))
		}
	}
	for _, d := range first {
		if d != nil {
			r.Differences = append(r.Differences, *d)
		}
	}
	for i, differs := range latches {
		if differs {
			r.Latches = append(r.Latches, i)
		}
	}
	return r, nil
}

// RestsOnUnmatched reports whether both sides have inputs without a partner, and the runs
// of a difference have values for some of them: with such inputs taken for the same there
// may be no difference.
func (m *Matching) RestsOnUnmatched(d *Difference) bool {
	rests, sides := false, 0
	for side, t := range d.Traces {
		unmatched := false
		for _, e := range m.Unmatched[side] {
			if e.Kind != Input {
				continue
			}
			unmatched = true
			rests = rests || slices.ContainsFunc(t.Inputs, func(row []circuit.Value) bool { return row[e.Index] != circuit.X })
		}
		if unmatched {
			sides++
		}
	}
	return rests && sides == 2
}
