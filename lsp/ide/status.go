// Package ide computes the editor features of one document as plain data:
// hover, definition, references, symbols, lenses, verdict diagnostics, actions.
//
// Everything is written once over package design, in byte offsets and
// without a format in sight. What may take long gets the context of the request
// and returns its error. The package knows no protocol and does no I/O.
package ide

import (
	"fmt"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/design"
	"aiglens/design/answers"
	"aiglens/design/runs"
	"aiglens/ic3/proof"
	"aiglens/ic3/verify"
)

// Freshness says whether a verdict is one about the present text.
type Freshness uint8

// Stale comes first: a verdict is taken for old until the text is known to
// have the cone that it was given for.
const (
	Stale Freshness = iota
	Fresh
)

// Activity says what is being done about a property.
type Activity uint8

// The activities.
const (
	Idle Activity = iota
	Queued
	Checking
)

// Status is all that is known of a property. Verdict, freshness and activity
// are independent of each other, and every surface reads them here: lens,
// diagnostic and hover cannot disagree.
type Status struct {
	Kind      circuit.PropertyKind
	Result    *verify.Result // the last verdict, nil when there is none
	Freshness Freshness      // of Result
	Activity  Activity
	Progress  verify.Progress // while checking
	// FaultLine is the line (from 1) of the error that forbids a verdict on the
	// present text; 0 when there is none. FaultLine > 0 ⇒ Freshness = Stale.
	FaultLine int
	// Fault says in few words what that error is.
	Fault string
	// Counterexample is set for a fresh refutation.
	Counterexample *runs.Counterexample
	// Earlier is the last counterexample when it is about an earlier text.
	Earlier *EarlierTrace
	// OnlyChecked says why no question about the present text is answered but the check; nil where the others are.
	OnlyChecked error
	// LeftOpen is what the text leaves open, such as a black box, to which the
	// counterexample may be due rather than to what it says.
	LeftOpen design.LeftOpen
}

// Explainable returns the counterexample where its causes can be told; nil for none.
func (s Status) Explainable() *runs.Counterexample {
	if s.OnlyChecked != nil {
		return nil
	}
	return s.Counterexample
}

// EarlierTrace is a counterexample of an earlier text.
type EarlierTrace struct {
	Counterexample *runs.Counterexample
	Document       *design.Design
}

// Statuses looks up the status of a property.
type Statuses func(circuit.Property) Status

// String says the status in the words of the code lens.
func (s Status) String() string {
	switch {
	case s.Activity == Queued:
		return "queued"
	case s.Activity == Checking:
		return fmt.Sprintf("checking · depth %d · %s", s.Progress.Depth, answers.Count(s.Progress.Lemmas, "lemma", "lemmas")) + Elsewhere(s.Progress)
	case s.Result == nil && s.FaultLine == 0:
		return "check"
	}
	return s.Verdict()
}

// Elsewhere says which other machines are at work; "" when no other machine is.
func Elsewhere(p verify.Progress) string {
	if p.Nodes == 0 {
		return ""
	}
	return " · also on " + answers.Count(p.Nodes, "node", "nodes")
}

// foundBy says where a verdict of a cluster was found; "" for one of this machine.
func (s Status) foundBy() string {
	switch r := s.Result; {
	case r == nil || r.Place == "":
		return ""
	case r.Cached:
		return fmt.Sprintf("found earlier in the cluster, by %s, and checked here", r.Place)
	default:
		return fmt.Sprintf("found in the cluster, by %s, and checked here", r.Place)
	}
}

// withoutLeftOpen returns the status for a reader who is told at length what the text leaves open.
func (s Status) withoutLeftOpen() Status {
	s.LeftOpen = design.LeftOpen{}
	return s
}

// Verdict says what is known of the property in the present text, whatever is
// being done about it; "" when nothing is.
func (s Status) Verdict() string {
	switch {
	case s.FaultLine > 0:
		return fmt.Sprintf("unknown: error on line %d: %s", s.FaultLine, s.Fault)
	case s.Result == nil:
		return ""
	case s.Freshness == Stale:
		return stalePrefix + s.words()
	}
	return s.words()
}

func (s Status) words() string {
	words := s.Result.Words(s.Kind) + s.LeftOpen.Words()
	if v := s.Vacuity(); v != nil {
		words += " · vacuous: " + v.Words()
	}
	if s.LacksVacuity() {
		words += " · not worked out: vacuity"
	}
	return words
}

// Outcome returns the word for what was last found: none, proved, refuted or
// unknown, which it also is where an error forbids a verdict.
func (s Status) Outcome() string {
	switch {
	case s.FaultLine > 0:
		return cert.Unknown.String()
	case s.Result == nil:
		return "none"
	}
	return s.Result.Checked.Outcome().String()
}

// Failed reports whether what was last found is worth another look: the property is
// refuted or unknown, which it also is where an error forbids a verdict, or a cover is not
// reached.
func (s Status) Failed() bool {
	return s.FaultLine > 0 || s.Result != nil && s.Standing() != verify.Passed
}

// Standing returns what was last found means for the design.
func (s Status) Standing() verify.Standing {
	if s.FaultLine > 0 || s.Result == nil {
		return verify.StandingOf(s.Kind, cert.Unknown)
	}
	return verify.StandingOf(s.Kind, s.Result.Checked.Outcome())
}

// Vacuity says why a proof means little; nil where that is not known, and of a cover, where
// a proof is bad enough.
func (s Status) Vacuity() *proof.Vacuity {
	if s.Result == nil || s.Kind == circuit.PropertyCover {
		return nil
	}
	return s.Result.Vacuity()
}

// LacksVacuity reports whether the property is proved and it is not asked whether it holds vacuously, since nothing but the check is
// answered.
func (s Status) LacksVacuity() bool {
	return s.OnlyChecked != nil && s.Result.Checked.Outcome() == cert.Proved && !s.Result.IsVacuous()
}

// State is the word for the freshness of a verdict, or for the check that is on its way.
type State string

// The states.
const (
	StateFresh   State = "fresh"
	StateStale   State = "stale"
	StateQueued  State = "queued"
	StateRunning State = "running"
)

// State returns the state in one word. That an error forbids a verdict is known of the
// present text, whatever was found before.
func (s Status) State() State {
	switch {
	case s.Activity == Queued:
		return StateQueued
	case s.Activity == Checking:
		return StateRunning
	case s.Freshness == Fresh || s.FaultLine > 0:
		return StateFresh
	}
	return StateStale
}

// stalePrefix stands before a verdict that is about another text.
const stalePrefix = "stale · "

// Words are a status in words, as clients that only show it keep it.
type Words struct {
	Outcome string // Status.Outcome
	State   State
	Lens    string // Status.String
	Verdict string // Status.Verdict
}

// Words says the status in words.
func (s Status) Words() Words { return Words{s.Outcome(), s.State(), s.String(), s.Verdict()} }

// AsStale returns the words for the same verdict once the text is another one.
func (w Words) AsStale() Words {
	if w.State == StateFresh {
		w.State, w.Lens, w.Verdict = StateStale, stalePrefix+w.Lens, stalePrefix+w.Verdict
	}
	return w
}

// outcome returns the fresh verdict; ok is false when there is none.
func (s Status) outcome() (o cert.Outcome, ok bool) {
	if s.Result == nil || s.Freshness != Fresh || s.FaultLine > 0 {
		return cert.Unknown, false
	}
	return s.Result.Checked.Outcome(), true
}
