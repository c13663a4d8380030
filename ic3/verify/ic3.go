package verify

import (
	"context"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3"
)

// IC3 runs package ic3 as an Engine.
type IC3 struct {
	Options ic3.Options
	stats   ic3.Stats
}

// Name implements Engine.
func (*IC3) Name() string { return "ic3" }

// Check implements Engine.
func (e *IC3) Check(ctx context.Context, problem *circuit.Circuit, progress func(Progress)) (cert.Verdict, error) {
	v, stats, err := ic3.Check(ctx, problem, e.Options, func(p ic3.Progress) {
		progress(Progress(p))
	})
	e.stats = stats
	return v, err
}

// Stats implements StatsReporter.
func (e *IC3) Stats() map[string]float64 {
	s := e.stats
	perLemma := 0.0
	if s.Learnt > 0 {
		perLemma = float64(s.LemmaLiterals) / float64(s.Learnt)
	}
	return map[string]float64{
		"frames":              float64(s.Frames),
		"lemmas":              float64(s.Lemmas),
		"learnt":              float64(s.Learnt),
		"literals_per_clause": perLemma,
		"ctis":                float64(s.CTIs),
		"ctgs":                float64(s.CTGs),
		"generalizations":     float64(s.Generalizations),
		"queries":             float64(s.Solver.Queries),
		"queries_sat":         float64(s.Solver.Sat),
		"conflicts":           float64(s.Solver.Conflicts),
		"decisions":           float64(s.Solver.Decisions),
		"propagations":        float64(s.Solver.Propagations),
		"domain_vars":         float64(s.Solver.DomainVars),
		"queries_unsat":       float64(s.Solver.Unsat),
		"rebuilds":            float64(s.Solver.Rebuilds),
	}
}
