package ide

import (
	"fmt"

	circuitcert "aiglens/circuit/cert"
	"aiglens/design"
	"aiglens/design/answers"
	"aiglens/design/horndesign"
	"aiglens/horn/cert"
	"aiglens/ic3/horn/verify"
	checking "aiglens/ic3/verify"
	"aiglens/internal/source"
)

// QueryStatus is what is known of a query of Horn clauses.
type QueryStatus struct {
	// Result is the answer about the present text; nil for none.
	Result *verify.Result
	Stale  string // the words of the last answer, about another text; "" for none
	// Progress is set while the query is checked, or waits for that.
	Progress *verify.Progress
}

// Verdict says what is known, whatever is being done; "" for nothing.
func (s QueryStatus) Verdict() string {
	switch {
	case s.Result != nil:
		return s.Result.Words()
	case s.Stale != "":
		return stalePrefix + s.Stale
	}
	return ""
}

// Outcome returns the words for what was found of the present text, and what it means. Safe is proved, and reached is
// refuted. Of another text nothing is known but that it had an answer.
func (s QueryStatus) Outcome() (outcome string, standing checking.Standing, state State) {
	outcome, state = "none", StateStale
	if s.Result != nil {
		outcome, state = circuitcert.Unknown.String(), StateFresh
		switch s.Result.Checked.Outcome() {
		case cert.Sat:
			outcome, standing = circuitcert.Proved.String(), checking.Passed
		case cert.Unsat:
			outcome, standing = circuitcert.Refuted.String(), checking.Failed
		}
	}
	if s.Progress != nil {
		state = StateRunning
	}
	return outcome, standing, state
}

// QueryStatuses looks up the status of a query.
type QueryStatuses func(horndesign.Query) QueryStatus

// String says the status in the words of the lens.
func (s QueryStatus) String() string {
	switch {
	case s.Progress != nil:
		return fmt.Sprintf("checking · depth %d · %s", s.Progress.Level, answers.Count(s.Progress.Lemmas, "lemma", "lemmas"))
	case s.Verdict() != "":
		return s.Verdict()
	}
	return "check"
}

// QueryLenses returns the lenses of the queries; supports says which commands the client runs of those that not every
// client can. A query that is reached has its derivation shown, any other is checked.
func QueryLenses(d *design.Design, status QueryStatuses, supports func(Command) bool) (all []Lens) {
	for _, q := range horndesign.Queries(d) {
		p, _ := d.Property(q.Property)
		s := status(q)
		l := Lens{Span: q.Row, Title: s.String(), Tooltip: "Check " + q.Name, Command: Check, Properties: []design.Property{p}}
		switch {
		case s.Progress != nil:
			l.Tooltip, l.Command = "Stop checking "+q.Name, Stop
		case s.IsReached():
			l.Tooltip, l.Command = "Show the last step of the derivation of "+q.Name, ShowStep
		case s.Result != nil:
			l.Tooltip = "Check " + q.Name + " again"
		}
		all = append(all, l)
		if s.IsReached() && s.Progress == nil && supports(ShowWhy) {
			l.Title, l.Tooltip, l.Command = "why", "Show the derivation of "+q.Name+" as a tree", ShowWhy
			all = append(all, l)
		}
	}
	return all
}

// IsReached reports whether a query of the present text is reached.
func (s QueryStatus) IsReached() bool {
	return s.Answer().Outcome() == cert.Unsat
}

// DerivationOf returns the derivation of a query that is reached; nil for any other.
func (s QueryStatus) DerivationOf(q horndesign.Query) *horndesign.Derivation {
	if !s.IsReached() {
		return nil
	}
	return q.DerivationOf(s.Result.Checked)
}

// QueryVerdicts returns the answers about the present text as diagnostics: a derivation with its steps as related
// places.
func QueryVerdicts(d *design.Design, status QueryStatuses, opts VerdictOptions) (all []source.Diagnostic) {
	for _, q := range horndesign.Queries(d) {
		r := status(q).Result
		if r == nil {
			continue
		}
		found := source.Diagnostic{Span: q.Row, Severity: source.Information, Code: CodeUnknown, Message: q.Name + ": " + r.Words()}
		switch outcome := r.Checked.Outcome(); {
		case r.Internal != nil && outcome == cert.Unknown:
			found.Severity, found.Code, found.Message = source.Warning, CodeInternal, found.Message+"; see the log"
		case outcome == cert.Sat && !opts.Proved:
			continue
		case outcome == cert.Sat:
			found.Severity, found.Code = source.Hint, CodeProved
		case outcome == cert.Unsat:
			found.Severity, found.Code = source.Error, CodeRefuted
			steps := q.DerivationOf(r.Checked).Steps
			for _, step := range steps[:min(len(steps), maxRelatedLatches)] {
				found.Related = append(found.Related, source.Related{Span: step.Form, Message: step.String()})
			}
		}
		all = append(all, found)
	}
	return all
}
