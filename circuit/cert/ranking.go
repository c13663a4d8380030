package cert

import (
	"context"

	"github.com/go-air/gini/z"

	"aiglens/circuit"
)

// checkRanking tests the obligations of a Ranking, see there, on the Repetition of the
// property. Closure has two parts: a step with R that changes no signal of Monotone is
// tested by decrease, which asks for more.
func checkRanking(ctx context.Context, c *circuit.Circuit, p circuit.Property, r *Ranking) error {
	rep, err := c.RepetitionContext(ctx, p)
	if err != nil {
		return err
	}
	m := rep.Circuit
	if err := checkLatches(m, r.Ranks, "rank"); err != nil {
		return err
	}
	if err := checkLatches(m, r.Monotone, "signal"); err != nil {
		return err
	}
	if err := checkStarts(ctx, m, r.Ranks); err != nil {
		return err
	}
	k, err := newRankingChecker(ctx, rep, r)
	if err != nil || k.empty {
		return err
	}
	for i := range r.Monotone {
		if err := k.checkMonotone(ctx, i); err != nil {
			return err
		}
	}
	for d := range r.Ranks {
		usual, err := leadsAsUsual(ctx, rep, r, d)
		if err == nil && !usual {
			err = k.checkRank(ctx, d)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// ownSolver is the number of clauses from which a rank gets a solver of its own, in which
// they hold once for all. Only tests change it.
var ownSolver = 100

// leadsAsUsual reports whether all steps from a large rank lead to that rank and, where a
// round ends, to the next one. The clauses of these are asked about one by one, which is
// less work than about all of them and those of later ranks together, but may say no where
// these are all right.
func leadsAsUsual(ctx context.Context, rep *circuit.Repetition, r *Ranking, d int) (bool, error) {
	if len(r.Ranks[d]) < ownSolver {
		return false, nil
	}
	later := Invariant{{}}
	if d+1 < len(r.Ranks) {
		later = r.Ranks[d+1]
	}
	c := rep.Circuit
	k, err := newChecker(ctx, c, r.Ranks[d])
	if err != nil || k.empty {
		return err == nil, err
	}
	round := k.lit(rep.Round())
	ends := append(k.unchanged(r.Monotone), round) // a round, and no signal changes
	goesOn := []z.Lit{round.Not()}
	if len(r.Monotone) > 0 {
		goesOn = nil // also the ends of rounds with which a signal changes
	}
	if ok, err := k.allHold(ctx, primed(c, later), ends); err != nil || !ok {
		return false, err
	}
	return k.allHold(ctx, primed(c, r.Ranks[d]), goesOn)
}

// unchanged returns literals that are 1 in the steps in which no signal changes.
func (k *checker) unchanged(signals []Invariant) []z.Lit {
	var same []z.Lit
	for _, states := range signals {
		now, next, m := k.holds(states), k.holds(primed(k.c, states)), k.g.Lit()
		k.clause(m.Not(), now.Not(), next)
		k.clause(m.Not(), now, next.Not())
		same = append(same, m)
	}
	return same
}

// allHold reports whether clauses hold in all steps that meet assumptions.
func (k *checker) allHold(ctx context.Context, clauses Invariant, assumed []z.Lit) (bool, error) {
	for _, clause := range clauses {
		for _, l := range clause {
			k.lit(l) // before the first query, see firstViolated
		}
	}
	n := len(assumed)
	for _, clause := range clauses {
		assumptions := assumed[:n:n]
		for _, l := range clause {
			assumptions = append(assumptions, k.known(l).Not())
		}
		if holds, err := k.unsatisfiable(ctx, assumptions...); err != nil || !holds {
			return false, err
		}
	}
	return true, nil
}

// checkLatches tests that sets of states refer to latches alone.
func checkLatches(c *circuit.Circuit, sets []Invariant, what string) error {
	for d, set := range sets {
		if i, l, ok := notLatch(c, set); !ok {
			return reject("form", "clause %d of %s %d has literal %d, which is not a latch", i, what, d, l)
		}
	}
	return nil
}

// checkStarts tests that each initial state which meets the constraints has a rank.
func checkStarts(ctx context.Context, c *circuit.Circuit, ranks []Invariant) error {
	if len(ranks) > 0 && allHoldAtReset(c, ranks[0]) {
		return nil
	}
	k, err := newChecker(ctx, c, resetStates(c))
	if err != nil || k.empty {
		return err
	}
	none := make([]z.Lit, len(ranks))
	for d, rank := range ranks {
		none[d] = k.violated(rank)
	}
	if holds, err := k.unsatisfiable(ctx, none...); err != nil || holds {
		return err
	}
	return reject("start", "an initial state has no rank")
}

func allHoldAtReset(c *circuit.Circuit, states Invariant) bool {
	for _, clause := range states {
		if !holdsAtReset(c, clause) {
			return false
		}
	}
	return true
}

// rankingChecker asks gini about the steps that begin in the states of a ranking. Its
// literals only lead from themselves to what they say, so that none of them has to hold.
type rankingChecker struct {
	*checker
	round     z.Lit
	in        []z.Lit // by rank: the step begins in it
	notTo     []z.Lit // by rank: the step does not lead to it
	notFrom   []z.Lit // by rank: the step leads neither to it nor to a later one
	somewhere z.Lit   // the step begins in some rank
	monotone  []signal
	still     []z.Lit // by n: none of the first n signals of Monotone changes
}

// signal is the value of one signal of Monotone, in this step and in the next. Each of
// its literals is 1 exactly when the signal is.
type signal struct{ now, next z.Lit }

func newRankingChecker(ctx context.Context, rep *circuit.Repetition, r *Ranking) (*rankingChecker, error) {
	c := rep.Circuit
	step, err := newChecker(ctx, c, nil)
	if err != nil || step.empty {
		return &rankingChecker{checker: step}, err
	}
	k := &rankingChecker{checker: step, round: step.lit(rep.Round()), notFrom: make([]z.Lit, len(r.Ranks)+1)}
	k.somewhere = k.g.Lit()
	for _, rank := range r.Ranks {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		k.in = append(k.in, k.met(rank))
		k.notTo = append(k.notTo, k.violated(primed(c, rank)))
	}
	k.clause(append([]z.Lit{k.somewhere.Not()}, k.in...)...)
	k.notFrom[len(r.Ranks)] = k.lits.At(0).Not()
	for d := len(r.Ranks) - 1; d >= 0; d-- {
		k.notFrom[d] = k.g.Lit()
		k.clause(k.notFrom[d].Not(), k.notTo[d])
		k.clause(k.notFrom[d].Not(), k.notFrom[d+1])
	}
	k.still = []z.Lit{k.lits.At(0).Not()}
	for i, states := range r.Monotone {
		s := signal{k.holds(states), k.holds(primed(c, states))}
		still := k.g.Lit()
		k.clause(still.Not(), k.still[i])
		k.clause(still.Not(), s.now.Not(), s.next)
		k.clause(still.Not(), s.now, s.next.Not())
		k.monotone, k.still = append(k.monotone, s), append(k.still, still)
	}
	return k, nil
}

// checkMonotone tests that a signal which is 1 in a state of the ranking stays so, unless
// one in front of it changes.
func (k *rankingChecker) checkMonotone(ctx context.Context, i int) error {
	s := k.monotone[i]
	if stays, err := k.unsatisfiable(ctx, k.somewhere, k.still[i], s.now, s.next.Not()); err != nil || stays {
		return err
	}
	return reject("monotone", "signal %d becomes 0 again", i)
}

// checkRank tests decrease and closure for the states of a rank. Where the rank that a
// step usually leads to is enough, the others are not looked at.
func (k *rankingChecker) checkRank(ctx context.Context, d int) error {
	if ok, err := k.leads(ctx, d+1, k.in[d], k.round, k.still[len(k.monotone)]); err != nil {
		return err
	} else if !ok {
		return reject("decrease", "a round ends in rank %d, and the rank stays", d)
	}
	steps := []z.Lit{k.in[d], k.round.Not()}
	if len(k.monotone) > 0 {
		steps = steps[:1] // also the ends of rounds with which a signal changes
	}
	if ok, err := k.leads(ctx, d, steps...); err != nil {
		return err
	} else if !ok {
		return reject("closure", "a step from rank %d leads to no such or later one", d)
	}
	return nil
}

// leads reports whether all steps that meet assumptions lead to rank d or a later one.
func (k *rankingChecker) leads(ctx context.Context, d int, steps ...z.Lit) (bool, error) {
	if d < len(k.notTo) {
		if holds, err := k.unsatisfiable(ctx, append(steps, k.notTo[d])...); err != nil || holds {
			return holds, err
		}
	}
	return k.unsatisfiable(ctx, append(steps, k.notFrom[d])...)
}
