// Package cert holds verdicts and their certificates, and the code that checks
// them.
//
// The checker shares nothing with the provers but the circuit: a trace is
// replayed by simulation, an invariant is tested for initiation, consecution
// and safety on gini in an encoding of its own. It is plain code on purpose
// and is never tuned at the cost of that. It must never import an engine.
//
// There are four shapes of certificates: an invariant, one over more latches than the
// circuit has, a trace, and a lasso. Two of them are checked; the other two are
// rejected until there are engines that make them.
//
// A Verdict is a claim. Only Check turns it into a Checked, whose fields are
// unexported, and only a Checked can be shown to a user.
package cert

import (
	"fmt"

	"aiglens/circuit"
)

// Outcome is what is claimed of a property.
type Outcome uint8

// The outcomes. The zero value is Unknown, so that a forgotten one claims
// nothing.
const (
	Unknown Outcome = iota
	Proved
	Refuted
)

func (o Outcome) String() string { return [...]string{"unknown", "proved", "refuted"}[o] }

// Verdict is the claim of an engine about one property of one circuit, with
// its certificate.
type Verdict struct {
	Outcome Outcome
	// Depth is the number of frames of the proof; else a number of steps within
	// which no violation exists: none in the steps 0 … Depth−1.
	Depth int
	// Reason says why the outcome is unknown: "timeout", "cancelled", …
	Reason string
	// Invariant certifies Proved. It speaks of the latches of the circuit, or of all
	// those of Extension unless that is nil.
	Invariant Invariant
	// Extension is the circuit with latches and gates of the certificate's own behind
	// its variables. Check knows none yet.
	Extension *circuit.Circuit
	// Trace certifies that a safety property is Refuted.
	Trace Trace
	// Lasso certifies that a justice property is Refuted. Check knows none yet.
	Lasso *Lasso
}

// Invariant is a set of states that holds all reachable ones: a conjunction of
// clauses over latch literals. With the constraints C and the negated bad it is
// inductive: I ∧ C ⇒ Inv, Inv ∧ C ∧ T ⇒ Inv′, Inv ∧ C ⇒ ¬bad. The empty
// conjunction is all states; an empty clause is none. In a circuit with reset functions
// it holds the states from step 1 on; see Check for what is asked of step 0.
type Invariant [][]circuit.Lit

// Trace is a run that ends in a violation: the bad literal is 1 in the last
// step, the constraints hold in every step.
type Trace struct {
	// Initial has one value for each latch, in the order of the circuit. For
	// a latch with a reset, constant or function, X means what that gives; for a
	// free latch, and for an input, it means that any value will do.
	Initial []circuit.Value
	// Inputs has one row a step, each with one value for each input.
	Inputs [][]circuit.Value
}

// Lasso is a run without end: after its last step it goes on with step Loop, whose
// state it has reached again. Each literal of the justice property, and each fairness
// condition, is 1 in some step from Loop on.
type Lasso struct {
	Trace
	Loop int
}

// Steps returns the number of input vectors. The violation is in step
// Steps()−1, counted from 0.
func (t Trace) Steps() int { return len(t.Inputs) }

// Restrict returns the values at some positions of the latches and of the inputs.
func (t Trace) Restrict(latches, inputs []int) Trace {
	pick := func(values []circuit.Value, at []int) []circuit.Value {
		picked := make([]circuit.Value, len(at))
		for i, from := range at {
			picked[i] = values[from]
		}
		return picked
	}
	own := Trace{Initial: pick(t.Initial, latches), Inputs: make([][]circuit.Value, t.Steps())}
	for step, row := range t.Inputs {
		own.Inputs[step] = pick(row, inputs)
	}
	return own
}

// Checked is a verdict whose certificate has passed, or an unknown one, which needs
// none. Only Check makes one, and CheckedUnknown the unknown one. The zero value is
// unknown.
type Checked struct {
	verdict   Verdict
	property  circuit.Property
	certified bool
}

// Outcome returns what was shown.
func (c Checked) Outcome() Outcome { return c.verdict.Outcome }

// Certified reports whether a certificate stands behind the outcome, which is
// so for every proved or refuted one.
func (c Checked) Certified() bool { return c.certified }

// Property returns the property that was judged.
func (c Checked) Property() circuit.Property { return c.property }

// Depth returns the number of frames, or the bound reached.
func (c Checked) Depth() int { return c.verdict.Depth }

// Reason says why the outcome is unknown.
func (c Checked) Reason() string { return c.verdict.Reason }

// Invariant returns the invariant of a proved property.
func (c Checked) Invariant() Invariant { return c.verdict.Invariant }

// Trace returns the counterexample of a refuted property.
func (c Checked) Trace() Trace { return c.verdict.Trace }

// String says the verdict in the words that every surface uses, without times.
func (c Checked) String() string {
	switch c.verdict.Outcome {
	case Proved:
		n, plural := len(c.Invariant()), "s"
		if n == 1 {
			plural = ""
		}
		return fmt.Sprintf("proved · depth %d · %d clause%s", c.Depth(), n, plural)
	case Refuted:
		return fmt.Sprintf("refuted at step %d", c.Trace().Steps()-1)
	}
	return fmt.Sprintf("unknown: %s, depth %d", c.Reason(), c.Depth())
}
