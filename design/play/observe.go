package play

import (
	"context"
	"fmt"
	"slices"

	"aiglens/circuit"
	"aiglens/design"
	"aiglens/design/runs"
)

// Observation is what a run does to the properties of its text, step by step.
type Observation struct {
	properties []design.Property // that a run can violate or reach, in text order, without those with an error in their cone
	bads       []circuit.Lit     // 1 where the property fails or is reached
	values     [][]circuit.Value // of these, by property and step
	goals      []circuit.Value   // of the goal, by step
	// The first step in which a constraint is 0, and that in which one is x; −1: in none. What
	// properties do is said of the steps before both: the first sound ones.
	broken, constraint   int
	open, openConstraint int
	sound                int
}

// observationOf returns the values of a goal, nil for none, and of all properties in a run. The error is that of ctx.
func observationOf(ctx context.Context, d *design.Design, run *runs.Run, goal *Goal) (o Observation, err error) {
	c := d.Circuit()
	o = Observation{broken: -1, open: -1, sound: run.Steps()}
	var lits []circuit.Lit
	for _, constraint := range c.Constraints() {
		lits = append(lits, constraint.Lit)
	}
	for _, p := range d.Properties() {
		if bad, ok := c.Bad(p.ID); ok && d.Fault(p.ID) == nil {
			o.properties, o.bads = append(o.properties, p), append(o.bads, bad)
		}
	}
	rows, err := run.Rows(ctx, append(lits, o.bads...))
	if err != nil {
		return o, err
	}
	o.values = rows[len(lits):]
	if o.goals, err = goal.valuesIn(ctx, run); err != nil {
		return o, err
	}
	for i, row := range rows[:len(lits)] {
		if step := slices.Index(row, circuit.Zero); step >= 0 && (o.broken < 0 || step < o.broken) {
			o.broken, o.constraint = step, i
		}
		if step := slices.Index(row, circuit.X); step >= 0 && (o.open < 0 || step < o.open) {
			o.open, o.openConstraint = step, i
		}
	}
	for _, end := range []int{o.broken, o.open} {
		if end >= 0 {
			o.sound = min(o.sound, end)
		}
	}
	return o, nil
}

// constraintWords say where constraints do not hold, or may not.
func (o *Observation) constraintWords() (words []string) {
	if o.broken >= 0 {
		words = append(words, fmt.Sprintf("Constraint %d does not hold in step %d: no run of the circuit has this step or continues from it.", o.constraint, o.broken))
	}
	if o.open >= 0 {
		words = append(words, fmt.Sprintf("It is not known whether constraint %d holds in step %d, because the text has an error.", o.openConstraint, o.open))
	}
	return words
}

// Observe returns what a run does in all its steps. The error is that of ctx.
func Observe(ctx context.Context, d *design.Design, run *Run) (Observation, error) {
	return observationOf(ctx, d, run.Values, run.Goal)
}

// FailingAt returns the properties that fail in a step, and those of them that did not fail in
// the step before. In a step that no run of the circuit has, or may not have, none fails.
func (o *Observation) FailingAt(step int) (failing, begin []design.Property) {
	if step < 0 || step >= o.sound {
		return nil, nil
	}
	for i, p := range o.properties {
		if p.ID.Kind == circuit.PropertyCover || o.values[i][step] != circuit.One {
			continue
		}
		failing = append(failing, p)
		if step == 0 || o.values[i][step-1] != circuit.One {
			begin = append(begin, p)
		}
	}
	return failing, begin
}

// IsBroken reports whether a step is known to be in no run of the circuit.
func (o *Observation) IsBroken(step int) bool { return o.broken >= 0 && step >= o.broken }

// Unsound returns the first step that no run of the circuit has, or may not have, and why; −1
// for none.
func (o *Observation) Unsound() (step int, why []string) {
	if words := o.constraintWords(); len(words) > 0 {
		return o.sound, words
	}
	return -1, nil
}
