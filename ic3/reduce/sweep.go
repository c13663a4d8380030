package reduce

import (
	"context"

	"aiglens/circuit"
	"aiglens/ic3/encode"
	"aiglens/ic3/sat"
)

// Bounds of SAT sweeping.
const (
	sweepEffort    = 60 // as correspondenceEffort
	minSweepEffort = 2_000
	sweepConflicts = 30
	sweepPatterns  = 32 // words of 64 patterns
	quietPatterns  = 4  // words without news that end the simulation
	sweepRetries   = 8  // representatives that a gate is compared with
)

// sweeper looks for gates that are equal up to a phase in all states and under
// all inputs. It copies the circuit as it goes, operands first, with what was
// shown to be equal merged. So gates that are equal because their operands are
// become one without a query, as in Mishchenko and others, "FRAIGs: A Unifying
// Representation for Logic Synthesis and Verification" (2005).
type sweeper struct {
	patterns
	ctx    context.Context
	copied *copied
	solver sat.Solver // over the gates of c
	stats  *Stats
}

// sweep returns c with gates that were shown to be equal merged.
func sweep(ctx context.Context, c *circuit.Circuit, o Options, stats *Stats) (*circuit.Circuit, error) {
	x := &sweeper{
		patterns: newPatterns(c, 2, o.effort(sweepEffort, minSweepEffort, c.NumVars())),
		ctx:      ctx,
		copied:   newCopy(c, !o.NoRewriting),
		solver:   sat.NewCore(encode.Gates(c)),
		stats:    stats,
	}
	before := x.effort
	defer func() { stats.Effort += before - x.effort }()
	if err := x.simulate(); err != nil {
		return nil, err
	}
	for i := range c.NumVars() {
		if i%pollEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		v := circuit.Var(i)
		left, right, isGate := c.Operands(v)
		if !isGate {
			continue
		}
		x.copied.to[v] = x.copied.and(x.copied.lit(left), x.copied.lit(right))
		if err := x.merge(v); err != nil {
			return nil, err
		}
	}
	s := x.solver.Stats()
	stats.Queries += s.Queries
	stats.Conflicts += s.Conflicts
	return x.copied.finish(c, newPartition(c.NumVars())), nil
}

// simulate makes the candidates: what random patterns do not tell apart.
func (x *sweeper) simulate() error {
	x.random()
	x.eval()
	// The phase is that of the first pattern.
	for i := 1; i < x.c.NumVars(); i++ {
		v := circuit.Var(i)
		x.classes.join(v, 0, x.sim.Value(v.Lit())&1 == 1)
	}
	x.separate(^uint64(0))
	quiet := 0
	for range sweepPatterns {
		if err := x.ctx.Err(); err != nil {
			return err
		}
		x.random()
		x.eval()
		quiet++
		if x.separate(^uint64(0)) != nil {
			quiet = 0
		}
		if quiet == quietPatterns {
			break
		}
	}
	return nil
}

func (x *sweeper) random() {
	for i := range x.c.Latches() {
		x.sim.SetLatch(i, x.rng.Uint64())
	}
	x.randomInputs(^uint64(0))
}

// merge lets v be copied as its candidate, if the two are equal. What a query
// has shown is known in later ones.
func (x *sweeper) merge(v circuit.Var) error {
	for range sweepRetries {
		if x.classes.rep[v] == v {
			return nil
		}
		l, r := v.Lit(), x.classes.literal(v)
		if x.copied.lit(l) == x.copied.lit(r) {
			x.stats.Swept++
			return nil
		}
		if x.effort <= 0 {
			x.stats.GaveUp = true
			return nil
		}
		before := work(x.solver.Stats())
		result, err := x.compare(l, r)
		if err != nil {
			return err
		}
		x.effort -= work(x.solver.Stats()) - before
		switch result {
		case sat.Sat:
			x.separateModel()
			continue
		case sat.Unsat:
			x.solver.AddClause([]circuit.Lit{l, r.Not()})
			x.solver.AddClause([]circuit.Lit{l.Not(), r})
			x.copied.to[v] = x.copied.lit(r)
			x.stats.Swept++
		default:
			x.stats.GaveUp = true
		}
		return nil
	}
	return nil
}

// compare asks whether l and r can differ.
func (x *sweeper) compare(l, r circuit.Lit) (sat.Result, error) {
	result, err := x.solver.Solve(x.ctx, sat.Query{Assumptions: []circuit.Lit{l, r.Not()}, MaxConflicts: sweepConflicts})
	if result != sat.Unsat || err != nil {
		return result, err
	}
	return x.solver.Solve(x.ctx, sat.Query{Assumptions: []circuit.Lit{l.Not(), r}, MaxConflicts: sweepConflicts})
}

// separateModel separates what the solver's model, with 64 choices of what it
// leaves open, tells apart.
func (x *sweeper) separateModel() {
	for i, l := range x.c.Latches() {
		x.sim.SetLatch(i, modelWord(x.solver, l.Lit, x.rng))
	}
	x.modelInputs(x.solver, func(i int) circuit.Lit { return x.c.Inputs()[i].Lit })
	x.eval()
	x.separate(^uint64(0))
}
