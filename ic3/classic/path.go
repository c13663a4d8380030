package classic

import (
	"errors"

	"aiglens/circuit"
	"aiglens/ic3/encode"
	"aiglens/ic3/sat"
)

// path is a circuit without latches whose inputs are the first state and the
// inputs of every step of a path of a given length.
type path struct {
	c              *circuit.Circuit
	b              *circuit.Builder
	states, inputs [][]circuit.Lit // by step, and latch or input
	bads           []circuit.Lit   // by step
	within         []circuit.Lit   // by step: all constraints hold up to it
	avoids         []circuit.Lit   // by step: no state up to it lies in R
	initial        circuit.Lit     // the first state is one
	good           circuit.Lit     // no step but the last is bad
	simple         circuit.Lit     // no two states are equal
	target         circuit.Lit     // the last state is q; without q, it is bad
	marked         circuit.Lit     // the last state but one lies in C

	solver sat.Solver
	roots  []circuit.Lit // all states
}

// errTooLarge says that a path would have more gates than Options allow.
var errTooLarge = errors.New("the paths become too large")

// gatesPerDifference is what it takes to say that two latches differ.
const gatesPerDifference = 4

// unroll returns the paths of length n and what the method asks about them.
func (b *bounded) unroll(n int) (*path, error) {
	gates := (n+1)*b.c.NumVars() + n*(n+1)/2*gatesPerDifference*len(b.c.Latches())
	if b.options.MaxGates > 0 && gates > b.options.MaxGates {
		return nil, errTooLarge
	}
	p := &path{c: b.c, b: circuit.NewBuilder((n + 1) * b.c.NumVars())}
	state := make([]circuit.Lit, len(b.c.Latches()))
	for i := range state {
		state[i] = p.b.Input(0)
	}
	p.initial, p.good, p.simple, p.marked = circuit.True, circuit.True, circuit.True, circuit.False
	avoids := circuit.True
	for i, l := range b.c.Latches() {
		if !l.IsFree() {
			p.initial = p.b.And(p.initial, state[i].NotIf(l.Reset == circuit.False))
		}
	}
	for step := range n + 1 {
		if err := b.ctx.Err(); err != nil {
			return nil, err
		}
		for _, earlier := range p.states {
			p.simple = p.b.And(p.simple, p.differ(earlier, state))
		}
		next := p.add(state)
		for _, c := range b.useless {
			avoids = p.b.And(avoids, p.inCube(step, c).Not())
		}
		p.avoids = append(p.avoids, avoids)
		if step < n {
			p.good = p.b.And(p.good, p.bads[step].Not())
		}
		state = next
	}
	p.target = p.b.And(p.within[n], p.bads[n])
	if b.q != nil {
		p.target = p.inCube(n, b.q.cube)
	}
	for _, o := range b.marked {
		p.marked = p.b.Or(p.marked, p.inCube(n-1, o.cube))
	}
	for _, s := range p.states {
		p.roots = append(p.roots, s...)
	}
	p.solver = b.factory(encode.Gates(p.b.Build()))
	return p, nil
}

// add adds a step from a state and returns the next one.
func (p *path) add(state []circuit.Lit) (next []circuit.Lit) {
	to := make([]circuit.Lit, p.c.NumVars())
	lit := func(l circuit.Lit) circuit.Lit { return to[l.Var()].NotIf(l.IsNegated()) }
	inputs := make([]circuit.Lit, len(p.c.Inputs()))
	for i, in := range p.c.Inputs() {
		inputs[i] = p.b.Input(0)
		to[in.Lit.Var()] = inputs[i]
	}
	for i, l := range p.c.Latches() {
		to[l.Lit.Var()] = state[i]
	}
	for v := range to {
		if left, right, ok := p.c.Operands(circuit.Var(v)); ok {
			to[v] = p.b.And(lit(left), lit(right))
		}
	}
	within := circuit.True
	if n := len(p.within); n > 0 {
		within = p.within[n-1]
	}
	for _, s := range p.c.Constraints() {
		within = p.b.And(within, lit(s.Lit))
	}
	p.states, p.inputs = append(p.states, state), append(p.inputs, inputs)
	p.within = append(p.within, within)
	p.bads = append(p.bads, lit(p.c.Bads()[0].Lit))
	for _, l := range p.c.Latches() {
		next = append(next, lit(l.Next))
	}
	return next
}

func (p *path) differ(s, t []circuit.Lit) circuit.Lit {
	d := circuit.False
	for i := range s {
		d = p.b.Or(d, p.b.Xor(s[i], t[i]))
	}
	return d
}

// inCube says that the state of a step lies in a cube.
func (p *path) inCube(step int, c cube) circuit.Lit {
	in := circuit.True
	for _, l := range c {
		in = p.b.And(in, p.states[step][p.c.LatchIndex(l.Var())].NotIf(l.IsNegated()))
	}
	return in
}

// solve asks for a path that meets the assumptions.
func (b *bounded) solve(p *path, assumptions ...circuit.Lit) (bool, error) {
	r, err := p.solver.Solve(b.ctx, sat.Query{Assumptions: assumptions, Roots: p.roots})
	return r == sat.Sat, err
}

// stateAt returns the state of a step in the model.
func (p *path) stateAt(b *bounded, step int) cube {
	lits := make([]circuit.Lit, len(p.states[step]))
	for i, l := range b.c.Latches() {
		lits[i] = l.Lit.NotIf(p.solver.Value(p.states[step][i]) != circuit.One)
	}
	return newCube(lits)
}

// obligations returns the first of a chain made of the steps 0 … last of the
// model, which goes on to next.
func (p *path) obligations(b *bounded, last int, next *obligation) *obligation {
	for step := last; step >= 0; step-- {
		o := &obligation{cube: p.stateAt(b, step), next: next}
		for _, l := range p.inputs[step] {
			o.inputs = append(o.inputs, circuit.ValueOf(p.solver.Value(l) == circuit.One))
		}
		b.stats.CTIs++
		next = o
	}
	return next
}
