// Package trace works on runs of a circuit: it replays them, says why a literal
// has its value at a step, and sets what a counterexample does not need to x. A run may
// end, or be a lasso, which repeats its loop for ever.
//
// It is not a checker: what it returns is a claim like any other, and cert.Check has
// the last word. It knows no names, no formats and no engines.
package trace

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"aiglens/circuit"
	"aiglens/circuit/cert"
)

// Replay is a run with the value of each literal at each step, and for each value
// of 0 and 1 the reason that was chosen for it. Of its steps only the latches are
// kept; the gates of a step are computed when they are asked for. Its methods may
// be called from any goroutine.
//
// The reasons make a small explanation. With one leaf for each input and each free
// latch that it rests on, the cost of a value is
//
//	leaf  leafCost      and = 1  cost(left) + cost(right) + 1
//	reset 0             and = 0  the least cost of an operand that is 0, + 1
//	reset function that of its literal, + 1
//	latch that of its next value one step before, less a quarter, + 1
//
// and a gate of value 0 takes the operand of least cost, of equal ones the left
// one. What two operands share is counted twice; the discount keeps such sums
// from growing without bound over the steps.
//
// A lasso has a value at every step, however late: see rounds.go.
type Replay struct {
	c      *circuit.Circuit
	steps  int
	loop   int // the first step of the loop; −1: the run ends
	inputs [][]circuit.Value
	states []circuit.Value // by step·latches + latch
	costs  []uint32        // the same
	// recorded steps have a state of their own: steps ≤ recorded. All later ones repeat
	// those from again on, where 0 ≤ again < recorded.
	recorded, again int

	mu     sync.Mutex
	frames map[int]frame // guarded by mu
}

// frame holds, by variable, the value in the bits of frameValue and frameRight when
// the right operand is the reason of a gate that is 0.
type frame []uint8

const (
	frameValue = 3
	frameRight = 4
)

func (f frame) value(l circuit.Lit) circuit.Value {
	return circuit.Value(f[l.Var()] & frameValue).NotIf(l.IsNegated())
}

const (
	leafCost = 16
	maxCost  = 1 << 30
	// framesBytes bounds the frames that a replay keeps.
	framesBytes = 32 << 20
)

// ErrForm is returned for a trace that does not fit its circuit.
var ErrForm = errors.New("the trace does not fit the circuit")

// New replays a trace. A latch with a reset, constant or function, starts with what
// that gives, whatever the trace says. Errors are ErrForm and that of
// ctx.
func New(ctx context.Context, c *circuit.Circuit, t cert.Trace) (*Replay, error) {
	return replay(ctx, c, t, -1)
}

// NewLasso replays a lasso as New does a trace.
func NewLasso(ctx context.Context, c *circuit.Circuit, l cert.Lasso) (*Replay, error) {
	if l.Loop < 0 || l.Loop >= l.Steps() {
		return nil, fmt.Errorf("%w: a loop from step %d on in a run of %s", ErrForm, l.Loop, cert.Count(l.Steps(), "step", "steps"))
	}
	return replay(ctx, c, l.Trace, l.Loop)
}

func replay(ctx context.Context, c *circuit.Circuit, t cert.Trace, loop int) (*Replay, error) {
	if err := checkForm(c, t); err != nil {
		return nil, err
	}
	n := len(c.Latches())
	r := &Replay{
		c: c, steps: t.Steps(), loop: loop, recorded: t.Steps(), inputs: t.Inputs, frames: map[int]frame{},
		states: make([]circuit.Value, n, n*t.Steps()+n), costs: make([]uint32, n, n*t.Steps()+n),
	}
	if r.steps == 0 {
		return r, nil
	}
	for i := range c.Latches() {
		r.states[i], r.costs[i] = initial(c, t, i)
	}
	e := evaluation{make(frame, c.NumVars()), make([]uint32, c.NumVars())}
	r.start(e)
	for step := range r.steps - 1 {
		if err := r.advance(ctx, step, e); err != nil {
			return nil, err
		}
	}
	if loop < 0 {
		return r, nil
	}
	return r, r.goRound(ctx, e)
}

// evaluation is room for the values of one step.
type evaluation struct {
	frame
	costs []uint32
}

// advance computes a step and records the state after it, which is that of the next
// step. All states before are recorded. The error is that of ctx.
func (r *Replay) advance(ctx context.Context, step int, e evaluation) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	r.eval(step, e)
	for _, l := range r.c.Latches() {
		cost := e.costs[l.Next.Var()]
		r.states, r.costs = append(r.states, e.value(l.Next)), append(r.costs, cost-cost/4+1)
	}
	return nil
}

// initial returns the value of a latch in step 0 and its cost.
func initial(c *circuit.Circuit, t cert.Trace, i int) (circuit.Value, uint32) {
	switch l := c.Latches()[i]; {
	case l.Reset <= circuit.True:
		return circuit.ValueOf(l.Reset == circuit.True), 0
	case l.IsFree():
		return t.Initial[i], leafCost
	}
	return circuit.X, 0 // a reset function: see start
}

// start computes the values of the latches with reset functions in step 0.
func (r *Replay) start(e evaluation) {
	if !r.c.HasResetFunctions() {
		return
	}
	r.load(0, e)
	for _, v := range r.c.StartOrder() {
		if at := r.c.LatchIndex(v); at >= 0 {
			reset := r.c.Latches()[at].Reset
			r.states[at], r.costs[at] = e.value(reset), e.costs[reset.Var()]+1
			e.frame[v], e.costs[v] = uint8(r.states[at]), r.costs[at]
		} else {
			r.evalGate(v, e)
		}
	}
}

// load puts inputs and latches of a recorded step into e.
func (r *Replay) load(step int, e evaluation) {
	row := r.inputs[r.given(step)]
	for i, in := range r.c.Inputs() {
		e.frame[in.Lit.Var()], e.costs[in.Lit.Var()] = uint8(row[i]), leafCost
	}
	at := step * len(r.c.Latches())
	for i, l := range r.c.Latches() {
		e.frame[l.Lit.Var()], e.costs[l.Lit.Var()] = uint8(r.states[at+i]), r.costs[at+i]
	}
}

// eval computes a recorded step: values, reasons and costs by variable.
func (r *Replay) eval(step int, e evaluation) {
	r.load(step, e)
	for v := range e.frame {
		r.evalGate(circuit.Var(v), e)
	}
}

// evalGate computes v, if it is a gate, from its operands.
func (r *Replay) evalGate(v circuit.Var, e evaluation) {
	left, right, ok := r.c.Operands(v)
	if !ok {
		return
	}
	f, costs := e.frame, e.costs
	a, b := f.value(left), f.value(right)
	ca, cb := costs[left.Var()], costs[right.Var()]
	switch {
	case a == circuit.Zero && (b != circuit.Zero || ca <= cb):
		f[v], costs[v] = uint8(circuit.Zero), ca+1
	case b == circuit.Zero:
		f[v], costs[v] = uint8(circuit.Zero)|frameRight, cb+1
	case a == circuit.One && b == circuit.One:
		f[v], costs[v] = uint8(circuit.One), min(ca+cb+1, maxCost)
	default:
		f[v], costs[v] = uint8(circuit.X), 0
	}
}

// frame returns a step.
func (r *Replay) frame(step int) frame {
	step = r.Recorded(step)
	r.mu.Lock()
	defer r.mu.Unlock()
	if f, ok := r.frames[step]; ok {
		return f
	}
	if (len(r.frames)+1)*r.c.NumVars() > framesBytes {
		clear(r.frames)
	}
	f := make(frame, r.c.NumVars())
	r.eval(step, evaluation{f, make([]uint32, r.c.NumVars())})
	r.frames[step] = f
	return f
}

// State returns the values of the latches at a recorded step, not to be changed.
func (r *Replay) State(step int) []circuit.Value {
	n := len(r.c.Latches())
	return r.states[step*n : (step+1)*n]
}

// Steps returns the number of steps; of a lasso up to the end of its first round.
func (r *Replay) Steps() int { return r.steps }

// Value returns the value of a literal at a step, which may lie beyond Steps in a lasso.
func (r *Replay) Value(l circuit.Lit, step int) circuit.Value { return r.frame(step).value(l) }

// Values returns the values of literals at the first so many steps: by literal, then by
// step. It looks at each step once. The error is that of ctx.
func (r *Replay) Values(ctx context.Context, steps int, lits ...circuit.Lit) ([][]circuit.Value, error) {
	return valuesOf(ctx, steps, lits, r.Recorded, r.frame)
}

// valued is what has the values of one step.
type valued interface {
	value(l circuit.Lit) circuit.Value
}

// valuesOf returns the values of literals by literal, then by step. recorded says which step stands
// for another, and frame returns one that is recorded.
func valuesOf[F valued](ctx context.Context, steps int, lits []circuit.Lit, recorded func(int) int, frame func(int) F) ([][]circuit.Value, error) {
	values := make([][]circuit.Value, len(lits))
	for i := range values {
		values[i] = make([]circuit.Value, steps)
	}
	for step := range steps {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if same := recorded(step); same < step {
			for i := range lits {
				values[i][step] = values[i][same]
			}
			continue
		}
		f := frame(step)
		for i, l := range lits {
			values[i][step] = f.value(l)
		}
	}
	return values, nil
}

// Digits writes values as a word like "01x1".
func Digits(values []circuit.Value) string {
	word := make([]byte, len(values))
	for i, v := range values {
		word[i] = v.String()[0]
	}
	return string(word)
}

// Changes returns the steps at which values differ from those of the step before.
func Changes[V comparable](values []V) []int {
	var steps []int
	for i := 1; i < len(values); i++ {
		if values[i] != values[i-1] {
			steps = append(steps, i)
		}
	}
	return steps
}
