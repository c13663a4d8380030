package reduce

import (
	"aiglens/circuit"
	"aiglens/ic3/encode"
	"aiglens/ic3/sat"
)

// obligation is a part of induction: the candidates are equal in the last of so many
// successive steps that meet the constraints, the first of them the first of a run or
// any, when they are in all steps before.
type obligation struct {
	frames    int
	fromReset bool
}

// timeFrame is a copy of the circuit in one step.
type timeFrame struct {
	x      *Signals
	to     []circuit.Lit // by variable, its copy, made of the copies of representatives
	inputs []circuit.Lit
}

// read returns the copy of the representative of a literal.
func (f *timeFrame) read(l circuit.Lit) circuit.Lit {
	to := f.x.classes.literal(l.Var()).NotIf(l.IsNegated())
	return f.to[to.Var()].NotIf(to.IsNegated())
}

// newFrame copies the circuit with latches given. Each candidate is passed to claim with
// literals that are claimed to be equal. The error is that of the context.
func (x *Signals) newFrame(w *rewriter, latch func(i int) circuit.Lit, claim func(v circuit.Var, l, r circuit.Lit)) (*timeFrame, error) {
	f := &timeFrame{x: x, to: make([]circuit.Lit, x.c.NumVars())}
	for _, in := range x.c.Inputs() {
		l := w.input(0)
		f.inputs = append(f.inputs, l)
		f.to[in.Lit.Var()] = l
	}
	for i := 1; i < x.c.NumVars(); i++ {
		if i%pollEvery == 0 && x.ctx.Err() != nil {
			return nil, x.ctx.Err()
		}
		v := circuit.Var(i)
		if left, right, isGate := x.c.Operands(v); isGate {
			f.to[v] = w.and(f.read(left), f.read(right))
		} else if x.c.Kind(v) == circuit.KindLatch {
			f.to[v] = latch(x.c.LatchIndex(v))
		}
		if x.classes.rep[v] != v {
			if l, r := f.to[v], f.read(v.Lit()); l != r {
				claim(v, l, r)
			}
		}
	}
	x.effort -= copyEffort * int64(x.c.NumVars())
	return f, nil
}

// test asks whether all candidates meet an obligation.
//
// In all steps each candidate is read as its representative. Before the last, that is the
// assumption; in the last, it is sound when all claims hold, by induction over the
// order of the gates. A constraint of the last step reads none, because it is assumed of
// candidates that are claims still.
type test struct {
	obligation
	frames      []*timeFrame
	latches     []circuit.Lit // of the first frame, those with a fixed reset as that
	constraints []circuit.Lit
	roots       []circuit.Lit // of all assumptions
	claims      []claim
	next        int           // claim
	unsolved    []circuit.Var // claimed
	spared      bool          // what is shown was not claimed again
	solver      sat.Solver
}

// claim says that two literals stand for candidate v and its representative.
type claim struct {
	v, rep circuit.Var
	differ circuit.Lit
}

// newTest returns a test that has asked nothing yet. The error is that of the context.
func (x *Signals) newTest(o obligation) (*test, error) {
	w := newRewriter(o.frames*x.c.NumVars(), true)
	var unequal []circuit.Lit
	t := &test{obligation: o, latches: make([]circuit.Lit, len(x.c.Latches()))}
	for len(t.frames) < o.frames {
		latch := func(i int) circuit.Lit { return x.firstState(t, &w, i) }
		if i := len(t.frames); i > 0 {
			latch = func(l int) circuit.Lit { return t.frames[i-1].read(x.c.Latches()[l].Next) }
		}
		last := len(t.frames) == o.frames-1
		f, err := x.newFrame(&w, latch, func(v circuit.Var, l, r circuit.Lit) {
			switch {
			case !last:
				unequal = append(unequal, w.xor(l, r))
			case x.shown[v]:
				t.spared = true
			default:
				t.claims = append(t.claims, claim{v, x.classes.rep[v], w.xor(l, r)})
			}
		})
		if err != nil {
			return nil, err
		}
		t.frames = append(t.frames, f)
		if last {
			t.constraints = append(t.constraints, unmerged(x.c, &w, f.to)...)
			break
		}
		for _, s := range x.c.Constraints() {
			t.constraints = append(t.constraints, f.read(s.Lit))
		}
	}
	t.solver = sat.NewCore(encode.Gates(w.builder.Build()))
	for _, l := range unequal {
		t.solver.AddClause([]circuit.Lit{l.Not()})
	}
	t.roots = append(unequal, t.constraints...)
	for _, l := range t.constraints {
		t.solver.AddClause([]circuit.Lit{l})
	}
	x.separated = x.separated[:0]
	x.stats.Rounds++
	return t, nil
}

// firstState returns the copy of a latch in the first frame of a test.
func (x *Signals) firstState(t *test, w *rewriter, i int) circuit.Lit {
	l := x.c.Latches()[i]
	if t.fromReset && !l.IsFree() {
		t.latches[i] = l.Reset
		return l.Reset
	}
	t.latches[i] = w.latch(0)
	if v := l.Lit.Var(); !t.fromReset && x.classes.rep[v] != v {
		to := x.classes.literal(v)
		if to.Var() == 0 {
			return to
		}
		return t.latches[x.c.LatchIndex(to.Var())].NotIf(to.IsNegated())
	}
	return t.latches[i]
}

// ask asks for claims of the test under way, and ends it after the last.
func (x *Signals) ask() error {
	t := x.asked
	for ; t.next < len(t.claims); t.next++ {
		if x.effort <= 0 {
			return nil
		}
		cl := t.claims[t.next]
		if x.classes.rep[cl.v] != cl.rep {
			continue // separated since
		}
		holds, err := x.holds(t, cl)
		switch {
		case err != nil:
			return err
		case holds:
			x.shown[cl.v] = true
		case x.classes.rep[cl.v] == cl.rep:
			t.unsolved = append(t.unsolved, cl.v)
		}
	}
	x.asked = nil
	x.alone(t.unsolved)
	switch {
	case len(x.separated) > 0:
		x.reconsider(t.obligation.frames)
	case t.spared: // a proof may have used assumptions outside of the cone of its claim
		clear(x.shown)
	default:
		clear(x.shown)
		x.open = x.open[1:]
	}
	return nil
}

// holds asks the solver for a claim. From its model the simulation learns; if that
// separates nothing, the query is repeated with all assumptions.
func (x *Signals) holds(t *test, cl claim) (bool, error) {
	for _, roots := range [][]circuit.Lit{t.constraints, t.roots} {
		result, err := x.solve(t.solver, sat.Query{Assumptions: []circuit.Lit{cl.differ}, Roots: roots, MaxConflicts: signalConflicts})
		if err != nil || result == sat.Unsat {
			return err == nil, err
		}
		if result == sat.Sat && x.learn(t) {
			break
		}
	}
	return false, nil
}

// learn simulates the steps of the solver's model, and some that follow. News are
// candidates separated.
func (x *Signals) learn(t *test) (news bool) {
	for i, l := range x.c.Latches() {
		switch {
		case !t.fromReset || l.IsFree():
			x.sim.SetLatch(i, modelWord(t.solver, t.latches[i], x.rng))
		case l.Reset == circuit.True:
			x.sim.SetLatch(i, ^uint64(0))
		default:
			x.sim.SetLatch(i, 0)
		}
	}
	if !t.fromReset {
		x.meetCandidates()
	}
	lanes := ^uint64(0)
	for i, f := range t.frames {
		if i > 0 {
			x.sim.Advance()
		}
		x.modelInputs(t.solver, func(in int) circuit.Lit { return f.inputs[in] })
		x.eval()
		lanes &= x.allowed()
		if i < len(t.frames)-1 {
			lanes &= x.equal()
		}
		if lanes == 0 {
			return false
		}
	}
	news = x.separate(lanes)
	return x.run(lanes, maxSteps, ^uint64(0)) || news
}

// equal returns the lanes in which all candidates are equal.
func (x *Signals) equal() uint64 {
	x.effort -= int64(len(x.classes.members) / refineShare)
	lanes := ^uint64(0)
	for _, v := range x.classes.members {
		lanes &^= x.sim.Value(x.classes.normal(v)) ^ x.sim.Value(x.classes.normal(x.classes.rep[v]))
	}
	return lanes
}

// alone separates some candidates from all others.
func (x *Signals) alone(unsolved []circuit.Var) {
	if len(unsolved) == 0 {
		return
	}
	x.stats.GaveUp = true
	own := map[circuit.Var]uint64{}
	for _, v := range unsolved {
		own[v] = uint64(v)
	}
	x.refine(func(v circuit.Var) uint64 { return own[v] })
}

// reconsider withdraws what was shown of candidates that depend, within so many steps, on
// one that has a new representative.
func (x *Signals) reconsider(frames int) {
	from := x.separated
	reached, latches := x.readers.reach(x.c, from)
	for range frames - 1 {
		reached, latches = x.readers.reach(x.c, append(latches, from...))
	}
	for v := range x.shown {
		x.shown[v] = x.shown[v] && !reached[v] && !reached[x.classes.rep[v]]
	}
	for _, s := range x.c.Constraints() {
		if reached[s.Lit.Var()] {
			clear(x.shown)
		}
	}
	x.effort -= int64(frames * x.c.NumVars() / reachShare)
}
