package ide

import (
	"context"
	"fmt"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/design"
	"aiglens/design/answers"
	"aiglens/design/runs"
)

// Certificate says in words what was checked of a verdict; "" where there is none of the present text.
func (s Status) Certificate() string {
	outcome, fresh := s.outcome()
	if !fresh || !s.Result.Checked.Certified() {
		return ""
	}
	c := s.Result.Checked
	switch first, isLasso := c.Loop(); {
	case outcome == cert.Refuted && isLasso:
		steps := c.Trace().Steps()
		return fmt.Sprintf("a loop of %s after %s, replayed on this text", answers.Count(steps-first, "step", "steps"), answers.Count(first, "step", "steps"))
	case outcome == cert.Refuted:
		return fmt.Sprintf("a run of %s, replayed on this text", answers.Count(c.Trace().Steps(), "step", "steps"))
	case outcome == cert.Proved && c.Ranking() != nil:
		return "a ranking of the steps, checked against this text"
	case outcome == cert.Proved:
		return fmt.Sprintf("an invariant of %s, checked against this text", answers.Count(len(c.Invariant()), "clause", "clauses"))
	}
	return ""
}

// RunOf says what the run is that refutes a property, or reaches a cover.
func RunOf(id circuit.Property, name string) string {
	if id.Kind == circuit.PropertyCover {
		return "run that reaches " + name
	}
	return "counterexample of " + name
}

// PlaceActions are the few things that can be done about a property, the most likely one first.
func PlaceActions(d *design.Design, p design.Property, s Status) (all []Action) {
	add := func(c Command, title string) { all = append(all, Action{Title: title, Command: c, Property: p}) }
	outcome, fresh := s.outcome()
	switch {
	case s.Activity != Idle:
		add(Stop, "Stop checking "+p.Name)
		return all
	case s.FaultLine > 0:
		return nil
	case !fresh && s.Result == nil:
		add(Check, "Check "+p.Name)
		return all
	case !fresh:
		add(Check, "Check "+p.Name+" again")
		return all
	}
	switch {
	case outcome == cert.Refuted && s.Counterexample != nil:
		run := RunOf(p.ID, p.Name)
		all = append(all, Action{Title: "Show the values of the " + run, Command: ShowStep, Property: p, To: runs.MoveLast})
		add(ShowTrace, "Show the trace of "+p.Name)
		if p.ID.Kind != circuit.PropertyLemma { // which witnesses have no name for
			add(Debug, "Debug the "+run)
		}
		if s.OnlyChecked != nil {
			break
		}
		all = append(all, runActions(d, p, s)...)
		if IsReducible(p.ID) {
			add(Reduce, "Reduce to this counterexample: "+p.Name)
		}
	case outcome == cert.Proved && s.OnlyChecked != nil:
	case outcome == cert.Proved:
		add(ShowProof, "Show the proof of "+p.Name)
		if p.ID.Kind.Question() == circuit.Safety {
			add(ShowUnneeded, "Show what the proof of "+p.Name+" does not need")
		}
	default:
		for _, a := range propertyActions(d, p, s) {
			if a.Command == Check || a.Command == ShowObstacle || a.Command == Suggest || a.Command == Isolate {
				all = append(all, a)
			}
		}
	}
	return all
}

// Obstacle says in short what stands in the way of a proof; "" where nothing is known.
func (s Status) Obstacle() string {
	if !s.LacksAnswer() {
		return ""
	}
	if limit, ok := s.timeLimit(); ok {
		return "the check ended at its limit of " + inWords(limit)
	}
	return s.Result.Checked.Reason()
}

// IsProved reports whether a property is proved for the present text.
func (s Status) IsProved() bool {
	outcome, fresh := s.outcome()
	return fresh && outcome == cert.Proved
}

// FactsAbout returns what the proof of a property says of some signals of the circuit that are latches, or for which latches stand, each fact once; nil where that is not
// known yet, or there is no proof of the present text.
func FactsAbout(ctx context.Context, d *design.Design, p circuit.Property, s Status, signals []circuit.Var) (about []answers.Fact) {
	f := knownFacts(ctx, d, p, s)
	if f == nil {
		return nil
	}
	about = []answers.Fact{}
	seen := map[string]bool{}
	for _, v := range signals {
		at, err := design.LatchOf(ctx, d, v)
		if err != nil {
			return nil
		}
		for _, fact := range f.About(at) {
			if text := fact.String(); !seen[text] {
				seen[text] = true
				about = append(about, fact)
			}
		}
	}
	return about
}
