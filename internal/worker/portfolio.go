package worker

import (
	"context"
	"time"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/engines"
	"aiglens/ic3/portfolio"
	"aiglens/ic3/verify"
)

// Portfolio returns an engine for one job: what spec says, a portfolio, with each of its
// engines in a worker of its own. They exchange lemmas, and the first checked answer ends
// the others. A worker that dies is one engine less.
func (p *Pool) Portfolio(spec engines.Spec) verify.Engine {
	if spec.Jobs = spec.Processors(); spec.Jobs == 1 {
		return p.Engine(spec)
	}
	e := &several{pool: p, spec: spec}
	e.of = portfolio.New(spec.Answers, e.members)
	return e
}

// several is a verify.Remote of several processes.
type several struct {
	pool   *Pool
	spec   engines.Spec
	limits verify.Limits // of the Check under way, for all together
	of     *portfolio.Portfolio
}

// Name implements verify.Engine.
func (e *several) Name() string { return e.of.Name() }

// Answers implements verify.Engine.
func (e *several) Answers(q circuit.Question) bool { return e.of.Answers(q) }

// Seed implements verify.Seeded.
func (e *several) Seed(s verify.Seeds) { e.of.Seed(s) }

// Stats implements verify.StatsReporter.
func (e *several) Stats() map[string]float64 { return e.of.Stats() }

// Fault implements verify.Faulty.
func (e *several) Fault() error { return e.of.Fault() }

// Rejected implements verify.Remote.
func (e *several) Rejected() { e.of.Rejected() }

// Check implements verify.Engine.
func (e *several) Check(ctx context.Context, p circuit.Problem, progress func(verify.Progress)) (cert.Verdict, error) {
	return e.CheckWithin(ctx, p, verify.Limits{}, progress)
}

// CheckWithin implements verify.Remote. Each process has an equal part of the processor
// time and of the memory.
func (e *several) CheckWithin(ctx context.Context, p circuit.Problem, limits verify.Limits, progress func(verify.Progress)) (cert.Verdict, error) {
	e.limits = limits
	return e.of.Check(ctx, p, progress)
}

// members returns the engines for one problem.
func (e *several) members(circuit.Problem) []verify.Engine {
	part := e.limits
	part.CPU /= time.Duration(e.spec.Jobs)
	part.Memory /= int64(e.spec.Jobs)
	var hub portfolio.Hub
	all := make([]verify.Engine, e.spec.Jobs)
	for i := range all {
		spec := e.spec
		spec.Member = i + 1
		all[i] = &member{&engine{pool: e.pool, spec: spec, join: hub.Join, grace: memberGrace}, part}
	}
	return all
}

// memberGrace is how long a worker may go on after another one has answered.
const memberGrace = 50 * time.Millisecond

// member is one engine of several.
type member struct {
	*engine
	limits verify.Limits
}

// Check implements verify.Engine. When the worker dies no other one is asked.
func (m *member) Check(ctx context.Context, p circuit.Problem, progress func(verify.Progress)) (cert.Verdict, error) {
	return m.checkOnce(ctx, p, m.limits, progress)
}
