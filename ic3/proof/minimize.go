package proof

import (
	"context"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/circuit/facts"
)

// MinimizeStats says what came of it.
type MinimizeStats struct {
	// Before and After are the literals of the invariant; see facts.Literals.
	Before, After               int
	ClausesBefore, ClausesAfter int
	Effort                      int64 // about as many as propagations, as package ic3 counts them
	Queries                     int64
	// Bounded says that the effort ended it.
	Bounded bool
}

// minEffort is what may be spent however short the run was: below 0.1 s.
const minEffort = 1_000_000

// MinimizeEffort returns what may be spent on the proof of a run with a known effort, 0 for none:
// a tenth of it, and no less than for a short run.
func MinimizeEffort(run int64) int64 { return max(run/10, minEffort) }

// Minimize makes an invariant small, so that it can be read: with fewer clauses and shorter ones it
// is still inductive and still implies the property.
//
// First each clause is asked once what it needs to hold after a step, and loses the rest (sweep).
// The next part starts from what the property needs: clauses are included one after another, each
// because a model of the solver violates it, until the property holds and each clause taken holds
// after a step (the small inductive subset of Ivrii, Gurfinkel and Belov, "Small Inductive Safe
// Invariants", FMCAD 2014). That is done in several orders, with the clauses as they are and with
// equal latches called by one name. The smallest result is then worked on: literals are dropped
// from clauses, and clauses whose neighbours do without them. For each clause it is kept which
// others it needed, so that few questions are asked again. It ends when nothing helps any more, or
// with its effort; whatever it has by then is an invariant.
//
// Minimize returns an invariant that proves the only bad of a problem, made of one that
// does, within about the effort given; when there is nothing to gain it is the same. The
// error is that of ctx.
//
// The clauses of inv refer to latches of the circuit. If that has reset functions, inv holds
// from step 1 on, as cert.Invariant says.
func Minimize(ctx context.Context, p circuit.Problem, inv cert.Invariant, effort int64) (cert.Invariant, MinimizeStats, error) {
	s := MinimizeStats{Before: facts.Literals(inv), ClausesBefore: len(inv)}
	s.After, s.ClausesAfter = s.Before, s.ClausesBefore
	if len(inv) == 0 || len(inv) == 1 && len(inv[0]) == 0 {
		return inv, s, ctx.Err()
	}
	m := &minimizer{ctx: ctx, c: p.Circuit, bad: p.Circuit.Bads()[0].Lit, effort: effort}
	small, err := m.smallest(inv)
	s.Effort, s.Queries, s.Bounded = m.spent, m.queries, m.spent >= effort
	if err != nil {
		return inv, s, err
	}
	if n := facts.Literals(small); small != nil && n < s.Before {
		s.After, s.ClausesAfter = n, len(small)
		return small, s, nil
	}
	return inv, s, nil
}

// orders are those in which clauses are taken in.
var orders = []order{shortFirst, asGiven}

// Shares of the effort that may be spent until the end of the sweep, of the first subset and
// of the others. What is left is for the work on the smallest one.
const (
	sweepShare  = 80 // percent
	firstShare  = 90
	othersShare = 50
)

// smallest returns the smallest invariant that it finds.
func (m *minimizer) smallest(inv cert.Invariant) (cert.Invariant, error) {
	best, err := m.sweep(inv, m.effort*sweepShare/100)
	if err != nil {
		return nil, err
	}
	renamed, err := facts.Of(m.ctx, best)
	if err != nil {
		return nil, err
	}
	if best, err = m.closed(best, renamed.Invariant()); err != nil || facts.Literals(best) <= m.atLeast {
		return best, err
	}
	s := m.newSubset(best)
	for changed := true; changed && m.spent < m.effort; {
		before := s.literals()
		if err := s.thinOut(); err != nil {
			return nil, err
		}
		if err := s.shorten(); err != nil {
			return nil, err
		}
		changed = s.literals() < before
	}
	return s.invariant(), nil
}

// closed returns the smallest of an invariant and of the closures of two pools, the invariant and
// the same one in other words, in each order.
func (m *minimizer) closed(best, renamed cert.Invariant) (cert.Invariant, error) {
	closed := false
	for _, pool := range []cert.Invariant{best, renamed} {
		for _, sort := range orders {
			bound := m.effort * firstShare / 100
			if closed {
				bound = m.effort * othersShare / 100
			}
			if m.spent >= bound {
				continue
			}
			x := m.newClosure(pool, sort)
			ok, err := x.run(bound)
			if err != nil {
				return nil, err
			}
			closed = closed || ok
			if found := x.invariant(); ok && facts.Literals(found) < facts.Literals(best) {
				best = found
			}
			if facts.Literals(best) <= m.atLeast {
				return best, nil
			}
		}
	}
	return best, nil
}
