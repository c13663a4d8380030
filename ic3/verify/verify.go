// Package verify runs the engines: one job per property, under limits, with
// the certificate of every answer checked before it is shown.
//
// It is the only way from a circuit to a verdict that can be shown. It knows no
// text, no file format and no protocol; time and limits live here and in its
// callers, never in an engine.
//
// Run takes the cone of a property, asks the cache and then the engine, lifts the claim to the
// whole circuit and has cert.Check test the certificate there. An engine may be a worker process
// or a cluster: lifting and checking stay here, so that neither has to be trusted. A
// counterexample that has passed is made minimal and checked again; if that fails, the first one
// stays. What an earlier run about the same property has left is tried first: its trace is
// replayed, its invariant is checked, and where that is none any more, its clauses are given to
// the engine. Neither decides a verdict.
//
// A Scheduler runs jobs in an order: the urgent ones, then the smallest cones, by turns. A job
// that takes long gives way to the others of its file and begins again later, for four times as
// long. What the jobs about one circuit find they have in common (Common): a counterexample is
// held against all properties by simulation, and invariants are lemmas of runs that begin later.
// A lemma of the user (circuit.PropertyLemma) takes its first turn before the others begin; the
// invariant that proves it becomes a constraint of their questions and a part of their
// certificates. StandingOf alone says that the refutation of a cover is the good answer.
package verify

import (
	"context"
	"fmt"
	"strings"
	"time"

	"aiglens/circuit"
	"aiglens/circuit/cert"
)

// Progress is how far an engine has come.
type Progress struct {
	Depth       int // frames, or the bound
	Lemmas      int
	Obligations int // open proof obligations
	Bound       int // of a search for counterexamples beside; 0 before it begins
	// Nodes is how many other machines are at work on the problem. It never comes from one.
	Nodes int `json:"-"`
}

// CleanSteps returns how many steps, the first ones, have no violation, as far as the engine is right. It is
// about safety alone.
func (p Progress) CleanSteps() int { return max(p.Depth, p.Bound) }

// DefaultWall is the limit on wall time where the user sets none.
const DefaultWall = time.Minute

// Limits bound one job. Zero is no limit.
type Limits struct {
	Wall time.Duration
	CPU  time.Duration
	// Memory is a soft limit on the heap of the whole process, in bytes; of an
	// engine that runs elsewhere, on the memory of the process that it runs in.
	Memory int64
}

// Job is one property to be judged.
type Job struct {
	Circuit  *circuit.Circuit
	Property circuit.Property
	Engine   Engine
	Between  Between
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
	// Lemmas are those of the text, for an engine that has some of their proofs already.
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

// Between is work for a job that goes on while none of its turns runs: a check by others. Its
// functions may be called from any goroutine and return at once; nil ones stand for no work.
type Between struct {
	Ready func() bool // the next turn has nothing left to do
	End   func()      // there will be no further turn
}

// lemmaCones returns the cones of the lemmas.
func (job Job) lemmaCones() (cones []circuit.Fingerprint) {
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
	// Elapsed is the wall time of all turns, without Report.Waited: until the certificate was checked, or
	// without an answer until the end.
	Elapsed  time.Duration
	HasNoRun bool // it is proved, because no initial state meets the constraints
	// Cached says that the answer comes from the cache. Found is then how long the run
	// took that put it there.
	Cached bool
	Found  time.Duration
	// Place names the machine of a cluster that found the answer, or that of the asker that has shared it
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
	// Fault is that of a part of the engine that had no say in the answer, which
	// stands: to be reported all the same.
	Fault error
	// Unsupported says that the question is none that the engine answers, whatever the
	// circuit is.
	Unsupported bool
	// Lost says that the process that an engine runs in ended before it could answer, or
	// that there was no memory here for its certificate. The outcome is unknown, and
	// says nothing about the property.
	Lost bool

	claim  cert.Verdict  // the engine's verdict on the cone, from which Checked was made
	waited time.Duration // see Report.Waited
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

// The standings. A lemma says nothing about the design: one that is refuted is of no use, and one
// without an answer just as well, which fails nothing.
const (
	Open    Standing = iota // not known
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
