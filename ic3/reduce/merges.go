package reduce

import (
	"context"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/sat"
)

// MergeOptions bound the search for gates that are equal.
type MergeOptions struct {
	// Effort bounds the work of the solver and of simulation, in propagations and variables
	// of domains.
	Effort int64
	// Conflicts bounds each query.
	Conflicts int64
}

// UsualMergeOptions returns the bounds that Reduce sets.
func UsualMergeOptions(c *circuit.Circuit) MergeOptions {
	return MergeOptions{Effort: Options{}.effort(sweepEffort, minSweepEffort, c.NumVars()), Conflicts: sweepConflicts}
}

// Bounds of the search for gates that are equal.
const (
	mergeQuiet    = 8  // words of patterns without news that end the simulation
	mergePatterns = 64 // words
)

// merger looks for gates that are equal up to a phase in all states and under all inputs,
// as a sweeper does. It asks about the circuit with merges instead of the one before, so
// that what is merged is not part of later queries any more, and keeps what the solver has
// learnt as the proof.
type merger struct {
	patterns
	grown
	options MergeOptions
	to      []circuit.Lit // by variable of c
	merges  []cert.Merge
	gaveUp  bool // a query was given up
}

// Merging is what a search for gates that are equal has come to.
type Merging struct {
	// Merges are gates that are equal to others, for cert.Merged; those of the same operands
	// are not among them, as structural hashing makes them one anyway.
	Merges []cert.Merge
	// Again says that there may be more, which need more conflicts.
	Again bool
	// Effort is what it took.
	Effort int64
}

// Merges looks for gates of c that are equal to others. The error is that of ctx.
//
// Mishchenko and others, "FRAIGs: A Unifying Representation for Logic Synthesis and
// Verification" (2005), after Kuehlmann and Krohm, "Equivalence Checking Using Cuts and
// Heaps" (DAC 1997).
func Merges(ctx context.Context, c *circuit.Circuit, o MergeOptions) (m Merging, err error) {
	x := &merger{
		patterns: newPatterns(c, 4, o.Effort),
		options:  o,
		to:       make([]circuit.Lit, c.NumVars()),
	}
	x.grown.init(ctx, c.NumVars())
	defer func() { m.Effort = o.Effort - x.effort }()
	if err := x.simulate(); err != nil {
		return m, err
	}
	for _, in := range c.Inputs() {
		x.to[in.Lit.Var()] = x.free(x.b.Input(0))
	}
	for _, l := range c.Latches() {
		x.to[l.Lit.Var()] = x.free(x.b.Latch(0))
	}
	for i := range c.NumVars() {
		if i%pollEvery == 0 && ctx.Err() != nil {
			return m, ctx.Err()
		}
		v := circuit.Var(i)
		left, right, isGate := c.Operands(v)
		if !isGate {
			continue
		}
		x.to[v] = x.and(x.lit(left), x.lit(right))
		if err := x.merge(v); err != nil {
			return m, err
		}
	}
	m.Merges, m.Again = x.merges, x.gaveUp && x.effort > 0
	return m, nil
}

// lit returns what a literal of c is in b.
func (x *merger) lit(l circuit.Lit) circuit.Lit { return x.find(x.to[l.Var()].NotIf(l.IsNegated())) }

// simulate makes the candidates: what patterns do not tell apart, of states at random and
// of states on random runs by turns.
func (x *merger) simulate() error {
	runs := newPatterns(x.c, 5, 0)
	runs.sim.Reset(func(int) uint64 { return runs.rng.Uint64() })
	quiet := 0
	for i := range mergePatterns {
		if err := x.ctx.Err(); err != nil {
			return err
		}
		runs.randomInputs(^held)
		if i%maxSteps == 0 {
			runs.randomInputs(^uint64(0))
		}
		runs.eval()
		for k, l := range x.c.Latches() {
			w := x.rng.Uint64()
			if i%2 == 1 {
				w = runs.sim.Value(l.Lit)
			}
			x.sim.SetLatch(k, w)
		}
		runs.sim.Advance()
		x.randomInputs(^uint64(0))
		x.eval()
		if i == 0 {
			for k := 1; k < x.c.NumVars(); k++ { // the phase is that of the first pattern
				x.classes.join(circuit.Var(k), 0, x.sim.Value(circuit.Var(k).Lit())&1 == 1)
			}
		}
		quiet++
		if x.separate(^uint64(0)) != nil {
			quiet = 0
		}
		if quiet == mergeQuiet {
			break
		}
	}
	return nil
}

// merge merges v with its candidate, if the two are equal.
func (x *merger) merge(v circuit.Var) error {
	for range sweepRetries {
		to := x.classes.literal(v)
		l, m := x.lit(v.Lit()), x.lit(to)
		if to.Var() == v || l == m {
			return nil
		}
		if x.effort <= 0 {
			return nil
		}
		before := x.spent()
		result, err := x.differ(l, m, sat.Query{MaxConflicts: x.options.Conflicts})
		x.effort -= x.spent() - before
		switch {
		case err != nil:
			return err
		case result == sat.Unsat:
			x.merges = append(x.merges, cert.Merge{Gate: v, To: to, Proof: x.proof()})
			x.equate(l, m)
			return nil
		case result != sat.Sat:
			x.gaveUp = true
			return nil
		}
		x.separateModel()
	}
	x.gaveUp = true
	return nil
}

// separateModel separates what the solver's model, with 64 choices of what it leaves open,
// tells apart.
func (x *merger) separateModel() {
	for i, l := range x.c.Latches() {
		x.sim.SetLatch(i, modelWord(x.solver, x.lit(l.Lit), x.rng))
	}
	x.modelInputs(x.solver, func(i int) circuit.Lit { return x.lit(x.c.Inputs()[i].Lit) })
	x.eval()
	x.separate(^uint64(0))
}
