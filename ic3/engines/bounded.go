package engines

import (
	"context"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/bmc"
	"aiglens/ic3/verify"
)

// Bounded runs the bounded search of package bmc as a verify.Engine, on the cone as it is.
type Bounded struct {
	stride int
	stats  map[string]float64
}

func makeBounded(choice) verify.Engine { return &Bounded{stride: 1} }

// Answers implements verify.Engine.
func (e *Bounded) Answers(q circuit.Question) bool { return q == circuit.Safety }

// Name implements verify.Engine.
func (e *Bounded) Name() string { return "bmc" }

// boundedStep is the effort between two reports.
const boundedStep = 100_000

// Check implements verify.Engine. The search goes on until it finds a counterexample or
// the unrolling becomes too large.
func (e *Bounded) Check(ctx context.Context, p circuit.Problem, progress func(verify.Progress)) (cert.Verdict, error) {
	s := bmc.NewStridingSearch(p.Circuit, e.stride)
	for effort := int64(boundedStep); !s.Exhausted(); effort += boundedStep {
		found, err := s.Advance(ctx, effort)
		e.stats = map[string]float64{verify.StatEffort: float64(s.Effort())}
		switch {
		case err != nil:
			return cert.Verdict{Depth: s.Depth(), Reason: "cancelled"}, err
		case found != nil:
			return cert.Verdict{Outcome: cert.Refuted, Depth: s.Depth(), Trace: *found}, nil
		}
		progress(verify.Progress{Depth: s.Depth(), Bound: s.Depth()})
	}
	return cert.Verdict{Depth: s.Depth(), Reason: "the search becomes too large"}, nil
}

// Stats implements verify.StatsReporter.
func (e *Bounded) Stats() map[string]float64 { return e.stats }
