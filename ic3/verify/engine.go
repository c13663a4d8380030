package verify

import (
	"context"
	"time"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3"
)

// Engine answers questions about circuits. It is a value without state: any number of checks
// may use it, also at the same time.
type Engine struct {
	Name             string // what the user reads before there is an answer: "ic3", "bmc", …
	Safety, Liveness bool   // the questions that Check takes
	Where            Where
	TakesSeeds       bool // Task.Seeds can make a check shorter
	// Alone answers the small questions that come after a verdict, in place of an engine that is
	// several, or whose checks wait behind others; nil is the engine itself.
	Alone *Engine
	// Room bounds what circuits of the checks are in memory; nil is no bound.
	Room *Room
	// Check works on a task. When ctx ends it returns the error of ctx within 100 ms; a
	// check that runs elsewhere may take longer, but no longer than the other process needs to
	// end it. It trusts nothing that it is given, and no caller trusts its report.
	Check func(ctx context.Context, t Task) Report
}

// Answers reports whether Check takes problems with a question.
func (e Engine) Answers(q circuit.Question) bool {
	return q == circuit.Safety && e.Safety || q == circuit.Liveness && e.Liveness
}

// alone returns the engine for a small question.
func (e Engine) alone() Engine {
	if e.Alone != nil {
		return *e.Alone
	}
	return e
}

// Where says where the checks of an engine run, and so which limits of a job it holds itself.
type Where uint8

// The places.
const (
	// Here is this process. Run holds all limits, and shortens counterexamples.
	Here Where = iota
	// InWorker is another process. The engine holds the limits on processor time and memory,
	// which are those of that process, and Run the limit on wall time.
	InWorker
	// InCluster is other machines, where a check may wait for its beginning. The engine holds
	// all limits: that on wall time counts from the beginning.
	InCluster
)

// Task is a problem for an engine, with all that it is given.
type Task struct {
	Problem circuit.Problem
	Limits  Limits // Where says which of them the engine holds
	Seeds   Seeds
	Steps   int // the question is about so many steps, the first ones; 0 is all. An engine may go on
	// Exchange joins the runs elsewhere that exchange lemmas about the problem: clauses over
	// its latches. It is called once for each part of the check; nil for no exchange.
	Exchange   func() ic3.Exchange
	Processors Processors // nil for as many as the check likes
	// Away says that the check needs Problem no more until it calls Back, which makes it again: a check
	// that waits need not have its circuit in memory. Both are nil where it is kept.
	Away func()
	Back func(ctx context.Context) (circuit.Problem, error)
	// Progress is called now and then, from the goroutine that has called Check. It is never nil.
	Progress func(Progress)
}

// Processors tells a check how many processors it may use from now on, at least one; 0 is as many
// as it likes. It holds what was said last, until that is read.
type Processors chan int

// NewProcessors returns one that has said nothing yet.
func NewProcessors() Processors { return make(Processors, 1) }

// Allow says how many processors the check may use from now on. It has one caller at a time.
func (p Processors) Allow(n int) {
	select {
	case <-p: // what was said before and is not read yet no longer counts
	default:
	}
	p <- n
}

// Report is what came of a task.
type Report struct {
	Verdict cert.Verdict // without an answer its Depth says how far the check came
	// Err says why there is no answer. It is the error of the context, a *RemoteError of an engine
	// that runs elsewhere, or a fault of this program. Without it the reason is that of Verdict.
	Err    error
	Engine string        // of several, the one that had the answer; "" for Engine.Name
	Place  string        // the machine that found the answer; "" for this one
	Waited time.Duration // until the check began, which no limit counts
	// Stats are counters of what was done. Some have a meaning here; see StatEffort and
	// StatReused.
	Stats map[string]float64
	// Unfinished are clauses over the latches of the problem that a check without an answer has
	// come to believe: they hold in the first steps as far as the engine is right.
	Unfinished cert.Invariant
	// Fault is what went wrong in a part whose answer did not count: a panic, or a certificate
	// that was rejected.
	Fault error
	// Rejected is called when the certificate fails its check: the process that has sent it is
	// no longer used. Nil where there is no such process.
	Rejected func()
}

// Reject calls Rejected.
func (r Report) Reject() {
	if r.Rejected != nil {
		r.Rejected()
	}
}

// RemoteError says why an engine that runs elsewhere has no answer.
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
