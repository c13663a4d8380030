package btor2

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"math/big"
	"slices"

	"aiglens/btor2/bits"
	"aiglens/btor2/syntax"
	"aiglens/circuit"
	"aiglens/internal/source"
)

// An array that is too large to be bits is abstracted to a few addresses: the constants that the text reads at, and latches that
// begin with any value and keep it. Of such an array the circuit has the elements at these addresses alone. A read gives the element at the first
// address that the index equals, and else an input: any value. A write changes the elements whose addresses the index equals.
// Two arrays are equal where all their elements here are and an input says so, too. All else goes element by element.
//
// So the circuit has each run of the text, whatever the addresses are: the inputs in place of reads and comparisons take
// the values that these have there. It has others besides. A proof about it is one about the text, and a counterexample
// counts when it is a run of the text (see Concrete and Verify).
//
// For proofs of bads, bad is asked in the cases alone in which addresses have predicted values, as prophecy variables: an index of a
// read in the cone of bad, or that index as it was when the value was read that a state now has, or an index where two arrays
// differ. Some address has such a value in each step of each run, so that for a run of the text that violates bad
// in some step there is one of the circuit with the addresses of that step. This is
// Bjesse, "Word-level sequential memory abstraction" (FMCAD 2008), with the prophecy variables of Mann et al.,
// "Counterexample-guided prophecy for model checking modulo the theory of arrays" (TACAS 2021); what they predict is found in
// the text, before any run, instead of one after the other.
//
// No certificate shows that the circuit has each run of the text: the checker of an invariant sees the circuit
// alone, as it does with operators of words. The claim rests on this file and on tests, which have random texts with random
// runs and addresses, by an evaluator apart, and compare the value of each row in each step. Besides, each proof is tested so
// with some random runs of its own text (see Sample), by btor2/replay.

// prophecy is what an address is to be: a condition that some address meets.
type prophecy struct {
	sort syntax.Sort
	// path are states, of which each has a value of the next one, and in the end a read, or a comparison of arrays.
	path []int
}

// Bounds of prophecies: those of a property for each sort, the states on a path, the rows of each kind that a row is known to
// depend on, the values that are looked at for a property, the addresses of a sort that are
// constants, the rows that are for all histories, and the gates of all addresses.
const (
	maxProphecies = 6
	maxPath       = 4
	maxNearest    = 12
	maxLooks      = 64
	maxFixed      = 16

	maxHistoryRows   = 5_000_000
	maxAbstractGates = DefaultMaxArrayGates
)

// abstraction is what is known about the arrays that are too large to be bits.
type abstraction struct {
	count      map[syntax.Sort]int             // of addresses; 0 for a sort that is not abstracted
	canBeBits  map[syntax.Sort]bool            // a sort becomes bits if arrays may take more gates
	addresses  map[syntax.Sort][][]circuit.Lit // made when the first array of the sort is
	fixed      map[syntax.Sort][]*big.Int      // the first ones: constants that the text reads at
	prophecies map[int][]prophecy              // by row of bad
	rows       map[int]*source.Diagnostic      // that have such arrays or look at them, with what is said of them
	isUnknown  []bool                          // by node: its value depends on such rows within a step
	origins    map[syntax.Sort]int             // the row that addresses come from: one that looks at arrays of the sort, where there is one
	inputs     map[int][]circuit.Lit           // in place of reads and comparisons, by node
	// histories are latches that say whether the index that the value of a state comes from is an address, by the path
	// and the place of the address; see historyOn.
	histories map[string]circuit.Lit
}

// abstract finds the sorts of arrays that do not become bits, their addresses that are constants, and the prophecies of all
// properties.
func (x *elaborator) abstract(ctx context.Context) error {
	t := &abstraction{
		count: map[syntax.Sort]int{}, canBeBits: map[syntax.Sort]bool{}, addresses: map[syntax.Sort][][]circuit.Lit{}, prophecies: map[int][]prophecy{},
		rows: map[int]*source.Diagnostic{}, isUnknown: make([]bool, len(x.m.Nodes)), origins: map[syntax.Sort]int{},
		inputs: map[int][]circuit.Lit{}, histories: map[string]circuit.Lit{}, fixed: map[syntax.Sort][]*big.Int{},
	}
	x.e.abstraction = t
	costs := x.abstractSorts()
	if len(t.count) == 0 {
		return nil
	}
	x.fixAddresses(costs)
	near, err := x.nearestReads(ctx)
	if err != nil {
		return err
	}
	for _, bad := range x.m.Bads {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !x.m.Nodes[bad].Sound {
			continue
		}
		found := map[syntax.Sort]int{}
		for _, p := range x.findProphecies(bad, near) {
			k := len(t.fixed[p.sort]) + found[p.sort]
			if found[p.sort] == maxProphecies || k == t.count[p.sort] && !costs.take(p.sort) {
				continue
			}
			t.count[p.sort] = max(t.count[p.sort], k+1)
			found[p.sort]++
			t.prophecies[bad] = append(t.prophecies[bad], p)
		}
	}
	return nil
}

// addressCosts are the gates that an address of a sort takes, with all rows of the sort, and those that are left for addresses.
type addressCosts struct {
	of   map[syntax.Sort]int
	left int
}

// take reports whether there is room for one more address.
func (c *addressCosts) take(s syntax.Sort) bool {
	if c.of[s] > c.left {
		return false
	}
	c.left -= c.of[s]
	return true
}

// abstractSorts gives one address to each sort of arrays that does not become bits, the smallest ones first. Those that are too
// large for that have none.
func (x *elaborator) abstractSorts() *addressCosts {
	t, costs := x.e.abstraction, &addressCosts{map[syntax.Sort]int{}, min(maxAbstractGates, x.o.MaxGates)}
	for i := range x.m.Nodes {
		n := &x.m.Nodes[i]
		s := arrayOf(x.m, n)
		if !n.Sound || !s.IsArray() || x.becomesBits(s) {
			continue
		}
		if at, has := t.origins[s]; !has || x.m.Nodes[at].Op < syntax.Not && n.Op >= syntax.Not {
			t.origins[s] = i
		}
		costs.of[s] = min(max(costs.of[s], s.IndexWidth)+abstractCost(n, s), math.MaxInt/2)
	}
	sorts := slices.SortedFunc(maps.Keys(costs.of), func(a, b syntax.Sort) int {
		return cmp.Or(costs.of[a]-costs.of[b], a.Width-b.Width, a.IndexWidth-b.IndexWidth)
	})
	for _, s := range sorts {
		t.canBeBits[s] = x.arrays[s] <= x.o.MaxGates
		if t.count[s] = 0; costs.take(s) {
			t.count[s] = 1
		}
	}
	return costs
}

// fixAddresses makes constants that the text reads at addresses. The first one of a sort takes the place that there is.
func (x *elaborator) fixAddresses(costs *addressCosts) {
	t := x.e.abstraction
	for i := range x.m.Nodes {
		n := &x.m.Nodes[i]
		s := arrayOf(x.m, n)
		if !n.Sound || n.Op != syntax.Read || !t.isAbstracted(s) {
			continue
		}
		index := x.constantOf(n.Args[1])
		if index == nil || t.isFixed(s, index) || len(t.fixed[s]) == maxFixed || len(t.fixed[s]) == t.count[s] && !costs.take(s) {
			continue
		}
		t.fixed[s] = append(t.fixed[s], index)
		t.count[s] = max(t.count[s], len(t.fixed[s]))
	}
}

// abstractCost returns a bound on the gates, inputs and latches that a row of arrays takes for each address.
func abstractCost(n *syntax.Node, s syntax.Sort) int {
	if n.Op < syntax.Not {
		return s.Width
	}
	return 8 * (s.Width + s.IndexWidth)
}

// nearest has, for each row, the last ones of the abstracted reads and comparisons, and of the states from which such a
// read comes later, that it depends on within a step. Each row is looked at once, whatever the number of properties is.
type nearest struct {
	reads, states [][]int // by node, the last ones first, at most maxNearest
	constraints   []int   // reads of all
}

// nearestReads finds them.
func (x *elaborator) nearestReads(ctx context.Context) (near nearest, err error) {
	keys := map[int]readKey{}
	if near.reads, err = x.lists(ctx, func(node int) bool {
		n := &x.m.Nodes[node]
		s := arrayOf(x.m, n)
		switch {
		case !n.Sound || !x.e.abstraction.isAbstracted(s):
			return false
		case n.Op == syntax.Read && x.e.abstraction.isFixed(s, x.constantOf(n.Args[1])):
			return false // all is known there
		case n.Op == syntax.Read:
			keys[node] = readKey{s, x.rootOf(n.Args[1].Node()), n.Args[1].IsNegated()}
			return true
		}
		return n.Op == syntax.Eq || n.Op == syntax.Neq
	}, keys); err != nil {
		return near, err
	}
	for _, row := range x.m.Constraints {
		near.constraints = joined(near.constraints, near.reads[row], keys)
	}
	leads := map[int]bool{} // states whose value comes from a read
	isNew := true
	for depth := 1; depth < maxPath+1 && isNew; depth++ {
		if near.states, err = x.lists(ctx, func(node int) bool { return leads[node] }, nil); err != nil {
			return near, err
		}
		isNew = false
		for _, state := range x.m.States {
			if row, has := x.m.Next[state]; has && !leads[state] && !x.m.Nodes[state].Sort.IsArray() && x.m.Nodes[row].Sound {
				if value := x.m.Nodes[row].Args[1].Node(); len(near.reads[value])+len(near.states[value]) > 0 {
					leads[state], isNew = true, true
				}
			}
		}
	}
	near.states, err = x.lists(ctx, func(node int) bool { return leads[node] }, nil)
	return near, err
}

// readKey is the same for reads of which one address has the index.
type readKey struct {
	sort      syntax.Sort
	index     int
	isNegated bool
}

// lists returns, by node, the last of the marked ones that it depends on within a step.
func (x *elaborator) lists(ctx context.Context, isMarked func(node int) bool, keys map[int]readKey) ([][]int, error) {
	all := make([][]int, len(x.m.Nodes))
	for i := range x.m.Nodes {
		if i%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		n := &x.m.Nodes[i]
		if n.Op != syntax.Init && n.Op != syntax.Next { // whose operands are values of other steps
			for _, a := range n.Args {
				if a != syntax.NoRef {
					all[i] = joined(all[i], all[a.Node()], keys)
				}
			}
		}
		if isMarked(i) {
			all[i] = joined([]int{i}, all[i], keys)
		}
	}
	return all, nil
}

// joined returns the first of two lists of rows in descending order, each key once. The lists are not changed.
func joined(a, b []int, keys map[int]readKey) []int {
	if len(a) == 0 || len(b) == 0 || len(a) == len(b) && &a[0] == &b[0] {
		if len(a) == 0 {
			return b
		}
		return a
	}
	all := make([]int, 0, min(maxNearest, len(a)+len(b)))
	for len(a)+len(b) > 0 && len(all) < maxNearest {
		if len(a) == 0 || len(b) > 0 && b[0] > a[0] {
			a, b = b, a
		}
		row := a[0]
		a = a[1:]
		key, hasKey := keys[row]
		if !slices.ContainsFunc(all, func(before int) bool {
			other, has := keys[before]
			return before == row || has && hasKey && other == key
		}) {
			all = append(all, row)
		}
	}
	return all
}

// findProphecies returns prophecies for a bad, those with the shortest paths first.
func (x *elaborator) findProphecies(bad int, near nearest) (all []prophecy) {
	reads := func(path, rows []int) {
		for _, row := range rows {
			if n := &x.m.Nodes[row]; n.Op == syntax.Read || len(path) == 0 {
				all = append(all, prophecy{arrayOf(x.m, n), append(slices.Clone(path), row)})
			}
		}
	}
	root := x.m.Nodes[bad].Args[0].Node()
	reads(nil, near.reads[root])
	for _, row := range near.constraints {
		if !slices.Contains(near.reads[root], row) {
			reads(nil, []int{row})
		}
	}
	type value struct {
		node int
		path []int // of states that have it later
	}
	todo, seen := []value{{node: root}}, map[int]bool{}
	for looks := 0; len(todo) > 0 && looks < maxLooks; looks++ {
		at := todo[0]
		todo = todo[1:]
		if len(at.path) > 0 {
			reads(at.path, near.reads[at.node])
		}
		for _, state := range near.states[at.node] {
			if len(at.path) < maxPath && !seen[state] {
				seen[state] = true
				todo = append(todo, value{x.m.Nodes[x.m.Next[state]].Args[1].Node(), append(slices.Clone(at.path), state)})
			}
		}
	}
	return all
}

// isFixed reports whether an index is one of the addresses that are constants.
func (t *abstraction) isFixed(s syntax.Sort, index *big.Int) bool {
	return index != nil && slices.ContainsFunc(t.fixed[s], func(f *big.Int) bool { return f.Cmp(index) == 0 })
}

// constantOf returns the number of an operand that is a constant, or another name of one; else nil.
func (x *elaborator) constantOf(ref syntax.Ref) *big.Int {
	n := &x.m.Nodes[x.rootOf(ref.Node())]
	switch {
	case ref.IsNegated():
		return nil
	case n.Op == syntax.Zero:
		return new(big.Int)
	case n.Op == syntax.One:
		return big.NewInt(1)
	case n.Op == syntax.Ones:
		all := new(big.Int).Lsh(big.NewInt(1), uint(n.Sort.Width))
		return all.Sub(all, big.NewInt(1))
	case n.Op.IsConstant():
		return n.Value()
	}
	return nil
}

// rootOf returns what a row is another name of.
func (x *elaborator) rootOf(node int) int {
	for n := &x.m.Nodes[node]; n.Op == syntax.Uext && n.Number[0] == 0 && !n.Args[0].IsNegated(); n = &x.m.Nodes[node] {
		node = n.Args[0].Node()
	}
	return node
}

// isAbstracted reports whether arrays of a sort are abstracted to addresses.
func (t *abstraction) isAbstracted(s syntax.Sort) bool { return s.IsArray() && t.count[s] > 0 }

// addressesOf returns the addresses that arrays of a sort are abstracted to.
func (x *elaborator) addressesOf(s syntax.Sort) [][]circuit.Lit {
	t := x.e.abstraction
	for len(t.addresses[s]) < t.count[s] {
		if k := len(t.addresses[s]); k < len(t.fixed[s]) {
			t.addresses[s] = append(t.addresses[s], bits.Constant(t.fixed[s][k], s.IndexWidth))
			continue
		}
		t.addresses[s] = append(t.addresses[s], x.keep(s.IndexWidth, t.origins[s]))
	}
	return t.addresses[s]
}

// keep returns latches that begin with any value. Their next value is the same, until another one is set.
func (x *elaborator) keep(width, node int) []circuit.Lit {
	word := make([]circuit.Lit, width)
	for i := range word {
		word[i] = x.b.Latch(originOf(node))
		x.b.SetReset(word[i], word[i])
		x.b.SetNext(word[i], word[i])
	}
	return word
}

// readAbstracted returns the element at an index, as far as it is known.
func (x *elaborator) readAbstracted(i int) []circuit.Lit {
	n := &x.m.Nodes[i]
	array, index := x.arg(n, 0), x.arg(n, 1)
	value := x.fresh(n.Sort.Width, i)
	x.e.abstraction.inputs[i] = value
	for k, address := range slices.Backward(x.addressesOf(arrayOf(x.m, n))) {
		value = bits.Ite(x.b, bits.Eq(x.b, index, address), array[k*len(value):(k+1)*len(value)], value)
	}
	return value
}

// writeAbstracted returns the elements with a value at an index.
func (x *elaborator) writeAbstracted(n *syntax.Node) []circuit.Lit {
	array, index, value := x.arg(n, 0), x.arg(n, 1), x.arg(n, 2)
	written := make([]circuit.Lit, 0, len(array))
	for _, address := range x.addressesOf(n.Sort) {
		written = append(written, bits.Ite(x.b, bits.Eq(x.b, index, address), value, array[len(written):len(written)+len(value)])...)
	}
	return written
}

// equalAbstracted returns whether two arrays are equal, as far as it is known.
func (x *elaborator) equalAbstracted(i int) circuit.Lit {
	n := &x.m.Nodes[i]
	open := x.fresh(1, i)
	x.e.abstraction.inputs[i] = open
	return x.b.And(open[0], bits.Eq(x.b, x.arg(n, 0), x.arg(n, 1)))
}

// predicted returns the condition that addresses have the values of all prophecies of a bad. One that has no value, or
// is too large, is left out: then there are more runs.
func (x *elaborator) predicted(bad int) circuit.Lit {
	all := circuit.True
	used := map[syntax.Sort]int{}
	for _, p := range x.e.abstraction.prophecies[bad] {
		k := len(x.e.abstraction.fixed[p.sort]) + used[p.sort]
		used[p.sort]++
		all = x.b.And(all, x.isPredicted(p, k))
	}
	return all
}

// isPredicted returns whether an address, the k-th of its sort, has the value of a prophecy.
func (x *elaborator) isPredicted(p prophecy, k int) circuit.Lit {
	last := p.path[len(p.path)-1]
	n := &x.m.Nodes[last]
	if x.e.words[last] == nil || !x.hasOperands(n) || abstractCost(n, p.sort) > x.o.MaxGates-x.b.NumVars() {
		return circuit.True
	}
	address := x.addressesOf(p.sort)[k]
	if n.Op == syntax.Read {
		return x.isAddress(p.path, k, address)
	}
	l, r, width := x.arg(n, 0), x.arg(n, 1), p.sort.Width
	equal := x.e.words[last][0].NotIf(n.Op == syntax.Neq)
	return x.b.Or(equal, bits.Eq(x.b, l[k*width:(k+1)*width], r[k*width:(k+1)*width]).Not())
}

// historyOn names a history: that of a path and an address.
func historyOn(path []int, k int) string { return fmt.Sprint(path, k) }

// isAddress returns whether an address, the k-th of its sort, is the index that the value of the first node on a path comes
// from: that of a read itself, and of a state what it was when the state was last given such a value. Before that it is
// any index. An address never changes, so that a latch can keep whether it is the one: a bit in place of a word, which
// no clause could compare.
func (x *elaborator) isAddress(path []int, k int, address []circuit.Lit) circuit.Lit {
	if len(path) == 1 {
		return bits.Eq(x.b, x.arg(&x.m.Nodes[path[0]], 1), address)
	}
	key := historyOn(path, k)
	if l, ok := x.e.abstraction.histories[key]; ok {
		return l
	}
	row := x.m.Next[path[0]]
	rows := max(0, x.m.Nodes[row].Args[1].Node()-path[1]) + 1
	if !x.isBuilt(row) || rows > maxHistoryRows-x.historyRows || 4*rows > x.o.MaxGates-x.b.NumVars() {
		return circuit.True
	}
	x.historyRows += rows
	history := x.keep(1, path[len(path)-1])
	x.e.abstraction.histories[key] = history[0]
	h := historyOf{x: x, on: newDependence(x.m, path), isAddress: x.isAddress(path[1:], k, address), history: history[0], known: map[int]circuit.Lit{}}
	x.b.SetNext(history[0], h.next(x.m.Nodes[row].Args[1].Node()))
	return history[0]
}

// dependence says whether the value that a state is given comes from the node after it on a path, or from elsewhere, so that
// the history of the state is kept. It is the same for the circuit and for a run of the text.
type dependence struct {
	m       *syntax.Model
	from    int
	reaches []bool // by node from that one on, up to the next value: whether it depends on it within a step
}

func newDependence(m *syntax.Model, path []int) dependence {
	from, to := path[1], m.Nodes[m.Next[path[0]]].Args[1].Node()
	all := make([]bool, max(0, to-from)+1)
	all[0] = true
	for i := from + 1; i <= to; i++ {
		n := &m.Nodes[i]
		if n.Op < syntax.Not || !n.Sound {
			continue
		}
		for _, a := range n.Args {
			all[i-from] = all[i-from] || a.Node() >= from && all[a.Node()-from]
		}
	}
	return dependence{m, from, all}
}

func (s dependence) depends(node int) bool { return node >= s.from && s.reaches[node-s.from] }

// part says where a value comes from.
type part uint8

const (
	partKept      part = iota // not from the path
	partOfPath                // from the path
	partOfCase                // from its second or third operand, as the first one says
	partOfOperand             // from its operand
)

// of returns the part of a node.
func (s dependence) of(node int) part {
	n := &s.m.Nodes[node]
	switch {
	case !s.depends(node):
		return partKept
	case node == s.from:
		return partOfPath
	case n.Op == syntax.Ite && !s.depends(n.Args[0].Node()):
		return partOfCase
	case n.Op == syntax.Uext || n.Op == syntax.Sext || n.Op == syntax.Slice || n.Op == syntax.Not:
		return partOfOperand
	}
	return partOfPath
}

// historyOf makes the next value of a history.
type historyOf struct {
	x                  *elaborator
	on                 dependence
	isAddress, history circuit.Lit
	known              map[int]circuit.Lit
}

// next returns it for a value that a state is given.
func (h *historyOf) next(node int) (l circuit.Lit) {
	l, ok := h.known[node]
	if ok {
		return l
	}
	n := &h.x.m.Nodes[node]
	switch h.on.of(node) {
	case partKept:
		return h.history
	case partOfPath:
		l = h.isAddress
	case partOfCase:
		l = bits.Ite(h.x.b, h.x.arg(n, 0)[0], bit(h.next(n.Args[1].Node())), bit(h.next(n.Args[2].Node())))[0]
	case partOfOperand:
		l = h.next(n.Args[0].Node())
	}
	h.known[node] = l
	return l
}
