package ic3

import (
	"fmt"
	"strings"
)

// Tactics is a set of refinements of the algorithm, each of which can be switched
// by itself. None is needed for a right answer.
type Tactics uint32

// The tactics.
const (
	// BlockCTGs blocks counterexamples to generalisation where obligations come back
	// (Hassan, Bradley and Somenzi, FMCAD 2013); how many and how deep is in ctg.go.
	BlockCTGs Tactics = 1 << iota
	// ExtendCTGs blocks predecessors of counterexamples to generalisation, too (Su
	// and others, "Extended CTG Generalization", 2025).
	ExtendCTGs
	// WholeStates takes some states whole instead of lifted; see wholeStates.
	WholeStates
	// LiftAgain lifts a predecessor from the core of the time before, in another
	// order.
	LiftAgain
	// ActivityOrder tries literals first to drop that stood in many of the last
	// lemmas.
	ActivityOrder
	// ChangeLate generalises every other time with counterexamples to generalisation, and
	// in the opposite of ActivityOrder, once a run has taken long; see isLate.
	ChangeLate
	// ObligationOrder tries literals first to drop that are rare in the open
	// obligations (Bradley 2011, section 7); it comes before ActivityOrder.
	ObligationOrder
	// PredictLemmas extends a lemma that could not be pushed by a literal that
	// excludes the reason for it (Su, Yang and Ci, "Predicting Lemmas in
	// Generalization of IC3", DAC 2024).
	PredictLemmas
	// KeepModels keeps the steps that show why clauses are not inductive, and looks
	// among them before it asks a solver; see models.
	KeepModels
	// InfiniteFrame keeps lemmas that are inductive together in a frame of their own,
	// which is never pushed again.
	InfiniteFrame
	// ReachedStates keeps states that a simulation has reached and generalises to no
	// lemma that excludes one: the states known reachable of Komuravelli, Gurfinkel
	// and Chaki (CAV 2014), propositional. An obligation is never cut short by them,
	// for with one property a reachable obligation ends the run.
	ReachedStates
	// RenewSolvers rebuilds the solver of a frame when most of its lemmas are
	// subsumed.
	RenewSolvers
	// EliminateGates eliminates gates from the clauses of the definitions; see
	// encode.Eliminated.
	EliminateGates
	// PostponeConstraints leaves constraints out of the queries until a counterexample violates
	// them; see postpone.
	PostponeConstraints
)

// DefaultTactics are those that Options change.
const DefaultTactics = BlockCTGs | ExtendCTGs | WholeStates | LiftAgain | ActivityOrder | ChangeLate | KeepModels | EliminateGates | PostponeConstraints

var tacticNames = []struct {
	tactic Tactics
	name   string
}{
	{BlockCTGs, "ctg"},
	{ExtendCTGs, "extended-ctg"},
	{WholeStates, "whole-states"},
	{LiftAgain, "lift-again"},
	{ActivityOrder, "activity"},
	{ChangeLate, "change-late"},
	{ObligationOrder, "obligation-order"},
	{PredictLemmas, "prediction"},
	{KeepModels, "models"},
	{InfiniteFrame, "infinite"},
	{ReachedStates, "reached"},
	{RenewSolvers, "renew"},
	{PostponeConstraints, "postpone-constraints"},
	{EliminateGates, "elimination"},
}

// TacticNames returns the names that ParseTactics takes.
func TacticNames() []string {
	var names []string
	for _, t := range tacticNames {
		names = append(names, t.name)
	}
	return names
}

// TacticNamed returns the tactic of a name.
func TacticNamed(name string) (Tactics, error) {
	for _, t := range tacticNames {
		if t.name == name {
			return t.tactic, nil
		}
	}
	return 0, fmt.Errorf("there is no tactic %q; choose of %s", name, strings.Join(TacticNames(), ", "))
}
