package reduce

import (
	"context"
	"math/rand/v2"

	"aiglens/circuit"
	"aiglens/ic3/encode"
	"aiglens/ic3/sat"
)

// Bounds of signal correspondence of latches and gates.
const (
	signalEffort    = 200 // for each variable of the circuit, as correspondenceEffort
	minSignalEffort = 3_000_000
	signalRuns      = 16  // from reset
	signalSteps     = 128 // of a run
	signalConflicts = 100
	signalGain      = 20 // the least part of the gates that must go when all latches stay
	refineShare     = 4  // candidates looked at that count as one effort
)

// signals is the search for the coarsest partition of latches and gates that is
// inductive: the members of a class are equal in the first step, and in the step
// after one in which all are, whatever the inputs. The circuit has no constraints,
// and its latches come before its gates.
type signals struct {
	ctx     context.Context
	c       *circuit.Circuit
	classes *partition // the candidates
	sim     *circuit.Parallel
	inputs  []uint64 // scratch
	rng     *rand.Rand
	effort  int64 // left
	stats   *Stats
}

// MergeSignals returns r with latches and gates merged that are equal or opposite in
// all reachable states, though not in all: signal correspondence as in van Eijk's
// paper, with speculative reduction (Mony and others, "Speculative Reduction-Based
// Scalable Redundancy Identification", DATE 2009). Nil means that little was found, or
// that there are constraints or reset functions, under which nothing is tried.
//
// An invariant of the result rests on facts about gates, which Lift turns into clauses
// over latches; it can fail with ErrTooLarge. LiftRanking knows no such facts.
func (r *Reduced) MergeSignals(ctx context.Context, o Options) (*Reduced, error) {
	if len(r.Circuit.Constraints()) > 0 || r.Circuit.HasResetFunctions() || r.Circuit.Bads()[0].Lit == circuit.False {
		return nil, nil
	}
	before, merged := *r, *r
	before.Circuit = inOrder(r.Circuit)
	c := before.Circuit
	x := newSignals(ctx, c, o, &merged.Stats)
	bound := x.effort
	found, err := x.search()
	merged.Stats.Effort += bound - x.effort
	if err != nil || !found {
		return nil, err
	}
	k, err := copyMerged(ctx, c, x.classes, nil, !o.NoRewriting)
	if err != nil {
		return nil, err
	}
	merged.facts = &facts{&before, x.classes, strengthenClauses}
	if err := merged.setCircuit(ctx, k.finish(c, x.classes)); err != nil {
		return nil, err
	}
	merged.Stats.After = sizeOf(merged.Circuit)
	if n := sizeOf(c); merged.Stats.After.Latches == n.Latches && (n.Gates-merged.Stats.After.Gates)*signalGain < n.Gates {
		return nil, nil
	}
	return &merged, nil
}

func newSignals(ctx context.Context, c *circuit.Circuit, o Options, stats *Stats) *signals {
	return &signals{
		ctx:     ctx,
		c:       c,
		classes: newPartition(c.NumVars()),
		sim:     circuit.NewParallel(c),
		inputs:  make([]uint64, len(c.Inputs())),
		rng:     rand.New(rand.NewPCG(3, 0)),
		effort:  o.effort(signalEffort, minSignalEffort, c.NumVars()),
		stats:   stats,
	}
}

// inOrder returns c, which has no constraints, with its inputs first, then its latches,
// then its gates, all at their positions.
func inOrder(c *circuit.Circuit) *circuit.Circuit {
	b := circuit.NewBuilder(c.NumVars())
	to := c.CopyTo(b)
	for _, s := range c.Bads() {
		b.Bad(to(s.Lit), s.Origin)
	}
	return b.Build()
}

// search reports whether it found an inductive partition in which something is equal.
func (x *signals) search() (bool, error) {
	if err := x.simulate(); err != nil {
		return false, err
	}
	// Both tests hold for finer partitions only when they are made again: of the first,
	// that is needed for candidates that it has separated, and of the second for all.
	for _, test := range []func() (bool, error){x.first, x.round} {
		for news := true; news; {
			if len(x.classes.members) == 0 || x.effort <= 0 {
				x.stats.GaveUp = x.stats.GaveUp || x.effort <= 0
				return false, nil
			}
			x.stats.Rounds++
			var err error
			if news, err = test(); err != nil {
				return false, err
			}
		}
	}
	return true, nil
}

// simulate makes the candidates: what runs from reset do not tell apart.
func (x *signals) simulate() error {
	for i := range signalRuns {
		if err := x.ctx.Err(); err != nil {
			return err
		}
		x.sim.Reset(func(int) uint64 { return x.rng.Uint64() })
		x.randomInputs(^uint64(0))
		x.eval()
		if i == 0 {
			for j := 1; j < x.c.NumVars(); j++ {
				if v := circuit.Var(j); x.c.Kind(v) != circuit.KindInput {
					x.classes.join(v, 0, x.sim.Value(v.Lit())&1 == 1)
				}
			}
		}
		news := x.separate(^uint64(0))
		if x.run(^uint64(0), signalSteps, ^held) {
			news = true
		}
		if !news || x.effort <= 0 {
			break
		}
	}
	return nil
}

func (x *signals) randomInputs(lanes uint64) {
	for i, w := range x.inputs {
		x.inputs[i] = w&^lanes | x.rng.Uint64()&lanes
	}
}

func (x *signals) eval() {
	x.sim.Eval(x.inputs)
	x.effort -= int64(x.c.NumVars()/simulationShare) + 1
}

// run simulates further steps from one in which the candidates hold in some lanes,
// with new inputs in others of them, until there is no news, or the effort or the context
// is at its end. It reports whether there was.
func (x *signals) run(lanes uint64, steps int, changing uint64) (news bool) {
	for quiet := 0; steps > 0 && quiet < quietSteps && x.effort > 0 && x.ctx.Err() == nil; steps-- {
		x.sim.Advance()
		x.randomInputs(changing)
		x.eval()
		quiet++
		if x.separate(lanes) {
			news, quiet = true, 0
		}
	}
	return news
}

// separate separates candidates that differ in some lanes.
func (x *signals) separate(lanes uint64) (news bool) {
	x.effort -= int64(len(x.classes.members) / refineShare)
	return x.classes.refine(func(v circuit.Var) uint64 { return x.sim.Value(x.classes.normal(v)) & lanes }) != nil
}

// alone separates some candidates from all others.
func (x *signals) alone(unsolved map[circuit.Var]bool) {
	if len(unsolved) > 0 {
		x.stats.GaveUp = true
		x.classes.refine(func(v circuit.Var) uint64 {
			if unsolved[v] {
				return uint64(v)
			}
			return 0
		})
	}
}

// timeFrame is a copy of the circuit in one step.
type timeFrame struct {
	x      *signals
	w      *rewriter
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
func (x *signals) newFrame(w *rewriter, latch func(i int) circuit.Lit, claim func(v circuit.Var, l, r circuit.Lit)) (*timeFrame, error) {
	f := &timeFrame{x: x, w: w, to: make([]circuit.Lit, x.c.NumVars())}
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

// claim says that two literals stand for candidate v and its representative.
type claim struct {
	v, rep circuit.Var
	differ circuit.Lit
}

// first separates what is not equal in the first step.
func (x *signals) first() (news bool, err error) {
	w := newRewriter(x.c.NumVars(), true)
	free := make([]circuit.Lit, len(x.c.Latches()))
	var claims []claim
	f, err := x.newFrame(&w, func(i int) circuit.Lit {
		l := x.c.Latches()[i]
		if !l.IsFree() {
			return l.Reset
		}
		free[i] = w.latch(0)
		return free[i]
	}, func(v circuit.Var, l, r circuit.Lit) {
		claims = append(claims, claim{v, x.classes.rep[v], w.xor(l, r)})
	})
	if err != nil {
		return false, err
	}
	solver := sat.NewCore(encode.Gates(w.builder.Build()))
	return x.test(solver, claims, nil, func() bool {
		for i, l := range x.c.Latches() {
			if l.IsFree() {
				x.sim.SetLatch(i, modelWord(solver, free[i], x.rng))
			} else if l.Reset == circuit.True {
				x.sim.SetLatch(i, ^uint64(0))
			} else {
				x.sim.SetLatch(i, 0)
			}
		}
		x.setInputs(solver, f.inputs)
		x.eval()
		news := x.separate(^uint64(0))
		return x.run(^uint64(0), maxSteps, ^uint64(0)) || news
	})
}

// setInputs sets the inputs of the simulation to those of a model.
func (x *signals) setInputs(solver sat.Solver, copies []circuit.Lit) {
	for i, l := range copies {
		x.inputs[i] = modelWord(solver, l, x.rng)
	}
}

// round tests all candidates in the step after one in which all hold. News are
// candidates separated; without, the partition is inductive.
//
// In both steps each candidate is read as its representative. In the first, that is the
// assumption; in the second, it is sound when all claims hold, by induction over the
// order of the gates.
func (x *signals) round() (news bool, err error) {
	w := newRewriter(2*x.c.NumVars(), true)
	latches := make([]circuit.Lit, len(x.c.Latches()))
	var assumed, claims []claim
	var unequal []circuit.Lit
	now, err := x.newFrame(&w, func(i int) circuit.Lit {
		latches[i] = w.latch(0)
		if l := x.c.Latches()[i].Lit; x.classes.rep[l.Var()] != l.Var() {
			return x.firstOf(l, latches)
		}
		return latches[i]
	}, func(v circuit.Var, l, r circuit.Lit) {
		d := w.xor(l, r)
		unequal = append(unequal, d)
		assumed = append(assumed, claim{v, x.classes.rep[v], d})
	})
	if err != nil {
		return false, err
	}
	then, err := x.newFrame(&w, func(i int) circuit.Lit {
		return now.read(x.c.Latches()[i].Next)
	}, func(v circuit.Var, l, r circuit.Lit) {
		claims = append(claims, claim{v, x.classes.rep[v], w.xor(l, r)})
	})
	if err != nil {
		return false, err
	}
	solver := sat.NewCore(encode.Gates(w.builder.Build()))
	for _, a := range assumed {
		solver.AddClause([]circuit.Lit{a.differ.Not()})
	}
	return x.test(solver, claims, unequal, func() bool {
		for i := range latches {
			x.sim.SetLatch(i, modelWord(solver, latches[i], x.rng))
		}
		for i, l := range x.c.Latches() {
			if v := l.Lit.Var(); x.classes.rep[v] != v {
				x.sim.SetLatch(i, x.sim.Value(x.classes.literal(v)))
			}
		}
		x.setInputs(solver, now.inputs)
		second := make([]uint64, len(then.inputs))
		for i, l := range then.inputs {
			second[i] = modelWord(solver, l, x.rng)
		}
		x.eval()
		lanes := ^uint64(0)
		for _, v := range x.classes.members {
			lanes &^= x.sim.Value(x.classes.normal(v)) ^ x.sim.Value(x.classes.normal(x.classes.rep[v]))
		}
		if lanes == 0 {
			return false
		}
		x.sim.Advance()
		copy(x.inputs, second)
		x.eval()
		news := x.separate(lanes)
		return x.run(lanes, maxSteps, ^uint64(0)) || news
	})
}

// firstOf returns the copy of the representative of latch l.
func (x *signals) firstOf(l circuit.Lit, latches []circuit.Lit) circuit.Lit {
	to := x.classes.literal(l.Var())
	if to.Var() == 0 {
		return to
	}
	return latches[x.c.LatchIndex(to.Var())].NotIf(to.IsNegated())
}

// test asks the solver for each claim. learn simulates its model and reports whether
// that separated candidates; if not, the query is repeated with roots. News are
// candidates separated.
func (x *signals) test(solver sat.Solver, claims []claim, roots []circuit.Lit, learn func() bool) (news bool, err error) {
	unsolved := map[circuit.Var]bool{}
	for _, cl := range claims {
		if x.classes.rep[cl.v] != cl.rep || x.effort <= 0 {
			news = true
			continue
		}
		holds := false
		for _, with := range [][]circuit.Lit{nil, roots} {
			before := work(solver.Stats())
			result, err := solver.Solve(x.ctx, sat.Query{Assumptions: []circuit.Lit{cl.differ}, Roots: with, MaxConflicts: signalConflicts})
			x.effort -= work(solver.Stats()) - before
			if err != nil {
				return false, err
			}
			if holds = result == sat.Unsat; holds || result == sat.Sat && learn() {
				break
			}
		}
		if !holds {
			news = true
			if x.classes.rep[cl.v] == cl.rep {
				unsolved[cl.v] = true
			}
		}
	}
	s := solver.Stats()
	x.stats.Queries += s.Queries
	x.stats.Conflicts += s.Conflicts
	x.alone(unsolved)
	return news, nil
}
