package live

import (
	"context"
	"encoding/binary"

	"aiglens/circuit"
	"aiglens/circuit/cert"
)

const (
	// closingSteps bounds the steps of a lasso that is unrolled until its state comes
	// again, and closingGates the gates that are simulated for that.
	closingSteps = 1 << 12
	closingGates = 100_000_000
)

// closed goes round the loop of a lasso until the state of c in some step is that of an
// earlier one, with each goal 1 in between, and returns the lasso of these two steps.
// The lasso that it is given may close in some of the latches only: those that a reduced
// circuit has. ok is false when no state comes again soon.
//
// An x counts as 0.
func closed(ctx context.Context, c *circuit.Circuit, l cert.Lasso) (short cert.Lasso, ok bool, err error) {
	goals := goalsOf(c)
	sim := circuit.NewParallel(c)
	sim.Reset(func(i int) uint64 { return word(l.Initial[i]) })
	inputs := make([]uint64, len(c.Inputs()))
	first := map[string]int{}       // by state, the first step with it
	last := make([]int, len(goals)) // by goal, the last step in which it was 1, plus 1
	var rows [][]circuit.Value
	for step := 0; step < max(l.Steps()+1, closingSteps) && step*c.NumVars() < closingGates; step++ {
		if err := ctx.Err(); err != nil {
			return l, false, err
		}
		state := stateOf(c, sim)
		if at, again := first[state]; !again {
			first[state] = step
		} else if metSince(last, at) {
			return cert.Lasso{Trace: cert.Trace{Initial: l.Initial, Inputs: rows}, Loop: at}, true, nil
		}
		row := l.Inputs[inRound(step, l)]
		for i, v := range row {
			inputs[i] = word(v)
		}
		sim.Eval(inputs)
		for i, g := range goals {
			if sim.Value(g)&1 == 1 {
				last[i] = step + 1
			}
		}
		rows = append(rows, row)
		sim.Advance()
	}
	return l, false, nil
}

// inRound returns the step of the lasso that comes in a step of its run.
func inRound(step int, l cert.Lasso) int {
	if step < l.Steps() {
		return step
	}
	return l.Loop + (step-l.Loop)%(l.Steps()-l.Loop)
}

// goalsOf returns what must be 1 infinitely often.
func goalsOf(c *circuit.Circuit) []circuit.Lit {
	goals := append([]circuit.Lit(nil), c.Justice()[0].Lits...)
	for _, s := range c.Fairness() {
		goals = append(goals, s.Lit)
	}
	return goals
}

// metSince reports whether each goal was 1 in some step from a given one on.
func metSince(last []int, step int) bool {
	for _, s := range last {
		if s <= step {
			return false
		}
	}
	return true
}

func word(v circuit.Value) uint64 {
	if v == circuit.One {
		return ^uint64(0)
	}
	return 0
}

// stateOf returns the state of run 0 of a simulation as a key.
func stateOf(c *circuit.Circuit, sim *circuit.Parallel) string {
	key := make([]byte, 0, len(c.Latches())/8+8)
	var bits uint64
	for i, l := range c.Latches() {
		bits = bits<<1 | sim.Value(l.Lit)&1
		if i%64 == 63 {
			key = binary.LittleEndian.AppendUint64(key, bits)
			bits = 0
		}
	}
	return string(binary.LittleEndian.AppendUint64(key, bits))
}
