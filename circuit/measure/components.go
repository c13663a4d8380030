package measure

import (
	"context"
	"math"

	"aiglens/circuit"
)

// Components are the strongly connected components of the latches: sets of latches each
// of which the next state of each other one depends on, in one step or several.
type Components struct {
	// Count is the number of all, those of one latch included; Cycles that of those in
	// which latches depend on themselves.
	Count, Cycles int
	// Largest is the number of latches of the largest, 0 without latches.
	Largest int
}

// components gives each variable its strongly connected component. They are numbered from
// 0 in the order in which they were completed, so that all that a component depends on has
// a lower number or its own.
type components struct {
	of    []int32
	count int
	// resets says that the reset of a latch counts as one of its operands.
	resets bool
}

// pollEvery is the number of variables between two looks at a context.
const pollEvery = 1 << 12

// operands returns what v depends on: at most two literals. The constant stands for none.
func operands(c *circuit.Circuit, v circuit.Var, resets bool) [2]circuit.Var {
	if left, right, ok := c.Operands(v); ok {
		return [2]circuit.Var{left.Var(), right.Var()}
	}
	i := c.LatchIndex(v)
	if i < 0 {
		return [2]circuit.Var{}
	}
	l := c.Latches()[i]
	if resets && !l.IsFree() {
		return [2]circuit.Var{l.Next.Var(), l.Reset.Var()}
	}
	return [2]circuit.Var{l.Next.Var()}
}

// findComponents is Tarjan's algorithm (SIAM Journal on Computing, 1972) with a stack of
// its own.
func findComponents(ctx context.Context, c *circuit.Circuit, resets bool) (*components, error) {
	const done = math.MaxInt32
	n := c.NumVars()
	out := &components{of: make([]int32, n), resets: resets}
	low := make([]int32, n) // 0: not visited; done: in a component
	type visit struct {
		v    circuit.Var
		num  int32
		next int8 // the operand to look at
	}
	var path []visit
	var open []circuit.Var
	visited := int32(0)
	enter := func(v circuit.Var) {
		visited++
		low[v] = visited
		path = append(path, visit{v: v, num: visited})
		open = append(open, v)
	}
	for root := range circuit.Var(n) {
		if low[root] == 0 {
			enter(root)
		}
		for len(path) > 0 {
			top := &path[len(path)-1]
			if top.next < 2 {
				w := operands(c, top.v, resets)[top.next]
				top.next++
				if low[w] == 0 {
					enter(w)
				} else if low[w] != done {
					low[top.v] = min(low[top.v], low[w])
				}
				continue
			}
			v, isRoot := top.v, low[top.v] == top.num
			path = path[:len(path)-1]
			if len(path) > 0 {
				parent := path[len(path)-1].v
				low[parent] = min(low[parent], low[v])
			}
			for isRoot {
				w := open[len(open)-1]
				open = open[:len(open)-1]
				low[w], out.of[w] = done, int32(out.count)
				if w == v {
					out.count++
					break
				}
			}
		}
		if root%pollEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	return out, nil
}

// latches counts the components that have latches.
func (x *components) latches(c *circuit.Circuit, isLeftOut func(circuit.Lit) bool) Components {
	var out Components
	sizes := make([]int, x.count)
	for _, l := range c.Latches() {
		if !isLeftOut(l.Lit) {
			sizes[x.of[l.Lit.Var()]]++
		}
	}
	cycle := make([]bool, x.count)
	for _, l := range c.Latches() {
		// A step stays in the component iff it is on a cycle.
		at := x.of[l.Lit.Var()]
		cycle[at] = cycle[at] || x.of[l.Next.Var()] == at
	}
	for i, n := range sizes {
		if n == 0 {
			continue
		}
		out.Count++
		out.Largest = max(out.Largest, n)
		if cycle[i] {
			out.Cycles++
		}
	}
	return out
}
