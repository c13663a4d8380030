package ide

import (
	"context"
	"fmt"

	"aiglens/circuit"
	"aiglens/circuit/trace"
	"aiglens/design"
	"aiglens/internal/source"
)

// Selection is the step of a counterexample whose values are shown in the text.
type Selection struct {
	Property circuit.Property
	Step     int
}

// Moves are the words for the steps to go to, as far as they are no numbers.
const (
	MoveFirst          = "first"
	MoveLast           = "last"
	MoveNext           = "next"
	MovePrevious       = "previous"
	MoveNextChange     = "nextChange"     // of a signal
	MovePreviousChange = "previousChange" // of a signal
	MoveHide           = "hide"
)

// Move returns the step to which a word leads from one of a counterexample of so many
// steps, of which limit can be shown; from is −1 when none is shown yet. values are those of
// the signal whose changes count. In a lasso the way forward goes round its loop. What leads
// nowhere stays; ok is false for a word that is none.
func Move(word string, from, steps, limit int, values []circuit.Value) (step int, ok bool) {
	last := steps - 1
	from = min(from, limit-1) // the counterexample may have been a longer one
	switch word {
	case MoveFirst:
		return 0, true
	case MoveLast:
		return last, true
	case MoveNext:
		if from < 0 {
			return 0, true
		}
		return min(from+1, limit-1), true
	case MovePrevious:
		if from < 0 {
			return last, true
		}
		return max(from-1, 0), true
	case MoveNextChange:
		for i := max(from+1, 1); i < len(values); i++ {
			if values[i] != values[i-1] {
				return i, true
			}
		}
		return max(from, 0), true
	case MovePreviousChange:
		for i := min(from, len(values)) - 1; i > 0; i-- {
			if values[i] != values[i-1] {
				return i, true
			}
		}
		return max(from, 0), true
	}
	if _, err := fmt.Sscanf(word, "%d", &step); err != nil || fmt.Sprint(step) != word {
		return 0, false
	}
	return min(max(step, 0), limit-1), true
}

// StepHints returns the values of a step behind the definitions in span, with the
// value before where that was another one, and behind the property's row which step
// it is. In a model with several instances they are those of one, which is named. The
// error is that of ctx.
func StepHints(ctx context.Context, d *design.Design, span source.Span, x *Counterexample, step int) ([]InlayHint, error) {
	var all []InlayHint
	for o := range d.OccurrencesIn(span) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if len(all) >= maxHints {
			return all, nil
		}
		if o.Role != design.RoleDefinition {
			continue
		}
		copied, only, ok := x.Copy(d, o.Lit)
		if !ok {
			continue
		}
		value, _ := x.Value(copied.Lit, step)
		old, _ := x.Value(copied.Lit, max(step-1, 0))
		label := change(old, value)
		if !only {
			label += " in " + copied.Path
		}
		all = append(all, InlayHint{Offset: o.Span.End(), Label: label})
	}
	if p, ok := d.Property(x.Property); ok && touches(p.Row, span) {
		all = append(all, InlayHint{Offset: lineEnd(d, p.Row), Label: x.StepWords(step)})
	}
	return all, nil
}

// change says a value, and what it was before where that differs.
func change(old, now circuit.Value) string {
	if old == now {
		return "= " + now.String()
	}
	return old.String() + " → " + now.String()
}

// stepActions are the ways from the step that is shown to others, and on the row of a
// refuted property the way to its first one. Some are left out once ctx has ended.
func stepActions(ctx context.Context, d *design.Design, span source.Span, status Statuses, shown *Selection) []Action {
	if shown != nil && status(shown.Property).Counterexample != nil {
		p, ok := d.Property(shown.Property)
		if !ok {
			return nil
		}
		all := []Action{
			{Title: "Values: next step", Command: ShowStep, Property: p, To: MoveNext},
			{Title: "Values: previous step", Command: ShowStep, Property: p, To: MovePrevious},
		}
		if o, ok := d.OccurrenceAt(span.Start); ok && o.Lit.Signal() != 0 {
			all = append(all,
				Action{Title: "Values: next change of " + SignalName(d, o.Lit), Command: ShowStep, Property: p, To: MoveNextChange},
				Action{Title: "Values: previous change of " + SignalName(d, o.Lit), Command: ShowStep, Property: p, To: MovePreviousChange})
			all = append(all, causeActions(ctx, d, p, o.Lit, status(p.ID).Counterexample, shown.Step)...)
		}
		return append(all, Action{Title: "Values: hide", Command: ShowStep, Property: p, To: MoveHide})
	}
	var all []Action
	for _, p := range d.Properties() {
		if ctx.Err() != nil {
			return nil
		}
		if !touches(p.Row, span) {
			continue
		}
		if x := status(p.ID).Counterexample; x != nil {
			all = append(all, Action{Title: "Show the values of the counterexample of " + p.Name, Command: ShowStep, Property: p, To: MoveLast})
			all = append(all, goToCauses(ctx, d, p, x)...)
		}
	}
	return all
}

// causeActions lead to what forces the value of a signal at a step.
func causeActions(ctx context.Context, d *design.Design, p design.Property, l design.Lit, x *Counterexample, step int) []Action {
	copied, _, ok := x.Copy(d, l)
	if !ok || step >= x.Limit() {
		return nil
	}
	root, err := Why(ctx, d, x, copied.Lit, step, nextCauses)
	if err != nil {
		return nil
	}
	return actionsTo(p, root)
}

// maxCauseActions bounds the causes that are offered at one place.
const maxCauseActions = 4

// nextCauses is the limit of a tree of a value's own causes.
var nextCauses = trace.Limit{Depth: 1, Nodes: 100}

// goToCauses lead to what makes a property fail.
func goToCauses(ctx context.Context, d *design.Design, p design.Property, x *Counterexample) []Action {
	root, err := WhyFails(ctx, d, x, nextCauses)
	if err != nil {
		return nil
	}
	return actionsTo(p, root)
}

func actionsTo(p design.Property, root *Cause) []Action {
	var all []Action
	for _, c := range root.Causes[:min(len(root.Causes), maxCauseActions)] {
		all = append(all, Action{Title: "Go to cause: " + c.String(), Command: GoToCause, Property: p, Cause: c})
	}
	return all
}

// LitName is what a literal is called in a sentence: by the name of its signal, else by its number.
func LitName(d *design.Design, l design.Lit) string {
	name := d.Name(l.Signal())
	switch {
	case name == "":
		return fmt.Sprint(l)
	case l.IsNegated():
		return "¬" + name
	}
	return name
}

// SignalName is what a signal is called in a sentence, by its name, else by its number.
func SignalName(d *design.Design, l design.Lit) string {
	if name := d.Name(l.Signal()); name != "" {
		return name
	}
	return fmt.Sprint(l.Signal().Lit())
}
