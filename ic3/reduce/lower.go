package reduce

import (
	"slices"

	"aiglens/circuit"
	"aiglens/circuit/cert"
)

// Lower translates clauses over latches of the circuit that was given to Reduce to
// clauses over those of the reduced one, the opposite of Lift. It leaves out what
// is true there anyway, and what refers to a latch that no longer exists; the empty clause
// remains when all of a clause's literals are constant 0. Whatever held before holds
// after it where the facts about latches hold that Reduce has found, and no hidden constraint
// was violated.
func (r *Reduced) Lower(clauses cert.Invariant) cert.Invariant {
	if len(clauses) == 0 {
		return nil
	}
	lower := r.Lowering()
	lowered := make(cert.Invariant, 0, len(clauses))
	for _, clause := range clauses {
		if to, ok := lower(clause); ok {
			lowered = append(lowered, to)
		}
	}
	return lowered
}

// Lowering returns Lower for one clause at a time; ok is false for what Lower leaves out.
// The function may be called from any goroutine.
func (r *Reduced) Lowering() (lower func(clause []circuit.Lit) (lowered []circuit.Lit, ok bool)) {
	inCone := make([]circuit.Lit, r.original.NumVars()) // by latch, in the cone
	for i, at := range r.cone.Latches {
		inCone[r.original.Latches()[at].Lit.Var()] = r.uncovered.Latches()[i].Lit
	}
	inReduced := make([]circuit.Lit, r.uncovered.NumVars()) // by latch of the cone
	for i, at := range r.latchesOf {
		inReduced[r.uncovered.Latches()[at].Lit.Var()] = r.Circuit.Latches()[i].Lit
	}
	return func(clause []circuit.Lit) ([]circuit.Lit, bool) {
		to := make([]circuit.Lit, 0, len(clause))
		for _, l := range clause {
			if int(l.Var()) >= len(inCone) || inCone[l.Var()] == circuit.False {
				return nil, false
			}
			m := r.latches.literal(inCone[l.Var()].Var()).NotIf(l.IsNegated())
			if m.Var() == 0 {
				if m == circuit.True {
					return nil, false
				}
				continue
			}
			n := inReduced[m.Var()]
			if n == circuit.False {
				return nil, false
			}
			to = append(to, n.NotIf(m.IsNegated()))
		}
		slices.Sort(to)
		to = slices.Compact(to)
		for i, l := range to {
			if i > 0 && to[i-1] == l.Not() {
				return nil, false
			}
		}
		return to, true
	}
}
