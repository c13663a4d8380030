package verify

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/bmc"
)

// errLimit is the cause of a cancellation by a limit; its text is the reason
// that the user sees.
type errLimit string

func (e errLimit) Error() string { return string(e) }

const (
	errTimeout = errLimit("timeout")
	errCPU     = errLimit("CPU limit")
	errMemory  = errLimit("memory limit")
)

// Run judges the property of a job. The answer is always checked: an engine's
// claim counts only when its certificate passes against the whole circuit, not
// just the cone that the engine saw. A claim that fails is reported in
// Result.Internal and the outcome is unknown. Run itself never fails; when ctx
// ends, the outcome is unknown with the reason "cancelled".
func Run(ctx context.Context, job Job, progress func(Progress)) Result {
	start := time.Now()
	r := guardedRun(ctx, job, progress)
	r.Elapsed = time.Since(start)
	return r
}

// guardedRun turns a panic, of the engine or around it, into an internal error:
// a fault in one check never takes the others, or the editor's server, with it.
func guardedRun(ctx context.Context, job Job, progress func(Progress)) (r Result) {
	var last Progress
	defer func() {
		if value := recover(); value != nil {
			r = Result{Engine: job.Engine.Name(), Progress: last}.unknown(job.Property, "internal error, engine failed", last.Depth)
			r.Internal = fmt.Errorf("%s on %s: panic: %v\n%s", r.Engine, job.Property, value, debug.Stack())
		}
	}()
	return run(ctx, job, func(p Progress) {
		last = p
		if progress != nil {
			progress(p)
		}
	})
}

func run(ctx context.Context, job Job, progress func(Progress)) Result {
	begin := time.Now()
	r := Result{Engine: job.Engine.Name()}
	cone, err := job.Circuit.ConeContext(ctx, job.Property)
	if err != nil {
		return r.unknown(job.Property, reasonFor(ctx, err), 0)
	}
	r.Fingerprint = cone.Fingerprint
	if !job.Engine.Answers(cone.Question) {
		r.Unsupported = true
		return r.unknown(job.Property, fmt.Sprintf("%s properties are not supported yet", job.Property.Kind), 0)
	}
	// A reset function outside the cone is no concern of this property. Were the
	// whole circuit refused, the refusal would be kept for a cone that has none.
	if cone.Circuit.HasResetFunctions() {
		return r.unknown(job.Property, "reset functions are not supported", 0)
	}
	limits := job.Limits
	remote, isRemote := job.Engine.(Remote)
	if isRemote {
		limits = Limits{Wall: limits.Wall}
	}
	ctx, stop := withLimits(ctx, limits)
	defer stop()
	if found, ok := r.recall(ctx, job, cone); ok {
		return found
	}
	if job.Recall {
		return r.unknown(job.Property, notCached, 0)
	}
	if found, ok := r.replayEarlier(ctx, job, cone); ok {
		found.keep(job, cone, time.Since(begin))
		return found
	}
	job.seed(cone)
	report := func(p Progress) {
		r.Progress = p
		progress(p)
	}
	var verdict cert.Verdict
	if isRemote {
		verdict, err = remote.CheckWithin(ctx, cone.Problem, job.Limits, report)
	} else {
		verdict, err = claim(ctx, job.Engine, cone.Problem, report)
	}
	r.Engine = job.Engine.Name() // of several, the one that answered
	if s, ok := job.Engine.(StatsReporter); ok {
		r.Stats = s.Stats()
	}
	if err != nil {
		if e, ok := errors.AsType[*RemoteError](err); ok && ctx.Err() == nil {
			r.Lost, r.Internal = e.Lost, e.Internal
		}
		return r.unknown(job.Property, reasonFor(ctx, err), max(verdict.Depth, r.Progress.Depth))
	}
	if isRemote && job.Limits.Memory > 0 {
		// The certificate may take as much here as the engine might elsewhere.
		var stop func()
		ctx, stop = withLimits(ctx, Limits{Memory: int64(heapBytes()) + job.Limits.Memory})
		defer stop()
	}
	start := time.Now()
	r = r.certify(ctx, job.Circuit, job.Property, cone, verdict)
	if r.Stats != nil {
		r.Stats[certificateSeconds] = time.Since(start).Seconds()
	}
	r.effort = int64(max(0, min(r.Stats[StatEffort], maxEffort)))
	if r.Checked.Certified() && r.Stats[StatReused] > 0 {
		r.Reused = ReusedLemmas
		r.effort = max(r.effort, job.earlierEffort())
	}
	r.keep(job, cone, time.Since(begin))
	if isRemote && r.Internal != nil {
		remote.Rejected()
	}
	if isRemote && errors.Is(context.Cause(ctx), errMemory) {
		r.Lost = true // other documents may have taken the memory
	}
	return r
}

// Claim runs an engine on a cone under limits and shortens its counterexample.
// Nobody has checked what it returns: this is the part of a run that may happen
// in another process. When the engine did not come to an end, the verdict says
// why.
func Claim(ctx context.Context, e Engine, problem circuit.Problem, limits Limits, progress func(Progress)) cert.Verdict {
	ctx, stop := withLimits(ctx, limits)
	defer stop()
	v, err := claim(ctx, e, problem, progress)
	if err != nil {
		return cert.Verdict{Depth: v.Depth, Reason: reasonFor(ctx, err)}
	}
	return v
}

func claim(ctx context.Context, e Engine, problem circuit.Problem, progress func(Progress)) (cert.Verdict, error) {
	v, err := e.Check(ctx, problem, progress)
	if err != nil {
		return v, err
	}
	return shorten(ctx, problem.Circuit, v), nil
}

// maxEffort is far more than any run can spend.
const maxEffort = 1 << 50

// certificateSeconds is the key of Stats for the wall time of the last check of a
// certificate, which is part of Elapsed.
const certificateSeconds = "certificate_seconds"

// Bounds of what is spent to shorten a counterexample: gates of all its steps
// together, and conflicts for each length and for all lengths.
const (
	shortenGates        = 100_000
	shortenConflicts    = 500
	shortenAllConflicts = 2000
)

// shorten looks for a shorter counterexample where that costs little. IC3 asks
// for its obligations again at higher levels, which finds some early but long.
func shorten(ctx context.Context, c *circuit.Circuit, v cert.Verdict) cert.Verdict {
	if v.Outcome != cert.Refuted || v.Trace.Steps()*c.NumGates() > shortenGates {
		return v
	}
	lengths := int64(max(1, v.Trace.Steps()-v.Depth-1))
	// An end of ctx leaves the trace that there is.
	v.Trace, _ = bmc.Shorten(ctx, c, v.Trace, v.Depth+1, min(shortenConflicts, shortenAllConflicts/lengths+1))
	return v
}

// certify lifts the engine's verdict to the circuit of the job and checks it
// there.
func (r Result) certify(ctx context.Context, c *circuit.Circuit, p circuit.Property, cone *circuit.Cone, verdict cert.Verdict) Result {
	lifted, err := lift(c, cone, verdict)
	if err != nil {
		r.Internal = err
		return r.unknown(p, internalReason, verdict.Depth)
	}
	checked, err := cert.Check(ctx, c, p, lifted)
	var rejected *cert.RejectedError
	switch {
	case errors.As(err, &rejected):
		r.Internal = fmt.Errorf("%s on %s: %w", r.Engine, p, err)
		return r.unknown(p, internalReason, verdict.Depth)
	case err != nil:
		return r.unknown(p, reasonFor(ctx, err), verdict.Depth)
	}
	r.Checked = checked
	r.claim = verdict
	r.minimise(ctx, c, p, cone)
	r.Vacuous = verdict.Outcome == cert.Proved && len(verdict.Invariant) == 1 && len(verdict.Invariant[0]) == 0
	return r
}

const internalReason = "internal error, certificate rejected"

func (r Result) unknown(p circuit.Property, reason string, depth int) Result {
	r.Checked = cert.CheckedUnknown(p, reason, depth)
	return r
}

// reasonFor names what ended ctx, in the user's words.
func reasonFor(ctx context.Context, err error) string {
	var limit errLimit
	switch {
	case errors.As(context.Cause(ctx), &limit):
		return string(limit)
	case errors.Is(err, context.DeadlineExceeded):
		return string(errTimeout)
	case errors.Is(err, context.Canceled):
		return "cancelled"
	}
	return err.Error()
}

// lift translates a verdict on a cone to the circuit it was taken from. What
// lies outside the cone does not matter: x. The error says that the verdict
// does not even fit the cone.
func lift(c *circuit.Circuit, cone *circuit.Cone, v cert.Verdict) (cert.Verdict, error) {
	invariant := make(cert.Invariant, 0, len(v.Invariant))
	for _, clause := range v.Invariant {
		lifted := make([]circuit.Lit, len(clause))
		for i, l := range clause {
			if int(l.Var()) >= cone.Circuit.NumVars() {
				return v, fmt.Errorf("literal %d of an invariant lies outside the circuit", l)
			}
			lifted[i] = cone.LitFrom(l)
		}
		invariant = append(invariant, lifted)
	}
	v.Invariant = invariant
	if v.Outcome != cert.Refuted {
		v.Trace = cert.Trace{}
		return v, nil
	}
	t := cert.Trace{Initial: make([]circuit.Value, len(c.Latches())), Inputs: make([][]circuit.Value, v.Trace.Steps())}
	if err := spread(t.Initial, v.Trace.Initial, cone.Latches); err != nil {
		return v, err
	}
	for i, row := range v.Trace.Inputs {
		t.Inputs[i] = make([]circuit.Value, len(c.Inputs()))
		if err := spread(t.Inputs[i], row, cone.Inputs); err != nil {
			return v, err
		}
	}
	v.Trace = t
	return v, nil
}

// spread fills dst with x and puts src[i] at position to[i].
func spread(dst, src []circuit.Value, to []int) error {
	if len(src) != len(to) {
		return fmt.Errorf("a trace has %d values where the cone has %d", len(src), len(to))
	}
	for i := range dst {
		dst[i] = circuit.X
	}
	for i, v := range src {
		dst[to[i]] = v
	}
	return nil
}

// TransferTo returns the same verdict for property p of another circuit, when
// the cone of p there has the same fingerprint. The certificate is lifted
// anew, so that it speaks of the latches and inputs of that circuit, and checked
// there.
func (r Result) TransferTo(ctx context.Context, c *circuit.Circuit, p circuit.Property) (Result, bool) {
	cone, err := c.Cone(p)
	if err != nil || cone.Fingerprint != r.Fingerprint {
		return Result{}, false
	}
	if !r.Checked.Certified() {
		return r.unknown(p, r.Checked.Reason(), r.Checked.Depth()), true
	}
	r = r.certify(ctx, c, p, cone, r.claim)
	return r, r.Checked.Certified()
}
