// Package certify checks witness circuits: circuits that stand for the proof of a model's
// properties, as Certifaiger does (README of July 2026; Froleyks, Yu, Bogaerts, Biere and
// Heljanko, "Liveness Proofs for Hardware Model Checking", CAV 2026).
//
// A witness simulates its model in the inputs and latches that both share, its bads are
// inductive, and its liveness signals rank the steps of its runs. Each of that is a formula
// about three points in time at most; a solver is asked whether it can be false.
//
// It is stricter than Certifaiger in two cases, in which a valid answer would
// prove nothing: see Transition about gates that stand for latches, and Consistent about
// signals that the model does not have.
//
// It knows no files and no engines.
package certify

import (
	"context"
	"errors"
	"fmt"

	"aiglens/circuit"
)

// Pair is a model, a witness circuit, and how they belong together.
type Pair struct {
	Model, Witness *circuit.Circuit
	// Shared are the inputs and latches that both have, K.
	Shared []Shared
	// Signals are the liveness signals of the witness, which refer to two points in time:
	// a circuit without latches. Its inputs are the inputs of the witness, then the
	// latches of the witness, all at the first point; then one for each of Reads. It has
	// the justice properties and the fairness of the witness.
	Signals *circuit.Circuit
	// Reads are the literals of the witness that Signals reads at the second point.
	Reads []circuit.Lit
}

// Shared is a literal of the witness that stands for an input or a latch of the model.
type Shared struct{ Witness, Model circuit.Lit }

// Obligation is something that must hold of a pair.
type Obligation uint8

// The obligations over points in time s, t, u, with the constraints C, the negated bads P,
// the resets R and the transitions F of the model, with a prime those of the witness; in
// braces the latches meant. A liveness signal q is the negation of a justice literal or a
// fairness condition, and holds of two points in time. Q′ says that of each justice
// property some signal holds. Signals of model and witness belong together by position; one
// that the witness does not have counts as 1.
const (
	// Stratified: the resets of the witness do not depend on each other in a cycle.
	Stratified Obligation = iota
	// Reset: R_s{K} ∧ C_s ⇒ R′_s{K} ∧ C′_s.
	Reset
	// Transition: F_st{K} ∧ C_s ∧ C_t ∧ C′_s ⇒ F′_st{K} ∧ C′_t.
	//
	// A gate of the witness that stands for a latch or an input has that value by
	// definition in these formulas. Where the model has a property it must have it in the
	// runs, too: Reset and Transition then ask that it is equal where the latches of
	// the witness outside of K start and move as the witness says.
	Transition
	// Safety: C_s ∧ C′_s ∧ P′_s ⇒ P_s.
	Safety
	// Liveness: C ∧ C′ ∧ P′ at s and t, F′_st ⇒ (q′_st ⇒ q_st) for each q of the model.
	Liveness
	// Base: R′_s ∧ C′_s ⇒ P′_s.
	Base
	// Step: F′_st ∧ C′_s ∧ C′_t ∧ P′_s ⇒ P′_t.
	Step
	// Decrease: C′ ∧ P′ at s and t, F′_st ⇒ Q′_ts.
	Decrease
	// Closure: C′ ∧ P′ at s, t and u, F′_st ∧ Q′_su ⇒ Q′_tu.
	Closure
	// Consistent: C′ ∧ P′ at s, t and u, F′_st ∧ F′_tu ∧ Q′_st ∧ Q′_tu ⇒ (q′_st ⇒ q′_tu)
	// for each q′ of the witness.
	//
	// Of a signal that the model does not have Liveness says nothing; so one that it has
	// must hold there, too.
	Consistent
	numObligations
)

func (o Obligation) String() string {
	return [...]string{"stratified", "reset", "transition", "safety", "liveness", "base", "step", "decrease", "closure", "consistent"}[o]
}

// Group returns what the obligation is a part of.
func (o Obligation) Group() string {
	switch {
	case o <= Liveness:
		return "simulation"
	case o <= Step:
		return "inductive"
	}
	return "ranked"
}

// Finding says whether an obligation holds.
type Finding struct {
	Obligation Obligation
	Holds      bool
	// About is what the obligation fails for, or "".
	About string
}

// Findings are all obligations of a pair, in their order.
type Findings []Finding

// NotStratified returns the finding about a witness whose resets are not: it has no
// circuit, and nothing else can be asked.
func NotStratified(about string) Findings {
	return Findings{{Obligation: Stratified, About: about}}
}

// Valid reports whether the pair is a proof.
func (f Findings) Valid() bool {
	return len(f) == int(numObligations) && len(f.Failed()) == 0
}

// Failed returns the names of the obligations that fail.
func (f Findings) Failed() []string {
	var names []string
	for _, x := range f {
		if !x.Holds {
			names = append(names, x.Obligation.String())
		}
	}
	return names
}

// ErrForm is wrapped by the errors about pairs that do not fit together.
var ErrForm = errors.New("the witness does not fit the model")

// Check tests a pair. The error is that of ctx, or wraps ErrForm.
func Check(ctx context.Context, p *Pair) (Findings, error) {
	if err := p.validate(); err != nil {
		return nil, err
	}
	found := Findings{{Obligation: Stratified, Holds: true}} // as the witness is a circuit
	for o := Reset; o < numObligations; o++ {
		f := Finding{Obligation: o, Holds: true}
		for _, g := range p.goals(o) {
			at, err := g.firstFalse(ctx)
			if err != nil {
				return nil, err
			}
			if at >= 0 {
				f.Holds, f.About = false, g.conclusions[at].about
				break
			}
		}
		found = append(found, f)
	}
	return found, nil
}

// validate says what keeps the formulas from being written.
func (p *Pair) validate() error {
	fail := func(format string, args ...any) error {
		return fmt.Errorf("%w: %s", ErrForm, fmt.Sprintf(format, args...))
	}
	w, m := map[circuit.Var]bool{}, map[circuit.Var]bool{}
	for _, s := range p.Shared {
		if int(s.Witness.Var()) >= p.Witness.NumVars() || int(s.Model.Var()) >= p.Model.NumVars() {
			return fail("a literal of the mapping does not exist")
		}
		if k := p.Model.Kind(s.Model.Var()); k != circuit.KindInput && k != circuit.KindLatch {
			return fail("what the witness shares with the model must be an input or a latch of the model")
		}
		if w[s.Witness.Var()] && !p.isGate(s) || m[s.Model.Var()] {
			return fail("the mapping has an input or a latch twice")
		}
		w[s.Witness.Var()], m[s.Model.Var()] = true, true
	}
	own := len(p.Witness.Inputs()) + len(p.Witness.Latches())
	if len(p.Signals.Inputs()) != own+len(p.Reads) || len(p.Signals.Latches()) != 0 {
		return fail("the signals do not refer to two points in time")
	}
	for _, l := range p.Reads {
		if int(l.Var()) >= p.Witness.NumVars() {
			return fail("the signals read a literal that does not exist")
		}
	}
	return nil
}
