package ic3

import (
	"container/heap"

	"aiglens/circuit"
)

// obligation asks to show that no state of a cube is reachable within level
// steps. Every state of the cube leads, under inputs, into the cube of next, or
// violates the property at once when next is nil.
type obligation struct {
	cube   cube
	level  int
	depth  int // steps to the violation
	order  int // of creation: older first among equals, for a deterministic run
	inputs []circuit.Value
	next   *obligation
	// blocked counts the lemmas that were learnt from the cube.
	blocked int
	// predecessors counts those that were found for the cube.
	predecessors int
	// siblings is the highest number of predecessors that it, or an obligation on
	// the way from it to the violation, had before it.
	siblings int
}

// queue is a priority queue of obligations. Lowest level first is required:
// a predecessor must be settled before its successor is asked for again. Fewer
// steps to the violation first is heuristic.
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
