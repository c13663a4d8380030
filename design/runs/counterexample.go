package runs

import (
	"context"
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
	replay   *trace.Replay // of the cone
	evidence []trace.Event // of the cone: see Evidence
	goals    []int         // by evidence of a lasso: its number among the goals
	latches  []LatchTrace
	parts    *lastParts
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

// InInstance returns the counterexample with another instance in which signals of a model with
// several are meant.
func (x *Counterexample) InInstance(path string) *Counterexample {
	if x == nil || path == x.instance {
		return x
	}
	own := *x
	own.instance = path
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
// result refers to; ok is false for any other verdict, and when ctx ends.
func NewCounterexample(ctx context.Context, c *circuit.Circuit, p circuit.Property, r verify.Result) (x *Counterexample, ok bool) {
	if r.Checked.Outcome() != cert.Refuted || !r.Checked.Certified() {
		return nil, false
	}
	cone, err := c.ConeContext(ctx, p)
	if err != nil {
		return nil, false
	}
	t := r.Checked.Trace().Restrict(cone.Latches, cone.Inputs)
	var replay *trace.Replay
	if lasso, ok := lassoOf(r.Checked, t); ok {
		replay, err = trace.NewLasso(ctx, cone.Circuit, lasso)
	} else {
		replay, err = trace.New(ctx, cone.Circuit, t)
	}
	if err != nil {
		return nil, false
	}
	x = &Counterexample{Property: p, Run: newRunOfCone(cone, t, replay), replay: replay, parts: &lastParts{}}
	return x, x.findEvidence(ctx) && x.traceLatches(ctx) == nil
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
	x.latches = make([]LatchTrace, len(x.cone.Latches))
	for i := range x.latches {
		values := make([]circuit.Value, x.Recorded())
		for step := range values {
			values[step] = x.replay.State(step)[i]
		}
		x.latches[i] = LatchTrace{Index: x.cone.Latches[i], Values: values[:x.Steps()], Word: x.Word(values)}
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
