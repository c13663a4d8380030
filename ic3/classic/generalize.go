package classic

import "aiglens/circuit"

// maxFailures is the number of literals that may resist before generalisation
// stops (Bradley 2011, section 7; Pick 2016).
const maxFailures = 3

// attempt looks for a cube within c, c included, whose negation may be learnt;
// nil is none.
type attempt func(c cube) (cube, error)

// drop tries to leave out the literals of c in the given order, until
// maxFailures of them resist.
func (e *engine) drop(c cube, order []circuit.Lit, try attempt) (cube, error) {
	failures := 0
	for _, l := range order {
		if !c.contains(l) {
			continue // dropped together with another one
		}
		smaller, err := try(c.without(l))
		if err != nil {
			return nil, err
		}
		if smaller != nil {
			c = smaller
			continue
		}
		if failures++; failures == maxFailures {
			break
		}
	}
	return c, nil
}

// ifInductive is the attempt that takes what is inductive relative to F_level.
func (e *engine) ifInductive(level int) attempt {
	return func(c cube) (cube, error) {
		if e.isInitial(c) {
			return nil, nil
		}
		core, ok, err := e.inductive(c, level)
		if err != nil || !ok {
			return nil, err
		}
		return core, nil
	}
}

// generalize drops literals of c, whose negation is inductive relative to
// F_level, one after another as long as that stays so.
func (e *engine) generalize(c cube, level int) (cube, error) {
	return e.drop(c, c, e.ifInductive(level))
}
