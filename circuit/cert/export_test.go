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

// FirstViolatedMerged is what the check of an invariant that takes long asks about: the position of the first
// obligation that some step violates once gates that are equal are merged, or −1.
func FirstViolatedMerged(ctx context.Context, c *circuit.Circuit, bad circuit.Lit, inv Invariant, merges Merges) (int, error) {
	a, err := assume(c, bad, inv).merged(ctx, merges)
	if err != nil {
		return 0, err
	}
	return a.firstViolated(ctx, nil)
}
