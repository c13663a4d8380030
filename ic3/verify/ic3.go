package verify

import (
	"context"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3"
	"aiglens/ic3/bmc"
	"aiglens/ic3/reduce"
)

// IC3 runs package ic3 as an Engine, on a circuit that package reduce has made
// smaller.
type IC3 struct {
	Options  ic3.Options
	NoReduce bool           // check the circuit as it is
	Reduce   reduce.Options // what of it to leave out
	// Search lets a bounded search for counterexamples take turns with IC3.
	Search bool

	lemmas        cert.Invariant // of Seed, for the next Check
	stats         ic3.Stats
	reduced       reduce.Stats
	foundBySearch bool
}

// NewAuto returns the engine that suits most circuits.
func NewAuto() *IC3 { return &IC3{Search: true} }

// Name implements Engine: the engine whose answer the last Check returned.
func (e *IC3) Name() string {
	if e.foundBySearch {
		return "bmc"
	}
	return "ic3"
}

// Seed implements Seeded.
func (e *IC3) Seed(lemmas cert.Invariant) { e.lemmas = lemmas }

// Check implements Engine.
func (e *IC3) Check(ctx context.Context, problem *circuit.Circuit, progress func(Progress)) (cert.Verdict, error) {
	check := func(c *circuit.Circuit) (cert.Verdict, error) {
		if e.Search {
			return e.takeTurns(ctx, c, progress)
		}
		return e.prove(ctx, c, progress, func(ic3.Progress) {})
	}
	if e.NoReduce {
		return check(problem)
	}
	r, err := reduce.Reduce(ctx, problem, circuit.Property{Kind: circuit.PropertyBad}, e.Reduce)
	if err != nil {
		return cert.Verdict{}, err
	}
	e.reduced = r.Stats
	e.lemmas = r.Lower(e.lemmas)
	v, err := check(r.Circuit)
	if err != nil || isEmpty(v.Invariant) {
		return v, err
	}
	return r.Lift(v)
}

// prove runs IC3. after is called with everything it reports.
func (e *IC3) prove(ctx context.Context, c *circuit.Circuit, progress func(Progress), after func(ic3.Progress)) (v cert.Verdict, err error) {
	options := e.Options
	options.Lemmas = e.lemmas
	v, e.stats, err = ic3.Check(ctx, c, options, func(p ic3.Progress) {
		progress(Progress{Depth: p.Depth, Lemmas: p.Lemmas, Obligations: p.Obligations})
		after(p)
	})
	return v, err
}

const (
	// searchAfter is the effort of IC3 before the search begins: what most circuits
	// need.
	searchAfter = 1_000_000
	// searchShare is the part of IC3's effort that the search may spend.
	searchShare = 8
)

// takeTurns runs IC3 and, for a share of its effort, a bounded search, until
// either has an answer. Both count their effort, so that a run depends on no
// clock.
func (e *IC3) takeTurns(ctx context.Context, c *circuit.Circuit, progress func(Progress)) (cert.Verdict, error) {
	within, stop := context.WithCancel(ctx)
	defer stop()
	search := bmc.NewSearch(c)
	var found *cert.Trace
	v, err := e.prove(within, c, progress, func(p ic3.Progress) {
		if p.Effort < searchAfter || found != nil {
			return
		}
		// An error is that of the context, which ends IC3 as well.
		if found, _ = search.Advance(within, p.Effort/searchShare); found != nil {
			stop()
		}
	})
	switch {
	case found != nil && ctx.Err() == nil:
		e.foundBySearch = true
		return cert.Verdict{Outcome: cert.Refuted, Depth: found.Steps() - 1, Trace: *found}, nil
	case err != nil:
		v.Depth = max(v.Depth, search.Depth())
	}
	return v, err
}

// isEmpty reports whether an invariant holds no state at all, which needs no
// other reasons.
func isEmpty(inv cert.Invariant) bool { return len(inv) == 1 && len(inv[0]) == 0 }

// Stats implements StatsReporter.
func (e *IC3) Stats() map[string]float64 {
	s := e.stats
	perLemma := 0.0
	if s.Learnt > 0 {
		perLemma = float64(s.LemmaLiterals) / float64(s.Learnt)
	}
	return map[string]float64{
		"latches":             float64(e.reduced.After.Latches),
		"latches_merged":      float64(e.reduced.Merged),
		"gates":               float64(e.reduced.After.Gates),
		"gates_swept":         float64(e.reduced.Swept),
		"frames":              float64(s.Frames),
		"lemmas":              float64(s.Lemmas),
		"learnt":              float64(s.Learnt),
		"literals_per_clause": perLemma,
		"ctis":                float64(s.CTIs),
		"ctgs":                float64(s.CTGs),
		"generalizations":     float64(s.Generalizations),
		"predicted":           float64(s.Predicted),
		"pushes_spared":       float64(s.PushesSpared),
		"infinite":            float64(s.Infinite),
		"reached":             float64(s.ReachedSkips),
		"seed_rounds":         float64(s.SeedRounds),
		"seed_effort":         float64(s.SeedEffort),
		"effort":              float64(s.Effort),
		reusedLemmas:          float64(s.Seeds),
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
