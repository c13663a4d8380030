package reduce

import (
	"context"
	"math/rand/v2"

	"aiglens/circuit"
	"aiglens/ic3/encode"
	"aiglens/ic3/sat"
)

// Bounds of SAT sweeping.
const (
	sweepEffort    = 60 // as correspondenceEffort
	sweepConflicts = 30
	sweepPatterns  = 32 // words of 64 patterns
	quietPatterns  = 4  // words without news that end the simulation
	sweepRetries   = 8  // representatives that a gate is compared with
)

// sweeper looks for gates that are equal up to a phase in all states and under
// all inputs.
type sweeper struct {
	ctx     context.Context
	c       *circuit.Circuit
	classes *partition // the candidates: equal under all patterns so far
	sim     *circuit.Parallel
	inputs  []uint64 // scratch
	rng     *rand.Rand
	effort  int64 // left
}

// sweep returns the gates of c that were shown equal to an earlier variable.
func sweep(ctx context.Context, c *circuit.Circuit, stats *Stats) (*partition, error) {
	x := &sweeper{
		ctx:     ctx,
		c:       c,
		classes: newPartition(c.NumVars()),
		sim:     circuit.NewParallel(c),
		inputs:  make([]uint64, len(c.Inputs())),
		rng:     rand.New(rand.NewPCG(2, 0)),
		effort:  minEffort + sweepEffort*int64(c.NumVars()),
	}
	before := x.effort
	defer func() { stats.Effort += before - x.effort }()
	if err := x.simulate(); err != nil {
		return nil, err
	}
	return x.prove(stats)
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
	x.separate()
	quiet := 0
	for range sweepPatterns {
		if err := x.ctx.Err(); err != nil {
			return err
		}
		x.random()
		x.eval()
		quiet++
		if x.separate() {
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
	for i := range x.inputs {
		x.inputs[i] = x.rng.Uint64()
	}
}

func (x *sweeper) eval() {
	x.sim.Eval(x.inputs)
	x.effort -= int64(x.c.NumVars()/simulationShare) + 1
}

func (x *sweeper) separate() (news bool) {
	return x.classes.refine(func(v circuit.Var) uint64 { return x.sim.Value(x.classes.normal(v)) }) != nil
}

// prove asks the solver about each gate that has a candidate, operands first.
// What it has shown is known in later queries.
func (x *sweeper) prove(stats *Stats) (*partition, error) {
	shown := newPartition(x.c.NumVars())
	// A representative is never merged itself: what was shown equal stays
	// together. So the phases are those of the candidates.
	shown.negated = x.classes.negated
	solver := sat.NewCore(encode.Gates(x.c))
	var before sat.Stats
	for i := range x.c.NumVars() {
		v := circuit.Var(i)
		if _, _, isGate := x.c.Operands(v); !isGate {
			continue
		}
		for range sweepRetries {
			if x.classes.rep[v] == v {
				break
			}
			if x.effort <= 0 {
				stats.GaveUp = true
				break
			}
			result, err := x.compare(solver, v.Lit(), x.classes.literal(v))
			if err != nil {
				return nil, err
			}
			now := solver.Stats()
			x.effort -= work(now) - work(before)
			before = now
			if result == sat.Unsat {
				x.merge(shown, solver, v)
				break
			}
			if result == sat.Unsolved {
				stats.GaveUp = true
				break
			}
			x.separateModel(solver)
		}
	}
	stats.Queries += before.Queries
	stats.Conflicts += before.Conflicts
	stats.Swept = len(shown.members)
	return shown, nil
}

// compare asks whether l and r can differ.
func (x *sweeper) compare(solver sat.Solver, l, r circuit.Lit) (sat.Result, error) {
	result, err := solver.Solve(x.ctx, sat.Query{Assumptions: []circuit.Lit{l, r.Not()}, MaxConflicts: sweepConflicts})
	if result != sat.Unsat || err != nil {
		return result, err
	}
	return solver.Solve(x.ctx, sat.Query{Assumptions: []circuit.Lit{l.Not(), r}, MaxConflicts: sweepConflicts})
}

// merge notes that v is equal to its candidate.
func (x *sweeper) merge(shown *partition, solver sat.Solver, v circuit.Var) {
	l, r := v.Lit(), x.classes.literal(v)
	solver.AddClause([]circuit.Lit{l, r.Not()})
	solver.AddClause([]circuit.Lit{l.Not(), r})
	shown.join(v, r.Var(), x.classes.negated[v])
}

// separateModel separates what the solver's model, with 64 choices of what it
// leaves open, tells apart.
func (x *sweeper) separateModel(solver sat.Solver) {
	for i, l := range x.c.Latches() {
		x.sim.SetLatch(i, modelWord(solver, l.Lit, x.rng))
	}
	for i, in := range x.c.Inputs() {
		x.inputs[i] = modelWord(solver, in.Lit, x.rng)
	}
	x.eval()
	x.separate()
}
