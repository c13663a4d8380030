// Package horn decides systems of constrained Horn clauses over linear arithmetic.
//
// The variants follow Gurfinkel, "IC3, PDR, and Friends" (2015), sections 3 to 5, and Komuravelli, Gurfinkel
// and Chaki, "SMT-Based Model Checking for Recursive Programs" (CAV 2014). The package knows no text, no clock
// and no checker: an Answer is a claim, which package horn/cert must accept before it is shown.
//
// The words are those of the field. A frame F_k(P) is a conjunction of lemmas that holds for all arguments of P
// with a derivation of height at most k. A fact is a cube of arguments that P is known to have.
package horn

import (
	"cmp"
	"context"

	chc "aiglens/horn"
	"aiglens/horn/cert"
	"aiglens/ic3/sat"
)

// Variant names an algorithm.
type Variant string

// The variants.
const (
	// Spacer is the default: a frame and facts for each predicate.
	Spacer Variant = "spacer"
	// GPDR has one predicate, and an obligation for each atom of a body (Hoder and Bjørner, SAT 2012). With several
	// atoms an obligation is one point, so that a search for one may never end: Limits bound it.
	GPDR Variant = "gpdr"
	// APDR is for linear systems, and has one predicate: predecessors by projection, conflicts by interpolation.
	APDR Variant = "apdr"
)

// Variants lists all, the default first.
func Variants() []Variant { return []Variant{Spacer, GPDR, APDR} }

// Options change a run. The zero value is the default.
type Options struct {
	Variant Variant // "" is Spacer
	Limits  Limits
	// Progress is called often, by the goroutine that solves. nil for nothing.
	Progress func(Progress)
}

// Limits bound a run; 0 is no limit. What reaches one is unknown.
type Limits struct {
	Levels      int
	Queries     int64
	Obligations int // for GPDR 0 is 20,000
}

// Progress says how far a run is.
type Progress struct {
	Level  int // of the frontier
	Lemmas int
	Facts  int
	// Queries counts those of all solvers.
	Queries int64
}

// Answer is what a run claims, with its certificate, and what it took.
type Answer struct {
	cert.Answer
	Stats Stats
}

// Stats counts what a run did.
type Stats struct {
	Level       int // of the frontier
	Lemmas      int // found
	Facts       int
	Obligations int
	Solver      sat.Stats // of all solvers together
}

// Reasons for an unknown answer.
const (
	ReasonCancelled = "cancelled"
	ReasonLevels    = "the limit of levels is reached"
	ReasonQueries   = "the limit of queries is reached"
	ReasonIntegers  = "the search for integers reached its limit"
	ReasonPoints    = "the limit of obligations is reached"
	ReasonLinear    = "apdr is for linear clauses"
	ReasonVariant   = "there is no such variant"
)

// Solve decides a system, or says why not. It returns soon after ctx is done. The same system and options give
// the same answer.
func Solve(ctx context.Context, s *chc.System, o Options) Answer {
	switch o.Variant {
	case "", Spacer:
		return newEngine(ctx, s, o).solve()
	case APDR:
		if !s.IsLinear() {
			return Answer{Answer: cert.Answer{Reason: ReasonLinear}}
		}
		return solveOne(ctx, s, o)
	case GPDR:
		o.Limits.Obligations = cmp.Or(o.Limits.Obligations, gpdrObligations)
		return solveOne(ctx, s, o)
	}
	return Answer{Answer: cert.Answer{Reason: ReasonVariant}}
}
