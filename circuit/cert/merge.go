package cert

import (
	"context"

	"aiglens/circuit"
)

// Merge says that a gate is equal to a literal of a lower variable, in all states and
// under all inputs, whether these meet the constraints or not.
type Merge struct {
	Gate circuit.Var
	To   circuit.Lit
	// Proof are clauses over the circuit with the merges before, as Merged makes it before it
	// leaves anything out. Each follows from its gates and the clauses before, those of the
	// merges before included, by unit propagation; and so does in the end that the two are
	// equal.
	Proof [][]circuit.Lit
}

// Merged returns c with gates merged, in ascending order of the gates: as far as the
// proofs show, by unit propagation alone, that they are equal. What shows of the result
// shows of c: inputs, latches, bads and constraints have their positions, and each signal has
// the values that it has in c. Other properties are left out.
//
// The result is made from operands upwards, with structural hashing (circuit.Builder):
// inputs, latches, then gates in the order of c, each with its operands replaced by what
// they were merged with; resets are made of the gates that c has. At last gates that
// nothing reads are left out.
//
// The error is a *RejectedError when a proof shows nothing, or that of ctx.
func Merged(ctx context.Context, c *circuit.Circuit, merges []Merge) (*circuit.Circuit, error) {
	g := newGround(c.NumVars())
	to := make([]circuit.Lit, c.NumVars())
	lit := func(l circuit.Lit) circuit.Lit { return g.find(to[l.Var()].NotIf(l.IsNegated())) }
	for _, in := range c.Inputs() {
		to[in.Lit.Var()] = g.free(g.b.Input(in.Origin))
	}
	for _, l := range c.Latches() {
		to[l.Lit.Var()] = g.free(g.b.Latch(l.Origin))
	}
	for i := range c.NumVars() {
		v := circuit.Var(i)
		if left, right, isGate := c.Operands(v); isGate {
			to[v] = g.and(lit(left), lit(right))
		}
		for len(merges) > 0 && merges[0].Gate == v {
			m := merges[0]
			merges = merges[1:]
			if m.To.Var() >= v || c.Kind(v) != circuit.KindAnd {
				return nil, reject("form", "variable %d is merged with literal %d", v, m.To)
			}
			if err := g.merge(ctx, lit(v.Lit()), lit(m.To), m.Proof); err != nil {
				return nil, err
			}
		}
	}
	if len(merges) > 0 {
		return nil, reject("form", "variable %d is merged after a higher one, or is none", merges[0].Gate)
	}
	resets := g.resets(c, to)
	for _, l := range c.Latches() {
		g.b.SetNext(to[l.Lit.Var()], lit(l.Next))
		g.b.SetReset(to[l.Lit.Var()], resets(l.Reset))
	}
	for _, s := range c.Bads() {
		g.b.Bad(lit(s.Lit), s.Origin)
	}
	for _, s := range c.Constraints() {
		g.b.Constraint(lit(s.Lit), s.Origin)
	}
	return trimmed(g.b.Build()), nil
}

// trimmed returns c without gates that nothing reads: inputs, latches and properties have
// their positions.
func trimmed(c *circuit.Circuit) *circuit.Circuit {
	var read []circuit.Lit
	for _, l := range c.Latches() {
		read = append(read, l.Next, l.Reset)
	}
	for _, list := range [][]circuit.Signal{c.Bads(), c.Constraints()} {
		for _, s := range list {
			read = append(read, s.Lit)
		}
	}
	needed := cone(c, read)
	return copied(c, func(v circuit.Var) bool { return needed[v] }, nil)
}

// cone returns, by variable, what literals depend on within one step, themselves included.
func cone(c *circuit.Circuit, of []circuit.Lit) []bool {
	inside := make([]bool, c.NumVars())
	for _, l := range of {
		inside[l.Var()] = true
	}
	for v := circuit.Var(c.NumVars() - 1); v > 0; v-- { // operands are lower
		if a, b, isGate := c.Operands(v); isGate && inside[v] {
			inside[a.Var()], inside[b.Var()] = true, true
		}
	}
	return inside
}

// copied returns c with some of its gates, and with variables replaced by literals of lower
// ones. Inputs, latches, bads and constraints have their positions.
func copied(c *circuit.Circuit, needed func(circuit.Var) bool, replaced map[circuit.Var]circuit.Lit) *circuit.Circuit {
	b := circuit.NewBuilder(c.NumVars())
	own, to := make([]circuit.Lit, c.NumVars()), make([]circuit.Lit, c.NumVars())
	lit := func(l circuit.Lit) circuit.Lit { return to[l.Var()].NotIf(l.IsNegated()) }
	for _, in := range c.Inputs() {
		own[in.Lit.Var()] = b.Input(in.Origin)
	}
	for _, l := range c.Latches() {
		own[l.Lit.Var()] = b.Latch(l.Origin)
	}
	for i := range c.NumVars() {
		v := circuit.Var(i)
		by, isReplaced := replaced[v]
		left, right, isGate := c.Operands(v)
		switch {
		case isReplaced:
			to[v] = lit(by)
		case !isGate:
			to[v] = own[v]
		case needed(v):
			to[v] = b.And(lit(left), lit(right))
		}
	}
	for _, l := range c.Latches() {
		b.SetNext(own[l.Lit.Var()], lit(l.Next))
		if b.SetReset(own[l.Lit.Var()], lit(l.Reset)); l.IsFree() {
			b.SetReset(own[l.Lit.Var()], own[l.Lit.Var()])
		}
	}
	for _, s := range c.Bads() {
		b.Bad(lit(s.Lit), s.Origin)
	}
	for _, s := range c.Constraints() {
		b.Constraint(lit(s.Lit), s.Origin)
	}
	return b.Build()
}

// resets returns what the reset of a latch of c is, made of gates that are not merged: by
// merging, a reset could come to depend on its own latch. leaves has the copies of the
// inputs and the latches.
func (g *ground) resets(c *circuit.Circuit, leaves []circuit.Lit) func(circuit.Lit) circuit.Lit {
	var resets []circuit.Lit
	for _, l := range c.Latches() {
		resets = append(resets, l.Reset)
	}
	needed := cone(c, resets)
	to := make([]circuit.Lit, c.NumVars())
	lit := func(l circuit.Lit) circuit.Lit { return to[l.Var()].NotIf(l.IsNegated()) }
	for i := range to {
		if left, right, isGate := c.Operands(circuit.Var(i)); !isGate {
			to[i] = leaves[i]
		} else if needed[i] {
			to[i] = g.b.And(lit(left), lit(right))
		}
	}
	return lit
}

// ground is a circuit that grows, with its gates as clauses, and with those of its
// literals merged that were shown to be equal.
type ground struct {
	b     *circuit.Builder
	known *propagation
	// By variable: a literal of a lower one that is equal, or its own.
	equals   []circuit.Lit
	operands [][2]circuit.Lit // by variable; of a gate not 0
	// marked[v] is the number of the last merge with v in the cone of what is merged.
	marked []int
	number int
	todo   []circuit.Var
}

func newGround(capacity int) *ground {
	return &ground{b: circuit.NewBuilder(capacity), known: newPropagation(),
		equals: []circuit.Lit{circuit.False}, operands: make([][2]circuit.Lit, 1), marked: make([]int, 1)}
}

// variable takes a new variable into account.
func (g *ground) variable(l circuit.Lit, operands ...circuit.Lit) {
	g.known.variable(circuit.X)
	g.equals, g.marked = append(g.equals, l), append(g.marked, 0)
	var gate [2]circuit.Lit
	copy(gate[:], operands)
	g.operands = append(g.operands, gate)
}

// free takes a new variable into account that is not a gate.
func (g *ground) free(l circuit.Lit) circuit.Lit {
	g.variable(l)
	return l
}

// find returns what a literal was merged with.
func (g *ground) find(l circuit.Lit) circuit.Lit {
	for {
		equal := g.equals[l.Var()]
		if equal.Var() == l.Var() {
			return l
		}
		l = equal.NotIf(l.IsNegated())
	}
}

// and returns a literal for the conjunction of l and r.
func (g *ground) and(l, r circuit.Lit) circuit.Lit {
	m := g.b.And(l, r)
	if int(m.Var()) == len(g.equals) { // it is a new gate
		g.variable(m, l, r)
		g.known.add(m.Not(), l)
		g.known.add(m.Not(), r)
		g.known.add(m, l.Not(), r.Not())
	}
	return g.find(m)
}

// merge merges two literals that a proof shows to be equal.
func (g *ground) merge(ctx context.Context, l, m circuit.Lit, proof [][]circuit.Lit) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	g.mark(l, m)
	for i, clause := range proof {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case !g.known.has(clause):
			return reject("form", "clause %d of a merge has a variable that is not there", i)
		case !g.implies(clause...):
			return reject("merge", "clause %d of the proof that literals %d and %d are equal does not follow", i, l, m)
		}
		g.known.add(clause...)
	}
	if !g.implies(l.Not(), m) || !g.implies(l, m.Not()) {
		return reject("merge", "it does not follow that literals %d and %d are equal", l, m)
	}
	g.equate(l, m)
	return nil
}

// mark marks what two literals depend on.
func (g *ground) mark(l, m circuit.Lit) {
	g.number++
	add := func(v circuit.Var) {
		if g.marked[v] != g.number {
			g.marked[v] = g.number
			g.todo = append(g.todo, v)
		}
	}
	add(l.Var())
	add(m.Var())
	for len(g.todo) > 0 {
		v := g.todo[len(g.todo)-1]
		g.todo = g.todo[:len(g.todo)-1]
		add(g.operands[v][0].Var())
		add(g.operands[v][1].Var())
	}
}

// implies reports whether a clause follows by propagation: first within what is marked,
// which is most often enough, and then without bounds.
func (g *ground) implies(clause ...circuit.Lit) bool {
	g.known.within = func(v circuit.Var) bool { return g.marked[v] == g.number }
	if g.known.implies(clause...) {
		return true
	}
	g.known.within = nil
	return g.known.implies(clause...)
}

// equate merges two literals that are equal.
func (g *ground) equate(l, m circuit.Lit) {
	g.known.add(l.Not(), m)
	g.known.add(l, m.Not())
	if l.Var() < m.Var() {
		l, m = m, l
	}
	if l.Var() != m.Var() {
		g.equals[l.Var()] = m.NotIf(l.IsNegated())
	}
}
