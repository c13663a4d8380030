package reduce

import (
	"context"
	"math/rand/v2"

	"aiglens/circuit"
	"aiglens/ic3/encode"
	"aiglens/ic3/sat"
)

// Bounds of signal correspondence. Effort counts propagations and the variables
// of the domains of all queries, and for what is done to the whole circuit its
// number of variables; it does not depend on the machine.
const (
	correspondenceEffort = 60 // for each variable of the circuit
	minEffort            = 20_000
	maxRounds            = 200
	structuralRounds     = 50 // after the effort is spent
	queryConflicts       = 200
	resetSteps           = 24 // simulated from reset, each time
	resetRuns            = 3
	quietSteps           = 8  // without news that end a simulation
	stateRuns            = 8  // from random states that meet the candidates
	stateSteps           = 16 // simulated from each of these, at most
	simulationShare      = 16 // variables of a simulated step that count as one effort
)

// correspondence is the search for the coarsest partition of the latches that is
// inductive: in every state that meets it and the constraints, a step leads to a
// state that meets it. Candidates are all latches with a fixed reset, taken
// negated when that is 1, so that in the reset states all members of a class are
// 0; what a step from a state that meets the candidates tells apart is in no
// inductive partition among them.
type correspondence struct {
	ctx       context.Context
	c         *circuit.Circuit
	classes   *partition // the candidates
	constants *partition // shown already: what remains when the bounds are reached
	sim       *circuit.Parallel
	inputs    []uint64 // scratch
	rng       *rand.Rand
	effort    int64 // left
	stats     *Stats
}

// correspond returns an inductive partition of the latches of c which is not
// finer than constants.
func correspond(ctx context.Context, c *circuit.Circuit, constants *partition, stats *Stats) (*partition, error) {
	x := &correspondence{
		ctx:       ctx,
		c:         c,
		classes:   newPartition(c.NumVars()),
		constants: constants,
		sim:       circuit.NewParallel(c),
		inputs:    make([]uint64, len(c.Inputs())),
		rng:       rand.New(rand.NewPCG(1, 0)),
		effort:    minEffort + correspondenceEffort*int64(c.NumVars()),
		stats:     stats,
	}
	for _, l := range c.Latches() {
		if l.Reset <= circuit.True {
			v := l.Lit.Var()
			x.classes.rep[v], x.classes.negated[v] = 0, l.Reset == circuit.True
		}
	}
	before := x.effort
	defer func() { stats.Effort += before - x.effort }()
	if err := x.simulate(); err != nil {
		return nil, err
	}
	for extra := 0; ; {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		stats.Rounds++
		spent := x.effort <= 0 || stats.Rounds > maxRounds
		if spent {
			stats.GaveUp = true
			if extra++; extra > structuralRounds {
				return constants, nil
			}
		}
		done, err := x.round(spent)
		if err != nil {
			return nil, err
		}
		if done {
			return x.classes, nil
		}
	}
}

// round tests whether the candidates are inductive, and separates what is not.
// It assumes them by replacing every latch by its representative, after which
// most next states that are equal are the same literal; the solver decides on
// the others, unless the effort is spent: then they are separated.
func (x *correspondence) round(spent bool) (done bool, err error) {
	k, err := copyMerged(x.ctx, x.c, x.classes, true)
	if err != nil {
		return false, err
	}
	x.effort -= int64(x.c.NumVars())
	next := make([]circuit.Lit, x.c.NumVars()) // of the normal literals
	for _, l := range x.c.Latches() {
		v := l.Lit.Var()
		next[v] = k.read(x.classes, l.Next).NotIf(x.classes.negated[v])
	}
	if spent {
		return !x.classes.refine(func(v circuit.Var) uint64 { return uint64(next[v]) }), nil
	}
	var pairs []pair
	for _, l := range x.c.Latches() {
		v := l.Lit.Var()
		rep := x.classes.rep[v]
		if v != rep && next[v] != next[rep] {
			pairs = append(pairs, pair{v, rep, k.builder.Xor(next[v], next[rep])})
		}
	}
	if len(pairs) == 0 {
		return true, nil
	}
	constraints := make([]circuit.Lit, len(x.c.Constraints()))
	for i, s := range x.c.Constraints() {
		constraints[i] = k.read(x.classes, s.Lit)
	}
	return x.prove(k, pairs, constraints)
}

// pair is a member of a class and its representative, with a literal that is
// true when they differ after a step.
type pair struct {
	member, rep circuit.Var
	differ      circuit.Lit
}

// prove asks the solver whether the pairs can differ after a step from a state
// that meets the candidates. done: none can.
func (x *correspondence) prove(k *copied, pairs []pair, constraints []circuit.Lit) (done bool, err error) {
	solver := sat.NewCore(encode.Gates(k.builder.Build()))
	for _, l := range constraints {
		solver.AddClause([]circuit.Lit{l})
	}
	done = true
	unsolved := map[circuit.Var]bool{}
	var before sat.Stats
	for _, p := range pairs {
		if x.classes.rep[p.member] != p.rep {
			continue // separated since
		}
		if x.effort <= 0 {
			unsolved[p.member] = true
			continue
		}
		result, err := solver.Solve(x.ctx, sat.Query{
			Assumptions:  []circuit.Lit{p.differ},
			Roots:        constraints,
			MaxConflicts: queryConflicts,
		})
		if err != nil {
			return false, err
		}
		stats := solver.Stats()
		x.effort -= work(stats) - work(before)
		before = stats
		switch result {
		case sat.Unsat:
			continue
		case sat.Sat:
			x.separate(k, solver)
			done = false
		}
		if x.classes.rep[p.member] == p.rep {
			unsolved[p.member] = result != sat.Unsat
		}
	}
	x.stats.Queries += before.Queries
	x.stats.Conflicts += before.Conflicts
	if len(unsolved) > 0 {
		x.stats.GaveUp, done = true, false
		x.classes.refine(func(v circuit.Var) uint64 {
			if unsolved[v] {
				return 1
			}
			return 0
		})
	}
	return done, nil
}

// work is the effort behind the counters of a solver.
func work(s sat.Stats) int64 { return s.Propagations + s.DomainVars }

// separate simulates steps from the state in the solver's model, with 64 choices
// of what it leaves open.
func (x *correspondence) separate(k *copied, solver sat.Solver) {
	for i, l := range x.c.Latches() {
		x.sim.SetLatch(i, modelWord(solver, k.lit(l.Lit), x.rng))
	}
	x.meetCandidates()
	for i, in := range x.c.Inputs() {
		x.inputs[i] = modelWord(solver, k.lit(in.Lit), x.rng)
	}
	x.run(^uint64(0), stateSteps)
}

// modelWord returns the value of a literal in the solver's model, 64 times, or a
// random word where the model leaves it open.
func modelWord(solver sat.Solver, l circuit.Lit, rng *rand.Rand) uint64 {
	switch solver.Value(l) {
	case circuit.Zero:
		return 0
	case circuit.One:
		return ^uint64(0)
	}
	return rng.Uint64()
}

// meetCandidates sets every latch to the value of its representative.
func (x *correspondence) meetCandidates() {
	for i, l := range x.c.Latches() {
		if v := l.Lit.Var(); x.classes.rep[v] != v {
			x.sim.SetLatch(i, x.sim.Value(x.classes.literal(v)))
		}
	}
}

// simulate separates candidates by runs from reset and from random states that
// meet the candidates.
func (x *correspondence) simulate() error {
	for range resetRuns {
		if err := x.ctx.Err(); err != nil {
			return err
		}
		x.sim.Reset(func(int) uint64 { return x.rng.Uint64() })
		x.randomInputs()
		x.run(^uint64(0), resetSteps)
	}
	for range stateRuns {
		if err := x.ctx.Err(); err != nil {
			return err
		}
		for i := range x.c.Latches() {
			x.sim.SetLatch(i, x.rng.Uint64())
		}
		x.meetCandidates()
		x.randomInputs()
		if !x.run(^uint64(0), stateSteps) {
			break
		}
	}
	return nil
}

func (x *correspondence) randomInputs() {
	for i := range x.inputs {
		x.inputs[i] = x.rng.Uint64()
	}
}

// run simulates at most so many steps, the first under x.inputs and the others
// under random ones, and separates the candidates that a step tells apart. The
// latches must be set to states that meet the candidates; so do then all states
// that follow. Lanes that violate a constraint count no more. It reports
// whether there was news.
func (x *correspondence) run(lanes uint64, steps int) (news bool) {
	quiet := 0
	for range steps {
		x.sim.Eval(x.inputs)
		x.effort -= int64(x.c.NumVars()/simulationShare) + 1
		for _, s := range x.c.Constraints() {
			lanes &= x.sim.Value(s.Lit)
		}
		if lanes == 0 {
			break
		}
		x.sim.Advance()
		quiet++
		if x.classes.refine(func(v circuit.Var) uint64 { return x.sim.Value(x.classes.normal(v)) & lanes }) {
			news, quiet = true, 0
		}
		if quiet == quietSteps {
			break
		}
		x.randomInputs()
	}
	return news
}
