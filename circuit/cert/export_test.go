package cert

import (
	"context"

	"aiglens/circuit"
)

// SetOwnSolver sets the number of clauses from which a rank gets a solver of its own, and
// returns what it was.
func SetOwnSolver(clauses int) (before int) {
	before, ownSolver = ownSolver, clauses
	return before
}

// FirstViolated returns the position of the first obligation of an invariant, from one on, that some step
// violates, or −1. Nothing is merged.
func FirstViolated(ctx context.Context, c *circuit.Circuit, bad circuit.Lit, inv Invariant, from int) (int, error) {
	k, err := newChecker(ctx, c, inv)
	if err != nil {
		return -1, err
	}
	i, err := k.firstViolated(ctx, append(primed(c, inv), []circuit.Lit{bad.Not()})[from:])
	if i >= 0 {
		i += from
	}
	return i, err
}

// FirstViolatedMerged is FirstViolated with latches and gates merged.
func FirstViolatedMerged(ctx context.Context, c *circuit.Circuit, bad circuit.Lit, inv Invariant, from int, find FindMerges) (int, error) {
	a, err := assume(c, bad, inv).merged(ctx, find)
	if err != nil {
		return -1, err
	}
	return a.firstViolatedFrom(ctx, from)
}
