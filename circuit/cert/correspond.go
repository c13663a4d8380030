package cert

import (
	"context"

	"aiglens/circuit"
)

// Equal says that a latch or gate is equal to a literal of a lower variable, in each step
// of each run that meets the constraints. A list of them is shown by induction over the
// steps, all at once; the proofs are as that of a Merge.
type Equal struct {
	Var circuit.Var
	To  circuit.Lit
	// First is the proof for step 0, and Later that for the step after one in which all
	// are equal.
	First, Later [][]circuit.Lit
}

// Corresponding returns c with variables replaced by what they are equal to, in ascending
// order of the variables, as far as the proofs show that. A property that is proved of the
// result is so of c: each run of c that meets the constraints is one of the result, with the same
// values. A counterexample of the result need not be one of c.
//
// It is signal correspondence, van Eijk, "Sequential Equivalence Checking Based on Structural
// Similarities" (TCAD 2000). The proofs refer to circuits that are made so:
//
//	first  the inputs, the free latches; the other latches are their resets, which must be
//	       constants. The constraints; then all gates, by the rules of Merged, with those that
//	       are equal merged on the way.
//	later  a step: the inputs, the latches, the gates, with all that are equal merged, since
//	       that is assumed, and so are the constraints. Then the step after it: the inputs;
//	       each latch is its next state; the constraints, and the gates, as in the first.
//
// Constraints are assumed as they are, made of gates that are not merged in that step.
//
// The error is a *RejectedError when a proof shows nothing, or that of ctx.
func Corresponding(ctx context.Context, c *circuit.Circuit, equals []Equal) (*circuit.Circuit, error) {
	replaced := make(map[circuit.Var]circuit.Lit, len(equals))
	last := circuit.Var(0)
	for _, e := range equals {
		if e.Var <= last || int(e.Var) >= c.NumVars() || c.Kind(e.Var) == circuit.KindInput || e.To.Var() >= e.Var {
			return nil, reject("form", "variable %d is equal to literal %d", e.Var, e.To)
		}
		last = e.Var
		replaced[e.Var] = e.To
	}
	if c.HasResetFunctions() {
		return nil, reject("form", "a latch has a reset function")
	}
	if err := holdFirst(ctx, c, equals); err != nil {
		return nil, err
	}
	if err := holdLater(ctx, c, equals); err != nil {
		return nil, err
	}
	return trimmed(copied(c, func(circuit.Var) bool { return true }, replaced)), nil
}

// holdFirst checks the proofs for step 0.
func holdFirst(ctx context.Context, c *circuit.Circuit, equals []Equal) error {
	first := newStep(newGround(c.NumVars()), c)
	for _, latch := range c.Latches() {
		if latch.IsFree() {
			first.set(latch, first.ground.free(first.ground.b.Latch(0)))
		} else {
			first.set(latch, latch.Reset)
		}
	}
	first.meetConstraints()
	return first.prove(ctx, equals, func(e Equal) [][]circuit.Lit { return e.First })
}

// holdLater checks the proofs for the step after one in which all are equal.
func holdLater(ctx context.Context, c *circuit.Circuit, equals []Equal) error {
	before := newStep(newGround(2*c.NumVars()), c)
	for _, latch := range c.Latches() {
		before.set(latch, before.ground.free(before.ground.b.Latch(0)))
	}
	for _, e := range equals {
		before.addBelow(e.Var + 1)
		before.ground.equate(before.value(e.Var.Lit()), before.value(e.To))
	}
	before.addBelow(circuit.Var(c.NumVars()))
	before.assumeConstraints()
	after := newStep(before.ground, c)
	for _, latch := range c.Latches() {
		after.set(latch, before.value(latch.Next))
	}
	after.meetConstraints()
	return after.prove(ctx, equals, func(e Equal) [][]circuit.Lit { return e.Later })
}

// step is one step of a run of a circuit, as a part of a ground.
type step struct {
	ground  *ground
	circuit *circuit.Circuit
	values  []circuit.Lit // of the ground, by variable of the circuit; 0 of a gate that is not there yet
	added   circuit.Var   // the gates of all variables below are there
}

// newStep returns a step with its inputs. Its latches are to be set, in their order.
func newStep(g *ground, c *circuit.Circuit) *step {
	s := &step{ground: g, circuit: c, values: make([]circuit.Lit, c.NumVars())}
	for _, input := range c.Inputs() {
		s.values[input.Lit.Var()] = g.free(g.b.Input(0))
	}
	return s
}

func (s *step) set(latch circuit.Latch, value circuit.Lit) { s.values[latch.Lit.Var()] = value }

// value returns what a literal of the circuit is in the ground, as far as that is merged.
func (s *step) value(l circuit.Lit) circuit.Lit {
	value := s.values[l.Var()]
	return s.ground.find(value.NotIf(l.IsNegated()))
}

// add adds the gate of a variable, if it is one.
func (s *step) add(v circuit.Var) {
	if a, b, isGate := s.circuit.Operands(v); isGate {
		s.values[v] = s.ground.and(s.value(a), s.value(b))
	}
}

// addBelow adds the gates of all variables below one, but those that it has added before.
func (s *step) addBelow(end circuit.Var) {
	for ; s.added < end; s.added++ {
		s.add(s.added)
	}
}

// meetConstraints assumes the constraints, made of gates of their own: in front of all others,
// none of which is merged yet.
func (s *step) meetConstraints() {
	var constraints []circuit.Lit
	for _, signal := range s.circuit.Constraints() {
		constraints = append(constraints, signal.Lit)
	}
	for v, isNeeded := range cone(s.circuit, constraints) {
		if isNeeded {
			s.add(circuit.Var(v))
		}
	}
	s.assumeConstraints()
}

// assumeConstraints assumes the constraints, whose gates are there.
func (s *step) assumeConstraints() {
	for _, signal := range s.circuit.Constraints() {
		s.ground.known.add(s.value(signal.Lit))
	}
}

// prove adds all gates, and merges those that are equal by their proofs.
func (s *step) prove(ctx context.Context, equals []Equal, proof func(Equal) [][]circuit.Lit) error {
	for _, e := range equals {
		s.addBelow(e.Var + 1)
		if err := s.ground.merge(ctx, s.value(e.Var.Lit()), s.value(e.To), proof(e)); err != nil {
			return err
		}
	}
	s.addBelow(circuit.Var(s.circuit.NumVars()))
	return nil
}
