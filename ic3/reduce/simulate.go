package reduce

import (
	"math/rand/v2"

	"aiglens/circuit"
	"aiglens/ic3/sat"
)

// Bounds of the simulations that separate latches.
const (
	resetRuns       = 3  // from reset
	stateRuns       = 8  // from random states that meet the candidates
	maxSteps        = 64 // of a run
	quietSteps      = 6  // without news that end a run
	simulationShare = 16 // variables of a simulated step that count as one effort
	// held are the lanes in which the inputs stay as they are: what only happens
	// while some input keeps its value would hardly ever be seen under random
	// ones, nor would constraints on inputs be met for long.
	held uint64 = 1<<32 - 1
)

// patterns simulates 64 runs of a circuit at once and separates the candidates that
// they tell apart.
type patterns struct {
	c         *circuit.Circuit
	classes   *partition // the candidates
	separated []circuit.Var
	sim       *circuit.Parallel
	inputs    []uint64 // of the present step
	rng       *rand.Rand
	effort    int64 // left
}

// newPatterns returns patterns in which every variable is alone. Each stream gives other
// random ones.
func newPatterns(c *circuit.Circuit, stream uint64, effort int64) patterns {
	return patterns{
		c:       c,
		classes: newPartition(c.NumVars()),
		sim:     circuit.NewParallel(c),
		inputs:  make([]uint64, len(c.Inputs())),
		rng:     rand.New(rand.NewPCG(stream, 0)),
		effort:  effort,
	}
}

// randomInputs gives the inputs new values in some lanes.
func (p *patterns) randomInputs(lanes uint64) {
	for i, w := range p.inputs {
		p.inputs[i] = w&^lanes | p.rng.Uint64()&lanes
	}
}

// modelInputs sets the inputs to their copies in the solver's model.
func (p *patterns) modelInputs(solver sat.Solver, copies func(i int) circuit.Lit) {
	for i := range p.inputs {
		p.inputs[i] = modelWord(solver, copies(i), p.rng)
	}
}

func (p *patterns) eval() {
	p.sim.Eval(p.inputs)
	p.effort -= int64(p.c.NumVars()/simulationShare) + 1
}

// allowed returns the lanes in which the constraints hold.
func (p *patterns) allowed() uint64 {
	lanes := ^uint64(0)
	for _, s := range p.c.Constraints() {
		lanes &= p.sim.Value(s.Lit)
	}
	return lanes
}

// separate separates candidates that differ in some lanes.
func (p *patterns) separate(lanes uint64) (separated []circuit.Var) {
	return p.refine(func(v circuit.Var) uint64 { return p.sim.Value(p.classes.normal(v)) & lanes })
}

// refine is that of the candidates.
func (p *patterns) refine(key func(circuit.Var) uint64) (separated []circuit.Var) {
	separated = p.classes.refine(key)
	p.separated = append(p.separated, separated...)
	return separated
}

// meetCandidates sets every latch to the value of its representative.
func (p *patterns) meetCandidates() {
	for i, l := range p.c.Latches() {
		if v := l.Lit.Var(); p.classes.rep[v] != v {
			p.sim.SetLatch(i, p.sim.Value(p.classes.literal(v)))
		}
	}
}

// simulate separates candidates by runs from reset and from random states that
// meet the candidates, within a third of the effort.
func (x *correspondence) simulate() error {
	end := x.effort - x.effort/3
	for i := range resetRuns + stateRuns {
		if err := x.ctx.Err(); err != nil {
			return err
		}
		if i < resetRuns {
			x.sim.Reset(func(int) uint64 { return x.rng.Uint64() })
		} else {
			for i := range x.c.Latches() {
				x.sim.SetLatch(i, x.rng.Uint64())
			}
			x.meetCandidates()
		}
		x.randomInputs(^uint64(0))
		if news := x.run(); !news && i >= resetRuns || x.effort < end {
			break
		}
	}
	return nil
}

// run simulates steps, the first under x.inputs, and separates the candidates
// that a step tells apart. The latches must be set to states that meet the
// candidates; so do then all states that follow. It reports whether there was
// news.
func (x *correspondence) run() (news bool) {
	lanes, quiet := ^uint64(0), 0
	for range maxSteps {
		quiet++
		if x.step(&lanes) != nil {
			news, quiet = true, 0
		}
		if quiet == quietSteps || lanes == 0 || x.ctx.Err() != nil {
			break
		}
		x.randomInputs(^held)
	}
	return news
}

// step simulates one step and returns the latches that it separated. Lanes that
// violate a constraint no longer count.
func (x *correspondence) step(lanes *uint64) (separated []circuit.Var) {
	x.eval()
	*lanes &= x.allowed()
	if *lanes == 0 {
		return nil
	}
	x.sim.Advance()
	return x.separate(*lanes)
}

// learn simulates steps from the state in the solver's model, with 64 choices
// of what it leaves open.
//
// A latch that was separated is then free to have its new value in that state,
// all else unchanged: a bit of a counter turns 1 when all lower ones are, and
// with it 1 as well the next bit turns. That is tried first, as long as there is
// news.
func (x *correspondence) learn(k *copied, solver sat.Solver) {
	state := make([]uint64, len(x.c.Latches()))
	for i, l := range x.c.Latches() {
		state[i] = modelWord(solver, k.lit(l.Lit), x.rng)
	}
	x.modelInputs(solver, func(i int) circuit.Lit { return k.lit(x.c.Inputs()[i].Lit) })
	for range maxSteps {
		for i, w := range state {
			x.sim.SetLatch(i, w)
		}
		x.meetCandidates()
		lanes := ^uint64(0)
		separated := x.step(&lanes)
		if separated == nil || x.ctx.Err() != nil {
			break
		}
		for _, v := range separated {
			state[x.c.LatchIndex(v)] = x.sim.Value(v.Lit())
		}
	}
	x.randomInputs(^held)
	x.run()
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
