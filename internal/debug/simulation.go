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
	"aiglens/design"
	"aiglens/design/play"
	"aiglens/internal/source"
)

// simulation is a run of no property, which begins at reset.
type simulation struct {
	run      *play.Run
	observed play.Observation
	words    string // what the run does to properties
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
		return nil, errors.New(`"simulate" begins at reset and is about all properties: it cannot be combined with "property", "witness" or "witnessText"`)
	case args.Inputs != "" && args.Inputs != inputsRandom && args.Inputs != inputsLast:
		return nil, fmt.Errorf(`"inputs" is %q, expected %q or %q`, args.Inputs, inputsRandom, inputsLast)
	case args.Steps != nil && *args.Steps < 1:
		return nil, fmt.Errorf(`"steps" is %d, expected 1 or more`, *args.Steps)
	}
	text, err := args.read(ctx)
	if err != nil {
		return nil, err
	}
	doc := text.doc
	if err := doc.Elaborate(ctx); err != nil {
		return nil, err
	}
	run, _, err := play.From(ctx, doc, play.Request{})
	if err != nil {
		return nil, fmt.Errorf("%s: %w%s", args.Program, err, firstError(doc))
	}
	t := &target{text: text}
	if t, err = t.with(ctx, run); err != nil {
		return nil, err
	}
	c := doc.Circuit()
	t.groups = [numGroups]func() []signal{
		groupProperty: sync.OnceValue(t.propertySignals),
		groupInputs: sync.OnceValue(func() (all []signal) {
			for _, in := range c.Inputs()[:doc.NumInputs()] {
				if !design.IsAuxiliary(doc, in.Lit) {
					all = append(all, signal{lit: in.Lit})
				}
			}
			return all
		}),
		groupLatches: sync.OnceValue(func() (all []signal) {
			for i, l := range c.Latches() {
				if !design.IsAuxiliary(doc, l.Lit) {
					all = append(all, t.latch(i))
				}
			}
			return all
		}),
		groupGates: sync.OnceValue(func() []signal { return t.gates(c.Whole()) }),
	}
	t.standsFor(args)
	return t, t.readNames(ctx)
}

// with returns the target with another run. The error is that of ctx.
func (t *target) with(ctx context.Context, run *play.Run) (*target, error) {
	observed, err := play.Observe(ctx, t.doc, run)
	if err != nil {
		return nil, err
	}
	report, err := observed.ReportOf(ctx, t.doc, run)
	if err != nil {
		return nil, err
	}
	other := *t
	other.run, other.simulation = run.Values, &simulation{run, observed, report.Words}
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
	_, begin := t.simulation.observed.FailingAt(step)
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
	if _, begin := t.simulation.observed.FailingAt(step); len(begin) > 1 {
		return fmt.Sprintf("the properties %s fail", t.failingNames(step))
	}
	return fmt.Sprintf("the property %s fails", t.failingNames(step))
}

// simulatedWords say which step of a simulation it is, and what fails in it.
func (t *target) simulatedWords(step int) string {
	words := t.run.StepName(step)
	failing, _ := t.simulation.observed.FailingAt(step)
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
	unsound, _ := t.simulation.observed.Unsound()
	switch {
	case t.simulation.observed.IsBroken(step):
		return ": no run of the circuit"
	case unsound >= 0 && step >= unsound:
		return ": may be no run of the circuit"
	}
	return ""
}

// simulatedProperties are those that a step can violate or reach.
func (t *target) simulatedProperties() (all []signal) {
	for _, p := range t.doc.Properties() {
		if bad, ok := design.BadOf(t.doc, p.ID); ok {
			all = append(all, signal{lit: bad, name: p.Name, relevant: true})
		}
	}
	return all
}

// simulatedPlace is where a step of a simulation stands: at what fails in it, else at what
// changes in it, else at the first property, input or latch.
func (t *target) simulatedPlace(step int) place {
	if failing, _ := t.simulation.observed.FailingAt(step); len(failing) > 0 {
		return t.placeOfProperty(failing[0])
	}
	if changes := t.changes(step); len(changes) > 0 {
		if at, ok := t.placeOf(changes[0].lit); ok {
			return at
		}
	}
	if all := t.properties(); len(all) > 0 {
		return t.placeOfProperty(all[0])
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

// canSet reports whether a signal of a simulation can have another value in a step.
func (t *target) canSet(l circuit.Lit, step int) bool {
	return t.simulation != nil && play.CanSet(t.doc, l, step)
}

// hint says whether a variable can be set in a step.
func (t *target) hint(l circuit.Lit, step int) *dap.VariablePresentationHint {
	return hintOf(t.canSet(l, step))
}

func hintOf(canSet bool) *dap.VariablePresentationHint {
	hint := &dap.VariablePresentationHint{Kind: "data"}
	if !canSet {
		hint.Attributes = []string{"readOnly"}
	}
	return hint
}

// stops reports whether continue stops at a step of a simulation: a property begins to fail, or
// no run of the circuit has this step.
func (t *target) stops(step int) bool {
	unsound, _ := t.simulation.observed.Unsound()
	return t.fails(step) || step == unsound
}
