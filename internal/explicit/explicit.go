// Package explicit decides properties of small circuits by enumerating all
// states and inputs, and makes random circuits small enough for that. It is the
// reference that tests measure the engines against, and shares nothing with them
// but the circuit.
package explicit

import (
	"aiglens/circuit"
	"aiglens/circuit/cert"
)

// NotViolated is the step of a property that holds.
const NotViolated = -1

// FirstBadStep returns the smallest step in which property p of c can be
// violated, from 0, or NotViolated. The circuit must have at most 20 latches
// and 16 inputs together with a state space that fits memory.
func FirstBadStep(c *circuit.Circuit, p circuit.Property) int {
	bad, ok := c.Bad(p)
	if !ok {
		panic("explicit: no such safety property")
	}
	seen := make([]bool, 1<<len(c.Latches()))
	var frontier []uint32
	first := 0
	if c.HasResetFunctions() {
		// A state is a start under some inputs only, and may come again later.
		for _, s := range starts(c) {
			next, allowed, isBad := single(c, bad, s.state, s.input)
			if allowed && isBad {
				return 0
			}
			if allowed && !seen[next] {
				seen[next] = true
				frontier = append(frontier, next)
			}
		}
		first = 1
	} else {
		frontier = initialStates(c)
		for _, s := range frontier {
			seen[s] = true
		}
	}
	for step := first; len(frontier) > 0; step++ {
		var next []uint32
		for _, s := range frontier {
			successors, violated := expand(c, bad, s)
			if violated {
				return step
			}
			for _, t := range successors {
				if !seen[t] {
					seen[t] = true
					next = append(next, t)
				}
			}
		}
		frontier = next
	}
	return NotViolated
}

// Reachable returns which states are reached by runs that meet the constraints
// in every step before them, as a set indexed by the state's bits.
func Reachable(c *circuit.Circuit) []bool {
	seen := make([]bool, 1<<len(c.Latches()))
	var todo []uint32
	if !c.HasResetFunctions() {
		todo = initialStates(c)
	}
	started := map[uint32]bool{}
	for _, s := range starts(c) {
		started[s.state] = true
		if next, allowed, _ := single(c, circuit.False, s.state, s.input); allowed {
			todo = append(todo, next)
		}
	}
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[s] {
			continue
		}
		seen[s] = true
		successors, _ := expand(c, circuit.False, s)
		todo = append(todo, successors...)
	}
	for s := range started {
		seen[s] = true
	}
	return seen
}

// start is an initial state of a circuit with reset functions, with the inputs of
// step 0 under which it is one.
type start struct{ state, input uint32 }

// starts returns those of a circuit with reset functions, and nothing of any other.
// Values of latches with a reset function are tried until each equals its reset.
func starts(c *circuit.Circuit) (found []start) {
	if !c.HasResetFunctions() {
		return nil
	}
	for _, s := range initialStates(c) {
		for input := range uint32(1) << len(c.Inputs()) {
			if isStart(c, s, input) {
				found = append(found, start{s, input})
			}
		}
	}
	return found
}

// isStart reports whether each latch with a reset function equals it.
func isStart(c *circuit.Circuit, state, input uint32) bool {
	sim := evaluated(c, state, input)
	for _, l := range c.Latches() {
		if l.HasFunction() && sim.Value(l.Lit)&1 != sim.Value(l.Reset)&1 {
			return false
		}
	}
	return true
}

// initialStates returns the states that the constant resets allow.
func initialStates(c *circuit.Circuit) []uint32 {
	states := []uint32{0}
	for i, l := range c.Latches() {
		switch {
		case l.IsFree(), l.HasFunction():
			for _, s := range states {
				states = append(states, s|1<<i)
			}
		case l.Reset == circuit.True:
			for j := range states {
				states[j] |= 1 << i
			}
		}
	}
	return states
}

// expand returns the successors of a state under all inputs that meet the
// constraints, 64 inputs at a time, and whether bad is 1 under one of them.
func expand(c *circuit.Circuit, bad circuit.Lit, state uint32) (successors []uint32, violated bool) {
	sim := circuit.NewParallel(c)
	inputs := make([]uint64, len(c.Inputs()))
	total := 1 << len(c.Inputs())
	for base := 0; base < total; base += 64 {
		lanes := min(64, total-base)
		for i := range inputs {
			inputs[i] = 0
			for lane := range lanes {
				inputs[i] |= uint64((base+lane)>>i&1) << lane
			}
		}
		for i := range c.Latches() {
			sim.SetLatch(i, -uint64(state>>i&1))
		}
		sim.Eval(inputs)
		allowed := ^uint64(0) >> (64 - lanes)
		for _, s := range c.Constraints() {
			allowed &= sim.Value(s.Lit)
		}
		if sim.Value(bad)&allowed != 0 {
			violated = true
		}
		for lane := range lanes {
			if allowed>>lane&1 == 0 {
				continue
			}
			var t uint32
			for i, l := range c.Latches() {
				t |= uint32(sim.Value(l.Next)>>lane&1) << i
			}
			successors = append(successors, t)
		}
	}
	return successors, violated
}

// Certifies reports whether a verdict's certificate is right, by trying all
// states, all inputs and all choices of the values left open.
func Certifies(c *circuit.Circuit, p circuit.Property, v cert.Verdict) bool {
	switch {
	case p.Kind == circuit.PropertyJustice && v.Ranking != nil:
		return certifiesRanking(c, p, v.Ranking)
	case p.Kind == circuit.PropertyJustice:
		return certifiesLasso(c, p, v.Lasso)
	}
	bad, _ := c.Bad(p)
	if v.Outcome == cert.Proved {
		return certifiesInvariant(c, bad, v.Invariant)
	}
	return certifiesTrace(c, bad, v.Trace)
}

func certifiesInvariant(c *circuit.Circuit, bad circuit.Lit, inv cert.Invariant) bool {
	holds := func(state uint32) bool { return holds(c, state, inv) }
	for _, s := range starts(c) { // the invariant refers to the steps after the first
		if next, allowed, isBad := single(c, bad, s.state, s.input); allowed && (isBad || !holds(next)) {
			return false
		}
	}
	if !c.HasResetFunctions() {
		for _, s := range initialStates(c) {
			if successors, _ := expand(c, bad, s); len(successors) > 0 && !holds(s) {
				return false
			}
		}
	}
	for s := range uint32(1) << len(c.Latches()) {
		if !holds(s) {
			continue
		}
		successors, violated := expand(c, bad, s)
		if violated {
			return false
		}
		for _, t := range successors {
			if !holds(t) {
				return false
			}
		}
	}
	return true
}

// certifiesTrace follows all runs that agree with the trace at once.
func certifiesTrace(c *circuit.Circuit, bad circuit.Lit, t cert.Trace) bool {
	if t.Steps() == 0 {
		return false
	}
	var states []uint32
	for _, s := range initialStates(c) {
		if agrees(s, t.Initial, c) {
			states = append(states, s)
		}
	}
	if len(states) == 0 {
		return false
	}
	isTried := false
	for step, row := range t.Inputs {
		var next []uint32
		for _, s := range states {
			for input := range uint32(1) << len(c.Inputs()) {
				if !matches(input, row) || step == 0 && !isStart(c, s, input) {
					continue
				}
				isTried = true
				successor, allowed, isBad := single(c, bad, s, input)
				if !allowed || step == t.Steps()-1 && !isBad {
					return false
				}
				next = append(next, successor)
			}
		}
		states = dedupe(next)
	}
	return isTried
}

// agrees reports whether a state matches values; x at a latch with a fixed
// reset is its reset.
func agrees(state uint32, values []circuit.Value, c *circuit.Circuit) bool {
	return len(values) == len(c.Latches()) && matches(state, values)
}

func matches(bits uint32, values []circuit.Value) bool {
	for i, v := range values {
		if v != circuit.X && circuit.Value(bits>>i&1) != v {
			return false
		}
	}
	return true
}

func single(c *circuit.Circuit, bad circuit.Lit, state, input uint32) (next uint32, allowed, isBad bool) {
	sim := evaluated(c, state, input)
	allowed = true
	for _, s := range c.Constraints() {
		allowed = allowed && sim.Value(s.Lit)&1 == 1
	}
	for i, l := range c.Latches() {
		next |= uint32(sim.Value(l.Next)&1) << i
	}
	return next, allowed, sim.Value(bad)&1 == 1
}

// evaluated returns a simulator of one step.
func evaluated(c *circuit.Circuit, state, input uint32) *circuit.Parallel {
	sim := circuit.NewParallel(c)
	inputs := make([]uint64, len(c.Inputs()))
	for i := range inputs {
		inputs[i] = -uint64(input >> i & 1)
	}
	for i := range c.Latches() {
		sim.SetLatch(i, -uint64(state>>i&1))
	}
	sim.Eval(inputs)
	return sim
}

func dedupe(states []uint32) []uint32 {
	seen := map[uint32]bool{}
	kept := states[:0]
	for _, s := range states {
		if !seen[s] {
			seen[s] = true
			kept = append(kept, s)
		}
	}
	return kept
}
