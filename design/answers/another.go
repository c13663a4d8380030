package answers

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"aiglens/circuit/cert"
	"aiglens/ic3/inquiry"
	"aiglens/ic3/verify"
)

// KnownRun is a counterexample that is known, or a run that reaches a cover.
type KnownRun struct {
	Result verify.Result
	Words  string // what its search has found; "" for that of the check
}

func (r *KnownRun) steps() int { return r.Result.Checked.Trace().Steps() }

// mostRuns bounds the counterexamples that are known of a property.
const mostRuns = 100

// errEnough says that no further counterexamples are looked for.
var errEnough = errors.New("so many counterexamples are known of it that no more are looked for")

// terms are those of a search for runs.
func (q *Question) terms() inquiry.Terms {
	return inquiry.Terms{
		Engine: q.Engine, Limits: q.Run,
		Progress: func(p inquiry.Progress) {
			q.Show(fmt.Sprintf("depth %d · %d lemmas · bound %d", p.Run.Depth, p.Run.Lemmas, p.Run.Bound))
		},
	}
}

// FindAnother looks for a counterexample that is none of those that are known, of the circuit of
// the document. Where it finds one that is the last of those that it returns; words say
// what it has found. The error is that of ctx.
func FindAnother(ctx context.Context, q Question, known []KnownRun) (all []KnownRun, words string, err error) {
	if len(known) >= mostRuns {
		return nil, "", errEnough
	}
	traces := make([]cert.Trace, len(known))
	for i, k := range known {
		traces[i] = k.Result.Checked.Trace()
	}
	r, err := inquiry.FindAnother(ctx, q.Document.Circuit(), q.Property.ID, traces, q.terms())
	switch {
	case err != nil:
		return known, "", err
	case r.Checked.Outcome() == cert.Refuted:
		one := KnownRun{Result: r}
		one.Words = fmt.Sprintf("another one, of %d steps", one.steps())
		return append(slices.Clone(known), one), one.Words, nil
	case r.Checked.Outcome() == cert.Proved:
		return known, "every other one ends like one of those that are known: proved", nil
	}
	return known, "whether there is another one is unknown: " + r.Checked.Reason(), nil
}

// FindShortest looks for the shortest counterexample, and for the proof that none is shorter, and
// returns where it stands among those that are known then. At the end of ctx what was found by
// then comes with its error.
func FindShortest(ctx context.Context, q Question, known []KnownRun) (all []KnownRun, at int, err error) {
	all = slices.Clone(known)
	for i := range all {
		if all[i].steps() < all[at].steps() {
			at = i
		}
	}
	s, err := inquiry.FindShortest(ctx, q.Document.Circuit(), q.Property.ID, all[at].Result, q.terms())
	if s.Result.Checked.Outcome() != cert.Refuted {
		return known, at, err
	}
	if s.Result.Checked.Trace().Steps() < all[at].steps() {
		at, all = len(all), append(all, KnownRun{Result: s.Result})
	}
	all[at].Words = shortestWords(&s)
	return all, at, err
}

func shortestWords(s *inquiry.Shortest) string {
	steps := s.Result.Checked.Trace().Steps()
	switch {
	case s.Proof != nil:
		return fmt.Sprintf("the shortest, of %d steps: proved · %d clauses", steps, len(s.Proof.Checked.Invariant()))
	case s.IsShortest():
		return fmt.Sprintf("the shortest, of %d steps, as far as a bounded search is right; there is no proof", steps)
	}
	return fmt.Sprintf("the shortest so far, of %d steps; a shorter one has more than %d", steps, s.Bound)
}
