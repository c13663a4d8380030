package worker

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"aiglens/aiger"
	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3"
	"aiglens/ic3/engines"
	"aiglens/ic3/portfolio"
	"aiglens/ic3/verify"
)

// engine is a verify.Remote that asks a worker of a pool.
type engine struct {
	pool  *Pool
	spec  engines.Spec
	name  string             // of the engine that answered
	stats map[string]float64 // of its run
	fault error              // see verify.Faulty
	last  *process           // that answered
	seeds verify.Seeds
	// unfinished is what the last check has left, over the latches of its problem.
	unfinished cert.Invariant
	// join adds it to those that exchange lemmas about the problem; nil when there are none.
	join func() ic3.Exchange
	// grace is how long a cancelled check may go on before its process is killed.
	grace time.Duration
}

// Name implements verify.Engine.
func (e *engine) Name() string {
	if e.name != "" {
		return e.name
	}
	return e.spec.Name()
}

// Answers implements verify.Engine.
func (e *engine) Answers(q circuit.Question) bool { return e.spec.Answers(q) }

// Stats implements verify.StatsReporter.
func (e *engine) Stats() map[string]float64 { return e.stats }

// Fault implements verify.Faulty.
func (e *engine) Fault() error { return e.fault }

// Unfinished implements verify.Unfinished.
func (e *engine) Unfinished() cert.Invariant { return e.unfinished }

// Seed implements verify.Seeded.
func (e *engine) Seed(s verify.Seeds) { e.seeds = s }

// Exchange implements engines.Exchanging.
func (e *engine) Exchange(join func() ic3.Exchange) { e.join = join }

// Check implements verify.Engine.
func (e *engine) Check(ctx context.Context, problem circuit.Problem, progress func(verify.Progress)) (cert.Verdict, error) {
	return e.CheckWithin(ctx, problem, verify.Limits{}, progress)
}

// Rejected implements verify.Remote.
func (e *engine) Rejected() {
	if e.last != nil {
		e.last.rejected.Store(true)
		e.pool.discard(e.last)
	}
}

// reasonEnded is that of a check whose worker somebody else has ended, politely or not.
const reasonEnded = "worker ended"

// CheckWithin implements verify.Remote. When somebody ends the worker another one is asked,
// once.
func (e *engine) CheckWithin(ctx context.Context, p circuit.Problem, limits verify.Limits, progress func(verify.Progress)) (cert.Verdict, error) {
	v, err := e.checkOnce(ctx, p, limits, progress)
	if lost, ok := errors.AsType[*verify.RemoteError](err); ok && lost.Reason == reasonEnded && ctx.Err() == nil && !e.pool.isClosed() {
		return e.checkOnce(ctx, p, limits, progress)
	}
	return v, err
}

func (e *engine) checkOnce(ctx context.Context, p circuit.Problem, limits verify.Limits, progress func(verify.Progress)) (cert.Verdict, error) {
	body, err := aiger.FromCircuit(p.Circuit).AppendBinary(nil)
	if err != nil {
		return cert.Verdict{}, &verify.RemoteError{Reason: "internal error, the circuit cannot be sent", Internal: err}
	}
	if len(body) > maxCircuit {
		return cert.Verdict{}, &verify.RemoteError{Reason: fmt.Sprintf("the circuit of %d MB is too large for a worker process", len(body)>>20)}
	}
	body, clauses := appendClauses(body, p, slices.Concat(e.seeds.Lemmas, e.seeds.Clauses))
	w, err := e.pool.acquire(ctx)
	if err != nil {
		return cert.Verdict{}, err
	}
	e.last = w
	ended := false
	defer func() {
		if !ended { // the caller's progress function panicked
			w.kill()
		}
		e.pool.release(w)
	}()
	q := Request{
		Number: e.pool.nextNumber(), Engine: e.spec, Wall: limits.Wall, CPU: limits.CPU, Memory: limits.Memory,
		Clauses: clauses, Effort: e.seeds.Effort, Share: e.join != nil,
		Unfinished: p.Question == circuit.Safety,
	}
	x := exchange{
		process: w, number: q.Number, problem: p, progress: progress, grace: e.grace,
		join: e.join, asked: make(chan struct{}, 1),
	}
	stop := x.say(ctx, q, body)
	v, err := x.listen(ctx)
	stop()
	ended = true
	e.name, e.stats, e.fault, e.unfinished = clean(x.result.Engine, 40), x.result.Stats, nil, x.unfinished
	if x.result.Internal != "" && err == nil {
		e.fault = x.internal()
	}
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return v, err
}

// appendClauses appends the clauses of an earlier invariant and returns how many
// bytes they are. Those that cannot be sent are left out: a check needs none.
func appendClauses(body []byte, problem circuit.Problem, clauses cert.Invariant) (longer []byte, n int) {
	if len(clauses) == 0 {
		return body, 0
	}
	longer, err := cert.AppendBinary(body, problem, cert.Verdict{Outcome: cert.Proved, Invariant: clauses})
	if err != nil || len(longer)-len(body) > maxCertificate {
		return body, 0
	}
	return longer, len(longer) - len(body)
}

// exchange is a request and what comes back.
type exchange struct {
	*process
	number   uint64
	problem  circuit.Problem
	progress func(verify.Progress)
	reported time.Time
	depth    int    // last reported
	result   Result // the last message
	// unfinished are the clauses of a result without an answer.
	unfinished cert.Invariant
	grace      time.Duration

	join   func() ic3.Exchange // see engine
	lemmas ic3.Exchange        // that join has returned; nil before the first share
	asked  chan struct{}       // the last share of the worker has no answer yet
}

// say sends the request and, when ctx ends, its cancellation. The function that
// it returns ends that.
func (x *exchange) say(ctx context.Context, q Request, body []byte) (stop func()) {
	answered, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		if x.send(kindRequest, q, body) != nil {
			return // the process is about to end
		}
		for {
			select {
			case n := <-x.allowed:
				_ = x.send(kindAllow, Allow{x.number, n}, nil)
			case <-x.asked:
				_ = x.send(kindShare, Share{x.number}, portfolio.EncodeLemmas(x.problem.Circuit, x.lemmas.Receive(), maxShare))
			case <-ctx.Done():
				_ = x.send(kindCancel, Cancel{x.number}, nil)
				return
			case <-answered:
				return
			}
		}
	}()
	return func() {
		close(answered)
		late := time.AfterFunc(endTime, x.kill) // it answers without reading
		<-done
		late.Stop()
	}
}

// listen waits for the result. A worker that does not keep to the protocol, or
// that does not end a cancelled check, is killed.
func (x *exchange) listen(ctx context.Context) (cert.Verdict, error) {
	cancelled := ctx.Done()
	var late <-chan time.Time
	for {
		select {
		case f := <-x.frames:
			v, done, err := x.take(f)
			if err != nil {
				x.kill()
				<-x.ended
				return cert.Verdict{Depth: x.depth}, &verify.RemoteError{
					Lost: true, Reason: "the worker process broke the protocol", Internal: fmt.Errorf("worker process: %w", err),
				}
			}
			if done {
				return v, x.outcome(v)
			}
		case <-cancelled:
			cancelled, late = nil, time.After(x.grace)
		case <-late:
			x.kill()
			<-x.ended
			return cert.Verdict{Depth: x.depth}, ctx.Err()
		case <-x.ended:
			return cert.Verdict{Depth: x.depth}, x.err
		}
	}
}

// take acts on one message; done says that it was the result. The error is that
// of a worker which breaks the protocol.
func (x *exchange) take(f frame) (v cert.Verdict, done bool, err error) {
	if f.kind == kindProgress {
		var p Progress
		if err := f.into(kindProgress, &p); err != nil {
			return v, false, err
		}
		if p.Number != x.number || min(p.Depth, p.Lemmas, p.Obligations, p.Bound) < 0 {
			return v, false, fmt.Errorf("%w: progress of request %d, expected %d", errMessage, p.Number, x.number)
		}
		if now := time.Now(); now.Sub(x.reported) >= progressEvery/2 {
			x.reported, x.depth = now, p.Depth
			x.progress(verify.Progress{Depth: p.Depth, Lemmas: p.Lemmas, Obligations: p.Obligations, Bound: p.Bound})
		}
		return v, false, nil
	}
	if f.kind == kindShare {
		return v, false, x.publish(f)
	}
	var r Result
	if err := f.into(kindResult, &r); err != nil {
		return v, false, err
	}
	body := f.body
	if r.Unfinished {
		if x.unfinished, err = readUnfinished(r, body, x.problem); err != nil {
			return v, false, err
		}
		body = nil
	}
	v, err = verdictFrom(r, body, x.number, x.problem)
	if err != nil {
		return v, false, err
	}
	x.result = r
	return v, true, nil
}

// readUnfinished reads the clauses of a result without an answer.
func readUnfinished(r Result, body []byte, problem circuit.Problem) (cert.Invariant, error) {
	if r.Outcome != cert.Unknown.String() || problem.Question != circuit.Safety {
		return nil, fmt.Errorf("%w: clauses left by a check of %s that is %.40q", errMessage, problem.Question, r.Outcome)
	}
	left := cert.Verdict{Outcome: cert.Proved}
	err := cert.ReadBinary(body, problem, &left)
	return left.Invariant, err
}

// outcome returns the error of a check without an answer. A process that is about
// to end is used no more.
func (x *exchange) outcome(v cert.Verdict) error {
	if x.result.Last {
		x.rejected.Store(true)
	}
	if v.Outcome != cert.Unknown {
		return nil
	}
	e := &verify.RemoteError{Reason: v.Reason}
	if v.Reason == "cancelled" { // by nobody here: somebody ends the worker
		e.Reason, e.Lost = reasonEnded, true
	}
	if x.result.Internal != "" {
		e.Internal = x.internal()
	}
	return e
}

// internal is the fault that a worker reports.
func (x *exchange) internal() error {
	return fmt.Errorf("worker process: %s", shortened(x.result.Internal, maxText))
}

// verdictFrom reads a result for a request about problem.
func verdictFrom(r Result, body []byte, number uint64, problem circuit.Problem) (v cert.Verdict, err error) {
	v = cert.Verdict{Depth: r.Depth}
	switch {
	case r.Number != number:
		return v, fmt.Errorf("%w: result of request %d, expected %d", errMessage, r.Number, number)
	case r.Depth < 0:
		return v, fmt.Errorf("%w: depth %d", errMessage, r.Depth)
	}
	switch r.Outcome {
	case cert.Proved.String():
		v.Outcome = cert.Proved
	case cert.Refuted.String():
		v.Outcome = cert.Refuted
	case cert.Unknown.String():
		v.Reason = clean(r.Reason, maxReason)
	default:
		return v, fmt.Errorf("%w: outcome %.40q", errMessage, r.Outcome)
	}
	return v, cert.ReadBinary(body, problem, &v)
}

// maxReason bounds what a verdict shows of the words of a worker.
const maxReason = 200

// clean returns text as one line of at most n bytes.
func clean(text string, n int) string {
	return shortened(strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, text), n)
}

// shortened returns at most the first n bytes of a text.
func shortened(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return strings.ToValidUTF8(text[:n], "")
}
