// Package reach decides properties of safety by the set of all reachable states, as a
// binary decision diagram: Burch, Clarke, McMillan, Dill and Hwang, "Symbolic Model
// Checking: 10^20 States and Beyond" (LICS 1990). It suits circuits of few latches, up to
// some hundred, above all those with long runs.
//
// Images are computed with a transition relation in clusters (model.go). A proof becomes
// clauses (clauses.go), and a refutation a run (trace.go).
//
// It knows no clock, no file and no name, and its callers have its claims checked. It takes
// no reset functions; see circuit.ConstantResets.
package reach

import (
	"context"
	"errors"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/bdd"
)

// Options bound a run. The zero value is usable.
type Options struct {
	MaxNodes   int // of the diagrams; 0 is 4 million
	MaxClauses int // of the proof; 0 is 50,000
}

const (
	defaultNodes   = 4_000_000
	defaultClauses = 50_000
)

// Progress is how far a run has come.
type Progress struct {
	Depth   int // images: no run of so many steps reaches a bad state
	Clauses int // of the proof
	Nodes   int
	Effort  int64 // spent so far, about as many as propagations of IC3
}

// Stats counts what a run did.
type Stats struct {
	Images, Clusters int
	Reached          int // nodes of the reached states
	Peak             int // nodes at once
	Sifted           int // times that variables were reordered
	Clauses          int
	Queries          int64
	Effort           int64
}

// Check decides whether bad 0 of c can become 1 under its constraints. It calls progress
// now and then, often enough to stop the run. An error is that of ctx; the verdict then
// says the depth reached. It is unknown, too, when a bound is met.
func Check(ctx context.Context, c *circuit.Circuit, o Options, progress func(Progress)) (cert.Verdict, Stats, error) {
	if o.MaxNodes == 0 {
		o.MaxNodes = defaultNodes
	}
	if o.MaxClauses == 0 {
		o.MaxClauses = defaultClauses
	}
	r := &run{ctx: ctx, c: c, options: o, progress: progress}
	r.model = newModel(c, o.MaxNodes, r.poll)
	v, err := r.check()
	r.stats.Effort = r.effort()
	switch {
	case errors.Is(err, bdd.ErrNodes), errors.Is(err, errClauses):
		return cert.Verdict{Depth: r.clean, Reason: err.Error()}, r.stats, nil
	case err != nil:
		return cert.Verdict{Depth: r.clean, Reason: "cancelled"}, r.stats, err
	}
	return v, r.stats, nil
}

// run is one check.
type run struct {
	ctx      context.Context
	c        *circuit.Circuit
	options  Options
	progress func(Progress)
	model    *model
	rings    []bdd.Ref // by number of steps: states that are reached in so many and no fewer
	clean    int       // rings of which no state is bad, the first ones
	reached  bdd.Ref
	stats    Stats
	queries  int64 // effort of the solver
}

// stepsPerEffort is the number of steps of a diagram that cost as much as a propagation of IC3.
const stepsPerEffort = 4

func (r *run) effort() int64 {
	return r.model.Steps()/stepsPerEffort + r.queries
}

// poll reports progress, and returns the error of the context.
func (r *run) poll() error {
	r.stats.Peak = max(r.stats.Peak, r.model.Nodes())
	r.progress(Progress{Depth: r.clean, Clauses: r.stats.Clauses, Nodes: r.model.Nodes(), Effort: r.effort()})
	return r.ctx.Err()
}

func (r *run) check() (v cert.Verdict, err error) {
	err = r.model.Try(func() {
		r.model.build()
		r.stats.Clusters = len(r.model.step)
		v.Outcome = r.explore()
		v.Depth = r.clean
		r.stats.Reached = r.model.Size(r.reached)
	})
	if err != nil {
		return v, err
	}
	if v.Outcome == cert.Refuted {
		v.Trace, err = r.trace()
		return v, err
	}
	v.Invariant, err = r.clauses()
	return v, err
}

// explore computes the reached states ring by ring, until one is bad or there are no more.
func (r *run) explore() cert.Outcome {
	m := r.model
	r.reached = m.initial
	for ring := m.initial; ring != bdd.False; {
		r.rings = append(r.rings, ring)
		if m.product(ring, m.violation) != bdd.False {
			return cert.Refuted
		}
		r.clean++
		r.tidy()
		r.stats.Images++
		next := m.Rename(m.product(ring, m.step), m.now)
		ring = m.And(next, r.reached.Not())
		r.reached = m.Or(r.reached, ring)
		m.Poll()
	}
	return cert.Proved
}

// tidy frees nodes, or reorders the variables, when there are many.
func (r *run) tidy() {
	r.stats.Sifted += r.model.tidy(append(r.rings, r.reached)...)
}
