// Package equiv compares two circuits: for each pair of outputs and properties that
// circuit/compare has matched it finds out whether they are equal in all runs.
//
// The questions are bads of a product circuit, which package verify judges, so that each
// answer has a certificate that was checked. Latches that are matched, and agree in random
// runs, are one latch of the product at first, under the obligation that they stay equal:
// what is the same on both sides is then the same gate, and a circuit that was only
// rewritten needs no search. Where an obligation fails the latches are two again. That
// is speculative reduction: Mony and others, "Speculative Reduction-Based Scalable
// Redundancy Identification" (DATE 2009). A difference is replayed on both circuits before
// anybody hears of it.
//
// Gates of the product that are equal in all states are merged before it is judged, so that
// two ways to write the same logic collapse from the inputs upwards: SAT sweeping, Kuehlmann
// and Krohm, "Equivalence Checking Using Cuts and Heaps" (DAC 1997), on graphs as in
// Mishchenko and others, "FRAIGs: A Unifying Representation for Logic Synthesis and
// Verification" (2005). Each merge comes with a proof, the clauses that the solver has learnt
// on the way to it; circuit/cert tests these by unit propagation alone, under the merges
// before, and makes the circuit with the merges itself. What it refuses is not merged.
//
// Then latches and gates are looked for that are equal in all runs, whether their names match
// or not: signal correspondence, van Eijk, "Sequential Equivalence Checking Based on Structural
// Similarities" (TCAD 2000). Where that alone answers all questions with no, circuit/cert tests
// the induction in the same way, and there is nothing left to judge; else it is not used.
//
// The package knows no engine by name, no file and no format.
package equiv

import (
	"context"
	"errors"
	"fmt"
	"time"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/compare"
	"aiglens/ic3/verify"
)

// Verdict is what is found of two circuits, or of a pair of signals of theirs.
type Verdict uint8

// The verdicts. The zero value claims nothing.
const (
	Unknown Verdict = iota
	Equal
	Different
)

func (v Verdict) String() string { return [...]string{"unknown", "equal", "different"}[v] }

// Options say how circuits are compared.
type Options struct {
	// Engine answers all questions.
	Engine verify.Engine
	// Limits are those of the whole comparison; on CPU time and memory those of each
	// question for an engine in a process of its own.
	Limits verify.Limits
	// Bound is the number of steps within which differences are looked for; 0 is no bound.
	// Nothing is equal then. The engine must search step by step.
	Bound int
	// Workers is the number of questions that are judged at once.
	Workers int
	// Progress is called now and then with the question that is being judged, from one
	// goroutine at a time; nil for nothing.
	Progress func(question string, p verify.Progress)

	// In tests: what sweeping and signal correspondence have found, before it is tested.
	changeMerges func([]cert.Merge) []cert.Merge
	changeEquals func([]cert.Equal) []cert.Equal
}

// Answer is what is found of one question.
type Answer struct {
	Verdict Verdict
	Reason  string // of Unknown
	// Difference is that of Different, replayed on both circuits.
	Difference *compare.Difference
	Engine     string
	Depth      int
	Elapsed    time.Duration // until the answer was there
}

// Report is what a comparison comes to.
type Report struct {
	Matching *compare.Matching
	// Runs says whether the same runs are allowed; nil where both allow all.
	Runs *Answer
	// Vacuous says that no step 0 meets the constraints: nothing could be compared.
	Vacuous bool
	Pairs   []Answer // by position in Matching.Observed
	Merged  int      // pairs of latches that were shown to be equal on the way
	Elapsed time.Duration
	// Internal is a fault of this program, to be reported; nil for none.
	Internal error
}

// Verdict says what holds of the circuits as a whole, and why where that is not known.
// They are equal only when everything that can be observed of either was compared.
func (r *Report) Verdict() (v Verdict, reason string) {
	if r.Runs != nil && r.Runs.Verdict == Different {
		return Different, ""
	}
	unknown := 0
	for _, a := range r.Pairs {
		switch a.Verdict {
		case Different:
			return Different, ""
		case Unknown:
			if unknown++; unknown == 1 {
				reason = a.Reason
			}
		}
	}
	switch alone := len(r.Matching.NotCompared(0)) + len(r.Matching.NotCompared(1)); {
	case r.Runs != nil && r.Runs.Verdict == Unknown:
		return Unknown, r.Runs.Reason
	case r.Vacuous:
		return Unknown, "no run meets the constraints, so nothing was compared"
	case unknown > 0:
		return Unknown, reason
	case len(r.Pairs) == 0:
		return Unknown, compare.ErrNothing.Error()
	case alone > 0:
		return Unknown, fmt.Sprintf("outputs or properties without a partner: %d", alone)
	}
	return Equal, ""
}

// simulated is the number of steps after which latches may be taken for equal.
const simulated = 64

// Run compares two circuits. It never fails: when ctx ends, or a limit is met, what is not
// decided is unknown.
func Run(ctx context.Context, m *compare.Matching, o Options) *Report {
	begin := time.Now()
	c := &comparison{Options: o, m: m, begin: begin, report: &Report{Matching: m, Pairs: make([]Answer, len(m.Observed))}}
	limits := o.Limits
	if o.Engine.Where != verify.Here { // those of its process are for each question
		limits = verify.Limits{Wall: limits.Wall}
		c.each = verify.Limits{CPU: o.Limits.CPU, Memory: o.Limits.Memory}
	}
	ctx, stop := verify.WithLimits(ctx, limits)
	defer stop()
	c.merged = m.Agreeing(simulated)
	if m.HasConstraints() {
		c.compareRuns(ctx)
	}
	if r := c.report; r.Runs == nil || r.Runs.Verdict == Equal && !r.Vacuous {
		c.compareObserved(ctx)
	} else {
		reason := "it is not known whether the same runs are allowed"
		if r.Runs.Verdict == Different {
			reason = "not the same runs are allowed"
		} else if r.Vacuous {
			reason = "no run meets the constraints"
		}
		for i := range r.Pairs {
			r.Pairs[i] = Answer{Reason: reason, Elapsed: time.Since(begin)}
		}
	}
	c.report.Elapsed = time.Since(begin)
	return c.report
}

// comparison is one under way.
type comparison struct {
	Options
	m      *compare.Matching
	begin  time.Time
	merged []bool        // by pair of latches: whether they are taken for one
	each   verify.Limits // of each question, on the process that the engine runs in
	// efforts are those of sweeping and correspondence; nil before the first product.
	efforts *efforts
	report  *Report
}

// compareRuns asks whether the same runs are allowed, and whether there is any.
func (c *comparison) compareRuns(ctx context.Context) {
	q := questions{
		name: "constraints", open: []int{0, 1},
		product: func(_ []int, merged []bool) *compare.Product { return c.m.Runs(merged) },
		found: func(r *compare.Replayed) map[int]*compare.Difference {
			if r.Forbidden == nil {
				return nil
			}
			return map[int]*compare.Difference{0: r.Forbidden, 1: r.Forbidden}
		},
	}
	answers := c.settle(ctx, q)
	for _, v := range []Verdict{Equal, Unknown, Different} { // the last that there is
		for i := range q.open {
			if answers[i].Verdict == v {
				c.report.Runs = answers[i]
			}
		}
	}
	if c.report.Runs.Verdict != Equal {
		return
	}
	p := c.m.Steps()
	r := c.judge(ctx, "constraints", verify.Job{Circuit: p, Property: circuit.Property{Kind: circuit.PropertyBad}, Engine: c.Engine})
	switch r.Checked.Outcome() {
	case cert.Proved:
		c.report.Vacuous = true
	case cert.Unknown:
		c.report.Runs = c.unknown(ctx, r)
	}
}

// compareObserved asks of all pairs whether they are equal.
func (c *comparison) compareObserved(ctx context.Context) {
	q := questions{
		name: "outputs", product: c.m.Differences,
		found: func(r *compare.Replayed) map[int]*compare.Difference {
			found := map[int]*compare.Difference{}
			for i := range r.Differences {
				found[r.Differences[i].Pair] = &r.Differences[i]
			}
			return found
		},
	}
	for i := range c.m.Observed {
		q.open = append(q.open, i)
	}
	for i, a := range c.settle(ctx, q) {
		c.report.Pairs[i] = *a
	}
}

// unknown returns the answer to a question that a run left open.
func (c *comparison) unknown(ctx context.Context, r verify.Result) *Answer {
	reason := r.Checked.Reason()
	if ctx.Err() != nil {
		reason = verify.ReasonFor(ctx, ctx.Err())
	}
	if r.Internal != nil {
		c.report.Internal = errors.Join(c.report.Internal, r.Internal)
	}
	depth := r.Checked.Depth()
	if c.Bound > 0 && depth >= c.Bound {
		reason, depth = "no difference in the first "+cert.Count(c.Bound, "step", "steps"), c.Bound
	}
	return &Answer{Reason: reason, Engine: r.Engine, Depth: depth, Elapsed: time.Since(c.begin)}
}
