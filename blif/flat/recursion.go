package flat

import "aiglens/blif"

// recursionBelow finds the models that hold each other, of those that a model is made of:
// each of them has the number of its cycle, from 1, and one that does not hold itself
// has none (R. Tarjan, Depth-first search and linear graph algorithms, SIAM J. Comput.
// 1972, with a stack of its own for hierarchies of any depth).
func recursionBelow(top *blif.Model) map[*blif.Model]int {
	t := tarjan{at: map[*blif.Model]*visit{}, groups: map[*blif.Model]int{}}
	t.enter(top)
	for len(t.path) > 0 {
		v := t.path[len(t.path)-1]
		if v.next == len(v.calls) {
			t.leave(v)
			continue
		}
		call := v.calls[v.next]
		v.next++
		other := call.Block.Model
		if other == nil || other.BlackBox {
			continue
		}
		switch seen := t.at[other]; {
		case seen == nil:
			t.enter(other)
		case seen.open:
			v.low = min(v.low, seen.number)
			v.self = v.self || seen == v
		}
	}
	return t.groups
}

type tarjan struct {
	at     map[*blif.Model]*visit
	path   []*visit // each holds an instance of the next
	stack  []*visit // entered, and not yet in a component
	groups map[*blif.Model]int
	found  int // groups
}

// visit is a model in the search.
type visit struct {
	model  *blif.Model
	calls  []blif.Call
	next   int  // the call to look at
	number int  // in the order of entering
	low    int  // the least number that is known to be reached from here and still open
	open   bool // in stack
	self   bool // holds an instance of itself
}

func (t *tarjan) enter(m *blif.Model) {
	n := len(t.at)
	v := &visit{model: m, calls: m.File.Resolved().Calls[m.Index], number: n, low: n, open: true}
	t.at[m] = v
	t.path, t.stack = append(t.path, v), append(t.stack, v)
}

// leave ends the visit of a model. When none of those before is reached from it, the
// models on the stack from it on are one component.
func (t *tarjan) leave(v *visit) {
	t.path = t.path[:len(t.path)-1]
	if n := len(t.path); n > 0 {
		t.path[n-1].low = min(t.path[n-1].low, v.low)
	}
	if v.low < v.number {
		return
	}
	from := len(t.stack) - 1
	for t.stack[from] != v {
		from--
	}
	isCycle := v.self || len(t.stack)-from > 1
	if isCycle {
		t.found++
	}
	for _, w := range t.stack[from:] {
		w.open = false
		if isCycle {
			t.groups[w.model] = t.found
		}
	}
	t.stack = t.stack[:from]
}
