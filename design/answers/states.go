package answers

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"aiglens/circuit"
	"aiglens/circuit/picture"
	"aiglens/design"
	"aiglens/design/runs"
	"aiglens/design/words"
	"aiglens/internal/thread"
)

// MaxStates bounds the states of a graph.
const MaxStates = 500

// RefusalError says in a sentence why there is no picture.
type RefusalError struct{ message string }

func (e RefusalError) Error() string { return e.message }

func refusal(format string, args ...any) error { return RefusalError{fmt.Sprintf(format, args...)} }

// StateGraph are all states of the cone of a property.
type StateGraph struct {
	Title            string
	DOT              string   // in the language of Graphviz; states have the classes "initial", "bad" and "path"
	Latches          []string // in the order of the text
	Words            []StateWord
	States           []State // those that need fewer steps first
	Path             []int   // positions in States of a run into a state in which the property fails; empty where it never does
	IsCounterexample bool    // Path is the counterexample of the property, a state for each step; else a shortest one
}

// StateWord is latches that are one value.
type StateWord struct {
	Name    string
	Latches []int // positions
}

// State is a state of a circuit.
type State struct {
	ID           string   // in the picture
	Values       string   // 0 or 1 for each latch
	Words        []string // the value of each word
	Initial, Bad bool
	Next         []int // positions of the states after it, each once
}

// StatesOf returns the states of the cone of a property; x is its counterexample, nil for none;
// limit bounds the time of the search, 0 is no limit.
// The error is a RefusalError, or that of ctx.
func StatesOf(ctx context.Context, d *design.Design, p design.Property, x *runs.Counterexample, limit time.Duration) (a StateGraph, err error) {
	c := d.Circuit()
	if fault := d.Fault(p.ID); fault != nil {
		return a, refusal("the states of %s cannot be drawn before the error on line %d is repaired", p.Name, d.Text.LineAt(fault.Span.Start)+1)
	}
	cone, err := c.ConeContext(ctx, p.ID)
	if err != nil {
		return a, err
	}
	bad, ok := cone.Circuit.Bad(cone.Property())
	switch {
	case !ok:
		return a, refusal("the property %s asks what happens infinitely often: its state graph shows no failure", p.Name)
	case len(cone.Latches) == 0:
		return a, refusal("the property %s depends on no latch, so there are no states to be drawn; Draw Cone shows what it depends on", p.Name)
	}
	limited := ctx
	if limit > 0 {
		var stop func()
		limited, stop = thread.WithTimeout(ctx, limit)
		defer stop()
	}
	g, err := picture.SearchStates(limited, cone.Circuit, bad, MaxStates)
	switch {
	case ctx.Err() != nil:
		return a, ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		return a, refusal("the states of %s cannot be drawn: they were not all found within %v; Draw Cone shows what it depends on", p.Name, limit)
	case err != nil:
		return a, refusal("the states of %s cannot be drawn: %v; Draw Cone shows what it depends on", p.Name, err)
	}
	order := make([]int, len(cone.Latches)) // as in the text
	names := make([]string, len(cone.Latches))
	for i, at := range cone.Latches {
		order[i], names[i] = i, d.Names().Literal(c.Latches()[at].Lit)
	}
	slices.SortFunc(order, func(i, j int) int { return cone.Latches[i] - cone.Latches[j] })
	a = StateGraph{Title: "States of " + p.Name, Latches: make([]string, len(order)), States: make([]State, len(g.States))}
	for k, i := range order {
		a.Latches[k] = names[i]
	}
	vectors, err := vectorsOf(ctx, d, cone)
	if err != nil {
		return a, err
	}
	for _, v := range vectors {
		w := StateWord{Name: v.Name}
		for _, i := range v.Latches {
			w.Latches = append(w.Latches, slices.Index(order, i))
		}
		a.Words = append(a.Words, w)
	}
	for i, s := range g.States {
		a.States[i] = State{ID: picture.NodeID(i), Values: picture.Digits(s.Values, order), Initial: s.Initial, Bad: s.Bad, Next: s.Next}
		for _, v := range vectors {
			a.States[i].Words = append(a.States[i].Words, v.Text(s.Values))
		}
	}
	if a.Path, a.IsCounterexample, err = pathOf(ctx, c, cone, g, x); err != nil {
		return a, err
	}
	a.DOT = g.DOT(names, vectors, order, a.Path)
	return a, nil
}

// vectorsOf returns the words of the latches of a cone. One of which the cone has a part is
// that part: its value is not that of the word.
func vectorsOf(ctx context.Context, d *design.Design, cone *circuit.Cone) (all []picture.Vector, err error) {
	known, err := words.Of(ctx, d)
	if err != nil {
		return nil, err
	}
	position := map[circuit.Var]int{} // of the latches of the circuit
	for i, at := range cone.Latches {
		position[d.Circuit().Latches()[at].Lit.Var()] = i
	}
	for _, w := range known.All() {
		var inside []int // positions in its bits
		isOwn := true    // no bit is one of a word before
		for i, b := range w.Bits {
			if _, ok := position[b.Lit.Var()]; ok && !b.Missing {
				inside = append(inside, i)
				p, _ := known.At(b.Lit)
				isOwn = isOwn && p.Word == w && p.Position == i
			}
		}
		if len(inside) < 2 || !isOwn {
			continue
		}
		part, name := w, w.Name
		first, last := inside[0], inside[len(inside)-1]
		if last-first+1 < len(w.Bits) {
			part, _ = words.Part(w, w.Index(last), w.Index(first))
			name = fmt.Sprintf("%s[%d:%d]", w.Name, w.Index(last), w.Index(first))
		}
		radix := words.Chosen(ctx, d, w)
		if part != w && radix == design.SignedDecimal { // only the whole word has a sign
			radix = design.Decimal
		}
		v := picture.Vector{Name: name, Text: func(values []bool) string {
			return words.TextIn(radix, part, words.Value(part, func(l circuit.Lit) circuit.Value {
				i, ok := position[l.Var()]
				if !ok {
					return circuit.X
				}
				return circuit.ValueOf(values[i]).NotIf(l.IsNegated())
			}))
		}}
		for _, i := range inside {
			v.Latches = append(v.Latches, position[w.Bits[i].Lit.Var()])
		}
		all = append(all, v)
	}
	return all, nil
}

// pathOf returns the states of the steps of a counterexample, without one those of a shortest
// run that would be one.
func pathOf(ctx context.Context, c *circuit.Circuit, cone *circuit.Cone, g *picture.StateGraph, x *runs.Counterexample) (path []int, isCounterexample bool, err error) {
	if x == nil {
		return g.Path(), false, nil
	}
	run, err := statesAlong(ctx, c, cone, x)
	if err != nil {
		return nil, false, err
	}
	path, ok := g.Along(run)
	if !ok {
		return nil, false, errors.New("the counterexample does not run along the states that were found: this is an internal error, please report it")
	}
	return path, true, nil
}

// statesAlong returns the values of the latches of a cone at each step of a counterexample. What
// is x there may be anything, and is 0. The error is that of ctx.
func statesAlong(ctx context.Context, c *circuit.Circuit, cone *circuit.Cone, x *runs.Counterexample) (run [][]bool, err error) {
	t := x.Whole(c).Restrict(cone.Latches, cone.Inputs)
	word := func(v circuit.Value) uint64 {
		if v == circuit.One {
			return 1
		}
		return 0
	}
	sim := circuit.NewParallel(cone.Circuit)
	for i, v := range t.Initial {
		sim.SetLatch(i, word(v))
	}
	inputs := make([]uint64, len(cone.Inputs))
	for step, row := range t.Inputs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if step > 0 {
			sim.Advance()
		}
		for i, v := range row {
			inputs[i] = word(v)
		}
		sim.Eval(inputs)
		values := make([]bool, len(cone.Latches))
		for i, l := range cone.Circuit.Latches() {
			values[i] = sim.Value(l.Lit)&1 == 1
		}
		run = append(run, values)
	}
	return run, nil
}
