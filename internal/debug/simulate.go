package debug

import (
	"context"
	"errors"
	"strings"

	"github.com/google/go-dap"

	"aiglens/circuit"
	"aiglens/design/expression"
	"aiglens/design/play"
)

// greet says what people can do with a simulation.
func (w *walk) greet() {
	w.client.say("console", "A run from reset. Set its inputs among the variables.\nA step on adds a step with the inputs of the last one.\nContinue adds steps with %s inputs until a breakpoint hits or a property fails.\n", w.inputs())
	if words := firstError(w.t.doc); words != "" {
		w.client.say("console", "The text has an error%s. What depends on it is x.\n", words)
	}
}

func (w *walk) inputs() string {
	if w.args.Inputs == inputsLast {
		return "the same"
	}
	return inputsRandom
}

// changeRun changes the run of a simulation.
func (w *walk) changeRun(ctx context.Context, x *play.Change) error {
	run, _, err := w.t.simulation.run.Changed(ctx, w.t.doc, x)
	if err != nil {
		return err
	}
	t, err := w.t.with(ctx, run)
	if err != nil {
		return err
	}
	w.t = t
	w.breakpoints.runChanged()
	return nil
}

// simulateStep goes one step on, to a new one after the last.
func (w *walk) simulateStep(ctx context.Context) {
	if w.step == w.t.last() {
		if err := w.changeRun(ctx, &play.Change{Kind: play.Add, Steps: 1}); err != nil {
			w.stay(err)
			return
		}
	}
	to := w.step + 1
	w.breakpoints.log(ctx, w.t, w.t, to)
	w.stopAt(to, w.breakpoints.hits(ctx, w.t, to))
}

// stay stops where the run is, and says why it does not go on.
func (w *walk) stay(why error) {
	if !errors.Is(why, context.Canceled) {
		w.client.say("console", "%v\n", why)
	}
	w.arrive(w.step, reasonStep, nil)
}

// stopAt stops at a step of a simulation and says in the console what happens there.
func (w *walk) stopAt(step int, hits []*breakpoint) {
	if w.t.fails(step) {
		w.client.say("console", "Fails in step %d: %s.\n", step, w.t.failingNames(step))
	}
	if unsound, why := w.t.simulation.observed.Unsound(); unsound == step {
		w.client.say("console", "%s\n", strings.Join(why, " "))
	}
	w.arrive(step, reasonStep, hits)
}

// firstChunk is how many steps continue adds first; each time after that it adds twice as many,
// so that simulating the run again and again takes no more than some times as long as once.
const firstChunk = 16

// simulate goes on through the steps there are, and then through new ones, to the first that
// stops the run, or as far as it may go at once.
func (w *walk) simulate(ctx context.Context) {
	if unsound, why := w.t.simulation.observed.Unsound(); unsound >= 0 && unsound <= w.step {
		w.stay(errors.New(strings.Join(why, " ")))
		return
	}
	if at, hits, ok := w.firstStop(ctx, w.step+1, false); ok {
		w.stopAt(at, hits)
		return
	}
	bound := defaultBound
	if w.args.Steps != nil {
		bound = *w.args.Steps
	}
	begin := w.t.steps()
	bound = min(bound, play.MaxSteps(w.t.doc.Circuit())-begin)
	for chunk := firstChunk; w.t.steps()-begin < bound; chunk *= 2 {
		from := w.t.steps()
		if err := w.changeRun(ctx, w.newSteps(min(chunk, bound-(from-begin)))); err != nil {
			w.step = w.t.last()
			w.stay(err)
			return
		}
		at, hits, ok := w.firstStop(ctx, from, true)
		if !ok {
			continue
		}
		// Without ctx: what stopped the search must not keep the later steps from being left out.
		if err := w.changeRun(context.WithoutCancel(ctx), &play.Change{Kind: play.Cut, Step: at}); err != nil {
			w.stay(err)
			return
		}
		w.stopAt(at, hits)
		return
	}
	switch n := w.t.steps() - begin; {
	case n > 0:
		w.client.say("console", "Stopped after %d new steps: no breakpoint was hit and no property began to fail in them. That proves nothing.\n", n)
	default:
		w.client.say("console", "The run can have no more steps.\n")
	}
	w.arrive(w.t.last(), reasonStep, nil)
}

// newSteps is the change that adds steps for continue.
func (w *walk) newSteps(n int) *play.Change {
	if w.args.Inputs == inputsLast {
		return &play.Change{Kind: play.Add, Steps: n}
	}
	x := &play.Change{Kind: play.Random, Steps: n}
	if w.args.Seed != 0 {
		x.Seed = max(1, w.args.Seed+uint32(w.t.steps())) // else each part would have the same inputs; 0 draws one
	}
	return x
}

// firstStop returns the first step from one on that stops the run, and the breakpoints that hit
// there. isNew says that the steps are being added: later ones are not there yet.
func (w *walk) firstStop(ctx context.Context, from int, isNew bool) (at int, hits []*breakpoint, ok bool) {
	for at := from; at < w.t.steps(); at++ {
		var r expression.Run = w.t
		if isNew {
			r = upTo{w.t, at}
		}
		w.breakpoints.log(ctx, w.t, r, at)
		if hits := w.breakpoints.hits(ctx, r, at); len(hits) > 0 || w.t.stops(at) || ctx.Err() != nil {
			return at, hits, true
		}
	}
	return 0, nil, false
}

// upTo is a run without the steps after one.
type upTo struct {
	run  expression.Run
	last int
}

func (r upTo) Value(l circuit.Lit, step int) circuit.Value {
	if step > r.last {
		return circuit.X
	}
	return r.run.Value(l, step)
}

// onSetVariable gives an input another value in the step that is shown, or a latch without a
// reset in step 0, or all bits of a word, and simulates the rest again.
func (w *walk) onSetVariable(ctx context.Context, m *dap.SetVariableRequest) error {
	h, v, change, err := w.assignmentFrom(m.Arguments)
	if err != nil {
		return err
	}
	before := w.t
	if change != nil {
		if err := w.changeRun(ctx, change); err != nil {
			return err
		}
	}
	r := &dap.SetVariableResponse{Response: response(&m.Request)}
	shown := w.variables().variable(v, h)
	r.Body.Value, r.Body.Type = shown.Value, shown.Type
	r.Body.VariablesReference, r.Body.NamedVariables, r.Body.IndexedVariables = shown.VariablesReference, shown.NamedVariables, shown.IndexedVariables
	w.client.send(r)
	if w.t != before {
		w.showChanged(before, h.step)
	}
	return nil
}

// assignmentFrom returns where a variable stands, the variable, and the change of the run that gives
// it the value that is asked for; nil where it has it.
func (w *walk) assignmentFrom(a dap.SetVariableArguments) (h handle, v *entry, change *play.Change, err error) {
	if h, err = w.handles.from(a.VariablesReference); err != nil {
		return h, v, nil, err
	}
	if w.t.simulation == nil {
		return h, v, nil, refuse("a counterexample stays as it is; a session with \"simulate\" has inputs to set")
	}
	if v, err = w.variables().entryNamed(h, a.Name); err != nil {
		return h, v, nil, err
	}
	if v.word != nil {
		change, err = entries{w.t}.changeOfWord(v.word, h.step, withoutBefore(a.Value))
		return h, v, change, err
	}
	value, err := valueFrom(a.Value)
	if err == nil && (!w.t.canSet(v.lit, h.step) || w.t.Value(v.lit, h.step) != value) {
		change = &play.Change{Kind: play.Flip, Signal: v.lit, Step: h.step}
	}
	return h, v, change, err
}

// showChanged asks the client to show that the run is another one than before, from a step on. What has not changed
// is left out: VS Code takes no key for the stack until it has asked for that again.
func (w *walk) showChanged(before *target, from int) {
	if w.t.simulation.words != before.simulation.words {
		w.client.say("console", "%s\n", w.t.simulation.words)
	}
	reason := func(t *target) string { return t.failingNames(w.step) + t.soundness(w.step) }
	if !w.client.SupportsInvalidatedEvent || reason(w.t) != reason(before) { // the reason of the stop is another one
		w.arrive(w.step, reasonStep, nil)
		return
	}
	changed := dap.InvalidatedEventBody{Areas: []dap.InvalidatedAreas{"variables"}, StackFrameId: w.step + 1}
	if from < w.step { // later frames have other values, too, and say so in their names
		changed = dap.InvalidatedEventBody{Areas: []dap.InvalidatedAreas{"stacks", "variables"}}
	}
	w.client.send(&dap.InvalidatedEvent{Event: event("invalidated"), Body: changed})
}
