package offer

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync/atomic"
	"time"

	"aiglens/circuit/cert"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
	"aiglens/internal/thread"
)

// turns are those of a job whose problem is offered to a cluster. What was offered goes on
// between them.
type turns struct {
	cluster *Cluster
	here    verify.Engine
	spec    engines.Spec
	limits  verify.Limits
	ctx     context.Context // of the job
	end     context.CancelFunc

	offered *offered                // nil before the first turn
	current atomic.Pointer[offered] // offered, for isReady
}

func newTurns(ctx context.Context, cluster *Cluster, job verify.Job, spec engines.Spec) *turns {
	e := &turns{cluster: cluster, here: job.Engine, spec: spec, limits: job.Limits}
	e.ctx, e.end = thread.WithCancel(ctx)
	return e
}

// isReady reports whether the next turn has nothing left to do.
func (e *turns) isReady() bool {
	o := e.current.Load()
	if o == nil {
		return false
	}
	_, ok := o.answer()
	return ok
}

// check is one turn. The first verdict, from here or from elsewhere, ends the other run. When the
// run here ends without one, the turn goes on as long as some machine is at work on the problem.
func (e *turns) check(ctx context.Context, t verify.Task) verify.Report {
	if e.offered == nil || !e.offered.isAbout(t.Problem) {
		e.offer(t.Problem)
	}
	o := e.offered
	return o.blamed(e.race(ctx, t, o))
}

// race returns the first answer, from here or from elsewhere.
func (e *turns) race(ctx context.Context, t verify.Task, o *offered) verify.Report {
	if r, ok := o.answer(); ok {
		return r
	}
	local := e.startLocal(ctx, t)
	defer local.stop()
	var reached verify.Progress
	report := func() {
		reached.Nodes = int(o.nodes.Load())
		t.Progress(reached)
	}
	ended, over := local.ended, o.over
	var again <-chan time.Time // for a caller that merges reports that follow each other
	for {
		select {
		case <-o.found:
			local.wait()
			return o.report
		case <-o.news:
			report()
			again = time.After(time.Second)
		case <-again:
			report()
		case reached = <-local.progress:
			report()
		case <-ended:
			if local.hasAnswer() || ctx.Err() != nil {
				return local.result()
			}
			ended = nil
		case <-over:
			over = nil
		case <-ctx.Done():
			local.wait()
			return local.result()
		}
		if ended == nil && o.nodes.Load() == 0 {
			if r, ok := o.answer(); ok {
				return r
			}
			return local.result()
		}
	}
}

// run is one of the local engine, on a goroutine of its own.
type run struct {
	stop     context.CancelFunc
	progress chan verify.Progress // the last one
	ended    chan struct{}        // closed at the end
	// What came of it, once it has ended.
	report verify.Report
	panic  any
}

func (e *turns) startLocal(ctx context.Context, t verify.Task) *run {
	within, stop := thread.WithCancel(ctx)
	r := &run{stop: stop, progress: make(chan verify.Progress, 1), ended: make(chan struct{})}
	t.Progress = func(p verify.Progress) {
		select {
		case <-r.progress: // not read yet
		default:
		}
		r.progress <- p // from this goroutine alone
	}
	go func() {
		defer close(r.ended)
		defer func() {
			if value := recover(); value != nil {
				r.panic = fmt.Sprintf("%v\n%s", value, debug.Stack())
			}
		}()
		r.report = e.here.Check(within, t)
	}()
	return r
}

// wait stops the run, and returns when it has ended.
func (r *run) wait() {
	r.stop()
	<-r.ended
}

func (r *run) hasAnswer() bool {
	return r.panic != nil || r.report.Err == nil && r.report.Verdict.Outcome != cert.Unknown
}

// result returns what came of the run, which has ended. A panic goes on here, where the caller
// knows what to do with it.
func (r *run) result() verify.Report {
	if r.panic != nil {
		panic(r.panic)
	}
	return r.report
}
