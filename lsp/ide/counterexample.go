package ide

import (
	"context"
	"fmt"
	"sort"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/trace"
	"aiglens/design"
	"aiglens/ic3/verify"
)

// Counterexample is a refutation replayed on the circuit of a text. It simulates the
// property's cone only: what lies outside has no value that matters.
type Counterexample struct {
	Run
	Property circuit.Property
	Among    *Among        // see AmongOf
	evidence []trace.Event // of the cone: see Evidence
	goals    []int         // by evidence of a lasso: its number among the goals
	latches  []LatchTrace
}

// Among says which one of several counterexamples of a property one is.
type Among struct {
	Document      *design.Design // the text of which the others are known
	Number, Known int            // from 1, in the order in which they were found, and how many there are
	Words         string         // what the search for it has found
}

// AmongOf returns which one of several of a text it is; nil where it is the only one that is
// known of that text.
func (x *Counterexample) AmongOf(d *design.Design) *Among {
	if x.Among == nil || x.Among.Document != d {
		return nil
	}
	return x.Among
}

// WithAmong returns the counterexample as one of several.
func (x *Counterexample) WithAmong(a Among) *Counterexample {
	own := *x
	own.Among = &a
	return &own
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
	x = &Counterexample{Property: p, Run: Run{cone: cone, trace: r.Checked.Trace().Restrict(cone.Latches, cone.Inputs)}}
	if lasso, ok := lassoOf(r.Checked, x.trace); ok {
		x.replay, err = trace.NewLasso(ctx, cone.Circuit, lasso)
	} else {
		x.replay, err = trace.New(ctx, cone.Circuit, x.trace)
	}
	if err != nil || !x.findEvidence(ctx) {
		return nil, false
	}
	return x, x.fillIn(ctx) == nil && x.traceLatches(ctx) == nil
}

// Latches returns the latches of the cone, those first that come first in why the
// property fails, and those that have no part in it last.
func (x *Counterexample) Latches() []LatchTrace { return x.latches }

// Whole returns the run over the latches and inputs of the circuit that the cone was taken from;
// what lies outside of the cone is x.
func (x *Counterexample) Whole(c *circuit.Circuit) cert.Trace {
	whole := cert.Trace{Initial: allX(len(c.Latches()))}
	for i, at := range x.cone.Latches {
		whole.Initial[at] = x.trace.Initial[i]
	}
	for _, row := range x.trace.Inputs {
		wide := allX(len(c.Inputs()))
		for i, at := range x.cone.Inputs {
			wide[at] = row[i]
		}
		whole.Inputs = append(whole.Inputs, wide)
	}
	return whole
}

func allX(n int) []circuit.Value {
	values := make([]circuit.Value, n)
	for i := range values {
		values[i] = circuit.X
	}
	return values
}

// traceLatches fills latches.
func (x *Counterexample) traceLatches(ctx context.Context) error {
	x.latches = make([]LatchTrace, len(x.states))
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

// Run is a run of the circuit of a text, or of a part of it, with its values at all steps.
// A Counterexample is one that a property has; a run of no property is one that was played,
// and stands for nothing but itself: see NewRun.
type Run struct {
	cone   *circuit.Cone
	trace  cert.Trace // of the cone
	replay *trace.Replay
	lits   map[circuit.Var]circuit.Lit // of the circuit → of the cone
	states [][]circuit.Value           // by latch of the cone and recorded step
}

// NewRun simulates a run of no property, over the latches and inputs of a circuit. The error
// is trace.ErrForm, or that of ctx.
func NewRun(ctx context.Context, c *circuit.Circuit, t cert.Trace) (*Run, error) {
	x := &Run{cone: c.Whole(), trace: t}
	var err error
	if x.replay, err = trace.New(ctx, c, t); err != nil {
		return nil, err
	}
	return x, x.fillIn(ctx)
}

// fillIn fills lits and states, once the replay is there. The error is that of ctx.
func (x *Run) fillIn(ctx context.Context) (err error) {
	c := x.cone.Circuit
	x.lits = make(map[circuit.Var]circuit.Lit, c.NumVars())
	for v := range circuit.Var(c.NumVars()) {
		from := x.cone.LitFrom(v.Lit())
		x.lits[from.Var()] = v.Lit().NotIf(from.IsNegated())
	}
	lits := make([]circuit.Lit, len(c.Latches()))
	for i, l := range c.Latches() {
		lits[i] = l.Lit
	}
	x.states, err = x.replay.Values(ctx, x.Recorded(), lits...)
	return err
}

// Steps returns the number of steps. The violation of a counterexample is in the last one; of
// a lasso they go up to the end of the first round of its loop.
func (x *Run) Steps() int { return x.trace.Steps() }

// Value returns the value of a literal of the circuit at a step; ok is false when it
// lies outside the cone.
func (x *Run) Value(l circuit.Lit, step int) (v circuit.Value, ok bool) {
	lit, ok := x.litOf(l)
	if !ok {
		return circuit.X, false
	}
	return x.replay.Value(lit, step), true
}

// Values returns the value of a literal of the circuit at each of the first so many steps.
// Of a step it computes what the literal depends on. Errors are ErrOutside and that of ctx.
func (x *Run) Values(ctx context.Context, l circuit.Lit, steps int) ([]circuit.Value, error) {
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

// Rows returns the values of literals of the circuit at all steps of a run: by literal, then by
// step. What lies outside the cone is x. The error is that of ctx.
func (x *Run) Rows(ctx context.Context, lits []circuit.Lit) ([][]circuit.Value, error) {
	inside := make([]circuit.Lit, len(lits))
	for i, l := range lits {
		inside[i], _ = x.litOf(l) // a constant is 0 in both
	}
	rows, err := x.replay.Values(ctx, x.Steps(), inside...)
	for i, l := range lits {
		if _, ok := x.litOf(l); !ok && err == nil {
			for step := range rows[i] {
				rows[i][step] = circuit.X
			}
		}
	}
	return rows, err
}

// maxSought bounds the instances in which a signal is looked for.
const maxSought = 100

// Copy returns a signal of the text in the first instance of its model that takes part
// in the counterexample; only says that the model has no other instance.
func (x *Run) Copy(d *design.Design, l design.Lit) (first design.Copy, only, ok bool) {
	copies := d.Copies(l, maxSought)
	for _, c := range copies {
		if _, inside := x.litOf(c.Lit); inside {
			return c, len(copies) == 1, true
		}
	}
	return first, false, false
}

// litOf returns the literal of the cone for one of the circuit.
func (x *Run) litOf(l circuit.Lit) (circuit.Lit, bool) {
	lit, ok := x.lits[l.Var()]
	return lit.NotIf(l.IsNegated()), ok
}

// maxShown bounds the steps of a lasso that can be shown: it has no last one.
const maxShown = 1_000_000

// Loop returns the first step of the loop of a counterexample of a justice property: the
// steps from there on, up to the last one, repeat for ever. ok is false for a run that ends.
func (x *Run) Loop() (first int, ok bool) { return x.replay.Loop() }

// LoopSteps returns how many of the steps, the last ones, repeat for ever; 0 for a run that
// ends.
func (x *Run) LoopSteps() int {
	if first, ok := x.Loop(); ok {
		return x.Steps() - first
	}
	return 0
}

// Limit returns the number of steps that can be shown: those of a run that ends, those of
// many rounds of a lasso.
func (x *Run) Limit() int {
	if x.LoopSteps() > 0 {
		return max(maxShown, x.Steps())
	}
	return x.Steps()
}

// Within returns the step nearest to one that can be shown.
func (x *Run) Within(step int) int { return min(max(step, 0), x.Limit()-1) }

// StepsOf returns the number of steps up to the end of a round of the loop, but at least
// one round and no more than can be shown; of a run that ends, that of all.
func (x *Run) StepsOf(rounds int) int {
	length := x.LoopSteps()
	if length == 0 || rounds <= 1 {
		return x.Steps()
	}
	return x.Steps() + min(rounds-1, (x.Limit()-x.Steps())/length)*length
}

// place returns the step of the counterexample that a step stands for, and in which round
// of the loop it is: from 1; 0 for one that is in none.
func (x *Run) place(step int) (given, round int) {
	first, isLasso := x.Loop()
	if !isLasso || step < first {
		return step, 0
	}
	length := x.LoopSteps()
	return first + (step-first)%length, 1 + (step-first)/length
}

// StepName says a step in words: "step 3", beyond the first round of a loop "step 3 of
// round 2".
func (x *Run) StepName(step int) string {
	given, round := x.place(step)
	if round > 1 {
		return fmt.Sprintf("step %d of round %d", given, round)
	}
	return fmt.Sprintf("step %d", given)
}

// Recorded returns the number of steps by whose values those of all later ones are known.
func (x *Run) Recorded() int {
	_, end := x.replay.Period()
	return end
}
