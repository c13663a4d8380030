package picture

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"aiglens/circuit"
)

// State is a reachable state, or one in which a run ends because the constraints allow no
// input.
type State struct {
	// Values has one value for each latch, in the order of the circuit.
	Values []bool
	// Initial says that runs begin here, Bad that some input which the constraints allow makes
	// the bad literal 1 here.
	Initial, Bad bool
	// Next are the positions of the states after it, each once.
	Next []int
	// depth is the number of steps from an initial state, from the state before it, or −1.
	depth, from int
}

// StateGraph is all states that runs reach under the constraints, those with fewer steps first.
type StateGraph struct{ States []State }

// Bounds of a search.
const (
	maxInputs = 12      // that matter
	maxWork   = 1 << 28 // gates evaluated, 64 inputs at a time
	maxSteps  = 10_000  // from state to state
)

// Errors of Search.
var (
	ErrTooMany = errors.New("too many states")
	ErrSteps   = errors.New("too many steps between the states")
	ErrInputs  = errors.New("too many inputs for a search of all states")
	ErrWork    = errors.New("too large for a search of all states")
	ErrResets  = errors.New("latches with reset functions have no state graph here")
)

// SearchStates returns the states that runs of c reach, at most limit. The errors are those above, with
// figures, and that of ctx.
func SearchStates(ctx context.Context, c *circuit.Circuit, bad circuit.Lit, limit int) (*StateGraph, error) {
	if c.HasResetFunctions() {
		return nil, ErrResets
	}
	if n := len(c.Inputs()); n > maxInputs {
		return nil, fmt.Errorf("%w: %d, and at most %d can be tried", ErrInputs, n, maxInputs)
	}
	s := &search{c: c, bad: bad, limit: limit, sim: circuit.NewParallel(c), at: map[string]int{}}
	if err := s.start(); err != nil {
		return nil, err
	}
	work := 0
	for i := 0; i < len(s.g.States); i++ {
		if work += (c.NumVars() << len(c.Inputs())) / 64; work > maxWork {
			return nil, ErrWork
		}
		if err := s.expand(ctx, i); err != nil {
			return nil, err
		}
	}
	return &s.g, nil
}

type search struct {
	c     *circuit.Circuit
	bad   circuit.Lit
	limit int
	sim   *circuit.Parallel
	g     StateGraph
	at    map[string]int // by keyOf their values
	steps int            // found so far
}

// keyOf returns values as a string, a byte each.
func keyOf(values []bool) string {
	key := make([]byte, len(values))
	for i, v := range values {
		if v {
			key[i] = 1
		}
	}
	return string(key)
}

func (s *search) tooMany() error {
	return fmt.Errorf("%w: runs reach more than %d", ErrTooMany, s.limit)
}

// add returns the position of a state, which is new when it is met first.
func (s *search) add(values []bool, from int) (int, error) {
	key := keyOf(values)
	if i, ok := s.at[key]; ok {
		return i, nil
	}
	if len(s.g.States) >= s.limit {
		return 0, s.tooMany()
	}
	n := State{Values: values, from: from, Initial: from < 0}
	if from >= 0 {
		n.depth = s.g.States[from].depth + 1
	}
	s.at[key] = len(s.g.States)
	s.g.States = append(s.g.States, n)
	return len(s.g.States) - 1, nil
}

// start adds the states in which runs begin.
func (s *search) start() error {
	all := [][]bool{make([]bool, len(s.c.Latches()))}
	for i, l := range s.c.Latches() {
		for j := range all {
			all[j][i] = l.Reset == circuit.True
		}
		if !l.IsFree() {
			continue
		}
		for _, values := range all[:len(all):len(all)] {
			other := append([]bool{}, values...)
			other[i] = true
			if all = append(all, other); len(all) > s.limit {
				return s.tooMany()
			}
		}
	}
	for _, values := range all {
		if _, err := s.add(values, -1); err != nil {
			return err
		}
	}
	return nil
}

// expand adds the states after one.
func (s *search) expand(ctx context.Context, i int) error {
	inputs := make([]uint64, len(s.c.Inputs()))
	seen := map[int]bool{}
	total := 1 << len(inputs)
	for base := 0; base < total; base += 64 {
		if err := ctx.Err(); err != nil {
			return err
		}
		lanes := min(64, total-base)
		for k := range inputs {
			inputs[k] = 0
			for lane := range lanes {
				inputs[k] |= uint64((base+lane)>>k&1) << lane
			}
		}
		for k, v := range s.g.States[i].Values {
			word := uint64(0)
			if v {
				word = ^uint64(0)
			}
			s.sim.SetLatch(k, word)
		}
		s.sim.Eval(inputs)
		allowed := ^uint64(0) >> (64 - lanes)
		for _, k := range s.c.Constraints() {
			allowed &= s.sim.Value(k.Lit)
		}
		if s.sim.Value(s.bad)&allowed != 0 {
			s.g.States[i].Bad = true
		}
		if err := s.follow(i, lanes, allowed, seen); err != nil {
			return err
		}
	}
	return nil
}

// follow adds the states after one under the inputs that were simulated last.
func (s *search) follow(i, lanes int, allowed uint64, seen map[int]bool) error {
	for lane := range lanes {
		if allowed>>lane&1 == 0 {
			continue
		}
		values := make([]bool, len(s.c.Latches()))
		for k, l := range s.c.Latches() {
			values[k] = s.sim.Value(l.Next)>>lane&1 == 1
		}
		to, err := s.add(values, i)
		if err != nil {
			return err
		}
		if !seen[to] {
			seen[to] = true
			s.g.States[i].Next = append(s.g.States[i].Next, to)
			if s.steps++; s.steps > maxSteps {
				return fmt.Errorf("%w: more than %d", ErrSteps, maxSteps)
			}
		}
	}
	return nil
}

// Path returns the positions of the states of a shortest run into a bad state; nil when there
// is none.
func (g *StateGraph) Path() (path []int) {
	for i, s := range g.States { // those with fewer steps first
		if !s.Bad {
			continue
		}
		for at := i; at >= 0; at = g.States[at].from {
			path = append([]int{at}, path...)
		}
		return path
	}
	return nil
}

// Along returns the positions of the states of a run, given by the values of the latches at each
// of its steps; ok is false when it is not a run into a bad state of the graph.
func (g *StateGraph) Along(run [][]bool) (path []int, ok bool) {
	at := make(map[string]int, len(g.States))
	for i, s := range g.States {
		at[keyOf(s.Values)] = i
	}
	for k, values := range run {
		i, known := at[keyOf(values)]
		switch {
		case !known, k == 0 && !g.States[i].Initial, k > 0 && !slices.Contains(g.States[path[k-1]].Next, i):
			return nil, false
		}
		path = append(path, i)
	}
	return path, len(path) > 0 && g.States[path[len(path)-1]].Bad
}
