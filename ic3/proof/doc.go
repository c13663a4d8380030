// Package proof works on proofs that are there: it makes an invariant small (Minimize), finds out
// what of the circuit it rests on (FindCore), says when the proof means little (FindVacuity), and
// what it says about words (FindWordFacts).
//
// It is trusted in nothing: a smaller invariant and a core are checked by package cert, facts about
// words by package facts, and what makes a proof vacuous is proved by the caller, which has engines
// and limits. Like an engine it has no clock and does the same whenever it is asked the same. It
// knows no names and no texts.
package proof
