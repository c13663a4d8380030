package verify

import (
	"context"

	"aiglens/circuit"
	"aiglens/circuit/cert"
)

// maxUnfinished bounds the literals that a run without an answer leaves.
const maxUnfinished = 500_000

// boundedClauses returns the first clauses, up to some literals together.
func boundedClauses(clauses cert.Invariant, literals int) cert.Invariant {
	for i, clause := range clauses {
		if literals -= len(clause); literals < 0 {
			return clauses[:i:i]
		}
	}
	return clauses
}

// HasUnfinished reports whether a run without an answer has left clauses.
func (r Result) HasUnfinished() bool { return len(r.unfinished) > 0 }

// Unfinished returns the clauses that a run without an answer leaves, over the latches of a
// circuit in which the cone of property p is that of the result. They hold in the states that
// are reached in the first steps as far as the engine is right: that is not checked, and
// these may be fewer than Checked.Depth, which counts those of a bounded search beside IC3. It
// returns none for another cone, and when ctx ends.
func (r Result) Unfinished(ctx context.Context, c *circuit.Circuit, p circuit.Property) cert.Invariant {
	if !r.HasUnfinished() {
		return nil
	}
	cone, err := c.ConeContext(ctx, p)
	if err != nil || cone.Fingerprint != r.Fingerprint {
		return nil
	}
	lifted, err := lift(ctx, c, p, cone, cert.Verdict{Invariant: r.unfinished})
	if err != nil {
		return nil
	}
	return lifted.Invariant
}
