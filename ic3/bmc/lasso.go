package bmc

import (
	"context"
	"encoding/binary"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/sat"
)

// back says where an unrolling has come back to a state. That state is a vector of free
// inputs, so that one step after the other can be added: Biere, Heljanko, Junttila,
// Latvala and Schuppan, "Linear Encodings of Bounded LTL Model Checking" (LMCS 2006).
type back struct {
	goals  []circuit.Lit // of the circuit
	target []circuit.Lit // by latch: its value in the state that comes again
	// In the next step to be added: whether the target was met before it, and which
	// goals were 1 since then.
	inLoop circuit.Lit
	met    []circuit.Lit
}

// NewLassoUnrolling returns an unrolling of no steps. Its Bads[i] says that the state of
// step i was there in an earlier step, and each goal was 1 since then.
func NewLassoUnrolling(c *circuit.Circuit, goals []circuit.Lit) *Unrolling {
	u := NewUnrolling(c)
	u.back = &back{goals: goals, inLoop: circuit.False, met: make([]circuit.Lit, len(goals))}
	for range c.Latches() {
		u.back.target = append(u.back.target, u.b.Input(0))
	}
	return u
}

// step adds what is to be known of a step, whose literals lit gives, and returns whether
// the lasso has come back in it.
func (k *back) step(u *Unrolling, lit func(circuit.Lit) circuit.Lit) circuit.Lit {
	at := circuit.True
	for i, l := range u.c.Latches() {
		at = u.b.And(at, u.b.Xor(lit(l.Lit), k.target[i]).Not())
	}
	closed := u.b.And(at, k.inLoop)
	for _, m := range k.met {
		closed = u.b.And(closed, m)
	}
	k.inLoop = u.b.Or(k.inLoop, at)
	for i, g := range k.goals {
		k.met[i] = u.b.Or(k.met[i], u.b.And(k.inLoop, lit(g)))
	}
	return closed
}

// lasso reads the lasso that has come back in a step from a model. What took no part is
// 0, and the rest follows by simulation.
func (u *Unrolling) lasso(ctx context.Context, s sat.Solver, last int) (cert.Lasso, error) {
	run := cert.Lasso{Trace: u.trace(s, last)}
	run.Inputs = run.Inputs[:last]
	l, ok, err := Closed(ctx, u.c, u.back.goals, run)
	if err == nil && !ok {
		panic("bmc: the model of a lasso comes back to no state")
	}
	return l, err
}

// LassoSearch looks for the shortest lasso in small portions.
type LassoSearch struct{ Search }

// NewLassoSearch returns a search for a run of c on which each goal is 1 infinitely
// often, while the constraints hold. It has done nothing yet.
func NewLassoSearch(c *circuit.Circuit, goals []circuit.Lit) *LassoSearch {
	s := &LassoSearch{Search{unrolling: NewLassoUnrolling(c, goals), stride: 1}}
	s.gates = max(1, c.NumGates()+gatesPerEqual*len(c.Latches()))
	return s
}

// gatesPerEqual is the number of gates that compare two latches.
const gatesPerEqual = 4

// Advance is that of Search for a lasso: the one with the fewest steps there is.
func (s *LassoSearch) Advance(ctx context.Context, effort int64) (*cert.Lasso, error) {
	last, err := s.advance(ctx, effort)
	if last < 0 {
		return nil, err
	}
	l, err := s.unrolling.lasso(ctx, s.solver, last)
	return &l, err
}

const (
	// closingSteps bounds the steps of a lasso that is unrolled until its state comes
	// again, and closingGates the gates that are simulated for that.
	closingSteps = 1 << 12
	closingGates = 100_000_000
)

// Closed repeats the loop of a lasso until the state of c in some step is that of an
// earlier one, with each goal 1 in between, and returns the lasso of these two steps.
// The lasso that it is given may close in some of the latches only: those that a reduced
// circuit has. ok is false when no state comes again soon.
//
// An x counts as 0.
func Closed(ctx context.Context, c *circuit.Circuit, goals []circuit.Lit, l cert.Lasso) (short cert.Lasso, ok bool, err error) {
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
