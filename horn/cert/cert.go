// Package cert holds answers about systems of Horn clauses with their certificates, and the
// code that checks them.
//
// A satisfiable system comes with a model: a formula for each predicate, with which every
// clause must be valid. An unsatisfiable one comes with a derivation of false: instances of
// clauses, whose numbers are evaluated exactly. The checker shares nothing with the engines
// but the system and its terms: it substitutes and evaluates by itself, asks gini about the
// propositional part and package linear about numbers. It is plain code on purpose. What is
// too large for it is rejected, never accepted.
//
// An Answer is a claim. Only Check turns it into a Checked, whose fields are unexported, and
// only a Checked can be shown to a user.
package cert

import (
	"math/big"

	"aiglens/horn/term"
)

// Outcome is what is claimed of a system.
type Outcome uint8

// The outcomes, in the words of SMT-LIB. The zero value claims nothing.
const (
	Unknown Outcome = iota
	Sat
	Unsat
)

func (o Outcome) String() string { return [...]string{"unknown", "sat", "unsat"}[o] }

// Answer is the claim of an engine about a system, with its certificate.
type Answer struct {
	Outcome Outcome
	// Reason says why the outcome is unknown.
	Reason string
	// Model certifies Sat.
	Model Model
	// Derivation certifies Unsat.
	Derivation Derivation
}

// Model defines every predicate, in the order of the system.
type Model struct {
	// Terms has the terms of the definitions.
	Terms       *term.Pool
	Definitions []Definition
	// Refutations has, for each clause, what an engine knows to contradict each other. It
	// may be missing: it only saves the checker the search for it, and what does not add
	// up is ignored.
	Refutations [][]Refutation
}

// Refutation says that comparisons contradict each other, because they add up to one, each
// multiplied by its factor (Farkas). They are over the variables of a clause, which are
// known by their names and sorts.
type Refutation struct {
	// Atoms are comparisons, or negations of ≤ or <, among the terms of the model.
	Atoms   []term.Term
	Factors []*big.Rat
}

// Definition is the formula of a predicate over its parameters: variables that differ, of
// the sorts of the predicate. The formula has no other variables, no predicates and no
// quantifiers.
type Definition struct {
	Params  []term.Term
	Formula term.Term
}

// Derivation is a tree of instances of clauses, whose root is the last step. A step can be
// a premise more than once. Only the last one is a query.
type Derivation []Step

// Step is an instance of a clause.
type Step struct {
	Clause int
	// Values has a value for each of the Vars of the clause.
	Values []Value
	// Premises has an earlier step for each atom of the body, which derives it.
	Premises []int
}

// Value is what a variable stands for.
type Value struct {
	// Number is the value of an Int or a Real; nil for a Bool.
	Number *big.Rat
	Bool   bool
}

// Equal reports whether two values of one sort are the same.
func (v Value) Equal(w Value) bool {
	if v.Number == nil || w.Number == nil {
		return v.Number == nil && w.Number == nil && v.Bool == w.Bool
	}
	return v.Number.Cmp(w.Number) == 0
}

func (v Value) String() string {
	switch {
	case v.Number != nil:
		return v.Number.RatString()
	case v.Bool:
		return "true"
	}
	return "false"
}

// is reports whether the value is one of a sort.
func (v Value) is(sort term.Sort) bool {
	switch sort {
	case term.Bool:
		return v.Number == nil
	case term.Int:
		return v.Number != nil && v.Number.IsInt()
	case term.Real:
		return v.Number != nil
	}
	return false
}

// Checked is an answer whose certificate has passed, or an unknown one, which needs none.
// Only Check makes one of a claim. The zero value is unknown.
type Checked struct{ answer Answer }

// NoAnswer is unknown for a reason.
func NoAnswer(reason string) Checked { return Checked{Answer{Reason: reason}} }

// Outcome returns what was shown.
func (c Checked) Outcome() Outcome { return c.answer.Outcome }

// Reason says why the outcome is unknown.
func (c Checked) Reason() string { return c.answer.Reason }

// Model returns the model of a satisfiable system.
func (c Checked) Model() Model { return c.answer.Model }

// Derivation returns the derivation of an unsatisfiable system.
func (c Checked) Derivation() Derivation { return c.answer.Derivation }
