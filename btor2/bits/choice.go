package bits

import "aiglens/circuit"

// xor returns l ⊕ r with the gates l ∧ r and ¬l ∧ ¬r, which carries share, unless the gates of ¬(l ⊕ ¬r) are there
// already. Xor and Eq share those of the other form with comparisons.
func xor(b *circuit.Builder, l, r circuit.Lit) circuit.Lit {
	if _, ok := foundXor(b, l, r); !ok {
		if other, ok := foundXor(b, l, r.Not()); ok {
			return other.Not()
		}
	}
	return b.And(b.And(l, r).Not(), b.And(l.Not(), r.Not()).Not())
}

// foundXor returns l ⊕ r if all its gates in the form of l and r are there.
func foundXor(b *circuit.Builder, l, r circuit.Lit) (circuit.Lit, bool) {
	both, ok := b.Find(l, r)
	if !ok {
		return 0, false
	}
	neither, ok := b.Find(l.Not(), r.Not())
	if !ok {
		return 0, false
	}
	return b.Find(both.Not(), neither.Not())
}

// maxNested bounds how many choices are looked through, and so the gates of one more.
const maxNested = 4

// mux returns "then" where cond holds, else els. A choice between a value and a choice of that same value becomes one
// choice, with a condition that all bits of a word share. Boolector does this to words (Niemetz, Preiner, Wolf and Biere,
// "Btor2, BtorMC and Boolector 3.0", CAV 2018); here it is done to bits, so that slices and masks count too.
func mux(b *circuit.Builder, cond, then, els circuit.Lit) circuit.Lit {
	for range maxNested {
		if p, x, ok := choice(b, then, els); ok {
			cond, then = both(b, cond, p), x
		} else if p, x, ok := choice(b, els, then); ok {
			cond, els = both(b, cond.Not(), p).Not(), x
		} else {
			break
		}
	}
	return plainMux(b, cond, then, els)
}

// plainMux is mux without a look at gates; it folds more than Builder.Mux does.
func plainMux(b *circuit.Builder, cond, then, els circuit.Lit) circuit.Lit {
	switch {
	case then == els:
		return then
	case then == els.Not():
		return xor(b, cond, els)
	case then == cond:
		then = circuit.True
	case then == cond.Not():
		then = circuit.False
	}
	switch els {
	case cond:
		els = circuit.False
	case cond.Not():
		els = circuit.True
	}
	switch {
	case then == circuit.True:
		return b.Or(cond, els)
	case els == circuit.True:
		return b.Or(cond.Not(), then)
	}
	return b.Mux(cond, then, els)
}

// IteKnown is Ite(cond, x, y) where known has the same value as y whenever cond holds. So a bit of x that is chosen between
// another value and that of known is chosen between it and y.
func IteKnown(b *circuit.Builder, cond circuit.Lit, x, y, known []circuit.Lit) []circuit.Lit {
	word := make([]circuit.Lit, len(x))
	for i := range x {
		if p, then, ok := choice(b, x[i], known[i]); x[i] == known[i] {
			word[i] = y[i]
		} else if ok {
			word[i] = mux(b, both(b, cond, p), then, y[i])
		} else {
			word[i] = mux(b, cond, x[i], y[i])
		}
	}
	return word
}

// choice takes a literal apart that is x where p holds, and els elsewhere.
func choice(b *circuit.Builder, l, els circuit.Lit) (p, x circuit.Lit, ok bool) {
	left, right, ok := b.Operands(l.Var())
	if !ok || l == els {
		return 0, 0, false
	}
	switch els.NotIf(l.IsNegated()) { // the gate may be a conjunction with that
	case left:
		return right.Not(), constant(l.IsNegated()), true
	case right:
		return left.Not(), constant(l.IsNegated()), true
	}
	cond, then, other, ok := multiplexer(b, l)
	switch {
	case ok && other == els:
		return cond, then, true
	case ok && then == els:
		return cond.Not(), other, true
	}
	return 0, 0, false
}

// multiplexer takes a literal apart that is "then" where cond, which is not negated, holds, and els elsewhere. A sum of bits
// is not taken as one, since its gates are shared with carries.
func multiplexer(b *circuit.Builder, l circuit.Lit) (cond, then, els circuit.Lit, ok bool) {
	left, right, ok := b.Operands(l.Var())
	if !ok || !left.IsNegated() || !right.IsNegated() {
		return 0, 0, 0, false
	}
	a, c, isGate := b.Operands(left.Var())
	d, e, isOther := b.Operands(right.Var())
	if !isGate || !isOther {
		return 0, 0, 0, false
	}
	for _, f := range pairings(a, c, d, e) { // the gate is ¬(a ∧ c) ∧ ¬(d ∧ e)
		if f[0] == f[2].Not() && f[1] != f[3].Not() {
			if f[0].IsNegated() {
				f[0], f[1], f[3] = f[2], f[3], f[1]
			}
			return f[0], f[1].Not().NotIf(l.IsNegated()), f[3].Not().NotIf(l.IsNegated()), true
		}
	}
	return 0, 0, 0, false
}

// pairings returns two pairs with each of their elements in front.
func pairings(a, c, d, e circuit.Lit) [4][4]circuit.Lit {
	return [4][4]circuit.Lit{{a, c, d, e}, {a, c, e, d}, {c, a, d, e}, {c, a, e, d}}
}

// both returns l ∧ r, which is r where that is a conjunction with l.
func both(b *circuit.Builder, l, r circuit.Lit) circuit.Lit {
	if isPartOf(b, l, r) {
		return r
	}
	if isPartOf(b, r, l) {
		return l
	}
	return b.And(l, r)
}

// isPartOf reports whether all is a conjunction with l.
func isPartOf(b *circuit.Builder, l, all circuit.Lit) bool {
	left, right, ok := b.Operands(all.Var())
	return ok && !all.IsNegated() && (left == l || right == l)
}

// difference says that two bits differ where cond holds and x and y differ.
type difference struct{ cond, x, y circuit.Lit }

// differences returns ways to say that x and y differ.
func differences(b *circuit.Builder, x, y circuit.Lit) (ways []difference) {
	if p, u, ok := choice(b, x, y); ok {
		ways = append(ways, difference{p, u, y})
	}
	if p, v, ok := choice(b, y, x); ok {
		ways = append(ways, difference{p, x, v})
	}
	p, thenX, elsX, isChoice := multiplexer(b, x)
	q, thenY, elsY, isOther := multiplexer(b, y)
	if isChoice && isOther && p == q {
		if elsX == elsY {
			ways = append(ways, difference{p, thenX, thenY})
		}
		if thenX == thenY {
			ways = append(ways, difference{p.Not(), elsX, elsY})
		}
	}
	a, c, isGate := b.Operands(x.Var())
	d, e, isOther := b.Operands(y.Var())
	if !isGate || !isOther || x.IsNegated() != y.IsNegated() {
		return ways
	}
	for _, f := range pairings(a, c, d, e) {
		if f[0] == f[2] {
			ways = append(ways, difference{f[0], f[1], f[3]})
		}
	}
	return ways
}

// differUnder finds a condition without which no bits of two words differ. Under it they do where those of u and v do.
func differUnder(b *circuit.Builder, x, y []circuit.Lit) (cond circuit.Lit, u, v []circuit.Lit, ok bool) {
	if len(x) == 1 {
		return 0, nil, nil, false
	}
	for i := range x {
		if x[i] != y[i] {
			for _, first := range differences(b, x[i], y[i]) {
				if u, v, ok = differUnderThis(b, first.cond, x, y); ok {
					return first.cond, u, v, true
				}
			}
			break
		}
	}
	return 0, nil, nil, false
}

// differUnderThis is differUnder for a condition that is known.
func differUnderThis(b *circuit.Builder, cond circuit.Lit, x, y []circuit.Lit) (u, v []circuit.Lit, ok bool) {
	u, v = make([]circuit.Lit, len(x)), make([]circuit.Lit, len(y))
	for i := range x {
		if x[i] == y[i] {
			continue
		}
		found := false
		for _, way := range differences(b, x[i], y[i]) {
			if !found && way.cond == cond {
				u[i], v[i], found = way.x, way.y, true
			}
		}
		if !found {
			return nil, nil, false
		}
	}
	return u, v, true
}
