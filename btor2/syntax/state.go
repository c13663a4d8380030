package syntax

import (
	"fmt"
	"slices"

	"aiglens/internal/source"
)

// initNext reads init and next: what a state starts with, and what it goes to.
func (r *resolver) initNext(sort span32) {
	op := r.row.op
	of := r.value(1)
	value := r.value(2)
	r.usesInput[r.n] = false
	if len(r.refs) < 2 || r.refs[1] == NoRef {
		return
	}
	state := r.refs[1].Node()
	if r.ops[state] != State {
		if d := r.wrong(codeNotState, 1, "%s is of a state, found row %d, which is %s", op, r.idOf(state), r.ops[state].article()); d != nil {
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
		r.sound[r.n] = false
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
	if first < 0 {
		rows[state] = int32(r.n) + 1
		return
	}
	d := r.wrong(code, whole, "state %d has its %s already", r.idOf(state), r.row.op)
	if d != nil {
		d.Relate(r.idSpan(first), "in row %d", r.idOf(first))
		r.deleteRow(d)
	}
	r.sound[first] = false
	if r.faults[first] == nil {
		r.faults[first] = r.faults[r.n]
	}
}

// fill checks the bit-vector that every element of an array starts with.
func (r *resolver) fill(array, value span32) {
	if value.width != array.width {
		r.wrong(codeSortMismatch, 2, "the elements of the state have %s, and the value %s", bitCount(int(array.width)), value.sort())
		return
	}
	if op := r.ops[r.refs[2].Node()]; op < Const || op > Zero {
		r.wrong(codeInitNotConstant, 2, "every element of an array starts with a constant, or the whole with an array, found %s", op.article())
	}
}

// startsBefore checks what the value of an init may be.
func (r *resolver) startsBefore(state int) {
	value := r.refs[2].Node()
	if r.usesInput[value] {
		r.wrong(codeInitInput, 2, "a state starts with a value that no input decides; use a state without init and next in place of the input")
		return
	}
	switch {
	case value >= state:
		r.late = append(r.late, r.n)
	case r.idOf(value) >= r.idOf(state):
		r.tooLate(state, value)
	}
}

// tooLate warns of a value whose number is not below that of the state.
func (r *finder) tooLate(state, value int) {
	if d := r.wrong(codeInitOrder, 2, "Btor2Tools reads an init only if the number of its value is below that of the state, found %d for state %d",
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
	const open, done = 1, 2
	mark := make([]byte, r.f.NumRows())
	var onCycle []int // states
	for _, late := range r.late {
		stack := []int{r.f.refsOf(r.resolution, late)[1].Node()}
		for len(stack) > 0 {
			row := stack[len(stack)-1]
			if mark[row] != 0 {
				mark[row] = done
				stack = stack[:len(stack)-1]
				continue
			}
			mark[row] = open
			for _, ref := range r.beforeStart(row) {
				switch node := ref.Node(); {
				case mark[node] == 0:
					stack = append(stack, node)
				case mark[node] == open && !slices.Contains(onCycle, node):
					onCycle = append(onCycle, node)
				}
			}
		}
	}
	for _, row := range onCycle {
		r.breakCycle(row)
	}
	for _, late := range r.late {
		if r.at(late); r.sound[late] {
			r.tooLate(r.refs[1].Node(), r.refs[2].Node())
		}
	}
}

// beforeStart returns what the first value of a row depends on.
func (r *resolver) beforeStart(row int) []Ref {
	refs := r.f.refsOf(r.resolution, row)
	switch op := r.ops[row]; {
	case op == State:
		if init := int(r.init[row]) - 1; init >= 0 {
			refs = r.f.refsOf(r.resolution, init)
			if len(refs) > 2 && refs[2] != NoRef {
				return refs[2:3]
			}
		}
		return nil
	case op.IsOperator():
		return slices.DeleteFunc(slices.Clone(refs[min(1, len(refs)):]), func(ref Ref) bool { return ref == NoRef })
	}
	return nil
}

// breakCycle makes the init rows of the states of a cycle unsound.
func (r *resolver) breakCycle(row int) {
	seen := map[int]bool{}
	var first *source.Diagnostic
	for stack := []int{row}; len(stack) > 0; {
		last := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if seen[last] {
			continue
		}
		seen[last] = true
		if init := int(r.init[last]) - 1; init >= 0 && r.ops[last] == State {
			r.at(init)
			if first == nil {
				first = r.list.Add(codeInitCycle, r.span(2), "state %d starts with a value that depends on its own start", r.idOf(last))
				first = r.list.StandIn(codeInitCycle, first)
			}
			r.sound[init] = false
			if r.faults[init] == nil {
				r.faults[init] = first
			}
		}
		for _, ref := range r.beforeStart(last) {
			stack = append(stack, ref.Node())
		}
	}
}

// states says which states are free in every step.
func (r *resolver) states() {
	for k, c := range r.f.chunks {
		for i := range c.rows {
			row := r.f.rows[k] + i
			if c.rows[i].op != State || !r.sound[row] {
				continue
			}
			if r.next[row] > 0 {
				continue
			}
			r.at(row)
			d := r.wrong(codeNoNext, tagPlace, "state %d has no next: it is free in every step, and does not keep its value", r.idOf(row))
			if d != nil && r.row.id > 0 {
				r.keepValue(d)
			}
		}
	}
}
