package ic3

import (
	"cmp"
	"slices"

	"aiglens/circuit"
)

// generalization is the effort spent on generalising a cube.
type generalization uint8

const (
	dropOnly      generalization = iota // literals are dropped one by one
	blockCTGs                           // counterexamples to generalisation are blocked
	blockExtended                       // and their predecessors
)

// generalize drops literals from c, whose negation is inductive relative to
// F_{level−1}, one after another as long as that stays so (Bradley's MIC with
// down).
//
// The literals that stood in many of the last lemmas are tried first: on the
// tiers small and mid the geometric mean of the times is 0.81 of that in the
// order of the variables, and 1.05 with the same ones last. Where a run takes long it
// goes the other way round by turns; see isLate.
func (e *engine) generalize(c cube, level int, effort generalization) (cube, error) {
	e.stats.Generalizations++
	if e.has(PredictLemmas) {
		predicted, err := e.predict(c, level)
		if err != nil {
			return nil, err
		}
		if predicted != nil {
			e.stats.Predicted++
			e.bumpAll(predicted)
			return predicted, nil
		}
	}
	order := e.dropOrder(c)
	for _, l := range order {
		i, found := slices.BinarySearch(c, l)
		if !found || len(c) == 1 {
			continue
		}
		smaller, err := e.down(c.without(i), level, effort)
		if err != nil {
			return nil, err
		}
		if smaller != nil {
			c = smaller
		}
	}
	e.bumpAll(c)
	return c, nil
}

// lateAfter is the effort, some 0.3 s, of a run that takes long.
const lateAfter = 3_000_000

// isLate reports whether the run has taken so long that better lemmas pay: cubes are then
// generalised with counterexamples to generalisation, and the literals that stood in few of
// the last lemmas are dropped first. That goes for what is learnt after every second
// predecessor. A run with one kind of lemma alone may get lost where one with the other comes
// to its end: of 19 files that take long one solves 13, the other 12, both by turns 16.
func (e *engine) isLate() bool {
	return e.has(ChangeLate) && e.effort > e.lateAfter && e.stats.CTIs%2 == 0
}

// dropOrder returns the literals of c in the order in which they are tried.
func (e *engine) dropOrder(c cube) []circuit.Lit {
	order := slices.Clone(c)
	if e.has(ActivityOrder) {
		slices.SortStableFunc(order, func(a, b circuit.Lit) int { return cmp.Compare(e.activity[b], e.activity[a]) })
		if e.isLate() {
			slices.Reverse(order)
		}
	}
	if e.has(ObligationOrder) {
		count := make(map[circuit.Lit]int, len(c))
		for _, o := range e.queue {
			for _, l := range o.cube {
				count[l]++
			}
		}
		slices.SortStableFunc(order, func(a, b circuit.Lit) int { return count[a] - count[b] })
	}
	return order
}

const (
	tieBreak      = 1e-3 // at most the activity that a seed gives
	activityDecay = 0.95
	activityLimit = 1e100
)

// bumpAll records that the literals of a cube stood in a lemma.
func (e *engine) bumpAll(c cube) {
	for _, l := range c {
		e.activity[l] += e.bump
	}
	if e.bump /= activityDecay; e.bump > activityLimit {
		for i := range e.activity {
			e.activity[i] /= activityLimit
		}
		e.bump /= activityLimit
	}
}

// down looks for a subcube of c whose negation is inductive relative to
// F_{level−1}, and returns nil when it finds none. With dropOnly it asks for c
// itself only. Else, while c is not inductive, a state s shows why; s is blocked
// itself when that is possible (Hassan, Bradley and Somenzi 2013: a
// counterexample to generalisation), and else c keeps only the literals that it
// shares with s, as long as one of them excludes the initial states.
//
// Sharing literals without blocking, as Bradley's down does, costs more queries
// than it saves: 136 s against 37 s on the tiers smoke and small.
func (e *engine) down(c cube, level int, effort generalization) (cube, error) {
	ctgs := 0
	for {
		if e.isInitial(c) || e.isReached(c) {
			return nil, nil
		}
		core, ok, err := e.inductive(c, level-1)
		if err != nil {
			return nil, err
		}
		if ok {
			return core, nil
		}
		if effort == dropOnly {
			return nil, nil
		}
		state, shared := e.models.state(e.model), e.sharedWith(c)
		if ctgs < maxCTGs && level > 1 {
			extended := 0
			if effort == blockExtended {
				extended = extendedDepth
			}
			blocked, err := e.blockState(state, level-1, extended)
			if err != nil {
				return nil, err
			}
			if blocked {
				ctgs++
				continue
			}
		}
		ctgs = 0
		c = shared // fewer: s lies outside c
	}
}

// sharedWith returns the literals of c that hold in the state of e.model.
func (e *engine) sharedWith(c cube) cube {
	shared := make(cube, 0, len(c))
	for _, l := range c {
		if e.models.holds(e.model, l) {
			shared = append(shared, l)
		}
	}
	return shared
}
