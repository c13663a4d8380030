package live

import (
	"context"

	"aiglens/circuit"
	"aiglens/ic3/bmc"
)

// searchLasso looks for the shortest lasso: Biere, Cimatti, Clarke and Zhu, "Symbolic
// Model Checking without BDDs" (TACAS 1999). After a while it tries a simulation, which
// finds longer ones. It ends when the unrolling becomes too large.
func searchLasso(ctx context.Context, r *circuit.Repetition, _ Options, turn Turn) (Claim, error) {
	s := bmc.NewLassoSearch(r.Circuit, []circuit.Lit{r.Round()})
	isSimulated, simulated := false, int64(0)
	// The search may have spent less than it was allowed, where its next step costs more.
	spent := func(allowed int64) Progress {
		return Progress{Effort: max(s.Effort(), allowed) + simulated, Depth: s.Depth()}
	}
	for next := int64(0); !s.Exhausted() || !isSimulated; next += lassoStep {
		if !isSimulated && (s.Exhausted() || next >= simulateAfter) {
			isSimulated = true
			l, err := simulate(r, func(effort int64) error {
				simulated = effort
				return turn(spent(next))
			})
			if l != nil || err != nil {
				return Claim{Lasso: l}, err
			}
		}
		l, err := s.Advance(ctx, next)
		if l != nil || err != nil {
			return Claim{Lasso: l}, err
		}
		if err := turn(spent(next)); err != nil {
			return Claim{}, err
		}
	}
	return Claim{}, nil
}

const (
	// lassoStep is the effort of the search between two looks at whose turn it is.
	lassoStep = 50_000
	// simulateAfter is the effort of the search after which a simulation is tried.
	simulateAfter = 500_000
)
