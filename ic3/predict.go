package ic3

import "aiglens/circuit"

// Bounds of what is spent on predictions for one cube.
const (
	predictParents = 3
	predictQueries = 4
)

// predict looks for a lemma that excludes c and holds up to level among those that
// follow from a lemma of the level before: that one could not be pushed because of
// a state t; together with a literal of c that t lacks, it may be.
func (e *engine) predict(c cube, level int) (cube, error) {
	if level < 2 {
		return nil, nil
	}
	signature := c.signature()
	parents, queries := 0, 0
	for _, l := range e.frames[level-1] {
		if l.successor == nil || l.signature&^signature != 0 || !l.cube.subsumes(c) {
			continue
		}
		if parents++; parents > predictParents {
			break
		}
		for _, q := range c {
			if !l.successor.contains(q.Not()) {
				continue
			}
			if queries++; queries > predictQueries {
				return nil, nil
			}
			core, ok, err := e.inductive(newCube(append([]circuit.Lit{q}, l.cube...)), level-1)
			if err != nil || ok {
				return core, err
			}
		}
	}
	return nil, nil
}
