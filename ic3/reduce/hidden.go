package reduce

import (
	"slices"

	"aiglens/circuit"
	"aiglens/circuit/cert"
)

// A hidden constraint is kept by the circuit itself, as in files of tools that write none:
// a latch becomes 1 in the step after a violation and stays 1, and no state is bad while it
// is 1. Cabodi and others, "Speeding up Model Checking by Exploiting Explicit and Hidden
// Verification Constraints" (DATE 2009).
//
// Uncovered, the latch is 0 for good, and the constraint one of the circuit, but in bad
// states, where runs end: so the first bad step stays the same.

// records returns the literals of latches that are 1 from the step after a violation on: none
// when the bad is not false because of them, and none under reset functions.
func records(c *circuit.Circuit) []circuit.Lit {
	if c.HasResetFunctions() {
		return nil
	}
	var found []circuit.Lit
	for _, l := range conjuncts(c, c.Bads()[0].Lit) {
		if at := c.LatchIndex(l.Var()); at >= 0 && isRecord(c, l.Not(), c.Latches()[at]) {
			found = append(found, l.Not())
		}
	}
	return found
}

// isRecord reports whether a literal of a latch is 0 at first, and stays 1 once it is 1.
func isRecord(c *circuit.Circuit, record circuit.Lit, l circuit.Latch) bool {
	isSet := record == l.Lit.NotIf(l.Reset == circuit.False)
	return !l.IsFree() && !isSet && slices.Contains(kept(c, record), record.Not())
}

// kept returns the conjuncts of what keeps a record at 0 in the next step.
func kept(c *circuit.Circuit, record circuit.Lit) []circuit.Lit {
	next := c.Latches()[c.LatchIndex(record.Var())].Next.NotIf(record.IsNegated())
	return conjuncts(c, next.Not())
}

// conjuncts returns the literals, of no conjunctions, whose conjunction a literal is.
func conjuncts(c *circuit.Circuit, l circuit.Lit) (all []circuit.Lit) {
	seen := map[circuit.Lit]bool{}
	for todo := []circuit.Lit{l}; len(todo) > 0; {
		l, todo = todo[len(todo)-1], todo[:len(todo)-1]
		if seen[l] {
			continue
		}
		seen[l] = true
		if left, right, isGate := c.Operands(l.Var()); isGate && !l.IsNegated() {
			todo = append(todo, right, left)
		} else {
			all = append(all, l)
		}
	}
	return all
}

// uncover returns a circuit with the constraints whose violation the records hold, and with
// these at 0. Inputs and latches keep their positions.
func uncover(c *circuit.Circuit, records []circuit.Lit) *circuit.Circuit {
	b := circuit.NewBuilder(c.NumVars())
	to := circuit.CopyConstrained(c, b)
	bad := c.Bads()[0]
	b.Bad(to(bad.Lit), bad.Origin)
	for _, record := range records {
		l := c.Latches()[c.LatchIndex(record.Var())]
		b.SetNext(to(l.Lit), l.Reset)
		for _, part := range kept(c, record) {
			if part != record.Not() {
				b.Constraint(b.Or(to(part), to(bad.Lit)), l.Origin)
			}
		}
	}
	return b.Build()
}

// isRecord reports whether a latch of the cone is a record.
func (r *Reduced) isRecord(latch int) bool {
	return slices.ContainsFunc(r.records, func(l circuit.Lit) bool {
		return l.Var() == r.cone.Circuit.Latches()[latch].Lit.Var()
	})
}

// orRecorded translates an invariant of the original circuit with hidden constraints uncovered
// to one of the circuit as it is: what violates them is recorded in the step after. Initial
// states may violate them, too, where a clause excludes them for that.
func (r *Reduced) orRecorded(inv cert.Invariant) cert.Invariant {
	if len(r.records) == 0 {
		return inv
	}
	all := make(cert.Invariant, 0, len(inv))
	for _, clause := range inv {
		if whole, ok := r.orRecord(clause); ok {
			all = append(all, whole)
			continue
		}
		for i, l := range r.cone.Circuit.Latches() {
			if !l.IsFree() {
				initial := r.inOriginal(i).NotIf(l.Reset == circuit.False)
				if whole, ok := r.orRecord(append(slices.Clone(clause), initial)); ok {
					all = append(all, whole)
				}
			}
		}
	}
	return slices.DeleteFunc(all, isTautology)
}

// orRecord is orRecorded for one clause; ok is false for one that does not hold in all initial
// states.
func (r *Reduced) orRecord(clause []circuit.Lit) (whole []circuit.Lit, ok bool) {
	if len(r.records) == 0 {
		return clause, true
	}
	c := r.cone.Circuit
	for i, l := range c.Latches() {
		ok = ok || !l.IsFree() && slices.Contains(clause, r.inOriginal(i).NotIf(l.Reset == circuit.False))
	}
	for _, record := range r.records {
		l := r.inOriginal(c.LatchIndex(record.Var())).NotIf(record.IsNegated())
		if !slices.Contains(clause, l) {
			clause = append(slices.Clip(clause), l)
		}
	}
	return clause, ok
}

// isTautology reports whether a clause has a literal and its negation.
func isTautology(clause []circuit.Lit) bool {
	return slices.ContainsFunc(clause, func(l circuit.Lit) bool { return slices.Contains(clause, l.Not()) })
}

// untilBad ends a trace at its first bad step. After it, hidden constraints may be violated.
func (r *Reduced) untilBad(t cert.Trace) cert.Trace {
	if len(r.records) == 0 {
		return t
	}
	c := r.cone.Circuit
	sim := circuit.NewTernary(c)
	for i, at := range r.cone.Latches {
		sim.SetLatch(i, t.Initial[at])
	}
	inputs := make([]circuit.Value, len(r.cone.Inputs))
	for step, row := range t.Inputs {
		if step > 0 {
			sim.Advance()
		}
		for i, at := range r.cone.Inputs {
			inputs[i] = row[at]
		}
		if sim.Eval(inputs); sim.Value(c.Bads()[0].Lit) == circuit.One {
			t.Inputs = t.Inputs[:step+1]
			break
		}
	}
	return t
}
