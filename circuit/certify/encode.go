package certify

import (
	"context"
	"slices"

	"aiglens/circuit"
	"aiglens/circuit/cert"
)

// goal is a formula: the assumptions, which are the constraints of the circuit that b
// builds, imply each conclusion.
type goal struct {
	b           *circuit.Builder
	conclusions []conclusion
}

// conclusion is a literal and what it is about, in words.
type conclusion struct {
	lit   circuit.Lit
	about string
}

// firstFalse returns the position of a conclusion that does not follow, or −1. Of a
// conjunction each part is asked by itself: a solver answers many small questions sooner
// than one about an invariant as a whole.
func (g *goal) firstFalse(ctx context.Context) (int, error) {
	c := g.b.Build()
	var parts []circuit.Lit
	var of []int                       // the positions of the conclusions that they are parts of
	known := circuit.NewTable[bool](c) // conjunctions that were taken apart
	for i, whole := range g.conclusions {
		for open := []circuit.Lit{whole.lit}; len(open) > 0; {
			l := open[len(open)-1]
			open = open[:len(open)-1]
			left, right, isGate := c.Operands(l.Var())
			switch {
			case l == circuit.True:
			case !isGate || l.IsNegated():
				parts, of = append(parts, l), append(of, i)
			case !known.At(l.Var()):
				known.Set(l.Var(), true)
				open = append(open, right, left)
			}
		}
	}
	if len(parts) == 0 {
		return -1, nil
	}
	i, err := cert.FirstFalse(ctx, c, parts)
	if err != nil || i < 0 {
		return -1, err
	}
	return of[i], nil
}

// assume adds assumptions.
func (g *goal) assume(lits ...circuit.Lit) {
	for _, l := range lits {
		g.b.Constraint(l, 0)
	}
}

// conclude adds a conclusion.
func (g *goal) conclude(l circuit.Lit, about string) {
	g.conclusions = append(g.conclusions, conclusion{l, about})
}

func (g *goal) equal(x, y circuit.Lit) circuit.Lit { return g.b.Xor(x, y).Not() }

func (g *goal) implies(x, y circuit.Lit) circuit.Lit { return g.b.Or(x.Not(), y) }

// or returns the disjunction of literals.
func (g *goal) or(lits []circuit.Lit) circuit.Lit {
	some := circuit.False
	for _, l := range lits {
		some = g.b.Or(some, l)
	}
	return some
}

// fresh returns n variables.
func (g *goal) fresh(n int) []circuit.Lit {
	lits := make([]circuit.Lit, n)
	for i := range lits {
		lits[i] = g.b.Input(0)
	}
	return lits
}

// instant is a circuit at a point in time: its literals in the formula.
type instant struct {
	c    *circuit.Circuit
	lits []circuit.Lit // by variable of c
}

func (x *instant) lit(l circuit.Lit) circuit.Lit { return x.lits[l.Var()].NotIf(l.IsNegated()) }

// all returns the literals of signals.
func (x *instant) all(signals []circuit.Signal) []circuit.Lit {
	lits := make([]circuit.Lit, len(signals))
	for i, s := range signals {
		lits[i] = x.lit(s.Lit)
	}
	return lits
}

// constraints returns C.
func (x *instant) constraints() []circuit.Lit { return x.all(x.c.Constraints()) }

// witnessed returns the properties that a witness is about: no lemmas, which are beside them, and
// no covers, whose good answer is a run.
func witnessed(c *circuit.Circuit) []circuit.Property {
	return slices.DeleteFunc(c.Properties(), func(p circuit.Property) bool {
		return p.Kind == circuit.PropertyLemma || p.Kind == circuit.PropertyCover
	})
}

// safe returns P: the negations of the bads, or of the outputs where they are the
// properties.
func (x *instant) safe() []circuit.Lit {
	var lits []circuit.Lit
	for _, p := range witnessed(x.c) {
		if bad, ok := x.c.Bad(p); ok {
			lits = append(lits, x.lit(bad).Not())
		}
	}
	return lits
}

// at returns a circuit at a point in time, with the values of its inputs and latches.
func (g *goal) at(c *circuit.Circuit, inputs, latches []circuit.Lit) *instant {
	x := &instant{c, make([]circuit.Lit, c.NumVars())}
	for i, in := range c.Inputs() {
		x.lits[in.Lit.Var()] = inputs[i]
	}
	for i, l := range c.Latches() {
		x.lits[l.Lit.Var()] = latches[i]
	}
	for v := range circuit.Var(c.NumVars()) {
		if left, right, ok := c.Operands(v); ok {
			x.lits[v] = g.b.And(x.lit(left), x.lit(right))
		}
	}
	return x
}

// any returns a circuit at a point in time of which nothing is known.
func (g *goal) any(c *circuit.Circuit) *instant {
	return g.at(c, g.fresh(len(c.Inputs())), g.fresh(len(c.Latches())))
}

// start returns a circuit at a point in time at which all latches have their resets.
func (g *goal) start(c *circuit.Circuit) *instant {
	latches := g.fresh(len(c.Latches()))
	for i, l := range c.Latches() {
		if l.Reset <= circuit.True {
			latches[i] = l.Reset
		}
	}
	x := g.at(c, g.fresh(len(c.Inputs())), latches)
	for _, l := range c.Latches() {
		if l.HasFunction() {
			g.assume(g.hasReset(x, l))
		}
	}
	return x
}

// hasReset says that a latch has its reset.
func (g *goal) hasReset(x *instant, l circuit.Latch) circuit.Lit {
	switch {
	case l.IsFree():
		return circuit.True
	case l.Reset <= circuit.True:
		return x.lit(l.Lit).NotIf(l.Reset == circuit.False)
	}
	return g.equal(x.lit(l.Lit), x.lit(l.Reset))
}

// after returns the circuit of x in the step after x.
func (g *goal) after(x *instant) *instant {
	return g.at(x.c, g.fresh(len(x.c.Inputs())), nexts(x))
}

// nexts returns the values of the latches in the step after x.
func nexts(x *instant) []circuit.Lit {
	latches := make([]circuit.Lit, len(x.c.Latches()))
	for i, l := range x.c.Latches() {
		latches[i] = x.lit(l.Next)
	}
	return latches
}

// signals are the liveness signals of a pair at two points in time: those of the witness,
// and 1 where only the model has one.
type signals struct {
	fairness []circuit.Lit
	justice  [][]circuit.Lit
}

// signals returns the liveness signals of the witness at the points x and y.
func (g *goal) signals(p *Pair, x, y *instant) signals {
	leaves := make([]circuit.Lit, 0, len(p.Signals.Inputs()))
	for _, in := range p.Witness.Inputs() {
		leaves = append(leaves, x.lit(in.Lit))
	}
	for _, l := range p.Witness.Latches() {
		leaves = append(leaves, x.lit(l.Lit))
	}
	for _, l := range p.Reads {
		leaves = append(leaves, y.lit(l))
	}
	return signalsOf(g.at(p.Signals, leaves, nil)).padded(p.Model)
}

// signalsOf returns the negated literals of the fairness and the justice properties.
func signalsOf(x *instant) (s signals) {
	for _, f := range x.c.Fairness() {
		s.fairness = append(s.fairness, x.lit(f.Lit).Not())
	}
	for _, j := range x.c.Justice() {
		lits := make([]circuit.Lit, len(j.Lits))
		for i, l := range j.Lits {
			lits[i] = x.lit(l).Not()
		}
		s.justice = append(s.justice, lits)
	}
	return s
}

// padded adds what only the model has.
func (s signals) padded(model *circuit.Circuit) signals {
	for len(s.fairness) < len(model.Fairness()) {
		s.fairness = append(s.fairness, circuit.True)
	}
	for i, j := range model.Justice() {
		if i == len(s.justice) {
			s.justice = append(s.justice, nil)
		}
		for len(s.justice[i]) < len(j.Lits) {
			s.justice[i] = append(s.justice[i], circuit.True)
		}
	}
	return s
}

// live returns Q′, a literal for each justice property.
func (g *goal) live(s signals) []circuit.Lit {
	fair := g.or(s.fairness)
	live := make([]circuit.Lit, len(s.justice))
	for i, lits := range s.justice {
		live[i] = g.b.Or(fair, g.or(lits))
	}
	return live
}
