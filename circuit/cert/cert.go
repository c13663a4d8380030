// Package cert holds verdicts and their certificates, and the code that checks
// them.
//
// The checker shares nothing with the provers but the circuit: a trace is
// replayed by simulation, an invariant is tested for initiation, consecution
// and safety on gini in an encoding of its own. A long check may be told gates
// that are equal; it merges those whose proofs unit propagation follows. It is
// plain code on purpose and is never tuned at the cost of that. It must never
// import an engine.
//
// There are four shapes of certificates: an invariant and a trace for properties of
// safety, a ranking and a lasso for justice properties.
//
// A Verdict is a claim. Only Check and CheckMerging turn it into a Checked, whose
// fields are unexported, and only a Checked can be shown to a user.
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
	// Invariant certifies that a safety property is Proved. It refers to the latches of
	// the circuit.
	Invariant Invariant
	// Trace certifies that a safety property is Refuted.
	Trace Trace
	// Ranking certifies that a justice property is Proved.
	Ranking *Ranking
	// Lasso certifies that a justice property is Refuted.
	Lasso *Lasso
}

// Invariant is a set of states that holds all reachable ones: a conjunction of
// clauses over latch literals. With the constraints C and the negated bad it is
// inductive: I ∧ C ⇒ Inv, Inv ∧ C ∧ T ⇒ Inv′, Inv ∧ C ⇒ ¬bad. The empty
// conjunction is all states; an empty clause is none. In a circuit with reset functions
// it holds the states from step 1 on; see Check for what is asked of step 0.
type Invariant [][]circuit.Lit

// Ranking shows that the literal R of a circuit.Repetition, which is 1 at the end of each
// round, can be 1 only finitely often. Its clauses refer to the latches of the
// Repetition of the circuit.
//
// A state has the rank d when it satisfies Ranks[d] and no later one. With T the steps of
// the Repetition and its constraints C:
//
//	start      I ∧ C ⇒ Ranks[0] ∨ Ranks[1] ∨ …
//	closure    Ranks[d] ∧ C ∧ T ⇒ Ranks[d]′ ∨ Ranks[d+1]′ ∨ …
//	decrease   Ranks[d] ∧ C ∧ T ∧ R ∧ (no signal of Monotone changes) ⇒ Ranks[d+1]′ ∨ Ranks[d+2]′ ∨ …
//	monotone   Ranks[d] ∧ C ∧ T ∧ m ∧ (no signal of Monotone in front of m changes) ⇒ m′,
//	           for each signal m of Monotone
//
// So a run without end has only finitely many steps with R: the first signal of Monotone
// changes at most once, the next one at most once more after each change of one in front
// of it, and so on; each step with R in which none changes takes the run to a later rank.
// Without ranks no state meets the constraints initially.
//
// It is the form that all engines have in common: k-liveness (Claessen and Sörensson,
// FMCAD 2012) ranks by the number of rounds so far, with Monotone for its stabilising
// constraints; rlive (Xia et al., CAV 2024) by the sets of states from which no further
// round ends.
type Ranking struct {
	Ranks []Invariant
	// Monotone are signals, each a conjunction of clauses. Those in front come first in a
	// lexicographic order: the bits of a counter that stops, the highest one first.
	Monotone []Invariant
}

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
// none. Only Check and CheckMerging make one, and CheckedUnknown the unknown one. The
// zero value is unknown.
type Checked struct {
	verdict   Verdict
	property  circuit.Property
	certified bool
}

// Outcome returns what was shown.
func (c Checked) Outcome() Outcome { return c.verdict.Outcome }

// Certified reports whether a certificate of the outcome has passed its check, which is
// so for every proved or refuted one.
func (c Checked) Certified() bool { return c.certified }

// Property returns the property that was checked.
func (c Checked) Property() circuit.Property { return c.property }

// Depth returns the number of frames, or the bound reached.
func (c Checked) Depth() int { return c.verdict.Depth }

// Reason says why the outcome is unknown.
func (c Checked) Reason() string { return c.verdict.Reason }

// Invariant returns the invariant of a proved property.
func (c Checked) Invariant() Invariant { return c.verdict.Invariant }

// Trace returns the counterexample of a refuted property; of a justice property the steps
// up to the end of the first round of the loop.
func (c Checked) Trace() Trace {
	if l := c.verdict.Lasso; l != nil {
		return l.Trace
	}
	return c.verdict.Trace
}

// Loop returns the first step of the loop, with which Trace goes on after its last step;
// ok is false when it has none.
func (c Checked) Loop() (first int, ok bool) {
	if l := c.verdict.Lasso; l != nil {
		return l.Loop, true
	}
	return 0, false
}

// Ranking returns the certificate of a proved justice property, else nil.
func (c Checked) Ranking() *Ranking { return c.verdict.Ranking }

// String says the verdict in the words that every surface uses, without times.
func (c Checked) String() string {
	switch c.verdict.Outcome {
	case Proved:
		if r := c.Ranking(); r != nil {
			return "proved · " + Count(len(r.Ranks), "rank", "ranks")
		}
		return fmt.Sprintf("proved · depth %d · %s", c.Depth(), Count(len(c.Invariant()), "clause", "clauses"))
	case Refuted:
		if loop, ok := c.Loop(); ok {
			return "refuted: " + LoopWords(loop, c.Trace().Steps()-1)
		}
		return fmt.Sprintf("refuted at step %d", c.Trace().Steps()-1)
	}
	return c.UnknownWords(c.Reason())
}

// UnknownWords says an unknown outcome for a reason, with how far the engine has come: how
// many steps have no violation, or the depth for a justice property, which says no such thing.
func (c Checked) UnknownWords(reason string) string {
	words := "unknown: " + reason
	switch n := c.Depth(); {
	case n == 0:
	case c.Property().Kind.Question() == circuit.Liveness:
		words += fmt.Sprintf(", depth %d", n)
	default:
		words += ", no violation in " + Count(n, "step", "steps")
	}
	return words
}

// LoopWords says which steps of a counterexample repeat for ever: "the loop of steps 4 to 9".
func LoopWords(first, last int) string {
	if first == last {
		return fmt.Sprintf("the loop of step %d", first)
	}
	return fmt.Sprintf("the loop of steps %d to %d", first, last)
}

// Count says how many there are of something, for packages that may not import findings: the
// checkers share nothing with the rest.
func Count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
