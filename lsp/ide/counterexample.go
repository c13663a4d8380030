package ide

import (
	"sort"
	"strings"
	"sync"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/verify"
)

// Counterexample is a refutation replayed on the circuit of the present text.
// It simulates the property's cone only: what lies outside has no value that
// matters.
type Counterexample struct {
	Property circuit.Property
	cone     *circuit.Cone
	trace    cert.Trace
	lits     map[circuit.Var]circuit.Lit // of the circuit → of the cone
	latches  []LatchTrace
	states   [][]circuit.Value // by step and latch of the cone

	mu   sync.Mutex
	last []*Moment // the last ones that were asked for; guarded by mu
}

// Moment is a step of a counterexample.
type Moment struct {
	Step int
	x    *Counterexample
	sim  *circuit.Ternary
}

// LatchTrace is a latch of a counterexample with its value at each step.
type LatchTrace struct {
	Index  int // position among the latches of the circuit
	Values []circuit.Value
	change int // first step with another value than the step before; Steps() when there is none
}

// NewCounterexample replays a refutation of p in c, the circuit that the
// result speaks of; ok is false for any other verdict.
func NewCounterexample(c *circuit.Circuit, p circuit.Property, r verify.Result) (x *Counterexample, ok bool) {
	if r.Checked.Outcome() != cert.Refuted || !r.Checked.Certified() {
		return nil, false
	}
	cone, err := c.Cone(p)
	if err != nil {
		return nil, false
	}
	x = &Counterexample{Property: p, cone: cone, trace: r.Checked.Trace(), lits: map[circuit.Var]circuit.Lit{}}
	for v := range circuit.Var(cone.Circuit.NumVars()) {
		from := cone.LitFrom(v.Lit())
		x.lits[from.Var()] = v.Lit().NotIf(from.IsNegated())
	}
	x.replayLatches()
	return x, true
}

// Steps returns the number of steps; the violation is in the last one.
func (x *Counterexample) Steps() int { return x.trace.Steps() }

// Latches returns the latches of the cone, those first whose value changes
// first: what a counterexample is about moves before the rest does.
func (x *Counterexample) Latches() []LatchTrace { return x.latches }

// Values returns the value of a literal of the circuit at each step; ok is
// false when it lies outside the cone.
func (x *Counterexample) Values(l circuit.Lit) (values []circuit.Value, ok bool) {
	lit, ok := x.litOf(l)
	if !ok {
		return nil, false
	}
	c := x.cone.Circuit
	gates, leaves := c.Logic(lit)
	sim := circuit.NewTernary(c)
	values = make([]circuit.Value, x.Steps())
	for step, inputs := range x.trace.Inputs {
		for _, v := range leaves {
			if i := c.InputIndex(v); i >= 0 {
				sim.SetInput(i, inputs[x.cone.Inputs[i]])
			} else if i := c.LatchIndex(v); i >= 0 {
				sim.SetLatch(i, x.states[step][i])
			}
		}
		sim.EvalGates(gates)
		values[step] = sim.Value(lit)
	}
	return values, true
}

// litOf returns the literal of the cone for one of the circuit.
func (x *Counterexample) litOf(l circuit.Lit) (circuit.Lit, bool) {
	lit, ok := x.lits[l.Var()]
	return lit.NotIf(l.IsNegated()), ok
}

// maxMoments bounds what is kept: a step and the one before it.
const maxMoments = 4

// At returns a step, which must exist.
func (x *Counterexample) At(step int) *Moment {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, m := range x.last {
		if m.Step == step {
			return m
		}
	}
	m := &Moment{step, x, circuit.NewTernary(x.cone.Circuit)}
	for i, v := range x.states[step] {
		m.sim.SetLatch(i, v)
	}
	m.sim.Eval(x.rowOf(step, make([]circuit.Value, len(x.cone.Inputs))))
	if x.last = append(x.last, m); len(x.last) > maxMoments {
		x.last = x.last[1:]
	}
	return m
}

// Value returns the value of a literal of the circuit; ok is false when it lies
// outside the cone.
func (m *Moment) Value(l circuit.Lit) (v circuit.Value, ok bool) {
	lit, ok := m.x.litOf(l)
	if !ok {
		return circuit.X, false
	}
	return m.sim.Value(lit), true
}

// rowOf fills row with the inputs of the cone in a step.
func (x *Counterexample) rowOf(step int, row []circuit.Value) []circuit.Value {
	for i, from := range x.cone.Inputs {
		row[i] = x.trace.Inputs[step][from]
	}
	return row
}

func (x *Counterexample) replayLatches() {
	latches := x.cone.Circuit.Latches()
	x.latches = make([]LatchTrace, len(latches))
	x.replay(func(sim *circuit.Ternary) {
		state := make([]circuit.Value, len(latches))
		for i, l := range latches {
			state[i] = sim.Value(l.Lit)
			x.latches[i].Values = append(x.latches[i].Values, state[i])
		}
		x.states = append(x.states, state)
	})
	for i := range x.latches {
		t := &x.latches[i]
		t.Index = x.cone.Latches[i]
		t.change = 1
		for t.change < len(t.Values) && t.Values[t.change] == t.Values[0] {
			t.change++
		}
	}
	sort.Slice(x.latches, func(i, j int) bool {
		a, b := x.latches[i], x.latches[j]
		if a.change != b.change {
			return a.change < b.change
		}
		return a.Index < b.Index
	})
}

// replay simulates the cone along the trace and calls visit at each step.
func (x *Counterexample) replay(visit func(*circuit.Ternary)) {
	sim := circuit.NewTernary(x.cone.Circuit)
	sim.Reset()
	for i, from := range x.cone.Latches {
		if v := x.trace.Initial[from]; v != circuit.X {
			sim.SetLatch(i, v)
		}
	}
	row := make([]circuit.Value, len(x.cone.Inputs))
	for step := range x.trace.Inputs {
		if step > 0 {
			sim.Advance()
		}
		sim.Eval(x.rowOf(step, row))
		visit(sim)
	}
}

// digits writes values as a word like "01x1".
func digits(values []circuit.Value) string {
	var b strings.Builder
	for _, v := range values {
		b.WriteString(v.String())
	}
	return b.String()
}
