package reduce

import (
	"context"
	"slices"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/encode"
	"aiglens/ic3/sat"
)

// Some tools write no constraints but build them into the circuit: a latch, the record of a hidden
// constraint, becomes 1 in the step after a violation and stays 1, and no state is bad while it is
// 1. Cabodi and others, "Speeding up Model Checking by Exploiting Explicit and Hidden Verification
// Constraints" (DATE 2009); unfold in ABC.
//
// Uncovered, the record is constant 0, and the constraint becomes one of the circuit. It need not
// hold in a bad state, where a run ends anyway; so the first bad step stays the same.
type hidden struct {
	reduced   *Reduced
	records   []circuit.Lit        // of the cone: 1 from the step after a violation on
	originals []circuit.Lit        // the same, of the original circuit
	initial   map[circuit.Lit]bool // literals of the original circuit that hold in all initial states
}

// maxRecords bounds the records, each of which is a literal in all clauses of a proof.
const maxRecords = 16

// newHidden returns the hidden constraints of the cone of r, or nil.
func newHidden(r *Reduced) *hidden {
	c := r.cone.Circuit
	h := &hidden{reduced: r, records: records(c), initial: map[circuit.Lit]bool{}}
	if n := len(h.records); n == 0 || n > maxRecords {
		return nil
	}
	for _, record := range h.records {
		h.originals = append(h.originals, r.inOriginal(c.LatchIndex(record.Var())).NotIf(record.IsNegated()))
	}
	for i, l := range c.Latches() {
		if !l.IsFree() {
			h.initial[r.inOriginal(i).NotIf(l.Reset == circuit.False)] = true
		}
	}
	return h
}

// records returns the literals of latches that are records: those that must be 0 for a state
// to be bad. Under reset functions there are none.
func records(c *circuit.Circuit) []circuit.Lit {
	if c.HasResetFunctions() {
		return nil
	}
	var found []circuit.Lit
	for _, l := range conjuncts(c, c.Bads()[0].Lit) {
		at := c.LatchIndex(l.Var())
		if at < 0 {
			continue
		}
		latch, record := c.Latches()[at], l.Not()
		isReset := !latch.IsFree() && record == latch.Lit.NotIf(latch.Reset == circuit.True)
		if isReset && slices.Contains(keeps(c, record), l) {
			found = append(found, record)
		}
	}
	return found
}

// keeps returns the literals that must all be 1 for a record to be 0 in the next step.
func keeps(c *circuit.Circuit, record circuit.Lit) []circuit.Lit {
	next := c.Latches()[c.LatchIndex(record.Var())].Next.NotIf(record.IsNegated())
	return conjuncts(c, next.Not())
}

// conjuncts returns the literals whose conjunction a literal is, those of left operands first.
func conjuncts(c *circuit.Circuit, l circuit.Lit) (parts []circuit.Lit) {
	for part, isPart := range c.Conjunction(l) {
		if isPart {
			parts = append(parts, part)
		}
	}
	slices.Reverse(parts)
	return parts
}

// uncover returns the cone with its hidden constraints after the others, and with the records
// at 0. Inputs and latches keep their positions.
func (h *hidden) uncover() *circuit.Circuit {
	c := h.reduced.cone.Circuit
	b := circuit.NewBuilder(c.NumVars())
	to := circuit.CopyConstrained(c, b)
	bad := c.Bads()[0]
	b.Bad(to(bad.Lit), bad.Origin)
	for _, record := range h.records {
		l := c.Latches()[c.LatchIndex(record.Var())]
		b.SetNext(to(l.Lit), l.Reset)
		for _, part := range keeps(c, record) {
			if part != record.Not() {
				b.Constraint(b.Or(to(part), to(bad.Lit)), l.Origin)
			}
		}
	}
	return b.Build()
}

// isRecord reports whether a literal of the original is that of a record, or its negation.
func (h *hidden) isRecord(l circuit.Lit) bool {
	return h != nil && (slices.Contains(h.originals, l) || slices.Contains(h.originals, l.Not()))
}

// liftClause translates a clause of the original circuit with hidden constraints uncovered to one
// of the circuit as it is, which adds the records: they are 1 in the step after a violation. ok is
// false when the result need not hold: the clause excludes an initial state, and that one may
// violate a hidden constraint.
func (h *hidden) liftClause(clause []circuit.Lit) (lifted []circuit.Lit, ok bool) {
	if h == nil {
		return clause, true
	}
	lifted = make([]circuit.Lit, 0, len(clause)+len(h.originals))
	for _, l := range clause {
		lifted = append(lifted, l)
		ok = ok || h.initial[l]
	}
	for _, record := range h.originals {
		if !slices.Contains(clause, record) {
			lifted = append(lifted, record)
		}
	}
	return lifted, ok
}

// liftClauses is liftClause for those of an invariant. A clause that excludes initial states is
// weakened, so that it holds in these, and otherwise only in more states that violate a constraint under all
// inputs.
func (h *hidden) liftClauses(ctx context.Context, inv cert.Invariant) (cert.Invariant, error) {
	if h == nil {
		return inv, nil
	}
	all := make(cert.Invariant, 0, len(inv))
	add := func(lifted []circuit.Lit, added int) { // the last literals, any of which may make it a tautology
		if !slices.ContainsFunc(lifted[len(lifted)-added:], func(l circuit.Lit) bool { return slices.Contains(lifted, l.Not()) }) {
			all = append(all, lifted)
		}
	}
	var x *initialStates
	for _, clause := range inv {
		lifted, ok := h.liftClause(clause)
		records := len(lifted) - len(clause)
		if ok {
			add(lifted, records)
			continue
		}
		if x == nil {
			x = h.newInitialStates()
		}
		isPossible, err := x.isPossible(ctx, clause)
		switch {
		case err != nil:
			return nil, err
		case !isPossible && len(clause) == 0:
			return cert.Invariant{{}}, nil // there is no run at all
		case !isPossible:
			add(lifted, records)
			continue
		}
		needed, err := x.violating(ctx, clause)
		if err != nil {
			return nil, err
		}
		for _, l := range needed {
			add(append(slices.Clip(lifted), l), records+1)
		}
	}
	return all, nil
}

// initialStates asks about the first step of runs.
type initialStates struct {
	*hidden
	solver sat.Solver
	// own has the literals of the uncovered circuit, by variable of the original.
	own     map[circuit.Var]circuit.Lit
	atFirst []circuit.Lit // those of initial, in the order of the latches
}

func (h *hidden) newInitialStates() *initialStates {
	r := h.reduced
	x := &initialStates{hidden: h, solver: sat.NewCore(encode.Gates(r.uncovered)), own: map[circuit.Var]circuit.Lit{}}
	for i, l := range r.uncovered.Latches() {
		original := r.inOriginal(i)
		x.own[original.Var()] = l.Lit
		for _, l := range []circuit.Lit{original, original.Not()} {
			if h.initial[l] {
				x.atFirst = append(x.atFirst, l)
			}
		}
	}
	return x
}

func (x *initialStates) lit(l circuit.Lit) circuit.Lit { return x.own[l.Var()].NotIf(l.IsNegated()) }

// solve asks for an initial state that violates a clause and meets the first n constraints.
func (x *initialStates) solve(ctx context.Context, clause []circuit.Lit, n int) (sat.Result, error) {
	var all []circuit.Lit
	for _, s := range x.reduced.uncovered.Constraints()[:n] {
		all = append(all, s.Lit)
	}
	for _, l := range clause {
		all = append(all, x.lit(l).Not())
	}
	for _, l := range x.atFirst {
		all = append(all, x.lit(l))
	}
	return x.solver.Solve(ctx, sat.Query{Assumptions: all})
}

// isPossible reports whether an initial state that violates a clause meets the constraints that are
// not hidden.
func (x *initialStates) isPossible(ctx context.Context, clause []circuit.Lit) (bool, error) {
	r, err := x.solve(ctx, clause, len(x.reduced.cone.Circuit.Constraints()))
	return r != sat.Unsat, err
}

// violating returns literals that hold in all initial states, such that all states with them that
// violate a clause also violate a constraint.
func (x *initialStates) violating(ctx context.Context, clause []circuit.Lit) (needed []circuit.Lit, err error) {
	switch r, err := x.solve(ctx, clause, len(x.reduced.uncovered.Constraints())); {
	case err != nil:
		return nil, err
	case r != sat.Unsat:
		panic("reduce: an invariant that excludes an initial state")
	}
	for _, l := range x.atFirst {
		if x.solver.InCore(x.lit(l)) {
			needed = append(needed, l)
		}
	}
	return needed, nil
}

// untilBad ends a trace at its first bad step. After it, hidden constraints may be violated.
func (h *hidden) untilBad(t cert.Trace) cert.Trace {
	if h == nil {
		return t
	}
	cone := h.reduced.cone
	sim := circuit.NewTernary(cone.Circuit)
	for i, at := range cone.Latches {
		sim.SetLatch(i, t.Initial[at])
	}
	inputs := make([]circuit.Value, len(cone.Inputs))
	for step, row := range t.Inputs {
		if step > 0 {
			sim.Advance()
		}
		for i, at := range cone.Inputs {
			inputs[i] = row[at]
		}
		if sim.Eval(inputs); sim.Value(cone.Circuit.Bads()[0].Lit) == circuit.One {
			t.Inputs = t.Inputs[:step+1]
			break
		}
	}
	return t
}
