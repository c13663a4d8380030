package runs

import (
	"context"
	"fmt"
	"slices"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/trace"
	"aiglens/design"
	"aiglens/design/formula"
)

// StepWords say which step of a counterexample it is, and where that is.
func (x *Counterexample) StepWords(step int) string {
	last := x.Steps() - 1
	first, isLasso := x.Loop()
	if !isLasso {
		words := fmt.Sprintf("step %d of %d", step, last)
		switch {
		case step < last:
		case x.Property.Kind == circuit.PropertyCover:
			words += ": reached"
		default:
			words += ": fails"
		}
		return words
	}
	_, round := x.place(step)
	loop := fmt.Sprintf("loop of %d to %d", first, last)
	if first == last {
		loop = fmt.Sprintf("loop of step %d", first)
	}
	if round == 0 {
		return fmt.Sprintf("%s, before the %s", x.StepName(step), loop)
	}
	return fmt.Sprintf("%s, %s", x.StepName(step), loop)
}

// findEvidence finds the steps in which the property is seen to fail: the last one of a run
// into a bad state, of a lasso one in the loop for each literal of the property and each
// fairness condition. ok is false when the replay shows no such steps, or ctx ends.
func (x *Counterexample) findEvidence(ctx context.Context) (ok bool) {
	c := x.cone.Circuit
	first, isLasso := x.Loop()
	if !isLasso {
		x.evidence, x.goals = []trace.Event{{Lit: c.Bads()[0].Lit, Step: x.Steps() - 1, Value: circuit.One}}, []int{0}
		return true
	}
	x.evidence, x.goals, ok = evidenceIn(ctx, x.replay, c.Goals(0), first)
	return ok
}

// evidenceIn finds, for each goal that is not a constant, a step of a loop in which it is 1; of are
// the numbers of these goals. ok is false where one is 1 in no step, or ctx ends.
func evidenceIn(ctx context.Context, run *trace.Replay, goals []circuit.Lit, first int) (found []trace.Event, of []int, ok bool) {
	met := make([]int, len(goals)) // by goal: the step
	open := make([]int, len(goals))
	for i := range goals {
		open[i] = i
	}
	for step := first; step < run.Steps() && len(open) > 0 && ctx.Err() == nil; step++ {
		open = slices.DeleteFunc(open, func(i int) bool {
			met[i] = step
			return run.Value(goals[i], step) == circuit.One
		})
	}
	for i, l := range goals {
		if l.Var() != 0 { // a constant says nothing
			found, of = append(found, trace.Event{Lit: l, Step: met[i], Value: circuit.One}), append(of, i)
		}
	}
	return found, of, len(open) == 0
}

// Evidence returns the values that show that the property fails, over literals of the
// circuit: 1 of the bad literal in the last step; of a lasso 1 of each literal of the property
// and each fairness condition in some step of the loop.
func (x *Counterexample) Evidence() []trace.Event {
	all := make([]trace.Event, len(x.evidence))
	for i, e := range x.evidence {
		all[i] = trace.Event{Lit: x.cone.LitFrom(e.Lit), Step: e.Step, Value: e.Value}
	}
	return all
}

// goalInWords says what literal i of a justice property, or of the fairness conditions after
// them, is called: the name that the text gives it, else a number of the property's with what
// it demands.
func goalInWords(d *design.Design, p design.Property, i int, l circuit.Lit) (name, demanded string) {
	source, known := d.SourceOf(l)
	isNegated, not := source.Negated != l.IsNegated(), ""
	if isNegated {
		not = "¬"
	}
	switch {
	case !known:
		return goalName(p, i), ""
	case d.HasNumbers() && (source.Lit.Signal() == 0 || d.Name(source.Lit.Signal()) == ""):
		return goalName(p, i), formula.Constraint(d, source, isNegated)
	}
	return not + source.Name, ""
}

// lassoOf returns the lasso of a refutation on a cone; ok is false for a run that ends.
func lassoOf(checked cert.Checked, run cert.Trace) (l cert.Lasso, ok bool) {
	first, ok := checked.Loop()
	return cert.Lasso{Trace: run, Loop: first}, ok
}
