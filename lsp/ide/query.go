package ide

import (
	"fmt"
	"strings"

	circuitcert "aiglens/circuit/cert"
	"aiglens/design"
	"aiglens/design/answers"
	"aiglens/design/horndesign"
	"aiglens/horn/cert"
	"aiglens/ic3/horn"
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
	Progress *horn.Progress
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

// QueryLenses returns a lens for each query.
func QueryLenses(d *design.Design, status QueryStatuses) (all []Lens) {
	for _, q := range horndesign.Queries(d) {
		p, _ := d.Property(q.Property)
		s := status(q)
		l := Lens{Span: q.Row, Title: s.String(), Tooltip: "Check " + q.Name, Command: Check, Properties: []design.Property{p}}
		switch {
		case s.Progress != nil:
			l.Tooltip, l.Command = "Stop checking "+q.Name, Stop
		case s.Result != nil:
			l.Tooltip = "Check " + q.Name + " again"
		}
		all = append(all, l)
	}
	return all
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
			for _, step := range q.StepsOf(r.Checked) {
				if len(found.Related) == maxRelatedLatches {
					break
				}
				found.Related = append(found.Related, source.Related{Span: step.Form, Message: stepWords(step)})
			}
		}
		all = append(all, found)
	}
	return all
}

// stepWords say a step of a derivation: "step 3: P(2), from step 2".
func stepWords(s horndesign.Step) string {
	text := fmt.Sprintf("step %d: %s", s.Number, s.Text)
	switch len(s.From) {
	case 0:
		return text
	case 1:
		return fmt.Sprintf("%s, from step %d", text, s.From[0])
	}
	return text + ", from steps " + strings.Trim(strings.ReplaceAll(fmt.Sprint(s.From), " ", ", "), "[]")
}

// maxStepHints bounds the steps that are shown at one clause.
const maxStepHints = 3

// QueryHints returns the steps of derivations at the ends of the clauses that they use.
func QueryHints(d *design.Design, span source.Span, status QueryStatuses) (all []InlayHint) {
	for _, q := range horndesign.Queries(d) {
		r := status(q).Result
		if r == nil || r.Checked.Outcome() != cert.Unsat {
			continue
		}
		at := map[int][]string{}
		var order []int
		for _, step := range q.StepsOf(r.Checked) {
			end := step.Form.End()
			if at[end] == nil {
				order = append(order, end)
			}
			at[end] = append(at[end], stepWords(step))
		}
		for _, end := range order {
			steps := at[end]
			if more := len(steps) - maxStepHints; more > 0 {
				steps = append(steps[:maxStepHints:maxStepHints], fmt.Sprintf("and %d more", more))
			}
			if span.Start <= end && end <= span.End() {
				all = append(all, InlayHint{Offset: end, Label: strings.Join(steps, "; ")})
			}
		}
	}
	return all
}

// QueryHover returns what answers say of the place: of the row of a query its status, of a predicate its invariant.
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
		if s.Result == nil || s.Result.Checked.Outcome() != cert.Sat {
			continue
		}
		if text := q.InvariantOf(s.Result.Checked, offset); text != "" {
			all = append(all, fmt.Sprintf("%s is safe, because `%s`", q.Name, text))
		}
	}
	return all
}
