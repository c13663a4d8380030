package worker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"sync"
	"time"

	"aiglens/aiger"
	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3"
	"aiglens/ic3/engines"
	hornverify "aiglens/ic3/horn/verify"
	"aiglens/ic3/verify"
)

// progressEvery is the time between two reports of progress.
const progressEvery = 100 * time.Millisecond

// niceness is that of a worker on unix, 20 being the last.
const niceness = 10

// ErrMemory is returned by Serve when the process has outgrown its limit.
var ErrMemory = errors.New("the memory limit is exceeded")

// Options configure a worker.
type Options struct {
	Version string
	// NewEngine makes the engine for one check. The error says why there is none.
	NewEngine func(engines.Spec) (verify.Engine, error)
	// Clauses checks systems of Horn clauses.
	Clauses hornverify.Check
	// ShareEvery is the time between two exchanges of lemmas; 0 is 20 ms.
	ShareEvery time.Duration
}

// Serve answers the requests of a server until its input ends. It returns at once
// then, also in the middle of a check: the process is to end with it. An error
// says that the input was not a conversation, or that the process is too large to go
// on. Memory limits are those of the whole process, so one process has one Serve.
func Serve(ctx context.Context, in io.Reader, out io.Writer, opts Options) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	w := &worker{opts: opts, out: out, outgrown: make(chan struct{}, 1)}
	frames, failed := make(chan frame), make(chan error, 1)
	if err := w.send(kindHello, Hello{program, Protocol, opts.Version}, nil); err != nil {
		return err
	}
	go func() {
		_, err := readHello(in)
		for err == nil {
			var f frame
			if f, err = readFrame(in); err == nil {
				select {
				case frames <- f:
				case <-ctx.Done():
					err = ctx.Err()
				}
			}
		}
		failed <- err
	}()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-w.outgrown:
			return ErrMemory
		case err := <-failed:
			if errors.Is(err, io.EOF) {
				return nil
			}
			return fmt.Errorf("reading requests: %w", err)
		case f := <-frames:
			if err := w.handle(ctx, f); err != nil {
				return err
			}
		}
	}
}

// worker is the state of a Serve.
type worker struct {
	opts     Options
	outgrown chan struct{}

	mu      sync.Mutex // guards all below
	out     io.Writer
	number  uint64 // of the request under way; 0: none
	cancel  context.CancelFunc
	allowed verify.Processors // of that request
	line    *line             // of its lemmas; nil when its engine exchanges none
}

func (w *worker) send(k kind, head any, body []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return writeFrame(w.out, k, head, body)
}

// handle acts on one message.
func (w *worker) handle(ctx context.Context, f frame) error {
	if f.kind == kindCancel {
		var c Cancel
		if err := f.into(kindCancel, &c); err != nil {
			return err
		}
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.number == c.Number && w.cancel != nil {
			w.cancel()
		}
		return nil
	}
	switch f.kind {
	case kindAllow:
		return w.allow(f)
	case kindShare:
		return w.receive(f)
	}
	var q Request
	if err := f.into(kindRequest, &q); err != nil {
		return err
	}
	if err := q.validate(f.body); err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.number != 0 {
		return fmt.Errorf("%w: request %d before the result of %d", errMessage, q.Number, w.number)
	}
	ctx, w.cancel = context.WithCancel(ctx)
	w.number, w.allowed, w.line = q.Number, verify.NewProcessors(), nil
	go w.check(ctx, q, f.body, w.allowed)
	return nil
}

// allow passes on how many processors the check under way may use.
func (w *worker) allow(f frame) error {
	var a Allow
	if err := f.into(kindAllow, &a); err != nil {
		return err
	}
	if a.Processors < 1 {
		return fmt.Errorf("%w: %d processors for request %d", errMessage, a.Processors, a.Number)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.number == a.Number {
		w.allowed.Allow(a.Processors)
	}
	return nil
}

// check answers a request.
func (w *worker) check(ctx context.Context, q Request, body []byte, allowed verify.Processors) {
	w.answer(w.runEngine(ctx, q, body, allowed))
	giveBack()
}

// answer sends a result, once for each request, and says whether it did. The next
// request may come before it returns.
func (w *worker) answer(r Result, certificate []byte) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.number != r.Number {
		return false
	}
	w.cancel()
	w.number, w.cancel, w.line = 0, nil, nil
	// An error means that the server is gone, and the input ends as well.
	_ = writeFrame(w.out, kindResult, r, certificate)
	return true
}

// runEngine runs the engine. A fault in it ends as a result.
func (w *worker) runEngine(ctx context.Context, q Request, body []byte, allowed verify.Processors) (r Result, certificate []byte) {
	r = Result{Number: q.Number, Outcome: cert.Unknown.String()}
	broken := "worker failed" // what a panic means
	defer func() {
		if value := recover(); value != nil {
			r = Result{
				Number: q.Number, Outcome: cert.Unknown.String(), Depth: r.Depth, Reason: "internal error, " + broken,
				Internal: verify.Shortened(fmt.Sprintf("panic: %v\n%s", value, debug.Stack()), maxText),
			}
			certificate = nil
		}
	}()
	meter := w.startMeter(ctx, q)
	defer meter.stop()
	var last time.Time
	progress := func(p verify.Progress) {
		r.Depth = p.Depth
		meter.depth.Store(int64(p.Depth))
		if now := time.Now(); now.Sub(last) >= progressEvery {
			last = now
			_ = w.send(kindProgress, Progress{q.Number, p.Depth, p.Lemmas, p.Obligations, p.Bound}, nil)
		}
	}
	if q.System {
		return w.runClauses(ctx, q, body, progress)
	}
	engine, err := w.opts.NewEngine(q.Engine)
	if err != nil {
		r.Reason = verify.Shortened(err.Error(), verify.MaxReason)
		return r, nil
	}
	problem, seeds, err := readRequest(q, body)
	if err != nil {
		r.Reason = "internal error, the circuit did not arrive"
		r.Internal = verify.Shortened(err.Error(), maxText)
		return r, nil
	}
	if !engine.Answers(problem.Question) {
		r.Reason = fmt.Sprintf("%s does not answer questions of %s", engine.Name, problem.Question)
		return r, nil
	}
	task := verify.Task{Problem: problem, Limits: q.limits(), Seeds: seeds, Processors: allowed, Progress: progress}
	if q.Share {
		task.Exchange = func() ic3.Exchange { return w.join(ctx, q.Number, problem.Circuit) }
	}
	broken = "engine failed"
	found := verify.Claim(ctx, engine, task)
	r = r.with(found, engine.Name)
	if q.Unfinished && found.Verdict.Outcome == cert.Unknown {
		certificate, r.Unfinished = unfinished(problem, found.Unfinished)
		return r, certificate
	}
	return withCertificate(r, problem, found.Verdict)
}

// with adds what an engine has reported, but for the certificate.
func (r Result) with(found verify.Report, name string) Result {
	v := found.Verdict
	r.Outcome, r.Depth, r.Reason = v.Outcome.String(), max(r.Depth, v.Depth), verify.Shortened(v.Reason, verify.MaxReason)
	if v.Outcome != cert.Unknown {
		r.Depth = v.Depth
	}
	r.Engine = cmp.Or(found.Engine, name)
	if found.Stats != nil {
		r.Stats = finite(found.Stats)
	}
	if found.Fault != nil {
		r.Internal = verify.Shortened(found.Fault.Error(), maxText)
	}
	return r
}

// unfinished writes the clauses that a check leaves; ok is false when there are none, or too
// many to be sent.
func unfinished(problem circuit.Problem, clauses cert.Invariant) (body []byte, ok bool) {
	body, n := appendClauses(nil, problem, clauses)
	return body, n > 0
}

// withCertificate completes a result, unless its certificate is none or too large.
func withCertificate(r Result, problem circuit.Problem, v cert.Verdict) (Result, []byte) {
	certificate, err := cert.AppendBinary(nil, problem, v)
	switch {
	case err != nil:
		r.Outcome, r.Reason, r.Internal = cert.Unknown.String(), "internal error, the certificate cannot be sent", err.Error()
	case len(certificate) > maxCertificate || stepsOf(v) > cert.MaxSteps:
		r.Outcome = cert.Unknown.String()
		r.Reason = fmt.Sprintf("the certificate of %d MB is too large to be sent", len(certificate)>>20)
	default:
		return r, certificate
	}
	return r, nil
}

// stepsOf returns the number of steps of the counterexample of a verdict.
func stepsOf(v cert.Verdict) int {
	if v.Lasso != nil {
		return v.Lasso.Steps()
	}
	return v.Trace.Steps()
}

// readRequest reads the body of a request.
func readRequest(q Request, body []byte) (problem circuit.Problem, seeds verify.Seeds, err error) {
	at := len(body) - q.Clauses
	if problem, err = readProblem(body[:at]); err != nil || q.Clauses == 0 {
		return problem, seeds, err
	}
	earlier := cert.Verdict{Outcome: cert.Proved}
	if err := cert.ReadBinary(body[at:], problem, &earlier); err != nil {
		return problem, seeds, fmt.Errorf("the clauses of an earlier invariant cannot be read: %w", err)
	}
	return problem, verify.Seeds{Clauses: earlier.Invariant, Effort: q.Effort}, nil
}

// readProblem reads the problem of a request, a cone without reset functions.
func readProblem(body []byte) (circuit.Problem, error) {
	p, err := aiger.ReadProblem(body)
	if err == nil && p.Circuit.HasResetFunctions() {
		err = errors.New("the circuit has reset functions")
	}
	return p, err
}
