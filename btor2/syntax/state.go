package syntax

import (
	"fmt"
	"slices"

	"aiglens/circuit/graph"
	"aiglens/internal/source"
)

// initNext reads init and next: what a state starts with, and what it goes to.
func (r *resolver) initNext(sort span32) {
	op := r.row.op
	of := r.value(1)
	value := r.value(2)
	r.now.usesInput = false
	if len(r.refs) < 2 || r.refs[1] == NoRef {
		return
	}
	state := r.refs[1].Node()
	if r.rows[state].op != State {
		if d := r.wrong(codeNotState, 1, "%s is of a state, found row %d, which is %s", op, r.idOf(state), r.rows[state].op.article()); d != nil {
			d.Relate(r.idSpan(state), "row %d", r.idOf(state))
		}
		r.refs[1] = NoRef
		return
	}
	if r.refs[1].IsNegated() {
		r.negated(codeNegatedState, 1, fmt.Sprintf("%s is of a state, found the negation of one", op))
		r.refs[1] &^= 1
	}
	r.once(state)
	if !sort.known() || !of.known() || !value.known() {
		r.now.sound = false
		return
	}
	if sort != of {
		d := r.wrong(codeSortMismatch, 0, "the state has %s, found %s", of.sort(), sort.sort())
		r.offerSorts(d, 0, int(of.width))
		return
	}
	if op == Init && of.isArray() && !value.isArray() {
		r.fill(of, value)
	} else if value != of {
		if d := r.wrong(codeSortMismatch, 2, "the state has %s, and the value %s", of.sort(), value.sort()); d != nil {
			r.relateArg(d, 2)
		}
	}
	if op == Init {
		r.startsBefore(state)
	}
}

// once checks that the state has no such row already.
func (r *resolver) once(state int) {
	rows, code := r.init, codeInitTwice
	if r.row.op == Next {
		rows, code = r.next, codeNextTwice
	}
	first := int(rows[state]) - 1
	switch {
	case first == r.n:
		return
	case first < 0 && r.hasRows: // the state is another one than in the version before
		r.isTangled = true
		return
	case first < 0:
		rows[state] = int32(r.n) + 1
		return
	}
	d := r.wrong(code, whole, "state %d has its %s already", r.idOf(state), r.row.op)
	if d != nil {
		d.Relate(r.idSpan(first), "in row %d", r.idOf(first))
		r.deleteRow(d)
	}
	r.spoil(first)
	r.isTangled = true
}

// fill checks the bit-vector that every element of an array starts with.
func (r *resolver) fill(array, value span32) {
	if value.width != array.width {
		r.wrong(codeSortMismatch, 2, "the elements of the state have %s, and the value %s", bitCount(int(array.width)), value.sort())
		return
	}
	if op := r.rows[r.refs[2].Node()].op; op < Const || op > Zero {
		r.wrong(codeInitNotConstant, 2, "every element of an array starts with a constant, or the whole with an array, found %s", op.article())
	}
}

// startsBefore checks what the value of an init may be.
func (r *resolver) startsBefore(state int) {
	value := r.refs[2].Node()
	if r.rows[value].usesInput {
		r.wrong(codeInitInput, 2, "a state starts with a value that no input decides; use a state without init and next in place of the input")
		return
	}
	switch {
	case value >= state:
		r.late, r.isTangled, r.sharable = append(r.late, r.n), true, min(r.sharable, r.n)
	case r.idOf(value) >= r.idOf(state):
		r.tooLate(state, value)
	}
}

// tooLate warns of a value whose number is not below that of the state.
func (r *finder) tooLate(state, value int) {
	if d := r.wrong(CodeInitOrder, 2, "Btor2Tools reads an init only if the number of its value is below that of the state, found %d for state %d",
		r.idOf(value), r.idOf(state)); d != nil {
		d.Relate(r.idSpan(state), "the state is defined here")
	}
}

// initCycles finds states that start with values which depend on their own start. There are none where each value
// stands before its state; the other inits get their warning here.
func (r *resolver) initCycles() {
	if len(r.late) == 0 {
		return
	}
	starts := make([]int, len(r.late)) // states; the first one of each cycle is among them
	for i, late := range r.late {
		starts[i] = r.f.refsOf(r.resolution, late)[1].Node()
	}
	var cycles [][]int // states, in text order
	for _, rows := range graph.Cycles(starts, r.beforeStart) {
		rows = slices.DeleteFunc(rows, func(row int) bool { return r.rows[row].op != State })
		slices.Sort(rows)
		cycles = append(cycles, rows)
	}
	slices.SortFunc(cycles, func(a, b []int) int { return a[0] - b[0] })
	for _, states := range cycles {
		r.breakCycle(states)
	}
	for _, late := range r.late {
		if r.at(late); r.rows[late].sound {
			r.tooLate(r.refs[1].Node(), r.refs[2].Node())
		}
	}
}

// beforeStart returns the rows on which the first value of a row depends.
func (r *resolver) beforeStart(row int) (rows []int) {
	refs := r.f.refsOf(r.resolution, row)
	switch op := r.rows[row].op; {
	case op == State:
		init := int(r.init[row]) - 1
		if init < 0 {
			return nil
		}
		refs = r.f.refsOf(r.resolution, init)
		refs = refs[min(2, len(refs)):]
	case op.IsOperator():
		refs = refs[min(1, len(refs)):]
	default:
		return nil
	}
	for _, ref := range refs {
		if ref != NoRef {
			rows = append(rows, ref.Node())
		}
	}
	return rows
}

// breakCycle makes the init rows of states unsound that start with values of each other. What only reads them, or is
// read by them, is not on the cycle and has its own start.
func (r *resolver) breakCycle(states []int) {
	var first *source.Diagnostic
	for _, state := range states {
		init := int(r.init[state]) - 1
		r.at(init)
		if first == nil {
			first = r.list.Add(codeInitCycle, r.span(2), "state %d starts with a value that depends on its own start", r.idOf(state))
			first = r.list.StandIn(codeInitCycle, first)
		}
		r.makeUnsound(init)
		if r.faults[init] == nil {
			r.faults[init] = first
		}
	}
}

// states says which states are free in every step.
func (r *resolver) states() {
	for row := range r.rows {
		if m := &r.rows[row]; m.op != State || !m.sound || r.next[row] > 0 {
			continue
		}
		r.at(row)
		d := r.wrong(codeNoNext, tagPlace, "state %d has no next: it is free in every step, and does not keep its value", r.idOf(row))
		if d != nil && r.row.id > 0 {
			r.keepValue(d)
		}
	}
}
