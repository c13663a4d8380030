// Package graph has what graphs of any kind need: cycles, and lists of successors. It does not
// know what the nodes are.
package graph

import (
	"math"
	"slices"
)

// visit is a node on the path of a search.
type visit[N comparable] struct {
	node   N
	left   []N // the successors that are not looked at yet
	number int // in the order of entering, from 1
	from   int // its place in the open nodes
	self   bool
}

// Cycles returns the strongly connected components that have a cycle, of the graph that is
// reached from roots: nodes that reach each other, or one that is its own successor. Each
// comes after those that it reaches. A node is asked once for its successors (R. Tarjan,
// "Depth-First Search and Linear Graph Algorithms", SIAM Journal on Computing 1972, with a
// stack of its own for graphs of any depth).
func Cycles[N comparable](roots []N, next func(N) []N) (found [][]N) {
	const done = math.MaxInt
	// low is the least number that is known to be reached from a node and still open, 0 for
	// one that was not entered, done for one whose component is known.
	low := map[N]int{}
	var path []visit[N] // each a successor of the one before
	var open []N        // entered, and not yet in a component
	enter := func(n N) {
		number := len(low) + 1
		low[n] = number
		path = append(path, visit[N]{node: n, left: next(n), number: number, from: len(open)})
		open = append(open, n)
	}
	for _, root := range roots {
		if _, entered := low[root]; !entered {
			enter(root)
		}
		for len(path) > 0 {
			top := &path[len(path)-1]
			if len(top.left) > 0 {
				to := top.left[0]
				top.left, top.self = top.left[1:], top.self || to == top.node
				if l, entered := low[to]; entered {
					low[top.node] = min(low[top.node], l)
				} else {
					enter(to)
				}
				continue
			}
			v := *top
			path = path[:len(path)-1]
			if len(path) > 0 {
				above := path[len(path)-1].node
				low[above] = min(low[above], low[v.node])
			}
			if low[v.node] < v.number {
				continue
			}
			component := slices.Clone(open[v.from:])
			open = open[:v.from]
			for _, n := range component {
				low[n] = done
			}
			if v.self || len(component) > 1 {
				found = append(found, component)
			}
		}
	}
	return found
}
