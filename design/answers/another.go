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
	// Shortest is what the search for the shortest run says of its length; nil for others.
	Shortest *inquiry.Shortest
}

// IsRun reports whether a search has found a run.
func (r *KnownRun) IsRun() bool { return r.Result.Checked.Outcome() == cert.Refuted }

func (r *KnownRun) steps() int { return r.Result.Checked.Trace().Steps() }

// MostRuns bounds the counterexamples that are known of a property.
const MostRuns = 100

// errEnough says that no further runs are searched for.
var errEnough = errors.New("the limit of known runs is reached: no more are searched for")

// terms are those of a search for runs.
func (q *Question) terms() inquiry.Terms {
	return inquiry.Terms{
		Engine: q.Engine, Limits: q.Run,
		Progress: func(p inquiry.Progress) {
			q.Show(fmt.Sprintf("depth %d · %s · bound %d", p.Run.Depth, Count(p.Run.Lemmas, "lemma", "lemmas"), p.Run.Bound))
		},
	}
}

// FindAnother looks for a counterexample that is none of those that are known, of the circuit of
// the document. Words say what it has found, also where that is not a run. The error is that of ctx.
func FindAnother(ctx context.Context, q Question, known []KnownRun) (found KnownRun, err error) {
	if len(known) >= MostRuns {
		return found, errEnough
	}
	traces := make([]cert.Trace, len(known))
	for i, k := range known {
		traces[i] = k.Result.Checked.Trace()
	}
	found.Result, err = inquiry.FindAnother(ctx, q.Document.Circuit(), q.Property.ID, traces, q.terms())
	switch found.Result.Checked.Outcome() {
	case cert.Refuted:
		found.Words = fmt.Sprintf("another one, of %s", Count(found.steps(), "step", "steps"))
	case cert.Proved:
		found.Words = "no other run ends differently: proved"
	default:
		found.Words = "it is unknown whether there is another one: " + found.Result.Checked.Reason()
	}
	return found, err
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
	all[at].Words, all[at].Shortest = shortestWords(&s), &s
	return all, at, err
}

func shortestWords(s *inquiry.Shortest) string {
	steps := Count(s.Result.Checked.Trace().Steps(), "step", "steps")
	switch {
	case s.Proof != nil:
		return fmt.Sprintf("the shortest, of %s: proved · %s", steps, Count(len(s.Proof.Checked.Invariant()), "clause", "clauses"))
	case s.IsShortest():
		return fmt.Sprintf("the shortest, of %s, according to a bounded search; there is no proof", steps)
	}
	return fmt.Sprintf("the shortest so far, of %s; a shorter one has more than %d", steps, s.Bound)
}
