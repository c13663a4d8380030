package explicit

import "aiglens/circuit"

// Moves says what the latches of a circuit do in its runs, by position: each step of a run
// meets the constraints.
type Moves struct {
	Zero, One []bool // it is 0, it is 1, in some step
	Change    []bool // it has another value than in the step before
}

// MovesOf searches all states.
func MovesOf(c *circuit.Circuit) Moves {
	n := len(c.Latches())
	m := Moves{make([]bool, n), make([]bool, n), make([]bool, n)}
	seen := make([]bool, 1<<n)
	var todo []uint32
	// step takes in a step from a state that leads to some others.
	step := func(state uint32, next []uint32) {
		for i := range n {
			m.Zero[i] = m.Zero[i] || state>>i&1 == 0
			m.One[i] = m.One[i] || state>>i&1 == 1
		}
		for _, t := range next {
			if after, _ := expand(c, circuit.False, t); len(after) == 0 {
				continue // no step follows
			}
			for i := range n {
				m.Change[i] = m.Change[i] || (state^t)>>i&1 == 1
			}
			if !seen[t] {
				seen[t] = true
				todo = append(todo, t)
			}
		}
	}
	for _, s := range initialStates(c) {
		for input := range uint32(1) << len(c.Inputs()) {
			if next, allowed, _ := single(c, circuit.False, s, input); allowed && isStart(c, s, input) {
				step(s, []uint32{next})
			}
		}
	}
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		next, _ := expand(c, circuit.False, s)
		step(s, next)
	}
	return m
}
