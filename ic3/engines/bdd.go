package engines

import (
	"context"

	"aiglens/circuit/cert"
	"aiglens/ic3/reach"
	"aiglens/ic3/reduce"
	"aiglens/ic3/verify"
)

// makeReach returns the search for all reachable states as an engine, on a circuit that package
// reduce has made smaller.
func makeReach(choice) verify.Engine {
	return verify.Engine{Name: "bdd", Safety: true, Check: func(ctx context.Context, t verify.Task) verify.Report {
		r, err := reduce.Reduce(ctx, t.Problem.Circuit, t.Problem.Property(), reduce.Options{})
		if err != nil {
			return verify.Report{Verdict: cert.Verdict{Reason: "cancelled"}, Err: err, Stats: reachCounters(reach.Stats{})}
		}
		v, stats, err := reach.Check(ctx, r.Circuit, reach.Options{}, func(p reach.Progress) {
			t.Progress(verify.Progress{Depth: p.Depth, Lemmas: p.Clauses})
		})
		if err == nil {
			v, _, err = liftReduced(ctx, r, v)
		}
		return verify.Report{Verdict: v, Err: err, Stats: reachCounters(stats)}
	}}
}

func reachCounters(s reach.Stats) map[string]float64 {
	return map[string]float64{
		"images":          float64(s.Images),
		"clusters":        float64(s.Clusters),
		"nodes_reached":   float64(s.Reached),
		"nodes":           float64(s.Peak),
		"sifted":          float64(s.Sifted),
		"lemmas":          float64(s.Clauses),
		"queries":         float64(s.Queries),
		verify.StatEffort: float64(s.Effort),
	}
}
