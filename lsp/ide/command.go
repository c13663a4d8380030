package ide

import (
	"context"
	"fmt"
	"time"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/design"
	"aiglens/design/answers"
	"aiglens/design/formula"
	"aiglens/design/runs"
	"aiglens/internal/source"
)

// Command is something that the user can have done about a property.
type Command uint8

// The commands.
const (
	Check Command = iota
	Stop
	GoToLatch
	CheckFile
	StopFile
	RecheckFailed // of the file
	CheckWorkspace
	ShowStep // of a counterexample
	GoToCause
	ShowUnneeded // the rows that a proof does not need
	HideUnneeded // of the file
	// The following are for clients that can show more than text.
	ShowTrace // at the step in which the property fails
	ShowWhy
	Debug
	ShowProof
	ShowObstacle // of what has no answer
	Reduce       // the circuit, as long as the property fails
	DrawCone     // as a schematic
	DrawStates   // that runs reach
	Isolate      // what makes it hard
	Suggest      // lemmas
	// The following are for every client again.
	FindAnother  // counterexample
	FindShortest // counterexample
	ShowFirst    // of the counterexamples that were found
	// The following are for clients that can show more than text.
	ExplainNone  // says why the file has no properties
	VerifyEdit   // whether an edit has kept the function of the file
	ShowReaching // a run in which the signal at the place is 1
)

func (s Status) command() Command {
	if s.Activity != Idle {
		return Stop
	}
	return Check
}

// Action is a command or a fix that is offered at a place.
type Action struct {
	Title    string
	Command  Command
	Property design.Property  // zero for commands about more than one
	Latch    *runs.LatchPlace // for GoToLatch
	Limit    *time.Duration   // for Check: instead of those on time that are set; 0 is none
	To       string           // for ShowStep
	Instance string           // for ShowStep: whose values a model with several shows; "" leaves it
	Cause    *runs.Cause      // for GoToCause
	// Fix is set instead of a command for the repair of Diagnostic.
	Fix        *source.Fix
	Untried    bool // of a fix: design.Harm has not been asked about it
	Diagnostic source.Diagnostic
}

// maxLatchActions bounds how many latches a property's row offers to go to.
const maxLatchActions = 5

// Actions returns what can be done about the places in span, while the values of a
// step are shown, or of none. The error is that of ctx.
func Actions(ctx context.Context, d *design.Design, span source.Span, status Statuses, shown *Selection) ([]Action, error) {
	var all []Action
	touched, few := touchedBy(d, span)
	for _, diagnostic := range touched {
		for _, fix := range d.Fixes(diagnostic) {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			action := Action{Title: fix.Title, Fix: &fix, Diagnostic: diagnostic, Untried: !few || d.Text.Len() > SmallText || d.DependsOnOthers()}
			if action.Untried || design.Harm(ctx, d, fix.AllEdits()) == nil {
				all = append(all, action)
			}
		}
	}
	if design.HasClauses(d) {
		return all, ctx.Err()
	}
	atProperty, fails, atLatch, runs := 0, false, mayDefineLatch(d, span), 0
	for _, p := range d.Properties() {
		if touches(p.Row, span) {
			if atProperty++; atProperty <= mostProperties {
				all = append(all, propertyActions(d, p, status(p.ID))...)
			}
			fails = fails || status(p.ID).Counterexample != nil
		}
		if !atLatch || status(p.ID).Counterexample == nil || runs == mostProperties {
			continue
		}
		runs++
		next, ok, err := nextLatch(ctx, d, span, status(p.ID).Counterexample)
		if err != nil {
			return nil, err
		}
		if ok {
			all = append(all, goToLatch(p, next))
		}
	}
	if atProperty > 0 && !fails {
		shown = nil // the counterexample of another property
	}
	all = append(all, stepActions(ctx, d, span, status, shown)...)
	if o, ok := d.OccurrenceAt(span.Start); ok && o.Lit.Signal() != 0 {
		if _, isDefined := d.Definition(o.Lit.Signal()); isDefined {
			all = append(all, Action{Title: "Show a run in which " + formula.LitName(d, o.Lit) + " is 1", Command: ShowReaching})
		}
	}
	if len(d.Properties()) > 0 && (atProperty > 0 || d.Text.LineAt(span.Start) == 0) {
		all = append(all, fileActions(d, status)...)
	}
	return all, ctx.Err()
}

// SmallText is up to how many bytes of a text what is offered is tried before, unless other files,
// which may be large, are part of it.
const SmallText = 8 << 10

// How much of a wide range is offered: fixes of so many diagnostics, so many of each code, and
// what can be done about so many properties. Fix all and the actions of the file stand for the
// others. Fixes of few diagnostics are tried before they are offered.
const (
	mostDiagnostics = 20
	mostOfCode      = 3
	fewDiagnostics  = 5
	mostProperties  = 10
)

// touchedBy returns the diagnostics that a span touches, of many the first, and whether they are
// few.
func touchedBy(d *design.Design, span source.Span) (touched []source.Diagnostic, few bool) {
	ofCode, n := map[source.Code]int{}, 0
	for _, diagnostic := range d.Diagnostics() {
		if !touches(diagnostic.Span, span) {
			continue
		}
		n++
		if ofCode[diagnostic.Code]++; ofCode[diagnostic.Code] <= mostOfCode && len(touched) < mostDiagnostics {
			touched = append(touched, diagnostic)
		}
	}
	return touched, n <= fewDiagnostics
}

// fileActions are what can be done about all properties, for editors that have no
// other place for it.
func fileActions(d *design.Design, status Statuses) []Action {
	active, failed := false, false
	for _, p := range d.Properties() {
		s := status(p.ID)
		active = active || s.Activity != Idle
		failed = failed || s.Result != nil && s.Failed()
	}
	all := []Action{{Title: "Check all properties of the file", Command: CheckFile}}
	if active {
		all = []Action{{Title: "Stop all checks of the file", Command: StopFile}}
	}
	if failed && !active {
		all = append(all, Action{Title: "Check again what is refuted or unknown", Command: RecheckFailed})
	}
	return append(all, Action{Title: "Check all circuits of the workspace", Command: CheckWorkspace})
}

func propertyActions(d *design.Design, p design.Property, s Status) []Action {
	var all []Action
	if s.command() == Stop {
		return append(all, Action{Title: "Stop checking " + p.Name, Command: Stop, Property: p})
	}
	if limit, ok := s.timeLimit(); ok {
		longer, none := max(patience, 5*limit), time.Duration(0)
		all = append(all,
			Action{Title: fmt.Sprintf("Check again, %s: %s", inWords(longer), p.Name), Command: Check, Property: p, Limit: &longer},
			Action{Title: "Check again, without limit: " + p.Name, Command: Check, Property: p, Limit: &none})
	}
	all = append(all,
		Action{Title: "Check property " + p.Name, Command: Check, Property: p},
		Action{Title: "Draw the cone of " + p.Name, Command: DrawCone, Property: p})
	if p.ID.Kind.Question() == circuit.Safety {
		all = append(all, Action{Title: "Draw the state graph of " + p.Name, Command: DrawStates, Property: p})
	}
	if s.hasObstacle() {
		all = append(all, Action{Title: "Show what stands in the way of " + p.Name, Command: ShowObstacle, Property: p})
	}
	if s.LacksAnswer() {
		all = append(all,
			Action{Title: "Suggest lemmas for " + p.Name, Command: Suggest, Property: p},
			Action{Title: "Find what makes " + p.Name + " hard", Command: Isolate, Property: p})
	}
	if outcome, fresh := s.outcome(); fresh && s.OnlyChecked == nil && outcome == cert.Proved && p.ID.Kind.Question() == circuit.Safety {
		all = append(all, Action{Title: "Show what the proof of " + p.Name + " does not need", Command: ShowUnneeded, Property: p})
	}
	for _, latch := range runs.FirstLatches(d, s.Counterexample, maxLatchActions) {
		all = append(all, goToLatch(p, latch))
	}
	all = append(all, runActions(d, p, s)...)
	if outcome, fresh := s.outcome(); fresh && s.OnlyChecked == nil && outcome == cert.Refuted && s.Counterexample != nil && IsReducible(p.ID) {
		all = append(all, Action{Title: "Reduce to this counterexample: " + p.Name, Command: Reduce, Property: p})
	}
	return all
}

// runActions are what can be done to see other runs than the one that is shown.
func runActions(d *design.Design, p design.Property, s Status) (all []Action) {
	if !s.HasOthers() {
		return nil
	}
	run := "counterexample of "
	if p.ID.Kind == circuit.PropertyCover {
		run = "run that reaches "
	}
	all = append(all,
		Action{Title: "Find another " + run + p.Name, Command: FindAnother, Property: p},
		Action{Title: "Find the shortest " + run + p.Name + ", with its proof", Command: FindShortest, Property: p})
	if a := s.Counterexample.AmongOf(d); a != nil && a.Number > 1 {
		all = append(all, Action{Title: "Show the first " + run + p.Name + " again", Command: ShowFirst, Property: p})
	}
	return all
}

// HasOthers reports whether other runs than the one of a refutation can be looked for: it is one
// of the present text, and ends.
func (s Status) HasOthers() bool {
	outcome, fresh := s.outcome()
	return fresh && s.OnlyChecked == nil && s.Activity == Idle && outcome == cert.Refuted && s.Kind.Question() == circuit.Safety && s.Counterexample != nil
}

// LacksAnswer reports whether a check of the present text, of a property of safety, has ended
// without an answer.
func (s Status) LacksAnswer() bool {
	outcome, fresh := s.outcome()
	return fresh && s.OnlyChecked == nil && s.Activity == Idle && outcome == cert.Unknown && !s.Result.Unsupported && s.Kind.Question() == circuit.Safety
}

// IsReducible reports whether a circuit is made smaller as long as a property is refuted: a run
// to a cover is not a failure, and a lemma that fails is not a property of the circuit.
func IsReducible(p circuit.Property) bool {
	return p.Kind != circuit.PropertyCover && p.Kind != circuit.PropertyLemma
}

// patience is the time that a check is offered which took too long.
const patience = 5 * time.Minute

// timeLimit returns the limit on time that the last check has hit; ok is false where it
// ended otherwise.
func (s Status) timeLimit() (limit time.Duration, ok bool) {
	if s.Result == nil || s.FaultLine > 0 {
		return 0, false
	}
	return s.Result.TimeLimit()
}

// hasObstacle reports whether the last check has left something that says why it has no answer.
func (s Status) hasObstacle() bool {
	_, fresh := s.outcome()
	return fresh && s.OnlyChecked == nil && s.Activity == Idle && s.Result.HasUnfinished()
}

// inWords writes whole minutes as such.
func inWords(d time.Duration) string {
	if d%time.Minute == 0 {
		return answers.Count(int(d/time.Minute), "minute", "minutes")
	}
	return fmt.Sprintf("%g seconds", d.Seconds())
}

func goToLatch(p design.Property, latch runs.LatchPlace) Action {
	return Action{
		Title:   fmt.Sprintf("Go to latch %s in counterexample of %s", latch.Name, p.Name),
		Command: GoToLatch, Property: p, Latch: &latch,
	}
}

// mayDefineLatch reports whether a row that span touches may define a latch, here or by
// an instance of a model. It looks at no more than the row.
func mayDefineLatch(d *design.Design, span source.Span) bool {
	r, ok := d.RowAt(span.Start)
	within := ok && r.Span.Start <= span.Start && span.End() <= r.Span.End()
	return !within || r.Kind == design.Latch || r.Kind == design.Instance
}

// nextLatch returns the latch after the one whose row span touches, in the
// order of the counterexample, so that it can be walked along. The error is that of ctx.
func nextLatch(ctx context.Context, d *design.Design, span source.Span, x *runs.Counterexample) (next runs.LatchPlace, ok bool, err error) {
	latches, err := runs.Latches(ctx, d, x)
	for i, l := range latches {
		if touches(l.Row, span) && len(latches) > 1 {
			return latches[(i+1)%len(latches)], true, nil
		}
	}
	return runs.LatchPlace{}, false, err
}

// IsAboutProperty reports whether a command is about one property.
func (c Command) IsAboutProperty() bool {
	return c <= GoToLatch || c >= ShowStep && c < ExplainNone && c != HideUnneeded
}

func touches(a, b source.Span) bool { return a.Start <= b.End() && b.Start <= a.End() }
