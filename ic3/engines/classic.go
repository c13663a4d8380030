package engines

import (
	"context"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/classic"
	"aiglens/ic3/verify"
)

// Classic runs a published variant of IC3 as a verify.Engine, on the cone as it is: a
// comparison of variants is one of the algorithms, not of what reduction leaves
// them to do.
type Classic struct {
	Options classic.Options
	// Trace is called for every rule that is applied, with the cone that the
	// literals of its cube belong to; it may be nil.
	Trace func(problem *circuit.Circuit, e classic.Event)

	stats classic.Stats
}

// variants holds the published variants of IC3 as rows of their own.
var variants = func() []Engine {
	var rows []Engine
	for _, v := range classic.Variants() {
		rows = append(rows, Engine{Name: string(v), Solvers: allSolvers, make: func(c choice) verify.Engine {
			return &Classic{Options: classic.Options{Variant: v, Solver: c.solver.factory, Seed: c.seed}}
		}})
	}
	return rows
}()

// Variants returns the names that Spec.Variant takes.
func Variants() []string { return namesOf(variants) }

// Answers implements verify.Engine.
func (e *Classic) Answers(q circuit.Question) bool { return q == circuit.Safety }

// Name implements verify.Engine.
func (e *Classic) Name() string { return "ic3 " + string(e.Options.Variant) }

// Check implements verify.Engine.
func (e *Classic) Check(ctx context.Context, problem circuit.Problem, progress func(verify.Progress)) (v cert.Verdict, err error) {
	var trace func(classic.Event)
	if e.Trace != nil {
		trace = func(event classic.Event) { e.Trace(problem.Circuit, event) }
	}
	v, e.stats, err = classic.Check(ctx, problem.Circuit, e.Options, func(p classic.Progress) {
		progress(verify.Progress{Depth: p.Depth, Lemmas: p.Lemmas, Obligations: p.Obligations})
	}, trace)
	return v, err
}

// Stats implements verify.StatsReporter.
func (e *Classic) Stats() map[string]float64 {
	s := e.stats
	return map[string]float64{
		"frames":              float64(s.Frames),
		"lemmas":              float64(s.Lemmas),
		"learnt":              float64(s.Learnt),
		"literals_per_clause": s.LiteralsPerClause(),
		"ctis":                float64(s.CTIs),
		"ctgs":                float64(s.CTGs),
		"candidates":          float64(s.Candidates),
		"bound":               float64(s.Bound),
		"useless":             float64(s.Useless),
		"queries":             float64(s.Solver.Queries),
		"queries_sat":         float64(s.Solver.Sat),
		"queries_unsat":       float64(s.Solver.Unsat),
		"conflicts":           float64(s.Solver.Conflicts),
		"decisions":           float64(s.Solver.Decisions),
		"propagations":        float64(s.Solver.Propagations),
		"domain_vars":         float64(s.Solver.DomainVars),
		"rebuilds":            float64(s.Solver.Rebuilds),
	}
}
