package ic3

import "aiglens/circuit"

// generalize drops literals from c, whose negation is inductive relative to
// F_{level−1}, one after another as long as that stays so (Bradley's MIC with
// down). ctgDepth says how deep counterexamples to generalisation may nest.
func (e *engine) generalize(c cube, level, ctgDepth int) (cube, error) {
	e.stats.Generalizations++
	for i := 0; i < len(c); {
		l := c[i]
		smaller, err := e.down(c.without(i), level, ctgDepth)
		if err != nil {
			return nil, err
		}
		if smaller == nil {
			i++
			continue
		}
		c = smaller
		// Keep going behind the dropped literal.
		for i = 0; i < len(c) && c[i] < l; i++ {
		}
	}
	return c, nil
}

// down looks for a subcube of c whose negation is inductive relative to
// F_{level−1}, and returns nil when it finds none. Without ctgDepth it asks for c
// itself only. Else, while c is not inductive, a state s shows why; s is blocked
// itself when that is possible (Hassan, Bradley and Somenzi 2013: a
// counterexample to generalisation), and else c keeps only the literals that it
// shares with s, as long as one of them excludes the initial states.
//
// Sharing literals without blocking, as Bradley's down does, costs more queries
// than it saves: 136 s against 37 s on the tiers smoke and small.
func (e *engine) down(c cube, level, ctgDepth int) (cube, error) {
	ctgs := 0
	for {
		if e.isInitial(c) {
			return nil, nil
		}
		core, ok, err := e.inductive(c, level-1)
		if err != nil {
			return nil, err
		}
		if ok {
			return core, nil
		}
		if ctgDepth == 0 {
			return nil, nil
		}
		shared := e.stateFrom(e.solvers[level-1], c)
		if ctgs < e.maxCTGs && level > 1 {
			blocked, err := e.blockCTG(level-1, ctgDepth)
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

// blockCTG blocks the state in the model of solvers[level] at that level if its
// negation is inductive relative to F_{level−1}.
func (e *engine) blockCTG(level, ctgDepth int) (bool, error) {
	s := e.solvers[level]
	var lits cube
	for _, l := range e.c.Latches() {
		if v := s.Value(l.Lit); v != circuit.X {
			lits = append(lits, l.Lit.NotIf(v == circuit.Zero))
		}
	}
	state := newCube(lits)
	if e.isInitial(state) {
		return false, nil
	}
	core, ok, err := e.inductive(state, level-1)
	if err != nil || !ok {
		return false, err
	}
	e.stats.CTGs++
	_, err = e.learn(core, level, ctgDepth-1)
	return err == nil, err
}
