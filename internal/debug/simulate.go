package debug

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"

	"github.com/google/go-dap"

	"aiglens/circuit"
	"aiglens/design/expression"
	"aiglens/design/play"
	"aiglens/design/runs"
	"aiglens/internal/source"
)

// simulation is a run of no property, which begins at reset.
type simulation struct {
	run    *play.Run
	judged play.Judged
	words  string // what the run does to properties
}

// The inputs of the steps that continue adds.
const (
	inputsRandom = "random"
	inputsLast   = "last" // those of the last step
)

// defaultBound is how many steps continue adds at most.
const defaultBound = 1000

// loadSimulation reads a circuit and begins a run on it.
func (o Options) loadSimulation(ctx context.Context, args launchArguments, _ progress) (*target, error) {
	switch {
	case args.Witness != "" || args.WitnessText != "" || args.Property != "":
		return nil, errors.New(`"simulate" begins at reset and is about all properties: not together with "property", "witness" or "witnessText"`)
	case args.Inputs != "" && args.Inputs != inputsRandom && args.Inputs != inputsLast:
		return nil, fmt.Errorf(`"inputs" is %q, expected %q or %q`, args.Inputs, inputsRandom, inputsLast)
	case args.Steps != nil && *args.Steps < 1:
		return nil, fmt.Errorf(`"steps" is %d, expected 1 or more`, *args.Steps)
	}
	doc, decoded, err := args.read(ctx)
	if err != nil {
		return nil, err
	}
	if err := doc.Elaborate(ctx); err != nil {
		return nil, err
	}
	run, _, err := play.From(ctx, doc, play.Request{})
	if err != nil {
		return nil, fmt.Errorf("%s: %w%s", args.Program, err, firstError(doc))
	}
	t := &target{doc: doc, path: doc.URI}
	if t, err = t.with(ctx, run); err != nil {
		return nil, err
	}
	c := doc.Circuit()
	t.groups = [numGroups]func() []signal{
		groupProperty: sync.OnceValue(t.propertySignals),
		groupInputs: sync.OnceValue(func() []signal {
			all := make([]signal, doc.NumInputs())
			for i := range all {
				all[i].lit = c.Inputs()[i].Lit
			}
			return all
		}),
		groupLatches: sync.OnceValue(func() []signal {
			all := make([]signal, len(c.Latches()))
			for i, l := range c.Latches() {
				all[i].lit = l.Lit
			}
			return all
		}),
		groupGates: sync.OnceValue(func() []signal { return t.gates(c.Whole()) }),
	}
	t.readNames()
	t.standsFor(args, decoded)
	return t, nil
}

// with returns the target with another run. The error is that of ctx.
func (t *target) with(ctx context.Context, run *play.Run) (*target, error) {
	judged, err := play.Judge(ctx, t.doc, run)
	if err != nil {
		return nil, err
	}
	report, err := judged.ReportOf(ctx, t.doc, run)
	if err != nil {
		return nil, err
	}
	other := *t
	other.run, other.simulation = run.Values, &simulation{run, judged, report.Words}
	return &other, nil
}

// title says what the run is.
func (t *target) title() string {
	if t.simulation != nil {
		return "run of " + filepath.Base(t.path)
	}
	return "counterexample of " + t.property.Name
}

// failingNames are the properties that are seen to fail in a step, of many the first ones.
func (t *target) failingNames(step int) string {
	if t.simulation == nil {
		return t.property.Name
	}
	_, begin := t.simulation.judged.FailingAt(step)
	var names []string
	for _, p := range begin[:min(len(begin), maxNames)] {
		names = append(names, p.Name)
	}
	words := strings.Join(names, ", ")
	if more := len(begin) - maxNames; more > 0 {
		words += fmt.Sprintf(" and %d more", more)
	}
	return words
}

// failWords say of a step of a simulation which properties begin to fail in it.
func (t *target) failWords(step int) string {
	if _, begin := t.simulation.judged.FailingAt(step); len(begin) > 1 {
		return fmt.Sprintf("the properties %s fail", t.failingNames(step))
	}
	return fmt.Sprintf("the property %s fails", t.failingNames(step))
}

// simulatedWords say which step of a simulation it is, and what fails in it.
func (t *target) simulatedWords(step int) string {
	words := t.run.StepName(step)
	failing, _ := t.simulation.judged.FailingAt(step)
	for i, p := range failing {
		switch {
		case i == maxNames:
			return words + fmt.Sprintf(" and %d more", len(failing)-maxNames) + t.soundness(step)
		case i == 0:
			words += ": fails " + p.Name
		default:
			words += ", " + p.Name
		}
	}
	return words + t.soundness(step)
}

// soundness says of a step that no run of the circuit has it, or may not have it.
func (t *target) soundness(step int) string {
	unsound, _ := t.simulation.judged.Unsound()
	switch {
	case t.simulation.judged.IsBroken(step):
		return ": no run of the circuit"
	case unsound >= 0 && step >= unsound:
		return ": may be no run of the circuit"
	}
	return ""
}

// simulatedProperties are those that a step can violate or reach.
func (t *target) simulatedProperties() (all []signal) {
	for _, p := range t.doc.Properties() {
		if bad, ok := t.doc.Circuit().Bad(p.ID); ok {
			all = append(all, signal{lit: bad, name: p.Name, relevant: true})
		}
	}
	return all
}

// simulatedPlace is where a step of a simulation stands: at what fails in it, else at what
// changes in it, else at the first property, input or latch.
func (t *target) simulatedPlace(step int) place {
	if failing, _ := t.simulation.judged.FailingAt(step); len(failing) > 0 {
		return place{"", t.doc.Text, failing[0].Row}
	}
	if changes := t.changes(step); len(changes) > 0 {
		if at, ok := t.placeOf(changes[0].lit); ok {
			return at
		}
	}
	if all := t.doc.Properties(); len(all) > 0 {
		return place{"", t.doc.Text, all[0].Row}
	}
	for _, group := range []int{groupInputs, groupLatches} {
		for _, s := range t.groups[group]()[:min(1, len(t.groups[group]()))] {
			if at, ok := t.placeOf(s.lit); ok {
				return at
			}
		}
	}
	return place{"", t.doc.Text, source.Span{}}
}

// hint says whether a variable can be set in a step.
func (t *target) hint(l circuit.Lit, step int) *dap.VariablePresentationHint {
	hint := &dap.VariablePresentationHint{Kind: "data"}
	if t.simulation != nil {
		switch play.SettableAt(t.doc, l) {
		case play.Always:
			return hint
		case play.AtStart:
			if step == 0 {
				return hint
			}
		}
	}
	hint.Attributes = []string{"readOnly"}
	return hint
}

// stops reports whether continue stops at a step of a simulation: a property begins to fail, or
// no run of the circuit has this step.
func (t *target) stops(step int) bool {
	unsound, _ := t.simulation.judged.Unsound()
	return t.fails(step) || step == unsound
}

// greet says what people can do with a simulation.
func (s *session) greet() {
	s.client.say("console", "A run from reset. Set its inputs among the variables.\nA step on adds a step with the inputs of the last one.\nContinue adds steps with %s inputs until a breakpoint hits or a property fails.\n", s.inputs())
	if words := firstError(s.t.doc); words != "" {
		s.client.say("console", "The text has an error%s. What depends on it is x.\n", words)
	}
}

func (s *session) inputs() string {
	if s.launch.args.Inputs == inputsLast {
		return "the same"
	}
	return inputsRandom
}

// changeRun changes the run of a simulation.
func (s *session) changeRun(ctx context.Context, x *play.Change) error {
	run, _, err := s.t.simulation.run.Changed(ctx, s.t.doc, x)
	if err != nil {
		return err
	}
	t, err := s.t.with(ctx, run)
	if err != nil {
		return err
	}
	s.t = t
	for _, b := range s.breakpoints() {
		b.counts = nil
	}
	return nil
}

// simulateStep goes one step on, to a new one after the last.
func (s *session) simulateStep(ctx context.Context) {
	if s.step == s.t.last() {
		if err := s.changeRun(ctx, &play.Change{Kind: play.Add, Steps: 1}); err != nil {
			s.stay(err)
			return
		}
	}
	to := s.step + 1
	s.log(ctx, s.t, to)
	s.stopAt(to, s.hits(ctx, s.t, to))
}

// stay stops where the run is, and says why it does not go on.
func (s *session) stay(why error) {
	if !errors.Is(why, context.Canceled) {
		s.client.say("console", "%v\n", why)
	}
	s.arrive(s.step, reasonStep, nil)
}

// stopAt stops at a step of a simulation and says in the console what happens there.
func (s *session) stopAt(step int, hits []*breakpoint) {
	if s.t.fails(step) {
		s.client.say("console", "Fails in step %d: %s.\n", step, s.t.failingNames(step))
	}
	if unsound, why := s.t.simulation.judged.Unsound(); unsound == step {
		s.client.say("console", "%s\n", strings.Join(why, " "))
	}
	s.arrive(step, reasonStep, hits)
}

// firstChunk is how many steps continue adds first; each time after that it adds twice as many,
// so that simulating the run again and again takes no more than some times as long as once.
const firstChunk = 16

// simulate goes on through the steps there are, and then through new ones, to the first that
// stops the run, or as far as it may go at once.
func (s *session) simulate(ctx context.Context) {
	if unsound, why := s.t.simulation.judged.Unsound(); unsound >= 0 && unsound <= s.step {
		s.stay(errors.New(strings.Join(why, " ")))
		return
	}
	if at, hits, ok := s.firstStop(ctx, s.step+1, false); ok {
		s.stopAt(at, hits)
		return
	}
	bound := defaultBound
	if s.launch.args.Steps != nil {
		bound = *s.launch.args.Steps
	}
	begin := s.t.steps()
	bound = min(bound, play.MaxSteps(s.t.doc.Circuit())-begin)
	for chunk := firstChunk; s.t.steps()-begin < bound; chunk *= 2 {
		from := s.t.steps()
		if err := s.changeRun(ctx, s.newSteps(min(chunk, bound-(from-begin)))); err != nil {
			s.step = s.t.last()
			s.stay(err)
			return
		}
		at, hits, ok := s.firstStop(ctx, from, true)
		if !ok {
			continue
		}
		// Without ctx: what stopped the search must not keep the later steps from being left out.
		if err := s.changeRun(context.WithoutCancel(ctx), &play.Change{Kind: play.Cut, Step: at}); err != nil {
			s.stay(err)
			return
		}
		s.stopAt(at, hits)
		return
	}
	switch n := s.t.steps() - begin; {
	case n > 0:
		s.client.say("console", "Stopped after %d new steps: no breakpoint was hit and no property began to fail in them. That proves nothing.\n", n)
	default:
		s.client.say("console", "The run can have no more steps.\n")
	}
	s.arrive(s.t.last(), reasonStep, nil)
}

// newSteps is the change that adds steps for continue.
func (s *session) newSteps(n int) *play.Change {
	if s.launch.args.Inputs == inputsLast {
		return &play.Change{Kind: play.Add, Steps: n}
	}
	x := &play.Change{Kind: play.Random, Steps: n}
	if s.launch.args.Seed != 0 {
		x.Seed = max(1, s.launch.args.Seed+uint32(s.t.steps())) // else each part would have the same inputs; 0 draws one
	}
	return x
}

// firstStop returns the first step from one on that stops the run, and the breakpoints that hit
// there. isNew says that the steps are being added: later ones are not there yet.
func (s *session) firstStop(ctx context.Context, from int, isNew bool) (at int, hits []*breakpoint, ok bool) {
	for at := from; at < s.t.steps(); at++ {
		var r expression.Run = s.t
		if isNew {
			r = upTo{s.t, at}
		}
		s.log(ctx, r, at)
		if hits := s.hits(ctx, r, at); len(hits) > 0 || s.t.stops(at) || ctx.Err() != nil {
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
// reset in step 0, and simulates the rest again.
func (s *session) onSetVariable(ctx context.Context, m *dap.SetVariableRequest) error {
	h, err := s.handleFrom(m.Arguments.VariablesReference)
	if err != nil {
		return err
	}
	if s.t.simulation == nil {
		return refuse("a counterexample stays as it is; a session with \"simulate\" has inputs to set")
	}
	v, err := s.signalNamed(h, m.Arguments.Name)
	if err != nil {
		return err
	}
	value, err := valueFrom(m.Arguments.Value)
	if err != nil {
		return err
	}
	before := s.t
	x := &play.Change{Kind: play.Flip, Signal: v.lit, Step: h.step}
	if s.t.hint(v.lit, h.step).Attributes != nil || s.t.Value(v.lit, h.step) != value {
		if err := s.changeRun(ctx, x); err != nil {
			return err
		}
	}
	r := &dap.SetVariableResponse{Response: response(&m.Request)}
	shown := s.variable(v, h)
	r.Body.Value, r.Body.Type = shown.Value, shown.Type
	s.client.send(r)
	if s.t == before {
		return nil
	}
	if s.t.simulation.words != before.simulation.words {
		s.client.say("console", "%s\n", s.t.simulation.words)
	}
	if s.client.SupportsInvalidatedEvent {
		s.client.send(&dap.InvalidatedEvent{Event: event("invalidated"), Body: dap.InvalidatedEventBody{Areas: []dap.InvalidatedAreas{"all"}}})
	}
	told := func(t *target) string { return t.failingNames(s.step) + t.soundness(s.step) }
	if !s.client.SupportsInvalidatedEvent || told(s.t) != told(before) { // the reason of the stop is another one
		s.arrive(s.step, reasonStep, nil)
	}
	return nil
}

// signalNamed returns the variable of a group by its name. The error says that there is none, or
// that it is not known which one is meant.
func (s *session) signalNamed(h handle, name string) (found signal, err error) {
	n := 0
	for _, v := range s.t.groups[h.group]()[h.from:h.to] {
		if called, _ := s.t.nameOf(v); called == name && (n == 0 || v.lit != found.lit) {
			found = v
			n++
		}
	}
	switch {
	case n == 0:
		return found, refuse("there is no variable %s", name)
	case n > 1:
		return found, refuse("%d variables are called %s: give each a name of its own in the text", n, name)
	}
	return found, nil
}

// valueFrom reads a value as it is shown: what it was before may stand after it.
func valueFrom(text string) (circuit.Value, error) {
	word, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	if rest == "" || strings.HasPrefix(rest, "(was ") {
		switch word {
		case "0":
			return circuit.Zero, nil
		case "1":
			return circuit.One, nil
		}
	}
	return 0, refuse("%q is no value: expected 0 or 1", text)
}

// whyInSimulation says what forces the value of a signal at a step.
func (s *session) whyInSimulation(ctx context.Context, l circuit.Lit, step int) (string, error) {
	if err := s.inRun(step); err != nil {
		return "", err
	}
	root, err := runs.WhyInRun(ctx, s.t.doc, s.t.run, l, step, whyLimit)
	if err != nil {
		return "", err
	}
	return s.causes(root, false), nil
}

// whyFailsInSimulation says why properties fail in the present step.
func (s *session) whyFailsInSimulation(ctx context.Context) (string, error) {
	failing, _ := s.t.simulation.judged.FailingAt(s.step)
	if len(failing) == 0 {
		return "", fmt.Errorf("no property fails in step %d; ask about a signal, as in: why a", s.step)
	}
	var all []string
	for _, p := range failing[:min(len(failing), maxNames)] {
		bad, _ := s.t.doc.Circuit().Bad(p.ID)
		why, err := s.whyInSimulation(ctx, bad, s.step)
		if err != nil {
			return "", err
		}
		all = append(all, p.Name+": "+why)
	}
	return strings.Join(all, "\n"), nil
}
