package reduce

import "aiglens/circuit"

// rewriter builds gates and looks one level below their operands. No rule makes
// more than one gate where the plain way makes one.
type rewriter struct {
	builder  *circuit.Builder
	operands [][2]circuit.Lit // by variable; of a gate not 0
	rules    bool             // else structural hashing only
}

func newRewriter(capacity int, rules bool) rewriter {
	return rewriter{
		builder:  circuit.NewBuilder(capacity),
		operands: make([][2]circuit.Lit, 1, capacity+1),
		rules:    rules,
	}
}

func (w *rewriter) input(o circuit.Origin) circuit.Lit {
	w.operands = append(w.operands, [2]circuit.Lit{})
	return w.builder.Input(o)
}

func (w *rewriter) latch(o circuit.Origin) circuit.Lit {
	w.operands = append(w.operands, [2]circuit.Lit{})
	return w.builder.Latch(o)
}

// and returns a literal for the conjunction of l and r.
func (w *rewriter) and(l, r circuit.Lit) circuit.Lit {
	// A rule that rewrites the pair replaces one of its literals by an operand of
	// a gate, which has a lower variable, so this ends.
	for w.rules {
		result, found := w.decided(l, r)
		if found {
			return result
		}
		if !w.simplify(&l, &r) && !w.simplify(&r, &l) {
			break
		}
	}
	g := w.builder.And(l, r)
	if int(g.Var()) == len(w.operands) {
		w.operands = append(w.operands, [2]circuit.Lit{l, r})
	}
	return g
}

// xor returns a literal that is true when l and r differ.
func (w *rewriter) xor(l, r circuit.Lit) circuit.Lit {
	return w.and(w.and(l, r).Not(), w.and(l.Not(), r.Not()).Not())
}

// gate returns the operands of the gate that l or ¬l stands for.
func (w *rewriter) gate(l circuit.Lit) (left, right circuit.Lit, ok bool) {
	f := w.operands[l.Var()]
	return f[0], f[1], f[0] != f[1]
}

// decided applies the rules whose result is a literal that is there: those of
// one level, contradiction, subsumption, idempotence and resolution.
func (w *rewriter) decided(l, r circuit.Lit) (circuit.Lit, bool) {
	if l.Var() == r.Var() || l.Var() == 0 || r.Var() == 0 {
		return w.builder.And(l, r), true
	}
	if result, found := w.decidedBy(l, r); found {
		return result, true
	}
	if result, found := w.decidedBy(r, l); found {
		return result, true
	}
	a, b, isGate := w.gate(l)
	c, d, isOther := w.gate(r)
	if !isGate || !isOther || !l.IsNegated() || !r.IsNegated() {
		return 0, false
	}
	switch { // ¬(a ∧ b) ∧ ¬(a ∧ ¬b) = ¬a
	case a == c && b == d.Not(), a == d && b == c.Not():
		return a.Not(), true
	case b == d && a == c.Not(), b == c && a == d.Not():
		return b.Not(), true
	}
	return 0, false
}

// decidedBy applies the rules that look below l, and below r where that is a
// conjunction.
func (w *rewriter) decidedBy(l, r circuit.Lit) (circuit.Lit, bool) {
	a, b, isGate := w.gate(l)
	if !isGate {
		return 0, false
	}
	c, d, isAnd := w.gate(r)
	isAnd = isAnd && !r.IsNegated()
	opposite := a == r.Not() || b == r.Not() ||
		isAnd && (a == c.Not() || a == d.Not() || b == c.Not() || b == d.Not())
	switch {
	case opposite && l.IsNegated(): // r implies ¬a or ¬b, and so l
		return r, true
	case opposite: // l implies a ∧ b, and r the negation of one of them
		return circuit.False, true
	case !l.IsNegated() && (a == r || b == r): // l implies r
		return l, true
	}
	return 0, false
}

// simplify rewrites *l ∧ *r to another pair, with what is below *l: substitution,
// and idempotence of two conjunctions that share an operand.
func (w *rewriter) simplify(l, r *circuit.Lit) bool {
	a, b, isGate := w.gate(*l)
	if !isGate {
		return false
	}
	c, d, isAnd := w.gate(*r)
	isAnd = isAnd && !r.IsNegated()
	sharesA := a == *r && l.IsNegated() || isAnd && (a == c || a == d)
	sharesB := b == *r && l.IsNegated() || isAnd && (b == c || b == d)
	other := b // what l adds to the operand that r implies
	switch {
	case sharesA:
	case sharesB:
		other = a
	default:
		return false
	}
	*l = other.NotIf(l.IsNegated())
	return true
}
