package horn

import (
	"slices"

	"aiglens/horn/term"
)

// obligation asks for a derivation, of a height up to level, of something in a cube.
type obligation struct {
	pred  *predicate
	cube  []term.Term
	level int
	depth int // obligations from the goal
	facts int // so many of the predicate's facts are known not to meet the cube

	parent *obligation
	fact   *fact // that answers the obligation
	// rule is what the last model used. In Spacer the body atoms in must were facts in it, and one child asks for the
	// atom open. APDR and GPDR have a child for each body atom.
	rule     *rule
	must     []int
	open     int
	children []*obligation
}

// reach looks for a derivation of the goal whose height is that of the frontier. It returns the fact, or nil.
func (e *engine) reach() (*fact, error) {
	root := &obligation{pred: e.goal(), level: e.frontier}
	for queue := []*obligation{root}; len(queue) > 0; {
		i := mostUrgent(queue)
		o := queue[i]
		children, f, err := e.process(o)
		if err != nil {
			return nil, err
		}
		if len(children) > 0 {
			e.stats.Obligations += len(children)
			if limit := e.options.Limits.Obligations; limit > 0 && e.stats.Obligations > limit {
				return nil, errObligations
			}
			queue = append(queue, children...)
			continue
		}
		queue = slices.Delete(queue, i, i+1)
		switch {
		case f != nil && o == root:
			return f, nil
		case f != nil:
			o.meet(f)
		case o != root && o.level < e.frontier: // Leaf
			o.level++
			queue = append(queue, o)
		}
	}
	return nil, nil
}

// mostUrgent returns the place of an obligation of the least level: the deepest of these, and of equal ones the latest.
func mostUrgent(queue []*obligation) int {
	best := 0
	for i, o := range queue {
		if b := queue[best]; o.level < b.level || o.level == b.level && o.depth >= b.depth {
			best = i
		}
	}
	return best
}

// meet says that a fact meets o. A parent that still waits for o, and for nothing else, can take its atom as a fact.
func (o *obligation) meet(f *fact) {
	o.fact = f
	if p := o.parent; len(p.children) == 1 && p.children[0] == o && o.level == p.level-1 {
		p.must = append(p.must, p.open)
	}
}

// process answers an obligation: a child has to be answered first, a fact meets it, or a lemma blocks it.
func (e *engine) process(o *obligation) (children []*obligation, f *fact, err error) {
	if e.isClassic() {
		return e.processClassic(o)
	}
	return e.processSpacer(o)
}
