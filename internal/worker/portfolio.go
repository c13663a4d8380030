package worker

import (
	"context"
	"time"

	"aiglens/ic3/engines"
	"aiglens/ic3/portfolio"
	"aiglens/ic3/verify"
)

// Portfolio returns the engine that spec names, a portfolio, with each of its
// engines in a worker of its own. They exchange lemmas, and the first checked answer ends
// the others. A worker that dies is one engine less.
func (p *Pool) Portfolio(spec engines.Spec) verify.Engine {
	if spec.Jobs = spec.Processors(); spec.Jobs == 1 {
		return p.Engine(spec)
	}
	members, alone := p.members(spec), p.Engine(spec.Alone())
	e := asker{pool: p, spec: spec}.engine(func(ctx context.Context, t verify.Task) verify.Report {
		t.Limits.CPU /= time.Duration(spec.Jobs) // each has an equal part
		t.Limits.Memory /= int64(spec.Jobs)
		return portfolio.Check(ctx, t, members)
	})
	e.Alone = &alone
	return e
}

// memberGrace is how long a worker may go on after another one has answered.
const memberGrace = 50 * time.Millisecond

// members returns the engines of a portfolio. When the worker of one dies no other worker is
// asked.
func (p *Pool) members(spec engines.Spec) []verify.Engine {
	all := make([]verify.Engine, spec.Jobs)
	for i := range all {
		spec.Member = i + 1
		one := asker{p, spec, memberGrace}
		all[i] = one.engine(one.checkOnce)
	}
	return all
}
