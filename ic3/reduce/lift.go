package reduce

import (
	"context"
	"fmt"

	"aiglens/circuit"
	"aiglens/circuit/cert"
)

// Lift translates a verdict on the reduced circuit to the circuit that was
// given to Reduce. The error says that the verdict does not fit the reduced
// circuit.
//
// An invariant gets the clauses that say which latches are constant, equal or
// opposite, as far as it rests on them. With hidden constraints each clause gets their records.
//
// In a trace, an input of the property's cone whose value is open or that the reduced circuit
// lacks becomes 0: any value will do, but three-valued simulation of the larger circuit need not
// see it. The same goes for free latches. X is left to other inputs, and to latches with a fixed
// reset. With hidden constraints the trace ends at its first bad step.
//
// The effort is that of the solver which turns facts about gates into clauses.
func (r *Reduced) Lift(ctx context.Context, v cert.Verdict) (lifted cert.Verdict, effort int64, err error) {
	switch v.Outcome {
	case cert.Proved:
		var inv cert.Invariant
		if inv, effort, err = r.liftInvariant(ctx, v.Invariant); err != nil {
			return v, effort, err
		}
		v.Invariant, v.Trace = inv, cert.Trace{}
	case cert.Refuted:
		t, err := r.liftTrace(v.Trace)
		if err != nil {
			return v, 0, err
		}
		v.Invariant, v.Trace = nil, t
	}
	return v, effort, nil
}

// latchOf returns the position in the cone of a latch of the reduced circuit.
func (r *Reduced) latchOf(l circuit.Lit) (int, error) {
	if int(l.Var()) >= r.Circuit.NumVars() || r.Circuit.Kind(l.Var()) != circuit.KindLatch {
		return 0, fmt.Errorf("literal %d of an invariant is not a latch of the reduced circuit", l)
	}
	return r.latchesOf[r.Circuit.LatchIndex(l.Var())], nil
}

// LiftClause translates a clause over latches of the reduced circuit to the circuit that
// was given to Reduce, without the facts that it may rest on. ok is false for one that need
// not hold there: it excludes initial states, which may violate hidden constraints.
func (r *Reduced) LiftClause(clause []circuit.Lit) (lifted []circuit.Lit, ok bool, err error) {
	to := make([]circuit.Lit, len(clause))
	for i, l := range clause {
		at, err := r.latchOf(l)
		if err != nil {
			return nil, false, err
		}
		to[i] = r.inOriginal(at).NotIf(l.IsNegated())
	}
	lifted, ok = r.hidden.liftClause(to)
	return lifted, ok, nil
}

// LiftUnfinished translates clauses that a run without an answer leaves, and adds the facts
// about latches that they, the bad and the constraints rest on. Facts about gates, on which
// they may rest as well, are left out, and so is what excludes initial states.
func (r *Reduced) LiftUnfinished(clauses cert.Invariant) (cert.Invariant, error) {
	before := r
	if r.facts != nil {
		before = r.facts.before
	}
	f := before.newFoundation()
	lifted := make(cert.Invariant, 0, len(clauses))
	for _, clause := range clauses {
		to := make([]circuit.Lit, len(clause))
		for i, l := range clause {
			at, err := r.latchOf(l)
			if err != nil {
				return nil, err
			}
			to[i] = before.inOriginal(at).NotIf(l.IsNegated())
			f.step(at)
		}
		lifted = append(lifted, to)
	}
	var all cert.Invariant
	for _, clause := range append(lifted, f.close()...) {
		if clause, ok := before.hidden.liftClause(clause); ok {
			all = append(all, clause)
		}
	}
	return all, nil
}

// inOriginal returns the literal of the latch at a position of the cone.
func (r *Reduced) inOriginal(at int) circuit.Lit {
	return r.original.Latches()[r.cone.Latches[at]].Lit
}

func (r *Reduced) liftInvariant(ctx context.Context, inv cert.Invariant) (_ cert.Invariant, effort int64, err error) {
	if hasNoState := len(inv) == 1 && len(inv[0]) == 0; hasNoState { // which needs no other reasons
		inv, err = r.hidden.liftClauses(ctx, inv)
		return inv, 0, err
	}
	if r.facts != nil {
		if inv, effort, err = r.strengthen(ctx, inv); err != nil {
			return nil, effort, err
		}
		r = r.facts.before
	}
	f := r.newFoundation()
	lifted, err := f.lift(inv)
	if err != nil {
		return nil, effort, err
	}
	lifted, err = r.hidden.liftClauses(ctx, append(lifted, f.close()...))
	return lifted, effort, err
}

// LiftRanking translates a ranking over latches of the reduced circuit, whose bad is the
// literal that is ranked, to the circuit that was given to Reduce: each rank gets the
// facts about latches that the whole rests on.
func (r *Reduced) LiftRanking(ranking cert.Ranking) (cert.Ranking, error) {
	f := r.newFoundation()
	var lifted cert.Ranking
	for _, signal := range ranking.Monotone {
		to, err := f.lift(signal)
		if err != nil {
			return lifted, err
		}
		lifted.Monotone = append(lifted.Monotone, to)
	}
	for _, rank := range ranking.Ranks {
		to, err := f.lift(rank)
		if err != nil {
			return lifted, err
		}
		lifted.Ranks = append(lifted.Ranks, to)
	}
	facts := f.close()
	for i := range lifted.Ranks {
		lifted.Ranks[i] = append(lifted.Ranks[i], facts...)
	}
	return lifted, nil
}

// foundation finds the facts about latches that an invariant rests on: those
// about latches that are read by the bad, by a constraint, by the next state of
// a latch in a clause, or by the next state of a latch in a fact found. Of a gate
// that is 0 for one operand is, the other one is not read.
type foundation struct {
	r       *Reduced
	values  *circuit.Ternary // of the uncovered circuit, with the constant latches and x elsewhere
	seen    []bool           // by variable of the uncovered circuit
	stepped []bool           // by latch of it: its next state was read
	todo    []circuit.Var
}

func (r *Reduced) newFoundation() *foundation {
	c := r.uncovered
	f := &foundation{r: r, values: circuit.NewTernary(c), seen: make([]bool, c.NumVars()), stepped: make([]bool, len(c.Latches()))}
	for i, l := range c.Latches() {
		f.values.SetLatch(i, circuit.X)
		if v := l.Lit.Var(); v != 0 && r.latches.rep[v] == 0 {
			f.values.SetLatch(i, circuit.ValueOf(r.latches.literal(v) == circuit.True))
		}
	}
	f.values.Eval(nil)
	return f
}

// lift translates clauses over latches of the reduced circuit, and reads their next
// states.
func (f *foundation) lift(inv cert.Invariant) (cert.Invariant, error) {
	lifted := make(cert.Invariant, 0, len(inv))
	for _, clause := range inv {
		to := make([]circuit.Lit, len(clause))
		for i, l := range clause {
			at, err := f.r.latchOf(l)
			if err != nil {
				return nil, err
			}
			to[i] = f.r.inOriginal(at).NotIf(l.IsNegated())
			f.step(at)
		}
		lifted = append(lifted, to)
	}
	return lifted, nil
}

// step reads the next state of the latch at a position.
func (f *foundation) step(latch int) {
	if !f.stepped[latch] {
		f.stepped[latch] = true
		f.reads(f.r.uncovered.Latches()[latch].Next)
	}
}

func (f *foundation) reads(l circuit.Lit) {
	if v := l.Var(); !f.seen[v] {
		f.seen[v] = true
		f.todo = append(f.todo, v)
	}
}

// close follows what was read, and what the bad and the constraints read, and returns
// the clauses of the facts.
func (f *foundation) close() cert.Invariant {
	c, p := f.r.uncovered, f.r.latches
	f.reads(c.Bads()[0].Lit)
	for _, s := range c.Constraints() {
		f.reads(s.Lit)
	}
	var clauses cert.Invariant
	for len(f.todo) > 0 {
		v := f.todo[len(f.todo)-1]
		f.todo = f.todo[:len(f.todo)-1]
		if left, right, isGate := c.Operands(v); isGate {
			isZero := f.values.Value(left) == circuit.Zero
			if isZero || f.values.Value(right) != circuit.Zero {
				f.reads(left)
			}
			if !isZero {
				f.reads(right)
			}
			continue
		}
		rep := p.rep[v]
		if rep == v {
			continue
		}
		at, to := c.LatchIndex(v), p.literal(v)
		f.step(at)
		latch := f.r.inOriginal(at)
		if rep == 0 {
			if !f.r.hidden.isRecord(latch) {
				clauses = append(clauses, []circuit.Lit{latch.NotIf(to == circuit.False)})
			}
			continue
		}
		f.step(c.LatchIndex(rep))
		equal := f.r.inOriginal(c.LatchIndex(rep)).NotIf(to.IsNegated())
		clauses = append(clauses, []circuit.Lit{latch, equal.Not()}, []circuit.Lit{latch.Not(), equal})
	}
	return clauses
}

func (r *Reduced) liftTrace(t cert.Trace) (cert.Trace, error) {
	cone := r.cone.Circuit
	lifted := cert.Trace{
		Initial: make([]circuit.Value, len(r.original.Latches())),
		Inputs:  make([][]circuit.Value, t.Steps()),
	}
	if len(t.Initial) != len(r.latchesOf) {
		return lifted, fmt.Errorf("a trace starts with %s for %s", cert.Count(len(t.Initial), "value", "values"), cert.Count(len(r.latchesOf), "latch", "latches"))
	}
	for i := range lifted.Initial {
		lifted.Initial[i] = circuit.X
	}
	// Only latches with a fixed reset are merged, so that the value of a free one
	// depends on no other.
	for i, l := range cone.Latches() {
		lifted.Initial[r.cone.Latches[i]] = circuit.ValueOf(l.Reset == circuit.True)
	}
	for i, at := range r.latchesOf {
		if cone.Latches()[at].IsFree() && t.Initial[i] == circuit.One {
			lifted.Initial[r.cone.Latches[at]] = circuit.One
		}
	}
	for step, row := range t.Inputs {
		if len(row) != len(r.inputsOf) {
			return lifted, fmt.Errorf("step %d of a trace has %s for %s", step, cert.Count(len(row), "value", "values"), cert.Count(len(r.inputsOf), "input", "inputs"))
		}
		to := make([]circuit.Value, len(r.original.Inputs()))
		for i := range to {
			to[i] = circuit.X
		}
		for _, at := range r.cone.Inputs {
			to[at] = circuit.Zero
		}
		for i, at := range r.inputsOf {
			if row[i] == circuit.One {
				to[r.cone.Inputs[at]] = circuit.One
			}
		}
		lifted.Inputs[step] = to
	}
	return r.hidden.untilBad(lifted), nil
}
