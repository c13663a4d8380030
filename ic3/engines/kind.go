package engines

import (
	"context"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/classic"
	"aiglens/ic3/reduce"
	"aiglens/ic3/verify"
)

// inductionGates bounds the paths: to encode more of them at once takes longer than a
// cancelled check may go on.
const inductionGates = 400_000

func makeInduction(c choice) verify.Engine { return induction(c, nil) }

// induction returns induction over simple paths as an engine, on a circuit that package reduce
// has made smaller. See package classic for how a pass becomes an invariant.
func induction(c choice, shared *reduction) verify.Engine {
	o := classic.Options{Variant: classic.SimplePaths, Solver: c.solver.factory, Seed: c.seed, MaxGates: inductionGates}
	smaller := IC3{}.with(c).Reduce // the same as for members that share it
	return verify.Engine{Name: "kind", Safety: true, Check: func(ctx context.Context, t verify.Task) verify.Report {
		r, _, err := shared.reduce(ctx, t.Problem, smaller)
		if err != nil {
			return verify.Report{Verdict: cert.Verdict{Reason: "cancelled"}, Err: err, Stats: classicCounters(classic.Stats{})}
		}
		return checkInduction(ctx, t, o, r)
	}}
}

func checkInduction(ctx context.Context, t verify.Task, o classic.Options, r *reduce.Reduced) verify.Report {
	if r.Circuit.NumVars() > inductionGates {
		return verify.Report{Verdict: cert.Verdict{Reason: "the circuit is too large for induction over simple paths"}, Stats: classicCounters(classic.Stats{})}
	}
	t.Problem = circuit.Problem{Circuit: r.Circuit, Question: t.Problem.Question}
	found := checkClassic(ctx, t, o, nil)
	if found.Err == nil {
		found.Verdict, _, found.Err = r.Lift(ctx, found.Verdict)
	}
	return found
}
