package term

import "slices"

// Copy makes terms of one pool in another one.
type Copy struct {
	// Pred renumbers predicates; nil leaves their numbers.
	Pred     func(int) int
	to, from *Pool
	done     map[Term]Term
}

// NewCopy returns a copy of no term yet.
func NewCopy(to, from *Pool) *Copy { return &Copy{nil, to, from, map[Term]Term{}} }

// Put has a term of the other pool copied as one of this, of the same sort.
func (c *Copy) Put(t, as Term) { c.done[t] = as }

// Copy returns a term of the other pool as one of this. Variables keep their names and sorts.
func (c *Copy) Copy(t Term) Term {
	if t <= True { // the terms that each pool has
		return t
	}
	if done, ok := c.done[t]; ok {
		return done
	}
	n := c.from.nodes[t]
	var copied Term
	switch {
	case n.op == OpVar:
		copied = c.to.Var(n.name, n.sort)
	case len(n.args) == 0 && n.op == OpSum:
		copied = c.to.NumberOf(n.number, n.sort)
	default:
		if n.op == OpApply && c.Pred != nil {
			n.pred = c.Pred(n.pred)
		}
		copied = with(c.to, n, c.All(n.args))
	}
	c.done[t] = copied
	return copied
}

// All copies terms.
func (c *Copy) All(terms []Term) []Term {
	all := make([]Term, len(terms))
	for i, t := range terms {
		all[i] = c.Copy(t)
	}
	return all
}

// Same reports whether two pools have the same terms under the same numbers.
func Same(p, q *Pool) bool {
	return p == q || slices.EqualFunc(p.nodes, q.nodes, func(a, b node) bool { return a.equal(&b) })
}
