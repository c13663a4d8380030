package offer

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync/atomic"
	"time"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/engines"
	"aiglens/ic3/verify"
)

// engine is a verify.Remote that asks another one, and the cluster. What was offered goes on
// between the turns of its job.
type engine struct {
	desk   *Desk
	here   verify.Remote
	spec   engines.Spec
	limits verify.Limits
	ctx    context.Context // of the job
	end    context.CancelFunc

	offered  *offered // nil before the first check
	answered verify.Engine
	current  atomic.Pointer[offered] // offered, for Ready
}

var (
	_ verify.Remote        = (*engine)(nil)
	_ verify.Placed        = (*engine)(nil)
	_ verify.Lasting       = (*engine)(nil)
	_ verify.StatsReporter = (*engine)(nil)
	_ verify.Faulty        = (*engine)(nil)
	_ verify.Unfinished    = (*engine)(nil)
	_ verify.Seeded        = (*seededEngine)(nil)
)

// seededEngine is an engine whose local one can begin with what is known.
type seededEngine struct {
	*engine
	local verify.Seeded
}

// Seed implements verify.Seeded.
func (e *seededEngine) Seed(s verify.Seeds) { e.local.Seed(s) }

// Name implements verify.Engine.
func (e *engine) Name() string { return e.answered.Name() }

// Answers implements verify.Engine.
func (e *engine) Answers(q circuit.Question) bool { return e.here.Answers(q) }

// Place implements verify.Placed.
func (e *engine) Place() string {
	if p, ok := e.answered.(verify.Placed); ok {
		return p.Place()
	}
	return ""
}

// Stats implements verify.StatsReporter.
func (e *engine) Stats() map[string]float64 {
	if s, ok := e.answered.(verify.StatsReporter); ok {
		return s.Stats()
	}
	return nil
}

// Fault implements verify.Faulty.
func (e *engine) Fault() error {
	var fault error
	if f, ok := e.answered.(verify.Faulty); ok {
		fault = f.Fault()
	}
	if o := e.offered; o != nil {
		select {
		case <-o.over:
			fault = errors.Join(fault, o.fault)
		default:
		}
	}
	return fault
}

// Unfinished implements verify.Unfinished: the local engine's, since clauses of a node are not
// asked for.
func (e *engine) Unfinished() cert.Invariant {
	if u, ok := e.here.(verify.Unfinished); ok {
		return u.Unfinished()
	}
	return nil
}

// Rejected implements verify.Remote.
func (e *engine) Rejected() {
	if r, ok := e.answered.(verify.Remote); ok {
		r.Rejected()
	}
}

// Ready implements verify.Lasting.
func (e *engine) Ready() bool {
	o := e.current.Load()
	if o == nil {
		return false
	}
	_, ok := o.answer()
	return ok
}

// End implements verify.Lasting.
func (e *engine) End() { e.end() }

// Check implements verify.Engine.
func (e *engine) Check(ctx context.Context, p circuit.Problem, progress func(verify.Progress)) (cert.Verdict, error) {
	return e.CheckWithin(ctx, p, verify.Limits{}, progress)
}

// CheckWithin implements verify.Remote. The first answer that is one ends the other run. Where
// there is none from here, one from elsewhere is waited for as long as somebody is at work on it.
func (e *engine) CheckWithin(ctx context.Context, p circuit.Problem, limits verify.Limits, progress func(verify.Progress)) (cert.Verdict, error) {
	e.answered = e.here
	if e.offered == nil || !e.offered.isAbout(p) {
		e.offer(p)
	}
	o := e.offered
	if v, ok := o.answer(); ok {
		e.answered = o.by
		return v, nil
	}
	local := e.startLocal(ctx, p, limits)
	defer local.stop()
	var reached verify.Progress
	report := func() {
		reached.Nodes = int(o.nodes.Load())
		progress(reached)
	}
	ended, over := local.ended, o.over
	var again <-chan time.Time // for whoever takes reports that follow each other for one
	for {
		select {
		case <-o.found:
			local.wait()
			e.answered = o.by
			return o.verdict, nil
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
			if v, ok := o.answer(); ok {
				e.answered = o.by
				return v, nil
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
	verdict cert.Verdict
	err     error
	panic   any
}

func (e *engine) startLocal(ctx context.Context, p circuit.Problem, limits verify.Limits) *run {
	within, stop := context.WithCancel(ctx)
	r := &run{stop: stop, progress: make(chan verify.Progress, 1), ended: make(chan struct{})}
	report := func(p verify.Progress) {
		select {
		case <-r.progress: // nobody has read it
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
		r.verdict, r.err = e.here.CheckWithin(within, p, limits, report)
	}()
	return r
}

// wait stops the run, and returns when it has ended.
func (r *run) wait() {
	r.stop()
	<-r.ended
}

func (r *run) hasAnswer() bool {
	return r.panic != nil || r.err == nil && r.verdict.Outcome != cert.Unknown
}

// result returns what came of the run, which has ended. A panic goes on here, where the caller
// knows what to do with it.
func (r *run) result() (cert.Verdict, error) {
	if r.panic != nil {
		panic(r.panic)
	}
	return r.verdict, r.err
}
