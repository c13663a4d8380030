package live

import (
	"aiglens/circuit"
	"aiglens/circuit/cert"
)

// path is a run of a circuit from an initial state, which looks for states that come again
// with the end of a round in between.
type path struct {
	c       *circuit.Circuit
	sim     *circuit.Parallel
	inputs  []uint64
	initial []circuit.Value
	rows    [][]circuit.Value // by step: the inputs
	states  [][]bool          // one more than steps; by latch
	// lastEnd is, for each state, the number of steps up to the last end of a round.
	lastEnd []int
	first   map[string]int // by state, the first step with it
	evals   int64          // simulated steps whose effort was not asked for yet
}

func newPath(c *circuit.Circuit) *path {
	return &path{c: c, sim: circuit.NewParallel(c), inputs: make([]uint64, len(c.Inputs()))}
}

func (p *path) steps() int { return len(p.rows) }

// state returns the last state.
func (p *path) state() []bool { return p.states[len(p.states)-1] }

// follow goes the steps of a trace from the last state, but the last one, with which a
// round would end. It returns a lasso if it meets one there or a little further on.
func (p *path) follow(t cert.Trace) *cert.Lasso {
	if p.steps() == 0 {
		p.begin(t.Initial[:len(p.c.Latches())])
	}
	last := t.Steps() - 1
	for _, row := range t.Inputs[:last] {
		if loop, closed := p.step(row); closed {
			return p.lasso(loop)
		}
	}
	steps := p.steps()
	if loop, closed := p.step(t.Inputs[last]); closed {
		return p.lasso(loop)
	}
	if loop, closed := p.goRound(); closed {
		return p.lasso(loop)
	}
	p.truncate(steps)
	return nil
}

// gatesPerPropagation is the number of gates that are simulated in the time of a
// propagation.
const gatesPerPropagation = 16

// effort returns that of the simulation since it was asked for.
func (p *path) effort() int64 {
	evals := p.evals
	p.evals = 0
	return evals * int64(p.c.NumVars()) / gatesPerPropagation
}

// begin sets the initial state.
func (p *path) begin(initial []circuit.Value) {
	p.initial = initial
	state := make([]bool, len(initial))
	for i, v := range initial {
		state[i] = v == circuit.One
	}
	p.states, p.lastEnd, p.first = [][]bool{state}, []int{0}, map[string]int{keyOf(state): 0}
}

// step goes one step. closed says that its state was met before, in step loop, and that a
// round has ended since.
func (p *path) step(row []circuit.Value) (loop int, closed bool) {
	end := p.lastEnd[p.steps()]
	state, ends, _ := p.after(row)
	p.rows = append(p.rows, row)
	if ends {
		end = p.steps()
	}
	p.states, p.lastEnd = append(p.states, state), append(p.lastEnd, end)
	key := keyOf(state)
	loop, again := p.first[key]
	if !again {
		p.first[key] = p.steps()
		return 0, false
	}
	return loop, end > loop
}

// after returns the state after a step from the last one, whether a round ends with it, and
// whether it meets the constraints.
func (p *path) after(row []circuit.Value) (state []bool, ends, allowed bool) {
	for i, isOne := range p.state() {
		p.sim.SetLatch(i, word(isOne))
	}
	for i, v := range row {
		p.inputs[i] = word(v == circuit.One)
	}
	p.sim.Eval(p.inputs)
	p.evals++
	allowed = true
	for _, s := range p.c.Constraints() {
		allowed = allowed && p.sim.Value(s.Lit)&1 == 1
	}
	state = make([]bool, len(p.c.Latches()))
	for i, l := range p.c.Latches() {
		state[i] = p.sim.Value(l.Next)&1 == 1
	}
	return state, p.sim.Value(p.c.Bads()[0].Lit)&1 == 1, allowed
}

const (
	// roundSteps bounds the steps for which a path is repeated in the hope for a lasso, and
	// roundStarts the number of places from which on.
	roundSteps  = 64
	roundStarts = 8
)

// goRound repeats the inputs of the last steps, as long as the constraints allow it.
func (p *path) goRound() (loop int, closed bool) {
	steps := p.steps()
	start := steps
	for range roundStarts {
		// Back to the end of a round, and to where it began.
		start = p.lastEnd[start] - 1
		if start < 0 {
			break
		}
		for i := 0; i < roundSteps; i++ {
			row := p.rows[start+i%(steps-start)]
			if _, _, allowed := p.after(row); !allowed {
				break
			}
			if loop, closed := p.step(row); closed {
				return loop, true
			}
		}
		p.truncate(steps)
	}
	return 0, false
}

// truncate goes back to the state after some steps.
func (p *path) truncate(steps int) {
	for i := steps + 1; i < len(p.states); i++ {
		if key := keyOf(p.states[i]); p.first[key] == i {
			delete(p.first, key)
		}
	}
	p.rows, p.states, p.lastEnd = p.rows[:steps], p.states[:min(len(p.states), steps+1)], p.lastEnd[:min(len(p.lastEnd), steps+1)]
}

// lasso returns the path with a loop from a step on.
func (p *path) lasso(loop int) *cert.Lasso {
	return &cert.Lasso{Trace: cert.Trace{Initial: p.initial, Inputs: p.rows}, Loop: loop}
}

// keyOf packs a state.
func keyOf(state []bool) string {
	key := make([]byte, (len(state)+7)/8)
	for i, isOne := range state {
		if isOne {
			key[i/8] |= 1 << (i % 8)
		}
	}
	return string(key)
}

// word returns a value for all runs of a simulation.
func word(isOne bool) uint64 {
	if isOne {
		return ^uint64(0)
	}
	return 0
}
