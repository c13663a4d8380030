package ide

import (
	"fmt"
	"strings"

	"aiglens/design"
	"aiglens/design/answers"
	"aiglens/design/horndesign"
	"aiglens/design/runs"
	"aiglens/horn/cert"
	"aiglens/internal/source"
)

// Bounds of what is shown of derivations at one place.
const (
	maxStepHints  = 3 // steps
	maxStepText   = 120
	maxStepValues = 12
)

// QueryHints returns the steps of derivations at the ends of the clauses that they use. While a step is shown, it has
// the hints alone: the values of the variables where they are bound, and which step it is.
func QueryHints(d *design.Design, span source.Span, status QueryStatuses, shown *Selection) (all []InlayHint) {
	for _, q := range horndesign.Queries(d) {
		x := status(q).DerivationOf(q)
		if x == nil {
			continue
		}
		if shown != nil && shown.Property == q.Property {
			all = oneStep(x, shown.Step)
			break
		}
		all = append(all, allSteps(x)...)
	}
	var within []InlayHint
	for _, h := range all {
		if span.Start <= h.Offset && h.Offset <= span.End() && len(within) < maxHints {
			within = append(within, h)
		}
	}
	return within
}

// allSteps are the steps at their clauses, of each clause the first ones.
func allSteps(x *horndesign.Derivation) (all []InlayHint) {
	at := map[int][]string{}
	var order []int
	for i := range x.Steps {
		step := &x.Steps[i]
		end := step.Form.End()
		if at[end] == nil {
			order = append(order, end)
		}
		at[end] = append(at[end], shortened(step.String()))
	}
	for _, end := range order {
		steps := at[end]
		if more := len(steps) - maxStepHints; more > 0 {
			steps = append(steps[:maxStepHints:maxStepHints], fmt.Sprintf("and %d more", more))
		}
		all = append(all, InlayHint{Offset: end, Label: strings.Join(steps, "; ")})
	}
	return all
}

// oneStep is a step with its values at its clause.
func oneStep(x *horndesign.Derivation, number int) (all []InlayHint) {
	step := x.Step(number)
	for _, b := range step.Bound {
		all = append(all, InlayHint{Offset: b.At.End(), Label: "= " + b.Value})
	}
	label := fmt.Sprintf("step %d of %d", step.Number, len(x.Steps))
	if len(step.Others) > 0 { // first: editors cut long rows, and what is derived follows from the values
		label += " with " + shortened(strings.Join(step.Others, ", "))
	}
	return append(all, InlayHint{Offset: step.Form.End(), Label: label + ": " + shortened(step.Atom)})
}

// shortened cuts a text off that is too long to stand in a row.
func shortened(text string) string {
	if all := []rune(text); len(all) > maxStepText {
		return string(all[:maxStepText-1]) + "…"
	}
	return text
}

// QueryActions are what can be done about the queries whose rows span touches, and about the step that is shown.
func QueryActions(d *design.Design, span source.Span, status QueryStatuses, shown *Selection) (all []Action) {
	for _, q := range horndesign.Queries(d) {
		p, _ := d.Property(q.Property)
		s := status(q)
		isShown := shown != nil && shown.Property == q.Property && s.IsReached()
		if touches(q.Row, span) {
			all = append(all, PlaceQueryActions(p, s)...)
			if s.IsReached() && s.Progress == nil {
				all = append(all, Action{Title: "Show the derivation as a tree: " + p.Name, Command: ShowWhy, Property: p})
			}
		}
		if isShown {
			all = append(all, DerivationMoves(d, p, span.Start)...)
			all = append(all, Action{Title: "Values: hide", Command: ShowStep, Property: p, To: runs.MoveHide})
		}
	}
	return all
}

// PlaceQueryActions are what can be done about a query, beside a view that has its derivation as a tree.
func PlaceQueryActions(p design.Property, s QueryStatus) (all []Action) {
	add := func(c Command, title string) {
		all = append(all, Action{Title: title + p.Name, Command: c, Property: p})
	}
	switch {
	case s.Progress != nil:
		add(Stop, "Stop checking ")
		return all
	case s.IsReached():
		all = append(all, Action{Title: "Show the values of the derivation of " + p.Name, Command: ShowStep, Property: p, To: runs.MoveLast})
	}
	if s.Result == nil {
		add(Check, "Check ")
	} else {
		add(Check, "Check again: ")
	}
	return all
}

// DerivationMoves are the ways from the step that is shown to others; the place has its own.
func DerivationMoves(d *design.Design, p design.Property, offset int) []Action {
	all := []Action{
		{Title: "Values: next step", Command: ShowStep, Property: p, To: runs.MoveNext},
		{Title: "Values: previous step", Command: ShowStep, Property: p, To: runs.MovePrevious},
	}
	what := "this clause"
	if o, ok := d.OccurrenceAt(offset); ok {
		if def, _ := d.Definition(o.Lit.Signal()); def.Kind == design.Predicate {
			what = d.Name(o.Lit.Signal())
		}
	}
	return append(all,
		Action{Title: "Values: next step of " + what, Command: ShowStep, Property: p, To: runs.MoveNextChange},
		Action{Title: "Values: previous step of " + what, Command: ShowStep, Property: p, To: runs.MovePreviousChange})
}

// QueryHover returns what answers say of the place: of the row of a query its status, of a predicate its invariant or
// what is derived of it, of a variable its values in a derivation.
func QueryHover(d *design.Design, offset int, status QueryStatuses) (all []string) {
	for _, q := range horndesign.Queries(d) {
		s := status(q)
		if q.Row.Contains(offset) {
			words := s.String()
			if words == "check" {
				words = "not checked yet"
			}
			all = append(all, "**"+q.Name+"**: "+words)
		}
		if text := q.InvariantOf(s.Answer(), offset); text != "" {
			all = append(all, fmt.Sprintf("%s is safe, because %s", q.Name, answers.Code(text)))
		}
		if x := s.DerivationOf(q); x != nil {
			all = append(all, derivationHover(x, offset)...)
		}
	}
	return all
}

// derivationHover says what a derivation makes of a place.
func derivationHover(x *horndesign.Derivation, offset int) []string {
	if name, numbers, values := x.ValuesAt(offset); len(values) > 0 {
		var parts []string
		for i, v := range values[:min(len(values), maxStepValues)] {
			parts = append(parts, fmt.Sprintf("%s in step %d", answers.Code(v), numbers[i]))
		}
		return []string{fmt.Sprintf("in the derivation of %s: %s = %s%s", x.Query.Name, answers.Code(name), strings.Join(parts, ", "), andMore(len(values), maxStepValues))}
	}
	numbers := x.At(offset)
	if len(numbers) == 0 {
		return nil
	}
	text := fmt.Sprintf("in the derivation of %s:", x.Query.Name)
	for _, n := range numbers[:min(len(numbers), maxStepValues)] {
		text += "\n- " + x.Step(n).OnLine()
	}
	if more := len(numbers) - maxStepValues; more > 0 {
		text += fmt.Sprintf("\n- and %d more", more)
	}
	return []string{text}
}

func andMore(n, shown int) string {
	if n <= shown {
		return ""
	}
	return fmt.Sprintf(" and %d more", n-shown)
}

// Answer is what was found of the present text; the zero value for nothing.
func (s QueryStatus) Answer() (c cert.Checked) {
	if s.Result != nil {
		c = s.Result.Checked
	}
	return c
}

// Certificate says in words what was checked of an answer about the present text; "" where there is none.
func (s QueryStatus) Certificate() string {
	switch c := s.Answer(); c.Outcome() {
	case cert.Sat:
		return "a definition of each predicate, with which every clause was checked"
	case cert.Unsat:
		return fmt.Sprintf("a derivation of %s, replayed on this text", answers.Count(len(c.Derivation()), "step", "steps"))
	}
	return ""
}
