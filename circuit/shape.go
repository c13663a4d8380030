package circuit

// XorOf returns the operands when v is the last of the three gates of an exclusive or:
// v = x ⊕ y. It recognises what ABC does (Abc_NodeIsExorType).
func (c *Circuit) XorOf(v Var) (x, y Lit, ok bool) {
	a, b, p, q, ok := c.twoPairs(v)
	if ok && (a == p.Not() && b == q.Not() || a == q.Not() && b == p.Not()) {
		return a, b, true
	}
	return 0, 0, false
}

// MuxOf returns the operands when v is the last of the three gates of a multiplexer that is
// no exclusive or: v is then where cond holds, and els elsewhere. It recognises what ABC does
// (Abc_NodeIsMuxType).
func (c *Circuit) MuxOf(v Var) (cond, then, els Lit, ok bool) {
	if _, _, isXor := c.XorOf(v); isXor {
		return 0, 0, 0, false
	}
	a, b, p, q, ok := c.twoPairs(v)
	switch {
	case !ok:
	case a == p.Not():
		return a, b.Not(), q.Not(), true
	case a == q.Not():
		return a, b.Not(), p.Not(), true
	case b == p.Not():
		return b, a.Not(), q.Not(), true
	case b == q.Not():
		return b, a.Not(), p.Not(), true
	}
	return 0, 0, 0, false
}

// twoPairs returns the operands of the operands of v = ¬(a∧b) ∧ ¬(p∧q).
func (c *Circuit) twoPairs(v Var) (a, b, p, q Lit, ok bool) {
	l, r, ok := c.Operands(v)
	if !ok || !l.IsNegated() || !r.IsNegated() {
		return 0, 0, 0, 0, false
	}
	a, b, okLeft := c.Operands(l.Var())
	p, q, okRight := c.Operands(r.Var())
	return a, b, p, q, okLeft && okRight
}
