// Package reduce makes a circuit smaller before it is checked, and brings the
// verdict on the smaller one back to the circuit it came from.
//
// What it does, in this order:
//
//   - Hidden constraints are brought into the open (hidden.go).
//   - Latches that never change, by three-valued simulation (constants.go).
//   - Latches that are always equal or opposite, or constant: signal
//     correspondence, van Eijk, "Sequential Equivalence Checking Based on
//     Structural Similarities" (TCAD 2000), on latches only (correspond.go).
//   - And gates that two levels of logic decide or simplify: Brummayer and Biere,
//     "Local Two-Level And-Inverter Graph Minimization without Blowup" (MEMICS
//     2006) (rewrite.go).
//   - Gates that are equal or opposite in all states and under all inputs: SAT
//     sweeping, Kuehlmann and others, "Robust Boolean Reasoning for Equivalence
//     Checking and Functional Property Verification" (TCAD 2002) (sweep.go).
//   - What the property then no longer depends on (circuit.Cone).
//   - Later, for circuits that turn out to be hard: latches and gates that are equal
//     or opposite in all reachable states (Signals, signals.go).
//
// By themselves, Merges is sweeping and Equals correspondence of signals with proofs that
// circuit/cert can test (merges.go, equals.go).
//
// Facts about latches are proved by induction over one step, so that they are
// clauses over latches; Reduced.Lift adds those to an invariant which it rests
// on. Facts that sweeping shows about gates need no state and no constraint, and so no
// clause; for those that hold in reachable states only, Lift looks for clauses over
// latches (strengthen.go).
//
// The package reads no clock and has fixed seeds: same circuit, same options,
// same result. Work is bounded in proportion to the size of the circuit. What
// is not shown within the bounds is not merged.
package reduce

import (
	"context"

	"aiglens/circuit"
)

// Options switch steps off. The zero value does all of Reduce.
type Options struct {
	NoUncovering     bool // hidden constraints stay hidden
	NoConstants      bool // no three-valued simulation
	NoCorrespondence bool // no signal correspondence of latches
	NoRewriting      bool // no two-level rules
	NoSweeping       bool // no SAT sweeping of gates
	// Effort bounds the work of the solvers, in percent of what is usual: 0 is
	// 100, and less than 0 leaves them no work. Signals has a bound of its own.
	Effort int
	// FactClauses bounds the clauses of an invariant that rests on facts about gates:
	// 0 is what is usual, and less than 0 allows none.
	FactClauses int
	// SignalGain is the part of the latches or of the gates, as one of so many, that must
	// go before signals are merged; 0 is 8.
	SignalGain int
}

// effort returns the bound for a circuit of so many variables.
func (o Options) effort(perVar, least, vars int) int64 {
	percent := int64(max(o.Effort, 0))
	if o.Effort == 0 {
		percent = 100
	}
	return int64(least+perVar*vars) * percent / 100
}

// Size counts the elements of a circuit.
type Size struct {
	Inputs, Latches, Gates int
}

// Stats says what a reduction did.
type Stats struct {
	Before, After Size // of the cone of the property, and of the reduced circuit
	Hidden        int  // constraints that were hidden
	Constants     int  // latches found constant by three-valued simulation
	Merged        int  // latches replaced by a constant or another latch, all together
	Rounds        int  // of induction over the candidates not shown yet
	Swept         int  // gates replaced by another gate
	Queries       int64
	Conflicts     int64
	Effort        int64 // work of the solvers, see correspondenceEffort
	// GaveUp says that the bound on the work ended a step early, so that more may
	// be equal than was merged.
	GaveUp bool
}

// Reduced is a circuit with one property that has the same verdict as the one
// it was made from.
type Reduced struct {
	Circuit  *circuit.Circuit
	Property circuit.Property // of Circuit: its only bad
	Stats    Stats

	original  *circuit.Circuit
	cone      *circuit.Cone    // of the property in original
	hidden    *hidden          // constraints of the cone; or nil
	uncovered *circuit.Circuit // that of cone with them in the open
	latches   *partition       // over the variables of uncovered
	// By input and by latch of Circuit: its position in cone.Circuit and in uncovered.
	inputsOf, latchesOf []int
	facts               *facts // about gates, which the circuit rests on; or nil
}

// Reduce makes property p of c smaller. The error is circuit.ErrNoBad for a
// property without a bad literal, or that of ctx.
func Reduce(ctx context.Context, c *circuit.Circuit, p circuit.Property, o Options) (*Reduced, error) {
	if _, ok := c.Bad(p); !ok {
		return nil, circuit.ErrNoBad
	}
	cone, err := c.ConeContext(ctx, p)
	if err != nil {
		return nil, err
	}
	r := &Reduced{
		Property:  circuit.Property{Kind: circuit.PropertyBad},
		original:  c,
		cone:      cone,
		uncovered: cone.Circuit,
		inputsOf:  identity(len(cone.Inputs)),
		latchesOf: identity(len(cone.Latches)),
	}
	r.Stats.Before = sizeOf(cone.Circuit)
	if !o.NoUncovering {
		r.hidden = newHidden(r)
	}
	if r.hidden != nil {
		r.uncovered = r.hidden.uncover()
		r.Stats.Hidden = len(r.uncovered.Constraints()) - len(cone.Circuit.Constraints())
	}
	if err := r.mergeLatches(ctx, o); err != nil {
		return nil, err
	}
	k, err := copyMerged(ctx, r.uncovered, r.latches, nil, !o.NoRewriting)
	if err != nil {
		return nil, err
	}
	// Inputs and latches keep their positions until the next cone.
	if err := r.setCircuit(ctx, k.finish(r.uncovered, r.latches)); err != nil {
		return nil, err
	}
	if bad := r.Circuit.Bads()[0].Lit; !o.NoSweeping && bad != circuit.False {
		swept, err := sweep(ctx, r.Circuit, o, &r.Stats)
		if err != nil {
			return nil, err
		}
		if err := r.setCircuit(ctx, swept); err != nil {
			return nil, err
		}
	}
	r.Stats.After = sizeOf(r.Circuit)
	if r.Stats.After == sizeOf(c) && len(c.Bads()) == 1 && p == r.Property && r.hidden == nil {
		// Engines take decisions in the order of latches: no new one for nothing.
		r.Circuit, r.inputsOf, r.latchesOf = c, inverse(cone.Inputs), inverse(cone.Latches)
	}
	return r, nil
}

// inverse returns the inverse of a permutation.
func inverse(p []int) []int {
	to := make([]int, len(p))
	for i, at := range p {
		to[at] = i
	}
	return to
}

// identity returns 0 … n−1.
func identity(n int) []int {
	to := make([]int, n)
	for i := range to {
		to[i] = i
	}
	return to
}

// setCircuit sets the reduced circuit to what the property depends on in c,
// whose inputs and latches stand at the positions of those of the one before.
func (r *Reduced) setCircuit(ctx context.Context, c *circuit.Circuit) error {
	cone, err := c.ConeContext(ctx, r.Property)
	if err != nil {
		return err
	}
	r.Circuit = cone.Circuit
	r.inputsOf = positions(cone.Inputs, r.inputsOf)
	r.latchesOf = positions(cone.Latches, r.latchesOf)
	return nil
}

// positions returns of[i] for each i of at.
func positions(at, of []int) []int {
	to := make([]int, len(at))
	for i, j := range at {
		to[i] = of[j]
	}
	return to
}

// mergeLatches fills r.latches.
func (r *Reduced) mergeLatches(ctx context.Context, o Options) error {
	c := r.uncovered
	r.latches = newPartition(c.NumVars())
	readers := newReaders(c)
	if !o.NoConstants {
		var err error
		if r.Stats.Constants, err = markConstants(ctx, c, readers, r.latches); err != nil {
			return err
		}
	}
	if !o.NoCorrespondence {
		found, err := correspond(ctx, c, readers, r.latches, o, &r.Stats)
		if err != nil {
			return err
		}
		r.latches = found
	}
	r.Stats.Merged = len(r.latches.members)
	return nil
}

func sizeOf(c *circuit.Circuit) Size {
	return Size{len(c.Inputs()), len(c.Latches()), c.NumGates()}
}

// pollEvery is the number of gates between two looks at the context.
const pollEvery = 1 << 12

// copied is a circuit on its way into a builder, with merged variables replaced.
type copied struct {
	rewriter
	to []circuit.Lit // by variable of the circuit that is copied
}

// newCopy copies the inputs and the latches of c, at their positions.
func newCopy(c *circuit.Circuit, rewriting bool) *copied {
	k := &copied{rewriter: newRewriter(c.NumVars(), rewriting), to: make([]circuit.Lit, c.NumVars())}
	for _, in := range c.Inputs() {
		k.to[in.Lit.Var()] = k.input(in.Origin)
	}
	for _, l := range c.Latches() {
		k.to[l.Lit.Var()] = k.latch(l.Origin)
	}
	return k
}

// copyMerged copies the gates of c, too, with each latch replaced by its
// representative. Gates that are not needed are left out; nil needs all.
func copyMerged(ctx context.Context, c *circuit.Circuit, p *partition, needed []bool, rewriting bool) (*copied, error) {
	k := newCopy(c, rewriting)
	for i := range c.NumVars() {
		if i%pollEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if left, right, isGate := c.Operands(circuit.Var(i)); isGate && (needed == nil || needed[i]) {
			k.to[i] = k.and(k.read(p, left), k.read(p, right))
		}
	}
	return k, nil
}

// lit returns the copy of a literal.
func (k *copied) lit(l circuit.Lit) circuit.Lit { return k.to[l.Var()].NotIf(l.IsNegated()) }

// read returns the copy of the representative of a literal. A latch that is
// merged has a copy of its own, so that positions stay, but is not read.
func (k *copied) read(p *partition, l circuit.Lit) circuit.Lit {
	return k.lit(p.literal(l.Var()).NotIf(l.IsNegated()))
}

// finish returns the copy of c, complete.
func (k *copied) finish(c *circuit.Circuit, p *partition) *circuit.Circuit {
	constraints := make([]circuit.Lit, len(c.Constraints()))
	for i, s := range c.Constraints() {
		constraints[i] = k.read(p, s.Lit)
	}
	return k.finishWith(c, p, constraints)
}

// finishWith is finish with constraints of its own in the place of those of c.
func (k *copied) finishWith(c *circuit.Circuit, p *partition, constraints []circuit.Lit) *circuit.Circuit {
	for _, l := range c.Latches() {
		to := k.lit(l.Lit)
		k.builder.SetNext(to, k.read(p, l.Next))
		if l.IsFree() { // and stays so when it is merged, as a constraint may read it
			k.builder.SetReset(to, to)
		} else {
			k.builder.SetReset(to, k.read(p, l.Reset))
		}
	}
	for _, s := range c.Bads() {
		k.builder.Bad(k.read(p, s.Lit), s.Origin)
	}
	for i, s := range c.Constraints() {
		k.builder.Constraint(constraints[i], s.Origin)
	}
	return k.builder.Build()
}
