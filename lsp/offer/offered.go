package offer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync/atomic"
	"time"

	"aiglens/aiger"
	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
	"aiglens/internal/thread"
)

// offered is a problem that the cluster is asked about, once it takes long.
type offered struct {
	problem circuit.Problem
	body    []byte // the circuit as AIGER, once it has been compared
	end     context.CancelFunc

	nodes  atomic.Int64  // at work on it
	news   chan struct{} // takes a change of nodes
	over   chan struct{} // closed when nothing will come any more
	found  chan struct{} // closed when there is a verdict
	report verify.Report // with a verdict, once found is closed
	fault  error         // a panic on the way to a verdict, once over is closed
}

// offer begins to wait until a problem is to be offered. What was offered before is so no more.
func (e *turns) offer(p circuit.Problem) {
	if e.offered != nil {
		e.offered.end()
	}
	o := &offered{problem: p, news: make(chan struct{}, 1), over: make(chan struct{}), found: make(chan struct{})}
	var ctx context.Context
	ctx, o.end = thread.WithCancel(e.ctx)
	e.offered = o
	e.current.Store(o)
	cluster, spec, limits := e.cluster, e.spec, e.limits
	go func() {
		defer close(o.over)
		defer o.end()
		if !cluster.wait(ctx) {
			return
		}
		defer func() { <-cluster.places }()
		defer func() {
			if value := recover(); value != nil {
				o.fault = fmt.Errorf("a check offered to a cluster: panic: %v\n%s", value, debug.Stack())
				o.at(0)
			}
		}()
		if o.ask(ctx, cluster, spec, limits) && ctx.Err() == nil {
			close(o.found) // before the count of nodes becomes 0, for that ends the wait
		}
		o.at(0)
	}()
}

// wait returns when a check has taken long and there is a place for it. It reports false when
// ctx has ended before.
func (c *Cluster) wait(ctx context.Context) bool {
	timer := time.NewTimer(c.patience)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
	}
	select {
	case <-ctx.Done():
		return false
	case c.places <- struct{}{}:
		return true
	}
}

// ask asks one cluster after the other, as they are set. It reports whether one has answered.
func (o *offered) ask(ctx context.Context, cluster *Cluster, spec engines.Spec, limits verify.Limits) bool {
	var asked Link // that has no answer
	for ctx.Err() == nil {
		link, changed := cluster.current()
		if link != nil && link != asked {
			if e, ok := link.Engine(spec); ok {
				if o.askOne(ctx, cluster, link, e, limits) {
					return true
				}
				asked = link
				continue
			}
		}
		select {
		case <-ctx.Done():
		case <-changed:
		}
	}
	return false
}

// askOne asks a cluster, for as long as it is the one that is set. Once that has answered, it
// counts as at work until the answer can be had.
func (o *offered) askOne(ctx context.Context, cluster *Cluster, link Link, e verify.Engine, limits verify.Limits) bool {
	ctx, stop := thread.WithCancel(ctx)
	defer stop()
	go func() {
		for {
			now, changed := cluster.current()
			if now != link {
				stop()
				return
			}
			select {
			case <-ctx.Done():
				return
			case <-changed:
			}
		}
	}()
	r := e.Check(ctx, verify.Task{Problem: o.problem, Limits: limits, Progress: func(p verify.Progress) { o.at(p.Nodes) }})
	if r.Err != nil || r.Verdict.Outcome == cert.Unknown || ctx.Err() != nil {
		o.at(0)
		return false
	}
	r.Waited = 0 // the job was under way here
	o.report = r
	return true
}

// at notes how many machines are at work.
func (o *offered) at(nodes int) {
	if o.nodes.Swap(int64(nodes)) != int64(nodes) {
		select {
		case o.news <- struct{}{}:
		default: // there are news already
		}
	}
}

// answer returns the report with a verdict, if there is one.
func (o *offered) answer() (r verify.Report, ok bool) {
	select {
	case <-o.found:
		return o.report, true
	default:
		return r, false
	}
}

// blamed adds a fault on the way to a verdict, as far as it is known, to a report.
func (o *offered) blamed(r verify.Report) verify.Report {
	select {
	case <-o.over:
		r.Fault = errors.Join(r.Fault, o.fault)
	default:
	}
	return r
}

// isAbout reports whether a problem is the one that was offered.
func (o *offered) isAbout(p circuit.Problem) bool {
	switch {
	case p.Question != o.problem.Question:
		return false
	case p.Circuit == o.problem.Circuit:
		return true
	case o.body == nil:
		o.body = bodyOf(o.problem)
	}
	return o.body != nil && bytes.Equal(o.body, bodyOf(p))
}

// bodyOf returns a circuit as binary AIGER; nil for one that has no such form.
func bodyOf(p circuit.Problem) []byte {
	body, err := aiger.FromCircuit(p.Circuit).AppendBinary(nil)
	if err != nil {
		return nil
	}
	return body
}
