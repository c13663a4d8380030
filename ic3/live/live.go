// Package live decides justice properties: whether the literal of a
// circuit.Repetition can be 1 infinitely often.
//
// Several parts work on that question, each in its own way, and take turns:
// k-liveness, rlive, liveness to safety, and a bounded search for lassos. None of them
// suits all circuits, and some can only prove, or only refute. All count their effort,
// so that no clock decides: same circuit, same options, same run.
//
// The package does no I/O, and its claims are not to be trusted: its callers check them.
package live

import (
	"context"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3"
	"aiglens/ic3/reduce"
)

// Part is one way to answer the question.
type Part struct {
	Name  string
	About string // half a sentence
	// Share is how much of the effort the part may spend, relative to the shares of
	// the others that still run.
	Share int64
	Run   Run
	// OnlyRefutes says that the part never proves.
	OnlyRefutes bool
}

// Run works on r until it has a Claim; the zero Claim says that it cannot answer. It
// calls turn often, in between the queries that it asks: the call returns when it is the
// part's turn again. An error is that of ctx, and so is the one that turn returns, after
// which the part must end: its claim is no longer wanted. It uses one goroutine and
// never changes r.
type Run func(ctx context.Context, r *circuit.Repetition, o Options, turn Turn) (Claim, error)

// Turn says how far a part has come, and waits until it may go on. The error is that of
// the context that the part was given, which has ended then.
type Turn func(Progress) error

// Claim is an unchecked answer about a Repetition. At most one of its
// members is set.
type Claim struct {
	Ranking *cert.Ranking // over the latches of the Repetition's circuit: it is a proof
	// Lasso is over the latches and inputs of the Repetition's circuit. Its state after
	// the last step is that of step Loop, in all latches, and the literal is 1 in a step
	// from Loop on.
	Lasso *cert.Lasso
}

// IsZero reports whether the claim says nothing.
func (c Claim) IsZero() bool { return c.Ranking == nil && c.Lasso == nil }

// Progress is how far a part has come.
type Progress struct {
	// Effort is what the part has spent so far, in all, about as many as propagations:
	// the measure of ic3.Progress. It never becomes less.
	Effort      int64
	Depth       int // in the part's own measure: rounds, states on the path, frames, steps
	Lemmas      int // clauses that it holds
	Obligations int // open ones
}

// Options choose how the question is answered. The zero value is usable.
type Options struct {
	IC3      ic3.Options    // for all parts that run it
	Parts    []Part         // nil is Parts()
	NoReduce bool           // work on the circuit as it is
	Reduce   reduce.Options // what of it to leave out
}

// PartStats counts what a part did.
type PartStats struct {
	Name string
	Progress
	Turns int
	Ended bool // it had nothing more to say
}

// Stats counts what a check did.
type Stats struct {
	Parts   []PartStats // of all runs together, in the order of Options.Parts
	By      string      // the part that had the answer
	Reduced reduce.Stats
	Again   bool // the answer comes from a run on the circuit as it is
}

// Effort returns what all parts have spent.
func (s Stats) Effort() int64 {
	var sum int64
	for _, p := range s.Parts {
		sum += p.Effort
	}
	return sum
}
