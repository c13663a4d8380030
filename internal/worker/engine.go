package worker

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"aiglens/aiger"
	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3"
	"aiglens/ic3/engines"
	"aiglens/ic3/portfolio"
	"aiglens/ic3/verify"
)

// asker is how an engine of a pool asks a worker.
type asker struct {
	pool *Pool
	spec engines.Spec
	// grace is how long a cancelled check may go on before its process is killed.
	grace time.Duration
}

// engine returns the engine that works by one of the ways to ask.
func (a asker) engine(check func(context.Context, verify.Task) verify.Report) verify.Engine {
	return verify.Engine{
		Name: a.spec.Name(), Safety: a.spec.Answers(circuit.Safety), Liveness: a.spec.Answers(circuit.Liveness),
		Where: verify.InWorker, TakesSeeds: true, Check: check,
	}
}

// reasonEnded is that of a check whose worker was ended from outside, politely or not.
const reasonEnded = "worker ended"

// check asks a worker, and when that is ended from outside another one, once.
func (a asker) check(ctx context.Context, t verify.Task) verify.Report {
	r := a.checkOnce(ctx, t)
	if a.pool.mayAgain(ctx, r.Err) {
		return a.checkOnce(ctx, t)
	}
	return r
}

// mayAgain reports whether another worker may be asked after an error.
func (p *Pool) mayAgain(ctx context.Context, err error) bool {
	lost, ok := errors.AsType[*verify.RemoteError](err)
	return ok && lost.Reason == reasonEnded && ctx.Err() == nil && !p.isClosed()
}

func (a asker) checkOnce(ctx context.Context, t verify.Task) verify.Report {
	body, err := aiger.FromCircuit(t.Problem.Circuit).AppendBinary(nil)
	if err != nil {
		return verify.Report{Err: &verify.RemoteError{Reason: "internal error, the circuit cannot be sent", Internal: err}}
	}
	if len(body) > maxCircuit {
		return verify.Report{Err: &verify.RemoteError{Reason: fmt.Sprintf("the circuit of %d MB is too large for a worker process", len(body)>>20)}}
	}
	body, clauses := appendClauses(body, t.Problem, slices.Concat(t.Seeds.Lemmas, t.Seeds.Clauses))
	x := &exchange{task: t, grace: a.grace}
	x.certificate = x.readCertificate
	v, err := a.pool.ask(ctx, x, Request{
		Engine: a.spec, Wall: t.Limits.Wall, CPU: t.Limits.CPU, Memory: t.Limits.Memory,
		Clauses: clauses, Effort: t.Seeds.Effort, Share: t.Exchange != nil,
		Unfinished: t.Problem.Question == circuit.Safety && a.spec.Member == 0, // of several they are not used
	}, body)
	return x.report(v, err)
}

// ask has a worker answer a request.
func (p *Pool) ask(ctx context.Context, x *exchange, q Request, body []byte) (cert.Verdict, error) {
	w, err := p.acquire(ctx)
	if err != nil {
		return cert.Verdict{}, err
	}
	ended := false
	defer func() {
		if !ended { // the caller's progress function panicked
			w.kill()
		}
		p.release(w)
	}()
	q.Number = p.nextNumber()
	x.process, x.pool, x.number, x.asked = w, p, q.Number, make(chan struct{}, 1)
	stop := x.say(ctx, q, body)
	v, err := x.listen(ctx)
	stop()
	ended = true
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return v, err
}

// reject ends the worker of an answer whose certificate has failed.
func (x *exchange) reject() {
	x.process.rejected.Store(true)
	x.pool.discard(x.process)
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
	pool   *Pool
	number uint64
	task   verify.Task
	// certificate takes over the certificate of a result, with its clauses where it has no answer. An error is a breach of
	// the protocol.
	certificate func(r Result, body []byte, v *cert.Verdict) error
	reported    time.Time
	depth       int    // last reported
	result      Result // the last message
	// unfinished are the clauses of a result without an answer.
	unfinished cert.Invariant
	grace      time.Duration

	lemmas ic3.Exchange  // that the task's Exchange has returned; nil before the first share
	asked  chan struct{} // the last share of the worker has no answer yet
}

// report returns what came of the task. err says why there is no answer.
func (x *exchange) report(v cert.Verdict, err error) verify.Report {
	r := verify.Report{
		Verdict: v, Err: err, Engine: verify.OneLine(x.result.Engine, 40), Stats: x.result.Stats,
		Unfinished: x.unfinished, Rejected: x.reject,
	}
	if x.result.Internal != "" && v.Outcome != cert.Unknown {
		r.Fault = x.internal()
	}
	return r
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
				_ = x.send(kindShare, Share{x.number}, portfolio.EncodeLemmas(x.task.Problem.Circuit, x.lemmas.Receive(), maxShare))
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
			v, done, err := x.handle(f)
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

// handle acts on one message; done says that it was the result. The error is that
// of a worker which breaks the protocol.
func (x *exchange) handle(f frame) (v cert.Verdict, done bool, err error) {
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
			x.task.Progress(verify.Progress{Depth: p.Depth, Lemmas: p.Lemmas, Obligations: p.Obligations, Bound: p.Bound})
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
	if v, err = verdictFrom(r, x.number); err != nil {
		return v, false, err
	}
	if err = x.certificate(r, f.body, &v); err != nil {
		return v, false, err
	}
	x.result = r
	return v, true, nil
}

// readCertificate reads that of a check of a circuit.
func (x *exchange) readCertificate(r Result, body []byte, v *cert.Verdict) (err error) {
	if r.Unfinished {
		x.unfinished, err = readUnfinished(r, body, x.task.Problem)
		return err
	}
	return cert.ReadBinary(body, x.task.Problem, v)
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
// to end is no longer used.
func (x *exchange) outcome(v cert.Verdict) error {
	if x.result.Last {
		x.rejected.Store(true)
	}
	if v.Outcome != cert.Unknown {
		return nil
	}
	e := &verify.RemoteError{Reason: v.Reason}
	if v.Reason == "cancelled" { // not from here: the worker was ended from outside
		e.Reason, e.Lost = reasonEnded, true
	}
	if x.result.Internal != "" {
		e.Internal = x.internal()
	}
	return e
}

// internal is the fault that a worker reports.
func (x *exchange) internal() error {
	return fmt.Errorf("worker process: %s", verify.Shortened(x.result.Internal, maxText))
}

// verdictFrom reads a result for a request, but for its certificate.
func verdictFrom(r Result, number uint64) (v cert.Verdict, err error) {
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
		v.Reason = verify.OneLine(r.Reason, verify.MaxReason)
	default:
		return v, fmt.Errorf("%w: outcome %.40q", errMessage, r.Outcome)
	}
	return v, nil
}
