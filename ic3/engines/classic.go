package engines

import (
	"context"

	"aiglens/circuit"
	"aiglens/ic3/classic"
	"aiglens/ic3/verify"
)

// Trace is called for every rule that a published variant applies, with the cone that the
// literals of its cube belong to.
type Trace func(problem *circuit.Circuit, e classic.Event)

// variants holds the published variants of IC3 as rows of their own. They run on the cone as
// it is: a comparison of variants is one of the algorithms, not of what reduction leaves
// them to do.
var variants = func() []Engine {
	var rows []Engine
	for _, v := range classic.Variants() {
		rows = append(rows, Engine{Name: string(v), Solvers: allSolvers, make: func(c choice) verify.Engine {
			o := classic.Options{Variant: v, Solver: c.solver.factory, Seed: c.seed}
			return verify.Engine{Name: "ic3 " + string(v), Safety: true, Check: func(ctx context.Context, t verify.Task) verify.Report {
				return checkClassic(ctx, t, o, c.trace)
			}}
		}})
	}
	return rows
}()

// Variants returns the names that Spec.Variant takes.
func Variants() []string { return namesOf(variants) }

// checkClassic runs a published variant on a task. The trace may be nil.
func checkClassic(ctx context.Context, t verify.Task, o classic.Options, trace Trace) verify.Report {
	var say func(classic.Event)
	if trace != nil {
		say = func(event classic.Event) { trace(t.Problem.Circuit, event) }
	}
	v, stats, err := classic.Check(ctx, t.Problem.Circuit, o, func(p classic.Progress) {
		t.Progress(verify.Progress{Depth: p.Depth, Lemmas: p.Lemmas, Obligations: p.Obligations})
	}, say)
	return verify.Report{Verdict: v, Err: err, Stats: classicCounters(stats)}
}

func classicCounters(s classic.Stats) map[string]float64 {
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
