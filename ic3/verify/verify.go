// Package verify runs the engines: one job per property, under limits, with
// the certificate of every answer checked before anyone sees it.
//
// It is the only way from a circuit to a verdict that can be shown. It knows no
// text, no file format and no protocol; time and limits live here and in its
// callers, never in an engine.
package verify

import (
	"context"
	"fmt"
	"strings"
	"time"

	"aiglens/circuit"
	"aiglens/circuit/cert"
)

// Engine answers questions about circuits.
type Engine interface {
	// Name is what the user reads: "ic3", "bmc", …
	Name() string
	// Answers reports whether Check takes problems with a question.
	Answers(circuit.Question) bool
	// Check judges problem. It calls progress now and then, from the calling
	// goroutine. When ctx ends it returns its error within 100 ms, with a verdict
	// whose Depth says how far it came.
	Check(ctx context.Context, problem circuit.Problem, progress func(Progress)) (cert.Verdict, error)
}

// Progress is how far an engine has come.
type Progress struct {
	Depth       int // frames, or the bound
	Lemmas      int
	Obligations int // open proof obligations
	Bound       int // of a search for counterexamples beside; 0 before it begins
	// Nodes is how many other machines are at work on the problem. It never comes from one.
	Nodes int `json:"-"`
}

// Limits bound one job. Zero is no limit.
type Limits struct {
	Wall time.Duration
	CPU  time.Duration
	// Memory is a soft limit on the heap of the whole process, in bytes; of a
	// Remote engine, on the memory of the process that it runs in.
	Memory int64
}

// Remote is an Engine that runs in a process of its own. Run leaves to it the
// limits on CPU time and memory, which are those of that process, and the
// shortening of its counterexamples. It is trusted no more than any other: its
// certificates are checked here.
type Remote interface {
	Engine
	// CheckWithin is Check under limits. An error other than that of ctx is a
	// *RemoteError. It may take longer to return after the end of ctx, but not
	// before the other process is done with the check or gone.
	CheckWithin(ctx context.Context, problem circuit.Problem, limits Limits, progress func(Progress)) (cert.Verdict, error)
	// Rejected says that the certificate of the last answer failed its check:
	// the process that sent it is to be used no more.
	Rejected()
}

// Queueing is a Remote whose checks may wait elsewhere for somebody to begin with them. It holds
// the limit on wall time itself, which counts from the beginning.
type Queueing interface {
	Remote
	// Waited returns how long the last check has waited.
	Waited() time.Duration
}

// Placed is implemented by engines that run in several places.
type Placed interface {
	// Place names the machine that found the last answer; "" is this one.
	Place() string
}

// Lasting is implemented by engines with work that goes on between the turns of a job. Its
// methods may be called from any goroutine, and return at once.
type Lasting interface {
	// Ready reports whether the next turn has nothing left to do.
	Ready() bool
	// End says that there will be no further turn.
	End()
}

// waited returns how long the last check of an engine has waited for its beginning.
func waited(e Engine) time.Duration {
	if q, ok := e.(Queueing); ok {
		return q.Waited()
	}
	return 0
}

// RemoteError says why a Remote engine has no answer.
type RemoteError struct {
	Reason string // in the user's words
	// Lost says that the fault lies with the other process and not with the
	// property: another try may succeed.
	Lost bool
	// Internal is set for a fault of this program, to be reported.
	Internal error
}

func (e *RemoteError) Error() string { return e.Reason }

func (e *RemoteError) Unwrap() error { return e.Internal }

// StatsReporter is implemented by engines that count what they did.
type StatsReporter interface {
	// Stats returns the counters of the last Check. Some have a meaning here; see
	// StatEffort and StatReused.
	Stats() map[string]float64
}

// Unfinished is implemented by engines that can say what a run without an answer has come
// to believe.
type Unfinished interface {
	// Unfinished returns clauses over the latches of the problem of the last Check, which
	// hold in the first steps as far as the engine is right; nil for none.
	Unfinished() cert.Invariant
}

// Faulty is implemented by engines of several parts, of which one may fail while another
// one answers.
type Faulty interface {
	// Fault returns what went wrong in the last Check, or nil: a panic, or a certificate
	// that was rejected, of a part whose answer did not count.
	Fault() error
}

// Throttled is implemented by engines that can use several processors.
type Throttled interface {
	// Allow says how many it may use from now on, at least one; 0 is as many as it likes.
	// It may be called from any goroutine, before and during a Check.
	Allow(processors int)
}

// Job is one property to be judged.
type Job struct {
	Circuit  *circuit.Circuit
	Property circuit.Property
	Engine   Engine // used by this job alone
	Limits   Limits
	// Rank and Size of the cone, for the order in which a Scheduler takes jobs: those of a
	// lower rank first.
	Rank, Size int
	// Cache is asked before the engine and told what it finds; nil is none.
	Cache Cache
	// Recall asks the cache alone. What it does not know is unknown.
	Recall bool
	// Earlier are results that may still say something, the most telling first; nil
	// ones are skipped. Their names are held against Names. They make the run shorter
	// and never decide a verdict.
	Earlier []*Earlier
	Names   Names // of Circuit
	// Common is what other jobs about Circuit have found, which this one adds to; nil keeps
	// it to itself.
	Common *Common
	// Lemmas are those of the text, for whoever has some of their proofs already.
	Lemmas []Lemma
	// FindVacuity asks why a proved property holds vacuously, if it does. It takes a share of the
	// time of the run, and the engine once more.
	FindVacuity bool
	// Then is called after the last of the Turns with what came of it, within the limits of
	// the job; nil for nothing.
	Then func(context.Context, Result)

	resumed bool   // an earlier turn has ended without an answer
	turn    *Turns // of which this is one; nil when there is but one
}

// offered returns the cones of the lemmas.
func (job Job) offered() (cones []circuit.Fingerprint) {
	for _, l := range job.Lemmas {
		cones = append(cones, l.Fingerprint)
	}
	return cones
}

// Result is a checked verdict and how it came about.
type Result struct {
	Checked     cert.Checked
	Fingerprint circuit.Fingerprint // of the property's cone
	Engine      string
	Elapsed     time.Duration // wall time, the check of the certificate included; see Queueing
	HasNoRun    bool          // it is proved, for no initial state meets the constraints
	// Cached says that the answer comes from the cache. Found is then how long the run
	// took that put it there.
	Cached bool
	Found  time.Duration
	// Place names the machine of a cluster that found the answer, or the one who has shared it
	// there; "" is this machine.
	Place  string
	Reused Reuse // what of Job.Earlier the answer rests on
	// Granted are the cones of the properties whose proofs the run has taken for granted, and
	// which are part of its own: of lemmas, for a justice property also of others. In another
	// text these may have other numbers, or be gone.
	Granted []circuit.Fingerprint
	// Offered are the cones of Job.Lemmas, proved or not. With others a run that has found
	// nothing might find something.
	Offered  []circuit.Fingerprint
	Progress Progress // the last one reported
	Allowed  Limits   // those of the job
	Stats    map[string]float64
	// Internal is set when an engine's certificate failed its check, an engine
	// panicked or a worker process went wrong: a fault of this program, to be
	// reported. The outcome is then unknown, and the reason says what happened in a
	// few words; this text is for the log, and may hold a stack.
	Internal error
	// Aside is a fault of a part of the engine that had no say in the answer, which
	// stands: to be reported all the same.
	Aside error
	// Unsupported says that the question is none that the engine answers, whatever the
	// circuit is.
	Unsupported bool
	// Lost says that the process of a Remote engine ended before it could answer, or
	// that there was no memory here for its certificate. The outcome is unknown, and
	// says nothing of the property.
	Lost bool

	claim cert.Verdict // the engine's verdict on the cone, behind Checked
	// unfinished are clauses over the latches of the cone that a run without an answer leaves.
	unfinished cert.Invariant
	// minimal says that the trace of claim was made so.
	minimal bool
	vacuity *vacuityAnswer // of a proof
	small   *smallProof    // of a proof by an invariant; see WithSmallProof
	effort  int64          // of the run from scratch that the answer goes back to; 0: not known
}

// Took returns the wall time of the run that found the answer, which may have been
// an earlier one.
func (r Result) Took() time.Duration {
	if r.Cached {
		return r.Found
	}
	return r.Elapsed
}

// String is Words for the property that the result was found for.
func (r Result) String() string { return r.Words(r.Checked.Property().Kind) }

// Words says the verdict on a property of a kind in the words that every surface uses. The
// property may be another one than that of Checked, with the same cone.
func (r Result) Words(kind circuit.PropertyKind) string {
	outcome := r.Checked.Outcome()
	switch {
	case kind == circuit.PropertyCover && outcome == cert.Refuted:
		return fmt.Sprintf("reached at step %d", r.Checked.Trace().Steps()-1)
	case kind == circuit.PropertyCover && outcome == cert.Proved:
		return fmt.Sprintf("never reached: %s · %.1f s", r.Checked, r.Took().Seconds())
	case kind == circuit.PropertyLemma && outcome == cert.Refuted:
		return r.Checked.String() + ": not used"
	case outcome == cert.Proved:
		return fmt.Sprintf("%s · %.1f s", r.Checked, r.Took().Seconds())
	}
	words := r.Checked.String()
	if limit := r.limit(); limit != "" {
		words = r.Checked.UnknownWords(r.Checked.Reason() + " of " + limit)
	}
	if kind == circuit.PropertyCover {
		words = strings.Replace(words, "no violation in", "not reached in", 1)
	}
	return words
}

// Standing is what a verdict means for the design.
type Standing uint8

// The standings. A lemma says nothing of the design: one that is refuted is of no use, and one
// without an answer just as well, which fails nothing.
const (
	Open    Standing = iota // nobody knows
	Passed                  // a property is proved, a cover reached
	Failed                  // a property is refuted, a cover never reached
	Useless                 // a lemma is refuted, or not proved
)

// StandingOf returns what an outcome means for a property of a kind.
func StandingOf(kind circuit.PropertyKind, o cert.Outcome) Standing {
	switch {
	case kind == circuit.PropertyLemma && o != cert.Proved:
		return Useless
	case o == cert.Unknown:
		return Open
	case (o == cert.Proved) == (kind != circuit.PropertyCover):
		return Passed
	}
	return Failed
}

// limit returns the limit at which the run ended, with its unit; "" when it ended
// otherwise.
func (r Result) limit() string {
	if wait, ok := r.TimeLimit(); ok {
		return fmt.Sprintf("%g s", wait.Seconds())
	}
	if r.Checked.Reason() == string(errMemory) && r.Allowed.Memory > 0 {
		return fmt.Sprintf("%d MB", r.Allowed.Memory>>20)
	}
	return ""
}

// TimeLimit returns the limit on wall or processor time at which the run ended; ok is
// false when it ended otherwise.
func (r Result) TimeLimit() (limit time.Duration, ok bool) {
	switch errLimit(r.Checked.Reason()) {
	case errTimeout:
		limit = r.Allowed.Wall
	case errCPU:
		limit = r.Allowed.CPU
	}
	return limit, limit > 0
}
