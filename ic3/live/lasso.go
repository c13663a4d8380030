package live

import (
	"context"

	"aiglens/circuit"
	"aiglens/ic3/bmc"
)

// searchLasso looks for the shortest lasso: Biere, Cimatti, Clarke and Zhu, "Symbolic
// Model Checking without BDDs" (TACAS 1999). It ends when the unrolling becomes too
// large.
func searchLasso(ctx context.Context, r *circuit.Repetition, _ Options, turn Turn) (Claim, error) {
	s := bmc.NewLassoSearch(r.Circuit, []circuit.Lit{r.Round()})
	for next := int64(0); !s.Exhausted(); next += lassoStep {
		l, err := s.Advance(ctx, next)
		if l != nil || err != nil {
			return Claim{Lasso: l}, err
		}
		if err := turn(Progress{Effort: max(s.Effort(), next), Depth: s.Depth()}); err != nil {
			return Claim{}, err
		}
	}
	return Claim{}, nil
}

// lassoStep is the effort of the search between two looks at whose turn it is.
const lassoStep = 50_000
