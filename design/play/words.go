package play

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/trace"
	"aiglens/design"
)

// Outcome is what a run shows.
type Outcome string

// The outcomes of a run.
const (
	Open    Outcome = "open"    // nothing
	Fails   Outcome = "fails"   // that a property fails
	Reaches Outcome = "reaches" // its goal, or a cover
	Broken  Outcome = "broken"  // no run of the circuit: a constraint does not hold
)

// Report is what a run does to the properties of its text.
type Report struct {
	Words    string // sentences; "" for a text without properties
	Outcome  Outcome
	Violated []circuit.Property // in text order: bads and outputs that fail while all constraints hold
	Needed   int                // the steps up to the last of the first violations of these; 0 for none
}

// ReportOf says what a run shows: of the property of its origin whether it still fails, and
// from where on the run is another one; of all others where they fail. Properties with an error
// in their cone are left out. The error is that of ctx.
func ReportOf(ctx context.Context, d *design.Design, run *Run) (Report, error) {
	o, err := Observe(ctx, d, run)
	if err != nil {
		return Report{}, err
	}
	return o.ReportOf(ctx, d, run)
}

// ReportOf is the function of this name for the run that was observed.
func (o *Observation) ReportOf(ctx context.Context, d *design.Design, run *Run) (r Report, err error) {
	origin, goal := run.Origin, run.Goal
	s := settle(*o, goal)
	r.Violated, r.Outcome = s.violated, s.outcome()
	for _, p := range r.Violated {
		r.Needed = max(r.Needed, s.first[p]+1)
	}
	var words []string
	if origin != nil {
		about, err := s.whatIf(ctx, d, run.Trace, origin)
		if err != nil {
			return r, err
		}
		words = append(words, about)
	}
	if goal != nil {
		switch {
		case s.goal >= 0:
			words = append(words, fmt.Sprintf("%s in step %d.", goal.does(), s.goal))
		case s.isGoalOpen:
			words = append(words, fmt.Sprintf("It is not known whether %s in these steps.", goal.does()))
		default:
			words = append(words, fmt.Sprintf("%s in none of these steps.", goal.does()))
		}
	}
	words = append(words, s.others(d, origin)...)
	words = append(words, s.constraintWords()...)
	r.Words = strings.Join(words, " ")
	return r, nil
}

// settled is what a run does, step by step.
type settled struct {
	Observation
	first      map[circuit.Property]int // the step in which a property fails or is reached first
	violated   []circuit.Property
	fails      bool // a property that is not a cover
	reached    bool // a cover, or the goal
	goal       int  // −1: in no step
	isGoalOpen bool // it may be 1 in a step: errors leave it or a constraint open
	asked      int  // properties that a run can violate
}

func settle(o Observation, goal *Goal) settled {
	s := settled{Observation: o, first: map[circuit.Property]int{}, goal: -1}
	if goal != nil {
		s.goal = slices.Index(o.goals[:o.sound], circuit.One)
		s.reached = s.goal >= 0
		s.isGoalOpen = s.open >= 0 || slices.Contains(o.goals[:o.sound], circuit.X)
	}
	for i, p := range o.properties {
		step, id := slices.Index(o.values[i][:o.sound], circuit.One), p.ID
		if id.Kind != circuit.PropertyCover {
			s.asked++
		}
		if step < 0 {
			continue
		}
		s.first[id] = step
		switch id.Kind {
		case circuit.PropertyCover:
			s.reached = true
		case circuit.PropertyLemma:
			s.fails = true
		default:
			s.fails, s.violated = true, append(s.violated, id)
		}
	}
	return s
}

func (s *settled) outcome() Outcome {
	switch {
	case s.fails:
		return Fails
	case s.reached:
		return Reaches
	case s.broken >= 0:
		return Broken
	}
	return Open
}

// others says of properties without that of an origin where they fail or are reached.
func (s *settled) others(d *design.Design, origin *Origin) []string {
	var failing, reached []string
	for _, p := range d.Properties() {
		step, ok := s.first[p.ID]
		if !ok || origin != nil && p.ID == origin.Property.ID {
			continue
		}
		words := fmt.Sprintf("%s in step %d", p.Name, step)
		if p.ID.Kind == circuit.PropertyCover {
			reached = append(reached, words)
		} else {
			failing = append(failing, words)
		}
	}
	var words []string
	switch {
	case len(failing) > 0:
		words = append(words, "Fails: "+list(failing)+".")
	case s.asked > 0 && origin == nil && s.broken < 0 && s.open < 0:
		words = append(words, "No property fails in these steps.")
	}
	if len(reached) > 0 {
		words = append(words, "Reached: "+list(reached)+".")
	}
	return words
}

// whatIf says what a change has made of a counterexample.
func (s *settled) whatIf(ctx context.Context, d *design.Design, t cert.Trace, origin *Origin) (string, error) {
	c, p := d.Circuit(), origin.Property
	fails := "fails"
	if p.ID.Kind == circuit.PropertyCover {
		fails = "is reached"
	}
	if step, ok := s.first[p.ID]; ok {
		return fmt.Sprintf("%s still %s, in step %d.", p.Name, fails, step), nil
	}
	if s.open >= 0 {
		return fmt.Sprintf("It is not known whether %s still %s.", p.Name, fails), nil
	}
	step, latches, err := trace.Departure(ctx, c, origin.Trace, t)
	if err != nil {
		return "", err
	}
	words := fmt.Sprintf("%s no longer %s", p.Name, fails)
	if p.ID.Kind == circuit.PropertyCover {
		words = p.Name + " is no longer reached"
	}
	if step < 0 {
		return words + ".", nil
	}
	names, _ := d.ElementNames()
	var differ []string
	for _, i := range latches {
		differ = append(differ, names[i])
	}
	return fmt.Sprintf("%s; latches differ from step %d on: %s.", words, step, list(differ)), nil
}

// Witness returns a run as AIGER has it: over the inputs of the text, with the start of each
// latch. The error is that of ctx, or of a run that is none of its circuit.
func Witness(ctx context.Context, d *design.Design, run *Run) (t cert.Trace, err error) {
	c := d.Circuit()
	if len(c.Inputs()) > d.NumInputs() {
		return t, errors.New("the text has errors, which leave parts of the run open")
	}
	lits := make([]circuit.Lit, len(c.Latches()))
	for i, l := range c.Latches() {
		lits[i] = l.Lit
	}
	rows, err := run.Values.Rows(ctx, lits)
	if err != nil {
		return t, err
	}
	w := cert.Trace{Initial: make([]circuit.Value, len(lits)), Inputs: run.Trace.Inputs}
	for i, row := range rows {
		w.Initial[i] = row[0]
	}
	return w, nil
}
