package verify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/bmc"
	"aiglens/internal/thread"
)

// ReasonMemory is the reason of a check that its limit of memory has ended.
const ReasonMemory = "memory limit"

// errLimit is the cause of a cancellation by a limit; its text is the reason
// that the user sees.
type errLimit string

func (e errLimit) Error() string { return string(e) }

const (
	errTimeout = errLimit("timeout")
	errCPU     = errLimit("CPU limit")
	errMemory  = errLimit(ReasonMemory)
)

// Run judges the property of a job. The answer is always checked: an engine's
// claim counts only when its certificate passes against the whole circuit, not
// just the cone that the engine saw. A claim that fails is reported in
// Result.Internal and the outcome is unknown. Run itself never fails; when ctx
// ends, the outcome is unknown with the reason "cancelled".
func Run(ctx context.Context, job Job, progress func(Progress)) Result {
	r := &run{Job: job, begin: time.Now(), Result: Result{Engine: job.Engine.Name, Allowed: job.Limits, Offered: job.lemmaCones()}, report: progress}
	r.guardedJudge(ctx)
	if r.Elapsed == 0 {
		r.Elapsed = r.inAllTurns()
	}
	return r.Result
}

// run is a job under way and what is known so far.
type run struct {
	Job
	Result
	begin  time.Time
	report func(Progress) // may be nil
	cone   *circuit.Cone
	asked  asked
	// granted is what the engine is asked: asked, with what is proved already.
	granted granted
	takes   int64 // gates of the room
	// broken says what a panic would break, in the user's words.
	broken string
}

// guardedJudge turns a panic, of the engine or around it, into an internal error:
// a fault in one check never takes the others, or the editor's server, with it.
func (r *run) guardedJudge(ctx context.Context) {
	defer func() {
		if value := recover(); value != nil {
			found := Result{Engine: r.Job.Engine.Name, Fingerprint: r.Fingerprint, Progress: r.Progress, Allowed: r.Allowed, Offered: r.Offered, waited: r.waited}
			found.Internal = fmt.Errorf("%s on %s: panic: %v\n%s", found.Engine, r.Property, value, debug.Stack())
			r.Result = found.unknown(r.Property, internal(r.broken), r.Progress.Depth)
		}
	}()
	r.judge(ctx)
}

// judge takes the four steps of a run. Each leaves its result; the first that has an
// answer is the last.
func (r *run) judge(ctx context.Context) {
	if err := r.enter(ctx, r.Circuit); err != nil {
		r.stop(ReasonFor(ctx, err), 0)
		return
	}
	defer r.leave(nil)
	if !r.findCone(ctx) {
		return
	}
	limits := r.Limits
	if r.Job.Engine.Where != Here {
		limits = Limits{Wall: limits.Wall}
	}
	limited, stop := WithLimits(ctx, limits)
	defer stop()
	working := limited // where checks wait for their beginning, no limit of the job counts that
	if r.Job.Engine.Where == InCluster {
		working = ctx
	}
	if r.reuse(limited) {
		r.explainProof(working)
		return
	}
	claimed, ok := r.runEngine(working)
	if !ok {
		return
	}
	if r.Job.Engine.Where == InCluster && limits.Wall > 0 {
		limited, stop = WithLimits(ctx, Limits{Wall: max(limits.Wall-r.spent(), 1)})
		defer stop()
	}
	r.conclude(limited, claimed)
	r.explainProof(working)
}

// vacuityPatience bounds how long a proof waits for the vacuity question, which may have no node that
// takes it.
const vacuityPatience = time.Minute

// explainProof looks why a proof means little.
func (r *run) explainProof(ctx context.Context) {
	if r.Job.Engine.Where == InCluster {
		var stop context.CancelFunc
		ctx, stop = thread.WithTimeout(ctx, vacuityPatience)
		defer stop()
	}
	r.findVacuity(ctx)
}

// spent returns the wall time of the run so far.
func (r *run) spent() time.Duration { return time.Since(r.begin) - r.waited }

// inAllTurns is spent with the turns before this one.
func (r *run) inAllTurns() time.Duration {
	if r.turn == nil {
		return r.spent()
	}
	return r.turn.wall + r.spent()
}

// keepAnswer has the cache keep the answer, with the time that is also shown.
func (r *run) keepAnswer() {
	r.Elapsed = r.inAllTurns()
	r.keep(r.Job, r.cone)
}

// stop ends the run without an answer.
func (r *run) stop(reason string, depth int) {
	r.Result = r.unknown(r.Property, reason, depth)
}

// findCone is the first step. It reports whether there is something to judge.
func (r *run) findCone(ctx context.Context) bool {
	r.broken = "preparation failed"
	cone, err := r.Circuit.ConeContext(ctx, r.Property)
	r.leave(cone)
	if err != nil {
		r.stop(ReasonFor(ctx, err), 0)
		return false
	}
	r.cone, r.Fingerprint = cone, cone.Fingerprint
	if !r.Job.Engine.Answers(cone.Question) {
		r.Unsupported = true
		r.stop(fmt.Sprintf("this engine does not check %s properties", r.Property.Kind), 0)
		return false
	}
	r.asked = ask(cone)
	return true
}

// reuse is the second step: the cache, and traces of earlier runs. It reports whether
// that is the end.
func (r *run) reuse(ctx context.Context) bool {
	r.broken = "reuse of earlier results failed"
	if found, ok := r.recall(ctx, r.Job, r.cone); ok {
		r.Result = found
		r.Common.add(ctx, r.Result)
		return true
	}
	if r.Recall {
		r.stop(notCached, 0)
		return true
	}
	found, ok := r.hitByAnother(ctx, r.Job, r.cone)
	if ok {
		r.Common.settle(r.Property) // what the run violates besides is known
	} else if found, ok = r.replayEarlier(ctx, r.Job, r.cone); ok {
		r.Common.add(ctx, found)
	}
	if ok {
		r.Result = found
		r.keepAnswer()
	}
	return ok
}

// runEngine is the third step. It returns what the engine claims of the cone; ok is
// false when it has no answer.
func (r *run) runEngine(ctx context.Context) (claimed Report, ok bool) {
	r.broken = "engine failed"
	task := Task{Limits: r.Limits, Seeds: r.seeds(r.cone, r.asked), Progress: func(p Progress) {
		r.Progress = p
		if r.report != nil {
			r.report(p)
		}
	}}
	r.Common.recall(ctx, r.Lemmas)
	r.granted = r.Common.grant(r.asked)
	task.Problem = r.granted.Problem
	if r.Job.Engine.Room != nil {
		task.Away, task.Back = r.away, r.back
	}
	ctx, endTurn := r.turn.bound(ctx, r.Job)
	defer endTurn()
	if r.Job.Engine.Where == Here {
		claimed = claim(ctx, r.Job.Engine, task)
	} else {
		claimed = r.Job.Engine.Check(ctx, task)
	}
	r.Result.Engine = cmp.Or(claimed.Engine, r.Job.Engine.Name)
	r.Place, r.Stats, r.Fault, r.waited = claimed.Place, claimed.Stats, claimed.Fault, r.waited+claimed.Waited
	if claimed.Err == nil {
		_, claimed.Err = r.back(ctx)
	}
	if claimed.Err == nil {
		claimed.Verdict, claimed.Err = r.granted.lift(ctx, claimed.Verdict)
	}
	if claimed.Err != nil {
		r.noAnswer(ctx, claimed)
		return claimed, false
	}
	if claimed.Verdict.Outcome == cert.Proved {
		r.Granted = r.granted.whose
	}
	return claimed, true
}

// noAnswer ends a run whose engine has none.
func (r *run) noAnswer(ctx context.Context, claimed Report) {
	if e, ok := errors.AsType[*RemoteError](claimed.Err); ok && ctx.Err() == nil {
		r.Lost, r.Internal = e.Lost, e.Internal
	}
	if r.Internal == nil { // then no part has answered
		r.Internal, r.Fault = r.Fault, nil
	}
	r.stop(ReasonFor(ctx, claimed.Err), max(claimed.Verdict.Depth, r.Progress.Depth))
	if r.asked.Question == circuit.Safety {
		r.unfinished = r.asked.lift(cert.Verdict{Invariant: boundedClauses(claimed.Unfinished, maxUnfinished)}).Invariant
	}
}

// conclude is the fourth step: the certificate is checked, and what has passed kept.
func (r *run) conclude(ctx context.Context, claimed Report) {
	r.broken = "the check of the certificate broke off"
	ctx, stop := r.withMemory(ctx)
	defer stop()
	start := time.Now()
	r.Result = r.certify(ctx, r.Circuit, r.Property, r.cone, claimed.Verdict)
	if r.Stats != nil {
		r.Stats[certificateSeconds] = time.Since(start).Seconds()
	}
	r.effort = int64(max(0, min(r.Stats[StatEffort], maxEffort)))
	if r.Checked.Certified() && r.Stats[StatReused] > 0 && len(r.Job.Earlier) > 0 {
		r.Reused = ReusedLemmas
		r.effort = max(r.effort, r.earlierEffort())
	}
	r.keepAnswer()
	r.Common.add(ctx, r.Result)
	if r.Internal != nil {
		claimed.Reject()
	}
	if r.Job.Engine.Where != Here && errors.Is(context.Cause(ctx), errMemory) {
		r.Lost = true // other documents may have taken the memory
	}
}

// withMemory bounds the memory for the check of a certificate that another process has
// found: it may take as much here as the engine might there.
func (job Job) withMemory(ctx context.Context) (context.Context, func()) {
	if job.Engine.Where == Here || job.Limits.Memory == 0 {
		return ctx, func() {}
	}
	return WithLimits(ctx, Limits{Memory: int64(heapBytes()) + job.Limits.Memory})
}

// Claim runs an engine that is Here on a task under its limits and shortens its counterexample.
// Nothing has checked what it returns: this is the part of a run that may happen
// in another process. When the engine did not come to an end, the verdict says
// why, and there is no error.
func Claim(ctx context.Context, e Engine, t Task) Report {
	ctx, stop := WithLimits(ctx, t.Limits)
	defer stop()
	r := claim(ctx, e, t)
	if r.Err != nil {
		r.Verdict, r.Err = cert.Verdict{Depth: r.Verdict.Depth, Reason: ReasonFor(ctx, r.Err)}, nil
	}
	return r
}

func claim(ctx context.Context, e Engine, t Task) Report {
	r := e.Check(ctx, t)
	if r.Err == nil {
		r.Verdict = shorten(ctx, t.Problem, r.Verdict)
	}
	return r
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
func shorten(ctx context.Context, p circuit.Problem, v cert.Verdict) cert.Verdict {
	c := p.Circuit
	if p.Question == circuit.Liveness {
		return shortenLasso(ctx, c, v)
	}
	if v.Outcome != cert.Refuted || v.Trace.Steps()*c.NumGates() > shortenGates {
		return v
	}
	lengths := int64(max(1, v.Trace.Steps()-v.Depth-1))
	// An end of ctx leaves the trace that there is.
	v.Trace, _ = bmc.Shorten(ctx, c, v.Trace, v.Depth+1, min(shortenConflicts, shortenAllConflicts/lengths+1))
	return v
}

// shortenEffort bounds the search for a shorter lasso, in the measure of package bmc.
const shortenEffort = 2_000_000

// shortenLasso is shorten for a lasso: the search begins with the shortest there may be.
func shortenLasso(ctx context.Context, c *circuit.Circuit, v cert.Verdict) cert.Verdict {
	if v.Lasso == nil || v.Lasso.Steps()*c.NumGates() > shortenGates {
		return v
	}
	search := bmc.NewLassoSearch(c, c.Goals(0))
	const portions = 20
	for effort := range portions {
		if search.Depth() >= v.Lasso.Steps() {
			return v
		}
		l, err := search.Advance(ctx, shortenEffort*int64(effort+1)/portions)
		if err != nil {
			return v // with an end of ctx the lasso that there is stays
		}
		if l != nil {
			if l.Steps() < v.Lasso.Steps() {
				v.Lasso = l
			}
			return v
		}
	}
	return v
}

// certify lifts the engine's verdict to the circuit of the job and checks it
// there.
func (r Result) certify(ctx context.Context, c *circuit.Circuit, p circuit.Property, cone *circuit.Cone, verdict cert.Verdict) Result {
	const rejected = "certificate rejected"
	lifted, err := lift(ctx, c, p, cone, verdict)
	if err != nil && ctx.Err() != nil {
		return r.unknown(p, ReasonFor(ctx, err), verdict.Depth)
	}
	if err != nil {
		r.Internal = fmt.Errorf("%s on %s: %s: %w", r.Engine, p, rejected, err)
		return r.unknown(p, internal(rejected), verdict.Depth)
	}
	if original := circuit.OriginalOf(c, p); original != nil && lifted.Outcome == cert.Refuted {
		lifted, err = concrete(ctx, original, p, lifted)
		if err != nil {
			return r.unknown(p, ReasonFor(ctx, err), verdict.Depth)
		}
		verdict.Trace = lifted.Trace.Restrict(cone.Latches, cone.Inputs)
		r.minimal = true // with an x it would be several runs
	}
	checked, err := CheckCertificate(ctx, c, p, lifted)
	_, isRejected := errors.AsType[*cert.RejectedError](err)
	switch {
	case isRejected:
		r.Internal = fmt.Errorf("%s on %s: %w", r.Engine, p, err)
		return r.unknown(p, internal(rejected), verdict.Depth)
	case err != nil:
		return r.unknown(p, ReasonFor(ctx, err), verdict.Depth)
	}
	r.Checked = checked
	r.claim = verdict
	if r.small == nil && verdict.Outcome == cert.Proved && verdict.Ranking == nil {
		r.small = newSmallProof(c, p, cone)
	}
	r.minimise(ctx, c, p, cone)
	if r.vacuity == nil && verdict.Outcome == cert.Proved {
		r.vacuity = &vacuityAnswer{}
		r.vacuity.asked.Store(circuit.OriginalOf(c, p) != nil) // the bad of an abstraction has conditions that no text has
	}
	r.HasNoRun = hasNoRun(verdict)
	return r
}

// concrete returns a refutation by the run of the design that a run of an abstraction stands for.
func concrete(ctx context.Context, original circuit.Original, p circuit.Property, v cert.Verdict) (cert.Verdict, error) {
	if v.Lasso != nil {
		_, _, err := original.Concrete(ctx, p, v.Lasso.Initial, v.Lasso.Inputs)
		return v, cmp.Or(err, errors.New("a loop in an abstraction shows nothing"))
	}
	var err error
	v.Trace.Initial, v.Trace.Inputs, err = original.Concrete(ctx, p, v.Trace.Initial, v.Trace.Inputs)
	return v, err
}

// hasNoRun reports whether a verdict holds because there is no run.
func hasNoRun(v cert.Verdict) bool {
	if v.Ranking != nil {
		return len(v.Ranking.Ranks) == 0
	}
	return v.Outcome == cert.Proved && len(v.Invariant) == 1 && len(v.Invariant[0]) == 0
}

// internal returns the reason of an unknown outcome for a fault of this program.
func internal(what string) string { return "internal error, " + what }

// NotBuilt is the result for a property whose circuit was not built before ctx, one of
// WithLimits, has ended.
func NotBuilt(ctx context.Context, p circuit.Property, engine string) Result {
	return Result{Engine: engine}.unknown(p, ReasonFor(ctx, ctx.Err())+" while the circuit was built", 0)
}

func (r Result) unknown(p circuit.Property, reason string, depth int) Result {
	r.Checked = cert.CheckedUnknown(p, reason, depth)
	return r
}

// Cancelled is the result for a property whose check has been given up.
func Cancelled(p circuit.Property, engine string) Result {
	return Result{Engine: engine}.cancelled(p)
}

// CutOff is a result of Cancelled, or of a check that was cancelled, whose caller says why; any other
// one stays as it is.
func (r Result) CutOff(reason string) Result {
	if c := r.Checked; c.Outcome() == cert.Unknown && c.Reason() == "cancelled" {
		return r.unknown(c.Property(), reason, c.Depth())
	}
	return r
}

func (r Result) cancelled(p circuit.Property) Result {
	return r.unknown(p, "cancelled", r.Checked.Depth())
}

// ReasonFor names what ended ctx, one of WithLimits, in the user's words. err is what came of it.
func ReasonFor(ctx context.Context, err error) string {
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
