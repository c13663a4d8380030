package circuit

import "iter"

// Conjunction walks over the ands that a literal is made of, without looking through an
// inverter: it yields each literal that is reached once, with whether that is one of the
// conjuncts. Those that are not are gates, whose operands follow. Gates may share their
// operands, so that the number of ways to one has no bound but the number of literals.
func (c *Circuit) Conjunction(l Lit) iter.Seq2[Lit, bool] {
	return func(yield func(Lit, bool) bool) {
		seen := map[Lit]bool{}
		for todo := []Lit{l}; len(todo) > 0; {
			l := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			if seen[l] {
				continue
			}
			seen[l] = true
			left, right, isGate := c.Operands(l.Var())
			isGate = isGate && !l.IsNegated()
			if isGate {
				todo = append(todo, left, right)
			}
			if !yield(l, !isGate) {
				return
			}
		}
	}
}
