package engines

import (
	"context"
	"slices"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3"
	"aiglens/ic3/reduce"
	"aiglens/ic3/verify"
)

// again is a run of IC3 that begins with earlier clauses. IC3 is chaotic: with true
// lemmas given it may well take longer than without, above all when an edit has
// broken the property. So the run takes turns with one from scratch: the first, on
// the circuit as it is, to see whether the clauses are an invariant still, which most
// edits leave them, and then for a small share.
type again struct {
	turn
	first int64 // effort of the first turn; later ones get a share of what the run from scratch has spent
	// problem is what the run is about, and reduced what is left of it, nil before
	// the second turn; lower and lift translate.
	reduced *circuit.Circuit
	lower   func(cert.Invariant) cert.Invariant
	lift    func(cert.Verdict) (cert.Verdict, error)
	found   bool
	verdict cert.Verdict // on the whole problem
	stats   ic3.Stats
}

const (
	// firstTurn is the least effort of the first turn, which takes 20 to 40 ms.
	firstTurn = 200_000
	// firstShare is the part of the earlier run's effort that the first turn may
	// spend to filter the clauses.
	firstShare = 40
	// againShare is the part of the effort of the run from scratch that this one may
	// spend in the end.
	againShare = 24
)

// newAgain returns a run that has done nothing yet, or nil without seeds.
func newAgain(ctx context.Context, problem *circuit.Circuit, o ic3.Options, s verify.Seeds) *again {
	if s.IsEmpty() {
		return nil
	}
	a := &again{first: max(firstTurn, s.Effort/firstShare)}
	a.prepare(ctx, func(ctx context.Context) {
		before := int64(0) // effort not counted in p
		pause := func(p ic3.Progress) { a.spend(before + p.Effort) }
		f, err := ic3.Filter(ctx, problem, slices.Concat(s.Lemmas, s.Clauses), o, pause)
		switch {
		case err != nil:
			return
		case f.Safe:
			a.found, a.stats.Seeds = true, len(f.Inductive)
			a.verdict = cert.Verdict{Outcome: cert.Proved, Depth: 1, Invariant: f.Inductive}
			return
		case len(f.Inductive) == 0, len(s.Clauses) == 0: // with lemmas alone that is the other run
			return
		}
		share := a.allowed - a.first
		a.first = max(firstTurn, a.spent)
		a.allowed = a.first + share
		for a.reduced == nil {
			if !a.rest() {
				return
			}
		}
		before = a.spent + 2*ic3.EncodeEffort(a.reduced) // which pays only when more follows
		if pause(ic3.Progress{}); ctx.Err() != nil {
			return
		}
		o.Lemmas, o.Guesses = a.lower(f.Inductive), a.lower(f.Rest)
		v, stats, err := ic3.Check(ctx, a.reduced, o, pause)
		if err == nil {
			a.verdict, err = a.lift(v)
			a.found, a.stats = err == nil, stats
		}
	})
	return a
}

// advance goes on until the run has spent its first turn and a share of another
// run's effort. It reports whether the run has an answer.
func (a *again) advance(effort int64) bool {
	if a == nil {
		return false
	}
	if a.allowed = a.first + effort/againShare; !a.found && a.spent <= a.allowed {
		a.resume()
	}
	return a.found
}

// close ends the run.
func (a *again) close() {
	if a != nil {
		a.end()
	}
}

// reduce tells the run what is left of the problem.
func (a *again) reduce(ctx context.Context, c *circuit.Circuit, r *reduce.Reduced) {
	if a == nil {
		return
	}
	a.reduced = c
	a.lower = func(clauses cert.Invariant) cert.Invariant { return clauses }
	a.lift = func(v cert.Verdict) (cert.Verdict, error) { return v, nil }
	if r != nil {
		a.lower = r.Lower
		a.lift = func(v cert.Verdict) (cert.Verdict, error) {
			lifted, _, err := r.Lift(ctx, v)
			return lifted, err
		}
	}
}
