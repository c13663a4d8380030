package ic3

import (
	"math/rand/v2"

	"aiglens/circuit"
)

// reachedStates holds states that a random simulation from the initial states has
// reached under the constraints. State j is bit j%64 of word j/64 of every latch.
type reachedStates struct {
	words  int
	values [][]uint64 // by variable of a latch
	valid  []uint64   // bit 0 for a state of a run that broke a constraint
}

const (
	reachedAfter = 200_000 // effort before the simulation
	reachedSteps = 512     // of 64 runs each
	// reachedGates bounds the gates times steps.
	reachedGates = 4_000_000
	reachedSeed  = 1
)

// simulate makes 64 random runs at a time.
func simulate(c *circuit.Circuit, resets []circuit.Lit) *reachedStates {
	steps := min(reachedSteps, reachedGates/max(1, c.NumVars()))
	if steps < 8 {
		return nil
	}
	random := rand.New(rand.NewPCG(reachedSeed, 0))
	r := &reachedStates{words: steps, values: make([][]uint64, c.NumVars()), valid: make([]uint64, steps)}
	for _, l := range c.Latches() {
		r.values[l.Lit.Var()] = make([]uint64, steps)
	}
	value := make([]uint64, c.NumVars())
	at := func(l circuit.Lit) uint64 {
		if l.IsNegated() {
			return ^value[l.Var()]
		}
		return value[l.Var()]
	}
	next := make([]uint64, len(c.Latches()))
	var alive uint64
	for t := range steps {
		if alive == 0 {
			alive = ^uint64(0)
			for i, l := range c.Latches() {
				switch reset := resets[l.Lit.Var()]; {
				case reset == circuit.False:
					next[i] = random.Uint64()
				case reset.IsNegated():
					next[i] = 0
				default:
					next[i] = ^uint64(0)
				}
			}
		}
		for i, l := range c.Latches() {
			value[l.Lit.Var()] = next[i]
			r.values[l.Lit.Var()][t] = next[i]
		}
		r.valid[t] = alive
		for _, in := range c.Inputs() {
			value[in.Lit.Var()] = random.Uint64()
		}
		for v := 1; v < c.NumVars(); v++ {
			if a, b, isGate := c.Operands(circuit.Var(v)); isGate {
				value[v] = at(a) & at(b)
			}
		}
		for _, s := range c.Constraints() {
			alive &= at(s.Lit)
		}
		for i, l := range c.Latches() {
			next[i] = at(l.Next)
		}
	}
	return r
}

// holds reports whether a reached state lies in the cube.
func (r *reachedStates) holds(c cube) bool {
	for t := range r.words {
		in := r.valid[t]
		for _, l := range c {
			w := r.values[l.Var()][t]
			if l.IsNegated() {
				w = ^w
			}
			if in &= w; in == 0 {
				break
			}
		}
		if in != 0 {
			return true
		}
	}
	return false
}

// isReached reports whether a state of the cube is known to be reachable.
func (e *engine) isReached(c cube) bool {
	if !e.has(ReachedStates) {
		return false
	}
	if e.reached == nil {
		if e.effort < e.reachedAfter {
			return false
		}
		if e.reached = simulate(e.c, e.reset); e.reached == nil {
			e.tactics &^= ReachedStates
			return false
		}
	}
	if !e.reached.holds(c) {
		return false
	}
	e.stats.ReachedSkips++
	return true
}
