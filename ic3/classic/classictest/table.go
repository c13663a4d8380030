package classictest

import "aiglens/circuit"

// Table is a circuit by enumeration; a state is indexed by the bits of its
// latches.
type Table struct {
	// Successors holds, for each state, the next ones under the constraints; it
	// is empty when no input meets them.
	Successors [][]int
	Initial    []bool
	Bad        []bool // bad now, under some input that meets the constraints
}

// NewTable enumerates all states and inputs of a small circuit.
func NewTable(c *circuit.Circuit) *Table {
	n := 1 << len(c.Latches())
	t := &Table{Successors: make([][]int, n), Initial: make([]bool, n), Bad: make([]bool, n)}
	sim := circuit.NewParallel(c)
	inputs := make([]uint64, len(c.Inputs()))
	for s := range n {
		t.Initial[s] = true
		for i, l := range c.Latches() {
			t.Initial[s] = t.Initial[s] && (l.IsFree() || circuit.Lit(s>>i&1) == l.Reset)
		}
		for in := range 1 << len(inputs) {
			for i := range inputs {
				inputs[i] = -uint64(in >> i & 1)
			}
			for i := range c.Latches() {
				sim.SetLatch(i, -uint64(s>>i&1))
			}
			sim.Eval(inputs)
			t.add(c, sim, s)
		}
	}
	return t
}

// add adds the step from s that sim has evaluated, if the constraints allow it.
func (t *Table) add(c *circuit.Circuit, sim *circuit.Parallel, s int) {
	for _, k := range c.Constraints() {
		if sim.Value(k.Lit) == 0 {
			return
		}
	}
	next := 0
	for i, l := range c.Latches() {
		next |= int(sim.Value(l.Next)&1) << i
	}
	t.Successors[s] = append(t.Successors[s], next)
	t.Bad[s] = t.Bad[s] || sim.Value(c.Bads()[0].Lit) != 0
}

// FirstBad returns the first step in which a state can be bad, or −1.
func (t *Table) FirstBad() int {
	seen := append([]bool(nil), t.Initial...)
	var frontier []int
	for s, in := range seen {
		if in {
			frontier = append(frontier, s)
		}
	}
	for step := 0; len(frontier) > 0; step++ {
		var next []int
		for _, s := range frontier {
			if t.Bad[s] {
				return step
			}
			for _, n := range t.Successors[s] {
				if !seen[n] {
					seen[n] = true
					next = append(next, n)
				}
			}
		}
		frontier = next
	}
	return -1
}

// BackwardDepth returns the length of the longest of the shortest ways to a bad
// state.
func (t *Table) BackwardDepth() int {
	reaches := append([]bool(nil), t.Bad...)
	for depth := 0; ; depth++ {
		before := append([]bool(nil), reaches...)
		grown := false
		for s, next := range t.Successors {
			for _, n := range next {
				if before[n] && !reaches[s] {
					reaches[s], grown = true, true
				}
			}
		}
		if !grown {
			return depth
		}
	}
}
