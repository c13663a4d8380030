package reach

import (
	"slices"

	"aiglens/circuit"
	"aiglens/ic3/bdd"
)

// model is a circuit as functions. Of n latches, variable i is latch i now and n+i the same
// latch in the next step; 2n+j is input j.
type model struct {
	*bdd.Store
	c       *circuit.Circuit
	initial bdd.Ref
	// step is the transition relation with the constraints, violation says that bad is 1 with
	// them. Both leave nothing of inputs, and step nothing of the latches now.
	step, violation []cluster
	now             []int // by variable: for one of the next step that of now, for others itself
	sorted          int   // nodes at which the variables are reordered
	collected       int   // nodes at which those that are not needed are freed
	most            int
}

// newModel returns the model of a circuit before its functions are built.
func newModel(c *circuit.Circuit, most int, poll func() error) *model {
	n := len(c.Latches())
	m := &model{Store: bdd.New(order(c), most, poll), c: c, most: most, sorted: firstSort, collected: max(most/2, minCollect)}
	for v := range 2*n + len(c.Inputs()) {
		m.now = append(m.now, v)
		if v >= n && v < 2*n {
			m.now[v] = v - n
		}
	}
	return m
}

// build computes the functions.
func (m *model) build() {
	n := len(m.c.Latches())
	roots := make([]circuit.Lit, 0, n+2)
	for _, l := range m.c.Latches() {
		roots = append(roots, l.Next)
	}
	for _, s := range m.c.Constraints() {
		roots = append(roots, s.Lit)
	}
	functions := m.functions(append(roots, m.c.Bads()[0].Lit))
	next, constraints, bad := functions[:n], functions[n:len(functions)-1], functions[len(functions)-1]
	m.initial = bdd.True
	for i, l := range m.c.Latches() {
		if !l.IsFree() {
			m.initial = m.And(m.initial, m.Var(i).NotIf(l.Reset == circuit.False))
		}
	}
	relation := slices.Clone(constraints)
	for i, f := range next {
		relation = append(relation, m.Xor(m.Var(n+i), f).Not())
	}
	isInput := func(v int) bool { return v >= 2*n }
	m.step = m.clusters(relation, func(v int) bool { return v < n || isInput(v) })
	violation := append(slices.Clone(constraints), bad)
	m.tidy(violation...)
	m.violation = m.clusters(violation, isInput)
}

// functions returns those of literals.
func (m *model) functions(roots []circuit.Lit) []bdd.Ref {
	readers := make([]int, m.c.NumVars())
	for _, l := range roots {
		readers[l.Var()]++
	}
	for v := range readers {
		if left, right, ok := m.c.Operands(circuit.Var(v)); ok {
			readers[left.Var()]++
			readers[right.Var()]++
		}
	}
	of := make([]bdd.Ref, m.c.NumVars())
	lit := func(l circuit.Lit) bdd.Ref { return of[l.Var()].NotIf(l.IsNegated()) }
	drop := func(l circuit.Lit) {
		if readers[l.Var()]--; readers[l.Var()] == 0 {
			of[l.Var()] = bdd.False
		}
	}
	for i := range of {
		v := circuit.Var(i)
		if at := m.c.LatchIndex(v); at >= 0 {
			of[v] = m.Var(at)
		} else if at := m.c.InputIndex(v); at >= 0 {
			of[v] = m.Var(2*len(m.c.Latches()) + at)
		} else if left, right, ok := m.c.Operands(v); ok {
			of[v] = m.And(lit(left), lit(right))
			drop(left)
			drop(right)
			m.tidy(of...)
		}
	}
	functions := make([]bdd.Ref, len(roots))
	for i, l := range roots {
		functions[i] = lit(l)
	}
	return functions
}

// product returns a set of states after a relation, without the variables that are done
// with.
func (m *model) product(states bdd.Ref, relation []cluster) bdd.Ref {
	for _, k := range relation {
		states = m.AndExists(states, k.relation, k.done)
	}
	return states
}

const (
	// firstSort is the number of nodes from which on it pays to reorder the variables, and
	// maxSort the one from which on it takes too long.
	firstSort = 4_000
	maxSort   = 400_000
	// minCollect is the number of nodes from which on it pays to free those that are not needed.
	minCollect = 50_000
)

// tidy frees nodes but those of the model and of the given functions, or reorders the
// variables, when there are many. It returns how often it has done that.
func (m *model) tidy(functions ...bdd.Ref) (sifted int) {
	if m.Nodes() < m.sorted && m.Nodes() < m.collected {
		return 0
	}
	roots := append(slices.Clone(functions), m.initial)
	for _, k := range slices.Concat(m.step, m.violation) {
		roots = append(roots, k.relation, k.done)
	}
	m.Collect(roots)
	m.collected = max(m.most/2, minCollect, m.Nodes()+m.most/8) // not again for each call where most are needed
	if m.Nodes() < m.sorted/2 {
		return 0
	}
	if m.Nodes() < maxSort {
		m.Sift(roots)
		sifted = 1
	}
	m.sorted = 2*m.Nodes() + firstSort
	return sifted
}
