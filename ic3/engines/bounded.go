package engines

import (
	"context"

	"aiglens/circuit/cert"
	"aiglens/ic3/bmc"
	"aiglens/ic3/verify"
)

func makeBounded(choice) verify.Engine { return bounded(1) }

// bounded returns the bounded search of package bmc as an engine, on the cone as it is. It asks
// about so many steps at once.
func bounded(stride int) verify.Engine {
	return verify.Engine{Name: "bmc", Safety: true, Check: func(ctx context.Context, t verify.Task) verify.Report {
		s := bmc.NewStridingSearch(t.Problem.Circuit, stride)
		if t.Steps > 0 {
			s.EndAt(t.Steps)
		}
		return search(ctx, s, t.Progress)
	}}
}

// boundedStep is the effort between two reports.
const boundedStep = 100_000

// search goes on until it finds a counterexample or the unrolling becomes too large.
func search(ctx context.Context, s *bmc.Search, progress func(verify.Progress)) (r verify.Report) {
	for effort := int64(boundedStep); !s.Exhausted(); effort += boundedStep {
		found, err := s.Advance(ctx, effort)
		r.Stats = map[string]float64{verify.StatEffort: float64(s.Effort())}
		switch {
		case err != nil:
			r.Verdict, r.Err = cert.Verdict{Depth: s.Depth(), Reason: "cancelled"}, err
			return r
		case found != nil:
			r.Verdict = cert.Verdict{Outcome: cert.Refuted, Depth: s.Depth(), Trace: *found}
			return r
		}
		progress(verify.Progress{Depth: s.Depth(), Bound: s.Depth()})
	}
	r.Verdict = cert.Verdict{Depth: s.Depth(), Reason: "the search becomes too large"}
	return r
}
