package ic3

// Counterexamples to generalisation (CTGs; Hassan, Bradley and Somenzi, "Better Generalization
// in IC3", FMCAD 2013): for which obligations they are blocked, how many, and how deep.

// ctgAfter is the number of times that an obligation is generalised by plain
// dropping of literals, ctgSiblings the number of predecessors of one obligation,
// or of bad states of one frontier, before plain dropping is not enough for them.
const (
	ctgAfter    = 3
	ctgSiblings = 4
	// extendSiblings is the same for extended ones.
	extendSiblings = 20
)

// Bounds of counterexamples to generalisation: those that are blocked for each
// literal that is tried, how far back their predecessors are blocked, too, and how
// many of them.
const (
	maxCTGs          = 3
	extendedDepth    = 2
	extendedAttempts = 5
)

// effortFor returns how the cube of o is generalised. Most obligations never come
// back and plain dropping of literals serves them best; one that has come back
// ctgAfter times at ever higher levels has shown that its lemmas are too weak, and
// so has one predecessor after another of the same obligation.
func (e *engine) effortFor(o *obligation) generalization {
	siblings := e.siblings(o.next)
	switch {
	case !e.has(BlockCTGs) || !e.isLate() && o.blocked <= ctgAfter && siblings <= ctgSiblings:
		return dropOnly
	case e.has(ExtendCTGs) && siblings > extendSiblings:
		return blockExtended
	}
	return blockCTGs
}

// blockState blocks a state at a level if its negation is inductive relative to the
// frame below. Its predecessors there are blocked first if extended is more than 0,
// and theirs if it is more than 1, and so on.
func (e *engine) blockState(state cube, level, extended int) (bool, error) {
	for attempt := 0; ; attempt++ {
		if e.isInitial(state) || e.isReached(state) {
			return false, nil
		}
		core, ok, err := e.inductive(state, level-1)
		if err != nil {
			return false, err
		}
		if ok {
			e.stats.CTGs++
			_, err = e.learn(core, level, dropOnly)
			return err == nil, err
		}
		if extended == 0 || level == 1 || attempt == extendedAttempts {
			return false, nil
		}
		predecessor := e.models.state(e.model)
		blocked, err := e.blockState(predecessor, level-1, extended-1)
		if err != nil || !blocked {
			return false, err
		}
	}
}
