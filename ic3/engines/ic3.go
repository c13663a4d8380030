package engines

import (
	"cmp"
	"context"
	"errors"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3"
	"aiglens/ic3/bmc"
	"aiglens/ic3/reduce"
	"aiglens/ic3/verify"
	"aiglens/internal/thread"
)

// IC3 is how package ic3 runs as an engine, on a circuit that package reduce has made
// smaller.
type IC3 struct {
	Options  ic3.Options
	NoReduce bool           // check the circuit as it is
	Reduce   reduce.Options // what of it to leave out
	// NoSignals leaves out merging gates and latches that are equal in all reachable
	// states, which a run that takes long starts again with.
	NoSignals bool
	// Search lets a bounded search for counterexamples take turns with IC3, and States one for all
	// reachable states of circuits with few latches.
	Search, States bool
	// Justice answers questions of liveness; nil for an engine that does not.
	Justice *Live

	// In the place of the constants, when not 0.
	mergeAfter, mergeShare, reachAfter int64

	shared     *reduction // with others that judge the same problem; nil for an engine by itself
	noExchange bool       // it neither publishes nor receives lemmas
}

// Auto is how the engine runs that suits most circuits.
func Auto() IC3 { return IC3{Search: true, States: true, Justice: &Live{name: "auto"}} }

// NewAuto returns the engine that suits most circuits.
func NewAuto() verify.Engine { return Auto().Engine() }

// makeAuto returns that engine, which others join late when there are several jobs.
func makeAuto(c choice) verify.Engine {
	alone := Auto().with(c).Engine()
	if c.jobs < 2 {
		return alone
	}
	return joined(c, alone, joinAfter)
}

func makeIC3(c choice) verify.Engine { return IC3{}.with(c).Engine() }

// with applies a choice. Without a solver it is the core, whose tactics count.
func (e IC3) with(c choice) IC3 {
	p := &parts{engine: &e}
	e.Options.Seed, e.Options.Solver = c.seed, c.solver.factory
	for _, t := range c.tactics {
		_ = t.apply(p) // which has worked when it was read
	}
	if c.solver.Name == solverCore {
		e.Options.Solver = p.core.New
	}
	if e.Justice != nil {
		l := *e.Justice
		l.Options.IC3, l.Options.NoReduce, l.Options.Reduce = e.Options, e.NoReduce, e.Reduce
		e.Justice = &l
	}
	return e
}

// Engine returns the engine that runs so.
func (e IC3) Engine() verify.Engine {
	return verify.Engine{Name: "ic3", Safety: true, Liveness: e.Justice != nil, TakesSeeds: true, Check: e.check}
}

func (e IC3) check(ctx context.Context, t verify.Task) verify.Report {
	if t.Problem.Question == circuit.Liveness {
		return e.Justice.check(ctx, t)
	}
	r := &ic3Run{IC3: e, seeds: t.Seeds, progress: t.Progress}
	if t.Exchange != nil && !e.noExchange {
		r.exchange = t.Exchange()
	}
	v, err := r.check(ctx, t.Problem)
	return verify.Report{Verdict: v, Err: err, Engine: r.name(), Stats: r.counters(), Unfinished: r.unfinished}
}

// ic3Run is one check by IC3.
type ic3Run struct {
	IC3
	seeds    verify.Seeds
	exchange ic3.Exchange // of clauses over the circuit as asked; nil for none
	progress func(verify.Progress)

	merged     *reduce.Reduced // with signals merged, when that has made the circuit smaller
	stats      ic3.Stats       // of the run that had the answer
	effort     int64           // of all but bounded search; of the run with earlier clauses only when it had the answer
	reduced    reduce.Stats
	foundBy    string // the part beside IC3 that had the answer; empty for none
	again      bool   // the answer rests on seeds
	unfinished cert.Invariant
}

// name is that of the part which had the answer.
func (e *ic3Run) name() string {
	return cmp.Or(e.foundBy, "ic3")
}

func (e *ic3Run) check(ctx context.Context, p circuit.Problem) (cert.Verdict, error) {
	problem := p.Circuit
	a := newAgain(ctx, problem, e.Options, e.seeds)
	defer a.close()
	if a.advance(0) {
		return e.answerOf(a), nil
	}
	if e.NoReduce {
		a.reduce(ctx, problem, nil)
		return e.takeTurns(ctx, problem, nil, e.seeds.Lemmas, e.exchange, a)
	}
	r, m, err := e.reduce(ctx, p)
	if err != nil {
		return cert.Verdict{}, err
	}
	a.reduce(ctx, r.Circuit, r)
	exchange := e.exchange
	if exchange != nil {
		exchange = translate(exchange, r)
	}
	if e.NoSignals {
		m = nil
	}
	v, err := e.decide(ctx, r, m, exchange, a)
	if err == nil || ctx.Err() != nil || e.merged == nil {
		return v, err
	}
	// Without exchange: what this run learns rests on facts about gates.
	v, err = e.decide(ctx, e.merged, nil, nil, a)
	if errors.Is(err, reduce.ErrTooLarge) {
		v, err = e.decide(ctx, r, nil, exchange, a)
	}
	return v, err
}

// decide is takeTurns on a reduced circuit, and translates what comes of it to the circuit as
// asked.
func (e *ic3Run) decide(ctx context.Context, r *reduce.Reduced, m *merging, exchange ic3.Exchange, a *again) (cert.Verdict, error) {
	e.reduced = r.Stats
	v, err := e.takeTurns(ctx, r.Circuit, m, r.Lower(e.seeds.Lemmas), exchange, a)
	if err != nil {
		lifted, inTranslation := r.LiftUnfinished(e.unfinished)
		if inTranslation != nil {
			panic(inTranslation) // the clauses are not of a run on the reduced circuit
		}
		e.unfinished = lifted
		return v, err
	}
	if m != nil { // there was an answer before the run saw that it should end
		e.merged = nil
	}
	if e.again {
		return v, nil
	}
	lifted, effort, err := r.Lift(ctx, v)
	e.effort += effort
	return lifted, err
}

// reduce makes a circuit smaller, unless another engine has done so, and returns what
// merges signals of that, too.
func (e *ic3Run) reduce(ctx context.Context, p circuit.Problem) (*reduce.Reduced, *merging, error) {
	r, m, err := e.shared.reduce(ctx, p, e.Reduce)
	if e.shared == nil {
		m.after, m.share = cmp.Or(e.mergeAfter, m.after), cmp.Or(e.mergeShare, m.share)
	}
	return r, m, err
}

// answerOf returns the verdict of the run with earlier clauses.
func (e *ic3Run) answerOf(a *again) cert.Verdict {
	e.again = true
	e.effort += a.spent
	e.stats = a.stats
	return a.verdict
}

const (
	// searchAfter is the effort of IC3 before the search begins: what most circuits
	// need.
	searchAfter = 1_000_000
	// searchShare is the part of IC3's effort that the search may spend.
	searchShare = 8
)

// takeTurns runs IC3. Beside it run, each for a share of its effort: the run with earlier
// clauses, the search for all reachable states, what merges signals of the circuit, and a bounded
// search. The first answer counts. All count their effort, so that a run depends on no clock.
// When merging has made the circuit smaller, the run ends with an error, and e.merged is set.
func (e *ic3Run) takeTurns(ctx context.Context, c *circuit.Circuit, m *merging, lemmas cert.Invariant, exchange ic3.Exchange, a *again) (v cert.Verdict, err error) {
	within, stop := thread.WithCancel(ctx)
	defer stop()
	var search *bmc.Search
	if e.Search {
		search = bmc.NewSearch(c)
	}
	var states *reaching
	if e.States {
		states = newReaching(within, c, e.reachStart(c))
		defer states.close()
	}
	var found *cert.Trace
	bound := 0
	options := e.Options
	options.Exchange, options.Lemmas = exchange, lemmas
	e.foundBy, e.unfinished = "", nil
	options.Unfinished = func(clauses cert.Invariant) { e.unfinished = clauses }
	defer func() {
		if err == nil { // IC3 was stopped, or left nothing
			e.unfinished = nil
		}
	}()
	v, e.stats, err = ic3.Check(within, c, options, func(p ic3.Progress) {
		e.progress(verify.Progress{Depth: p.Depth, Lemmas: p.Lemmas, Obligations: p.Obligations, Bound: bound})
		if found != nil {
			return
		}
		if a.advance(p.Effort) || states.advance(p.Effort) {
			stop()
			return
		}
		if m != nil {
			var spent int64
			e.merged, spent = m.advance(within, p.Effort)
			if e.effort += spent; e.merged != nil {
				stop()
				return
			}
		}
		if search == nil || p.Effort < searchAfter {
			return
		}
		// An error is that of the context, which ends IC3 as well.
		if found, _ = search.Advance(within, p.Effort/searchShare); found != nil {
			stop()
		}
		bound = search.Depth()
	})
	e.effort += e.stats.Effort + states.effort()
	switch {
	case ctx.Err() != nil && err != nil:
	case a != nil && a.found:
		return e.answerOf(a), nil
	case states.found():
		e.foundBy = "bdd"
		return states.verdict, nil
	case found != nil:
		e.foundBy = "bmc"
		return cert.Verdict{Outcome: cert.Refuted, Depth: found.Steps() - 1, Trace: *found}, nil
	}
	if err != nil && search != nil {
		v.Depth = max(v.Depth, search.Depth())
	}
	return v, err
}

func (e *ic3Run) counters() map[string]float64 {
	s := e.stats
	perLemma := 0.0
	if s.Learnt > 0 {
		perLemma = float64(s.LemmaLiterals) / float64(s.Learnt)
	}
	return map[string]float64{
		"latches":             float64(e.reduced.After.Latches),
		"latches_merged":      float64(e.reduced.Merged),
		"gates":               float64(e.reduced.After.Gates),
		"constraints_hidden":  float64(e.reduced.Hidden),
		"gates_swept":         float64(e.reduced.Swept),
		"frames":              float64(s.Frames),
		"lemmas":              float64(s.Lemmas),
		"learnt":              float64(s.Learnt),
		"literals_per_clause": perLemma,
		"ctis":                float64(s.CTIs),
		"ctgs":                float64(s.CTGs),
		"generalizations":     float64(s.Generalizations),
		"predicted":           float64(s.Predicted),
		"models_found":        float64(s.ModelsFound),
		"infinite":            float64(s.Infinite),
		"constraints_left":    float64(s.Postponed),
		"constraints_needed":  float64(s.Constrained),
		"published":           float64(s.Published),
		"received":            float64(s.Received),
		"taken":               float64(s.Taken),
		"reached":             float64(s.ReachedSkips),
		"seed_rounds":         float64(s.SeedRounds),
		verify.StatEffort:     float64(e.effort),
		verify.StatReused:     float64(s.Seeds),
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
