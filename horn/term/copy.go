package term

// Copy makes terms of one pool in another one.
type Copy struct {
	to, from *Pool
	done     map[Term]Term
}

// NewCopy returns a copy of no term yet.
func NewCopy(to, from *Pool) *Copy { return &Copy{to, from, map[Term]Term{}} }

// Copy returns a term of the other pool as one of this. Variables keep their names and sorts, and predicates their
// numbers.
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
		args := make([]Term, len(n.args))
		for i, a := range n.args {
			args[i] = c.Copy(a)
		}
		copied = with(c.to, n, args)
	}
	c.done[t] = copied
	return copied
}
