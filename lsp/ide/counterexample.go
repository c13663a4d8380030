package ide

import (
	"context"
	"sort"
	"strings"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/trace"
	"aiglens/ic3/verify"
	"aiglens/lsp/document"
)

// Counterexample is a refutation replayed on the circuit of a text.
// It simulates the property's cone only: what lies outside has no value that
// matters.
type Counterexample struct {
	Property circuit.Property
	cone     *circuit.Cone
	trace    cert.Trace // of the cone
	replay   *trace.Replay
	evidence []trace.Event               // of the cone: see Evidence
	goals    []int                       // by evidence of a lasso: its number among the goals
	lits     map[circuit.Var]circuit.Lit // of the circuit → of the cone
	states   [][]circuit.Value           // by latch of the cone and recorded step
	latches  []LatchTrace
}

// LatchTrace is a latch of a counterexample with its value at each step.
type LatchTrace struct {
	Index  int // position among the latches of the circuit
	Values []circuit.Value
	// Word writes the values as Counterexample.Word does.
	Word string
	// Relevant says that the latch has a part in why the property fails; First is the
	// first step in which it has.
	Relevant bool
	First    int
}

// NewCounterexample replays a refutation of p in c, the circuit that the
// result speaks of; ok is false for any other verdict, and when ctx ends.
func NewCounterexample(ctx context.Context, c *circuit.Circuit, p circuit.Property, r verify.Result) (x *Counterexample, ok bool) {
	if r.Checked.Outcome() != cert.Refuted || !r.Checked.Certified() {
		return nil, false
	}
	cone, err := c.ConeContext(ctx, p)
	if err != nil {
		return nil, false
	}
	x = &Counterexample{
		Property: p, cone: cone, trace: r.Checked.Trace().Restrict(cone.Latches, cone.Inputs),
		lits: map[circuit.Var]circuit.Lit{},
	}
	if lasso, ok := lassoOf(r.Checked, x.trace); ok {
		x.replay, err = trace.NewLasso(ctx, cone.Circuit, lasso)
	} else {
		x.replay, err = trace.New(ctx, cone.Circuit, x.trace)
	}
	if err != nil || !x.findEvidence(ctx) {
		return nil, false
	}
	for v := range circuit.Var(cone.Circuit.NumVars()) {
		from := cone.LitFrom(v.Lit())
		x.lits[from.Var()] = v.Lit().NotIf(from.IsNegated())
	}
	return x, x.traceLatches(ctx) == nil
}

// Steps returns the number of steps; the violation is in the last one. Of a lasso they go up
// to the end of the first round of its loop.
func (x *Counterexample) Steps() int { return x.trace.Steps() }

// Latches returns the latches of the cone, those first that come first in why the
// property fails, and those that have no part in it last.
func (x *Counterexample) Latches() []LatchTrace { return x.latches }

// Value returns the value of a literal of the circuit at a step; ok is false when it
// lies outside the cone.
func (x *Counterexample) Value(l circuit.Lit, step int) (v circuit.Value, ok bool) {
	lit, ok := x.litOf(l)
	if !ok {
		return circuit.X, false
	}
	return x.replay.Value(lit, step), true
}

// Values returns the value of a literal of the circuit at each of the first so many steps.
// Of a step it computes what the literal depends on. Errors are ErrOutside and that of ctx.
func (x *Counterexample) Values(ctx context.Context, l circuit.Lit, steps int) ([]circuit.Value, error) {
	lit, ok := x.litOf(l)
	if !ok {
		return nil, ErrOutside
	}
	c := x.cone.Circuit
	gates, leaves := c.Logic(lit)
	sim := circuit.NewTernary(c)
	values := make([]circuit.Value, steps)
	for step := range values {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if same := x.replay.Recorded(step); same < step {
			values[step] = values[same]
			continue
		}
		given, _ := x.place(step)
		inputs := x.trace.Inputs[given]
		for _, v := range leaves {
			if i := c.InputIndex(v); i >= 0 {
				sim.SetInput(i, inputs[i])
			} else if i := c.LatchIndex(v); i >= 0 {
				sim.SetLatch(i, x.states[i][step])
			}
		}
		sim.EvalGates(gates)
		values[step] = sim.Value(lit)
	}
	return values, nil
}

// maxSought bounds the instances in which a signal is looked for.
const maxSought = 100

// Copy returns a signal of the text in the first instance of its model that takes part
// in the counterexample; only says that the model has no other instance.
func (x *Counterexample) Copy(d *document.Document, l document.Lit) (first document.Copy, only, ok bool) {
	copies := d.Copies(l, maxSought)
	for _, c := range copies {
		if _, inside := x.litOf(c.Lit); inside {
			return c, len(copies) == 1, true
		}
	}
	return first, false, false
}

// litOf returns the literal of the cone for one of the circuit.
func (x *Counterexample) litOf(l circuit.Lit) (circuit.Lit, bool) {
	lit, ok := x.lits[l.Var()]
	return lit.NotIf(l.IsNegated()), ok
}

// traceLatches fills states and latches.
func (x *Counterexample) traceLatches(ctx context.Context) error {
	all := x.cone.Circuit.Latches()
	lits := make([]circuit.Lit, len(all))
	x.latches = make([]LatchTrace, len(all))
	for i, l := range all {
		lits[i] = l.Lit
	}
	var err error
	if x.states, err = x.replay.Values(ctx, x.Recorded(), lits...); err != nil {
		return err
	}
	for i := range x.latches {
		x.latches[i] = LatchTrace{Index: x.cone.Latches[i], Values: x.states[i][:x.Steps()], Word: x.Word(x.states[i])}
	}
	support, err := x.replay.Support(ctx, x.evidence...)
	if err != nil {
		return err
	}
	for _, l := range support.Latches {
		x.latches[l.Index].Relevant, x.latches[l.Index].First = true, l.First
	}
	sort.SliceStable(x.latches, func(i, j int) bool {
		a, b := x.latches[i], x.latches[j]
		switch {
		case a.Relevant != b.Relevant:
			return a.Relevant
		case a.First != b.First:
			return a.First < b.First
		}
		return a.Index < b.Index
	})
	return nil
}

// Digits writes values as a word like "01x1".
func Digits(values []circuit.Value) string {
	var b strings.Builder
	for _, v := range values {
		b.WriteString(v.String())
	}
	return b.String()
}
