package cert

import (
	"context"

	"aiglens/circuit"
)

// FirstFalse returns the position of the first of some literals that can be 0 in a step of
// c that meets the constraints, from any state; −1 when none can. The error is that of ctx.
func FirstFalse(ctx context.Context, c *circuit.Circuit, lits []circuit.Lit) (int, error) {
	k, err := newChecker(ctx, c, nil)
	if err != nil {
		return -1, err
	}
	clauses := make([][]circuit.Lit, len(lits))
	for i := range lits {
		clauses[i] = lits[i : i+1]
	}
	return k.firstViolated(ctx, clauses)
}
