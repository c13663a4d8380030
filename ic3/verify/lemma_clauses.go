package verify

import (
	"aiglens/circuit"
	"aiglens/circuit/cert"
)

// effortPerClause bounds what is spent to find out which clauses of a lemma are inductive, as
// Seeds.Effort of a run that might have found them.
const effortPerClause = 4_000_000

// maxLooked bounds the literals and gates that lemmaClauses looks at. A conjunction of n
// literals has n-1 gates, so that there are at most maxLemmas literals in its clauses.
const maxLooked = 2 * maxLemmas

// lemmaClauses returns the clauses over latches that a lemma is a conjunction of, as far as it
// is one; the lemma is the negation of bad 0 of its cone. The clauses of
// a large lemma often are inductive together, which is then seen at once. There are none
// of a lemma that is too large: clauses may share their parts, and be far larger together
// than the circuit.
func lemmaClauses(c *circuit.Circuit) (clauses cert.Invariant) {
	rest := maxLooked
	lits, _ := conjuncts(c, c.Bads()[0].Lit.Not(), &rest, nil)
	isLatch := func(l circuit.Lit) bool { return c.LatchIndex(l.Var()) >= 0 }
	for _, l := range lits {
		clause, ok := conjuncts(c, l.Not(), &rest, isLatch)
		if rest < 0 {
			return nil
		}
		if !ok || len(clause) == 0 {
			continue
		}
		for i, part := range clause {
			clause[i] = part.Not()
		}
		clauses = append(clauses, clause)
	}
	return clauses
}

// conjuncts returns the literals whose conjunction a literal is. It takes each literal and
// gate of that from rest. ok is false, and there are none, when nothing is left of
// that, or one of them is none that may be; with nil all may be.
func conjuncts(c *circuit.Circuit, l circuit.Lit, rest *int, may func(circuit.Lit) bool) (parts []circuit.Lit, ok bool) {
	for part, isPart := range c.Conjunction(l) {
		if *rest--; *rest < 0 || isPart && may != nil && !may(part) {
			return nil, false
		}
		if isPart {
			parts = append(parts, part)
		}
	}
	return parts, true
}
