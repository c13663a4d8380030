package trace

import (
	"context"
	"fmt"
	"math/bits"
	"slices"
	"sync"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/graph"
)

// Simulation is a run that ends, with the value of each literal at each step. It is a Replay
// without reasons, which a changed run shares what the change leaves alone with. Its methods may
// be called from any goroutine.
type Simulation struct {
	c      *circuit.Circuit
	t      cert.Trace
	states [][]circuit.Value               // the latches by step
	uses   func() graph.Edges[circuit.Var] // the gates that read a variable
	gates  int                             // that were computed, before anything was asked

	mu     sync.Mutex
	frames map[int][]circuit.Value // some steps, by variable; guarded by mu, never changed
}

// Simulate simulates a trace. A latch with a reset, constant or function, starts with what that
// gives, whatever the trace says. Errors are ErrForm and that of ctx.
func Simulate(ctx context.Context, c *circuit.Circuit, t cert.Trace) (*Simulation, error) {
	s := &Simulation{c: c, t: t, frames: map[int][]circuit.Value{}}
	s.uses = sync.OnceValue(func() graph.Edges[circuit.Var] {
		return graph.NewEdges(c.NumVars(), func(add func(from, to circuit.Var)) {
			for v := range circuit.Var(c.NumVars()) {
				if left, right, ok := c.Operands(v); ok {
					add(left.Var(), v)
					add(right.Var(), v)
				}
			}
		})
	})
	return s, s.run(ctx, nil)
}

// Changed simulates another trace of the same circuit. It computes what differs: in a step that
// is kept of s the gates that a changed input or latch reaches, in all others each gate.
func (s *Simulation) Changed(ctx context.Context, t cert.Trace) (*Simulation, error) {
	after := &Simulation{c: s.c, t: t, uses: s.uses, frames: map[int][]circuit.Value{}}
	return after, after.run(ctx, s)
}

// run fills states, and frames as far as there is room. before may be nil.
func (s *Simulation) run(ctx context.Context, before *Simulation) error {
	if err := checkForm(s.c, s.t); err != nil {
		return err
	}
	var frames map[int][]circuit.Value
	if before != nil {
		frames = before.kept()
	}
	var state []circuit.Value // of the step; nil for one of step 0 that is not known yet
	for step, inputs := range s.t.Inputs {
		if err := ctx.Err(); err != nil {
			return err
		}
		frame, hasSameState, isSame := frames[step], false, false
		if before != nil && step < before.Steps() {
			hasSameState = step == 0 && s.startsAs(before) || step > 0 && slices.Equal(state, before.states[step])
			isSame = hasSameState && slices.Equal(inputs, before.t.Inputs[step])
		}
		if hasSameState {
			state = before.states[step]
		}
		switch {
		case isSame && step+1 < before.Steps():
			s.keep(step, frame)
			s.states, state = append(s.states, state), before.states[step+1]
			continue
		case isSame && frame != nil:
		case frame != nil && (step > 0 || !s.c.HasResetFunctions()):
			if step == 0 {
				state = startOf(s.c, s.t)
			}
			frame = s.spread(frame, state, inputs)
		default:
			frame = s.eval(step, state)
			s.gates += s.c.NumGates()
		}
		if state == nil {
			state = s.stateIn(frame, func(l circuit.Latch) circuit.Lit { return l.Lit })
		}
		s.keep(step, frame)
		s.states = append(s.states, state)
		if step+1 < s.Steps() {
			state = s.stateIn(frame, func(l circuit.Latch) circuit.Lit { return l.Next })
		}
	}
	return nil
}

// startsAs reports whether two runs have the same latches in step 0, which the inputs decide
// where resets are functions.
func (s *Simulation) startsAs(other *Simulation) bool {
	return slices.Equal(s.t.Initial, other.t.Initial) && (!s.c.HasResetFunctions() || slices.Equal(s.t.Inputs[0], other.t.Inputs[0]))
}

// startOf returns the first state of a circuit without reset functions.
func startOf(c *circuit.Circuit, t cert.Trace) []circuit.Value {
	state := make([]circuit.Value, len(c.Latches()))
	for i := range state {
		state[i], _ = initial(c, t, i)
	}
	return state
}

func (s *Simulation) stateIn(frame []circuit.Value, of func(circuit.Latch) circuit.Lit) []circuit.Value {
	state := make([]circuit.Value, len(s.c.Latches()))
	for i, l := range s.c.Latches() {
		state[i] = valueIn(frame, of(l))
	}
	return state
}

// eval computes all gates of a step. The state of step 0 may be missing.
func (s *Simulation) eval(step int, state []circuit.Value) []circuit.Value {
	var sim *circuit.Ternary
	if step == 0 {
		sim = start(s.c, s.t)
	} else {
		sim = circuit.NewTernary(s.c)
		for i, v := range state {
			sim.SetLatch(i, v)
		}
	}
	sim.Eval(s.t.Inputs[step])
	return sim.Values()
}

// spread returns the values of a step with another state and other inputs. A gate has a higher
// number than its operands, so that each is computed once: in the order of the numbers.
func (s *Simulation) spread(frame, state, inputs []circuit.Value) []circuit.Value {
	frame = slices.Clone(frame)
	uses := s.uses()
	due := make([]uint64, len(frame)/64+1) // a bit for each gate of which an operand has changed
	set := func(v circuit.Var, value circuit.Value) {
		if frame[v] == value {
			return
		}
		frame[v] = value
		for _, gate := range uses.Of(v) {
			due[gate/64] |= 1 << (gate % 64)
		}
	}
	for i, in := range s.c.Inputs() {
		set(in.Lit.Var(), inputs[i])
	}
	for i, l := range s.c.Latches() {
		set(l.Lit.Var(), state[i])
	}
	for at := range due {
		for due[at] != 0 {
			bit := bits.TrailingZeros64(due[at])
			due[at] &^= 1 << bit
			gate := circuit.Var(at*64 + bit)
			left, right, _ := s.c.Operands(gate)
			set(gate, circuit.And(valueIn(frame, left), valueIn(frame, right)))
			s.gates++
		}
	}
	return frame
}

// keep keeps a step where there is room.
func (s *Simulation) keep(step int, frame []circuit.Value) {
	if frame != nil && (len(s.frames)+1)*s.c.NumVars() <= framesBytes {
		s.frames[step] = frame
	}
}

// kept returns the steps that are kept.
func (s *Simulation) kept() map[int][]circuit.Value {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make(map[int][]circuit.Value, len(s.frames))
	for step, frame := range s.frames {
		all[step] = frame
	}
	return all
}

// frame returns a step.
func (s *Simulation) frame(step int) []circuit.Value {
	s.mu.Lock()
	defer s.mu.Unlock()
	if frame, ok := s.frames[step]; ok {
		return frame
	}
	frame := s.eval(step, s.states[step])
	if (len(s.frames)+1)*s.c.NumVars() > framesBytes {
		clear(s.frames)
	}
	s.frames[step] = frame
	return frame
}

// Steps returns the number of steps.
func (s *Simulation) Steps() int { return s.t.Steps() }

// State returns the values of the latches at a step, not to be changed.
func (s *Simulation) State(step int) []circuit.Value { return s.states[step] }

// Value returns the value of a literal at a step.
func (s *Simulation) Value(l circuit.Lit, step int) circuit.Value { return valueIn(s.frame(step), l) }

// Values returns the values of literals at the first so many steps: by literal, then by step. It
// looks at each step once. The error is that of ctx.
func (s *Simulation) Values(ctx context.Context, steps int, lits ...circuit.Lit) ([][]circuit.Value, error) {
	return valuesOf(ctx, steps, lits, s.Recorded, func(step int) frameValues { return s.frame(step) })
}

// frameValues are the values of a step, by variable.
type frameValues []circuit.Value

func (f frameValues) value(l circuit.Lit) circuit.Value { return valueIn(f, l) }

// Loop reports that the run has none.
func (s *Simulation) Loop() (first int, ok bool) { return -1, false }

// Recorded returns a step, which no other stands for.
func (s *Simulation) Recorded(step int) int { return step }

// Period returns the number of steps as the end of what is recorded; none is repeated.
func (s *Simulation) Period() (first, end int) { return 0, s.Steps() }

// checkForm tests whether a trace fits a circuit. The error is ErrForm.
func checkForm(c *circuit.Circuit, t cert.Trace) error {
	if len(t.Initial) != len(c.Latches()) {
		return fmt.Errorf("%w: %s for %s", ErrForm, cert.Count(len(t.Initial), "initial value", "initial values"), cert.Count(len(c.Latches()), "latch", "latches"))
	}
	for step, row := range t.Inputs {
		if len(row) != len(c.Inputs()) {
			return fmt.Errorf("%w: %s for %s in step %d", ErrForm, cert.Count(len(row), "value", "values"), cert.Count(len(c.Inputs()), "input", "inputs"), step)
		}
	}
	return nil
}
