package classic

import (
	"container/heap"

	"aiglens/circuit"
	"aiglens/circuit/cert"
	"aiglens/ic3/sat"
)

// obligation asks to show that no state of a cube is reachable within level
// steps. Every state of the cube leads, under inputs, into the cube of next, or
// is bad at once when next is nil, and meets the constraints.
type obligation struct {
	cube   cube
	level  int
	depth  int // steps to the violation
	order  int // of creation
	inputs []circuit.Value
	next   *obligation
}

// newObligation makes an obligation of the state and the inputs in a model of
// solver s, which lead into next, or are bad when next is nil. The cube is the
// whole state.
func (e *engine) newObligation(s sat.Solver, next *obligation, level int) *obligation {
	inputs := make([]circuit.Value, len(e.c.Inputs()))
	for i, in := range e.c.Inputs() {
		inputs[i] = circuit.ValueOf(s.Value(in.Lit) == circuit.One)
	}
	e.stats.CTIs++
	e.created++
	o := &obligation{cube: e.stateFrom(s), level: level, order: e.created, inputs: inputs, next: next}
	if next != nil {
		o.depth = next.depth + 1
	}
	return o
}

// lift keeps those literals of an obligation's cube that are in the core of
// cube ∧ inputs ∧ T ∧ ¬target′. The target is the next cube, or the bad, together
// with the constraints and the literals of also, which hold in the state. These are
// Pick's smaller CTIs, and the implicant of Gurfinkel's rules Candidate and Decide.
func (e *engine) lift(o *obligation, also ...circuit.Lit) error {
	q := sat.Query{Clause: e.missed(o)}
	for _, l := range also {
		q.Clause = append(q.Clause, l.Not())
	}
	for i, in := range e.c.Inputs() {
		q.Assumptions = append(q.Assumptions, in.Lit.NotIf(o.inputs[i] == circuit.Zero))
	}
	q.Assumptions = append(q.Assumptions, o.cube...)
	r, err := e.lifter.Solve(e.ctx, q)
	if err != nil {
		return err
	}
	if r != sat.Unsat {
		panic("classic: a state and its inputs do not determine the next step")
	}
	o.cube = o.cube.only(e.lifter.InCore)
	return nil
}

// missed returns the clause that says that a step misses the target of o or
// breaks a constraint.
func (e *engine) missed(o *obligation) []circuit.Lit {
	var clause []circuit.Lit
	if o.next == nil {
		clause = append(clause, e.bad.Not())
	} else {
		for _, l := range o.next.cube {
			clause = append(clause, e.prime(l).Not())
		}
	}
	for _, c := range e.constraints {
		clause = append(clause, c.Not())
	}
	if clause == nil {
		clause = []circuit.Lit{} // every step hits a target of all states
	}
	return clause
}

// refuted returns the verdict of the counterexample that starts in the cube of
// o, which holds an initial state. Every state of a cube on the way leads into
// the next, so the values left open do not matter.
func (e *engine) refuted(o *obligation) cert.Verdict {
	v := cert.Verdict{Outcome: cert.Refuted, Depth: e.k}
	for _, l := range e.c.Latches() {
		one := l.Reset == circuit.True || l.IsFree() && o.cube.contains(l.Lit)
		v.Trace.Initial = append(v.Trace.Initial, circuit.ValueOf(one))
	}
	for ; o != nil; o = o.next {
		v.Trace.Inputs = append(v.Trace.Inputs, o.inputs)
	}
	return v
}

// queue is a priority queue of obligations: lowest level first, then fewest
// steps to the violation, then oldest.
type queue []*obligation

func (q queue) Len() int { return len(q) }
func (q queue) Less(i, j int) bool {
	a, b := q[i], q[j]
	switch {
	case a.level != b.level:
		return a.level < b.level
	case a.depth != b.depth:
		return a.depth < b.depth
	}
	return a.order < b.order
}
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)   { *q = append(*q, x.(*obligation)) }
func (q *queue) Pop() any {
	old := *q
	last := old[len(old)-1]
	old[len(old)-1] = nil
	*q = old[:len(old)-1]
	return last
}

func (q *queue) add(o *obligation) { heap.Push(q, o) }
func (q *queue) pop() *obligation  { return heap.Pop(q).(*obligation) }

// least returns the level of the first obligation, or none if there is none.
func (q queue) least(none int) int {
	if len(q) == 0 {
		return none
	}
	return q[0].level
}
