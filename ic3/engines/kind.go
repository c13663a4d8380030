package engines

import (
	"context"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/classic"
	"aiglens/ic3/reduce"
	"aiglens/ic3/verify"
)

// Induction runs induction over simple paths as a verify.Engine, on a circuit that
// package reduce has made smaller. See package classic for how a pass becomes an
// invariant.
type Induction struct{ Classic }

// inductionGates bounds the paths: to encode more of them at once takes longer than a
// cancelled check may go on.
const inductionGates = 400_000

func makeInduction(c choice) verify.Engine {
	return &Induction{Classic{Options: classic.Options{
		Variant: classic.SimplePaths, Solver: c.solver.factory, Seed: c.seed, MaxGates: inductionGates,
	}}}
}

// Name implements verify.Engine.
func (e *Induction) Name() string { return "kind" }

// Check implements verify.Engine.
func (e *Induction) Check(ctx context.Context, p circuit.Problem, progress func(verify.Progress)) (cert.Verdict, error) {
	r, err := reduce.Reduce(ctx, p.Circuit, p.Property(), reduce.Options{})
	switch {
	case err != nil:
		return cert.Verdict{Reason: "cancelled"}, err
	case r.Circuit.NumVars() > inductionGates:
		return cert.Verdict{Reason: "the circuit is too large for induction over simple paths"}, nil
	}
	v, err := e.Classic.Check(ctx, circuit.Problem{Circuit: r.Circuit, Question: p.Question}, progress)
	if err != nil {
		return v, err
	}
	v, _, err = liftReduced(ctx, r, v)
	return v, err
}
