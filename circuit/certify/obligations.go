package certify

import (
	"fmt"

	"aiglens/circuit"
)

// goals returns the formulas that an obligation consists of.
func (p *Pair) goals(o Obligation) []*goal {
	one := func(write func(*goal)) []*goal {
		g := &goal{b: circuit.NewBuilder(4 * p.Witness.NumVars())}
		write(g)
		return []*goal{g}
	}
	switch o {
	case Reset:
		return append(one(p.reset), p.tracked(p.gatesAtReset)...)
	case Transition:
		return append(one(p.transition), p.tracked(p.gatesAfterStep)...)
	case Safety:
		return one(p.safety)
	case Liveness:
		return one(p.liveness)
	case Base:
		return one(p.base)
	case Step:
		return one(p.step)
	}
	if len(p.Model.Justice())+len(p.Witness.Justice()) == 0 {
		return nil // there is nothing to rank
	}
	switch o {
	case Decrease:
		return one(p.decrease)
	case Closure:
		return one(p.closure)
	}
	return one(p.consistent)
}

// isGate reports whether a gate, or a constant, of the witness stands for a latch or an
// input of the model.
func (p *Pair) isGate(s Shared) bool {
	k := p.Witness.Kind(s.Witness.Var())
	return k == circuit.KindAnd || k == circuit.KindConstant
}

// fromModel returns the value of a variable of the witness, given that of the model's.
func (s Shared) fromModel(value circuit.Lit) circuit.Lit {
	return value.NotIf(s.Model.IsNegated() != s.Witness.IsNegated())
}

// fromWitness returns the value of a variable of the model at a point in time.
func (s Shared) fromWitness(w *instant) circuit.Lit {
	return w.lit(s.Witness).NotIf(s.Model.IsNegated())
}

// model returns the model at the same point in time as the witness. Gates says whether
// those of the witness define what they stand for.
func (p *Pair) model(g *goal, w *instant, gates bool) *instant {
	inputs, latches := g.fresh(len(p.Model.Inputs())), g.fresh(len(p.Model.Latches()))
	p.share(w, inputs, latches, func(s Shared) bool { return gates || !p.isGate(s) })
	return g.at(p.Model, inputs, latches)
}

// share gives inputs and latches of the model the values of the witness.
func (p *Pair) share(w *instant, inputs, latches []circuit.Lit, which func(Shared) bool) {
	for _, s := range p.Shared {
		if !which(s) {
			continue
		}
		v := s.Model.Var()
		if i := p.Model.LatchIndex(v); i >= 0 {
			latches[i] = s.fromWitness(w)
		} else {
			inputs[p.Model.InputIndex(v)] = s.fromWitness(w)
		}
	}
}

// sharedLatches calls f for each latch of one circuit, with its position, that is shared.
func (p *Pair) sharedLatches(c *circuit.Circuit, of func(Shared) circuit.Lit, f func(int, circuit.Latch)) {
	for _, s := range p.Shared {
		if i := c.LatchIndex(of(s).Var()); i >= 0 {
			f(i, c.Latches()[i])
		}
	}
}

func ofModel(s Shared) circuit.Lit   { return s.Model }
func ofWitness(s Shared) circuit.Lit { return s.Witness }

// concludeConstraints concludes C′.
func (g *goal) concludeConstraints(w *instant) {
	for i, l := range w.constraints() {
		g.conclude(l, fmt.Sprintf("constraint %d of the witness", i))
	}
}

// concludeSafe concludes P.
func (g *goal) concludeSafe(x *instant, of string) {
	for i, l := range x.safe() {
		g.conclude(l, fmt.Sprintf("bad %d of the %s", i, of))
	}
}

// concludeLive concludes Q′.
func (g *goal) concludeLive(s signals) {
	for i, l := range g.live(s) {
		g.conclude(l, fmt.Sprintf("justice %d of the witness", i))
	}
}

func (p *Pair) reset(g *goal) {
	w := g.any(p.Witness)
	m := p.model(g, w, true)
	p.sharedLatches(p.Model, ofModel, func(_ int, l circuit.Latch) { g.assume(g.hasReset(m, l)) })
	g.assume(m.constraints()...)
	p.sharedLatches(p.Witness, ofWitness, func(i int, l circuit.Latch) {
		g.conclude(g.hasReset(w, l), fmt.Sprintf("latch %d of the witness", i))
	})
	g.concludeConstraints(w)
}

// transition takes what both have at t from the model's step wherever it is an input or a
// latch of the witness: what both circuits compute alike is then the same gate.
func (p *Pair) transition(g *goal) {
	w := g.any(p.Witness)
	m := p.model(g, w, true)
	inputs, latches := g.fresh(len(p.Model.Inputs())), g.fresh(len(p.Model.Latches()))
	p.sharedLatches(p.Model, ofModel, func(i int, l circuit.Latch) { latches[i] = m.lit(l.Next) })
	wt := p.witnessAt(g, inputs, latches, g.fresh(len(p.Witness.Latches())))
	for _, s := range p.Shared {
		if i := p.Model.LatchIndex(s.Model.Var()); i >= 0 && p.isGate(s) {
			g.assume(g.equal(latches[i], s.fromWitness(wt)))
		}
	}
	p.share(wt, inputs, latches, p.isGate)
	mt := g.at(p.Model, inputs, latches)
	g.assume(m.constraints()...)
	g.assume(mt.constraints()...)
	g.assume(w.constraints()...)
	p.sharedLatches(p.Witness, ofWitness, func(i int, l circuit.Latch) {
		g.conclude(g.equal(w.lit(l.Next), wt.lit(l.Lit)), fmt.Sprintf("latch %d of the witness", i))
	})
	g.concludeConstraints(wt)
}

// witnessAt returns the witness at a point in time. What it shares with the model has the
// model's values, where it is not a gate; own are those of its other latches.
func (p *Pair) witnessAt(g *goal, inputs, latches, own []circuit.Lit) *instant {
	wi := g.fresh(len(p.Witness.Inputs()))
	for _, s := range p.Shared {
		if p.isGate(s) {
			continue
		}
		value := circuit.False
		if i := p.Model.LatchIndex(s.Model.Var()); i >= 0 {
			value = latches[i]
		} else {
			value = inputs[p.Model.InputIndex(s.Model.Var())]
		}
		v := s.Witness.Var()
		if i := p.Witness.LatchIndex(v); i >= 0 {
			own[i] = s.fromModel(value)
		} else {
			wi[p.Witness.InputIndex(v)] = s.fromModel(value)
		}
	}
	return g.at(p.Witness, wi, own)
}

// tracked returns the formula about gates that stand for latches and inputs, where there
// are any and the model has a property.
func (p *Pair) tracked(write func(*goal)) []*goal {
	if len(witnessed(p.Model)) == 0 {
		return nil
	}
	for _, s := range p.Shared {
		if p.isGate(s) {
			g := &goal{b: circuit.NewBuilder(4 * p.Witness.NumVars())}
			write(g)
			return []*goal{g}
		}
	}
	return nil
}

// ownLatches reports for each latch of the witness whether it is outside of K.
func (p *Pair) ownLatches() []bool {
	own := make([]bool, len(p.Witness.Latches()))
	for i := range own {
		own[i] = true
	}
	p.sharedLatches(p.Witness, ofWitness, func(i int, _ circuit.Latch) { own[i] = false })
	return own
}

func (p *Pair) gatesAtReset(g *goal) {
	w := g.any(p.Witness)
	m := p.model(g, w, false)
	for _, l := range p.Model.Latches() {
		g.assume(g.hasReset(m, l))
	}
	for i, own := range p.ownLatches() {
		if own {
			g.assume(g.hasReset(w, p.Witness.Latches()[i]))
		}
	}
	g.assume(m.constraints()...)
	p.concludeGates(g, w, m)
}

func (p *Pair) gatesAfterStep(g *goal) {
	w := g.any(p.Witness)
	m := p.model(g, w, false)
	for _, s := range p.Shared {
		g.assume(g.equal(s.fromWitness(w), m.lit(s.Model.Positive())))
	}
	inputs, latches := g.fresh(len(p.Model.Inputs())), nexts(m)
	wt, mt := p.witnessAt(g, inputs, latches, nexts(w)), g.at(p.Model, inputs, latches)
	g.assume(m.constraints()...)
	g.assume(mt.constraints()...)
	g.assume(w.constraints()...)
	p.concludeGates(g, wt, mt)
}

// concludeGates concludes that gates have the values of what they stand for.
func (p *Pair) concludeGates(g *goal, w, m *instant) {
	for i, s := range p.Shared {
		if p.isGate(s) {
			g.conclude(g.equal(s.fromWitness(w), m.lit(s.Model.Positive())), fmt.Sprintf("pair %d of the mapping", i))
		}
	}
}

func (p *Pair) safety(g *goal) {
	w := g.any(p.Witness)
	m := p.model(g, w, true)
	g.assume(m.constraints()...)
	g.assume(w.constraints()...)
	g.assume(w.safe()...)
	g.concludeSafe(m, "model")
}

// assumeMet assumes the constraints and the properties of safety of the witness.
func (g *goal) assumeMet(points ...*instant) {
	for _, w := range points {
		g.assume(w.constraints()...)
		g.assume(w.safe()...)
	}
}

func (p *Pair) liveness(g *goal) {
	if len(p.Model.Justice()) == 0 {
		return // fairness alone has no effect
	}
	w := g.any(p.Witness)
	wt := g.after(w)
	m, mt := p.model(g, w, true), p.model(g, wt, true)
	g.assumeMet(w, wt)
	g.assume(m.constraints()...)
	g.assume(mt.constraints()...)
	has, must := g.signals(p, w, wt), signalsOf(m)
	for i, q := range must.fairness {
		g.conclude(g.implies(has.fairness[i], q), fmt.Sprintf("fairness %d", i))
	}
	for j, lits := range must.justice {
		for i, q := range lits {
			g.conclude(g.implies(has.justice[j][i], q), fmt.Sprintf("literal %d of justice %d", i, j))
		}
	}
}

func (p *Pair) base(g *goal) {
	w := g.start(p.Witness)
	g.assume(w.constraints()...)
	g.concludeSafe(w, "witness")
}

func (p *Pair) step(g *goal) {
	w := g.any(p.Witness)
	wt := g.after(w)
	g.assumeMet(w)
	g.assume(wt.constraints()...)
	g.concludeSafe(wt, "witness")
}

func (p *Pair) decrease(g *goal) {
	w := g.any(p.Witness)
	wt := g.after(w)
	g.assumeMet(w, wt)
	g.concludeLive(g.signals(p, wt, w))
}

func (p *Pair) closure(g *goal) {
	w := g.any(p.Witness)
	wt, wu := g.after(w), g.any(p.Witness)
	g.assumeMet(w, wt, wu)
	g.assume(g.live(g.signals(p, w, wu))...)
	g.concludeLive(g.signals(p, wt, wu))
}

func (p *Pair) consistent(g *goal) {
	w := g.any(p.Witness)
	wt := g.after(w)
	wu := g.after(wt)
	g.assumeMet(w, wt, wu)
	now, later := g.signals(p, w, wt), g.signals(p, wt, wu)
	g.assume(g.live(now)...)
	g.assume(g.live(later)...)
	for i, q := range now.fairness {
		g.conclude(g.implies(q, later.fairness[i]), fmt.Sprintf("fairness %d of the witness", i))
	}
	for j, lits := range now.justice {
		for i, q := range lits {
			g.conclude(g.implies(q, later.justice[j][i]), fmt.Sprintf("literal %d of justice %d of the witness", i, j))
		}
	}
	fairness := len(p.Model.Fairness())
	for j, x := range p.Model.Justice() {
		if n := len(x.Lits); len(now.justice[j]) > n || len(now.fairness) > fairness {
			shared := append(now.fairness[:fairness:fairness], now.justice[j][:n]...)
			g.conclude(g.or(shared), fmt.Sprintf("justice %d of the witness: a signal that the model does not have", j))
		}
	}
}
