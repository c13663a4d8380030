// Package inquiry answers questions about a circuit other than whether a property holds:
//
//   - FindAnother, FindShortest: further counterexamples of a property, and the shortest one;
//   - Isolate: which groups of latches make a property hard;
//   - Suggest: which lemmas might help where a check has ended without an answer;
//   - FindObstacle: which step stands in the way of a proof (a counterexample to induction);
//   - ReachLiterals, ReachLatches: what can happen in a circuit, question by question.
//
// Each file names the papers that it follows. Whatever an engine claims is checked by package
// verify, against the circuit as it is, before it leaves this package. The exception is said in
// the answer: a suggestion is a guess until a caller has it proved.
//
// The package knows no engine by name, no text, no format and no names of signals; names that it
// is given are compared and never shown.
package inquiry

import (
	"context"

	"aiglens/circuit"
	"aiglens/ic3/verify"
)

// Terms say how an inquiry is made: with which engines, within which bounds, and what is told of its progress.
// What is 0 or nil takes its default.
type Terms struct {
	// Engine does all runs.
	Engine verify.Engine
	// Limits are those of one run. ReachLatches takes them for all of its runs together.
	Limits verify.Limits
	// Runs bounds the runs of Suggest. With 0 it makes none, needs no Engine, and says of no
	// suggestion that it is enough.
	Runs int
	// Effort bounds the search of Suggest for what is inductive and, four times as tight, that
	// for violations, in propagations of IC3; 0 is some ten seconds.
	Effort int64
	// Workers is the number of questions of ReachLiterals and ReachLatches that are judged at
	// once; 0 is one.
	Workers int
	// Progress is called now and then, from one goroutine at a time; nil for nothing.
	Progress func(Progress)
}

// Progress is how far an inquiry is.
type Progress struct {
	Part  int             // group of Isolate or question of ReachLiterals and ReachLatches, from 0
	Doing string          // of Suggest: what it does, in words
	Run   verify.Progress // of the run about this part
}

// reporting returns a function that reports the progress of a run about a part; nil for nothing.
func (t *Terms) reporting(part int) func(verify.Progress) {
	if t.Progress == nil {
		return nil
	}
	return func(p verify.Progress) { t.Progress(Progress{Part: part, Run: p}) }
}

// run asks an engine about bad 0 of a circuit.
func (t *Terms) run(ctx context.Context, c *circuit.Circuit, progress func(verify.Progress)) verify.Result {
	p := circuit.Property{Kind: circuit.PropertyBad}
	return verify.Run(ctx, verify.Job{Circuit: c, Property: p, Engine: t.Engine, Limits: t.Limits}, progress)
}
